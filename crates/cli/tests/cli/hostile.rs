//! Input that nobody meant well, and readers that go away.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::process::{Command, Stdio};

use tokenyard_lab::labs::LABS;

use crate::program::run;

/// Values and names that have broken programs before.
fn nasty() -> Vec<String> {
    let mut all: Vec<String> = [
        "",
        " ",
        "-",
        "--",
        "---",
        "=",
        "--=",
        "--=5",
        "-1",
        "1e999",
        "-1e999",
        "NaN",
        "inf",
        "-inf",
        "0x10",
        "1_0",
        "1,5",
        "١٢",
        "½",
        "💥",
        "a\u{301}",
        "\u{202e}",
        "\u{feff}5",
        "\u{1b}[31m",
        "line\nline",
        "tab\t",
        "\u{7f}",
        "%00",
        "%",
        "#",
        "&",
        "?",
        "/",
        "\\",
        "../../etc/passwd",
        "{}",
        "$(x)",
        "'",
        "\"",
        "none",
        "on",
        "null",
        "18446744073709551616",
        "170141183460469231731687303715884105728",
        "0.1.2",
        "+5",
        "5 ",
        "labs//",
        "labs/labs",
        "#lab=",
        "#lab=&lab=",
        "labs/%zz/#",
    ]
    .map(str::to_owned)
    .into();
    all.extend(["9", "labs/", "&seed=1", "%41", "é"].map(|piece| piece.repeat(10_000)));
    all
}

fn check(args: &[OsString]) {
    let ran = run(args);
    assert!(matches!(ran.code, Some(0 | 2)), "{:?} {}", ran.code, ran.stderr);
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    if ran.code == Some(2) {
        ran.refused_decently();
    }
}

impl crate::program::Ran {
    /// A refusal is short and has nothing in it that moves a terminal's cursor.
    fn refused_decently(self) {
        let message = self.refused();
        assert!(message.len() < 4_000, "{} bytes", message.len());
        assert!(message.chars().all(|c| c == '\n' || !c.is_control()), "{message:?}");
    }
}

#[test]
fn nothing_makes_it_panic() {
    for text in nasty() {
        let forms: [&[&str]; 6] = [
            &[&text],
            &["lab", &text],
            &["lab", "herding", &text],
            &["lab", "herding", "--seed", &text],
            &["link", &text],
            &["lab", "herding", "--format", &text],
        ];
        for form in forms {
            check(&form.iter().map(OsString::from).collect::<Vec<_>>());
        }
        let forms: [&[&str]; 7] = [
            &["run", &text],
            &["run", "-", "--set", &text],
            &["compare", "-", "--rules", &text],
            &["compare", "-", "--rules=random", "--seeds", &text],
            &["explain", "-", "--request", &text],
            &["rules", &text],
            &["replay", "--rule=random", "--replicas=1", "--kv-blocks=1", "--block-size=1", "--trace", &text],
        ];
        for form in forms {
            check(&form.iter().map(OsString::from).collect::<Vec<_>>());
        }
        for form in [format!("--{text}"), format!("--{text}=1"), format!("--stagger={text}")] {
            check(&["lab", "herding", &form].map(OsString::from));
        }
        for form in
            [format!("labs/herding/#{text}"), format!("labs/herding/#seed={text}"), format!("#lab={text}")]
        {
            check(&["link", &form].map(OsString::from));
        }
    }
}

#[test]
fn text_that_is_not_utf8_is_refused() {
    for at in 0..4 {
        let mut args = ["lab", "herding", "--seed", "1"].map(OsString::from);
        args[at] = OsString::from_vec(b"\xff\xfe-\x80".to_vec());
        assert!(run(&args).refused().contains("UTF-8"));
    }
}

#[test]
fn every_parameter_of_every_lab_refuses_what_it_cannot_read() {
    for lab in LABS {
        for spec in lab.params {
            for text in ["", "NaN", "1e999", "\u{1b}[2J", "-99999999999999999999"] {
                check(&["lab", lab.id, &format!("--{}={text}", spec.flag())].map(OsString::from));
            }
        }
    }
}

/// More than a pipe holds is written to a reader that closes after the first bytes.
#[test]
fn a_reader_that_stops_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tokenyard"))
        .args(["lab", "herding", "--steps", "--horizon=600", "--arrivals-per-tick=8", "--format=json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

#[test]
fn results_that_cannot_be_written_are_an_internal_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    let Ok(full) = full else { return };
    let output =
        Command::new(env!("CARGO_BIN_EXE_tokenyard")).args(["lab", "herding"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("error: "));
}
