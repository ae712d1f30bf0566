//! What a figure carries: the link to its state, as one line of ASCII.
//!
//! `tokenyard 1; product 0.1.0; labs/<lab>/#interval=5&seed=7`: the version of this line, the
//! version of the product that made the figure, the link. The link is a page's own, with the model's
//! version and the headline figures, so a page that reopens it says whether it still computes the
//! same.

use tokenyard_lab::link::{self, MAX_CHARS, State};
use tokenyard_lab::{LabSpec, Table};

use crate::unread::Unread;

/// Version of the line. A reader refuses a newer one and says so.
const VERSION: u32 = 1;

/// Longest line that is looked at: a link of the longest kind and what stands before it.
pub(crate) const LONGEST: usize = MAX_CHARS + 200;

/// The lab and the state that a figure shows. There is no way to make one that a figure could not
/// carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    lab: String,
    fragment: String,
    product: String,
}

impl Carried {
    /// What a figure of a state carries. Cost: one table of the lab.
    #[must_use]
    pub fn of(lab: &LabSpec, state: &State) -> Self {
        Self::with(lab, state, &lab.table(&state.setup))
    }

    /// The same where the table is at hand.
    #[must_use]
    pub fn with(lab: &LabSpec, state: &State, table: &Table) -> Self {
        let version = Some(lab.model_version);
        let signed = State { version, headline: Some(link::headline(table)), ..state.clone() };
        Self {
            lab: lab.id.to_owned(),
            fragment: link::write(lab, &signed),
            product: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// Identifier of the lab; it may be one that this version does not know.
    #[must_use]
    pub fn lab(&self) -> &str {
        &self.lab
    }

    /// The state, for [`tokenyard_lab::link::read`], without `#`.
    #[must_use]
    pub fn fragment(&self) -> &str {
        &self.fragment
    }

    /// Version of the product that made the figure; empty if nobody says, as with a link that stands
    /// in a text.
    #[must_use]
    pub fn product(&self) -> &str {
        &self.product
    }

    /// The link below the product's folder: `labs/<lab>/#interval=5`.
    #[must_use]
    pub fn link(&self) -> String {
        format!("labs/{}/#{}", self.lab, self.fragment)
    }

    /// A state that stands somewhere by itself: the lab and the fragment of a link. `product` is the
    /// version that wrote it; empty if nobody says.
    ///
    /// # Errors
    /// If one of them cannot be in a link of ours.
    pub fn linked(product: &str, lab: &str, fragment: &str) -> Result<Self, Unread> {
        let plain = fragment.bytes().all(|b| b.is_ascii_graphic()) && fragment.len() <= MAX_CHARS;
        if !(product.is_empty() || is_name(product, b".+-")) || !is_name(lab, b"-") || !plain {
            return Err(Unread::Broken);
        }
        let owned = str::to_owned;
        Ok(Self { lab: owned(lab), fragment: owned(fragment), product: owned(product) })
    }

    /// The line, as figures have it in their metadata and transcripts in a comment.
    #[must_use]
    pub fn line(&self) -> String {
        format!("tokenyard {VERSION}; product {}; {}", self.product, self.link())
    }

    /// Reads a line, with or without space around it.
    ///
    /// # Errors
    /// If it is none of ours, or one of a newer form.
    pub fn read(line: &str) -> Result<Self, Unread> {
        if line.len() > LONGEST {
            return Err(Unread::Broken);
        }
        let mut parts = line.trim().splitn(3, "; ");
        let mut part = |before: &str| parts.next()?.strip_prefix(before);
        let version = part("tokenyard ").and_then(number).ok_or(Unread::Broken)?;
        if version > VERSION {
            return Err(Unread::Newer(version));
        }
        let product = part("product ").filter(|text| is_name(text, b".+-")).ok_or(Unread::Broken)?;
        let link = part("labs/").and_then(|rest| rest.split_once("/#")).ok_or(Unread::Broken)?;
        Self::linked(product, link.0, link.1)
    }
}

/// A version: digits only, as [`str::parse`] takes a plus sign too.
fn number(text: &str) -> Option<u32> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten().filter(|v| *v > 0)
}

fn is_name(text: &str, marks: &[u8]) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || marks.contains(&b))
}
