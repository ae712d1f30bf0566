//! `tokenyard open <file>`: which link a figure, an export or a text holds, or what else a file is.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use tokenyard_export::{Opened, read};
use tokenyard_figure::MAX_BYTES;

use crate::args::Args;
use crate::outcome::Outcome;
use crate::refusal::{Refusal, shown};
use crate::words;

/// Reads a file and says what it is.
pub(crate) fn command(mut args: Args) -> Result<Outcome, Refusal> {
    let Some(path) = args.positional() else {
        return Err(Refusal::new(
            "open needs a file; allowed: a figure, an export, a text with a link".to_owned(),
        ));
    };
    args.finish("open", &[])?;
    let mut bytes = Vec::new();
    // No more than what can be opened, and one byte by which to see that there is more.
    let opened = File::open(&path).and_then(|file| file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes));
    opened
        .map_err(|error| Refusal::new(format!("cannot read {} ({error}); allowed: a file", shown(&path))))?;
    let name = Path::new(&path).file_name().and_then(|name| name.to_str());
    let opened = match read(&bytes, name) {
        Ok(opened) => opened,
        Err(refused) => return Err(Refusal::new(words::common()?.say(&refused.say()))),
    };
    Ok(said(&opened))
}

/// A line for stdout, and what to do with it.
fn said(opened: &Opened) -> Outcome {
    let (line, note) = match opened {
        Opened::Lab(carried) => {
            let by = Some(carried.product()).filter(|product| !product.is_empty());
            (carried.link(), by.map(|product| format!("made by tokenyard {product}")))
        }
        Opened::Study(fragment) => (format!("fleet/#{fragment}"), None),
        Opened::Scenario(_) => ("scenario".to_owned(), Some("tokenyard run FILE runs it".to_owned())),
        Opened::Trace(form) => {
            let note = "tokenyard replay --trace FILE replays it".to_owned();
            (format!("trace, {}", form.id()), Some(note))
        }
        Opened::Lesson => ("lesson".to_owned(), Some("tokenyard lesson FILE checks it".to_owned())),
    };
    Outcome { stdout: format!("{line}\n"), notes: note.into_iter().collect() }
}
