//! A task checked by its outcome: what is to be reached and where the lab stands, a ladder of three
//! hints, the trial with 200 seeds, and the code of whoever is done.

use leptos::prelude::*;
use tokenyard_lab::luck::SEEDS;
use tokenyard_lab::task::ENOUGH;
use tokenyard_lab::{Markup, Table, msg, task as check};
use tokenyard_lesson::{Place, Task, code::Finished, say};

use super::class::finish::Finish;
use super::course::Course;
use super::lab;
use crate::job;
use crate::state::Lab;
use crate::widgets::live::{drawn, flag, follow, text};
use crate::widgets::table::cell;
use crate::widgets::task::{self as work, TaskBar};

/// The goals of a task in the words of its lab. Cost: one table. Followed.
#[must_use]
pub fn goals(course: Course, place: &Place, task: &Task) -> Vec<String> {
    let goals = say::goals(task, place, &course.words_of(Some(place.lab)));
    goals.iter().map(|goal| course.shell.now(goal)).collect()
}

/// The task of the present step.
#[component]
pub fn TaskCard(
    /// The lesson.
    course: Course,
    /// The lab in which it is solved.
    lab: Lab,
) -> impl IntoView {
    let shell = course.shell;
    let (at, lesson) = (course.step.get_untracked(), course.lesson());
    let step = lesson.steps.get(at).cloned();
    let Some((step, place, task)) = step.and_then(|s| Some((s.clone(), s.state?, s.task?))) else {
        return ().into_any();
    };
    let rules = StoredValue::new(task.check(&place));
    let trial = work::Task::new(SEEDS);
    let found = found(course, &step.id, lab, rules, task.pinned, trial);
    let (text_of, done_of) = (task.text.clone(), task.done.clone());
    let start = Callback::new(move |()| {
        let setup = lab.setup.get_untracked().with_seed(lab.spec.luck.0);
        trial.start(job::text(job::Kind::Luck, lab.spec, &setup), lab.spec.luck.0);
    });
    let changes = Memo::new(move |_| lab.setup.with(|s| rules.with_value(|r| r.changes(lab.spec, s))));
    let from = place.clone();
    let hints = hints(course, at, &task);
    // Their names do not change with the knobs.
    let named = Memo::new({
        let (place, task) = (place.clone(), task.clone());
        move |_| goals(course, &place, &task)
    });
    let seal = lesson.clone();
    view! {
        <section class="card teach-task" aria-labelledby="task-title">
            <h3 id="task-title" class="card-title">{shell.t("teach.task")}</h3>
            <p>{text(move || course.text(at, &text_of))}</p>
            {drawn("", move || named.with(|named| reached(course, &place, &task, named, lab)))}
            <p class="note">{text(move || changed(course, lab, &changes.get(), rules.with_value(|r| r.max_changes)))}</p>
            <p class="knob-error" role="status" hidden=flag(move || changes.with(check::Changes::allowed))>
                {text(move || refused(course, lab, &changes.get()))}
            </p>
            <div class="teach-actions" hidden=rules.with_value(|r| !r.any_seed)>
                <TaskBar task=trial name="teach.try" progress="teach.trying" start />
            </div>
            <p class="teach-verdict" role="status">{text(move || tried(course, trial, &changes.get(), rules, lab))}</p>
            <button type="button" class="link-button" on:click=move |_| lab::reset(lab, &from)>{shell.t("teach.reset")}</button>
            {hints}
            <div class="teach-done" hidden=flag(move || found.get().is_none())>
                <p>{text(move || course.text(at, &done_of))}</p>
                <Finish lesson=seal step=step.id.clone() outcome=found />
            </div>
        </section>
    }
    .into_any()
}

/// How the task was finished, once it was: kept, so that a learner who goes on playing stays done.
fn found(
    course: Course,
    id: &str,
    lab: Lab,
    rules: StoredValue<check::Task>,
    pinned: bool,
    trial: work::Task,
) -> Signal<Option<Finished>> {
    let basis = Memo::new(move |_| lab.setup.with(|setup| setup.clone().with_seed(0)));
    follow(move |first| {
        basis.with(|_| ());
        if !first {
            trial.clear();
        }
    });
    let key = id.to_owned();
    follow(move |_| {
        let tried = trial.done();
        let outcome = lab.setup.with(|setup| {
            rules.with_value(|rules| {
                let changes = rules.changes(lab.spec, setup);
                if !changes.allowed() {
                    return None;
                }
                let counted = u8::try_from(changes.counted.len()).unwrap_or(u8::MAX);
                if pinned {
                    return rules.met(lab.spec, setup).then_some((counted, None));
                }
                let passes =
                    tried.then(|| trial.rows.with(|rows| lab.table.with(|table| rules.count(table, rows))));
                passes.filter(|passes| *passes >= ENOUGH).map(|passes| (counted, Some(passes)))
            })
        });
        if let Some(outcome) = outcome {
            let is_new = course.kept.with_untracked(|kept| !kept.finished.contains_key(&key));
            if is_new {
                let key = key.clone();
                course.kept.update(|kept| {
                    kept.finished.insert(key, outcome);
                });
            }
        }
    });
    let id = id.to_owned();
    Signal::derive(move || {
        let done = course.kept.with(|kept| kept.finished.get(&id).copied());
        done.map(|(changes, passes)| Finished { changes, passes })
    })
}

/// The goals, `named` by [`goals`], with the figures of the present seed, as markup.
fn reached(course: Course, place: &Place, task: &Task, named: &[String], lab: Lab) -> String {
    let words = course.words_of(Some(place.lab));
    let mut m = Markup::default();
    m.el("ul", &[("class", "teach-goals")], |m| {
        for (one, name) in task.goals.iter().zip(named) {
            let (holds, figure) = lab.table.with(|table| (one.bound.holds(table), one.bound.figure(table)));
            let figure = figure.zip(place.lab.columns.get(one.bound.column));
            let figure = figure.map_or(String::new(), |(figure, column)| cell(&words, column, figure));
            let key = if holds { "teach.goal-holds" } else { "teach.goal-open" };
            let said = course.shell.now(&msg(key).with("goal", name.clone()).with("now", figure));
            m.text_el("li", &[("class", if holds { "holds" } else { "open" })], &said);
        }
    });
    m.finish()
}

/// How many settings were changed, and which.
fn changed(course: Course, lab: Lab, changes: &check::Changes, most: u8) -> String {
    let names = names(course, lab, &changes.counted);
    let said = msg("teach.changed").with("n", changes.counted.len()).with("most", u32::from(most));
    let said = course.shell.now(&said);
    if names.is_empty() { said } else { format!("{said} {names}") }
}

/// Why the present state cannot solve the task, whatever its figures.
fn refused(course: Course, lab: Lab, changes: &check::Changes) -> String {
    let shell = course.shell;
    if changes.forked {
        return shell.now(&msg("teach.forked"));
    }
    if !changes.moved.is_empty() {
        return shell.now(&msg("teach.moved").with("names", names(course, lab, &changes.moved)));
    }
    if changes.too_many { shell.now(&msg("teach.too-many")) } else { String::new() }
}

fn names(course: Course, lab: Lab, keys: &[&'static str]) -> String {
    let words = course.words_of(Some(lab.spec));
    let names: Vec<String> = keys.iter().map(|key| words.at(&["param", key, "name"])).collect();
    names.join(&course.shell.t("number.list").get())
}

/// What the trial said.
fn tried(
    course: Course,
    trial: work::Task,
    changes: &check::Changes,
    rules: StoredValue<check::Task>,
    lab: Lab,
) -> String {
    if !trial.done() || !changes.allowed() {
        return String::new();
    }
    let counted = |table: &Table| trial.rows.with(|rows| rules.with_value(|rules| rules.count(table, rows)));
    let passes = lab.table.with(counted);
    let key = if passes >= ENOUGH { "teach.passed" } else { "teach.not-passed" };
    course.shell.now(&msg(key).with("n", passes).with("of", SEEDS).with("least", ENOUGH))
}

/// Three hints, each opened by a button that names the next.
fn hints(course: Course, at: usize, task: &Task) -> AnyView {
    let shell = course.shell;
    let opened = RwSignal::new(0_usize);
    let hints = StoredValue::new(task.hints.clone());
    let shown = move || {
        let mut m = Markup::default();
        m.el("ol", &[("class", "teach-hints")], |m| {
            for hint in hints.get_value().iter().take(opened.get()) {
                m.text_el("li", &[], &course.text(at, hint));
            }
        });
        if opened.get() == 0 { String::new() } else { m.finish() }
    };
    let name = move || shell.now(&msg("teach.hint").with("n", opened.get() + 1).with("of", 3_u32));
    view! {
        <div class="teach-hint">
            <div role="status">{drawn("", shown)}</div>
            <button type="button" hidden=flag(move || opened.get() >= 3) on:click=move |_| opened.update(|n| *n += 1)>
                {text(name)}
            </button>
        </div>
    }
    .into_any()
}
