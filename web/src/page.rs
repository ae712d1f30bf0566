//! What a page's file says about itself: which page it is, where the site's root lies, its words.

use std::sync::Arc;

use tokenyard_lab::labs::{LABS, by_id, preset};
use tokenyard_lab::link::{self, State};
use tokenyard_lab::{LabSpec, Preset, Words};

/// Which page.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// The list of labs and one live scene.
    Home,
    /// A lab.
    Lab(&'static LabSpec),
    /// A lab inside somebody else's page.
    Embed(&'static LabSpec),
    /// A lab at one of its presets: an address without a fragment, so that cards and feeds can know it.
    Preset(&'static LabSpec, &'static Preset),
    /// The fleet simulator: any scenario under up to four rules.
    Fleet,
    /// Recomputes the digest suites and compares them with the native ones.
    Proof,
}

/// The programs that pages are shown by. Each is a module of its own: the simulator of a whole
/// fleet would be half of what the home page loads, and it never uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// Home and labs.
    Labs,
    /// All pages.
    All,
}

impl Program {
    /// Both.
    pub const EACH: [Self; 2] = [Self::Labs, Self::All];

    /// Its name: that of the program in `web/src/bin/`.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Labs => "app",
            Self::All => "fleet",
        }
    }

    /// Whether it can show a page.
    #[must_use]
    pub fn shows(self, kind: &Kind) -> bool {
        self == Self::All || kind.program() == self
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl Kind {
    /// Every page of the site.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let labs = LABS.iter().copied();
        let presets = labs.clone().flat_map(|lab| lab.presets.iter().map(|p| Self::Preset(lab, p)));
        let each = labs.clone().map(Self::Lab).chain(labs.map(Self::Embed)).chain(presets);
        [Self::Home, Self::Fleet, Self::Proof].into_iter().chain(each).collect()
    }

    /// The page with an identifier, as in the `data-page` attribute.
    #[must_use]
    pub fn parse(id: &str) -> Option<Self> {
        match id {
            "home" => Some(Self::Home),
            "fleet" => Some(Self::Fleet),
            "proof" => Some(Self::Proof),
            _ => match id.split_once('/')? {
                ("labs", lab) => by_id(lab).map(Self::Lab),
                ("embed", lab) => by_id(lab).map(Self::Embed),
                ("p", name) => preset(name).map(|(lab, preset)| Self::Preset(lab, preset)),
                _ => None,
            },
        }
    }

    /// The lab that it shows, if it shows one.
    #[must_use]
    pub fn lab(&self) -> Option<&'static LabSpec> {
        match self {
            Self::Lab(lab) | Self::Embed(lab) | Self::Preset(lab, _) => Some(lab),
            _ => None,
        }
    }

    /// Whether it is made for somebody else's page.
    #[must_use]
    pub fn is_embed(&self) -> bool {
        matches!(self, Self::Embed(_))
    }

    /// The fragment of the state that it opens on when its address has none.
    #[must_use]
    pub fn state(&self) -> String {
        match self {
            Self::Preset(lab, preset) => link::write(lab, &State::at(lab, preset)),
            _ => String::new(),
        }
    }

    /// Its title in words.
    #[must_use]
    pub fn title(&self, words: &Words) -> String {
        let title = words.at(&["title"]);
        match self {
            Self::Preset(_, preset) => format!("{} · {title}", words.at(&["preset", preset.key, "name"])),
            _ => title,
        }
    }

    /// What it is about, in words; may hold glossary brackets.
    #[must_use]
    pub fn about(&self, words: &Words) -> String {
        match self {
            Self::Preset(_, preset) => words.at(&["preset", preset.key, "text"]),
            _ => words.at(&["lead"]),
        }
    }

    /// The program whose module its file loads.
    #[must_use]
    pub fn program(&self) -> Program {
        match self {
            Self::Home | Self::Lab(_) | Self::Embed(_) | Self::Preset(..) => Program::Labs,
            Self::Fleet | Self::Proof => Program::All,
        }
    }

    /// The identifier: `home`, `fleet`, `proof`, `labs/<id>`, `embed/<id>` or
    /// `p/<id>-<preset>`.
    #[must_use]
    pub fn id(&self) -> String {
        match self {
            Self::Home => "home".to_owned(),
            Self::Fleet => "fleet".to_owned(),
            Self::Proof => "proof".to_owned(),
            Self::Lab(lab) => format!("labs/{}", lab.id),
            Self::Embed(lab) => format!("embed/{}", lab.id),
            Self::Preset(lab, preset) => format!("p/{}-{}", lab.id, preset.key),
        }
    }

    /// Its file below the site's root.
    #[must_use]
    pub fn file(&self) -> String {
        match self {
            Self::Home => "index.html".to_owned(),
            _ => format!("{}/index.html", self.id()),
        }
    }

    /// The way from its file to the site's root: `./`, `../`, `../../`.
    #[must_use]
    pub fn root(&self) -> String {
        match self.file().matches('/').count() {
            0 => "./".to_owned(),
            depth => "../".repeat(depth),
        }
    }

    /// The catalogues whose words it needs beside the common ones.
    #[must_use]
    pub fn catalogues(&self) -> &'static [&'static str] {
        match self {
            Self::Home => &["home"],
            Self::Fleet => &["scenario", "rules", "reports", "fleet"],
            Self::Proof => &["proof"],
            Self::Lab(lab) | Self::Embed(lab) | Self::Preset(lab, _) => std::slice::from_ref(&lab.id),
        }
    }
}

/// A page with its words in all languages.
#[derive(Clone, Debug)]
pub struct Page {
    /// Which page.
    pub kind: Kind,
    /// The way from the present address to the site's root. A site in a single file has none.
    pub root: String,
    /// Whether all pages are in this one file, and change with the fragment: `#lab=<id>&interval=5`.
    pub single: bool,
    /// Languages in the order of the site, with the page's words.
    pub languages: Vec<(String, Arc<Words>)>,
}

impl PartialEq for Page {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.root == other.root
    }
}

impl Page {
    /// Words in a language, or in the first one.
    #[must_use]
    pub fn words(&self, lang: &str) -> Arc<Words> {
        let found = self.languages.iter().find(|(code, _)| code == lang).or(self.languages.first());
        found.map(|(_, words)| words.clone()).unwrap_or_default()
    }

    /// Relative address of another page. In a single file there are the home page and labs only.
    #[must_use]
    pub fn href(&self, to: &Kind) -> String {
        if !self.single {
            return format!("{}{}", self.root, to.file());
        }
        match to.lab() {
            Some(lab) => self.link(&Kind::Lab(lab), &to.state()),
            None => "#".to_owned(),
        }
    }

    /// Relative address of another page at a state of it; the state may be empty.
    #[must_use]
    pub fn link(&self, to: &Kind, state: &str) -> String {
        let (page, mark) = match to.lab() {
            Some(lab) if self.single => (format!("#lab={}", lab.id), "&"),
            _ => (self.href(to), "#"),
        };
        if state.is_empty() { page } else { format!("{page}{mark}{state}") }
    }
}

/// Takes a single file's fragment apart: the lab that it names, if it does, and the lab's state.
#[must_use]
pub fn in_single(fragment: &str) -> (Option<&str>, &str) {
    match fragment.strip_prefix("lab=") {
        Some(rest) => {
            let (lab, state) = rest.split_once('&').unwrap_or((rest, ""));
            (Some(lab), state)
        }
        None => (None, fragment),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_of_single_files_name_their_lab() {
        assert_eq!(in_single(""), (None, ""));
        assert_eq!(in_single("interval=5"), (None, "interval=5"));
        assert_eq!(in_single("lab=x"), (Some("x"), ""));
        assert_eq!(in_single("lab=x&interval=5&lab=y"), (Some("x"), "interval=5&lab=y"));
    }

    #[test]
    fn links_lead_to_files_or_to_fragments() {
        let (lab, preset) = (LABS[0], &LABS[0].presets[0]);
        let page = |single| Page { kind: Kind::Home, root: "./".to_owned(), single, languages: Vec::new() };
        assert_eq!(page(false).link(&Kind::Lab(lab), "a=1"), format!("./labs/{}/index.html#a=1", lab.id));
        assert_eq!(page(false).link(&Kind::Lab(lab), ""), format!("./labs/{}/index.html", lab.id));
        assert_eq!(page(true).link(&Kind::Lab(lab), "a=1"), format!("#lab={}&a=1", lab.id));
        assert_eq!(page(true).href(&Kind::Lab(lab)), format!("#lab={}", lab.id));
        let state = Kind::Preset(lab, preset).state();
        assert_eq!(page(true).href(&Kind::Preset(lab, preset)), format!("#lab={}&{state}", lab.id));
        assert_eq!(page(true).href(&Kind::Home), "#");
    }
}
