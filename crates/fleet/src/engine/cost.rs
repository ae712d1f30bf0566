//! The time of one iteration, in whole picoseconds.

use crate::engine::stretch::times;
use crate::time::{MILLI, Ps};

/// What an iteration does, in the four counts its time depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// Prefill tokens.
    pub prefill: u64,
    /// Decoding sequences.
    pub decode: u64,
    /// KV tokens the decoders read: the sum of their KV lengths after writing their token.
    pub kv: u64,
    /// Half-pairs of prefill attention: Σ p · (2c + p) over chunks of p tokens on c cached ones.
    pub pairs: u64,
}

/// `T = a + max(w, b·(P + D)) + g·D + d·K + e·A`, every coefficient a whole number of picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Fixed cost of an iteration.
    pub a: Ps,
    /// Reading the weights, bound by memory.
    pub w: Ps,
    /// Compute of one token.
    pub b: Ps,
    /// Handling of one decoding sequence.
    pub g: Ps,
    /// Reading one KV token.
    pub d: Ps,
    /// Attention of one half-pair.
    pub e: Ps,
}

impl Cost {
    /// From milliseconds as `docs/design/fleet.md` and the presets give them (`e` per pair), times
    /// κ, each rounded half up once.
    #[must_use]
    pub fn from_ms(kappa: f64, [a, w, b, g, d, e]: [f64; 6]) -> Self {
        let whole = |ms: f64| (ms * kappa * MILLI as f64 + 0.5) as Ps;
        Self { a: whole(a), w: whole(w), b: whole(b), g: whole(g), d: whole(d), e: whole(e / 2.0) }
    }

    /// The coefficients of a replica that runs at `per_mille` of full speed, each rounded half up.
    /// 0 is taken as 1.
    #[must_use]
    pub fn at_speed(&self, per_mille: u32) -> Self {
        let speed = u128::from(per_mille.max(1));
        let slow = |ps: Ps| {
            let scaled = (u128::from(ps) * 1_000 + speed / 2) / speed;
            Ps::try_from(scaled).unwrap_or(Ps::MAX)
        };
        Self {
            a: slow(self.a),
            w: slow(self.w),
            b: slow(self.b),
            g: slow(self.g),
            d: slow(self.d),
            e: slow(self.e),
        }
    }

    /// Time of one iteration, at least 1 ps so that the clock always moves. Saturates.
    #[must_use]
    pub fn iteration(&self, batch: Batch) -> Ps {
        let tokens = batch.prefill + batch.decode;
        let factors = self.b | self.g | self.d | self.e | tokens | batch.kv | batch.pairs;
        if (factors >> 30 | (self.a | self.w) >> 62) == 0 {
            // Nothing can pass 2^64, as nearly always.
            let compute = self.w.max(self.b * tokens) + self.g * batch.decode;
            return (self.a + compute + self.d * batch.kv + self.e * batch.pairs).max(1);
        }
        let compute = times(self.b, tokens);
        self.a
            .saturating_add(self.w.max(compute))
            .saturating_add(times(self.g, batch.decode))
            .saturating_add(times(self.d, batch.kv))
            .saturating_add(times(self.e, batch.pairs))
            .max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_preset_in_whole_picoseconds() {
        let cost = Cost::from_ms(1.12, [3.240, 3.341, 0.01965, 0.006589, 4.173e-5, 7.741e-7]);
        assert_eq!(cost.a, 3_628_800_000);
        assert_eq!(cost.w, 3_741_920_000);
        assert_eq!(cost.b, 22_008_000);
        assert_eq!(cost.g, 7_379_680);
        assert_eq!(cost.d, 46_738);
        assert_eq!(cost.e, 433);
    }

    /// One 8 192-token prefill stalls decoding for 213 ms on the default preset, a 512-token chunk
    /// beside 32 decoders makes an iteration of 17.5 ms (the validation page's figures).
    #[test]
    fn published_iterations() {
        let cost = Cost::from_ms(1.12, [3.240, 3.341, 0.01965, 0.006589, 4.173e-5, 7.741e-7]);
        let whole = Batch { prefill: 8_192, pairs: 8_192 * 8_192, ..Batch::default() };
        assert_eq!((cost.iteration(whole) + MILLI / 2) / MILLI, 213);
    }

    #[test]
    fn half_speed_doubles_every_coefficient() {
        let cost = Cost { a: 10, w: 4, b: 3, g: 0, d: 1, e: 7 };
        assert_eq!(cost.at_speed(500), Cost { a: 20, w: 8, b: 6, g: 0, d: 2, e: 14 });
        assert_eq!(cost.at_speed(1_000), cost);
        assert_eq!(cost.at_speed(3_000), Cost { a: 3, w: 1, b: 1, g: 0, d: 0, e: 2 });
    }

    /// The sum is exact, or the largest number, on either side of where it is made without checks.
    #[test]
    fn small_and_large_factors_give_one_sum() {
        let near = |edge: u64| [0, 1, edge - 1, edge, edge + 1, edge << 2, u64::MAX >> 1];
        let mut checked = 0;
        for factor in near(1 << 30) {
            for count in near(1 << 30) {
                for whole in near(1 << 62) {
                    let [a, w, b, g, d, e] = [whole, whole / 2, factor, factor, factor / 2, factor];
                    let cost = Cost { a, w, b, g, d, e };
                    let batch = Batch { prefill: count / 2, decode: count / 2, kv: count, pairs: count };
                    let [a, w, b, g, d, e] = [a, w, b, g, d, e].map(u128::from);
                    let of = u128::from;
                    let tokens = of(batch.prefill + batch.decode);
                    let exact =
                        a + w.max(b * tokens) + g * of(batch.decode) + d * of(batch.kv) + e * of(batch.pairs);
                    let wanted = u64::try_from(exact).unwrap_or(u64::MAX).max(1);
                    assert_eq!(cost.iteration(batch), wanted, "{cost:?} {batch:?}");
                    checked += usize::from(exact < 1 << 64);
                }
            }
        }
        assert!(checked > 50, "{checked} sums that fit");
    }

    #[test]
    fn an_empty_batch_still_moves_the_clock() {
        let nothing = Cost { a: 0, w: 0, b: 0, g: 0, d: 0, e: 0 };
        assert_eq!(nothing.iteration(Batch::default()), 1);
    }
}
