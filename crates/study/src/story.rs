//! Sentences about a step, and the steps worth a pause.

use tokenyard_lab::{Arg, Moment, Msg, msg};

use crate::lane::ENDINGS;
use crate::run::{Side, StudyRun};

/// One sentence about a request in every lane.
pub(crate) fn say(run: &StudyRun, step: u32) -> Msg {
    if run.sides.is_empty() {
        return msg("say.nothing");
    }
    let answer = run.sides.iter().find_map(|side| side.run.answer(step));
    let targets: Vec<Arg> = run.sides.iter().map(|side| Arg::Msg(sent(side, step))).collect();
    let key = if run.parts(step) { "say.parts" } else { "say.same" };
    msg(key).with("n", step).with("tokens", answer.map_or(0, |a| a.prompt)).with("lanes", Arg::List(targets))
}

/// Where a lane sent a request and how it went.
fn sent(side: &Side, step: u32) -> Msg {
    let Some(choice) = side.run.first(step) else {
        return msg("say.unrouted").with("rule", side.short());
    };
    let lane = msg("say.lane").with("rule", side.short()).with("to", Arg::Replica(choice.to));
    let answer = side.run.answer(step).map(|a| match a.ending {
        Some(0) => msg("say.after").with("ms", Arg::Fixed(a.ttft_ms, 0)),
        _ => outcome(&a),
    });
    lane.with("outcome", answer.unwrap_or_else(|| msg("say.open")))
}

/// The time to first token, or how a request ended without an answer.
pub(crate) fn outcome(answer: &crate::Answer) -> Msg {
    match answer.ending {
        Some(0) => msg("say.first-token").with("ms", Arg::Fixed(answer.ttft_ms, 0)),
        Some(code) => msg("say.ended").with("how", Arg::Key(format!("ending.{}", ENDINGS[code].1))),
        None => msg("say.open"),
    }
}

/// The first parting of two lanes, the longest line, the first decision that fresh data would have
/// changed, and the slowest first token.
pub(crate) fn moments(run: &StudyRun) -> Vec<Moment> {
    // Where nothing is cached anywhere, rules part by chance.
    let known = |request: u32| {
        let choices = run.sides.iter().filter_map(|side| side.run.first(request));
        choices.flat_map(|choice| choice.candidates()).any(|c| c.blocks > 0)
    };
    let parts = |request: &u32| run.parts(*request);
    let parting = (0..run.requests()).find(|n| parts(n) && known(*n));
    let parting = parting.or_else(|| (0..run.requests()).find(parts));
    let parting = parting.map(|n| (n as usize, msg("moment.parting").with("n", n)));
    Moment::in_order([parting, longest(run), stale(run), slowest(run)])
}

fn longest(run: &StudyRun) -> Option<(usize, Msg)> {
    let all = run
        .sides
        .iter()
        .flat_map(|side| (0..side.run.decisions()).filter_map(move |i| Some((side, side.run.decision(i)?))));
    let mut worst: Option<(&Side, u32, u32)> = None;
    for (side, choice) in all {
        let busiest = choice.busiest();
        if worst.is_none_or(|(.., most)| busiest > most) {
            worst = Some((side, choice.request, busiest));
        }
    }
    let (side, request, most) = worst.filter(|(.., most)| *most > 0)?;
    Some((request as usize, msg("moment.longest").with("rule", side.name()).with("n", most)))
}

fn stale(run: &StudyRun) -> Option<(usize, Msg)> {
    let first = |side: &Side| {
        let all = (0..side.run.decisions()).filter_map(|i| side.run.decision(i));
        let mut wrong = all.filter(|choice| choice.fresh.is_some_and(|fresh| fresh != choice.to));
        wrong.next().map(|choice| (choice.request, choice.to, choice.fresh.unwrap_or(choice.to)))
    };
    let found = run.sides.iter().filter_map(|side| Some((side, first(side)?)));
    let (side, (request, to, fresh)) = found.min_by_key(|(_, (request, ..))| *request)?;
    let cue = msg("moment.stale")
        .with("rule", side.name())
        .with("to", Arg::Replica(to))
        .with("fresh", Arg::Replica(fresh));
    Some((request as usize, cue))
}

fn slowest(run: &StudyRun) -> Option<(usize, Msg)> {
    let mut worst: Option<(&Side, u32, f64)> = None;
    for side in &run.sides {
        for request in 0..side.run.requests() {
            let ttft = side.run.answer(request).map_or(0.0, |a| a.ttft_ms);
            if worst.is_none_or(|(.., most)| ttft > most) {
                worst = Some((side, request, ttft));
            }
        }
    }
    let (side, request, ms) = worst.filter(|(.., ms)| *ms > 0.0)?;
    Some((request as usize, msg("moment.slowest").with("rule", side.name()).with("ms", Arg::Fixed(ms, 0))))
}
