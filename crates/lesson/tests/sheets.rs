//! Handouts and notes: one outline in two forms, and no answer on what learners get.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tokenyard_lab::{Words, catalogue};
use tokenyard_lesson::handout::{self, About, Part, Room, Span};
use tokenyard_lesson::{Facts, Lesson, read};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn words(lab: Option<&str>, language: &str) -> Words {
    let all = ["common", "lesson"].into_iter().chain(lab);
    all.flat_map(|name| catalogue::read(&root().join("locales"), name, language).unwrap()).collect()
}

fn lesson(name: &str) -> Lesson {
    read(&std::fs::read_to_string(root().join(format!("lessons/{name}.toml"))).unwrap()).unwrap()
}

/// Every text of an outline.
fn texts(parts: &[Part]) -> Vec<&str> {
    let mut all = Vec::new();
    for part in parts {
        match part {
            Part::Title(text) | Part::Paragraph(text) | Part::Blank { label: text, .. } => {
                all.push(text.as_str())
            }
            Part::Heading { text, aside } => all.extend([text.as_str(), aside]),
            Part::Items(items) => all.extend(items.iter().flat_map(|item| spans(item))),
            Part::Choices(choices) => all.extend(choices.iter().map(String::as_str)),
            Part::Line { label, spans: line } => {
                all.push(label);
                all.extend(spans(line));
            }
            Part::Table { head, rows } => {
                all.extend(head.iter().chain(rows.iter().flatten()).map(String::as_str));
            }
            Part::Figure(_) => {}
            Part::Group(_, parts) => all.extend(texts(parts)),
        }
    }
    all
}

fn spans(line: &[Span]) -> impl Iterator<Item = &str> {
    line.iter().map(|span| match span {
        Span::Text(text) | Span::Code(text) => text.as_str(),
    })
}

/// The words of a document, without its elements.
fn said(html: &str) -> String {
    let text: String =
        html.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text)).collect();
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

fn groups<'a>(parts: &'a [Part], found: &mut Vec<(&'a About, &'a [Part])>) {
    for part in parts {
        if let Part::Group(about, inside) = part {
            found.push((about, inside));
            groups(inside, found);
        }
    }
}

/// A sheet in all of its forms.
struct Made {
    lesson: Lesson,
    notes: bool,
    outline: Vec<Part>,
    html: String,
    markdown: String,
}

/// Each lesson in each language, for learners and for the instructor, made once.
fn made() -> &'static [Made] {
    static MADE: OnceLock<Vec<Made>> = OnceLock::new();
    MADE.get_or_init(|| {
        let mut all = Vec::new();
        for name in ["tour", "locality", "defend"] {
            let lesson = lesson(name);
            let mut facts = Facts::of(&lesson);
            for (at, language) in lesson.languages.iter().enumerate() {
                let words_of = |lab: Option<&str>| words(lab, language);
                for notes in [false, true] {
                    let outline = handout::outline(&lesson, &mut facts, at, &words_of, notes);
                    let html =
                        handout::html(&outline, &mut |step| format!("<svg data-step=\"{step}\"></svg>"));
                    let markdown = handout::as_markdown(&outline);
                    all.push(Made { lesson: lesson.clone(), notes, outline, html, markdown });
                }
            }
        }
        all
    })
}

/// Looks at a lesson, with notes or not, in parts, in a language, as text.
type Look<'a> = &'a mut dyn FnMut(&Lesson, bool, &[Part], &str, &str);

fn each(check: Look<'_>) {
    for one in made() {
        check(&one.lesson, one.notes, &one.outline, &one.html, &one.markdown);
    }
}

#[test]
fn both_forms_say_all_of_the_outline() {
    each(&mut |lesson, notes, outline, html, markdown| {
        let (html, markdown) = (said(html), markdown.replace('\\', ""));
        for text in texts(outline) {
            let seen = (html.contains(text), markdown.contains(text));
            assert_eq!(seen, (true, true), "{} {notes}: {text}", lesson.id);
            assert!(!text.contains("handout."), "{text}");
        }
    });
}

#[test]
fn learners_get_room_and_figures_and_the_instructor_gets_answers() {
    each(&mut |lesson, notes, outline, html, _| {
        let mut found = Vec::new();
        groups(outline, &mut found);
        let count = |about: &About| found.iter().filter(|(a, _)| *a == about).count();
        let steps = lesson.steps.iter();
        let asked = steps.clone().filter(|s| s.predict.is_some()).count();
        let tasks = steps.clone().filter(|s| s.task.is_some()).count();
        assert_eq!((count(&About::Question), count(&About::Task)), (asked, tasks));
        let open = steps.clone().filter(|s| s.state.as_ref().is_some_and(|place| !lesson.gives_away(place)));
        assert_eq!(html.matches("<svg").count(), if notes { 0 } else { open.count() });
        let behind = [About::Reveal, About::Notes, About::Misconception].map(|about| count(&about));
        let wanted = [
            steps.clone().filter(|s| s.reveal.is_some()).count(),
            steps.clone().filter(|s| s.notes.is_some()).count(),
            steps.map(|s| s.misconceptions.len()).sum(),
        ];
        assert_eq!(behind, if notes { wanted } else { [0; 3] }, "{}", lesson.id);
        let blanks = |room: Room| {
            let is = |part: &&Part| matches!(part, Part::Blank { room: r, .. } if *r == room);
            found.iter().map(|(_, parts)| parts.iter().filter(is).count()).sum::<usize>()
        };
        assert_eq!(blanks(Room::Code), if notes { 0 } else { tasks });
        assert_eq!(blanks(Room::Short), if notes { 0 } else { asked + tasks });
        assert_eq!(blanks(Room::Lines) > 0, !notes);
    });
}

/// Whatever the instructor has beyond learners is not to be found on what learners get.
#[test]
fn no_answer_is_on_a_handout() {
    each(&mut |lesson, notes, outline, html, markdown| {
        if notes {
            return;
        }
        let secret = lesson.steps.iter().flat_map(|step| {
            let task = step.task.iter().flat_map(|task| task.hints.iter().chain([&task.done]));
            let said = step.misconceptions.iter().flat_map(|one| [&one.says, &one.answer]);
            task.chain(said).chain(&step.notes).chain(&step.reveal)
        });
        let (html, all) = (said(html), texts(outline).concat());
        for text in secret.flat_map(|text| &text.by) {
            // Up to the first number, which a reader of the file does not see.
            let begins = text.split('{').next().unwrap().lines().next().unwrap_or_default();
            if begins.chars().count() > 12 {
                assert!(
                    !html.contains(begins) && !markdown.contains(begins) && !all.contains(begins),
                    "{begins}"
                );
            }
        }
    });
}

#[test]
fn times_follow_on_each_other_to_the_end_of_the_lesson() {
    each(&mut |lesson, _, outline, _, _| {
        let rows = outline.iter().find_map(|part| match part {
            Part::Table { head, rows } => Some((head, rows)),
            _ => None,
        });
        let (head, rows) = rows.unwrap();
        assert!(rows.iter().all(|row| row.len() == head.len()));
        let mut clock = 0;
        for (row, step) in rows.iter().zip(&lesson.steps) {
            let times: Vec<u32> = row[2].split(['–', '〜']).map(|n| n.parse().unwrap()).collect();
            assert_eq!(times, [clock, clock + step.minutes]);
            clock += step.minutes;
        }
        assert_eq!((clock, rows.len()), (lesson.minutes, lesson.steps.len()));
    });
}

/// Nor is a state that holds all of a task's solution: whoever reads ahead would find it there.
#[test]
fn no_solution_is_on_a_handout() {
    let (mut solutions, mut hidden) = (0, 0);
    let mut written: Vec<Vec<String>> = Vec::new();
    let parts = |code: &str| code.split(['&', '#']).map(str::to_owned).collect::<Vec<_>>();
    each(&mut |lesson, notes, outline, _, _| {
        if !notes {
            let mut found = Vec::new();
            groups(outline, &mut found);
            for part in found.iter().flat_map(|(_, parts)| *parts) {
                let Part::Line { spans, .. } = part else { continue };
                written.extend(spans.iter().filter_map(|span| match span {
                    Span::Code(code) => Some(parts(code)),
                    Span::Text(_) => None,
                }));
            }
            hidden +=
                lesson.steps.iter().filter_map(|s| s.state.as_ref()).filter(|p| lesson.gives_away(p)).count();
            return;
        }
        let file = tokenyard_lesson::write(lesson);
        let solved = file.lines().filter_map(|line| line.strip_prefix("solution = \"")?.strip_suffix('"'));
        for solution in solved.map(parts) {
            solutions += 1;
            let seen = written.iter().find(|state| solution.iter().all(|part| state.contains(part)));
            assert_eq!(seen, None, "{} {solution:?}", lesson.id);
        }
        written.clear();
    });
    assert!(solutions >= 8 && hidden > 0, "{solutions} {hidden}");
}
