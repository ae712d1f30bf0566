//! What a decision of every rule costs, with 16 and with 256 replicas, and how fast the simulator
//! is under it: lines that `cargo xtask bench` reads. One argument names a rule to measure alone.
//!
//! `bench rule.<id>.16.ns <nanoseconds>` is the time in the rule itself, choosing and learning what
//! became of it, over 20 000 requests after 20 000 that fill what it keeps. Every sixteen decisions are
//! the best of three runs that do the same, so a moment that went to a neighbour does not count.
//! Rules are driven directly, because beside an engine and a router's own books most of them are
//! too fast to be told apart by a difference of two runs. `bench rule.<id>.rps <requests a second>`
//! is the whole simulator on workload B, with 200 families where the rule knows prefixes, which is
//! also what its goal depends on. A rule that misses it is run again at the
//! end, five times at most, since a neighbour on the machine may slow whole minutes down; the last line
//! counts. `TOKENYARD_BENCH=quick` leaves all that out.
//!
//! With `UPDATE` set to the date and the machine in words, the costs are written to
//! `crates/policy/measured.csv`.
#![expect(clippy::disallowed_methods, reason = "a bench reads the clock")]

mod believed;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use believed::{Believed, Prompt};
use tokenyard_det::Stream;
use tokenyard_fleet_proof::{Case, again, goal};
use tokenyard_param::Values;
use tokenyard_policy::rules::RULES;
use tokenyard_policy::{Ask, Choice, Draw, Explain, Fact, ReplicaIx, Rule, RuleSpec, TieBreak};

/// Requests before the clock counts, and while it does.
const WARM: u64 = 20_000;
const COUNTED: u64 = 20_000;

/// Decisions between two looks at the clock, whose own time is spread over them. The columns stand
/// still for so long.
const TOGETHER: usize = 16;

/// Requests of a run of the whole simulator.
const REQUESTS: u32 = 50_000;

/// Decides over some prompts; the time that took.
fn decide(
    rule: &mut dyn Rule,
    stream: &mut Stream,
    fleet: &Believed,
    prompts: &[Prompt],
    to: &mut [Option<ReplicaIx>],
) -> Duration {
    let explain = &mut Explain::off();
    let start = Instant::now();
    for (prompt, to) in prompts.iter().zip(to) {
        let (request, fleet) = fleet.views(prompt);
        let draw = Draw { stream, ties: TieBreak::Upstream };
        *to = match rule.choose(&mut Ask { request, fleet, draw, explain }) {
            Choice::Send { to, .. } => Some(to),
            Choice::Nobody | Choice::Refused | Choice::Held => None,
        };
    }
    start.elapsed()
}

fn learn(rule: &mut dyn Rule, facts: &[Fact]) -> Duration {
    let start = Instant::now();
    facts.iter().for_each(|fact| rule.learn(fact));
    start.elapsed()
}

/// What each sixteen decisions took, in one run.
fn times(spec: &RuleSpec, replicas: ReplicaIx) -> Vec<Duration> {
    let mut rule = (spec.build)(&Values::defaults(spec.params));
    let (mut fleet, mut stream) = (Believed::new(replicas), Stream::new(2, "draws", 0));
    let (mut counted, mut facts, mut to) = (Vec::new(), Vec::new(), [None; TOGETHER]);
    for done in (0..WARM + COUNTED).step_by(TOGETHER) {
        let prompts: Vec<Prompt> = (0..TOGETHER).map(|_| fleet.prompt()).collect();
        let mut time = decide(&mut *rule, &mut stream, &fleet, &prompts, &mut to);
        facts.clear();
        for (prompt, to) in prompts.iter().zip(to) {
            if let Some(to) = to {
                fleet.sent(prompt, to, &mut facts);
            }
        }
        time += learn(&mut *rule, &facts);
        if done >= WARM {
            counted.push(time);
        }
    }
    counted
}

/// Nanoseconds of a decision.
fn nanoseconds(spec: &RuleSpec, replicas: ReplicaIx) -> f64 {
    let mut best = times(spec, replicas);
    for _ in 0..2 {
        let again = times(spec, replicas);
        best.iter_mut().zip(again).for_each(|(best, again)| *best = again.min(*best));
    }
    best.iter().sum::<Duration>().as_secs_f64() * 1e9 / COUNTED as f64
}

/// Requests a second of the whole simulator, best of three.
fn rate(spec: &RuleSpec) -> f64 {
    let case = Case::of(spec);
    let one = || {
        let start = Instant::now();
        f64::from(case.run(REQUESTS)) / start.elapsed().as_secs_f64()
    };
    (0..3).map(|_| one()).fold(0.0, f64::max)
}

fn main() -> std::io::Result<()> {
    let only = std::env::args().nth(1);
    let setting = std::env::var("UPDATE").ok();
    let quick = std::env::var_os("TOKENYARD_BENCH").is_some_and(|how| how == "quick");
    let mut table = format!("# {}\nrule,ns_at_16,ns_at_256\n", setting.as_deref().unwrap_or_default());
    let mut measured = Vec::new();
    for spec in RULES.iter().copied().filter(|spec| only.as_ref().is_none_or(|id| id == spec.id)) {
        let [few, many] = [16, 256].map(|replicas| {
            let ns = nanoseconds(spec, replicas);
            println!("bench rule.{}.{replicas}.ns {ns:.0}", spec.id);
            ns
        });
        // Writing to a text does not fail.
        let _ = writeln!(table, "{},{few:.0},{many:.0}", spec.id);
        if !quick {
            println!("bench rule.{}.goal {}", spec.id, goal(spec));
            let best = rate(spec);
            println!("bench rule.{}.rps {best:.0}", spec.id);
            measured.push((spec, goal(spec), best));
        }
    }
    again(measured, |spec| rate(spec), |spec, best| println!("bench rule.{}.rps {best:.0}", spec.id));
    match setting.filter(|_| only.is_none()) {
        Some(_) => {
            std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/policy/measured.csv"), table)
        }
        None => Ok(()),
    }
}
