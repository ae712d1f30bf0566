//! Draws states from a seed.

use tokenyard_det::Stream;
use tokenyard_policy::dynamo::{Params, Role, Selection};

use crate::state::{Load, State, Worker};

/// Labels there are.
const LABELS: u64 = 4;

/// Draws from one state's stream.
struct Chance(Stream);

impl Chance {
    /// Whether something happens that happens in `percent` of the cases.
    fn in_percent(&mut self, percent: u64) -> bool {
        self.0.below(100) < percent
    }

    /// A whole number from 0 to `most`.
    fn up_to(&mut self, most: u64) -> u32 {
        self.0.below(most + 1) as u32
    }

    /// One of a few.
    fn of<T: Copy>(&mut self, choices: &[T]) -> Option<T> {
        choices.get(self.0.below(choices.len() as u64) as usize).copied()
    }
}

/// The state of that number in the run of `seed`. Every third is small.
#[must_use]
pub fn state(seed: u64, number: u64) -> State {
    let mut chance = Chance(Stream::new(seed, "conformance", number));
    let is_small = number.is_multiple_of(3);
    let params = params(&mut chance, is_small);
    let sizes: &[u32] = if is_small { &[1, 2, 4] } else { &[1, 8, 16, 32, 64, 128, 100] };
    let block_tokens = chance.of(sizes).unwrap_or(1);
    let empty = chance.in_percent(3);
    let most = if is_small { 4 } else { 20_000 };
    let drawn = chance.up_to(most) * if is_small { block_tokens } else { 1 };
    let prompt_tokens = if empty { 0 } else { drawn };
    let has_tiers = chance.in_percent(75);
    let has_lower = chance.in_percent(50);
    let count = 1 + chance.up_to(7);
    let labels = chance.in_percent(50);
    let troubled = chance.in_percent(35);
    let blocks = prompt_tokens.div_ceil(block_tokens);
    let mut workers: Vec<Worker> =
        (0..count).map(|_| worker(&mut chance, is_small, blocks, block_tokens)).collect();
    for w in &mut workers {
        if !has_lower {
            (w.host, w.disk) = (0, 0);
        }
        if labels {
            w.taints = (0..LABELS as u32).filter(|_| chance.in_percent(45)).collect();
        }
        w.overloaded = troubled && chance.in_percent(35);
        w.unavailable = troubled && chance.in_percent(15);
    }
    if is_small && chance.in_percent(70) {
        twins(&mut chance, &mut workers);
    }
    let shared = chance.in_percent(60).then(|| shared(&mut chance, blocks));
    let required = (0..LABELS as u32).filter(|_| labels && chance.in_percent(8)).collect();
    let prefers = labels && chance.in_percent(60);
    let preferred = (0..LABELS as u32).filter(|_| prefers && chance.in_percent(60)).collect::<Vec<_>>();
    let preferred = preferred.into_iter().map(|label| (label, preference(&mut chance, is_small))).collect();
    let allows = chance.in_percent(15);
    let allowed = allows.then(|| (0..count as u16).filter(|_| chance.in_percent(60)).collect());
    // One number more than there are workers: some pins are to nobody.
    let pinned = chance.in_percent(10).then(|| chance.up_to(u64::from(count)) as u16);
    let by_request = chance.in_percent(50);
    State {
        number,
        is_small,
        params,
        by_request,
        prompt_tokens,
        block_tokens,
        has_tiers,
        workers,
        shared,
        required,
        preferred,
        allowed,
        pinned,
    }
}

/// In a fifth of the states everything is off its default; in the others, each now and then.
fn params(chance: &mut Chance, is_small: bool) -> Params {
    let all_off = chance.in_percent(20);
    let mut real = |default: f64, small: &[f64], most: f64| {
        if !(all_off || chance.in_percent(15)) {
            return default;
        }
        let drawn = if is_small { chance.of(small) } else { Some(chance.0.unit() * most) };
        drawn.filter(|drawn| *drawn != default).unwrap_or(2.0 * default + 0.5)
    };
    let usual = Params::default();
    let overlap_credit = real(usual.overlap_credit, &[0.0, 0.5, 1.5, 2.0], 3.0);
    let credit_decay = real(usual.credit_decay, &[0.5, 1.0, 2.0], 4.0);
    let prefill_scale = real(usual.prefill_scale, &[0.0, 0.5, 2.0, 3.0], 5.0);
    let host_weight = real(usual.host_weight, &[0.0, 0.5, 1.0], 1.0);
    let disk_weight = real(usual.disk_weight, &[0.0, 0.5, 1.0], 1.0);
    let shared_weight = real(usual.shared_weight, &[0.25, 0.5, 1.0], 1.0);
    let request_weight = real(usual.request_weight, &[0.5, 1.0, 2.0], 40.0);
    let temperature = real(usual.temperature, &[0.125, 0.5, 1.0, 4.0], 5.0);
    Params {
        overlap_credit,
        credit_decay,
        prefill_scale,
        host_weight,
        disk_weight,
        shared_weight,
        request_weight,
        temperature,
        selection: Selection::Cost,
        role: if chance.in_percent(50) { Role::Decode } else { Role::Any },
        track_prefill: !(all_off || chance.in_percent(15)),
    }
}

/// Makes each worker but the first look like the one before it, now and then; labels stay.
fn twins(chance: &mut Chance, workers: &mut [Worker]) {
    for at in 1..workers.len() {
        if chance.in_percent(50) {
            let (before, rest) = workers.split_at_mut(at);
            if let (Some(last), Some(twin)) = (before.last(), rest.first_mut()) {
                let taints = std::mem::take(&mut twin.taints);
                *twin = Worker { taints, ..last.clone() };
            }
        }
    }
}

fn worker(chance: &mut Chance, is_small: bool, blocks: u32, block_tokens: u32) -> Worker {
    let (prefill, decode, new, requests) =
        if is_small { (2, 2, u64::from(blocks.min(2)), 1) } else { (60_000, 4_000, u64::from(blocks), 64) };
    let mut load = Load {
        prefill_tokens: chance.up_to(prefill) * if is_small { block_tokens } else { 1 },
        decode_blocks: chance.up_to(decode),
        ..Load::default()
    };
    load.new_blocks = chance.up_to(new);
    load.requests = chance.up_to(requests);
    let device = chance.up_to(u64::from(if is_small { blocks.min(2) } else { blocks }));
    let lower = u64::from(blocks - device);
    let host = chance.up_to(lower);
    let disk = chance.up_to(lower - u64::from(host));
    let quarters = chance.up_to(4 * u64::from(blocks));
    let effective = if is_small { f64::from(quarters) / 4.0 } else { chance.0.unit() * f64::from(blocks) };
    // Usually what the overlap says; sometimes more than the prompt has.
    let cached_tokens =
        if chance.in_percent(10) { (blocks + chance.up_to(3)) * block_tokens } else { device * block_tokens };
    Worker {
        load: (!chance.in_percent(5)).then_some(load),
        device,
        host,
        disk,
        effective,
        cached_tokens,
        ..Worker::default()
    }
}

/// Up to three stretches of blocks, the last of which may be beyond the prompt.
fn shared(chance: &mut Chance, blocks: u32) -> Vec<std::ops::Range<u32>> {
    let mut from = 0;
    let mut ranges = Vec::new();
    for _ in 0..chance.up_to(3) {
        let start = from + chance.up_to(u64::from(blocks / 3));
        from = start + 1 + chance.up_to(u64::from(blocks / 2));
        ranges.push(start..from);
    }
    ranges
}

/// A weight of either sign, in hundredths or in eighths.
fn preference(chance: &mut Chance, is_small: bool) -> f32 {
    if is_small {
        (f32::from(chance.up_to(16) as u8) - 8.0) / 8.0
    } else {
        (chance.up_to(400) as f32 - 200.0) / 100.0
    }
}
