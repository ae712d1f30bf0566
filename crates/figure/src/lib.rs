//! A lab's state as one static figure: for a README, for print, for a page that allows no frame.
//!
//! A figure is one SVG document, 800 pixels wide, that needs nothing but itself: title and question,
//! the first charts, the sentence of the step, the whole table, and a foot that says from what it was
//! computed. It shows everything: whoever reads documentation has not been asked to guess, so nothing
//! is covered, and a reader's guess is not drawn. A state without a step is shown at its first key
//! moment, where its page opens.
//!
//! # The same bytes everywhere
//!
//! Text is laid out by widths from a table that is an upper bound (`width.rs`), numbers stand at their
//! right edge, which needs no width, and heights of lines are constants. So the same state in the
//! same words gives the same bytes natively and in a page. Charts come from `tokenyard-chart` as bare
//! elements at quarters of a pixel.
//!
//! # The link in it
//!
//! Every figure carries the link to its state ([`Carried`]): SVG in `<metadata>`, PNG in a chunk that
//! [`sign_png`] puts there, whoever made the pixels. [`read_link`] reads both back.
//!
//! # Words
//!
//! [`Words`] must have the common catalogue and the lab's own, as its page does.

mod carried;
mod carry;
mod page;
mod pen;
#[cfg(feature = "png")]
mod raster;
mod settings;
mod shot;
mod table;
mod unread;
mod width;

#[cfg(test)]
mod tests;

use tokenyard_lab::link::State;
use tokenyard_lab::{LabSpec, Words};

pub use carried::Carried;
pub use carry::{MAX_BYTES, read_link, sign_png};
pub use page::{Theme, WIDTH};
#[cfg(feature = "png")]
pub use raster::{Painter, Unpainted};
pub use shot::Shot;
pub use tokenyard_chart::DrawError;
pub use unread::Unread;

/// A state's figure as one SVG document. `address` is shown at the foot, as a link if it is one of
/// the web. Cost: one run of the lab and one table.
///
/// # Errors
/// As [`tokenyard_chart::draw`]; no state of a lab is known to give any.
pub fn svg(
    lab: &LabSpec,
    state: &State,
    words: &Words,
    theme: Theme,
    address: Option<&str>,
) -> Result<String, DrawError> {
    Shot::new(lab, state, words).svg(theme, address)
}

/// What the figure shows, for whoever does not see it: title and first chart, in two sentences or
/// three. Cost: as [`svg`].
#[must_use]
pub fn alt(lab: &LabSpec, state: &State, words: &Words) -> String {
    Shot::new(lab, state, words).alt()
}

/// What stands under the figure in a text: its title, its charts, and from what it was computed.
/// Cost: as [`svg`].
#[must_use]
pub fn caption(lab: &LabSpec, state: &State, words: &Words, address: Option<&str>) -> String {
    Shot::new(lab, state, words).caption(address)
}
