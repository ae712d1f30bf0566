//! Keys in the order of their last use.

use tokenyard_det::Digest;

use super::layered::Layered;

/// The order. Every operation costs a few ordered look-ups.
#[derive(Clone, Debug, Default)]
pub struct Recency {
    /// When each key was used last, in uses counted from 0.
    used: Layered<u64, u64>,
    /// The same, by use.
    order: Layered<u64, u64>,
    uses: u64,
}

impl Recency {
    /// Uses a key: it is the most recent one now.
    pub fn touch(&mut self, key: u64) {
        if let Some(old) = self.used.get(&key).copied() {
            self.order.remove(&old);
        }
        self.used.insert(key, self.uses);
        self.order.insert(self.uses, key);
        self.uses += 1;
    }

    /// Whether the key is kept.
    #[must_use]
    pub fn contains(&self, key: u64) -> bool {
        self.used.get(&key).is_some()
    }

    /// Keys kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.used.len()
    }

    /// Whether none is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.used.is_empty()
    }

    /// Takes the key away that was not used for the longest time.
    pub fn pop_oldest(&mut self) -> Option<u64> {
        let (_, key) = self.order.pop_first()?;
        self.used.remove(&key);
        Some(key)
    }

    /// Takes a key away; `false` if it was not kept.
    pub fn remove(&mut self, key: u64) -> bool {
        let Some(used) = self.used.remove(&key) else { return false };
        self.order.remove(&used);
        true
    }

    /// Keys, the one that was not used for the longest time first.
    pub fn oldest_first(&self) -> impl Iterator<Item = u64> + '_ {
        self.order.iter().map(|(_, key)| *key)
    }

    /// Feeds the keys with their last uses.
    pub fn digest(&self, into: &mut Digest) {
        into.u64(self.uses);
        into.u64(self.order.len() as u64);
        for (used, key) in self.order.iter() {
            into.u64(*used);
            into.u64(*key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_makes_a_key_the_most_recent() {
        let mut recency = Recency::default();
        [3, 1, 2, 3].into_iter().for_each(|key| recency.touch(key));
        assert_eq!(recency.oldest_first().collect::<Vec<_>>(), [1, 2, 3]);
        assert!(recency.remove(2) && !recency.remove(2));
        assert_eq!(
            (recency.pop_oldest(), recency.pop_oldest(), recency.pop_oldest()),
            (Some(1), Some(3), None)
        );
        assert!(recency.is_empty() && !recency.contains(1));
    }
}
