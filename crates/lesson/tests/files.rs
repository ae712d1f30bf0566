//! Lesson files: read, refused with everything that is wrong, written and read again.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use proptest::prelude::*;
use tokenyard_lab::Msg;
use tokenyard_lab::link::Notice;
use tokenyard_lesson::{Fault, Lesson, MAX_BYTES, code, fleet, link, read, trial, write};

/// A small lesson with everything in it.
const WHOLE: &str = r##"format = 1
id = "small"
minutes = 6
languages = ["en"]
title.en = "A \"small\" lesson"
about.en = "What it is about."
goal.en = "What for."

[[step]]
id = "one"
minutes = 2
state = "#lab=herding&interval=20"
title.en = "First"
text.en = """
Peak {one.least-outstanding.max_spread}, {{ and \\ and \"\"\".

- an item
"""
reveal.en = "{one.set.interval}, {one.answer}, {one.mean_spread|median}"
notes.en = "In {one.power-of-two.mean_spread < one.mean_spread} of 200."

[step.predict]
ask = "highest concentration"
text.en = "Which rule?"

[[step.misconception]]
says.en = "So?"
answer.en = "No."

[[step]]
id = "two"
minutes = 4
state = "#lab=herding"
title.en = "Second"
text.en = "{two.passes} of 200, {two.answer}."

[step.predict]
ask = "least-outstanding.concentration"
range = "0 to 100 step 5"
seeds = "pinned"
text.en = "How much?"

[step.task]
goals = ["least-outstanding.max_spread <= 12", "least-outstanding.concentration <= 60%"]
changes = 1
keep = ["replicas", "left"]
solution = "phases=on"
text.en = "Do it."
hints.en = [
  "a",
  "b",
  "c",
]
done.en = "Done."
"##;

fn faults(text: &str) -> Vec<Fault> {
    read(text).unwrap_err()
}

/// Line, field and key of each fault.
fn keys(text: &str) -> Vec<(u32, String, &'static str)> {
    faults(text).into_iter().map(|f| (f.line.0, f.field, f.why.key)).collect()
}

fn lesson() -> Lesson {
    read(WHOLE).unwrap()
}

#[test]
fn the_canonical_form_is_written_as_it_was_read() {
    let lesson = lesson();
    assert_eq!(write(&lesson), WHOLE);
    assert_eq!(trial::faults(&lesson), []);
    let messy = WHOLE
        .replace("\nminutes = 6", "\n\n# a comment\r\nminutes   =  6 # another")
        .replace("[\"en\"]", "[ # list\n  \"en\",\n]")
        .replace("#lab=herding&interval=20", "https://example.org/t.html#interval=20&lab=herding&phases=off");
    assert_eq!(read(&messy).unwrap(), lesson);
    assert_eq!(write(&read(&messy).unwrap()), WHOLE);
}

#[test]
fn what_is_read_is_toml_and_means_the_same() {
    let table: toml::Table = WHOLE.parse().unwrap();
    let lesson = lesson();
    let steps = table["step"].as_array().unwrap();
    assert_eq!(steps.len(), lesson.steps.len());
    assert_eq!(table["title"]["en"].as_str(), Some(lesson.title.at(0)));
    for (theirs, ours) in steps.iter().zip(&lesson.steps) {
        assert_eq!(theirs["text"]["en"].as_str().map(str::trim), Some(ours.text.at(0)));
        assert_eq!(theirs["minutes"].as_integer(), Some(i64::from(ours.minutes)));
        assert_eq!(theirs.get("task").is_some(), ours.task.is_some());
    }
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../lessons")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        assert!(text.parse::<toml::Table>().is_ok() && read(&text).is_ok());
    }
}

#[test]
fn every_fault_names_line_field_value_and_what_is_allowed() {
    let change = |from: &str, to: &str| {
        assert!(WHOLE.contains(from), "{from}");
        WHOLE.replacen(from, to, 1)
    };
    let mut wrong = Vec::new();
    for (from, to, line, field, key) in [
        ("format = 1", "format = 2", 1, "format", "fault.format"),
        ("id = \"small\"", "id = \"Small one\"", 2, "id", "fault.id"),
        ("minutes = 6", "minutes = 7", 3, "minutes", "fault.minutes"),
        ("minutes = 2", "minutes = \"two\"", 11, "one.minutes", "fault.number"),
        ("minutes = 2", "minutes = 2.5", 11, "", "fault.value"),
        ("title.en = \"First\"", "title.fr = \"Un\"", 13, "one.title.en", "fault.untranslated"),
        ("title.en = \"First\"", "title = \"First\"", 13, "one.title", "fault.no-language"),
        ("title.en = \"First\"\n", "", 9, "one.title", "fault.missing"),
        ("title.en = \"First\"", "title.en = \"First", 13, "", "fault.open"),
        ("title.en = \"First\"", "title.en = \"\"", 13, "one.title.en", "fault.blank"),
        ("title.en = \"First\"", "titel.en = \"First\"", 13, "one.titel.en", "fault.unknown"),
        ("title.en = \"First\"", "title.en = \"\\q\"", 13, "", "fault.escape"),
        ("- an item", "- an \\q item", 14, "", "fault.escape"),
        ("- an item", "- an \u{1} item", 14, "", "fault.control"),
        ("title.en = \"First\"", "title.en = 4", 13, "one.title.en", "fault.not-text"),
        ("title.en = \"First\"", "title.en = \"First\" x", 13, "", "fault.after"),
        ("title.en = \"First\"", "First", 13, "", "fault.line"),
        ("#lab=herding&interval=20", "#lab=shepherd", 12, "one.state", "fault.lab"),
        ("#lab=herding&interval=20", "labs/herding/", 12, "one.state", "fault.state"),
        ("#lab=herding&interval=20", "#lab=herding&interval=99", 12, "one.state", "fault.link-value"),
        ("#lab=herding&interval=20", "#lab=herding&colour=1", 12, "one.state", "fault.link-unknown"),
        ("{one.set.interval}", "{one.set.colour}", 19, "one.reveal.en", "fault.link-unknown"),
        ("{one.set.interval}", "{three.answer}", 19, "one.reveal.en", "fault.place-step"),
        ("{one.set.interval}", "{one.passes}", 19, "one.reveal.en", "fault.place-part"),
        ("{one.set.interval}", "{one.speed}", 19, "one.reveal.en", "fault.column"),
        ("{one.set.interval}", "{one.best.max_spread}", 19, "one.reveal.en", "fault.row"),
        ("{one.set.interval}", "{one.max_spread|mean}", 19, "one.reveal.en", "fault.place-stat"),
        ("{one.set.interval}", "{}", 19, "one.reveal.en", "fault.place-form"),
        ("[step.predict]", "[step.guess]", 22, "", "fault.section"),
        ("\"highest concentration\"", "\"concentration\"", 22, "one.range", "fault.range"),
        ("range = \"0 to 100 step 5\"", "range = \"0 to 1000 step 1\"", 39, "two.range", "fault.range"),
        ("range = \"0 to 100 step 5\"", "range = \"80 to 100 step 5\"", 37, "two.ask", "fault.answer"),
        ("seeds = \"pinned\"", "seeds = \"some\"", 40, "two.seeds", "fault.seeds"),
        ("max_spread <= 12", "max_spread < 12", 44, "two.goals", "fault.goal"),
        ("changes = 1", "changes = 0", 47, "two.solution", "fault.solution-many"),
        ("\"left\"", "\"phases\"", 47, "two.solution", "fault.solution-kept"),
        ("\"left\"", "\"stagger\"", 46, "two.keep", "fault.keep"),
        ("\"phases=on\"", "\"phases=off\"", 47, "two.solution", "fault.solution-start"),
        ("  \"c\",\n", "", 49, "two.hints.en", "fault.hints"),
        ("id = \"two\"", "id = \"one\"", 31, "id", "fault.twice"),
        ("[\"en\"]", "[\"en\", \"ja\"]", 5, "title.ja", "fault.untranslated"),
        ("[\"en\"]", "[]", 4, "languages", "fault.languages"),
    ] {
        let found = keys(&change(from, to));
        if !found.contains(&(line, field.to_owned(), key)) {
            wrong.push(format!("{from} -> {to}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let late = WHOLE.replace("state = \"#lab=herding\"\n", "");
    assert!(keys(&late).contains(&(42, "two".to_owned(), "fault.no-state")), "{:?}", keys(&late));
}

#[test]
fn all_faults_are_named_at_once_and_in_order() {
    let broken = WHOLE
        .replace("format = 1", "format = 2")
        .replace("minutes = 2", "minutes = 0")
        .replace("changes = 1", "changes = 99")
        .replace("[[step.misconception]]", "[[step.mistake]]");
    let lines: Vec<u32> = faults(&broken).iter().map(|f| f.line.0).collect();
    assert!(lines.len() >= 4 && lines.is_sorted(), "{lines:?}");
}

#[test]
fn tasks_that_luck_or_nobody_solves_are_refused_with_numbers() {
    let easy = read(
        &WHOLE
            .replace("max_spread <= 12", "max_spread <= 30")
            .replace(", \"least-outstanding.concentration <= 60%\"", ""),
    );
    let hard = read(&WHOLE.replace("max_spread <= 12", "max_spread <= 7"));
    let why = |lesson: &Lesson| -> Vec<Msg> { trial::faults(lesson).into_iter().map(|f| f.why).collect() };
    assert_eq!(why(&easy.unwrap())[0].key, "fault.trial-start");
    let hard = why(&hard.unwrap());
    assert_eq!(hard[0].key, "fault.trial-solution");
    assert!(hard[0].args.iter().any(|(name, _)| *name == "n"));
}

#[test]
fn hostile_files_are_refused_without_effort() {
    let long = format!("{WHOLE}# {}", "x".repeat(MAX_BYTES));
    assert_eq!(keys(&long)[0].2, "fault.file");
    let steps = WHOLE.repeat(50);
    assert!(faults(&steps).len() <= 100);
    let wide = WHOLE.replace("\"First\"", &format!("\"{}\"", "word ".repeat(100)));
    assert!(keys(&wide).iter().any(|k| k.2 == "fault.wide"));
}

#[test]
fn a_short_lesson_fits_into_a_link_and_a_long_one_does_not() {
    let start = WHOLE.find("[[step]]\nid = \"two\"").unwrap();
    let short = read(&WHOLE[..start].replace("minutes = 6", "minutes = 2")).unwrap();
    let text = link::to_link(&short).unwrap();
    assert!(
        text.len() <= link::MAX_CHARS
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
    );
    assert_eq!(link::from_link(&text), Ok(short));
    assert_eq!(link::from_link("%%%"), Err(link::Broken::Garbled));
    assert!(matches!(link::from_link("aWQ"), Err(link::Broken::Faults(_))));
    let long = read(
        &std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../lessons/tour.toml")).unwrap(),
    );
    assert_eq!(link::to_link(&long.unwrap()), None);
}

#[test]
fn a_finished_task_is_verified_or_refused_with_the_reason() {
    use code::{Finished, Refused, Slip, finished, verify};
    let lesson = lesson();
    let done = Finished { changes: 1, passes: Some(193) };
    let text = finished(&lesson, "two", "King Fisher", done).write();
    assert_eq!(verify(&lesson, "two", "ｋｉｎｇfisher", &text), Ok(done));
    assert_eq!(verify(&lesson, "two", "heron", &text), Err(Refused::Word));
    let other = finished(&lesson, "one", "kingfisher", done).write();
    assert_eq!(verify(&lesson, "two", "kingfisher", &other), Err(Refused::Foreign(None)));
    let mut named = lesson.clone();
    named.steps[0].task = named.steps[1].task.clone();
    assert_eq!(
        verify(&named, "two", "kingfisher", &other),
        Err(Refused::Foreign(Some("small/one".to_owned())))
    );
    let guess = code::guess(&tokenyard_lesson::Question::of_step(&lesson, 1).unwrap(), 3, 5).unwrap();
    assert_eq!(verify(&lesson, "two", "kingfisher", &guess.write()), Err(Refused::Guess));
    assert!(matches!(verify(&lesson, "two", "x", &text[..12]), Err(Refused::Slip(Slip::Length(10)))));
    for passes in [None, Some(190), Some(200)] {
        let done = Finished { changes: 2, passes };
        assert_eq!(verify(&lesson, "two", "7", &finished(&lesson, "two", "7", done).write()), Ok(done));
    }
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(text in "\\PC{0,400}") {
        prop_assert!(read(&text).is_err());
        let _ = link::from_link(&text);
    }

    #[test]
    fn a_file_with_any_line_changed_reads_or_says_why(at in 0..60_usize, line in "[a-z.=\"\\[\\]#{}0-9 ]{0,40}") {
        let mut lines: Vec<&str> = WHOLE.lines().collect();
        let at = at % lines.len();
        lines[at] = &line;
        match read(&lines.join("\n")) {
            Ok(lesson) => {
                let text = write(&lesson);
                prop_assert_eq!(read(&text), Ok(lesson));
                prop_assert_eq!(write(&read(&text).unwrap()), text);
            }
            Err(faults) => prop_assert!(!faults.is_empty() && faults.iter().all(|f| f.line.0 >= 1)),
        }
    }

    #[test]
    fn any_words_round_trip(words in "[ -~あ-ん\"\\\\]{1,60}(\n[ -~]{1,30}){0,3}") {
        let mut lesson = lesson();
        let escaped = words.trim().replace('{', "{{");
        prop_assume!(!escaped.is_empty() && !escaped.split_whitespace().any(|w| w.len() > 60));
        lesson.steps[0].title.by[0] = escaped.lines().next().unwrap_or("x").chars().take(30).collect::<String>().replace('{', "").trim().to_owned() + "x";
        lesson.steps[0].text.by[0] = escaped;
        let text = write(&lesson);
        prop_assert!(text.parse::<toml::Table>().is_ok(), "{}", text);
        prop_assert_eq!(read(&text), Ok(lesson));
    }
}

#[test]
fn thousands_of_placeholders_cost_no_thousand_runs() {
    // The slowest state there is; each of its tables takes long enough that ten thousand would not end.
    let state = "#lab=routing-lab&count=2000&rate=2";
    let many = "{one.random.ttft_p95} ".repeat(25);
    let says = format!("\n[[step.misconception]]\nsays.en = \"x\"\nanswer.en = \"{many}\"\n").repeat(150);
    let text = WHOLE.replace("#lab=herding&interval=20", state);
    let end = text.find("[step.predict]").unwrap();
    let start = text.find("reveal.en").unwrap();
    let head = text[..start]
        .replace("minutes = 6", "minutes = 2")
        .replace("one.least-outstanding.max_spread", "one.ttft_p95");
    assert!(end > start && head.len() + says.len() < MAX_BYTES);
    let lesson = read(&format!("{head}{says}")).unwrap();
    assert_eq!(lesson.steps[0].misconceptions.len(), 150);
}

/// Found by the fuzzer: lines were counted twice where a text of several lines had a fault.
#[test]
fn a_fault_in_a_long_text_moves_no_line_and_makes_no_other_fault() {
    for wrong in ["- an \\q item", "- an \u{1} item", "- an \\\n- item"] {
        let text = WHOLE.replace("- an item", wrong).replace("answer.en = \"No.\"", "answer.en = No.");
        let at = text.lines().position(|line| line == "answer.en = No.").unwrap() + 1;
        let faults = read(&text).unwrap_err();
        let seen: Vec<(u32, &str)> = faults.iter().map(|fault| (fault.line.0, fault.why.key)).collect();
        assert!(seen.iter().any(|(line, _)| *line == 14), "{seen:?}");
        assert!(seen.contains(&(at as u32, "fault.value")), "{seen:?} of line {at}");
        assert!(!seen.iter().any(|(_, key)| *key == "fault.line"), "{seen:?}");
    }
}

/// Reading needs no simulator; what the settings mean is asked of whoever has one.
#[test]
fn a_step_may_show_the_fleet_page() {
    let step =
        "[[step]]\nid = \"pool\"\nminutes = 1\nfleet = \"FLEET\"\ntitle.en = \"Pool\"\ntext.en = \"Look.\"\n";
    let whole = |fleet: &str| {
        let longer = WHOLE.replacen("minutes = 6", "minutes = 7", 1);
        format!("{longer}\n{}", step.replace("FLEET", fleet))
    };
    let lesson = read(&whole("https://example.org/fleet/#rules=random&fleet.replicas=8")).unwrap();
    let shown = lesson.step("pool").unwrap().fleet.clone().unwrap();
    assert_eq!(shown.fragment, "rules=random&fleet.replicas=8");
    assert!(write(&lesson).contains("fleet = \"#rules=random&fleet.replicas=8\"\n"));
    assert_eq!(read(&write(&lesson)), Ok(lesson.clone()));
    let long = format!("#{}", "x".repeat(20_000));
    for wrong in ["rules=random", "#a b", "#<b>", "#a#b", &long] {
        assert!(
            keys(&whole(wrong)).iter().all(|(_, field, key)| field == "pool.fleet" && *key == "fault.fleet")
        );
        assert_eq!(keys(&whole(wrong)).len(), 1, "{wrong}");
    }
    let both = whole("#").replace("fleet = ", "state = \"#lab=herding\"\nfleet = ");
    assert_eq!(keys(&both)[0].2, "fault.fleet-state");
    // Whoever has the simulator names what it cannot use, with the line.
    let notices = |fragment: &str| {
        assert_eq!(fragment, "rules=random&fleet.replicas=8");
        vec![Notice::Unknown("fleet.replica".to_owned()), Notice::Newer(3)]
    };
    let found = fleet::faults(&lesson, notices, 1);
    let said: Vec<&str> = found.iter().map(|fault| fault.why.key).collect();
    assert_eq!(said, ["fault.fleet-unknown", "fault.link-newer"]);
    let line = write(&lesson).lines().position(|line| line.starts_with("fleet = "));
    assert!(line.is_some() && found.iter().all(|fault| fault.field == "pool.fleet" && fault.line.0 > 1));
}
