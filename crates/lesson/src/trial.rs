//! What takes 200 seeds to know: that a task can be solved, and not by luck.

use tokenyard_lab::luck::SEEDS;
use tokenyard_lab::msg;
use tokenyard_lab::task::{ENOUGH, LUCKY};

use crate::fault::{Fault, Faults};
use crate::model::{Lesson, Predicted, Step};
use crate::question::out_of_guesses;
use crate::write;

/// What 200 seeds say of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tried {
    /// Seeds in which the solution reaches the goals.
    pub solution: u32,
    /// Seeds in which the untouched start does.
    pub start: u32,
}

/// Tries the task of a step; `None` if it has none. A task that is pinned to its seed is tried with that
/// seed alone: all or no seeds pass. Cost: 400 tables at most.
#[must_use]
pub fn of(step: &Step) -> Option<Tried> {
    let (place, task) = (step.state.as_ref()?, step.task.as_ref()?);
    let check = task.check(place);
    let passes = |setup| {
        if task.pinned {
            if check.met(place.lab, setup) { SEEDS } else { 0 }
        } else {
            check.passes(place.lab, setup)
        }
    };
    Some(Tried { solution: passes(&task.solution), start: passes(&place.state.setup) })
}

/// Faults of a lesson's tasks and of its questions about many seeds. A solution must hold in at least
/// 95% of the seeds, the start in at most 1%. Cost: some hundred tables for each task.
#[must_use]
pub fn faults(lesson: &Lesson) -> Vec<Fault> {
    let mut faults = Faults::default();
    for (i, step) in lesson.steps.iter().enumerate() {
        if let (Some(tried), Some(task), Some(place)) = (of(step), &step.task, &step.state) {
            let field = |part: &str| format!("{}.{part}", step.id);
            if tried.solution < ENOUGH {
                let why = msg("fault.trial-solution").with("n", tried.solution).with("of", SEEDS);
                let given = write::solution(task, place);
                faults.add(task.solution_line, &field("solution"), &given, why.with("least", ENOUGH));
            }
            if tried.start > LUCKY {
                let why = msg("fault.trial-start").with("n", tried.start).with("of", SEEDS);
                let line = task.goals.first().map_or(task.line, |goal| goal.line);
                faults.add(
                    line,
                    &field("goals"),
                    &write::goals(task, place).join(", "),
                    why.with("most", LUCKY),
                );
            }
        }
        answered(lesson, i, &mut faults);
    }
    faults.finish()
}

fn answered(lesson: &Lesson, at: usize, faults: &mut Faults) {
    let step = &lesson.steps[at];
    let asked = step.predict.as_ref().filter(|predict| predict.ask != Predicted::Lab);
    if let Some((predict, given)) = asked.zip(asked.and_then(|_| out_of_guesses(lesson, at))) {
        faults.add(predict.line, &format!("{}.ask", step.id), &given, msg("fault.answer"));
    }
}
