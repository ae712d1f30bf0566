//! The figure of a step on paper: the first chart of its state, in the colours of the page around it.
//!
//! A handout goes out before the lesson, so a figure shows nothing that a step asks for or holds back:
//! it is covered as the lab covers it for a reader who has not guessed.

use tokenyard_chart::{Room, Theme, elements};
use tokenyard_figure::Shot;
use tokenyard_lab::{Figure, Markup, Msg, Words, msg};
use tokenyard_lesson::handout::WordsOf;
use tokenyard_lesson::{Lesson, Predicted, Step};

/// What a chart is as wide and as high as: on paper and on screens, and on narrow screens.
const SIZES: [(&str, (u32, u32)); 2] = [("wide", (680, 170)), ("narrow", (300, 200))];

/// Markup of a step's figure; none without a state, or with a state that has no chart. Of steps with the
/// same state one has the figure, and the others say which.
pub(super) fn of(lesson: &Lesson, at: usize, words_of: WordsOf<'_>) -> String {
    let Some((step, place)) = lesson.steps.get(at).and_then(|step| Some((step, step.state.as_ref()?))) else {
        return String::new();
    };
    let words = words_of(Some(place.lab.id));
    let mut m = Markup::default();
    let host = host(lesson, step);
    if let Some((i, other)) = lesson.steps.iter().enumerate().find(|(i, _)| *i == host && host != at) {
        let href = format!("#step-{}", other.id);
        m.el("figcaption", &[], |m| {
            m.text_el("a", &[("href", &href)], &words.say(&msg("paper.same").with("n", i + 1)));
        });
        return m.finish();
    }
    let Some((figure, is_covered)) = shown(lesson, step) else { return String::new() };
    let caption = words.at(&["figure", figure.id, "caption"]);
    let covered = is_covered.then(|| words.at(&["paper.covered"]));
    let alt = [Some(caption.clone()), covered.clone()].into_iter().flatten().collect::<Vec<_>>().join(". ");
    for (class, size) in SIZES {
        chart(&mut m, &figure, &words, class, size, &alt);
    }
    m.el("figcaption", &[], |m| {
        m.text_el("b", &[], &caption);
        if let Some(covered) = &covered {
            m.text(" ");
            m.text(covered);
        }
        m.text(" ");
        m.text_el("small", &[], &words.say(&drawn_from(&Shot::new(place.lab, &place.state, &words))));
    });
    m.finish()
}

/// Settings, seed and model. Not the step: a chart shows all of them.
fn drawn_from(shot: &Shot<'_>) -> Msg {
    let facts: Vec<String> = shot.told().into_iter().skip(1).collect();
    msg("paper.set").with("facts", facts.join(" · "))
}

fn chart(
    m: &mut Markup,
    figure: &Figure,
    words: &Words,
    class: &str,
    (width, height): (u32, u32),
    alt: &str,
) {
    // A chart that cannot be drawn leaves its caption; none is known.
    let drawn = elements(figure, words, Theme::Page, (width, height), Room::PAGE).unwrap_or_default();
    let view = format!("0 0 {width} {height}");
    let attributes = [("class", class), ("viewBox", &view), ("role", "img"), ("aria-label", alt)];
    m.el("svg", &attributes, |m| {
        m.el("g", &[("fill", "none"), ("stroke-linejoin", "round")], |m| m.ready(&drawn));
    });
}

/// Whether two steps show the same lab with the same settings.
fn alike(one: &Step, two: &Step) -> bool {
    match (&one.state, &two.state) {
        (Some(one), Some(two)) => one.lab.id == two.lab.id && one.state.setup == two.state.setup,
        _ => false,
    }
}

/// The step that has the figure of a step's state: the first one that asks about it, to draw the guess
/// into, or the first one that shows it.
pub(super) fn host(lesson: &Lesson, step: &Step) -> usize {
    let first = |asks: bool| {
        lesson.steps.iter().position(|other| alike(other, step) && (!asks || other.predict.is_some()))
    };
    first(true).or(first(false)).unwrap_or_default()
}

/// Whether a lesson asks about the state of a step, or holds back what it shows, there or in any other step.
pub(super) fn secret(lesson: &Lesson, step: &Step) -> bool {
    let held = |other: &Step| other.predict.is_some() || other.reveal.is_some();
    lesson.steps.iter().any(|other| alike(other, step) && held(other))
}

/// The figure of a step without its cursor, and whether anything is left out of it. Of a secret state it
/// is the first chart that has something to leave out, which is what the question is about.
pub(super) fn shown(lesson: &Lesson, step: &Step) -> Option<(Figure, bool)> {
    let place = step.state.as_ref()?;
    let run = place.lab.run(&place.state.setup);
    let opening = || run.moments().first().map_or(0, |moment| moment.step);
    let mut all = run.figures(place.state.step.unwrap_or_else(opening));
    for figure in &mut all {
        figure.cursor = None;
        make_room(figure);
    }
    if !secret(lesson, step) {
        return Some((all.into_iter().next()?, false));
    }
    let mut covered = all.iter().map(|figure| cover(lesson, step, figure.clone()));
    let less = all.iter().zip(&mut covered).find(|(whole, covered)| *whole != covered);
    match less {
        Some((_, covered)) => Some((covered, true)),
        None => Some((all.into_iter().next()?, false)),
    }
}

/// Leaves out what the lab covers, and the line of a row that the lesson asks about in the same lab.
fn cover(lesson: &Lesson, step: &Step, figure: Figure) -> Figure {
    let mut figure = figure.covered();
    let Some(place) = &step.state else { return figure };
    let table = place.lab.table(&place.state.setup);
    for other in lesson.steps.iter().filter(|s| s.state.as_ref().is_some_and(|p| p.lab.id == place.lab.id)) {
        let Some(Predicted::Figure { row, .. }) = other.predict.as_ref().map(|predict| &predict.ask) else {
            continue;
        };
        let asked = match row {
            Some(row) => table.rows.iter().find(|r| r.id == row),
            None => table.headline(),
        };
        if let Some(asked) = asked {
            figure.series.retain(|series| series.style != asked.style);
        }
    }
    figure
}

/// One mark more on the vertical axis where a guide lies at its end: the guide's name would lie on the
/// axis's, and on paper nobody can move the one away.
fn make_room(figure: &mut Figure) {
    let [.., before, last] = figure.y.ticks[..] else { return };
    let step = last - before;
    if figure.guides.iter().any(|guide| guide.y > figure.y.max - step / 2.0) {
        figure.y.max = last + step;
        figure.y.ticks.push(figure.y.max);
    }
}
