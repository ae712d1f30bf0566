//! Why a journey, or the machinery under it, did not go on.

use std::fmt;

/// A message for the reader of the report, with what was being done when it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(String);

/// What a journey returns: nothing, or the reason why it stopped.
pub type Outcome = Result<(), Failure>;

impl Failure {
    /// A failure that says `message`.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// The same failure, preceded by what was being attempted.
    #[must_use]
    pub fn during(self, doing: &str) -> Self {
        Self(format!("{doing}: {}", self.0))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

macro_rules! from_error {
    ($($error:ty),* $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self(error.to_string())
            }
        })*
    };
}

from_error!(
    std::io::Error,
    serde_json::Error,
    url::ParseError,
    fantoccini::error::CmdError,
    fantoccini::error::NewSessionError,
    tokio_tungstenite::tungstenite::Error,
    String,
    &str,
);
