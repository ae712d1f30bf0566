//! `tokenyard lesson` on the lessons that ship, and on one that is wrong.

use crate::program::{line, run};

fn shipped(name: &str) -> String {
    format!("{}/../../lessons/{name}.toml", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn an_outline_has_a_row_for_each_step() {
    let text = run(&["lesson", &shipped("tour")]).ok();
    let rows: Vec<&str> = text.lines().collect();
    assert!(rows[0].starts_with("step  id") && rows.len() == 5, "{text}");
    assert!(rows[2].contains("guess") && rows[2].contains("predict reveal"), "{text}");
}

#[test]
fn json_has_answers_and_trials() {
    let json = run(&["lesson", &shipped("locality"), "--format", "json"]).json();
    assert_eq!(json["minutes"], 45);
    let steps = json["steps"].as_array().unwrap();
    assert_eq!(steps.iter().map(|s| s["minutes"].as_u64().unwrap()).sum::<u64>(), 45);
    let task = steps.iter().find(|s| s["task"].is_object()).unwrap();
    assert!(task["task"]["tried"]["solution"].as_u64().unwrap() >= 190);
    assert_eq!(steps[1]["predict"]["answer"], 8.0);
}

#[test]
fn a_handout_keeps_the_answers_for_the_notes() {
    let handout = run(&["lesson", &shipped("tour"), "--format", "markdown"]).ok();
    let notes = run(&["lesson", &shipped("tour"), "--format", "markdown", "--notes"]).ok();
    let japanese = run(&["lesson", &shipped("tour"), "--format=markdown", "--notes", "--lang", "ja"]).ok();
    assert!(handout.starts_with("# ") && notes.len() > handout.len());
    assert!(!handout.contains("**Right:**") && notes.contains("**Right:** 9"));
    assert!(japanese.contains("**正解：** 9"), "{japanese}");
}

#[test]
fn a_wrong_lesson_is_refused_with_every_line() {
    let text = std::fs::read_to_string(shipped("tour")).unwrap();
    let wrong = text.replacen("minutes = 3", "minutes = 30", 1).replace("lab=herding", "lab=herdin");
    let path = std::env::temp_dir().join(format!("tokenyard-lesson-{}.toml", std::process::id()));
    std::fs::write(&path, wrong).unwrap();
    let refused = run(&["lesson", path.to_str().unwrap()]).refused();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(refused.lines().filter(|l| l.contains("no lab is called “herdin”")).count(), 4, "{refused}");
    let lines: Vec<&str> = refused.lines().collect();
    assert!(lines[0].starts_with("error: Line 3, minutes, “10”: the steps take 37 minutes"), "{refused}");
    assert!(lines[1].starts_with("error: Line 15, look.state") && lines.len() == 5, "{refused}");
    assert!(line("lesson").refused().contains("needs a file"));
    assert!(line("lesson no-such-file.toml").refused().contains("cannot read"));
    assert!(line("lesson x --format csv").refused().contains("table, json, markdown"));
    assert!(line("lesson x --lang fr").refused().contains("--lang is fr"));
}
