//! Runs the program and reads what it prints.

use std::ffi::OsStr;
use std::process::Command;

use serde_json::Value as Json;

/// What one run printed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the program with arguments.
pub(crate) fn run<S: AsRef<OsStr>>(args: &[S]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_tokenyard")).args(args).output().unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs arguments that are apart by spaces.
pub(crate) fn line(args: &str) -> Ran {
    run(&args.split_whitespace().collect::<Vec<_>>())
}

impl Ran {
    /// The results of a run that must succeed.
    pub(crate) fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        self.stdout
    }

    /// The results as JSON.
    pub(crate) fn json(self) -> Json {
        serde_json::from_str(&self.ok()).unwrap()
    }

    /// The message of a run that must be refused: nothing on stdout, a reason on every line.
    pub(crate) fn refused(self) -> String {
        assert_eq!((self.code, self.stdout.as_str()), (Some(2), ""), "{}", self.stderr);
        assert!(self.stderr.lines().count() > 0);
        assert!(self.stderr.lines().all(|l| l.starts_with("error: ")), "{}", self.stderr);
        self.stderr
    }
}

/// Reads RFC 4180 strictly: CRLF after every record, quotes only where the grammar allows them.
pub(crate) fn csv(text: &str) -> Vec<Vec<String>> {
    let mut records = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut record = Vec::new();
        loop {
            let (field, after) = field(rest);
            record.push(field);
            if let Some(after) = after.strip_prefix(',') {
                rest = after;
                continue;
            }
            rest = after.strip_prefix("\r\n").unwrap_or_else(|| panic!("no line end at {after:?}"));
            break;
        }
        records.push(record);
    }
    records
}

fn field(text: &str) -> (String, &str) {
    let Some(mut rest) = text.strip_prefix('"') else {
        let end = text.find([',', '\r', '\n', '"']).unwrap_or(text.len());
        return (text[..end].to_owned(), &text[end..]);
    };
    let mut out = String::new();
    loop {
        let end = rest.find('"').unwrap();
        out.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(after) => {
                out.push('"');
                rest = after;
            }
            None => return (out, rest),
        }
    }
}
