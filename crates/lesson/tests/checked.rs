//! Codes of finished tasks as an instructor gets them: lines of words and codes.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use proptest::prelude::*;
use tokenyard_lesson::code::{Answer, Finished, Refused, Slip, check, finished};
use tokenyard_lesson::{Lesson, read};

fn lesson() -> Lesson {
    read(include_str!("../../../lessons/defend.toml")).unwrap()
}

/// The first step with a task.
fn step(lesson: &Lesson) -> String {
    lesson.steps.iter().find(|step| step.task.is_some()).unwrap().id.clone()
}

const HOW: Finished = Finished { changes: 1, passes: Some(197) };

fn code(lesson: &Lesson, word: &str) -> String {
    finished(lesson, &step(lesson), word, HOW).write()
}

fn fine(same: Option<u32>) -> Answer {
    Answer::Fine { how: HOW, same }
}

#[test]
fn words_stand_before_or_behind_their_codes() {
    let lesson = lesson();
    for word in ["blue", "7", "1234", "ABCD", "two words", "青い", "-5", "a,b", "blue-ish", "v2.0"] {
        let code = code(&lesson, word);
        let apart = code.replace('-', " ");
        for line in [
            format!("{word} {code}"),
            format!("{code} {word}"),
            format!("{word}\t{code}"),
            format!("{code},{word}"),
            format!("{code}, {word}"),
            format!("\"{word}\",\"{code}\""),
            format!("{word}: {code}"),
            format!("  {word} = {}", code.to_lowercase()),
            format!("{apart} {word}"),
        ] {
            let checked = check(&lesson, &step(&lesson), &line);
            assert_eq!((checked.len(), &checked[0].answer), (1, &fine(None)), "{line}");
            assert_eq!((&*checked[0].word, &checked[0].code), (word, &code), "{line}");
        }
    }
}

#[test]
fn every_line_says_what_is_wrong_with_it() {
    let lesson = lesson();
    let blue = code(&lesson, "blue");
    let other = if blue.starts_with('7') { '9' } else { '7' };
    let slip = Refused::Slip(Slip::Symbol(1, blue.chars().next().unwrap()));
    let foreign = finished(&lesson, "elsewhere", "blue", HOW).write();
    for (line, wanted) in [
        (format!("blue {blue}"), fine(None)),
        (format!("Blue  {blue}"), Answer::Fine { how: HOW, same: Some(1) }),
        (format!("green {blue}"), Answer::Refused(Refused::Word)),
        (blue.clone(), Answer::NoWord),
        (format!("blue {other}{}", &blue[1..]), Answer::Refused(slip)),
        (format!("{foreign} blue"), Answer::Refused(Refused::Foreign(None))),
        ("blue and nothing else".to_owned(), Answer::NoCode),
    ] {
        let text = format!("blue {blue}\n\n{line}");
        let checked = check(&lesson, &step(&lesson), &text);
        let last = checked.last().unwrap();
        assert_eq!((checked.len(), last.line), (2, 3), "{line}");
        match (&last.answer, &wanted) {
            (Answer::Fine { how, .. }, Answer::Fine { .. }) => assert_eq!(*how, HOW),
            (answer, wanted) => assert_eq!(answer, wanted, "{line}"),
        }
        let alone = check(&lesson, &step(&lesson), &line);
        assert_eq!(
            matches!(alone[0].answer, Answer::Fine { same: None, .. }),
            matches!(wanted, Answer::Fine { .. })
        );
    }
    let twice = check(&lesson, &step(&lesson), &format!("blue {blue}\n{blue} BLUE\nblue {blue}"));
    let same: Vec<_> = twice.iter().map(|c| c.answer.clone()).collect();
    assert_eq!(same, [fine(None), fine(Some(1)), fine(Some(1))]);
}

#[test]
fn two_hundred_lines_are_answered_in_their_order() {
    let lesson = lesson();
    let text: String = (0..200)
        .map(|i| match i % 4 {
            0 => format!("{} word{i}\n", code(&lesson, &format!("word{i}"))),
            1 => format!("word{i}\t{}\n", code(&lesson, &format!("word{i}"))),
            2 => format!("word{i}, {}\n", code(&lesson, "another")),
            _ => format!("word{i}\n"),
        })
        .collect();
    let checked = check(&lesson, &step(&lesson), &text);
    assert!(checked.iter().map(|c| c.line).eq(1..=200));
    for (i, one) in checked.iter().enumerate() {
        assert_eq!(one.word, format!("word{i}"));
        match (i % 4, &one.answer) {
            (0 | 1, Answer::Fine { same: None, .. }) | (3, Answer::NoCode) => {}
            (2, Answer::Refused(Refused::Word)) => {}
            (_, answer) => panic!("line {}: {answer:?}", one.line),
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_checked_line_by_line(text in "[ -~あ-ん\n\t–]{0,300}") {
        let lesson = lesson();
        let checked = check(&lesson, &step(&lesson), &text);
        prop_assert_eq!(checked.len(), text.lines().filter(|line| !line.trim().is_empty()).count());
        let fine = checked.iter().filter(|one| matches!(one.answer, Answer::Fine { .. })).count();
        prop_assert_eq!(fine, 0);
    }

    #[test]
    fn any_word_fits_its_code(word in "[a-z0-9あ-ん]([ -~あ-ん]{0,20}[a-z0-9あ-ん])?", behind in any::<bool>()) {
        let lesson = lesson();
        let code = code(&lesson, &word);
        let line = if behind { format!("{code} {word}") } else { format!("{word} {code}") };
        let checked = check(&lesson, &step(&lesson), &line);
        prop_assert_eq!(&checked[0].answer, &fine(None), "{}", line);
    }
}
