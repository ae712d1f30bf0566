//! A lab's state as a file for other programs and other people, and the way back.
//!
//! [`write()`] makes an [`Export`]: the table or the series as CSV, everything as JSON, the transcript
//! as Markdown, the figure as SVG. [`read()`] says what a file is that somebody drops: a state to
//! reopen, a scenario or a trace of the fleet, or none of these, and why.
//!
//! # The same bytes everywhere
//!
//! Everything is made from a state, its words and the address of the pages, without a clock, so the
//! page and the command line give the same bytes. Numbers are plain decimals with all the digits that
//! it takes to read the same double back.
//!
//! # Nothing is covered
//!
//! As figures do, an export shows everything and leaves the reader's guess out: whoever saves a file
//! wants what is in it. The link in it has the guess, as every link has.
//!
//! # Small in a page
//!
//! JSON is written and looked through here, not with a library: a page needs the names at the top of
//! a document and one text, and its module travels over the wire.

mod answers;
mod csv;
mod document;
mod export;
mod json;
mod markdown;
mod name;
mod open;
mod series;
mod table;
mod transcript;

#[cfg(test)]
mod tests;

pub use answers::Source;
pub use export::{Export, write};
pub use open::{HEAD, Opened, Reason, TraceForm, Unopened, body, read, trace};
pub use table::table_csv;
