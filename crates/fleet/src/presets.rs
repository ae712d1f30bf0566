//! Engine presets: what one iteration costs on real hardware, and how much KV cache there is.
//!
//! Fitted by us to the measured operator tables of AIConfigurator-core 0.12.0 (Apache-2.0), the
//! RTX 4090 to LLMServingSim's layer profile. Time to first token was not validated against real
//! servers; contexts over 16 384 tokens are outside the fit.

use crate::engine::cost::Cost;

/// Share of overhead beyond the operators, multiplied into every coefficient.
const KAPPA: f64 = 1.12;

/// Contexts up to so many tokens were in the fit.
pub const FIT_CONTEXT: u32 = 16_384;

/// How a preset's iteration time is made.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Coefficients {
    /// a, w, b, g, d, e in milliseconds, without κ.
    Fitted([f64; 6]),
    /// One tick of 1 ms for a full token budget, nothing else.
    Ticks,
}

/// Relative error of a fit on held-out batches, in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitError {
    /// Mean.
    pub mean: f64,
    /// 95th percentile.
    pub p95: f64,
    /// Largest.
    pub max: f64,
}

/// One preset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// Its name in files.
    pub id: &'static str,
    /// Model and hardware as a person reads them.
    pub name: &'static str,
    /// KV tokens that one replica holds.
    pub kv_tokens: u32,
    /// How good the fit is; none for the abstract one.
    pub fit: Option<FitError>,
    /// What it was fitted to.
    pub source: &'static str,
    coefficients: Coefficients,
}

impl Preset {
    /// Time of an iteration at full speed, for an engine with this token budget. The budget
    /// matters to `ticks` only; 0 is taken as 1.
    #[must_use]
    pub fn cost(&self, budget: u32) -> Cost {
        match self.coefficients {
            Coefficients::Fitted(ms) => Cost::from_ms(KAPPA, ms),
            Coefficients::Ticks => {
                Cost::from_ms(1.0, [0.0, 0.0, 1.0 / f64::from(budget.max(1)), 0.0, 0.0, 0.0])
            }
        }
    }
}

const H100_L40S: &str = "AIConfigurator-core 0.12.0 operator tables, vLLM 0.24";
const A100: &str = "AIConfigurator-core 0.12.0 operator tables, vLLM 0.14";
const RTX: &str = "LLMServingSim layer profile, vLLM 0.19";

const fn fit(mean: f64, p95: f64, max: f64) -> Option<FitError> {
    Some(FitError { mean, p95, max })
}

/// Every preset, in the order in which lists show them.
pub static PRESETS: [Preset; 8] = [
    Preset {
        id: "llama-3.1-8b-h100",
        name: "Llama-3.1-8B, H100-80G",
        kv_tokens: 403_900,
        fit: fit(4.0, 9.1, 17.5),
        source: H100_L40S,
        coefficients: Coefficients::Fitted([3.240, 3.341, 0.01965, 0.006589, 4.173e-5, 7.741e-7]),
    },
    Preset {
        id: "llama-3.1-8b-a100",
        name: "Llama-3.1-8B, A100-80G",
        kv_tokens: 403_900,
        fit: fit(2.7, 7.6, 10.5),
        source: A100,
        coefficients: Coefficients::Fitted([7.733, 3.595, 0.05362, 0.003973, 8.087e-5, 2.986e-6]),
    },
    Preset {
        id: "llama-3.1-8b-l40s",
        name: "Llama-3.1-8B, L40S-48G",
        kv_tokens: 184_200,
        fit: fit(4.6, 12.6, 19.2),
        source: H100_L40S,
        coefficients: Coefficients::Fitted([10.50, 12.79, 0.06599, 0.01824, 1.982e-4, 2.935e-6]),
    },
    Preset {
        id: "llama-3.1-8b-rtx-4090",
        name: "Llama-3.1-8B, RTX 4090-24G",
        kv_tokens: 41_408,
        fit: fit(7.3, 24.0, 67.0),
        source: RTX,
        coefficients: Coefficients::Fitted([9.747, 9.602, 0.08306, 0.03845, 2.783e-4, 5.00e-6]),
    },
    Preset {
        id: "qwen3-32b-2x-h100",
        name: "Qwen3-32B, 2× H100",
        kv_tokens: 276_200,
        fit: fit(4.2, 10.1, 17.2),
        source: H100_L40S,
        coefficients: Coefficients::Fitted([5.406, 8.964, 0.04987, 0.01278, 4.292e-5, 1.707e-6]),
    },
    Preset {
        id: "llama-3.1-70b-4x-h100",
        name: "Llama-3.1-70B, 4× H100",
        kv_tokens: 411_400,
        fit: fit(4.4, 10.2, 18.1),
        source: H100_L40S,
        coefficients: Coefficients::Fitted([7.662, 8.553, 0.06077, 0.009635, 2.796e-5, 1.046e-6]),
    },
    Preset {
        id: "llama-3.1-70b-4x-a100",
        name: "Llama-3.1-70B, 4× A100-80G",
        kv_tokens: 411_400,
        fit: fit(3.1, 7.5, 10.1),
        source: A100,
        coefficients: Coefficients::Fitted([20.95, 8.259, 0.1516, 0.0, 6.007e-5, 3.703e-6]),
    },
    Preset {
        id: "ticks",
        name: "ticks",
        kv_tokens: 1_048_576,
        fit: None,
        source: "abstract: one tick of 1 ms is one full token budget",
        coefficients: Coefficients::Ticks,
    },
];

/// Place of the default preset in [`PRESETS`].
pub const DEFAULT: usize = 0;

/// Every id, in the same order.
pub static IDS: [&str; PRESETS.len()] = ids();

const fn ids() -> [&'static str; PRESETS.len()] {
    let mut ids = [""; PRESETS.len()];
    let mut i = 0;
    while i < ids.len() {
        ids[i] = PRESETS[i].id;
        i += 1;
    }
    ids
}

/// The preset at a place of the list, the default one behind its end.
#[must_use]
pub fn at(place: usize) -> &'static Preset {
    PRESETS.get(place).unwrap_or(&PRESETS[DEFAULT])
}

/// The preset of that id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::cost::Batch;
    use crate::time::{MICRO, MILLI};

    #[test]
    fn ids_are_unique_and_found() {
        for (i, preset) in PRESETS.iter().enumerate() {
            assert_eq!(IDS[i], preset.id);
            assert_eq!(by_id(preset.id), Some(at(i)));
        }
        assert_eq!(at(DEFAULT).id, "llama-3.1-8b-h100");
        assert_eq!(by_id("gpu"), None);
    }

    /// The validation page: one 8 192-token prefill takes 213 ms on the H100, 613 ms on the A100;
    /// a 512-token chunk beside 32 decoders makes an iteration of 17.5 and 45 ms.
    #[test]
    fn iterations_are_those_of_the_validation_page() {
        let whole = Batch { prefill: 8_192, pairs: 8_192 * 8_192, ..Batch::default() };
        let mixed = Batch { prefill: 512, decode: 32, kv: 32 * 1_024, pairs: 512 * 512 };
        let near = |id: &str, batch: Batch, ms: f64| {
            let time = by_id(id).unwrap().cost(2_048).iteration(batch) as f64 / MILLI as f64;
            assert!((time / ms - 1.0).abs() < 0.02, "{id}: {time} ms");
        };
        near("llama-3.1-8b-h100", whole, 213.0);
        near("llama-3.1-8b-a100", whole, 613.0);
        near("llama-3.1-8b-h100", mixed, 17.5);
        near("llama-3.1-8b-a100", mixed, 45.0);
    }

    #[test]
    fn a_tick_is_a_full_budget() {
        let cost = by_id("ticks").unwrap().cost(1_000);
        assert_eq!(cost.b, MICRO);
        assert_eq!(cost.iteration(Batch { prefill: 1_000, ..Batch::default() }), MILLI);
        assert_eq!((cost.a, cost.w, cost.g, cost.d, cost.e), (0, 0, 0, 0, 0));
    }
}
