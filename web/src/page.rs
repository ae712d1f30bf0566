//! What a page's file says about itself: which page it is, where the site's root lies, its words.

use std::sync::{Arc, OnceLock};

use tokenyard_lab::labs::{LABS, find, preset_in};
use tokenyard_lab::link::{self, State};
use tokenyard_lab::{LabSpec, Preset, Words};

/// Labs that the present program has.
static AT_HAND: OnceLock<&[&LabSpec]> = OnceLock::new();

/// Says once, when a program starts, which labs it has. Nothing but the list that is given leads to a lab's
/// code, so that a program of one lab does not carry the others.
pub fn has(labs: &'static [&'static LabSpec]) {
    let _ = AT_HAND.set(labs);
}

/// The labs of the present program. Natively there are all.
#[must_use]
pub fn labs() -> &'static [&'static LabSpec] {
    if cfg!(feature = "ssr") { LABS } else { AT_HAND.get().copied().unwrap_or_default() }
}

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
    /// Lessons: their list, one for a learner, and one before a class.
    Teach,
}

/// The programs that pages are shown by. Each is a module of its own: the simulator of a whole
/// fleet would be half of what the home page loads, and it never uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// Home and labs.
    Labs,
    /// The embed of one lab: one module for each.
    Embed,
    /// All pages but lessons.
    All,
    /// Home, labs and lessons.
    Teach,
}

impl Program {
    /// Those of which there is one module.
    pub const EACH: [Self; 3] = [Self::Labs, Self::All, Self::Teach];

    /// Its name: that of the program in `web/src/bin/`.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Labs => "app",
            Self::Embed => "embed",
            Self::All => "fleet",
            Self::Teach => "teach",
        }
    }

    /// Whether it can show a page.
    #[must_use]
    pub fn shows(self, kind: &Kind) -> bool {
        match self {
            Self::Labs | Self::Embed => kind.program() == self,
            Self::All => kind.program() != Self::Teach,
            Self::Teach => kind.program() != Self::All,
        }
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
        [Self::Home, Self::Fleet, Self::Proof, Self::Teach].into_iter().chain(each).collect()
    }

    /// The page with an identifier, as in the `data-page` attribute.
    #[must_use]
    pub fn parse(id: &str) -> Option<Self> {
        match id {
            "home" => Some(Self::Home),
            "fleet" => Some(Self::Fleet),
            "proof" => Some(Self::Proof),
            "teach" => Some(Self::Teach),
            _ => match id.split_once('/')? {
                ("labs", lab) => find(labs(), lab).map(Self::Lab),
                ("embed", lab) => find(labs(), lab).map(Self::Embed),
                ("p", name) => preset_in(labs(), name).map(|(lab, preset)| Self::Preset(lab, preset)),
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
            Self::Home | Self::Lab(_) | Self::Preset(..) => Program::Labs,
            Self::Embed(_) => Program::Embed,
            Self::Fleet | Self::Proof => Program::All,
            Self::Teach => Program::Teach,
        }
    }

    /// The identifier: `home`, `fleet`, `proof`, `teach`, `labs/<id>`, `embed/<id>` or
    /// `p/<id>-<preset>`.
    #[must_use]
    pub fn id(&self) -> String {
        match self {
            Self::Home => "home".to_owned(),
            Self::Fleet => "fleet".to_owned(),
            Self::Proof => "proof".to_owned(),
            Self::Teach => "teach".to_owned(),
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
            Self::Teach => &["lesson", "teach", "class"],
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

    /// Relative address of another page. In a single file there are the home page, labs and lessons only.
    #[must_use]
    pub fn href(&self, to: &Kind) -> String {
        if !self.single {
            return format!("{}{}", self.root, to.file());
        }
        match (to.lab(), to) {
            (Some(lab), _) => self.link(&Kind::Lab(lab), &to.state()),
            (None, Kind::Teach) => format!("#{TEACH}"),
            (None, _) => "#".to_owned(),
        }
    }

    /// Relative address of a lab's page by its identifier: nothing else of the lab need be at hand.
    #[must_use]
    pub fn lab(&self, id: &str) -> String {
        if self.single { format!("#lab={id}") } else { format!("{}labs/{id}/index.html", self.root) }
    }

    /// Relative address of another page at a state of it; the state may be empty.
    #[must_use]
    pub fn link(&self, to: &Kind, state: &str) -> String {
        let (page, mark) = match to.lab() {
            Some(lab) if self.single => return format!("#{}", lab_state(lab, state)),
            None if self.single && *to == Kind::Teach => (self.href(to), "&"),
            _ => (self.href(to), "#"),
        };
        if state.is_empty() { page } else { format!("{page}{mark}{state}") }
    }
}

/// A lab in a state, as a single file's fragment names it and as lessons do: `lab=<id>&interval=5`.
#[must_use]
pub fn lab_state(lab: &LabSpec, state: &str) -> String {
    named_state(&format!("lab={}", lab.id), state)
}

/// What is named in a state: the name alone where the state is empty.
#[must_use]
pub fn named_state(name: &str, state: &str) -> String {
    let and = if state.is_empty() { "" } else { "&" };
    format!("{name}{and}{state}")
}

/// Names the lessons in a single file's fragment.
const TEACH: &str = "teach";

/// Takes a single file's fragment apart: what names its page, as it is written (nothing, `lab=<id>` or
/// `teach`), and the page's state.
#[must_use]
pub fn in_single(fragment: &str) -> (&str, &str) {
    let (first, rest) = fragment.split_once('&').unwrap_or((fragment, ""));
    if first == TEACH || first.starts_with("lab=") { (first, rest) } else { ("", fragment) }
}

impl Kind {
    /// The page that is named in a single file's fragment, if it is one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        if name == TEACH {
            Some(Self::Teach)
        } else {
            find(labs(), name.strip_prefix("lab=")?).map(Self::Lab)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_of_single_files_name_their_page() {
        assert_eq!(in_single(""), ("", ""));
        assert_eq!(in_single("interval=5"), ("", "interval=5"));
        assert_eq!(in_single("lab=x"), ("lab=x", ""));
        assert_eq!(in_single("lab=x&interval=5&lab=y"), ("lab=x", "interval=5&lab=y"));
        assert_eq!(in_single("teach&lesson=tour&step=2"), ("teach", "lesson=tour&step=2"));
        assert_eq!(in_single("teaching"), ("", "teaching"));
        let page = Page { kind: Kind::Home, root: "./".to_owned(), single: true, languages: Vec::new() };
        for kind in Kind::all().into_iter().filter(|kind| matches!(kind, Kind::Lab(_) | Kind::Teach)) {
            let link = page.link(&kind, "a=1");
            let (name, state) = in_single(link.trim_start_matches('#'));
            assert_eq!((Kind::named(name), state), (Some(kind), "a=1"));
        }
        assert_eq!((Kind::named(""), Kind::named("lab=none")), (None, None));
    }

    #[test]
    fn links_lead_to_files_or_to_fragments() {
        let (lab, preset) = (LABS[0], &LABS[0].presets[0]);
        let page = |single| Page { kind: Kind::Home, root: "./".to_owned(), single, languages: Vec::new() };
        assert_eq!(page(false).link(&Kind::Lab(lab), "a=1"), format!("./labs/{}/index.html#a=1", lab.id));
        for single in [false, true] {
            assert_eq!(page(single).lab(lab.id), page(single).href(&Kind::Lab(lab)));
        }
        assert_eq!(page(false).link(&Kind::Lab(lab), ""), format!("./labs/{}/index.html", lab.id));
        assert_eq!(page(true).link(&Kind::Lab(lab), "a=1"), format!("#lab={}&a=1", lab.id));
        assert_eq!(page(true).href(&Kind::Lab(lab)), format!("#lab={}", lab.id));
        let state = Kind::Preset(lab, preset).state();
        assert_eq!(page(true).href(&Kind::Preset(lab, preset)), format!("#lab={}&{state}", lab.id));
        assert_eq!(page(true).href(&Kind::Home), "#");
    }
}
