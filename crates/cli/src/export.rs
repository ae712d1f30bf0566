//! `tokenyard export <link>`: a state for other programs and other people.

use std::path::Path;

use tokenyard_export::{Export, Source, write};

use crate::address::{self, Target};
use crate::args::Args;
use crate::link;
use crate::options::{deliver, one_of, site, sweep, swept, text};
use crate::outcome::Outcome;
use crate::refusal::Refusal;
use crate::words;

const OPTIONS: [&str; 5] = ["format", "lang", "out", "site-url", "sweep"];

/// Reads a link and writes what it describes.
pub(crate) fn command(mut args: Args) -> Result<Outcome, Refusal> {
    let Some(given) = args.positional() else {
        return Err(Refusal::new("export needs a link; allowed: labs/<id>/#… or #lab=<id>&…".to_owned()));
    };
    let export = one_of(&mut args, "format", &Export::ALL.map(|export| (export.id(), export)))?;
    let export = export.unwrap_or(Export::Json);
    let language = text(&mut args, "lang")?.unwrap_or_else(|| words::default().to_owned());
    let (out, site, all) = (text(&mut args, "out")?, site(&mut args)?, sweep(&mut args)?);
    args.finish("export", &OPTIONS)?;
    let target = address::read(&given)?;
    let state = link::state(&target)?;
    let Target { lab, .. } = target;
    let words = words::of(lab.id, &language)?;
    let rows = swept(all, lab, &state.setup)?;
    let source = Source { lab, state: &state, words: &words, site: site.as_deref(), sweep: &rows };
    let written = write(export, &source).map_err(|error| Refusal::new(error.to_string()))?;
    let out = out.map(|out| match Path::new(&out) {
        folder if folder.is_dir() => folder.join(export.file_name(lab, &state)).display().to_string(),
        _ => out,
    });
    deliver(written.into_bytes(), out.as_deref())
}
