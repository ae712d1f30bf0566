//! What a file is that somebody drops: by its bytes, whatever it is called.
//!
//! The first line or the first keys decide, and after that no more is read than the answer needs: of
//! a trace the first line, of a picture its marks, of a text its links. Nothing is unpacked and
//! nothing recurses, so the work is one look at every byte at most.

mod export;
mod links;
mod members;
mod refused;
mod trace;

use tokenyard_figure::{Carried, MAX_BYTES, read_link};

pub use refused::{Reason, Unopened};
pub use trace::{HEAD, TraceForm, body, trace};

use crate::{name, series, table};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Longest text that is looked through for links.
const MOST_TEXT: usize = 4 << 20;

/// What begins a step of a lesson.
const STEP: &str = "[[step]]";

/// What was dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened<'a> {
    /// A state of a lab: its figure, its export, or a text with its link. The lab may be one that this
    /// version does not know.
    Lab(Carried),
    /// A text with a link to the fleet page: the fragment, for its own reader.
    Study(String),
    /// A scenario of the fleet, or what means to be one: its text, for its own reader.
    Scenario(&'a str),
    /// A trace, or what begins like one.
    Trace(TraceForm),
    /// A lesson, or what means to be one: a text with a step on a line of its own.
    Lesson,
}

/// Says what a file is. `name` is the file's own, without folders; it is needed to reopen a CSV, and
/// named in a refusal. Cost: one look at every byte of a picture, an export or a text; of a trace the
/// beginning, however long it is.
///
/// # Errors
/// Why it cannot be opened, in words for people.
pub fn read<'a>(bytes: &'a [u8], name: Option<&str>) -> Result<Opened<'a>, Unopened> {
    opened(bytes, name).map_err(|reason| Unopened::new(name, reason))
}

fn opened<'a>(bytes: &'a [u8], name: Option<&str>) -> Result<Opened<'a>, Reason> {
    if bytes.starts_with(PNG) {
        return picture(bytes);
    }
    let body = trace::body(bytes);
    if body.is_empty() {
        return Err(Reason::Empty);
    }
    // Before anything else, so that it is the same answer as of whoever asks for the first line only.
    if let Some(form) = trace(body.get(..HEAD).unwrap_or(body)) {
        return Ok(Opened::Trace(form));
    }
    let head = trace::text(body).ok_or(Reason::NoText)?;
    if body.len() > MAX_BYTES {
        return Err(Reason::Large(bytes.len()));
    }
    if is_csv(head) {
        return name.and_then(name::read).map(Opened::Lab).ok_or(Reason::Numbers);
    }
    if head.starts_with('<') && head.contains("<svg") {
        return picture(bytes);
    }
    let text = std::str::from_utf8(body).map_err(|_| Reason::NoText)?;
    if head.starts_with('{') { export::json(text) } else { links(text) }
}

/// Whether a text begins as a CSV of ours does.
fn is_csv(head: &str) -> bool {
    [&table::HEAD[..], &series::HEAD].iter().any(|names| head.starts_with(&(names.join(",") + ",")))
        || head.lines().next().is_some_and(|line| line == series::HEAD.join(","))
}

fn picture<'a>(bytes: &[u8]) -> Result<Opened<'a>, Reason> {
    read_link(bytes).map(Opened::Lab).map_err(Reason::Figure)
}

/// A transcript by its comment, a lesson by its steps, any other text by the one link that it holds.
fn links<'a>(text: &str) -> Result<Opened<'a>, Reason> {
    if text.len() > MOST_TEXT {
        return Err(Reason::Large(text.len()));
    }
    if let Some(line) = export::comment(text) {
        return Carried::read(line).map(Opened::Lab).map_err(Reason::Export);
    }
    if text.lines().any(|line| line.trim() == STEP) {
        return Ok(Opened::Lesson);
    }
    let mut found = links::all(text);
    match (found.pop(), found.len()) {
        (None, _) => Err(Reason::NoLink),
        (Some(link), 0) => Ok(link),
        (Some(_), _) => Err(Reason::Several),
    }
}
