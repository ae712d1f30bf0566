//! An ordered map whose copies are cheap: a large shared part, and the few changes since.
//!
//! With records on, a router copies its rule for every decision, to ask what it would have chosen
//! on true data. An index of a hundred thousand blocks must not be copied for that.

use core::ops::Bound;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// So many changes are kept apart before they are worked into the shared part.
const APART: usize = 512;

/// A copy works its changes in later, by this factor: most copies are dropped before.
const SLACK: usize = 8;

/// The map. An empty one is the default.
#[derive(Debug)]
pub struct Layered<K, V> {
    base: Arc<BTreeMap<K, V>>,
    /// Keys of `base` up to this one are gone.
    front: Option<K>,
    /// Keys of `base` beyond it that are gone.
    gone: BTreeSet<K>,
    /// Keys that are new, or whose value is.
    recent: BTreeMap<K, V>,
    len: usize,
    apart: usize,
}

impl<K, V> Default for Layered<K, V> {
    fn default() -> Self {
        Self {
            base: Arc::default(),
            front: None,
            gone: BTreeSet::new(),
            recent: BTreeMap::new(),
            len: 0,
            apart: APART,
        }
    }
}

impl<K: Clone, V: Clone> Clone for Layered<K, V> {
    fn clone(&self) -> Self {
        Self {
            base: Arc::clone(&self.base),
            front: self.front.clone(),
            gone: self.gone.clone(),
            recent: self.recent.clone(),
            len: self.len,
            apart: APART * SLACK,
        }
    }
}

impl<K: Ord + Copy, V: Clone> Layered<K, V> {
    /// Keys in the map.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &K) -> Option<&V> {
        self.recent.get(key).or_else(|| self.in_base(key))
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: K, value: V) {
        self.len += usize::from(self.get(&key).is_none());
        self.recent.insert(key, value);
        self.settle();
    }

    /// Takes a key out; its value, if it was there.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let base = self.in_base(key).cloned();
        if base.is_some() {
            self.gone.insert(*key);
        }
        let value = self.recent.remove(key).or(base)?;
        self.len -= 1;
        self.settle();
        Some(value)
    }

    /// The smallest key.
    #[must_use]
    pub fn first(&self) -> Option<&K> {
        let base = self.alive().next().map(|(key, _)| key);
        let recent = self.recent.keys().next();
        match (base, recent) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// Takes the smallest key out.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        let key = *self.first()?;
        if self.in_base(&key).is_some() {
            let (value, recent) = (self.base.get(&key).cloned(), self.recent.remove(&key));
            // Nothing before it is left, so one mark stands for all of it.
            self.front = Some(key);
            self.len -= 1;
            return recent.or(value).map(|value| (key, value));
        }
        self.remove(&key).map(|value| (key, value))
    }

    /// All keys and values, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        let (mut base, mut recent) = (self.alive().peekable(), self.recent.iter().peekable());
        core::iter::from_fn(move || match (base.peek(), recent.peek()) {
            (Some((a, _)), Some((b, _))) if a < b => base.next(),
            (Some(_), None) => base.next(),
            _ => recent.next(),
        })
    }

    /// The value of a key in the shared part that is not gone.
    fn in_base(&self, key: &K) -> Option<&V> {
        let passed = self.front.as_ref().is_some_and(|front| key <= front);
        if passed || self.gone.contains(key) { None } else { self.base.get(key) }
    }

    /// What of the shared part still holds, without what has a newer value.
    fn alive(&self) -> impl Iterator<Item = (&K, &V)> {
        let from = self.front.as_ref().map_or(Bound::Unbounded, Bound::Excluded);
        let rest = self.base.range::<K, _>((from, Bound::Unbounded));
        rest.filter(|(key, _)| !self.gone.contains(key) && !self.recent.contains_key(key))
    }

    /// Works the changes into the shared part, when there are many.
    fn settle(&mut self) {
        if self.recent.len() + self.gone.len() <= self.apart {
            return;
        }
        self.apart = APART;
        let base = Arc::make_mut(&mut self.base);
        if let Some(front) = self.front.take() {
            while base.first_key_value().is_some_and(|(key, _)| *key <= front) {
                base.pop_first();
            }
        }
        for key in core::mem::take(&mut self.gone) {
            base.remove(&key);
        }
        base.extend(core::mem::take(&mut self.recent));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenyard_det::Stream;

    /// A plain map does the same, and copies live their own lives.
    #[test]
    fn it_is_a_map() {
        let mut stream = Stream::new(5, "test", 0);
        let (mut layered, mut plain) = (Layered::default(), BTreeMap::new());
        for step in 0..60_000_u64 {
            let key = stream.below(3_000);
            match stream.below(10) {
                0..6 => {
                    layered.insert(key, step);
                    plain.insert(key, step);
                }
                6..8 => assert_eq!(layered.remove(&key), plain.remove(&key), "step {step}"),
                8 => assert_eq!(layered.pop_first(), plain.pop_first(), "step {step}"),
                _ => {
                    let mut copy = layered.clone();
                    copy.insert(key, 0);
                    copy.pop_first();
                }
            }
            assert_eq!(layered.get(&key), plain.get(&key), "step {step}");
            assert_eq!(layered.first(), plain.keys().next(), "step {step}");
            assert_eq!(layered.len(), plain.len(), "step {step}");
            if step % 997 == 0 {
                assert!(layered.iter().eq(plain.iter()), "step {step}");
            }
        }
        while plain.len() > 1 {
            assert_eq!(layered.pop_first(), plain.pop_first());
        }
        assert!(layered.iter().eq(plain.iter()));
    }

    /// What a copy shares is not copied by its first changes.
    #[test]
    fn a_copy_shares_the_large_part_and_keeps_its_changes_apart() {
        let mut layered = Layered::default();
        (0..10_000_u64).for_each(|key| layered.insert(key, key));
        let mut copy = layered.clone();
        (0..1_000).for_each(|key| copy.insert(20_000 + key, 0));
        assert!(Arc::ptr_eq(&layered.base, &copy.base));
        assert!(layered.recent.len() + layered.gone.len() <= APART);
        (0..5_000).for_each(|key| copy.insert(30_000 + key, 0));
        assert!(!Arc::ptr_eq(&layered.base, &copy.base));
        assert_eq!((layered.len(), copy.len()), (10_000, 16_000));
    }
}
