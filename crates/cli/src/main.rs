//! `tokenyard`: the labs and the fleet simulator without a browser.
//!
//! Results go to stdout and nothing else does. Notes and errors go to stderr. The exit code is 0,
//! 2 for input that cannot be used, and 1 for what is not the caller's fault. No lab is named in
//! this crate: everything comes from `tokenyard_lab::labs::LABS`.

mod address;
mod args;
mod digests;
mod export;
mod figure;
mod find;
mod fleet;
mod format;
mod grid;
mod help;
mod json;
mod lab;
mod lesson;
mod link;
mod list;
mod open;
mod options;
mod outcome;
mod refusal;
mod report;
mod rows;
mod words;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use args::Args;
use outcome::Outcome;
use refusal::Refusal;

const COMMANDS: [&str; 15] = [
    "lab", "labs", "link", "figure", "export", "open", "digest", "lesson", "run", "compare", "replay",
    "rules", "explain", "schema", "help",
];

fn main() -> ExitCode {
    match respond(std::env::args_os().skip(1)) {
        Ok(outcome) => deliver(&outcome),
        Err(refusal) => {
            complain(&refusal.to_string());
            ExitCode::from(2)
        }
    }
}

fn respond(given: impl Iterator<Item = std::ffi::OsString>) -> Result<Outcome, Refusal> {
    let mut args = Args::read(given)?;
    if args.switch("version")? {
        return Ok(Outcome::text(format!("tokenyard {}\n", env!("CARGO_PKG_VERSION"))));
    }
    if args.switch("help")? {
        return Ok(Outcome::text(help::about(&mut args)));
    }
    let Some(command) = args.positional() else {
        return Err(Refusal::new(format!("no command; commands: {}", COMMANDS.join(", "))));
    };
    match command.as_str() {
        "lab" => lab::command(args),
        "labs" => list::command(args),
        "link" => link::command(args),
        "figure" => figure::command(args),
        "export" => export::command(args),
        "open" => open::command(args),
        "digest" => digests::command(args),
        "lesson" => lesson::command(args),
        "run" => fleet::run::command(args),
        "compare" => fleet::compare::command(args),
        "replay" => fleet::replay::command(args),
        "rules" => fleet::rules::command(args),
        "explain" => fleet::explain::command(args),
        "schema" => fleet::schema(args),
        "help" => Ok(Outcome::text(help::about(&mut args))),
        other => Err(Refusal::new(format!(
            "no command is called {}{}; commands: {}",
            refusal::shown(other),
            find::hint(other, &COMMANDS, ""),
            COMMANDS.join(", ")
        ))),
    }
}

/// Prints an outcome. A reader who stops reading early, as `head` does, is no error.
fn deliver(outcome: &Outcome) -> ExitCode {
    outcome.notes.iter().for_each(|note| complain(&format!("note: {note}")));
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(outcome.stdout.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("error: cannot write the results: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Writes to stderr, and goes on without it where it is closed.
fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
