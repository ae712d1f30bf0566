//! Hit rates of the Mooncake traces without time: every request is served alone, in the order of
//! the trace, by the engine's own prefix cache of 4 096 blocks of 512 tokens a replica.

use std::sync::OnceLock;

use tokenyard_fleet::engine::cost::Cost;
use tokenyard_fleet::engine::types::{EngineSettings, Happened, Mode, Order, Sequence};
use tokenyard_fleet::engine::{Out, Replica};
use tokenyard_fleet::trace_file::{Row, Trace, mooncake};

use tokenyard_fleet::World;
use tokenyard_fleet::metrics::Report;
use tokenyard_fleet::run::run_to_end;

use crate::page::Group;
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

const CONVERSATION: &str = "mooncake_conversation.jsonl";
const SYNTHETIC: &str = "mooncake_synthetic.jsonl";

/// Adds a hit rate that must be within 1.5 points.
fn rate(group: &mut Group, what: String, want: f64, rate: f64) {
    let holds = (rate - want).abs() <= 0.015;
    group.line(what, want.to_string(), format!("{rate:.3}"), "±1.5 points", holds);
}

fn without_time(conversation: &Trace, synthetic: &Trace) -> Group {
    let mut group = Group::new(
        "Mooncake traces without time",
        "Every request of the whole public file alone and in order; 4 096 blocks of 512 tokens a \
         replica; token-weighted hit rate. Given: computed apart.",
    );
    let rows = [
        (conversation, "conversation", 4, 0.114, 0.270),
        (conversation, "conversation", 8, 0.100, 0.338),
        (conversation, "conversation", 16, 0.092, 0.367),
        (synthetic, "synthetic", 4, 0.202, 0.539),
        (synthetic, "synthetic", 8, 0.166, 0.642),
        (synthetic, "synthetic", 16, 0.127, 0.651),
    ];
    for (trace, name, n, robin, hash) in rows {
        let by_turns = untimed(trace, n, 4_096, turns).0;
        rate(&mut group, format!("{name}, {n} replicas, round robin"), robin, by_turns);
        let by_hash = untimed(trace, n, 4_096, two_blocks).0;
        rate(&mut group, format!("{name}, {n} replicas, hash of two blocks"), hash, by_hash);
    }
    for n in [4, 8, 16] {
        let (hit, most) = untimed(conversation, n, 4_096, longest);
        rate(&mut group, format!("conversation, {n} replicas, longest prefix"), 0.089, hit);
        let holds = (most - n as f64).abs() < 0.05;
        let what = format!("the same, busiest over mean of {n}");
        group.line(what, n.to_string(), format!("{most:.2}"), "one has everything", holds);
    }
    let pools = [
        (conversation, "conversation", [0.045, 0.066, 0.215, 0.332, 0.371]),
        (synthetic, "synthetic", [0.084, 0.191, 0.431, 0.636, 0.651]),
    ];
    for (trace, name, rates) in pools {
        for (capacity, want) in [1_000, 3_000, 10_000, 30_000, 100_000].into_iter().zip(rates) {
            let hit = untimed(trace, 1, capacity, turns).0;
            rate(&mut group, format!("{name}, one pool of {capacity} blocks"), want, hit);
        }
    }
    group
}

fn timed(trace: &Trace, spread: &str, rule: &str, n: u32) -> Report {
    let draft = draft(&[
        ("workload.arrivals", "trace"),
        ("workload.trace_spread_ms", spread),
        ("workload.requests", "100000"),
        ("fleet.replicas", &n.to_string()),
        ("fleet.block", "512"),
        ("fleet.kv_blocks", "4096"),
        ("router.rule", rule),
    ]);
    let mut world = World::new(&draft.build(Some(trace)).unwrap(), Some(trace.clone()));
    run_to_end(&mut world);
    Report::of(&world)
}

/// Our `dynamo-kv` against the hit rates of Dynamo's own replay: the order, and ±5 points. Times to
/// first token agree in direction only: engines differ.
fn replayed(conversation: &Trace, synthetic: &Trace) -> Group {
    let mut group = Group::new(
        "Mooncake traces replayed with Dynamo's rule",
        "`dynamo-kv` with default settings in time, Llama-3.1-8B on H100, 4 096 blocks of 512 tokens; the \
         conversation's 3 s steps are spread evenly. Given: Dynamo's own replay. Mean TTFT against \
         round robin agrees in direction only, as engines differ.",
    );
    let rows = [
        (conversation, "conversation", "3000", [0.20, 0.26, 0.32]),
        (synthetic, "synthetic", "0", [0.46, 0.61, 0.64]),
    ];
    for (trace, name, spread, rates) in rows {
        let mut before = 0.0;
        for (n, want) in [4, 8, 16].into_iter().zip(rates) {
            let (aware, robin) =
                (timed(trace, spread, "dynamo-kv", n), timed(trace, spread, "round-robin", n));
            let hit = aware.token_hit_rate;
            let holds = (hit - want).abs() <= 0.05 && hit > before && hit > robin.token_hit_rate;
            let what = format!("{name}, {n} replicas, hit rate");
            group.line(what, want.to_string(), format!("{hit:.3}"), "±5 points, rising with n", holds);
            let ours = format!("{:.0} → {:.0} ms", robin.ttft.mean, aware.ttft.mean);
            let holds = aware.ttft.mean < robin.ttft.mean && aware.requests == trace.rows.len() as u64;
            group.line(format!("{name}, {n} replicas, mean TTFT"), "falls", ours, "direction", holds);
            before = hit;
        }
    }
    group
}

/// The groups of this file; none without the shared traces.
pub(crate) fn groups(test: &str) -> Option<Vec<&'static Group>> {
    static GROUPS: OnceLock<[Group; 2]> = OnceLock::new();
    let (conversation, synthetic) = (read(test, CONVERSATION)?, read(test, SYNTHETIC)?);
    let make = || [without_time(&conversation, &synthetic), replayed(&conversation, &synthetic)];
    Some(GROUPS.get_or_init(make).iter().collect())
}

#[test]
fn mooncake_traces() {
    let groups = groups("mooncake_traces");
    groups.iter().flatten().for_each(|group| group.assert());
}
