//! Native speed of the fleet simulator, as lines that `cargo xtask bench` reads:
//! `bench fleet.<what>.rps <requests a second>`, each the best of three; a line that comes twice counts
//! the second time. A neighbour on the machine may slow a whole minute down, so what misses its goal is
//! measured again at the end, and the two sides of a ratio take turns.
//!
//! With the folder of a real trace in `TOKENYARD_SHARED` the conversation trace is replayed too.
//!
//! `speed CASE REQUESTS REPLICAS OUTPUT LOAD` runs one case once, for a profiler: its place in the
//! list or the name of a rule, and what to change of it.
//!
//! `speed --rules` runs workload B under every rule, with 200 families where the rule knows prefixes,
//! and prints requests a second, the goal, and the time as a multiple of that of `random` beside it:
//! `rule <id> <requests a second> <goal> <times>`. `speed --recorded [RULE]` records a run as large as
//! the fleet page allows, 31 250 requests on 4 replicas: `recorded <id> <seconds> <MB at most>`.
#![expect(clippy::disallowed_methods, reason = "a bench reads the clock")]
#![expect(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use tokenyard_fleet::World;
use tokenyard_fleet::metrics::Outcome;
use tokenyard_fleet::recording::Recording;
use tokenyard_fleet::run::run_to_end;
use tokenyard_fleet::scenario::Draft;
use tokenyard_fleet::trace_file::{Trace, mooncake};
use tokenyard_fleet_proof::{CASES, Case, again, goal};
use tokenyard_policy::rules::{RULES, by_id};

/// The system's allocator, with a count of bytes in use and the most there have been. One thread
/// allocates here, so that plain loads and stores will do and cost nothing measurable.
struct Counting;

static USED: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn count(more: usize, less: usize) {
    let used = (USED.load(Relaxed) + more).wrapping_sub(less);
    USED.store(used, Relaxed);
    if used > MOST.load(Relaxed) {
        MOST.store(used, Relaxed);
    }
}

// SAFETY: every call is handed on as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes in use at once during a run of a million requests, and those of them that are not
/// what became of the requests, for each of them.
fn memory(case: &Case) -> (f64, f64) {
    let Ok(scenario) = case.draft(1_000_000).build(None) else { return (f64::INFINITY, f64::INFINITY) };
    let before = USED.load(Relaxed);
    MOST.store(before, Relaxed);
    let mut world = World::new(&scenario, None);
    run_to_end(&mut world);
    let most = (MOST.load(Relaxed) - before) as f64;
    let ended = f64::from(world.outcomes().len());
    (most, (most - ended * size_of::<Outcome>() as f64) / ended)
}

/// Seconds of one run, and how many requests it had.
fn timed(draft: &Draft, trace: Option<&Trace>) -> (f64, f64) {
    let Ok(scenario) = draft.build(trace) else { return (f64::INFINITY, 0.0) };
    let start = Instant::now();
    let mut world = World::new(&scenario, trace.cloned());
    run_to_end(&mut world);
    (start.elapsed().as_secs_f64(), f64::from(world.outcomes().len()))
}

/// Requests a second, best of three runs.
fn rate(draft: &Draft, trace: Option<&Trace>) -> f64 {
    (0..3).map(|_| timed(draft, trace)).map(|(s, n)| n / s).fold(0.0, f64::max)
}

fn with(mut draft: Draft, fields: &[(&str, &str)]) -> Draft {
    for (path, text) in fields {
        if let Err(problem) = draft.set(path, text) {
            eprintln!("{path}: {problem:?}");
        }
    }
    draft
}

/// Room for every sequence, so that lengths alone differ.
const ROOMY: [(&str, &str); 2] = [("fleet.kv_blocks", "100000000"), ("fleet.max_seqs", "2048")];

/// How often what takes turns is measured.
const TURNS: usize = 5;

/// Time of a request of the second run over time of one of the first: the best of each, in turns.
fn times(first: &Draft, second: &Draft) -> f64 {
    let turns = (0..TURNS).map(|_| (rate(first, None), rate(second, None)));
    let (first, second) = turns.fold((0.0, 0.0), |(a, b): (f64, f64), (x, y)| (a.max(x), b.max(y)));
    first / second
}

/// 4 096 output tokens against 256 at an equal mean batch: time of a request over time of a request.
fn output_length() -> f64 {
    let of = |output: u32, load: f64| {
        let case = Case { output, load, ..CASES[0] };
        with(case.draft(100_000), &ROOMY)
    };
    times(&of(256, 0.5), &of(4_096, 0.5 / 16.0))
}

/// A million requests on 256 replicas against ten thousand on 16, at the same load each.
fn growth(case: &Case) -> f64 {
    let of = |requests, replicas: f64| {
        let case = Case { load: case.load * replicas / 8.0, ..*case };
        with(case.draft(requests), &[("fleet.replicas", &replicas.to_string())])
    };
    times(&of(10_000, 16.0), &of(1_000_000, 256.0))
}

/// Milliseconds to seek to an event of a recorded run, the longest of some.
fn seek() -> f64 {
    let draft = CASES[5].draft(3_000);
    let Ok(scenario) = draft.build(None) else { return f64::INFINITY };
    let recording = Recording::of(&scenario, None);
    let places = (0..50).map(|i| recording.events() * (2 * i + 1) / 100);
    let one = |event| {
        let start = Instant::now();
        let world = recording.at(event);
        assert_eq!(world.events(), event);
        start.elapsed().as_secs_f64() * 1_000.0
    };
    places.map(one).fold(0.0, f64::max)
}

/// The Mooncake conversation trace on 8 workers of 4 096 blocks of 512 under Dynamo's rule.
fn conversation() -> Option<f64> {
    let folder = PathBuf::from(std::env::var_os("TOKENYARD_SHARED")?);
    let bytes = std::fs::read(folder.join("traces/mooncake_conversation.jsonl")).ok()?;
    let trace = mooncake(&bytes[..]).ok()?;
    let draft = with(
        Draft::default(),
        &[
            ("workload.arrivals", "trace"),
            ("workload.requests", "100000"),
            ("workload.trace_spread_ms", "3000"),
            ("fleet.replicas", "8"),
            ("fleet.block", "512"),
            ("fleet.kv_blocks", "4096"),
            ("router.rule", "dynamo-kv"),
        ],
    );
    Some(rate(&draft, Some(&trace)))
}

/// One run as the command line says.
fn one(args: &[String]) -> Option<f64> {
    let number = |i: usize| args.get(i)?.parse::<f64>().ok();
    let case = match number(0) {
        Some(place) => *CASES.get(place as usize)?,
        None => Case::of(by_id(args.first()?)?),
    };
    let (requests, replicas, output, load) = (number(1)?, number(2)?, number(3)?, number(4)?);
    let case = Case { load: load * replicas / 8.0, output: output as u32, ..case };
    let mut draft = with(case.draft(requests as u32), &[("fleet.replicas", &replicas.to_string())]);
    if case.output != CASES[0].output {
        draft = with(draft, &ROOMY);
    }
    let (seconds, ended) = timed(&draft, None);
    Some(ended / seconds)
}

/// Every rule in turn, each run beside one of `random`, so that a slow moment of the machine hits both.
fn rules() {
    for spec in RULES {
        let (case, beside) = (Case::of(spec).draft(100_000), CASES[0].draft(100_000));
        let of = |draft| {
            let (seconds, ended) = timed(draft, None);
            ended / seconds
        };
        let (mut rule, mut random) = (0.0_f64, 0.0_f64);
        for _ in 0..3 {
            (rule, random) = (rule.max(of(&case)), random.max(of(&beside)));
        }
        println!("rule {} {rule:.0} {} {:.2}", spec.id, goal(spec), random / rule);
    }
}

/// Seconds and memory of recording the longest run that the fleet page allows.
fn recorded(only: Option<&String>) {
    for spec in RULES.iter().filter(|spec| only.is_none_or(|id| id == spec.id)) {
        let draft =
            with(Case::of(spec).draft(31_250), &[("fleet.replicas", "4"), ("workload.rate_rps", "54")]);
        let Ok(scenario) = draft.build(None) else { continue };
        let before = USED.load(Relaxed);
        MOST.store(before, Relaxed);
        let start = Instant::now();
        let recording = Recording::of(&scenario, None);
        let seconds = start.elapsed().as_secs_f64();
        let most = (MOST.load(Relaxed) - before) as f64 / 1e6;
        println!("recorded {} {seconds:.2} {most:.0} ({} events)", spec.id, recording.events());
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some("--rules") => return rules(),
        Some("--recorded") => return recorded(args.get(1)),
        _ => {}
    }
    if !args.is_empty() {
        println!("{:.0}", one(&args).unwrap_or(0.0));
        return;
    }
    let mut measured = Vec::new();
    for case in CASES {
        let best = rate(&case.draft(100_000), None);
        println!("bench fleet.{}.rps {best:.0}", case.rule);
        measured.push((case, by_id(case.rule).map_or(0, goal), best));
    }
    println!("bench fleet.output.ratio {:.2}", output_length());
    println!("bench fleet.growth.two.ratio {:.2}", growth(&CASES[2]));
    println!("bench fleet.growth.least.ratio {:.2}", growth(&CASES[1]));
    let (random, tree, dynamo) = (memory(&CASES[0]), memory(&CASES[4]), memory(&CASES[5]));
    println!("bench fleet.memory.bytes {:.0}", random.1.max(dynamo.1));
    println!("bench fleet.memory.ten.gib {:.2}", 10.0 * random.0.max(dynamo.0) / f64::from(1 << 30));
    // The rule's own tree is bounded by its parameter, not by the number of requests.
    println!("bench fleet.memory.tree.gib {:.2}", (tree.0 - random.0) / f64::from(1 << 30));
    println!("bench fleet.seek.ms {:.2}", seek());
    if let Some(rate) = conversation() {
        println!("bench fleet.conversation.rps {rate:.0}");
    }
    let rule = |case: &Case, best| println!("bench fleet.{}.rps {best:.0}", case.rule);
    again(measured, |case| rate(&case.draft(100_000), None), rule);
}
