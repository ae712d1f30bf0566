//! Random streams of the small models.
//!
//! Each purpose has a stream of its own, made from a seed by the model that owns it, so that a
//! new consumer moves nobody else's draws.

/// Mulberry32: 32 bits of state, period 2^32, wrapping arithmetic throughout.
///
/// The small models' published results are made with it. It is not for cryptography and too
/// short for long simulations; the fleet simulator uses another generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mulberry32 {
    state: u32,
}

impl Mulberry32 {
    /// A stream that starts at `seed`.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        Self { state: seed }
    }

    /// The next 32 random bits.
    pub fn next_u32(&mut self) -> u32 {
        self.state = self.state.wrapping_add(0x6D2B_79F5);
        let mut t = self.state;
        t = (t ^ (t >> 15)).wrapping_mul(t | 1);
        t ^= t.wrapping_add((t ^ (t >> 7)).wrapping_mul(t | 61));
        t ^ (t >> 14)
    }

    /// A draw in [0, 1): 32 random bits over 2^32, exact in a double.
    pub fn draw(&mut self) -> f64 {
        f64::from(self.next_u32()) / 4_294_967_296.0
    }

    /// `floor(draw * n)`: an integer in 0..n. With `n` = 0 it still takes one draw and gives 0.
    ///
    /// Kept exactly as the published models do it, including the bias of at most n / 2^32.
    pub fn uniform_int(&mut self, n: u32) -> u32 {
        // Equal to the floating form: the product of two 32-bit integers is exact in 64 bits,
        // and in a double the rounding never reaches the next integer for n up to 2^21.
        ((u64::from(self.next_u32()) * u64::from(n)) >> 32) as u32
    }

    /// The state, for digests and snapshots.
    #[must_use]
    pub fn state(&self) -> u32 {
        self.state
    }
}

/// The numbers 0..N in order for seed 0, else shuffled with a stream of its
/// own: for `i` from N − 1 down to 1, place `i` swaps with place `uniform_int(i + 1)`.
#[must_use]
pub fn shuffled<const N: usize>(seed: u32) -> [usize; N] {
    let mut order = std::array::from_fn(|i| i);
    if seed != 0 {
        let mut rng = Mulberry32::new(seed);
        for i in (1..N).rev() {
            let j = rng.uniform_int(i as u32 + 1) as usize;
            order.swap(i, j);
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First draws of the published generator (seed 1), computed with its JavaScript form.
    #[test]
    fn first_draws_match_the_published_generator() {
        let mut rng = Mulberry32::new(1);
        let bits: Vec<u32> = (0..4).map(|_| rng.next_u32()).collect();
        assert_eq!(bits, [2_693_262_067, 11_749_833, 2_265_367_787, 4_213_581_821]);
    }

    #[test]
    fn uniform_int_equals_the_floating_form() {
        let mut a = Mulberry32::new(99);
        let mut b = Mulberry32::new(99);
        for i in 0..200_000_u32 {
            let n = 1 + (i * 7919) % 2_000_000;
            assert_eq!(a.uniform_int(n), (b.draw() * f64::from(n)).floor() as u32, "n = {n}");
        }
    }

    #[test]
    fn draws_stay_in_the_unit_interval() {
        let mut rng = Mulberry32::new(u32::MAX);
        assert!((0..100_000).map(|_| rng.draw()).all(|d| (0.0..1.0).contains(&d)));
    }
}
