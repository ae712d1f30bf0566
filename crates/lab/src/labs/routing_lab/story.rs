//! Sentences: the transcript, the key moments, and what a cut run says.

use tokenyard_models::routing_lab::{self as model, Fallback, MAX_TICK, Reason};

use super::fleet::{Held, fullest, held, warm};
use super::{Race, name};
use crate::msg::{Arg, Msg, msg};
use crate::run::Moment;

/// The sentence of one arrival in the first lane.
pub(super) fn say(race: &Race, step: u32) -> Msg {
    let Some(d) = race.lanes[0].decisions().get(step as usize) else { return msg("say.nothing") };
    let held = held(&race.lanes[0], step);
    let request = &race.requests()[step as usize];
    msg("say.arrival")
        .with("tick", d.tick)
        .with("request", step + 1)
        .with("tokens", request.prompt_tokens)
        .with("family", request.prefix_id + 1)
        .with("to", Arg::Replica(d.replica))
        .with("reason", reason(race, 0, step, &held))
        .with("cache", cached(race, 0, step, &held))
}

/// Why the rule of a lane chose as it did.
pub(super) fn reason(race: &Race, lane: usize, step: u32, held: &[Held]) -> Msg {
    let d = &race.lanes[lane].decisions()[step as usize];
    let family = race.requests()[step as usize].prefix_id + 1;
    match d.reason {
        Reason::Draw { .. } => msg("reason.draw"),
        Reason::Cursor { .. } => msg("reason.turn"),
        Reason::Least { load, ties: 1 } => msg("reason.least").with("load", load),
        Reason::Least { load, ties } => msg("reason.least-tie").with("n", ties).with("load", load),
        Reason::Probes { first, second, first_load, second_load } => {
            let key = match (first == second, first_load == second_load) {
                (true, _) => "reason.two-same",
                (false, true) => "reason.two-tie",
                (false, false) => "reason.two",
            };
            msg(key)
                .with("first", Arg::Replica(first))
                .with("second", Arg::Replica(second))
                .with("a", first_load)
                .with("b", second_load)
        }
        Reason::Score { .. } => {
            let (at, to) = (step as usize, d.replica as usize);
            let queued = held[to].queued;
            msg(if queued > 0 { "reason.score-queue" } else { "reason.score" })
                .with("blocks", race.lanes[lane].blocks(at)[to])
                .with("load", race.lanes[lane].loads(at)[to])
                .with("queued", queued)
        }
        Reason::Prefix { share, max, min, fallback, .. } => msg(match fallback {
            None => "reason.owner",
            Some(Fallback::Imbalanced) => "reason.imbalanced",
            Some(Fallback::NoOwner) => "reason.no-owner",
            Some(Fallback::SmallPrefix) => "reason.small",
        })
        .with("family", family)
        .with("share", Arg::Percent(share))
        .with("min", min)
        .with("max", max),
    }
}

/// Where the prefix of the step's request is cached as it arrives.
pub(super) fn cached(race: &Race, lane: usize, step: u32, held: &[Held]) -> Msg {
    if !race.params.prefix_cache {
        return msg("cache.off");
    }
    let to = race.lanes[lane].decisions()[step as usize].replica;
    let warm = warm(race, held, step);
    if warm.contains(&to) {
        msg("cache.here")
    } else if warm.is_empty() {
        msg("cache.nowhere")
    } else {
        msg("cache.elsewhere").with("at", Arg::List(warm.into_iter().map(Arg::Replica).collect()))
    }
}

/// Key moments of the first lane, found from its own run: the first prefix computed again once
/// the fullest replica is past half its peak; the first first token past the objective; the first
/// time a prefix-aware rule gives up its owner; the peak; and the arrival at which the fullest
/// replicas of the first two lanes differ most.
pub(super) fn moments(race: &Race) -> Vec<Moment> {
    let run = &race.lanes[0];
    let heights = fullest(run);
    let peak = heights.iter().max().copied().unwrap_or(0);
    let half = heights.iter().position(|h| 2 * h > peak);
    let mut found = vec![opening(race, half)];
    let slo = race.params.ttft_slo;
    let late = run.requests().iter().position(|r| r.ttft.is_some_and(|t| t > slo));
    found.push(late.map(|at| {
        let ttft = run.requests()[at].ttft.unwrap_or(0);
        (at, msg("cue.late").with("ttft", ttft).with("slo", slo))
    }));
    let escape = run
        .decisions()
        .iter()
        .position(|d| matches!(d.reason, Reason::Prefix { fallback: Some(Fallback::Imbalanced), .. }));
    found.push(escape.map(|at| (at, msg("cue.escape"))));
    let top = heights.iter().position(|h| *h == peak);
    found.push(top.map(|at| (at, msg("cue.peak").with("n", peak))));
    found.push(race.lanes.get(1).and_then(|other| apart(&heights, other)).map(|at| (at, msg("cue.apart"))));
    Moment::in_order(found)
}

/// The first arrival past half the peak whose prefix is computed again though another replica
/// has it; without one, the first arrival past half the peak.
fn opening(race: &Race, half: Option<usize>) -> Option<(usize, Msg)> {
    let (run, half) = (&race.lanes[0], half?);
    let again = (half..run.decisions().len()).find_map(|at| {
        let record = &run.requests()[at];
        let missed = record.admitted.is_some() && !record.cache_hit;
        let held = missed.then(|| held(run, at as u32))?;
        let warm = warm(race, &held, at as u32);
        let to = record.replica?;
        (!warm.is_empty() && !warm.contains(&to)).then(|| {
            let cue = msg("cue.again")
                .with("family", race.requests()[at].prefix_id + 1)
                .with("at", Arg::List(warm.into_iter().map(Arg::Replica).collect()))
                .with("to", Arg::Replica(to));
            (at, cue)
        })
    });
    again.or_else(|| Some((half, msg("cue.half"))))
}

/// The first arrival at which the fullest replicas of two lanes differ most, if they ever do.
fn apart(heights: &[u32], other: &model::Run) -> Option<usize> {
    let gaps: Vec<u32> = heights.iter().zip(fullest(other)).map(|(a, b)| a.abs_diff(b)).collect();
    let most = gaps.iter().max().copied().filter(|m| *m > 0)?;
    gaps.iter().position(|g| *g == most)
}

/// Says so when the run of a lane was stopped with work left; the first lane before the others.
pub(super) fn cut(race: &Race) -> Option<Msg> {
    let run = race.lanes.iter().find(|run| run.cut)?;
    let arrived = run.decisions().len();
    let left = arrived as u32 - model::summary(run).completed;
    let never = race.requests().len() - arrived;
    let key = match (run.rule == race.lanes[0].rule, never) {
        (true, 0) => "player.cut",
        (true, _) => "cut.arriving",
        (false, _) => "cut.other",
    };
    Some(msg(key).with("tick", MAX_TICK).with("n", left).with("m", never).with("rule", msg(name(run.rule))))
}
