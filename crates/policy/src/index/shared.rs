//! A hash map whose copies are cheap: a part that copies share, and what each changed since.
//!
//! With records on, a router copies its rule for every decision, to ask what it would have chosen
//! on true data. An index of a hundred thousand blocks must not be copied for that. While nobody
//! shares the large part, changes go straight into it, and cost one look-up each.

use core::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// So many changes are kept apart while the large part is shared.
const APART: usize = 512;

/// A copy works its changes in later, by this factor: most copies are dropped before.
const SLACK: usize = 8;

type Map<V> = IndexMap<u64, V, FxBuildHasher>;

/// The map. An empty one is the default.
pub struct Shared<V> {
    base: Arc<Map<V>>,
    /// What differs from `base`; `None` for a key that is gone. Empty while `base` is not shared.
    apart: Map<Option<V>>,
    len: usize,
    most_apart: usize,
}

/// Keys and values, ascending: how they are laid out is nobody's business.
impl<V: Clone + fmt::Debug> fmt::Debug for Shared<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.sorted()).finish()
    }
}

impl<V> Default for Shared<V> {
    fn default() -> Self {
        Self { base: Arc::default(), apart: Map::default(), len: 0, most_apart: APART }
    }
}

impl<V: Clone> Clone for Shared<V> {
    fn clone(&self) -> Self {
        Self {
            base: Arc::clone(&self.base),
            apart: self.apart.clone(),
            len: self.len,
            most_apart: APART * SLACK,
        }
    }
}

impl<V: Clone> Shared<V> {
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
    pub fn get(&self, key: u64) -> Option<&V> {
        if !self.apart.is_empty()
            && let Some(changed) = self.apart.get(&key)
        {
            return changed.as_ref();
        }
        self.base.get(&key)
    }

    /// Sets the value of a key; what it was before.
    pub fn insert(&mut self, key: u64, value: V) -> Option<V> {
        let old = if let Some(base) = self.unshared() {
            base.insert(key, value)
        } else {
            let old = self.get(key).cloned();
            self.apart.insert(key, Some(value));
            self.settle();
            old
        };
        self.len += usize::from(old.is_none());
        old
    }

    /// Changes the value of a key, which is the default if there was none; what `change` answers.
    pub fn change<R>(&mut self, key: u64, change: impl FnOnce(&mut V) -> R) -> R
    where
        V: Default,
    {
        if let Some(base) = self.unshared() {
            let before = base.len();
            let answer = change(base.entry(key).or_default());
            self.len += self.base.len() - before;
            return answer;
        }
        let mut value = self.get(key).cloned().unwrap_or_default();
        let answer = change(&mut value);
        self.insert(key, value);
        answer
    }

    /// Takes a key out; its value, if it was there.
    pub fn remove(&mut self, key: u64) -> Option<V> {
        let old = if let Some(base) = self.unshared() {
            base.swap_remove(&key)
        } else {
            let old = self.get(key).cloned();
            if self.base.contains_key(&key) {
                self.apart.insert(key, None);
                self.settle();
            } else {
                self.apart.swap_remove(&key);
            }
            old
        };
        self.len -= usize::from(old.is_some());
        old
    }

    /// All keys and values, ascending. Sorts them.
    #[must_use]
    pub fn sorted(&self) -> Vec<(u64, &V)> {
        let kept = self.base.iter().filter(|(key, _)| !self.apart.contains_key(*key));
        let changed = self.apart.iter().filter_map(|(key, value)| Some((key, value.as_ref()?)));
        let mut all: Vec<(u64, &V)> = kept.chain(changed).map(|(key, value)| (*key, value)).collect();
        all.sort_unstable_by_key(|(key, _)| *key);
        all
    }

    /// The large part with all changes worked in, if nobody shares it.
    fn unshared(&mut self) -> Option<&mut Map<V>> {
        let base = Arc::get_mut(&mut self.base)?;
        if !self.apart.is_empty() {
            merge(base, &mut self.apart);
        }
        self.most_apart = APART;
        Some(base)
    }

    /// Makes the large part its own when there are many changes.
    fn settle(&mut self) {
        if self.apart.len() > self.most_apart {
            self.most_apart = APART;
            merge(Arc::make_mut(&mut self.base), &mut self.apart);
        }
    }
}

/// Works changes in, and forgets them. The order of a map is seen by nobody.
fn merge<V>(base: &mut Map<V>, apart: &mut Map<Option<V>>) {
    for (key, value) in apart.drain(..) {
        match value {
            Some(value) => {
                base.insert(key, value);
            }
            None => {
                base.swap_remove(&key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use tokenyard_det::Stream;

    /// A plain map does the same, and copies live their own lives.
    #[test]
    fn it_is_a_map() {
        let mut stream = Stream::new(5, "test", 0);
        let (mut shared, mut plain) = (Shared::default(), BTreeMap::new());
        let mut kept = None;
        for step in 0..60_000_u64 {
            let key = stream.below(3_000);
            match stream.below(10) {
                0..5 => assert_eq!(shared.insert(key, step), plain.insert(key, step), "step {step}"),
                5..7 => assert_eq!(shared.remove(key), plain.remove(&key), "step {step}"),
                7 => {
                    shared.change(key, |value| *value += 1);
                    *plain.entry(key).or_default() += 1;
                }
                8 => {
                    let mut copy = shared.clone();
                    copy.insert(key, 0);
                    copy.remove(stream.below(3_000));
                }
                // A snapshot stays for a while, and stays as it was.
                _ if step % 64 == 0 => {
                    if let Some((copy, then)) = kept.replace((shared.clone(), plain.clone())) {
                        assert!(copy.sorted().into_iter().eq(then.iter().map(|(k, v)| (*k, v))));
                    }
                }
                _ if step % 7 == 0 => kept = None,
                _ => {}
            }
            assert_eq!(shared.get(key), plain.get(&key), "step {step}");
            assert_eq!((shared.len(), shared.is_empty()), (plain.len(), plain.is_empty()), "step {step}");
            if step % 997 == 0 {
                assert!(shared.sorted().into_iter().eq(plain.iter().map(|(k, v)| (*k, v))), "step {step}");
            }
        }
    }

    /// What a copy shares is not copied by its first changes.
    #[test]
    fn a_copy_shares_the_large_part_and_keeps_its_changes_apart() {
        let mut shared = Shared::default();
        for key in 0..10_000_u64 {
            shared.insert(key, key);
        }
        assert!(shared.apart.is_empty(), "alone, it keeps nothing apart");
        let mut copy = shared.clone();
        for key in 20_000..21_000 {
            copy.insert(key, 0);
        }
        assert!(Arc::ptr_eq(&shared.base, &copy.base));
        for key in 30_000..35_000 {
            copy.insert(key, 0);
        }
        assert!(!Arc::ptr_eq(&shared.base, &copy.base));
        assert_eq!((shared.len(), copy.len()), (10_000, 16_000));
    }
}
