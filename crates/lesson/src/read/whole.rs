//! What can only be checked once all steps are known.

use tokenyard_lab::msg;

use super::texts;
use crate::fault::Faults;
use crate::formula::Formula;
use crate::model::{Lesson, Predicted};
use crate::prose::{places, width};
use crate::question::out_of_guesses;

/// Minutes add up and no step has the name of another.
pub(super) fn sums(lesson: &Lesson, faults: &mut Faults) {
    let sum: u32 = lesson.steps.iter().map(|step| step.minutes).sum();
    let known = lesson.minutes > 0 && lesson.steps.iter().all(|step| step.minutes > 0);
    if known && sum != lesson.minutes {
        let why = msg("fault.minutes").with("n", sum);
        faults.add(lesson.line, "minutes", &lesson.minutes.to_string(), why);
    }
    for (i, step) in lesson.steps.iter().enumerate() {
        if let Some(first) = lesson.steps[..i].iter().find(|s| !s.id.is_empty() && s.id == step.id) {
            faults.add(step.line, "id", &step.id, msg("fault.twice").with("first", first.line.0));
        }
    }
}

/// Placeholders name what there is, and questions have their answers.
pub(super) fn check(lesson: &Lesson, faults: &mut Faults) {
    for i in 0..lesson.steps.len() {
        predictions(lesson, i, faults);
    }
    for (field, lab, text) in texts(lesson) {
        if text.by.len() != lesson.languages.len() {
            continue;
        }
        let first = text.by.first().map(|words| places(words)).unwrap_or_default();
        for ((words, line), language) in text.by.iter().zip(&text.lines).zip(&lesson.languages) {
            let field = format!("{field}.{language}");
            let own = places(words);
            for place in &own {
                let said = Formula::read(lesson, place).and_then(|formula| match formula.speaks(lesson) {
                    Some(other) if lab != Some(other) => {
                        Err(msg("fault.place-lab").with("lab", other.to_owned()))
                    }
                    _ => Ok(()),
                });
                if let Err(why) = said {
                    faults.add(*line, &field, place, why);
                }
            }
            if own != first {
                let why = msg("fault.places").with("language", lesson.languages[0].clone());
                faults.add(*line, &field, &own.join(", "), why.with("others", first.join(", ")));
            }
        }
    }
    named(lesson, faults);
}

/// A number's answer lies among its guesses. Without seeds: those are tried later.
fn predictions(lesson: &Lesson, at: usize, faults: &mut Faults) {
    let step = &lesson.steps[at];
    let Some(predict) = &step.predict else { return };
    let seeds = matches!(
        &predict.ask,
        Predicted::Figure { pinned: false, .. } | Predicted::Extreme { pinned: false, .. }
    );
    if let Some(given) = (!seeds).then(|| out_of_guesses(lesson, at)).flatten() {
        faults.add(predict.line, &format!("{}.ask", step.id), &given, msg("fault.answer"));
    }
}

/// A word of a text is no wider than a slide: nothing could break it.
fn named(lesson: &Lesson, faults: &mut Faults) {
    const WIDEST: usize = 60;
    for (field, _, text) in texts(lesson) {
        for (words, line) in text.by.iter().zip(&text.lines) {
            let plain = |word: &&str| !word.chars().any(crate::prose::wide) && !word.contains('{');
            if let Some(word) = words.split_whitespace().filter(plain).find(|word| width(word) > WIDEST) {
                faults.add(*line, &field, word, msg("fault.word").with("most", WIDEST));
            }
        }
    }
}
