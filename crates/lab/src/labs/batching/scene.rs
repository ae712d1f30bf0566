//! The stage: three slot × iteration charts, one under the other, with one cursor.

use tokenyard_models::batching::{Run, Slot, SlotState};

use super::story::jobs;
use super::{Trio, name};
use crate::markup::Markup;
use crate::msg::{Arg, msg};
use crate::words::Words;

/// Every so many iterations the ruler has a number.
const EVERY: u32 = 5;

pub(super) fn draw(trio: &Trio, step: u32, covered: bool, words: &Words) -> String {
    let mut m = Markup::default();
    m.el("div", &[("class", "batching-stage")], |m| {
        ruler(m, trio.length(), step);
        for run in &trio.runs {
            chart(m, trio, run, step, covered && run.mode != trio.view, words);
        }
        legend(m, words);
    });
    m.finish()
}

fn ruler(m: &mut Markup, length: u32, step: u32) {
    m.el("div", &[("class", "slot-row slot-ruler"), ("aria-hidden", "true")], |m| {
        m.el("span", &[("class", "slot-name")], |_| {});
        for i in 1..=length {
            let class = if i == step + 1 { "slot-tick is-now" } else { "slot-tick" };
            let number = if i == 1 || i % EVERY == 0 { i.to_string() } else { String::new() };
            m.text_el("span", &[("class", class)], &number);
        }
    });
}

fn chart(m: &mut Markup, trio: &Trio, run: &Run, step: u32, covered: bool, words: &Words) {
    let title = words.get(name(run.mode)).to_owned();
    let class = if run.mode == trio.view { "slot-chart is-view" } else { "slot-chart" };
    m.el("section", &[("class", class), ("aria-label", &title)], |m| {
        m.el("div", &[("class", "slot-head")], |m| {
            m.text_el("h3", &[("class", "slot-mode")], &title);
            m.text_el("span", &[("class", "slot-figure")], &figure(run, step, covered, words));
        });
        for slot in 0..run.iterations.first().map_or(0, |i| i.slots.len()) {
            row(m, trio, run, slot, step, covered, words);
        }
        m.el("div", &[("class", "slot-row slot-zeros"), ("aria-hidden", "true")], |m| {
            m.el("span", &[("class", "slot-name")], |_| {});
            for i in 0..trio.length() {
                let silent = run.iterations.get(i as usize).is_some_and(|it| it.tokens == 0);
                let mut class = "slot-zero".to_owned();
                class.push_str(if silent && i <= step && !covered { " is-zero" } else { "" });
                class.push_str(if i == step { " is-now" } else { "" });
                m.el("span", &[("class", &class)], |_| {});
            }
        });
    });
}

/// Tokens and silent iterations so far, and who waits.
fn figure(run: &Run, step: u32, covered: bool, words: &Words) -> String {
    if covered {
        return words.get("scene.covered").to_owned();
    }
    let seen = run.iterations.iter().take(step as usize + 1);
    let tokens: u32 = seen.clone().map(|i| i.tokens).sum();
    let sum = msg("scene.sum").with("tokens", tokens).with("zero", seen.filter(|i| i.tokens == 0).count());
    let waiting = run.iterations.get(step as usize).map_or(&[][..], |i| &i.waiting);
    match (run.iterations_to_drain <= step, waiting) {
        (true, _) => {
            words.say(&msg("scene.drained").with("tokens", tokens).with("n", run.iterations_to_drain))
        }
        (false, []) => words.say(&sum),
        (false, waiting) => words.say(&msg("scene.queue").with("sum", sum).with("waiting", jobs(waiting))),
    }
}

fn row(m: &mut Markup, trio: &Trio, run: &Run, slot: usize, step: u32, covered: bool, words: &Words) {
    let label = words.say(&label(run, slot, step, covered));
    m.el("div", &[("class", "slot-row"), ("role", "img"), ("aria-label", &label)], |m| {
        m.text_el("span", &[("class", "slot-name")], &(slot + 1).to_string());
        let mut before = None;
        for i in 0..trio.length() {
            let here = run.iterations.get(i as usize).filter(|_| !covered).map(|it| it.slots[slot]);
            let held = here.is_some_and(|s| s.job.is_none())
                && run.iterations[i as usize].stalls.iter().any(|s| s.slot == slot);
            let job = here.and_then(|s| s.job);
            cell(m, here, Place { next: i > step, now: i == step, held, first: job != before, covered });
            before = job;
        }
    });
}

/// What the slot does in the iteration under the cursor.
fn label(run: &Run, slot: usize, step: u32, covered: bool) -> crate::Msg {
    let here = run.iterations.get(step as usize).filter(|_| !covered).map(|i| i.slots[slot]);
    let does = match here {
        None if covered => return msg("scene.slot-covered").with("slot", slot + 1),
        None => "state.over",
        Some(Slot { job: None, .. }) => "state.empty",
        Some(Slot { state: SlotState::Prefill, .. }) => "state.reads",
        Some(Slot { state: SlotState::Decode, .. }) => "state.writes",
        Some(Slot { state: SlotState::Idle, .. }) => "state.stalls",
    };
    let state = msg("scene.slot").with("slot", slot + 1).with("does", msg(does));
    match here.and_then(|s| s.job) {
        Some(job) => msg("scene.slot-job")
            .with("slot", slot + 1)
            .with("job", Arg::Text(job.to_string()))
            .with("does", msg(does)),
        None => state,
    }
}

/// Where a cell stands.
#[derive(Clone, Copy)]
struct Place {
    next: bool,
    now: bool,
    held: bool,
    first: bool,
    covered: bool,
}

/// Striped reads, solid writes, outlined stalls, dashed is empty; what is to come is pale and
/// without a letter. On a narrow screen only the first cell of a job keeps its letter.
fn cell(m: &mut Markup, here: Option<Slot>, place: Place) {
    let mut class = "cell".to_owned();
    class.push_str(match here {
        None if place.covered => " is-covered",
        None => " is-over",
        Some(Slot { job: None, .. }) if place.held => " is-held",
        Some(Slot { job: None, .. }) => " is-empty",
        Some(Slot { state: SlotState::Prefill, .. }) => " is-prefill",
        Some(Slot { state: SlotState::Decode, .. }) => " is-decode",
        Some(Slot { state: SlotState::Idle, .. }) => " is-stalled",
    });
    let job = here.and_then(|s| s.job);
    if let Some(job) = job {
        // Six jobs, six styles: A is the first.
        let style = (u32::from(job).saturating_sub(u32::from('A'))) % 6 + 1;
        class.push_str(&format!(" style-{style}"));
    }
    for (on, name) in [(place.next, " is-next"), (place.now, " is-now"), (place.first, " is-first")] {
        class.push_str(if on { name } else { "" });
    }
    m.el("span", &[("class", &class)], |m| {
        if let Some(job) = job.filter(|_| !place.next) {
            m.text_el("span", &[("class", "cell-job")], &job.to_string());
        }
    });
}

fn legend(m: &mut Markup, words: &Words) {
    let keys = [
        ("cell is-prefill style-1", "scene.key-reads"),
        ("cell is-decode style-1", "scene.key-writes"),
        ("cell is-stalled style-1", "scene.key-stalls"),
        ("cell is-held", "scene.key-held"),
        ("slot-zero is-zero", "scene.key-zero"),
    ];
    m.el("ul", &[("class", "slot-legend")], |m| {
        for (class, key) in keys {
            m.el("li", &[], |m| {
                m.el("span", &[("class", class), ("aria-hidden", "true")], |_| {});
                m.text_el("span", &[], words.get(key));
            });
        }
    });
}
