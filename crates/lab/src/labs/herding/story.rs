//! Sentences: the transcript, the key moments, and why each decision was made.

use tokenyard_models::herding::{self, Run, Tick};

use super::{name, style};
use crate::msg::{Arg, Msg, msg};
use crate::run::{Decision, Grid, GridRow, Moment};

/// The decision of a tick worth a sentence: the one that lost most against the least loaded
/// replica, the last of them on a tie.
pub(super) fn cue(tick: &Tick) -> Option<&herding::Decision> {
    tick.decisions.iter().max_by_key(|d| loss(d))
}

/// How much more the chosen replica truly held than the least loaded one.
fn loss(d: &herding::Decision) -> u32 {
    d.truth[d.placed as usize] - d.truth.iter().min().copied().unwrap_or(0)
}

fn holds(load: u32) -> Msg {
    if load == 0 { msg("say.empty") } else { msg("say.holds").with("n", load) }
}

/// The sentence of one tick.
pub(super) fn say(run: &Run, step: u32) -> Msg {
    let Some((tick, d)) = run.ticks.get(step as usize).and_then(|t| Some((t, cue(t)?))) else {
        return msg("say.quiet").with("tick", step + 1);
    };
    let key = match (d.probes, d.age, tick.scraped.contains(&d.router)) {
        (Some([a, b]), ..) if a == b => "say.two-same",
        (Some(_), ..) => "say.two",
        (None, 0, true) => "say.fresh",
        (None, ..) if run.rule.counts_own_dispatches() => "say.stale-own",
        (None, ..) => "say.stale",
    };
    let [first, second] = d.probes.unwrap_or([d.placed; 2]);
    msg(key)
        .with("tick", step + 1)
        .with("router", d.router + 1)
        .with("request", d.request + 1)
        .with("to", Arg::Replica(d.placed))
        .with("first", Arg::Replica(first))
        .with("second", Arg::Replica(second))
        .with("age", d.age)
        .with("believed", holds(d.view[d.placed as usize]))
        .with("truth", holds(d.truth[d.placed as usize]))
}

/// Key moments: the first tick at which skew passes half its peak, the peak, the next scrape
/// after it, and the next time skew passes half its peak from below.
pub(super) fn moments(run: &Run) -> Vec<Moment> {
    let skews: Vec<u32> = run.ticks.iter().map(|t| t.skew).collect();
    let peak = skews.iter().max().copied().unwrap_or(0);
    let over = |s: u32| 2 * s > peak;
    let first = skews.iter().position(|s| over(*s));
    let top = skews.iter().position(|s| *s == peak);
    let turn = top.and_then(|t| (t + 1..skews.len()).find(|i| !run.ticks[*i].scraped.is_empty()));
    let again = turn.and_then(|t| (t + 1..skews.len()).find(|i| over(skews[*i]) && !over(skews[i - 1])));
    // With phases apart only some of the routers scrape in a tick.
    let all = turn.is_some_and(|t| run.ticks[t].scraped.len() as u32 == run.params.routers);
    let turned = if all { "cue.turn" } else { "cue.turn-some" };
    let found = [(first, "cue.half"), (top, "cue.peak"), (turn, turned), (again, "cue.again")];
    let found = found.into_iter().filter(|_| peak > 0);
    Moment::in_order(found.map(|(at, key)| at.map(|at| (at, msg(key).with("n", skews[at])))))
}

/// Every decision of a tick with what it was made from.
pub(super) fn decisions(run: &Run, step: u32, answers: bool) -> Vec<Decision> {
    let all = run.ticks.get(step as usize).map_or(&[][..], |t| &t.decisions);
    all.iter().map(|d| explain(run, d, answers)).collect()
}

fn explain(run: &Run, d: &herding::Decision, answers: bool) -> Decision {
    let fresh = d.fresh_choices();
    let right = fresh.contains(&d.placed);
    let key = if run.rule.counts_own_dispatches() { "why.copy-own" } else { "why.copy" };
    let rule = match d.probes {
        Some([a, b]) => msg(match (a == b, d.view[a as usize] == d.view[b as usize]) {
            (true, _) => "why.two-same",
            (false, true) => "why.two-tie",
            (false, false) => "why.two",
        })
        .with("a", Arg::Replica(a))
        .with("b", Arg::Replica(b)),
        None => {
            let least = d.view.iter().filter(|v| **v == d.view[d.placed as usize]).count();
            msg(if least > 1 { "why.tie" } else { "why.least" }).with("n", least)
        }
    };
    let on_fresh = if fresh.len() > 1 { "why.on-fresh-any" } else { "why.on-fresh" };
    let choices = Arg::List(fresh.iter().map(|i| Arg::Replica(*i)).collect());
    let verdict = if right { msg("why.right") } else { msg("why.wrong").with("loss", loss(d)) };
    Decision {
        title: msg("why.title")
            .with("rule", msg(name(run.rule)))
            .with("router", d.router + 1)
            .with("request", d.request + 1)
            .with("to", Arg::Replica(d.placed)),
        style: style(run.rule),
        lines: vec![
            msg(key).with("age", d.age),
            rule.with("to", Arg::Replica(d.placed)),
            msg(on_fresh).with("to", choices),
            verdict,
        ],
        grid: grid(d, &fresh),
        answers,
    }
}

fn grid(d: &herding::Decision, fresh: &[u32]) -> Grid {
    let row = |i: u32| GridRow {
        cells: vec![Arg::Replica(i), d.view[i as usize].into(), d.truth[i as usize].into()],
        chosen: i == d.placed,
        fresh: fresh.contains(&i),
    };
    Grid {
        head: vec![msg("why.replica"), msg("why.believed"), msg("why.true")],
        rows: (0..d.view.len() as u32).map(row).collect(),
    }
}
