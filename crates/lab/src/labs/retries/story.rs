//! Sentences: the transcript, the key moments, and why each call led to what followed.

use tokenyard_models::retries::{Call, Verdict};

use super::{Click, Lane};
use crate::msg::{Arg, Msg, msg};
use crate::run::{Decision, Grid, GridRow, Moment};

/// Most layers whose first give-up is a key moment.
const GIVE_UPS: usize = 3;

/// Names of the layers with a verdict, from the inside out: the order in which they are asked.
fn named(click: &Click, call: &Call, verdict: Verdict) -> Vec<Arg> {
    let with = |(i, v): (usize, &Verdict)| (*v == verdict).then(|| Arg::Text(click.layer(i)));
    let mut names: Vec<Arg> = call.verdicts.iter().enumerate().filter_map(with).collect();
    names.reverse();
    names
}

/// The sentence of one call of the first lane.
pub(super) fn say(click: &Click, step: u32) -> Msg {
    let lane = &click.lanes[0];
    let Some(call) = lane.click.calls.get(step as usize) else {
        return msg("say.none");
    };
    if !call.failed {
        return msg("say.returned").with("call", step + 1);
    }
    let spent = named(click, call, Verdict::Exhausted);
    let refused = named(click, call, Verdict::Refused);
    let key = match (call.retried_by(), spent.is_empty(), refused.is_empty()) {
        (Some(_), true, true) => "say.retry",
        (Some(_), false, true) => "say.spent-retry",
        (Some(_), true, false) => "say.refused-retry",
        (Some(_), false, false) => "say.both-retry",
        (None, _, true) => "say.spent-end",
        (None, true, false) => "say.refused-end",
        (None, false, false) => "say.both-end",
    };
    let layer = call.retried_by().unwrap_or(0);
    msg(key)
        .with("call", step + 1)
        .with("spent", Arg::List(spent))
        .with("refused", Arg::List(refused))
        .with("layer", click.layer(layer))
        .with("attempt", u32::from(call.path[layer]) + 1)
        .with("of", lane.plan.attempts()[layer])
}

/// Key moments: the first call beyond the sum of the attempts, then the first time that a layer
/// which may retry gives up after that (the outermost ones), and the last call.
pub(super) fn moments(click: &Click) -> Vec<Moment> {
    let lane = &click.lanes[0];
    let (calls, sum) = (lane.click.calls.len(), lane.expected.sum as usize);
    let last = calls.checked_sub(1).filter(|_| !lane.click.cut()).map(|at| (at, ending(lane)));
    let beyond = (calls > sum).then(|| {
        let cue = msg("cue.beyond").with("call", sum + 1).with("sum", sum);
        (sum, cue)
    });
    let from = if beyond.is_some() { sum } else { 0 };
    let give_ups = (1..lane.plan.attempts().len()).filter(|l| lane.plan.attempts()[*l] > 1);
    let give_ups = give_ups.filter_map(|layer| {
        let at = lane.click.first_give_up(layer).filter(|at| *at >= from)?;
        let cue = msg("cue.gives-up")
            .with("call", at + 1)
            .with("layer", click.layer(layer))
            .with("outer", click.layer(layer - 1));
        Some((at, cue))
    });
    Moment::in_order([last, beyond].into_iter().chain(give_ups.take(GIVE_UPS).map(Some)))
}

fn ending(lane: &Lane) -> Msg {
    let key = if lane.click.succeeded { "cue.returned" } else { "cue.failed" };
    msg(key).with("calls", lane.click.total)
}

/// The decision after a call, in each lane that is still calling.
pub(super) fn decisions(click: &Click, step: u32) -> Vec<Decision> {
    let lanes = click.lanes.iter().enumerate();
    lanes
        .filter_map(|(i, lane)| Some(explain(click, lane, lane.click.calls.get(step as usize)?, i > 0)))
        .collect()
}

fn explain(click: &Click, lane: &Lane, call: &Call, answers: bool) -> Decision {
    let retried = call.retried_by();
    let key = match (call.failed, retried) {
        (false, _) => "why.title-returned",
        (true, Some(_)) => "why.title-retry",
        (true, None) => "why.title-end",
    };
    let number = call.made[lane.plan.attempts().len() - 1];
    Decision {
        title: msg(key)
            .with("variant", lane.variant.name(&click.params))
            .with("call", number)
            .with("layer", retried.map_or_else(String::new, |l| click.layer(l))),
        style: lane.variant.style(),
        lines: lines(click, lane, call, number),
        grid: grid(click, lane, call),
        answers,
    }
}

fn lines(click: &Click, lane: &Lane, call: &Call, number: u32) -> Vec<Msg> {
    if !call.failed {
        return vec![msg("why.returned")];
    }
    let mut lines = vec![msg("why.asked")];
    for (i, _) in call.verdicts.iter().enumerate().filter(|(_, v)| **v == Verdict::Refused).rev() {
        let allowed = lane.played.layers.get(i).map_or(1.0, |l| l.allowed);
        lines.push(msg("why.budget").with("layer", click.layer(i)).with("allowed", Arg::Percent(allowed)));
    }
    lines.push(match call.retried_by() {
        Some(layer) => msg("why.blind")
            .with("layer", click.layer(layer))
            .with("attempt", u32::from(call.path[layer]))
            .with("of", lane.plan.attempts()[layer])
            .with("calls", number),
        None => msg("why.end"),
    });
    lines.push(match click.outage {
        true => msg("why.fresh-outage"),
        false => msg("why.fresh").with("failure", Arg::Fixed(click.params.failure, 2)),
    });
    lines
}

fn grid(click: &Click, lane: &Lane, call: &Call) -> Grid {
    let row = |i: usize| GridRow {
        cells: vec![
            Arg::Text(click.layer(i)),
            Arg::Int(i64::from(call.path[i])),
            lane.plan.attempts()[i].into(),
            call.made[i].into(),
            Arg::Msg(msg(verdict(call.verdicts[i]))),
        ],
        chosen: call.verdicts[i] == Verdict::Retry,
        fresh: false,
    };
    Grid {
        head: ["why.layer", "why.attempt", "why.of", "why.made", "why.verdict"].map(msg).into(),
        rows: (0..lane.plan.attempts().len()).map(row).collect(),
    }
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::NotAsked => "verdict.not-asked",
        Verdict::Returned => "verdict.returned",
        Verdict::Retry => "verdict.retry",
        Verdict::Exhausted => "verdict.exhausted",
        Verdict::Refused => "verdict.refused",
    }
}
