//! The three engines and what each can do.

use std::fmt;

/// A browser engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Engine {
    /// Chromium with `chromedriver`, headless.
    Chromium,
    /// Firefox ESR with `geckodriver`, headless.
    Firefox,
    /// WebKitGTK's MiniBrowser with `WebKitWebDriver`, on a virtual screen.
    WebKit,
}

/// Every engine, in the order of the report.
pub const ALL: &[Engine] = &[Engine::Chromium, Engine::Firefox, Engine::WebKit];

impl Engine {
    /// Name in reports, in `--engine` and in artefact paths.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::Firefox => "firefox",
            Self::WebKit => "webkit",
        }
    }

    /// The engine of that name, if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        ALL.iter().copied().find(|engine| engine.name() == name)
    }

    /// Whether the driver can print a page to PDF. WebKitGTK's cannot.
    #[must_use]
    pub fn prints(self) -> bool {
        self != Self::WebKit
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
