//! What a task asks, and how it is solved, in the words of its lab.

use tokenyard_lab::task::Bound;
use tokenyard_lab::{Arg, Msg, Words, msg};

use crate::model::Task;
use crate::place::Place;

/// The goals, each as "Least outstanding: Peak skew ≤ 12": messages of the catalogue `lesson` around words
/// of the task's lab. Cost: one table.
#[must_use]
pub fn goals(task: &Task, place: &Place, lab: &Words) -> Vec<Msg> {
    let table = place.lab.table(&place.state.setup);
    let said = |bound: &Bound| {
        let id = bound.row.as_deref().or_else(|| table.headline().map(|head| head.id));
        let row = table.rows.iter().find(|row| Some(row.id) == id);
        let column = place.lab.columns.get(bound.column);
        let figure = match column.map(|column| column.digits) {
            Some(Some(digits)) => Arg::Fixed(bound.bound, digits),
            _ => Arg::Percent(bound.bound),
        };
        msg(if bound.at_most { "goal.at-most" } else { "goal.at-least" })
            .with("row", row.map_or(String::new(), |row| lab.say(&row.name)))
            .with("column", column.map_or(String::new(), |column| lab.at(&["col", column.key])))
            .with("bound", figure)
    };
    task.goals.iter().map(|goal| said(&goal.bound)).collect()
}

/// The settings of the solution that are not those of the start, each as "Scrape interval: 5 → 1": messages as
/// in [`goals`].
#[must_use]
pub fn solution(task: &Task, place: &Place, lab: &Words) -> Vec<Msg> {
    let (start, end) = (&place.state.setup, &task.solution);
    let mut parts = Vec::new();
    for (from, to) in [(&start.values, &end.values), (&start.view, &end.view)] {
        for (i, spec) in to.specs().iter().enumerate() {
            let (Some(old), Some(new)) = (from.at(i), to.at(i)) else { continue };
            if old == new {
                continue;
            }
            let name = format!("param.{}", spec.key);
            let change = msg("goal.change")
                .with("setting", lab.at(&[&name, "name"]))
                .with("from", lab.value(&name, spec, old))
                .with("to", lab.value(&name, spec, new));
            parts.push(change);
        }
    }
    parts
}
