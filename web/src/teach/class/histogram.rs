//! What a class guessed, drawn over the answer.

use leptos::prelude::*;
use tokenyard_lab::{Arg, Msg, Words, msg};
use tokenyard_lesson::code::Room;
use tokenyard_lesson::{Asked, Question};

use super::bins::{Bins, bins};
use super::draw::{NARROW, Sheet, WIDE, lying, range, table, upright};
use crate::shell::shell;
use crate::widgets::live::{drawn, text};

/// A histogram of a room's guesses.
#[component]
pub fn Answers(
    /// The class's guesses.
    room: RwSignal<Room>,
    /// What is right, in the question's own numbers; `None` as long as it is not revealed.
    outcome: Signal<Option<f64>>,
    /// Each guess in words, in their order.
    labels: Signal<Vec<String>>,
) -> impl IntoView {
    let shell = shell();
    let picture = move || {
        shell
            .words
            .with(|words| room.with(|room| labels.with(|labels| picture(room, outcome.get(), labels, words))))
    };
    let twin = move || {
        shell.words.with(|words| {
            room.with(|room| {
                labels.with(|labels| {
                    let (bins, ranges) = binned(room, outcome.get(), labels, &WIDE);
                    table(&bins, &ranges, words)
                })
            })
        })
    };
    let said = move || {
        let said = room
            .with(|room| labels.with(|labels| shell.words.with(|w| said(room, outcome.get(), labels, w))));
        let sentences: Vec<String> = said.iter().map(|m| shell.now(m)).collect();
        sentences.join(" ")
    };
    let wide =
        move || shell.words.with(|words| room.with(|room| labels.with(|labels| width(room, labels, words))));
    view! {
        <section class="card answers" aria-label=shell.t("class.answers")>
            <p class="answers-said">{text(said)}</p>
            {drawn("answers-picture", picture)}
            <p class="note">{text(wide)}</p>
            <details class="twin-box">
                <summary>{shell.t("class.as-table")}</summary>
                {drawn("table-box", twin)}
            </details>
        </section>
    }
    .into_any()
}

fn is_number(question: &Question) -> bool {
    matches!(question.asked, Asked::Number { .. })
}

fn binned(room: &Room, outcome: Option<f64>, labels: &[String], sheet: &Sheet) -> (Bins, Vec<String>) {
    let question = room.question();
    let bins = bins(question, &room.counts(), outcome, sheet.most);
    let ranges = bins.bins.iter().map(|bin| range(*bin, labels)).collect();
    (bins, ranges)
}

/// The drawing: numbers in two sizes, of which the style sheet shows one.
pub(super) fn picture(room: &Room, outcome: Option<f64>, labels: &[String], words: &Words) -> String {
    let question = room.question();
    if !is_number(question) {
        let (bins, ranges) = binned(room, outcome, labels, &WIDE);
        return lying(&bins, &ranges, words);
    }
    let sentences: Vec<String> = said(room, outcome, labels, words).iter().map(|m| words.say(m)).collect();
    let right = outcome.map(|outcome| words.say(&right(question, outcome, labels, words)));
    let sheets = [WIDE, NARROW].map(|sheet| {
        let (bins, ranges) = binned(room, outcome, labels, &sheet);
        upright(&bins, &ranges, right.as_deref().unwrap_or_default(), &sentences.join(" "), &sheet)
    });
    sheets.concat()
}

/// The right answer in words: an option's own, or a number as exact as it is, in percent where the guesses
/// are.
fn right(question: &Question, outcome: f64, labels: &[String], words: &Words) -> Msg {
    let percent = labels.first().is_some_and(|label| label.ends_with('%'));
    let text = match (&question.asked, question.index(outcome)) {
        (Asked::Number { digits, .. }, at) => {
            let own = at.filter(|at| question.value(*at) == Some(outcome));
            let number = || words.arg(&Arg::Fixed(outcome, if percent { 1 } else { *digits }));
            let whole = || if percent { format!("{}%", number()) } else { number() };
            own.and_then(|at| labels.get(at as usize).cloned()).unwrap_or_else(whole)
        }
        (_, at) => at.and_then(|at| labels.get(at as usize).cloned()).unwrap_or_default(),
    };
    msg("class.right").with("answer", Arg::Text(text))
}

/// How many learners there are, and, once it is known, what is right and how many of them guessed it.
pub(super) fn said(room: &Room, outcome: Option<f64>, labels: &[String], words: &Words) -> Vec<Msg> {
    let (question, learners) = (room.question(), room.learners());
    let count = msg(if learners == 0 { "class.no-answers" } else { "class.answered" }).with("n", learners);
    let Some(outcome) = outcome else {
        return vec![count];
    };
    let (bins, ranges) = binned(room, Some(outcome), labels, &WIDE);
    let hit = bins.right.map(|at| {
        let key = if bins.each > 1 { "class.hit-range" } else { "class.hit" };
        let hit = msg(key).with("n", bins.bins[at].learners);
        if bins.each > 1 { hit.with("range", Arg::Text(ranges[at].clone())) } else { hit }
    });
    vec![count, right(question, outcome, labels, words), hit.unwrap_or_else(|| msg("class.beyond"))]
}

/// How many guesses share a bar, if more than one does.
fn width(room: &Room, labels: &[String], words: &Words) -> String {
    let (bins, ranges) = binned(room, None, labels, &WIDE);
    match ranges.first() {
        Some(first) if bins.each > 1 => {
            words.say(&msg("class.bar").with("n", bins.each).with("range", Arg::Text(first.clone())))
        }
        _ => String::new(),
    }
}
