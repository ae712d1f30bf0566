//! The lessons that ship: sound in every language, solvable, and true to their numbers.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail by panicking")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokenyard_lab::luck::{self, SEEDS};
use tokenyard_lab::spec::Setup;
use tokenyard_lab::task::{ENOUGH, LUCKY};
use tokenyard_lab::words::{Piece, pieces};
use tokenyard_lab::{LabSpec, Words, catalogue};
use tokenyard_lesson::{Facts, Formula, Lesson, Question, code, handout, read, shipped, trial, write};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn words(lab: Option<&str>, language: &str) -> Words {
    let all = ["common", "lesson"].into_iter().chain(lab);
    all.flat_map(|name| catalogue::read(&root().join("locales"), name, language).unwrap()).collect()
}

/// File name, text and lesson of every lesson; a fault is said in words.
fn lessons() -> Vec<(String, String, Lesson)> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(root().join("lessons")).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let words = words(None, "en");
    let one = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let lesson = read(&text).unwrap_or_else(|faults| {
            let said: Vec<String> = faults.iter().map(|fault| words.say(&fault.msg())).collect();
            panic!("{}:\n{}", path.display(), said.join("\n"))
        });
        (path.file_stem().unwrap().to_str().unwrap().to_owned(), text, lesson)
    };
    files.into_iter().map(one).collect()
}

#[test]
fn there_are_three_sound_lessons_in_both_languages() {
    let lessons = lessons();
    let minutes: Vec<(&str, u32)> = lessons.iter().map(|(file, _, l)| (file.as_str(), l.minutes)).collect();
    assert_eq!(minutes, [("defend", 90), ("locality", 45), ("tour", 10)]);
    for (file, text, lesson) in &lessons {
        assert_eq!((&lesson.id, &lesson.languages[..]), (file, &["en".to_owned(), "ja".to_owned()][..]));
        assert_eq!(write(lesson), *text, "{file} is not in its canonical form");
        let said: Vec<String> =
            trial::faults(lesson).iter().map(|f| words(None, "en").say(&f.msg())).collect();
        assert!(said.is_empty(), "{file}: {said:?}");
        assert!(
            lesson.steps.iter().all(|s| s.notes.is_some() && (s.state.is_some() || s.fleet.is_some())),
            "{file}"
        );
        assert!(
            lesson.steps.iter().any(|s| s.predict.is_some())
                && lesson.steps.iter().any(|s| !s.misconceptions.is_empty())
        );
    }
}

/// The page has no folder to look into: its list is this one.
#[test]
fn the_lessons_that_ship_are_those_of_the_folder() {
    let mut files: Vec<&str> = shipped::FILES.to_vec();
    let ids: Vec<String> = files.iter().map(|text| read(text).unwrap().id).collect();
    assert_eq!(ids, ["tour", "locality", "defend"], "the shortest first");
    assert!(ids.iter().zip(&files).all(|(id, text)| shipped::file(id) == Some(*text)));
    assert_eq!((shipped::file("none"), shipped::file("")), (None, None));
    files.sort_unstable();
    let mut folder: Vec<String> = lessons().into_iter().map(|(_, text, _)| text).collect();
    folder.sort_unstable();
    assert_eq!(files, folder);
}

/// What a worker hands in is what is computed here, and a text never waits for more than it names.
#[test]
fn numbers_from_elsewhere_are_the_same_numbers() {
    for (file, _, lesson) in lessons() {
        for (at, step) in lesson.steps.iter().enumerate() {
            let words = words(step.state.as_ref().map(|place| place.lab.id), "en");
            let texts = [Some(&step.text), step.reveal.as_ref(), step.notes.as_ref()];
            for text in texts.into_iter().flatten().map(|text| text.at(0)) {
                let asked = std::cell::RefCell::new(Vec::new());
                let missing = |lab: &'static LabSpec, setup: &Setup| {
                    asked.borrow_mut().push((lab, setup.clone()));
                    None
                };
                let waiting = Facts::with(&lesson, &missing).fill(text, &words);
                let there = |lab: &'static LabSpec, setup: &Setup| {
                    let seeds = lab.luck.0..lab.luck.0 + SEEDS;
                    Some(Arc::new(seeds.map(|seed| luck::sample(lab, setup, seed)).collect()))
                };
                let filled = Facts::with(&lesson, &there).fill(text, &words);
                assert_eq!(filled, Facts::of(&lesson).fill(text, &words), "{file} {at}");
                assert_eq!(
                    waiting.contains('…') && waiting != filled,
                    !asked.borrow().is_empty(),
                    "{file} {at}"
                );
            }
        }
    }
}

#[test]
fn every_task_needs_all_of_its_solution() {
    let mut tasks = 0;
    for (file, _, lesson) in lessons() {
        for step in &lesson.steps {
            let (Some(place), Some(task)) = (&step.state, &step.task) else { continue };
            let check = task.check(place);
            assert!(check.passes(place.lab, &task.solution) >= ENOUGH);
            assert!(check.passes(place.lab, &place.state.setup) <= LUCKY);
            // Without any one of its changes it is no solution, so no part of it is for show.
            let (start, end) = (&place.state.setup, &task.solution);
            for i in 0..place.lab.params.len() {
                let mut less = end.clone();
                less.values.set(i, start.values.at(i).unwrap().clone());
                if less != *end {
                    let key = place.lab.params[i].key;
                    assert!(check.passes(place.lab, &less) < ENOUGH, "{file} {}: without {key}", step.id);
                }
            }
            if end.view != start.view {
                let less = tokenyard_lab::spec::Setup { view: start.view.clone(), ..end.clone() };
                assert!(check.passes(place.lab, &less) < ENOUGH, "{file} {}: without the lanes", step.id);
            }
            tasks += 1;
        }
    }
    assert!(tasks >= 4);
}

#[test]
fn every_number_is_a_placeholder_and_every_placeholder_has_its_number() {
    for (file, _, lesson) in lessons() {
        for (at, language) in lesson.languages.iter().enumerate() {
            let words_of = |lab: Option<&str>| words(lab, language);
            let page = handout::markdown(&lesson, at, &words_of, true);
            assert!(!page.contains(['{', '}']), "{file} {language}: {page}");
            assert!(page.matches("\n## ").count() == lesson.steps.len() && !page.contains("handout."));
            let learners = handout::markdown(&lesson, at, &words_of, false);
            assert!(learners.len() < page.len());
            for step in &lesson.steps {
                for hint in step.task.iter().flat_map(|task| &task.hints) {
                    assert!(page.contains(hint.at(at)) && !learners.contains(hint.at(at)), "{}", step.id);
                }
            }
        }
        // Names with a digit in them, and the number of seeds, are no figures. Japanese counts a few
        // things in digits, so the English text is looked at; placeholders are equal in both.
        for text in english(&lesson) {
            let prose: String = pieces(text)
                .iter()
                .map(|p| if let Piece::Text(t) = p { t } else { "" })
                .collect::<String>()
                .replace("P95", "")
                .replace("200", "");
            assert!(!prose.contains(|c: char| c.is_ascii_digit()), "{file}: {text}");
        }
    }
}

/// Every text in the language it was written in.
fn english(lesson: &Lesson) -> Vec<&str> {
    let mut all = vec![&lesson.title, &lesson.about, &lesson.goal];
    for step in &lesson.steps {
        all.extend([&step.title, &step.text]);
        all.extend(step.reveal.iter().chain(&step.notes));
        all.extend(step.predict.iter().filter_map(|predict| predict.text.as_ref()));
        all.extend(step.misconceptions.iter().flat_map(|one| [&one.says, &one.answer]));
        all.extend(step.task.iter().flat_map(|task| task.hints.iter().chain([&task.text, &task.done])));
    }
    all.into_iter().map(|text| text.at(0)).collect()
}

#[test]
fn what_the_texts_claim_beside_their_numbers_is_true() {
    let lessons = lessons();
    let of = |id: &str| &lessons.iter().find(|(file, ..)| file == id).unwrap().2;
    let count = |id: &str, formula: &str| {
        let lesson = of(id);
        let value = Facts::of(lesson).value(&Formula::read(lesson, formula).unwrap()).unwrap();
        words(None, "en").arg(&value).replace(',', "").parse::<f64>().unwrap()
    };
    let median = |id: &str, name: &str| count(id, &format!("{name}|median"));
    // "One of the others", "less in all of them", "the longest tail of all", "nearly all".
    assert!(count("defend", "luck.prefix-aware.ttft_p95") > count("defend", "luck.round-robin.ttft_p95"));
    assert_eq!(
        count("defend", "cache.prefix-aware.cache_hit_rate > cache.least-outstanding.cache_hit_rate"),
        200.0
    );
    for rule in ["random", "round-robin", "least-outstanding", "power-of-two", "prefix-aware"] {
        for step in ["rules", "signal"] {
            let (worst, other) = (format!("{step}.least-kv.ttft_p95"), format!("{step}.{rule}.ttft_p95"));
            assert!(median("defend", &worst) > median("defend", &other), "{rule}");
        }
    }
    assert!(
        median("defend", "cache.prefix-aware.ttft_p95")
            > median("defend", "cache.least-outstanding.ttft_p95")
    );
    assert!(
        median("tour", "fresh.least-outstanding.mean_spread")
            < median("tour", "fresh.power-of-two.mean_spread")
    );
    assert!(
        median("locality", "loyal.prefix-aware.ttft_p95")
            > median("locality", "loyal.least-outstanding.ttft_p95")
    );
    assert!(
        median("locality", "fleet.prefix-aware.ttft_p95")
            < median("locality", "fleet.least-outstanding.ttft_p95")
    );
    // As even as can be: without patience both routers fill their fullest replica alike.
    let (aware, load) = ("early.aware.max_load", "early.baseline.max_load");
    assert!(count("locality", &format!("{aware} <= {load}")) >= 190.0);
    assert_eq!(median("locality", "never.aware.max_load"), count("locality", "never.answer"));
}

#[test]
fn the_example_for_authors_is_a_sound_lesson() {
    let guide = std::fs::read_to_string(root().join("docs/lessons.md")).unwrap();
    let example = guide.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let lesson = read(example).unwrap();
    assert_eq!(trial::faults(&lesson), []);
    assert_eq!(write(&lesson), example);
    let line = |text: &str| example.lines().position(|l| l == text).unwrap() + 1;
    let goals = "goals = [\"least-outstanding.max_spread <= 12\"]";
    assert!(guide.contains(&format!("Line {}, cure.goals", line(goals))));
    assert!(guide.contains(&format!("Line {}, guess.state", line("state = \"#lab=herding\""))));
}

#[test]
fn questions_and_tasks_have_codes_of_their_own() {
    let mut subjects = Vec::new();
    for (_, _, lesson) in lessons() {
        for (i, step) in lesson.steps.iter().enumerate() {
            let question = Question::of_step(&lesson, i);
            assert_eq!(question.is_some(), step.predict.is_some());
            if let Some(question) = &question {
                let right = Facts::of(&lesson).outcome(i).unwrap();
                assert!(question.index(right).is_some(), "{}", question.name);
            }
            if step.predict.is_some() || step.task.is_some() {
                subjects.push(code::subject(&format!("{}/{}", lesson.id, step.id)));
            }
        }
    }
    for lab in tokenyard_lab::labs::LABS {
        subjects.push(code::subject(&Question::of_lab(lab, &lab.defaults()).name));
    }
    let all = subjects.len();
    subjects.sort_unstable();
    subjects.dedup();
    assert_eq!(subjects.len(), all);
}
