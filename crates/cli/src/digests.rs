//! `tokenyard digest`: the digests that every engine must agree on.

use std::fmt::Write as _;

use tokenyard_lab::digest;

use crate::args::Args;
use crate::outcome::Outcome;
use crate::refusal::Refusal;

/// Prints index, lab and digest of every scenario, or how many there are with `--count`.
pub(crate) fn command(mut args: Args) -> Result<Outcome, Refusal> {
    let count = args.switch("count")?;
    args.finish("digest", &["count"])?;
    if count {
        return Ok(Outcome::text(format!("{}\n", digest::count())));
    }
    let mut out = String::new();
    for index in 0..digest::count() {
        if let Some((lab, values)) = digest::scenario(index) {
            let _ = writeln!(out, "{index} {} {:016x}", lab.id, digest::of(lab, &values));
        }
    }
    Ok(Outcome::text(out))
}
