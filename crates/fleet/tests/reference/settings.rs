//! Random engines: every mode, tiny and ample ones, cheap and real iterations.

use tokenyard_fleet::engine::cost::{Batch, Cost};
use tokenyard_fleet::engine::types::{EngineSettings, Mode, Order};
use tokenyard_fleet::time::{MILLI, Ps};

use super::dice::Dice;

/// How long sequences are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lengths {
    pub(crate) prompt: u32,
    pub(crate) output: u32,
    /// Prompts are whole blocks and come in bursts, so that many decoders need a block at once.
    pub(crate) in_step: bool,
}

pub(crate) fn draw_lengths(dice: &mut Dice) -> Lengths {
    // Now and then long ones, for long stretches of nothing but decoding.
    let output = if dice.percent(3) { 1_000 } else { dice.pick(&[1, 4, 12, 30, 60, 120]) };
    let prompt = if dice.percent(3) { 1_000 } else { dice.pick(&[4, 12, 40, 150]) };
    Lengths { prompt, output, in_step: dice.percent(25) }
}

impl Lengths {
    /// Long enough that small blocks and many calls would cost the reference too much.
    pub(crate) fn is_long(self) -> bool {
        self.prompt.max(self.output) > 150
    }
}

pub(crate) fn draw_settings(dice: &mut Dice, lengths: Lengths) -> EngineSettings {
    let block = match dice.below(2) {
        _ if lengths.is_long() => dice.between(8, 32),
        0 => dice.pick(&[1, 2, 4, 16]),
        _ => dice.between(1, 32),
    };
    let largest = (lengths.prompt + lengths.output - 1).div_ceil(block);
    let capacity = match dice.below(10) {
        // Some sequences are too long.
        0 => dice.between(1, largest),
        // A few fit at a time, and soon one has to go.
        1..=6 => dice.between(largest.div_ceil(2), largest + 2),
        7..=8 => dice.between(largest, 6 * largest),
        _ => 40 * largest + 500,
    };
    let max_seqs = dice.pick(&[1, 2, 3, 4, 6, 16]);
    let budget = max_seqs
        + match dice.below(4) {
            0 => dice.between(0, 3),
            1 => dice.between(0, lengths.prompt),
            2 => dice.between(0, 3 * lengths.prompt),
            _ => 2_048,
        };
    EngineSettings {
        block,
        capacity,
        max_seqs,
        budget,
        mode: dice.pick(&[Mode::Chunked, Mode::Chunked, Mode::Continuous, Mode::Static]),
        prefix_cache: dice.percent(85),
        cache_generated: dice.percent(65),
        long_prefill: dice.percent(35).then(|| dice.mostly_small(lengths.prompt)),
        order: dice.pick(&[Order::First, Order::First, Order::Last]),
        cost: draw_cost(dice, budget),
    }
}

fn draw_cost(dice: &mut Dice, budget: u32) -> Cost {
    match dice.below(6) {
        // The tick preset: nothing but tokens against the budget.
        0 => Cost { a: 0, w: 0, b: MILLI / Ps::from(budget), g: 0, d: 0, e: 0 },
        1 => Cost::from_ms(1.12, [3.240, 3.341, 0.01965, 0.006589, 4.173e-5, 7.741e-7]),
        2 => Cost::from_ms(1.12, [20.95, 8.259, 0.1516, 0.0, 6.007e-5, 3.703e-6]),
        // So small that calls often fall on boundaries, some coefficients 0, at times all.
        3..=4 => {
            let mut coefficient = |most| if dice.percent(40) { 0 } else { dice.below(most) };
            Cost {
                a: coefficient(30),
                w: coefficient(40),
                b: coefficient(5),
                g: coefficient(5),
                d: coefficient(3),
                e: coefficient(3),
            }
        }
        _ => {
            let mut coefficient = |most| if dice.percent(25) { 0 } else { dice.below(most) };
            Cost {
                a: coefficient(4_000_000_000),
                w: coefficient(4_000_000_000),
                b: coefficient(60_000_000),
                g: coefficient(20_000_000),
                d: coefficient(500_000),
                e: coefficient(5_000),
            }
        }
    }
}

/// About the time of one iteration.
pub(crate) fn pace(settings: &EngineSettings, lengths: Lengths) -> Ps {
    let prefill = u64::from(settings.budget.min(lengths.prompt)) / 2;
    let kv = u64::from(lengths.prompt);
    settings.cost.iteration(Batch { prefill, decode: 2, kv, pairs: prefill * prefill })
}
