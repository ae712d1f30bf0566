//! `tokenyard lesson`: a lesson file, checked down to its numbers, as an outline or as a handout.

use std::io::Read as _;

use serde_json::{Map, Value as Json, json};
use tokenyard_lab::{Words, luck};
use tokenyard_lesson::{Facts, Fault, Lesson, MAX_BYTES, Step, Text, fleet, handout, read, trial, write};
use tokenyard_study::link as study;

use crate::args::Args;
use crate::grid::{Cell, Grid};
use crate::json;
use crate::options::one_of;
use crate::outcome::Outcome;
use crate::refusal::{Refusal, shown};
use crate::words;

const FORMATS: [&str; 3] = ["table", "json", "markdown"];

/// Reads a lesson, tries its tasks and prints it.
pub(crate) fn command(mut args: Args) -> Result<Outcome, Refusal> {
    let same = |name| (name, name);
    let format = one_of(&mut args, "format", &FORMATS.map(same))?.unwrap_or(FORMATS[0]);
    let languages: Vec<_> = words::languages().into_iter().map(same).collect();
    let language = one_of(&mut args, "lang", &languages)?.unwrap_or_else(words::default);
    let notes = args.switch("notes")?;
    let Some(path) = args.positional() else {
        return Err(Refusal::new("lesson needs a file, or - for standard input".to_owned()));
    };
    args.finish("lesson", &["format", "notes", "lang"])?;
    let said = words::with(&["common", "lesson"], words::default())?;
    let lesson = read(&contents(&path)?).map_err(|faults| refusal(&faults, &said))?;
    let notices = |fragment: &str| study::read(fragment).1;
    let mut faults = fleet::faults(&lesson, notices, study::MODEL_VERSION);
    if faults.is_empty() {
        faults = trial::faults(&lesson);
    }
    if !faults.is_empty() {
        return Err(refusal(&faults, &said));
    }
    let at = lesson.language(language);
    // A lab has words in every language of the program, so this cannot be empty.
    let words_of = |lab: Option<&str>| {
        let names: Vec<&str> = ["common", "lesson"].into_iter().chain(lab).collect();
        words::with(&names, language).unwrap_or_default()
    };
    let mut outcome = Outcome::text(match format {
        "json" => json::document(&described(&lesson, at, &words_of)),
        "markdown" => handout::markdown(&lesson, at, &words_of, notes),
        _ => outline(&lesson, at, &words_of).aligned(),
    });
    if !lesson.languages.iter().any(|one| one == language) {
        let have = lesson.languages.join(", ");
        outcome.notes.push(format!("the lesson has no language {language}, only {have}"));
    }
    Ok(outcome)
}

/// The file's text. One byte more than is allowed is enough to know that it is too long.
fn contents(path: &str) -> Result<String, Refusal> {
    let unreadable =
        |error: std::io::Error| Refusal::new(format!("cannot read the lesson {}: {error}", shown(path)));
    let most = MAX_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    let done = if path == "-" {
        std::io::stdin().lock().take(most).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes))
    };
    done.map_err(unreadable)?;
    String::from_utf8(bytes)
        .map_err(|_| Refusal::new(format!("the lesson {} is not UTF-8 text", shown(path))))
}

fn refusal(faults: &[Fault], words: &Words) -> Refusal {
    Refusal::every(faults.iter().map(|fault| words.say(&fault.msg())).collect())
}

/// What a step has beside its text.
fn parts(step: &Step) -> String {
    let all = [
        ("predict", step.predict.is_some()),
        ("task", step.task.is_some()),
        ("reveal", step.reveal.is_some()),
        ("notes", step.notes.is_some()),
        ("misconceptions", !step.misconceptions.is_empty()),
    ];
    let there: Vec<&str> = all.iter().filter(|(_, there)| *there).map(|(name, _)| *name).collect();
    there.join(" ")
}

fn outline(lesson: &Lesson, language: usize, words_of: handout::WordsOf<'_>) -> Grid {
    let mut facts = Facts::of(lesson);
    let number = |n: u32| Cell { text: n.to_string(), number: true };
    let mut clock = 0;
    let mut row = |(i, step): (usize, &Step)| {
        let lab = step.state.as_ref().map(|place| place.lab.id);
        let title = facts.fill(step.title.at(language), &words_of(lab));
        let begins = clock;
        clock += step.minutes;
        vec![
            number(i as u32 + 1),
            Cell::text(step.id.clone()),
            number(begins),
            number(step.minutes),
            Cell::text(lab.or_else(|| step.fleet.as_ref().map(|_| fleet::NAME)).unwrap_or("-")),
            Cell::text(parts(step)),
            Cell::text(title),
        ]
    };
    let rows = lesson.steps.iter().enumerate().map(&mut row).collect();
    let head = ["step", "id", "from", "minutes", "lab", "parts", "title"];
    Grid { head: head.map(str::to_owned).to_vec(), rows }
}

/// A lesson in one language, with its numbers in its texts.
fn described(lesson: &Lesson, language: usize, words_of: handout::WordsOf<'_>) -> Json {
    let mut facts = Facts::of(lesson);
    let plain = words_of(None);
    let steps: Vec<Json> =
        (0..lesson.steps.len()).map(|i| step(lesson, i, language, words_of, &mut facts)).collect();
    json!({
        "lesson": lesson.id,
        "minutes": lesson.minutes,
        "languages": lesson.languages,
        "title": facts.fill(lesson.title.at(language), &plain),
        "about": facts.fill(lesson.about.at(language), &plain),
        "goal": facts.fill(lesson.goal.at(language), &plain),
        "link": tokenyard_lesson::link::to_link(lesson),
        "bytes": write(lesson).len(),
        "steps": steps,
    })
}

fn step(
    lesson: &Lesson,
    i: usize,
    language: usize,
    words_of: handout::WordsOf<'_>,
    facts: &mut Facts<'_>,
) -> Json {
    let step = &lesson.steps[i];
    let words = words_of(step.state.as_ref().map(|place| place.lab.id));
    let answer = facts.outcome(i);
    let mut fill = |text: &Text| Json::from(facts.fill(text.at(language), &words));
    let mut map = Map::new();
    map.insert("id".to_owned(), json!(step.id));
    map.insert("minutes".to_owned(), json!(step.minutes));
    map.insert("state".to_owned(), json!(step.state.as_ref().map(tokenyard_lesson::Place::write)));
    map.insert("fleet".to_owned(), json!(step.fleet.as_ref().map(tokenyard_lesson::Fleet::write)));
    map.insert("title".to_owned(), fill(&step.title));
    map.insert("text".to_owned(), fill(&step.text));
    if let Some(predict) = &step.predict {
        let text = predict.text.as_ref().map(&mut fill);
        map.insert("predict".to_owned(), json!({"text": text, "answer": answer}));
    }
    if let (Some(task), Some(tried)) = (&step.task, trial::of(step)) {
        let hints: Vec<Json> = task.hints.iter().map(&mut fill).collect();
        let text = fill(&task.text);
        let tries = json!({"seeds": luck::SEEDS, "solution": tried.solution, "start": tried.start});
        let task = json!({
            "text": text,
            "changes": task.changes,
            "keep": task.keep,
            "pinned": task.pinned,
            "hints": hints,
            "tried": tries,
        });
        map.insert("task".to_owned(), task);
    }
    for (key, text) in [("reveal", &step.reveal), ("notes", &step.notes)] {
        if let Some(text) = text {
            map.insert(key.to_owned(), fill(text));
        }
    }
    Json::Object(map)
}
