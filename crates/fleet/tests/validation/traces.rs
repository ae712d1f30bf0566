//! Hit rates of the Mooncake traces without time: every request is served alone, in the order of
//! the trace, by the engine's own prefix cache of 4 096 blocks of 512 tokens a replica.

use tokenyard_fleet::engine::cost::Cost;
use tokenyard_fleet::engine::types::{EngineSettings, Happened, Mode, Order, Sequence};
use tokenyard_fleet::engine::{Out, Replica};
use tokenyard_fleet::trace_file::{Row, Trace, mooncake};

use tokenyard_fleet::World;
use tokenyard_fleet::metrics::Report;
use tokenyard_fleet::run::run_to_end;

use crate::{draft, shared};

const BLOCK: u32 = 512;

fn replica(capacity: u32) -> Replica {
    Replica::new(&EngineSettings {
        block: BLOCK,
        capacity,
        max_seqs: 1,
        budget: 1 << 20,
        mode: Mode::Chunked,
        prefix_cache: true,
        cache_generated: false,
        long_prefill: None,
        order: Order::First,
        cost: Cost { a: 1, w: 0, b: 0, g: 0, d: 0, e: 0 },
    })
}

/// Token-weighted hit rate, and requests of the busiest replica over the mean, where `choose` says
/// which replica has a row.
fn untimed(
    trace: &Trace,
    replicas: usize,
    capacity: u32,
    mut choose: impl FnMut(usize, &Row, &mut [Replica], &mut Out) -> usize,
) -> (f64, f64) {
    let mut fleet: Vec<Replica> = (0..replicas).map(|_| replica(capacity)).collect();
    let mut out = Out::default();
    let (mut cached, mut prompt, mut sent) = (0_u64, 0_u64, vec![0_u32; replicas]);
    for (place, row) in trace.rows.iter().enumerate() {
        let to = choose(place, row, &mut fleet, &mut out);
        sent[to] += 1;
        prompt += u64::from(row.prompt);
        let (id, at) = (place as u32, place as u64 * 1_000_000);
        let (chain, generated) = (row.chain.clone(), 1 << 63);
        // One output token needs no block of its own beyond the prompt's.
        let sequence = Sequence { id, prompt: row.prompt, output: 1, chain, generated };
        fleet[to].enqueue(at, sequence, &mut out);
        while fleet[to].next().is_some() {
            fleet[to].run(&mut out);
        }
        for event in out.events.drain(..) {
            if let Happened::Admitted { cached: hit, .. } = event.what {
                cached += u64::from(hit);
            }
        }
    }
    let mean = f64::from(sent.iter().sum::<u32>()) / replicas as f64;
    let most = f64::from(sent.iter().copied().max().unwrap_or(0));
    (cached as f64 / prompt as f64, most / mean)
}

fn read(test: &str, name: &str) -> Option<Trace> {
    let bytes = shared::file_or_skip(&format!("traces/{name}"), test)?;
    Some(mooncake(&bytes[..]).unwrap())
}

fn near(rate: f64, want: f64, what: &str) {
    assert!((rate - want).abs() <= 0.015, "{what}: {rate:.3}, computed {want}");
}

fn turns(place: usize, _: &Row, fleet: &mut [Replica], _: &mut Out) -> usize {
    place % fleet.len()
}

/// The same first two blocks go to the same replica.
fn two_blocks(_: usize, row: &Row, fleet: &mut [Replica], _: &mut Out) -> usize {
    let mut key = 0_u64;
    for id in row.chain.ids().take(2) {
        key = (key ^ id).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
    (key.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 33) as usize % fleet.len()
}

/// Longest true prefix, load ignored, the first of equals.
fn longest(place: usize, row: &Row, fleet: &mut [Replica], out: &mut Out) -> usize {
    let at = place as u64 * 1_000_000;
    let mut best = (0, 0);
    for (r, replica) in fleet.iter_mut().enumerate() {
        let hits = replica.hits(at, &row.chain, out);
        if r == 0 || hits > best.1 {
            best = (r, hits);
        }
    }
    best.0
}

#[test]
fn conversation_trace() {
    let Some(trace) = read("conversation_trace", "mooncake_conversation.jsonl") else { return };
    for (n, robin, hash, pure) in
        [(4, 0.114, 0.270, 0.089), (8, 0.100, 0.338, 0.089), (16, 0.092, 0.367, 0.089)]
    {
        near(untimed(&trace, n, 4_096, turns).0, robin, "round robin");
        near(untimed(&trace, n, 4_096, two_blocks).0, hash, "hash of two blocks");
        let (rate, most) = untimed(&trace, n, 4_096, longest);
        near(rate, pure, "longest prefix");
        assert!((most - n as f64).abs() < 0.05, "one of {n} has everything: {most}");
    }
}

#[test]
fn synthetic_trace() {
    let Some(trace) = read("synthetic_trace", "mooncake_synthetic.jsonl") else { return };
    for (n, robin, hash) in [(4, 0.202, 0.539), (8, 0.166, 0.642), (16, 0.127, 0.651)] {
        near(untimed(&trace, n, 4_096, turns).0, robin, "round robin");
        near(untimed(&trace, n, 4_096, two_blocks).0, hash, "hash of two blocks");
    }
}

/// One pool for all, by capacity in blocks.
#[test]
fn shared_pool() {
    let files = [
        ("mooncake_conversation.jsonl", [0.045, 0.066, 0.215, 0.332, 0.371]),
        ("mooncake_synthetic.jsonl", [0.084, 0.191, 0.431, 0.636, 0.651]),
    ];
    for (name, rates) in files {
        let Some(trace) = read("shared_pool", name) else { return };
        for (capacity, want) in [1_000, 3_000, 10_000, 30_000, 100_000].into_iter().zip(rates) {
            near(untimed(&trace, 1, capacity, turns).0, want, &format!("{name}, {capacity} blocks"));
        }
    }
}

/// A timed replay with our `dynamo-kv` against the hit rates of Dynamo's own replay: the order, and
/// ±5 points. Times to first token agree in direction only: engines differ.
#[test]
fn dynamo_replayed() {
    let files = [
        ("mooncake_conversation.jsonl", "3000", [0.20, 0.26, 0.32]),
        ("mooncake_synthetic.jsonl", "0", [0.46, 0.61, 0.64]),
    ];
    for (name, spread, rates) in files {
        let Some(trace) = read("dynamo_replayed", name) else { return };
        let under = |rule: &str, n: u32| {
            let draft = draft(&[
                ("workload.arrivals", "trace"),
                ("workload.trace_spread_ms", spread),
                ("workload.requests", "100000"),
                ("fleet.replicas", &n.to_string()),
                ("fleet.block", "512"),
                ("fleet.kv_blocks", "4096"),
                ("router.rule", rule),
            ]);
            let mut world = World::new(&draft.build(Some(&trace)).unwrap(), Some(trace.clone()));
            run_to_end(&mut world);
            Report::of(&world)
        };
        let mut before = 0.0;
        for (n, want) in [4, 8, 16].into_iter().zip(rates) {
            let (aware, turns) = (under("dynamo-kv", n), under("round-robin", n));
            let rate = aware.token_hit_rate;
            assert_eq!(aware.requests, trace.rows.len() as u64);
            assert!((rate - want).abs() <= 0.05, "{name}, {n} replicas: {rate:.3}, Dynamo {want}");
            assert!(rate > before && rate > turns.token_hit_rate, "{name}, {n}: more is better");
            assert!(aware.ttft.mean < turns.ttft.mean, "{name}, {n}: {:?} {:?}", aware.ttft, turns.ttft);
            before = rate;
        }
    }
}
