//! A line of uses, the oldest first. Keys that follow each other at one distance, as the chunks of a
//! text do, are one stretch of it.

use std::collections::VecDeque;

/// Number of a use, and the key that was used.
pub(super) type Use = (u64, u64);

/// Uses with consecutive numbers, of keys at one distance.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    number: u64,
    key: u64,
    /// From one key to the next; any while there is one only.
    step: u64,
    len: u64,
}

impl Stretch {
    fn uses(&self) -> impl Iterator<Item = Use> + use<> {
        let Self { number, key, step, len } = *self;
        (0..len).map(move |i| (number.wrapping_add(i), key.wrapping_add(step.wrapping_mul(i))))
    }
}

/// The line.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    stretches: VecDeque<Stretch>,
    len: usize,
}

impl Log {
    /// Uses in the line.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds a use behind all others.
    pub(super) fn push(&mut self, (number, key): Use) {
        self.len += 1;
        if let Some(last) = self.stretches.back_mut()
            && number == last.number.wrapping_add(last.len)
        {
            let step = if last.len == 1 { key.wrapping_sub(last.key) } else { last.step };
            if key == last.key.wrapping_add(step.wrapping_mul(last.len)) {
                (last.step, last.len) = (step, last.len + 1);
                return;
            }
        }
        self.stretches.push_back(Stretch { number, key, step: 0, len: 1 });
    }

    /// Adds uses of keys, with numbers from `number` on, behind all others.
    pub(super) fn extend(&mut self, number: u64, keys: &[u64]) {
        let (mut number, mut rest) = (number, keys);
        while let Some((key, after)) = rest.split_first() {
            self.push((number, *key));
            (number, rest) = (number.wrapping_add(1), after);
            let Some(last) = self.stretches.back_mut().filter(|last| last.len > 1) else { continue };
            // What goes on at the same distance needs no further look at the line.
            let next = last.key.wrapping_add(last.step.wrapping_mul(last.len));
            let mut expected = next;
            let goes_on = |key: &&u64| {
                let goes_on = **key == expected;
                expected = expected.wrapping_add(last.step);
                goes_on
            };
            let more = rest.iter().take_while(goes_on).count();
            last.len += more as u64;
            self.len += more;
            (number, rest) = (number.wrapping_add(more as u64), &rest[more..]);
        }
    }

    /// The oldest use.
    pub(super) fn front(&self) -> Option<Use> {
        self.stretches.front().map(|first| (first.number, first.key))
    }

    /// The oldest uses that are one stretch: the first of them, how far keys are apart, how many.
    pub(super) fn first(&self) -> Option<(Use, u64, u64)> {
        self.stretches.front().map(|first| ((first.number, first.key), first.step, first.len))
    }

    /// Takes out so many of the oldest uses; no more than are in the first stretch.
    pub(super) fn take(&mut self, count: usize) {
        let Some(first) = self.stretches.front_mut() else { return };
        let taken = (count as u64).min(first.len);
        first.len -= taken;
        first.number = first.number.wrapping_add(taken);
        first.key = first.key.wrapping_add(first.step.wrapping_mul(taken));
        if first.len == 0 {
            self.stretches.pop_front();
        }
        self.len -= taken as usize;
    }

    /// All uses, the oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = Use> + '_ {
        self.stretches.iter().flat_map(Stretch::uses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenyard_det::Stream;

    #[test]
    fn it_is_a_line() {
        let mut stream = Stream::new(3, "test", 0);
        let (mut log, mut plain) = (Log::default(), VecDeque::new());
        let (mut key, mut number) = (0_u64, 0);
        for step in 0..50_000_u64 {
            if stream.below(20) == 0 && step < 25_000 {
                let (from, step) = (stream.below(1 << 40), stream.below(3));
                let keys = [from, from + step, from + 2 * step, 7, key.wrapping_add(1)];
                log.extend(number + 1, &keys);
                plain.extend((number + 1..).zip(keys));
                number += 5;
            }
            // Mostly grows at first, mostly shrinks later.
            if stream.below(50_000) > step {
                // Stretches forwards, backwards and with gaps in their numbers, and loose keys.
                key = match stream.below(20) {
                    0 => stream.below(u64::MAX),
                    1 => key.wrapping_sub(3),
                    _ => key.wrapping_add(2),
                };
                number += 1 + u64::from(stream.below(30) == 0);
                log.push((number, key));
                plain.push_back((number, key));
            } else {
                let some = stream.below(4);
                let Some(((number, key), apart, len)) = log.first() else { continue };
                for i in 0..some.min(len) {
                    let used = (number + i, key.wrapping_add(apart.wrapping_mul(i)));
                    assert_eq!(plain.pop_front(), Some(used), "step {step}");
                }
                log.take(some as usize);
            }
            if step % 101 == 0 {
                assert!(log.iter().eq(plain.iter().copied()), "step {step}");
            }
            assert_eq!((log.len(), log.front()), (plain.len(), plain.front().copied()), "step {step}");
        }
    }
}
