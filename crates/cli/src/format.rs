//! The three forms of output.

use crate::args::Args;
use crate::find;
use crate::refusal::{Refusal, shown};

const NAMES: [&str; 3] = ["table", "json", "csv"];

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Aligned text with the digits that the page shows.
    Table,
    /// Everything, exactly.
    Json,
    /// RFC 4180, exactly.
    Csv,
}

impl Format {
    /// Takes `--format`; a table without it.
    pub(crate) fn take(args: &mut Args) -> Result<Self, Refusal> {
        let allowed = NAMES.join(", ");
        match args.option("format") {
            None => Ok(Self::Table),
            Some(None) => Err(Refusal::new(format!("--format has no value; allowed: {allowed}"))),
            Some(Some(name)) => match name.as_str() {
                "table" => Ok(Self::Table),
                "json" => Ok(Self::Json),
                "csv" => Ok(Self::Csv),
                other => Err(Refusal::new(format!(
                    "--format is {}; allowed: {allowed}{}",
                    shown(other),
                    find::hint(other, &NAMES, "")
                ))),
            },
        }
    }
}
