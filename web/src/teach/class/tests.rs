//! Components as their first frame, in every language and in one with long words.

use std::path::Path;
use std::sync::Arc;

use leptos::prelude::*;
use tokenyard_lab::labs::{LABS, by_id};
use tokenyard_lab::{Ask, Words, catalogue, pseudo};
use tokenyard_lesson::code::{Code, Finished, Room, finished, guess};
use tokenyard_lesson::{Lesson, Question, read};

use super::collect::Collect;
use super::draw::WIDE;
use super::finish::Finish;
use super::histogram::{Answers, picture, said};
use super::own::OwnCode;
use super::verify::Verify;
use crate::page::{Kind, Page, Program};
use crate::shell::{Colours, Shell};

pub(super) fn words(language: &str) -> Words {
    let locales = Path::new(env!("CARGO_MANIFEST_DIR")).join("../locales");
    let of = |name: &str| catalogue::read(&locales, name, language).unwrap();
    ["common", "lesson", "class"].into_iter().flat_map(of).collect()
}

/// Every language of the site, and the one with long words.
fn languages() -> Vec<Words> {
    let mut all: Vec<Words> = crate::site::LANGUAGES.iter().map(|language| words(language)).collect();
    all.push(pseudo::long(&words("en")));
    all
}

/// What a view is as text.
pub(super) fn drawn<V: IntoView>(words: &Words, view: impl FnOnce() -> V) -> String {
    let languages = vec![("en".to_owned(), Arc::new(words.clone()))];
    let page = Page { kind: Kind::Home, root: "./".into(), single: false, languages };
    Owner::new().with(|| {
        provide_context(Shell::new(Program::All, page, "en".into(), Colours::System));
        view().into_any().to_html()
    })
}

pub(super) fn lesson() -> Arc<Lesson> {
    Arc::new(read(include_str!("../../../../lessons/defend.toml")).unwrap())
}

/// A class of a question, and the same number of guesses for every bar.
pub(super) fn room(question: Question, learners: u32) -> Room {
    let mut room = Room::of(question.clone(), &[]);
    for i in 0..learners {
        let code = guess(&question, i * 7 % question.guesses(), i).unwrap();
        assert_eq!(room.add(&code.write()), []);
    }
    room
}

pub(super) fn of_lab(id: &str) -> Question {
    let lab = by_id(id).unwrap();
    Question::of_lab(lab, &lab.defaults())
}

/// Each guess of a number in words.
pub(super) fn numbers(question: &Question) -> Vec<String> {
    (0..question.guesses()).filter_map(|at| Some(question.value(at)?.to_string())).collect()
}

/// Texts between tags.
fn texts(html: &str) -> Vec<&str> {
    html.split('>').filter_map(|piece| piece.split('<').next()).filter(|t| !t.trim().is_empty()).collect()
}

#[test]
fn nothing_shows_a_key_and_no_element_has_a_style_of_its_own() {
    let (lesson, code) = (lesson(), Code::read("4K7P-9TQX-2MZD").ok());
    let code = code.or_else(|| guess(&of_lab("herding"), 1, 7));
    let step = lesson.steps.iter().find(|step| step.task.is_some()).unwrap().id.clone();
    let how = Finished { changes: 1, passes: Some(200) };
    for words in languages() {
        let (lesson, step) = (lesson.clone(), step.clone());
        let html = drawn(&words, move || {
            let room = RwSignal::new(room(of_lab("herding"), 5));
            let (second, again) = (lesson.clone(), step.clone());
            view! {
                <OwnCode code=Signal::stored(code) name=Signal::stored("Guess".to_owned()) />
                <Collect room />
                <Answers room outcome=Signal::stored(Some(9.0))
                    labels=Signal::stored(numbers(&of_lab("herding"))) />
                <Finish lesson step outcome=Signal::stored(Some(how)) />
                <Verify lesson=second step=again />
            }
        });
        assert!(!html.contains("class.") && !html.contains("code.") && !html.contains(" style="), "{html}");
        assert!(html.contains(&code.unwrap().write()) && html.matches("<section").count() == 4);
        // Whatever can be pressed or filled in has a name.
        for field in html.split("<textarea").skip(1).chain(html.split("<input").skip(1)) {
            let open = field.split('>').next().unwrap();
            let labelled = open.contains("aria-label=\"") || html.contains("<label");
            assert!(labelled, "{open}");
        }
        assert!(texts(&html).len() > 20);
    }
}

#[test]
fn a_histogram_says_its_bars_and_marks_the_answer_only_when_it_is_revealed() {
    let words = words("en");
    for lab in LABS {
        let question = Question::of_lab(lab, &lab.defaults());
        let room = room(question.clone(), 60);
        let labels: Vec<String> = match lab.prediction.ask {
            Ask::Choice(n) => (0..n).map(|i| format!("Option {i}")).collect(),
            Ask::Number { .. } => numbers(&question),
        };
        let outcome = (lab.prediction.outcome)(&lab.defaults());
        let covered = picture(&room, None, &labels, &words);
        let open = picture(&room, Some(outcome), &labels, &words);
        assert!(!covered.contains("is-right") && !covered.contains("answers-mark"), "{}", lab.id);
        assert!(!covered.contains("Right") && open.contains("Right:"), "{}", lab.id);
        assert_eq!(said(&room, None, &labels, &words, &WIDE).len(), 1);
        // Counts stand there as text, and all learners are in them.
        let svgs = if matches!(lab.prediction.ask, Ask::Number { .. }) { 2 } else { 1 };
        let counts = open.split("class=\"answers-count\"").skip(1);
        let sum: u32 =
            counts.filter_map(|c| c.split('>').nth(1)?.split('<').next()?.parse::<u32>().ok()).sum();
        assert_eq!(sum, 60 * svgs, "{}", lab.id);
    }
}

#[test]
fn a_drawing_stays_inside_its_sheet() {
    let words = words("en");
    for lab in LABS.iter().filter(|lab| matches!(lab.prediction.ask, Ask::Number { .. })) {
        let question = Question::of_lab(lab, &lab.defaults());
        let room = room(question.clone(), 200);
        for outcome in [0, question.guesses() / 2, question.guesses() - 1] {
            let html = picture(&room, question.value(outcome), &numbers(&question), &words);
            for svg in html.split("<svg").skip(1) {
                let view = svg.split("viewBox=\"0 0 ").nth(1).unwrap().split('"').next().unwrap();
                let (w, h) = view.split_once(' ').unwrap();
                let (w, h): (f64, f64) = (w.parse().unwrap(), h.parse().unwrap());
                let numbers = |name: &str| -> Vec<f64> {
                    let mark = format!(" {name}=\"");
                    let values = svg.split(&mark).skip(1);
                    values.filter_map(|v| v.split('"').next()?.parse().ok()).collect()
                };
                assert!(numbers("x").iter().all(|x| (0.0..=w).contains(x)), "{} {svg}", lab.id);
                assert!(
                    numbers("y")
                        .iter()
                        .chain(&numbers("y1"))
                        .chain(&numbers("y2"))
                        .all(|y| (0.0..=h).contains(y))
                );
                let bars = svg.matches("class=\"answers-bar").count();
                assert!(bars <= 24 && svg.matches("answers-mark").count() == 1, "{} {bars}", lab.id);
            }
        }
    }
}

#[test]
fn a_code_is_there_once_the_task_is_finished_and_a_word_is_given() {
    let lesson = lesson();
    let step = lesson.steps.iter().find(|step| step.task.is_some()).unwrap().id.clone();
    let how = Finished { changes: 2, passes: Some(195) };
    let code = finished(&lesson, &step, "blue", how).write();
    let html = drawn(&words("en"), || {
        view! { <Finish lesson=lesson.clone() step=step.clone() outcome=Signal::stored(Some(how)) /> }
    });
    // Without a word there is none.
    let tag = html.split('<').find(|tag| tag.contains("class=\"own-code\"")).unwrap();
    assert!(!html.contains(&code) && tag.contains("hidden"), "{tag}");
}
