//! "Why this?" for every decision about a request.

use tokenyard_lab::{Arg, Decision, Grid, GridRow, Msg, msg};

use crate::lane::{Candidate, Choice};
use crate::run::{Side, StudyRun};
use crate::{story, why};

/// The decisions of one lane about a request: the first attempt, retries, hedges.
pub(crate) fn of(run: &StudyRun, side: &Side, request: u32) -> Vec<Decision> {
    side.run.about(request).map(|choice| decision(run, side, &choice)).collect()
}

fn decision(run: &StudyRun, side: &Side, choice: &Choice<'_>) -> Decision {
    let to = Arg::Replica(choice.to);
    let title = msg("why.title").with("rule", side.name()).with("to", to.clone());
    let mut lines = vec![why::sentence(choice.why, choice.to, Arg::Replica)];
    if choice.tied > 1 {
        lines.push(msg("why.tied").with("n", choice.tied));
    }
    lines.push(match choice.fresh {
        Some(fresh) if fresh == choice.to => msg("why.fresh-same"),
        Some(fresh) => regret(choice, fresh),
        None => msg("why.fresh-none"),
    });
    lines.extend(side.run.answer(choice.request).map(|a| served(&a)));
    let rows = choice.candidates().map(|c| GridRow {
        cells: cells(run, side, &c),
        chosen: c.replica == choice.to,
        fresh: choice.fresh == Some(c.replica),
    });
    let grid = Grid { head: head(side), rows: rows.collect() };
    Decision { title, style: side.style, lines, grid, answers: false }
}

/// What stale data cost.
fn regret(choice: &Choice<'_>, fresh: u32) -> Msg {
    let row = |replica: u32| choice.candidates().find(|c| c.replica == replica);
    let (fewer, more) = match (row(choice.to), row(fresh)) {
        (Some(a), Some(b)) => {
            (i64::from(a.outstanding) - i64::from(b.outstanding), i64::from(b.blocks) - i64::from(a.blocks))
        }
        _ => (0, 0),
    };
    let told = |n: i64, [less, same, greater]: [&'static str; 3]| match n {
        0 => Arg::Msg(msg(same)),
        n => Arg::Msg(msg(if n < 0 { less } else { greater }).with("n", Arg::Int(n.abs()))),
    };
    msg("why.fresh-other")
        .with("fresh", Arg::Replica(fresh))
        .with("load", told(fewer, ["why.load-more", "why.load-same", "why.load-fewer"]))
        .with("cache", told(more, ["why.cache-fewer", "why.cache-same", "why.cache-more"]))
}

fn served(answer: &crate::Answer) -> Msg {
    msg("why.served")
        .with("outcome", story::outcome(answer))
        .with("wait", Arg::Fixed(answer.wait_ms, 1))
        .with("cached", answer.cached)
        .with("prompt", answer.prompt)
        .with("output", answer.output)
        .with("attempts", answer.attempts)
}

fn head(side: &Side) -> Vec<Msg> {
    let fixed = [
        "grid.replica",
        "grid.believed",
        "grid.outstanding",
        "grid.age",
        "grid.believed-cached",
        "grid.cached",
    ];
    let term =
        |name: &&str| msg("grid.term").with("name", Arg::Key(format!("rule.{}.term.{name}", side.rule)));
    fixed.into_iter().map(msg).chain(side.terms.iter().map(term)).collect()
}

fn cells(run: &StudyRun, side: &Side, c: &Candidate<'_>) -> Vec<Arg> {
    let tokens = |blocks: u32| Arg::Int(i64::from(blocks) * i64::from(run.block));
    let mut cells = vec![
        Arg::Replica(c.replica),
        Arg::Int(c.believed.into()),
        Arg::Int(c.outstanding.into()),
        Arg::Fixed(c.age_ms, 0),
        tokens(c.believed_blocks),
        tokens(c.blocks),
    ];
    let term = |v: f64| if v.is_nan() { Arg::Text("–".to_owned()) } else { Arg::Fixed(v, digits(v)) };
    cells.extend(c.terms.iter().take(side.terms.len()).map(|v| term(*v)));
    cells
}

/// Decimals that a term needs: none for whole numbers.
fn digits(v: f64) -> u8 {
    if v.fract() == 0.0 { 0 } else { 3 }
}
