//! Sentences: the transcript, the key moments, and why each decision was made.

use tokenyard_models::prefix_affinity::{Reason, Run, Step};

use super::side::{Router, Side};
use crate::msg::{Arg, Msg, msg};
use crate::run::{Decision, Grid, GridRow, Moment};

fn letter(replica: usize) -> Arg {
    Arg::Replica(u32::try_from(replica).unwrap_or(0))
}

fn letters(replicas: &[usize]) -> Arg {
    Arg::List(replicas.iter().map(|i| letter(*i)).collect())
}

/// The sentence of one request.
pub(super) fn say(run: &Run, step: u32) -> Msg {
    let Some(s) = run.steps.get(step as usize) else {
        return msg("say.over");
    };
    let owner = s.owner_before.unwrap_or(s.aware);
    let key = match (s.reason, s.aware_hit) {
        (Reason::FirstSight, _) => "say.first",
        (Reason::Affinity, true) => "say.stay-hit",
        (Reason::Affinity, false) => "say.stay-miss",
        (Reason::LoadImbalance, true) if owner == s.aware => "say.home-hit",
        (Reason::LoadImbalance, false) if owner == s.aware => "say.home-miss",
        (Reason::LoadImbalance, true) => "say.leave-hit",
        (Reason::LoadImbalance, false) => "say.leave-miss",
    };
    let other = msg(if s.baseline_hit { "say.other-hit" } else { "say.other-miss" })
        .with("to", letter(s.baseline))
        .with("tokens", s.baseline_prefill);
    msg(key)
        .with("request", step + 1)
        .with("prefix", s.prefix)
        .with("to", letter(s.aware))
        .with("owner", letter(owner))
        .with("gap", s.gap)
        .with("threshold", s.threshold.unwrap_or(0))
        .with("tokens", s.aware_prefill)
        .with("other", other)
}

/// Key moments: the first escape; the first that leaves an owner which is not the fullest
/// replica; the first request that follows affinity and misses; and, where nothing ever escapes,
/// the first request that only one of the routers hits and the widest load gap.
pub(super) fn moments(run: &Run) -> Vec<Moment> {
    let first = |wanted: &dyn Fn(&Step) -> bool| run.steps.iter().position(wanted);
    let cue = |key: &'static str, at: Option<usize>| {
        let at = at?;
        let s = &run.steps[at];
        let owner = s.owner_before.unwrap_or(s.aware);
        Some((
            at,
            msg(key)
                .with("gap", spread(&s.aware_loads))
                .with("before", s.gap)
                .with("threshold", s.threshold.unwrap_or(0))
                .with("prefix", s.prefix)
                .with("owner", letter(owner))
                .with("to", letter(s.aware)),
        ))
    };
    let escape = |s: &Step| s.reason == Reason::LoadImbalance;
    let lean = |s: &Step| {
        let fullest = s.aware_loads_before.iter().max();
        s.owner_before.is_some_and(|o| o != s.aware && s.aware_loads_before.get(o) < fullest)
    };
    let lost = |s: &Step| s.reason == Reason::Affinity && !s.aware_hit;
    if run.escapes > 0 {
        return Moment::in_order([
            cue("cue.escape", first(&escape)),
            cue("cue.bystander", first(&|s| escape(s) && lean(s))),
            cue("cue.lost", first(&lost)),
        ]);
    }
    let widest = run.steps.iter().map(|s| spread(&s.aware_loads)).max().unwrap_or(0);
    Moment::in_order([
        cue("cue.apart", first(&|s| s.aware_hit && !s.baseline_hit)),
        cue("cue.widest", first(&|s| widest > 1 && spread(&s.aware_loads) == widest)),
    ])
}

/// Largest minus smallest load.
fn spread(loads: &[u32]) -> u32 {
    loads.iter().max().copied().unwrap_or(0) - loads.iter().min().copied().unwrap_or(0)
}

/// Both routers' decisions on a request.
pub(super) fn decisions(run: &Run, step: u32) -> Vec<Decision> {
    let Some(s) = run.steps.get(step as usize) else {
        return Vec::new();
    };
    let last = run.steps[..step as usize].iter().rposition(|t| t.prefix == s.prefix);
    Router::LANES
        .map(|router| {
            let side = router.side(s);
            let lines = match router {
                Router::Aware => aware_lines(s, &side, step, last),
                Router::Baseline => baseline_lines(s, &side),
            };
            Decision {
                title: msg("why.title")
                    .with("router", msg(router.name()))
                    .with("request", step + 1)
                    .with("to", letter(side.replica)),
                style: router.style(),
                lines,
                grid: grid(router, s, &side),
                answers: router == Router::Aware && super::answers(run),
            }
        })
        .into()
}

fn aware_lines(s: &Step, side: &Side<'_>, step: u32, last: Option<usize>) -> Vec<Msg> {
    let mut lines = vec![msg("why.loads").with("gap", s.gap)];
    let owner = s.owner_before.unwrap_or(s.aware);
    if let Some(last) = last {
        let age = step as usize - last;
        let holds = side.caches_before[owner].contains(&s.prefix);
        let believed = msg("why.owner").with("owner", letter(owner)).with("prefix", s.prefix);
        lines.push(believed.with("request", last + 1).with("age", age));
        let truth = if holds { "why.owner-holds" } else { "why.owner-lost" };
        lines.push(msg(truth).with("owner", letter(owner)).with("prefix", s.prefix));
    }
    let rule = match (s.reason, s.threshold) {
        (Reason::FirstSight, _) => "why.first",
        (Reason::LoadImbalance, _) => "why.escape",
        (Reason::Affinity, Some(_)) => "why.stay",
        (Reason::Affinity, None) => "why.always",
    };
    lines.push(
        msg(rule)
            .with("gap", s.gap)
            .with("threshold", s.threshold.unwrap_or(0))
            .with("prefix", s.prefix)
            .with("to", letter(s.aware)),
    );
    lines.push(msg("why.fresh").with("to", letter(fresh(Router::Aware, s, side))));
    lines
}

fn baseline_lines(s: &Step, side: &Side<'_>) -> Vec<Msg> {
    let least = side.loads_before[side.replica];
    let tied = side.loads_before.iter().filter(|l| **l == least).count();
    let rule = msg(if tied > 1 { "why.tie" } else { "why.least" });
    let holders = side.holders(s.prefix);
    let cache = if holders.is_empty() { msg("why.nobody") } else { msg("why.holders") };
    vec![
        msg("why.loads").with("gap", spread(side.loads_before)),
        rule.with("n", tied).with("to", letter(side.replica)),
        cache.with("prefix", s.prefix).with("holders", letters(&holders)),
    ]
}

/// What the same rule would choose if it knew what every replica really holds.
fn fresh(router: Router, s: &Step, side: &Side<'_>) -> usize {
    if router == Router::Baseline || s.reason != Reason::Affinity {
        return side.replica;
    }
    let holders = side.holders(s.prefix);
    let owner = s.owner_before.filter(|o| holders.contains(o));
    owner.or_else(|| side.least_of(&holders)).unwrap_or(s.least_loaded)
}

fn grid(router: Router, s: &Step, side: &Side<'_>) -> Grid {
    let best = fresh(router, s, side);
    let held = |i: usize| match side.caches_before[i].as_slice() {
        [] => Arg::Msg(msg("why.empty")),
        cache => Arg::List(cache.iter().map(|p| Arg::from(*p)).collect()),
    };
    let row = |i: usize| GridRow {
        cells: vec![letter(i), side.loads_before[i].into(), held(i)],
        chosen: i == side.replica,
        fresh: i == best,
    };
    Grid {
        head: vec![msg("why.replica"), msg("why.load"), msg("why.cache")],
        rows: (0..side.loads_before.len()).map(row).collect(),
    }
}
