//! Running other programs: found on the path, shown when they fail, read line by line.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Sender};

use crate::{Context as _, Outcome, Trouble};

/// One line of a running program, without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// From standard output.
    Out(String),
    /// From standard error.
    Err(String),
}

/// The cargo that started this program, so that the toolchain stays the same.
#[must_use]
pub fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// `program arg arg`, as a person would type it. Arguments with spaces are quoted.
#[must_use]
pub fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let quoted = words.map(|word| {
        let word = word.to_string_lossy();
        if word.contains(' ') { format!("'{word}'") } else { word.into_owned() }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// Runs to the end with this program's own streams. `true` if it succeeded.
pub fn succeeds(command: &mut Command) -> Outcome<bool> {
    let status = command.stdin(Stdio::null()).status().context(|| format!("run {}", shown(command)))?;
    Ok(status.success())
}

/// As [`succeeds`], where failure is trouble.
pub fn run(command: &mut Command) -> Outcome<()> {
    if succeeds(command)? { Ok(()) } else { Err(Trouble(format!("this command failed: {}", shown(command)))) }
}

/// Standard output of a program that succeeds; trouble with its standard error if it does not.
pub fn output(command: &mut Command) -> Outcome<String> {
    let output = command.stdin(Stdio::null()).output().context(|| format!("run {}", shown(command)))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let reason = String::from_utf8_lossy(&output.stderr);
    Err(Trouble(format!("this command failed: {}\n{}", shown(command), reason.trim_end())))
}

/// Runs to the end, prints every line as it comes on the stream it came from, and hands it to
/// `see`. `true` if the program succeeded.
pub fn watch(command: &mut Command, mut see: impl FnMut(&Line)) -> Outcome<bool> {
    follow(command, |line| {
        print(line);
        see(line);
    })
}

/// Prints a line on the stream it came from.
pub fn print(line: &Line) {
    // A closed output is no reason to stop the program that is being watched.
    let _ = match line {
        Line::Out(text) => writeln!(std::io::stdout(), "{text}"),
        Line::Err(text) => writeln!(std::io::stderr(), "{text}"),
    };
}

/// Runs to the end and hands every line to `see` as it comes. `true` if the program succeeded.
pub fn follow(command: &mut Command, mut see: impl FnMut(&Line)) -> Outcome<bool> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context(|| format!("run {}", shown(command)))?;
    let (sender, receiver) = mpsc::channel();
    if let Some(stream) = child.stdout.take() {
        let sender = sender.clone();
        std::thread::spawn(move || send_lines(stream, &sender, Line::Out));
    }
    if let Some(stream) = child.stderr.take() {
        std::thread::spawn(move || send_lines(stream, &sender, Line::Err));
    } else {
        drop(sender);
    }
    for line in receiver {
        see(&line);
    }
    let status = child.wait().context(|| format!("wait for {}", shown(command)))?;
    Ok(status.success())
}

fn send_lines(stream: impl Read, sender: &Sender<Line>, make: fn(String) -> Line) {
    let mut reader = BufReader::new(stream);
    let mut bytes = Vec::new();
    while reader.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
        let text = String::from_utf8_lossy(&bytes);
        if sender.send(make(text.trim_end_matches(['\n', '\r']).to_owned())).is_err() {
            return;
        }
        bytes.clear();
    }
}

/// Where `name` is on the path, if it is a file there.
#[must_use]
pub fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&path).map(|folder| folder.join(&file)).find(|file| is_program(file))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

/// First line of `program --version`, if it can be run.
#[must_use]
pub fn version(program: &Path) -> Option<String> {
    let text = output(Command::new(program).arg("--version")).ok()?;
    text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}

/// Puts `folders` before everything else on the path of `command`.
pub fn put_first(command: &mut Command, folders: &[PathBuf]) -> Outcome<()> {
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let all = folders.iter().cloned().chain(std::env::split_paths(&rest));
    let joined = std::env::join_paths(all).context(|| "put the tools on the path".to_owned())?;
    command.env("PATH", joined);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_streams_are_seen_line_by_line_and_failure_is_told() {
        let mut lines = Vec::new();
        // The compiler is the one program that is surely there.
        let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        assert!(watch(command.arg("--version"), |line| lines.push(line.clone())).unwrap());
        assert!(matches!(&lines[..], [Line::Out(text)] if text.starts_with("rustc 1.")), "{lines:?}");
        lines.clear();
        assert!(!watch(command.arg("--no-such-flag"), |line| lines.push(line.clone())).unwrap());
        assert!(lines.iter().any(|line| matches!(line, Line::Err(text) if text.contains("no-such-flag"))));
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let trouble = run(Command::new("no-such-program-here").arg("a b")).unwrap_err();
        assert!(trouble.0.starts_with("could not run no-such-program-here 'a b': "), "{trouble}");
        assert_eq!(on_path("no-such-program-here"), None);
    }

    #[test]
    fn broken_text_and_a_missing_last_newline_are_kept() {
        let (sender, receiver) = mpsc::channel();
        send_lines(&b"a\xff\r\n\nlast"[..], &sender, Line::Out);
        drop(sender);
        let lines: Vec<Line> = receiver.iter().collect();
        assert_eq!(lines, ["a\u{fffd}", "", "last"].map(|text| Line::Out(text.to_owned())));
    }
}
