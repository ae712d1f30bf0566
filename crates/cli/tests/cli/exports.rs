//! Exports from the command line, and the way back.

use std::path::{Path, PathBuf};

use tokenyard_export::Export;
use tokenyard_lab::labs::{LABS, by_id};
use tokenyard_lab::link::State;

use crate::program::{line, run};

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

const FORMATS: [&str; 6] = ["table.csv", "series.csv", "json", "markdown", "svg", "svg-dark"];

/// The library's golden files: the program adds nothing to them and takes nothing away.
#[test]
fn the_program_writes_what_the_library_does() {
    let lab = by_id("herding").unwrap();
    let link = "herding#interval=5&seed=7&fork=41&then.interval=1&step=28&guess=4";
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../export/golden");
    for export in Export::ALL {
        let name = export.file_name(lab, &State::fresh(lab));
        let expected = |language: &str| std::fs::read_to_string(golden.join(language).join(&name)).unwrap();
        let args = ["export", link, "--format", export.id()];
        let site = ["--site-url", "https://example.org/tokenyard"];
        assert_eq!(run(&[&args[..], &site].concat()).ok(), expected("en"), "{name}");
        assert_eq!(run(&[&args[..], &["--lang", "ja"]].concat()).ok(), expected("ja"), "{name}");
    }
    assert_eq!(run(&["export", link, "--format", "svg"]).ok(), run(&["figure", link]).ok());
    assert_eq!(FORMATS, Export::ALL.map(Export::id));
    assert_eq!(run(&["export", "herding"]).ok(), run(&["export", "herding", "--format", "json"]).ok());
}

#[test]
fn every_file_of_every_lab_is_opened_again() {
    let folder = folder("exports");
    for lab in LABS {
        let link = format!("labs/{}/#step=2", lab.id);
        for export in Export::ALL {
            let out = folder.to_str().unwrap();
            assert_eq!(run(&["export", &link, "--format", export.id(), "--out", out]).ok(), "");
            let file = folder.join(export.file_name(lab, &State { step: Some(1), ..State::fresh(lab) }));
            let opened = run(&["open", file.to_str().unwrap()]).ok();
            assert!(opened.starts_with(&link) && opened.lines().count() == 1, "{}: {opened}", file.display());
            assert!(run(&["link", opened.trim_end()]).code == Some(0), "{opened}");
        }
    }
}

/// The points that a page simulates at a press are those of the command line.
#[test]
fn a_sweep_is_added_where_it_is_asked_for() {
    let lab = LABS.iter().find(|lab| lab.sweep.is_some()).unwrap();
    let text = |args: &[&str]| run(&[&[args[0], lab.id], &args[1..]].concat()).ok();
    let series = |all| text(&["export", "--format", "series.csv", "--sweep", all]).lines().count();
    assert_eq!(series("none"), text(&["export", "--format", "series.csv"]).lines().count());
    assert!(series("all") > series("none"), "{} of {}", series("all"), series("none"));
    let figures = ["none", "all"].map(|all| text(&["figure", "--sweep", all]));
    assert!(figures[1].len() > figures[0].len());
    assert_eq!(figures[1], text(&["export", "--format", "svg", "--sweep", "all"]));
}

#[test]
fn what_else_a_file_is_is_said_too() {
    let folder = folder("opened");
    for (name, text, said) in [
        ("scenario.json", "{\"fleet\": {\"replicas\": 2}}", "scenario\n"),
        ("trace.jsonl", "{\"timestamp\": 0, \"input_length\": 9}\n", "trace, mooncake\n"),
        ("trace.csv", "TIMESTAMP,ContextTokens,GeneratedTokens\n", "trace, azure-2023\n"),
        ("note.txt", "see https://example.org/fleet/#seed=3.", "fleet/#seed=3\n"),
    ] {
        let file = folder.join(name);
        std::fs::write(&file, text).unwrap();
        assert_eq!(run(&["open", file.to_str().unwrap()]).ok(), said, "{name}");
    }
    let file = folder.join("letter.txt");
    std::fs::write(&file, "Dear reader,\n").unwrap();
    let reason = run(&["open", file.to_str().unwrap()]).refused();
    assert!(reason.starts_with("error: letter.txt: ") && reason.contains("without a link"), "{reason}");
    assert!(reason.contains("What can be opened: "), "{reason}");
}

#[test]
fn what_cannot_be_used_is_named_with_what_can() {
    let id = LABS[0].id;
    for (args, named) in [
        ("export".to_owned(), "export needs a link"),
        (format!("export labs/{id}/#colour=red"), "no setting colour"),
        (
            format!("export {id} --format csv"),
            "--format is csv; allowed: table.csv, series.csv, json, markdown, svg, svg-dark",
        ),
        (format!("export {id} --lang xx"), "--lang is xx; allowed: en, ja"),
        (format!("export {id} --site-url ftp://x"), "--site-url is ftp://x; allowed: "),
        (format!("export {id} --theme dark"), "export has no option --theme"),
        ("export herding --sweep all".to_owned(), "--sweep is all; herding has no sweep; allowed: none"),
        ("figure herding --sweep some".to_owned(), "--sweep is some; allowed: none, all"),
        (format!("export {id} --out no-such-folder/x.json"), "cannot write no-such-folder/x.json"),
        ("open".to_owned(), "open needs a file"),
        ("open no-such-file".to_owned(), "cannot read no-such-file"),
        ("open x --lang ja".to_owned(), "open has no option --lang"),
    ] {
        let reason = line(&args).refused();
        assert!(reason.contains(named), "{args}: {reason}");
    }
}
