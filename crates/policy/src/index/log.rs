//! A line of uses, the oldest first, whose copies are cheap: full pieces are shared.

use std::collections::VecDeque;
use std::sync::Arc;

/// Uses of one piece.
const PIECE: usize = 512;

/// Number of a use, and the key that was used.
pub(super) type Use = (u64, u64);

/// The line.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    full: VecDeque<Arc<[Use]>>,
    /// The piece that is being filled, behind all full ones.
    last: Vec<Use>,
    /// Uses of the first piece that have been taken.
    taken: usize,
    len: usize,
}

impl Log {
    /// Uses in the line.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds a use behind all others.
    pub(super) fn push(&mut self, used: Use) {
        self.last.push(used);
        self.len += 1;
        if self.last.len() == PIECE {
            self.full.push_back(self.last.as_slice().into());
            self.last.clear();
        }
    }

    /// The oldest use.
    pub(super) fn front(&self) -> Option<Use> {
        self.full.front().map_or(&self.last[..], |piece| piece).get(self.taken).copied()
    }

    /// Takes the oldest use out.
    pub(super) fn pop(&mut self) -> Option<Use> {
        let front = self.front()?;
        self.taken += 1;
        self.len -= 1;
        match self.full.front() {
            Some(piece) if self.taken == piece.len() => {
                self.full.pop_front();
                self.taken = 0;
            }
            None if self.taken == self.last.len() => {
                self.last.clear();
                self.taken = 0;
            }
            _ => {}
        }
        Some(front)
    }

    /// All uses, the oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = Use> + '_ {
        self.full.iter().flat_map(|piece| piece.iter()).chain(&self.last).skip(self.taken).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenyard_det::Stream;

    #[test]
    fn it_is_a_line_and_copies_live_their_own_lives() {
        let mut stream = Stream::new(3, "test", 0);
        let (mut log, mut plain) = (Log::default(), VecDeque::new());
        for step in 0..50_000_u64 {
            // Mostly grows at first, mostly shrinks later.
            if stream.below(50_000) > step {
                log.push((step, step * 7));
                plain.push_back((step, step * 7));
            } else {
                assert_eq!(log.pop(), plain.pop_front(), "step {step}");
            }
            if step % 101 == 0 {
                let mut copy = log.clone();
                copy.pop();
                copy.push((0, 0));
                assert!(log.iter().eq(plain.iter().copied()), "step {step}");
            }
            assert_eq!((log.len(), log.front()), (plain.len(), plain.front().copied()), "step {step}");
        }
    }
}
