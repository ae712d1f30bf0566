//! Why no state was read from a file.

use std::fmt;

use tokenyard_lab::{Msg, msg};

/// Why a file gives no state, or takes none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// Neither SVG nor PNG.
    Kind,
    /// A picture, but not one of ours: there is no state in it.
    Nothing,
    /// There is a state in it, or the beginning of a picture, but it is cut off or damaged.
    Broken,
    /// The state is written in a newer form than this version knows; which.
    Newer(u32),
    /// More bytes than [`crate::MAX_BYTES`]; how many.
    TooLarge(usize),
}

impl Unread {
    /// The reason as a message of the common catalogue.
    #[must_use]
    pub fn say(&self) -> Msg {
        match self {
            Self::Kind => msg("unread.kind"),
            Self::Nothing => msg("unread.nothing"),
            Self::Broken => msg("unread.broken"),
            Self::Newer(_) => msg("unread.newer"),
            Self::TooLarge(_) => msg("unread.large"),
        }
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind => f.write_str("the file is neither SVG nor PNG"),
            Self::Nothing => f.write_str("the picture carries no state"),
            Self::Broken => f.write_str("the picture is damaged, or what it carries is"),
            Self::Newer(version) => write!(f, "the picture's state is of the newer form {version}"),
            Self::TooLarge(bytes) => write!(f, "the file has {bytes} bytes, more than any figure"),
        }
    }
}

impl std::error::Error for Unread {}
