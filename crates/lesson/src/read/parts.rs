//! Predictions and tasks of a step.

use tokenyard_lab::link;
use tokenyard_lab::spec::Setup;
use tokenyard_lab::task::Bound;
use tokenyard_lab::{Msg, msg};

use super::{Fields, Limit, place};
use crate::fault::{Faults, Line};
use crate::formula::{Relation, figure, number};
use crate::model::{Goal, Predict, Predicted, Step, Task};
use crate::place::{Place, keys, said};
use crate::question::MOST_GUESSES;
use crate::toml::Section;
use crate::write::link_of;

/// Most goals of a task.
const MOST_GOALS: usize = 6;
/// Most settings that a task may let change.
const MOST_CHANGES: i64 = 8;

pub(super) fn predict(
    step: &Step,
    section: Section,
    languages: &[String],
    faults: &mut Faults,
) -> Option<Predict> {
    let line = section.line;
    let place = place(step, line, "[step.predict]", faults)?;
    let mut fields = Fields::of(Some(section), &step.id, languages, faults);
    let ask = fields.word_needed("ask");
    let pinned = pinned(&mut fields);
    let range = fields.word("range");
    let lab = ask.as_ref().is_some_and(|(_, ask)| ask == "lab");
    // The lab's own question has words of its own.
    let text = (!lab).then(|| fields.text("text", Limit::SHORT));
    let mut predicted = Predicted::Lab;
    if let Some((at, ask)) = ask.filter(|_| !lab) {
        match asked(place, &ask, pinned, range.as_ref(), (line, &mut fields)) {
            Ok(found) => predicted = found,
            Err(why) => fields.fault(at, "ask", &ask, why),
        }
    } else if let Some((at, range)) = range {
        fields.fault(at, "range", &range, msg("fault.range-lab"));
    }
    fields.finish(if lab { &["ask"] } else { &["ask", "range", "seeds", "text"] });
    Some(Predict { ask: predicted, text, line })
}

/// `lowest COLUMN`, `highest COLUMN`, or a figure with a range.
fn asked(
    place: &Place,
    ask: &str,
    pinned: bool,
    range: Option<&(Line, String)>,
    (line, fields): (Line, &mut Fields<'_>),
) -> Result<Predicted, Msg> {
    let extreme = [("lowest ", true), ("highest ", false)];
    if let Some((name, lowest)) = extreme.iter().find_map(|(word, low)| Some((ask.strip_prefix(word)?, *low)))
    {
        let (row, column) = figure(place, name)?;
        if row.is_some() {
            return Err(msg("fault.extreme-row"));
        }
        return Ok(Predicted::Extreme { column, lowest, pinned });
    }
    let (row, column) = figure(place, ask)?;
    let (at, given) = range.map_or((line, ""), |(at, range)| (*at, range.as_str()));
    let Some((min, max, step)) = spans(given) else {
        fields.fault(at, "range", given, msg("fault.range").with("most", MOST_GUESSES));
        return Ok(Predicted::Lab);
    };
    Ok(Predicted::Figure { row, column, min, max, step, pinned })
}

/// `0 to 400 step 20`.
fn spans(text: &str) -> Option<(i64, i64, i64)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [min, "to", max, "step", step] = words[..] else { return None };
    let (min, max, step): (i64, i64, i64) = (min.parse().ok()?, max.parse().ok()?, step.parse().ok()?);
    let edge = 1_000_000;
    let sound = min.abs() <= edge && max.abs() <= edge && (1..=edge).contains(&step) && max > min;
    (sound && (max - min) % step == 0 && (max - min) / step < i64::from(MOST_GUESSES))
        .then_some((min, max, step))
}

/// `seeds = "pinned"`, or `"all"`, as it is without.
fn pinned(fields: &mut Fields<'_>) -> bool {
    match fields.word("seeds") {
        Some((_, word)) if word == "pinned" => true,
        Some((line, word)) if word != "all" => {
            fields.fault(line, "seeds", &word, msg("fault.seeds"));
            false
        }
        _ => false,
    }
}

pub(super) fn task(step: &Step, section: Section, languages: &[String], faults: &mut Faults) -> Option<Task> {
    let line = section.line;
    let place = place(step, line, "[step.task]", faults)?;
    let mut fields = Fields::of(Some(section), &step.id, languages, faults);
    let goals = goals(place, &mut fields);
    let changes = fields.number("changes", 0..=MOST_CHANGES);
    let keep = kept(place, &mut fields);
    let pinned = pinned(&mut fields);
    let solution = fields.word_needed("solution");
    let task = Task {
        goals,
        changes: u8::try_from(changes).unwrap_or(0),
        keep,
        pinned,
        solution: place.state.setup.clone(),
        solution_line: solution.as_ref().map_or(line, |(at, _)| *at),
        text: fields.text("text", Limit::SHORT),
        hints: fields.hints(),
        done: fields.text("done", Limit::SHORT),
        line,
    };
    let task = match solution {
        Some((at, text)) => solved(task, place, at, &text, &mut fields),
        None => task,
    };
    fields.finish(&["goals", "changes", "keep", "seeds", "solution", "text", "hints", "done"]);
    Some(task)
}

fn goals(place: &Place, fields: &mut Fields<'_>) -> Vec<Goal> {
    let (line, texts) = fields.list("goals");
    if !(1..=MOST_GOALS).contains(&texts.len()) {
        fields.fault(line, "goals", "", msg("fault.goals").with("most", MOST_GOALS));
    }
    let mut goals = Vec::new();
    for text in texts {
        match goal(place, &text) {
            Ok(bound) => goals.push(Goal { bound, line }),
            Err(why) => fields.fault(line, "goals", &text, why),
        }
    }
    goals
}

/// `row.column <= 80` or `column >= 60%`.
fn goal(place: &Place, text: &str) -> Result<Bound, Msg> {
    let form = || msg("fault.goal");
    let (name, relation, value) = Relation::split(text).ok_or_else(form)?;
    let at_most = match relation {
        Relation::AtMost => true,
        Relation::AtLeast => false,
        Relation::Less | Relation::Greater => return Err(form()),
    };
    let (row, column) = figure(place, name)?;
    Ok(Bound { row, column, at_most, bound: number(value).ok_or_else(form)? })
}

fn kept(place: &Place, fields: &mut Fields<'_>) -> Vec<&'static str> {
    let (line, names) = fields.list("keep");
    let mut kept: Vec<&'static str> = Vec::new();
    for name in names {
        let mut specs = place.lab.params.iter().chain(place.lab.views);
        match specs.find(|spec| spec.link == name) {
            Some(spec) => kept.push(spec.key),
            None => fields.fault(line, "keep", &name, msg("fault.keep").with("allowed", keys(place.lab))),
        }
    }
    kept
}

/// Puts the reference solution, `limit=20&slots=6`, over the start, and refuses one that the task itself
/// does not allow.
fn solved(mut task: Task, place: &Place, at: Line, text: &str, fields: &mut Fields<'_>) -> Task {
    let mut full = link::write(place.lab, &place.state);
    let given = |key: &str| text.split('&').any(|part| part.split('=').next() == Some(key));
    let kept: Vec<&str> =
        full.split('&').filter(|p| !p.is_empty() && !given(p.split('=').next().unwrap_or(p))).collect();
    full = kept.join("&");
    let (state, notices) = link::read(place.lab, &format!("{full}&{text}"));
    for notice in &notices {
        fields.fault(at, "solution", text, said(place.lab, notice));
    }
    task.solution = Setup { ..state.setup };
    let changes = task.check(place).changes(place.lab, &task.solution);
    if task.solution == place.state.setup {
        fields.fault(at, "solution", text, msg("fault.solution-start"));
    }
    if changes.too_many {
        let why =
            msg("fault.solution-many").with("n", changes.counted.len()).with("most", u32::from(task.changes));
        fields.fault(at, "solution", text, why);
    }
    if !changes.moved.is_empty() {
        let names: Vec<&str> = changes.moved.iter().map(|key| link_of(place.lab, key)).collect();
        let why = msg("fault.solution-kept").with("what", names.join(", "));
        fields.fault(at, "solution", text, why);
    }
    if changes.forked {
        fields.fault(at, "solution", text, msg("fault.solution-fork"));
    }
    task
}
