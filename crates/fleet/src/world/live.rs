//! Requests in the system, and their attempts.

use crate::request::Request;
use crate::router::Entry;
use crate::time::{Ps, When};
use crate::workload::GENERATED;

/// Places of a part of a table.
const PART: usize = 256;

/// A table whose places are used again; a serial number tells occupants apart. Its parts never move:
/// one list would be copied to memory that was never touched whenever it grows, and first touches
/// cost an overloaded fleet more than all decisions.
#[derive(Clone, Debug)]
pub(crate) struct Table<T> {
    parts: Vec<Vec<Place<T>>>,
    /// Places in all parts.
    len: usize,
    unused: Vec<u32>,
    serial: u64,
}

/// Begins a cache line: a fleet holds many, and looks at each a few times only, long apart.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct Place<T> {
    entry: Option<T>,
    serial: u64,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { parts: Vec::new(), len: 0, unused: Vec::new(), serial: 0 }
    }
}

impl<T> Table<T> {
    /// The serial number that the next entry gets.
    pub(crate) fn next_serial(&self) -> u64 {
        self.serial
    }

    pub(crate) fn add(&mut self, entry: T) -> u32 {
        let place = Place { serial: self.serial, entry: Some(entry) };
        self.serial += 1;
        if let Some(at) = self.unused.pop() {
            if let Some(free) = self.place_mut(at) {
                *free = place;
            }
            return at;
        }
        let at = self.len;
        self.len += 1;
        match self.parts.get_mut(at / PART) {
            Some(part) => part.push(place),
            // The first part grows as it is used: most fleets hold few at once.
            None if at == 0 => self.parts.push(vec![place]),
            None => {
                let mut part = Vec::with_capacity(PART);
                part.push(place);
                self.parts.push(part);
            }
        }
        at as u32
    }

    fn place(&self, at: u32) -> Option<&Place<T>> {
        self.parts.get(at as usize / PART)?.get(at as usize % PART)
    }

    fn place_mut(&mut self, at: u32) -> Option<&mut Place<T>> {
        self.parts.get_mut(at as usize / PART)?.get_mut(at as usize % PART)
    }

    /// Takes an entry out in place: who needs it reads it before.
    pub(crate) fn remove(&mut self, at: u32) {
        if self.place_mut(at).is_some_and(|place| place.entry.take().is_some()) {
            self.unused.push(at);
        }
    }

    pub(crate) fn get(&self, at: u32) -> Option<&T> {
        self.place(at)?.entry.as_ref()
    }

    pub(crate) fn get_mut(&mut self, at: u32) -> Option<&mut T> {
        self.place_mut(at)?.entry.as_mut()
    }

    /// Whether the place still holds the entry of that serial number.
    pub(crate) fn holds(&self, at: u32, serial: u64) -> bool {
        self.place(at).is_some_and(|place| place.serial == serial && place.entry.is_some())
    }

    pub(crate) fn serial(&self, at: u32) -> u64 {
        self.place(at).map_or(0, |place| place.serial)
    }

    pub(crate) fn len(&self) -> usize {
        self.len - self.unused.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        let all = self.parts.iter().flatten().enumerate();
        all.filter_map(|(at, place)| place.entry.as_ref().map(|entry| (at as u32, entry)))
    }
}

/// A request in the system. What changes stands first, together, in one cache line with the time of
/// its arrival.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Live {
    /// When it was first admitted by an engine.
    pub(crate) admitted: When,
    pub(crate) first_token: When,
    /// Attempts under way: the first, and a hedge.
    pub(crate) under_way: [Option<u32>; 2],
    /// Times its client has sent it.
    pub(crate) tries: u16,
    /// Attempts at replicas so far, hedges included.
    pub(crate) attempts: u16,
    pub(crate) hedged: bool,
    /// Its latest attempt is a retry, planned or under way, and counted as one.
    pub(crate) retrying: bool,
    /// Waits in the gateway's line.
    pub(crate) in_line: bool,
    /// Holds one of its session's places.
    pub(crate) in_session: bool,
    /// Tokens of the prompt found in the cache and computed, at the first admission of the attempt
    /// that gave the first token.
    pub(crate) cached: u32,
    pub(crate) computed: u32,
    /// Tokens computed again after a preemption.
    pub(crate) recomputed: u32,
    pub(crate) preemptions: u16,
    pub(crate) request: Request,
}

impl Live {
    pub(crate) fn new(request: Request) -> Self {
        Self {
            request,
            tries: 0,
            attempts: 0,
            under_way: [None; 2],
            hedged: false,
            retrying: false,
            in_line: false,
            in_session: false,
            admitted: When::NEVER,
            first_token: When::NEVER,
            cached: 0,
            computed: 0,
            recomputed: 0,
            preemptions: 0,
        }
    }
}

/// One attempt of a request at a replica. Its place in the table is the engine's id.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    /// The request, while anybody still waits for this attempt.
    pub(crate) live: Option<u32>,
    pub(crate) router: u16,
    pub(crate) to: u16,
    pub(crate) sent: Ps,
    pub(crate) entry: Option<Entry>,
    /// Whether its router counts it.
    pub(crate) counted: bool,
    /// Its client has given up.
    pub(crate) timed_out: bool,
    /// Whether an engine has admitted it, and whether its first token is out.
    pub(crate) admitted: bool,
    pub(crate) first_token: bool,
    pub(crate) cached: u32,
    pub(crate) computed: u32,
    pub(crate) recomputed: u32,
    pub(crate) preemptions: u16,
}

/// First id of the blocks that an attempt generates, by its serial number. Each has room for a
/// million ids.
pub(crate) fn generated(serial: u64) -> u64 {
    GENERATED | serial << 20
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_is_one_cache_line_and_a_request_three() {
        assert_eq!(size_of::<Place<Attempt>>(), 64);
        assert_eq!(size_of::<Place<Live>>(), 192);
        assert_eq!(std::mem::offset_of!(Live, request), 56);
    }

    /// Entries keep their numbers over several parts, and places are used again, the latest first.
    #[test]
    fn a_table_is_one_list_in_parts() {
        let mut table = Table::default();
        let count = 3 * PART as u32 + 7;
        assert!((0..count).all(|i| table.add(i) == i));
        assert!(table.iter().map(|(at, entry)| (at, *entry)).eq((0..count).map(|i| (i, i))));
        let gone = [5, PART as u32, 2 * PART as u32 - 1];
        gone.iter().for_each(|at| table.remove(*at));
        assert_eq!((table.len(), table.get(gone[1]), table.get(count)), (count as usize - 3, None, None));
        for at in gone.into_iter().rev() {
            let serial = table.next_serial();
            assert_eq!(table.add(at), at);
            assert!(table.holds(at, serial) && !table.holds(at, u64::from(at)));
        }
        assert_eq!((table.add(count), table.len()), (count, count as usize + 1));
    }
}
