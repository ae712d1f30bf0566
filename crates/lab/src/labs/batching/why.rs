//! Why a slot was filled, left empty or stalled.

use tokenyard_models::batching::{Cause, Iteration, JobReport, Mode, Run, SlotState, Stall};

use super::story::jobs;
use super::{name, style};
use crate::msg::{Arg, Msg, msg};
use crate::run::{Decision, Grid, GridRow};

/// What was decided in an iteration, slot by slot: admissions, stalls, and slots left empty.
pub(super) fn decisions(run: &Run, step: u32, answers: bool) -> Vec<Decision> {
    let Some(iteration) = run.iterations.get(step as usize) else {
        return Vec::new();
    };
    let slots = 0..iteration.slots.len();
    slots.filter_map(|slot| decision(run, iteration, step, slot, answers)).collect()
}

fn decision(run: &Run, iteration: &Iteration, step: u32, slot: usize, answers: bool) -> Option<Decision> {
    let admitted = run.jobs.iter().find(|j| j.slot == slot && j.admitted == step);
    let stall = iteration.stalls.iter().find(|s| s.slot == slot);
    let (key, job, lines) = match (stall, admitted, iteration.slots[slot].job) {
        (Some(s), _, Some(job)) => ("why.title-stall", job, stall_lines(s, job)),
        (Some(s), _, None) => ("why.title-held", ' ', held_lines(iteration, s)),
        (None, Some(report), _) => ("why.title-admit", report.id, admit_lines(run.mode, iteration, report)),
        (None, None, None) => ("why.title-spare", ' ', vec![msg("why.spare")]),
        (None, None, Some(_)) => return None,
    };
    let mut all = vec![msg("why.exact")];
    all.extend(lines);
    Some(Decision {
        title: msg(key)
            .with("mode", msg(name(run.mode)))
            .with("slot", slot + 1)
            .with("job", Arg::Text(job.to_string())),
        style: style(run.mode),
        lines: all,
        grid: grid(iteration, slot),
        answers,
    })
}

fn stall_lines(stall: &Stall, job: char) -> Vec<Msg> {
    let job = || Arg::Text(job.to_string());
    vec![
        msg("why.stall").with("by", jobs(&stall.by)).with("b", stall.by.len()).with("job", job()),
        // With the same jobs in the same slots: chunked iterations hold chunks and steps.
        msg("why.stall-else").with("job", job()),
    ]
}

/// The empty slots would be filled in slot order from the head of the list.
fn held_lines(iteration: &Iteration, stall: &Stall) -> Vec<Msg> {
    let before = iteration.slots[..stall.slot].iter().filter(|s| s.job.is_none()).count();
    let otherwise = match iteration.waiting.get(before) {
        Some(job) => msg("why.held-else").with("job", Arg::Text(job.to_string())),
        None => msg("why.held-anyway").with("n", iteration.waiting.len()),
    };
    let waiting = msg("why.held")
        .with("waiting", jobs(&iteration.waiting))
        .with("n", iteration.waiting.len())
        .with("by", jobs(&stall.by))
        .with("b", stall.by.len());
    vec![waiting, otherwise]
}

fn admit_lines(mode: Mode, iteration: &Iteration, report: &JobReport) -> Vec<Msg> {
    let job = || Arg::Text(report.id.to_string());
    let rule = if mode == Mode::Static { "why.admit-batch" } else { "why.admit-free" };
    let mut lines = vec![
        msg("why.admit")
            .with("job", job())
            .with("arrival", report.arrival + 1)
            .with("waited", report.waited)
            .with("chunks", report.prefill_chunks),
        msg(rule).with("job", job()),
    ];
    let caused = |s: &&Stall| s.cause == Cause::Prefill && s.by.contains(&report.id);
    let stalled: Vec<char> = iteration.stalls.iter().filter(caused).filter_map(|s| s.job).collect();
    if !stalled.is_empty() {
        let cost = msg("why.admit-cost").with("job", job());
        lines.push(cost.with("stalled", jobs(&stalled)).with("s", stalled.len()));
    }
    lines
}

fn grid(iteration: &Iteration, chosen: usize) -> Grid {
    let row = |(i, slot): (usize, &tokenyard_models::batching::Slot)| {
        let does = match (slot.job, slot.state) {
            (None, _) => "state.empty",
            (Some(_), SlotState::Prefill) => "state.reads",
            (Some(_), SlotState::Decode) => "state.writes",
            (Some(_), SlotState::Idle) => "state.stalls",
        };
        let job = slot.job.map_or_else(|| "–".to_owned(), |job| job.to_string());
        GridRow {
            cells: vec![Arg::from(i + 1), Arg::Text(job), Arg::Msg(msg(does))],
            chosen: i == chosen,
            fresh: false,
        }
    };
    Grid {
        head: vec![msg("why.slot"), msg("why.job"), msg("why.does")],
        rows: iteration.slots.iter().enumerate().map(row).collect(),
    }
}
