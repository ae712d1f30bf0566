//! What all of the page shares: page, language, colours.

use std::sync::Arc;

use leptos::prelude::*;
use tokenyard_lab::{Msg, Words};

use crate::frame::Shape;
use crate::page::{Page, Program};

/// Light, dark, or as the system says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// As the system says.
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Colours {
    /// The next choice of the button.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    /// Its value in storage and in the address; the system's has none.
    #[must_use]
    pub fn id(self) -> Option<&'static str> {
        match self {
            Self::System => None,
            Self::Light => Some("light"),
            Self::Dark => Some("dark"),
        }
    }

    /// Reads a stored value.
    #[must_use]
    pub fn parse(id: &str) -> Self {
        [Self::Light, Self::Dark].into_iter().find(|c| c.id() == Some(id)).unwrap_or(Self::System)
    }

    /// Key of its name.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::System => "nav.theme-system",
            Self::Light => "nav.theme-light",
            Self::Dark => "nav.theme-dark",
        }
    }
}

/// Shared state, created once.
#[derive(Clone, Copy, Debug)]
pub struct Shell {
    /// The program that shows it.
    pub program: Program,
    /// The present page.
    pub page: RwSignal<Page>,
    /// Language code.
    pub lang: RwSignal<String>,
    /// Colours.
    pub colours: RwSignal<Colours>,
    /// Words of the page in the language.
    pub words: Memo<Arc<Words>>,
    /// The fragment, when somebody other than the page changed it.
    pub fragment: RwSignal<Option<String>>,
    /// A scenario or a trace that the reader opened, until the fleet page has taken it.
    pub file: RwSignal<Option<web_sys::File>, LocalStorage>,
    /// What of a lab is shown, and what could not be used of the address that asks for it.
    pub shape: StoredValue<(Shape, Vec<Msg>)>,
}

impl Shell {
    /// Creates the state for a page.
    #[must_use]
    pub fn new(program: Program, page: Page, lang: String, colours: Colours) -> Self {
        let (page, lang) = (RwSignal::new(page), RwSignal::new(lang));
        let words = Memo::new(move |_| page.with(|p| lang.with(|l| p.words(l))));
        Self {
            program,
            page,
            lang,
            colours: RwSignal::new(colours),
            words,
            fragment: RwSignal::new(None),
            file: RwSignal::new_local(None),
            shape: StoredValue::new((Shape::whole(), Vec::new())),
        }
    }

    /// Whether it is shown inside somebody else's page: nothing is remembered there, and the address
    /// is left alone.
    #[must_use]
    pub fn is_embed(self) -> bool {
        self.page.with_untracked(|page| page.kind.is_embed())
    }

    /// Goes on to the page's next language, and after the last to the first.
    pub fn next_language(self) {
        let now = self.lang.get_untracked();
        let next = self.page.with_untracked(|page| {
            let codes = || page.languages.iter().map(|(code, _)| code);
            let at = codes().position(|code| *code == now)?;
            codes().cycle().nth(at + 1).cloned()
        });
        if let Some(next) = next {
            self.lang.set(next);
        }
    }

    /// Words of a key, following the language.
    pub fn t(self, key: &'static str) -> Signal<String> {
        Signal::derive(move || self.words.with(|w| w.at(&[key])))
    }

    /// Words of a key put together from parts, following the language.
    pub fn at(self, parts: &[&str]) -> Signal<String> {
        let key = parts.join(".");
        Signal::derive(move || self.words.with(|w| w.at(&[&key])))
    }

    /// A message, following the language.
    pub fn say(self, msg: Msg) -> Signal<String> {
        Signal::derive(move || self.words.with(|w| w.say(&msg)))
    }

    /// A message now, tracked.
    #[must_use]
    pub fn now(self, msg: &Msg) -> String {
        self.words.with(|w| w.say(msg))
    }
}

/// The shell of this page.
///
/// Components live under [`crate::app::App`], which provides it; outside of it there is nothing
/// to show.
#[must_use]
pub fn shell() -> Shell {
    expect_context::<Shell>()
}
