//! What a router remembers of one replica's cache: spans of block ids, each with a time stamp.
//!
//! One structure serves three kinds of prefix knowledge. History: stamps are times of dispatch,
//! and a limit drops the oldest. TTL: what is older than the time to live is dropped. Events:
//! stored and removed runs as the engine reports them.

use std::collections::{BTreeMap, VecDeque};

use crate::chain::Run;
use crate::time::Ps;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    len: u32,
    stamp: Ps,
}

/// Block ids that a replica is believed to have cached.
#[derive(Clone, Debug, Default)]
pub(crate) struct Remembered {
    spans: BTreeMap<u64, Span>,
    /// Runs in the order of their stamps. What has been stamped anew or forgotten since is
    /// skipped when its turn comes.
    order: VecDeque<(Ps, Run)>,
    blocks: u64,
}

impl Remembered {
    /// Blocks remembered.
    pub(crate) fn blocks(&self) -> u64 {
        self.blocks
    }

    /// Remembers a run as of `stamp`, which is not before any stamp so far.
    pub(crate) fn remember(&mut self, run: Run, stamp: Ps) {
        self.keep(run, stamp);
        self.order.push_back((stamp, run));
    }

    /// Remembers a run until it is forgotten by name: it never expires.
    pub(crate) fn store(&mut self, run: Run) {
        self.keep(run, 0);
    }

    fn keep(&mut self, run: Run, stamp: Ps) {
        self.forget(run);
        if run.len > 0 {
            self.spans.insert(run.first, Span { len: run.len, stamp });
            self.blocks += u64::from(run.len);
        }
    }

    /// Forgets every id of a run.
    pub(crate) fn forget(&mut self, run: Run) {
        let end = run.first + u64::from(run.len);
        self.split(run.first);
        self.split(end);
        while let Some((&first, &span)) = self.spans.range(run.first..end).next() {
            self.spans.remove(&first);
            self.blocks -= u64::from(span.len);
        }
    }

    /// Makes `at` the beginning of a span, if it lies inside one.
    fn split(&mut self, at: u64) {
        let Some((&first, &span)) = self.spans.range(..at).next_back() else { return };
        let end = first + u64::from(span.len);
        if end > at {
            let tail = (end - at) as u32;
            self.spans.insert(first, Span { len: span.len - tail, ..span });
            self.spans.insert(at, Span { len: tail, ..span });
        }
    }

    /// Leading blocks of a chain that are remembered.
    pub(crate) fn find(&self, chain: &[Run]) -> u32 {
        let mut found = 0;
        for run in chain {
            let end = run.first + u64::from(run.len);
            let mut at = run.first;
            while at < end {
                let span = self.spans.range(..=at).next_back();
                let known = span.map_or(0, |(first, span)| first + u64::from(span.len));
                if known <= at {
                    return found;
                }
                let next = known.min(end);
                found += (next - at) as u32;
                at = next;
            }
        }
        found
    }

    /// Forgets what was stamped before `oldest`.
    pub(crate) fn expire(&mut self, oldest: Ps) {
        while let Some(&(stamp, run)) = self.order.front() {
            if stamp >= oldest {
                return;
            }
            self.order.pop_front();
            self.drop_stamped(run, stamp, u64::MAX);
        }
    }

    /// Forgets the oldest stamps, deepest blocks first, until `most` blocks are left.
    pub(crate) fn shrink(&mut self, most: u64) {
        while self.blocks > most {
            let Some(&(stamp, run)) = self.order.front() else { return };
            let dropped = self.drop_stamped(run, stamp, self.blocks - most);
            if dropped == 0 {
                self.order.pop_front();
            }
        }
    }

    /// Drops at most `most` blocks of a run that still carry a stamp, from its end. Says how many.
    fn drop_stamped(&mut self, run: Run, stamp: Ps, most: u64) -> u64 {
        let end = run.first + u64::from(run.len);
        let mut left = most;
        while left > 0 {
            let mut inside = self.spans.range(run.first..end).rev();
            let Some((&first, &span)) = inside.find(|(_, span)| span.stamp == stamp) else { break };
            let take = left.min(u64::from(span.len));
            let first = first + u64::from(span.len) - take;
            self.forget(Run { first, len: take as u32 });
            left -= take;
        }
        most - left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap as Plain;
    use tokenyard_det::Stream;

    fn run(first: u64, len: u32) -> Run {
        Run { first, len }
    }

    /// A map from id to stamp does the same, slowly.
    #[test]
    fn spans_are_a_map_from_ids_to_stamps() {
        let mut stream = Stream::new(3, "test", 0);
        let (mut spans, mut plain) = (Remembered::default(), Plain::new());
        for step in 0..20_000_u64 {
            let r = run(stream.below(60), 1 + stream.below(12) as u32);
            let ids = r.first..r.first + u64::from(r.len);
            match stream.below(8) {
                0..4 => {
                    spans.remember(r, step);
                    plain.extend(ids.map(|id| (id, step)));
                }
                4 => {
                    spans.forget(r);
                    plain.retain(|id, _| !ids.contains(id));
                }
                5 => {
                    let oldest = step.saturating_sub(stream.below(40));
                    spans.expire(oldest);
                    plain.retain(|_, stamp| *stamp >= oldest);
                }
                6 => {
                    let most = stream.below(70);
                    spans.shrink(most);
                    while plain.len() as u64 > most {
                        let oldest = plain.values().min().copied();
                        let id = plain.iter().rev().find(|(_, s)| Some(**s) == oldest).map(|(id, _)| *id);
                        plain.remove(&id.unwrap());
                    }
                }
                _ => {
                    let want = ids.take_while(|id| plain.contains_key(id)).count();
                    assert_eq!(spans.find(&[r]) as usize, want, "step {step}");
                }
            }
            assert_eq!(spans.blocks() as usize, plain.len(), "step {step}");
        }
    }
}
