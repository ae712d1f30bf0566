//! Small draws for scenarios.

use tokenyard_det::Stream;

/// A stream with the questions a generator asks.
pub(crate) struct Dice(Stream);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Stream::new(seed, "engine scenario", 0))
    }

    /// 0..n; 0 for n = 0.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0.below(n)
    }

    /// least..=most.
    pub(crate) fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.below(u64::from(most - least) + 1) as u32
    }

    /// 1..=most, small values far more often than large ones.
    pub(crate) fn mostly_small(&mut self, most: u32) -> u32 {
        let most = self.between(1, most);
        self.between(1, most)
    }

    /// True so many times in a hundred.
    pub(crate) fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    /// One of the items. There is at least one.
    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }
}
