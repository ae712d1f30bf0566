//! What a class guessed, drawn over the answer.

use leptos::prelude::*;
use tokenyard_lab::{Arg, Markup, Msg, Words, msg};
use tokenyard_lesson::code::Room;
use tokenyard_lesson::{Asked, Question};

use super::bins::{Bins, bins};
use super::draw::{NARROW, Sheet, WIDE, lying, range, table, upright};
use crate::shell::shell;
use crate::widgets::live::drawn;

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
    // Made once for both drawings: a question has up to 256 guesses.
    let labels = Memo::new(move |_| labels.get());
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
    view! {
        <section class="card answers" aria-label=shell.t("class.answers")>
            {drawn("answers-picture", picture)}
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

/// The drawing with its sentences: numbers in two sizes, of which the style sheet shows one.
pub(super) fn picture(room: &Room, outcome: Option<f64>, labels: &[String], words: &Words) -> String {
    let is_number = is_number(room.question());
    let mut m = Markup::default();
    for sheet in if is_number { &[WIDE, NARROW][..] } else { &[WIDE][..] } {
        let (bins, ranges) = binned(room, outcome, labels, sheet);
        let said: Vec<String> =
            said(room, outcome, labels, words, sheet).iter().map(|m| words.say(m)).collect();
        m.el("div", &[("class", if is_number { sheet.class } else { "" })], |m| {
            m.text_el("p", &[("class", "answers-said")], &said.join(" "));
            if is_number {
                let right = outcome.map_or_else(String::new, |outcome| {
                    let answer = right(room.question(), outcome, labels, words);
                    words.say(&msg("class.right").with("answer", answer))
                });
                upright(m, &bins, &ranges, &right, &words.at(&["class.answers"]), sheet);
            } else {
                lying(m, &bins, &ranges, words);
            }
            if let (true, Some(first)) = (bins.each > 1, ranges.first()) {
                let each = msg("class.bar").with("n", bins.each).with("range", Arg::Text(first.clone()));
                m.text_el("p", &[("class", "note")], &words.say(&each));
            }
        });
    }
    m.finish()
}

/// The right answer in words: an option's own, or a number as exact as it is, in percent where the guesses
/// are.
fn right(question: &Question, outcome: f64, labels: &[String], words: &Words) -> Arg {
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
    Arg::Text(text)
}

/// How many learners there are, and, once it is known, what is right and how many of them guessed it.
pub(super) fn said(
    room: &Room,
    outcome: Option<f64>,
    labels: &[String],
    words: &Words,
    sheet: &Sheet,
) -> Vec<Msg> {
    let (question, learners) = (room.question(), room.learners());
    let count = msg(if learners == 0 { "class.no-answers" } else { "class.answered" }).with("n", learners);
    let Some(outcome) = outcome else {
        return vec![count];
    };
    let (bins, ranges) = binned(room, Some(outcome), labels, sheet);
    let hit = bins.right.map(|at| {
        let (n, range) = (bins.bins[at].learners, Arg::Text(ranges[at].clone()));
        match bins.each {
            1 => msg("class.hit").with("n", n),
            _ => msg("class.hit-range").with("n", n).with("range", range),
        }
    });
    let right = msg("class.right-is").with("answer", right(question, outcome, labels, words));
    vec![count, right, hit.unwrap_or_else(|| msg("class.beyond"))]
}
