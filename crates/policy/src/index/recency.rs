//! Keys in the order of their last use.

use core::fmt;

use tokenyard_det::Digest;

use super::log::Log;
use super::pages::{Pages, Reader, Value, Walk};

/// The line may hold so many uses that are not their key's last, and as many as there are keys.
const OUTDATED: usize = 1_024;

/// When a key was used last, in uses counted from 1, and what is kept of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Used<T> {
    number: u64,
    pub(super) value: T,
}

impl<T: Copy + Default> Value for Used<T> {
    #[inline]
    fn is_kept(&self) -> bool {
        self.number > 0
    }
}

/// The order, with something small for each key. A use costs one look-up at most, now and then a pass over the line.
#[derive(Clone, Default)]
pub struct Recency<T = ()> {
    used: Pages<Used<T>>,
    /// Every use; one that is not its key's last counts no more.
    order: Log,
    uses: u64,
}

/// Uses that count, the oldest first: those that do not may be there still or not.
impl<T: Copy + Default> fmt::Debug for Recency<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entry(&"uses", &self.uses).entries(self.last_uses()).finish()
    }
}

impl Recency {
    /// Uses a key: it is the most recent one now. `true` if it was not kept before.
    pub fn touch(&mut self, key: u64) -> bool {
        let before = self.len();
        self.touch_group(&[key], |()| ());
        self.len() > before
    }
}

impl<T: Copy + Default> Recency<T> {
    /// While no key is kept, learns from the first ones how far neighbours are apart.
    pub(super) fn learn_distance(&mut self, keys: &[u64]) {
        self.used.learn_distance(keys);
    }

    /// Uses a group of keys in their order, and changes what is kept of each.
    pub(super) fn touch_group(&mut self, keys: &[u64], mut change: impl FnMut(&mut T)) {
        let Some(first) = keys.first() else { return };
        let mut number = self.uses;
        self.order.extend(number + 1, keys);
        self.used.change_group(*first, keys.iter().copied(), Walk::Used, |_, last| {
            number += 1;
            last.number = number;
            change(&mut last.value);
        });
        self.uses = number;
        if self.order.len() > 2 * self.used.len() + OUTDATED {
            let mut kept = Log::default();
            self.last_uses().for_each(|used| kept.push(used));
            self.order = kept;
        }
    }

    /// What is kept of a key; the default for one that is not kept.
    pub(super) fn get(&self, key: u64) -> T {
        self.used.get(key).value
    }

    /// Reads what is kept of many keys, of which neighbours cost no look-up.
    pub(super) fn reader(&self) -> Reader<'_, Used<T>> {
        self.used.reader()
    }

    /// All keys with what is kept of them, ascending.
    pub(super) fn sorted(&self) -> impl Iterator<Item = (u64, T)> + use<T> {
        self.used.sorted().into_iter().map(|(key, used)| (key, used.value))
    }

    /// Changes what is kept of every key. No use.
    pub(super) fn change_each(&mut self, mut change: impl FnMut(&mut T)) {
        let keys: Vec<u64> = self.used.sorted().into_iter().map(|(key, _)| key).collect();
        self.used.change_all(&keys, Walk::Used, |_, used| change(&mut used.value));
    }

    /// Cuts keys into groups that cost one look-up each.
    pub(super) fn groups<'a>(&self, keys: &'a [u64]) -> impl Iterator<Item = &'a [u64]> + use<'a, T> {
        self.used.groups(keys)
    }

    /// How many keys of a group are not kept.
    pub(super) fn new_of(&self, keys: &[u64]) -> usize {
        keys.len() - self.used.kept_of(keys)
    }

    /// Whether the key is kept.
    #[must_use]
    pub fn contains(&self, key: u64) -> bool {
        self.used.get(key).is_kept()
    }

    /// Keys kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.used.len()
    }

    /// Whether none is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.used.len() == 0
    }

    /// The key that was not used for the longest time.
    pub fn oldest(&mut self) -> Option<u64> {
        while let Some((number, key)) = self.order.front() {
            if self.used.get(key).number == number {
                return Some(key);
            }
            self.order.take(1);
        }
        None
    }

    /// Takes the key away that was not used for the longest time.
    pub fn pop_oldest(&mut self) -> Option<u64> {
        let mut oldest = None;
        self.drop_oldest(1, |key, _| oldest = Some(key));
        oldest
    }

    /// Takes so many keys away that were not used for the longest time. `gone` is told of each, and
    /// what was kept of it.
    pub(super) fn drop_oldest(&mut self, count: usize, mut gone: impl FnMut(u64, T)) {
        let mut left = count as u64;
        while left > 0 {
            let Some(((mut number, first), step, len)) = self.order.first() else { return };
            let key = |i: u64| first.wrapping_add(step.wrapping_mul(i));
            let keys = self.used.together(first, step, len.min(left));
            self.used.change_group(first, (0..keys).map(key), Walk::Forgotten, |key, used| {
                if used.number == number {
                    gone(key, core::mem::take(used).value);
                    left -= 1;
                }
                number += 1;
            });
            self.order.take(keys as usize);
        }
    }

    /// Takes a key away; `false` if it was not kept.
    pub fn remove(&mut self, key: u64) -> bool {
        self.used.set(key, Walk::Forgotten, Used::default()).is_kept()
    }

    /// Keys, the one that was not used for the longest time first.
    pub fn oldest_first(&self) -> impl Iterator<Item = u64> + '_ {
        self.last_uses().map(|(_, key)| key)
    }

    /// Feeds the keys with their last uses.
    pub fn digest(&self, into: &mut Digest) {
        into.u64(self.uses);
        into.u64(self.used.len() as u64);
        for (number, key) in self.last_uses() {
            into.u64(number - 1);
            into.u64(key);
        }
    }

    /// Uses that are their key's last, the oldest first.
    fn last_uses(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let mut used = self.used.reader();
        self.order.iter().filter(move |(number, key)| used.get(*key).number == *number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_makes_a_key_the_most_recent() {
        let mut recency = Recency::<()>::default();
        assert_eq!([3, 1, 2, 3].map(|key| recency.touch(key)), [true, true, true, false]);
        assert_eq!(recency.oldest_first().collect::<Vec<_>>(), [1, 2, 3]);
        assert!(recency.remove(2) && !recency.remove(2));
        assert_eq!(
            (recency.pop_oldest(), recency.pop_oldest(), recency.pop_oldest()),
            (Some(1), Some(3), None)
        );
        assert!(recency.is_empty() && !recency.contains(1));
    }

    /// A list kept in order does the same, over many uses of few keys.
    #[test]
    fn it_is_a_list_kept_in_order() {
        let mut stream = tokenyard_det::Stream::new(4, "test", 0);
        let (mut recency, mut plain) = (Recency::<()>::default(), Vec::new());
        for step in 0..20_000 {
            let key = stream.below(40);
            let at = plain.iter().position(|k| *k == key);
            match stream.below(12) {
                0 => assert_eq!(recency.remove(key), at.map(|at| plain.remove(at)).is_some()),
                1 if !plain.is_empty() => assert_eq!(recency.pop_oldest(), Some(plain.remove(0))),
                _ => {
                    at.map(|at| plain.remove(at));
                    assert_eq!(recency.touch(key), at.is_none());
                    plain.push(key);
                }
            }
            assert_eq!((recency.oldest(), recency.len()), (plain.first().copied(), plain.len()));
            assert!(recency.oldest_first().eq(plain.iter().copied()), "step {step}");
            assert!(recency.order.len() <= 2 * 40 + OUTDATED);
        }
    }
}
