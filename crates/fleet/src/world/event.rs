//! Events from outside the engines, and their order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::time::Ps;

/// What kind of thing happens. The order of declaration is the rule for ties at one instant:
/// the fleet changes before anybody looks at it, scrapes read before new work arrives, and work
/// that a client sends comes before it gives up on other work. Boundaries of engines, which are
/// not in this list, come last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// A replica changes.
    Change,
    /// A scrape reads, or arrives.
    Scrape,
    /// A request arrives at the gateway for the first time.
    Arrive,
    /// A request is sent again, or beside itself.
    Again,
    /// A dispatch becomes known to a router's counts.
    Count,
    /// Somebody gives up.
    Timeout,
    /// Something is measured.
    Sample,
}

/// An event and whom it concerns. `serial` tells a slot's occupants apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Line of the scenario's list of changes.
    Change(u32),
    /// A replica has finished starting.
    Ready { replica: u16, life: u32 },
    /// A breaker lets one request through.
    HalfOpen { replica: u16 },
    /// Outliers are judged, and ejections end.
    Sweep,
    /// A router reads the fleet.
    Scrape { router: u16 },
    /// What it read arrives.
    Deliver { router: u16 },
    /// A request is tried again.
    Retry { live: u32, serial: u64 },
    /// A second attempt is sent beside the first.
    Hedge { live: u32, serial: u64 },
    /// A router counts its pick.
    Count { attempt: u32, serial: u64 },
    /// A peer learns of a dispatch, or of its end.
    Share { router: u16, to: u16, ended: bool },
    /// A client gives up on its try, if that is still the one.
    Timeout { live: u32, serial: u64, tries: u16 },
    /// The gateway gives up on a request in its line.
    LineTimeout { live: u32, serial: u64, tries: u16 },
    /// Active blocks are measured.
    Sample,
}

/// One pending event; ordered by time, class and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pending {
    key: (Ps, Class, u64),
    kind: Kind,
}

impl PartialOrd for Pending {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Pending {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}

/// Pending events.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    heap: BinaryHeap<Reverse<Pending>>,
    numbered: u64,
}

impl Queue {
    /// Something will happen. Times behind the end of time are dropped: no run reaches them.
    pub(crate) fn push(&mut self, at: Ps, class: Class, kind: Kind) {
        if at < Ps::MAX {
            self.heap.push(Reverse(Pending { key: (at, class, self.numbered), kind }));
            self.numbered += 1;
        }
    }

    /// Time and class of the next event.
    pub(crate) fn peek(&self) -> Option<(Ps, Class)> {
        self.heap.peek().map(|Reverse(next)| (next.key.0, next.key.1))
    }

    /// Whether a replica's start is among what is pending. Looks at everything.
    pub(crate) fn has_ready(&self) -> bool {
        self.heap.iter().any(|Reverse(next)| matches!(next.kind, Kind::Ready { .. }))
    }

    /// Takes the next event.
    pub(crate) fn pop(&mut self) -> Option<(Ps, Kind)> {
        self.heap.pop().map(|Reverse(next)| (next.key.0, next.kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_then_class_then_number() {
        let mut queue = Queue::default();
        queue.push(5, Class::Timeout, Kind::Sample);
        queue.push(5, Class::Change, Kind::Change(0));
        queue.push(5, Class::Change, Kind::Change(1));
        queue.push(3, Class::Sample, Kind::Change(2));
        queue.push(Ps::MAX, Class::Change, Kind::Change(3));
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        let want = [(3, Kind::Change(2)), (5, Kind::Change(0)), (5, Kind::Change(1)), (5, Kind::Sample)];
        assert_eq!(order, want);
    }
}
