//! The waiting line of a replica.

use std::collections::VecDeque;

use crate::engine::seq::Named;
use crate::engine::types::{Order, Sequence};

/// A sequence that has not run yet. It has no place in the table of sequences: a line can be long, and
/// this is all that is to be known of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    pub(crate) id: u32,
    pub(crate) prompt: u32,
    pub(crate) output: u32,
}

/// Those who wait, the first one in front.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    all: VecDeque<Waiting>,
    /// The blocks of each; none without a prefix cache.
    #[expect(clippy::box_collection, reason = "few lines have names, and a line should be small")]
    named: Option<Box<VecDeque<Named>>>,
}

impl Line {
    /// An empty line with room for so many.
    pub(crate) fn with_room(room: usize) -> Self {
        Self { all: VecDeque::with_capacity(room), named: None }
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// Joins at the end. `block` is the tokens of a block where prefixes are cached.
    pub(crate) fn push(&mut self, sequence: Sequence, block: Option<u32>) {
        let Sequence { id, prompt, output, chain, generated } = sequence;
        self.all.push_back(Waiting { id, prompt, output });
        if let Some(block) = block {
            self.named.get_or_insert_default().push_back(Named::new(chain, generated, prompt, block));
        }
    }

    /// Who is admitted next, and its blocks where prefixes are cached.
    pub(crate) fn head(&self, order: Order) -> Option<(Waiting, Option<&Named>)> {
        let named = self.named.as_deref();
        Some(match order {
            Order::First => (*self.all.front()?, named.and_then(VecDeque::front)),
            Order::Last => (*self.all.back()?, named.and_then(VecDeque::back)),
        })
    }

    /// Takes out who is admitted next.
    pub(crate) fn take(&mut self, order: Order) -> Option<(Waiting, Option<Named>)> {
        let named = self.named.as_deref_mut();
        Some(match order {
            Order::First => (self.all.pop_front()?, named.and_then(VecDeque::pop_front)),
            Order::Last => (self.all.pop_back()?, named.and_then(VecDeque::pop_back)),
        })
    }

    /// Takes out who gave up waiting, if it is here.
    pub(crate) fn leave(&mut self, id: u32) -> Option<Waiting> {
        let place = self.all.iter().position(|waiting| waiting.id == id)?;
        self.named.as_deref_mut().and_then(|named| named.remove(place));
        self.all.remove(place)
    }

    /// Everybody with its blocks, in the order of arrival.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (Waiting, Option<&Named>)> {
        let named = |place| self.named.as_deref().and_then(|named| named.get(place));
        self.all.iter().enumerate().map(move |(place, waiting)| (*waiting, named(place)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(block: Option<u32>) -> Line {
        let mut line = Line::with_room(2);
        for id in 0..5 {
            let chain = [u64::from(id)].into_iter().collect();
            line.push(Sequence { id, prompt: 16 + id, output: 1, chain, generated: 99 }, block);
        }
        line
    }

    fn first(named: Option<&Named>) -> Option<u64> {
        named.and_then(|named| named.ids(0, 1).next()).map(|run| run.first)
    }

    #[test]
    fn names_stay_with_those_they_are_of() {
        let mut line = line(Some(16));
        assert_eq!(line.leave(2).map(|waiting| waiting.prompt), Some(18));
        assert!(line.leave(2).is_none());
        for (order, id) in [(Order::First, 0), (Order::Last, 4), (Order::First, 1), (Order::Last, 3)] {
            let head = line.head(order).map(|(waiting, named)| (waiting.id, first(named)));
            assert_eq!(head, Some((id, Some(u64::from(id)))));
            assert!(line.iter().all(|(waiting, named)| first(named) == Some(u64::from(waiting.id))));
            let taken = line.take(order).map(|(waiting, named)| (waiting.id, first(named.as_ref())));
            assert_eq!(taken, head);
        }
        assert!(line.len() == 0 && line.head(Order::First).is_none() && line.take(Order::Last).is_none());
    }

    #[test]
    fn without_a_cache_nobody_has_names() {
        let line = line(None);
        assert!(line.len() == 5 && line.iter().all(|(_, named)| named.is_none()));
        assert_eq!(size_of::<Waiting>(), 12);
    }
}
