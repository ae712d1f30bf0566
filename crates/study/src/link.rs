//! A study in the fragment of its address: `#rules=random,dynamo-kv&fleet.replicas=8&seed=7&at=120`.
//!
//! Fields have the paths of scenario files and of the command line's `--set`; a lane's parameters
//! are under its number, `2.key=prefix`. Only what differs from the start page is written. Reading
//! never fails: what cannot be used is named in a [`Notice`]. Forms, lengths and encoding are those of
//! the labs' links.

use tokenyard_fleet::scenario::Section;
use tokenyard_lab::link::form::{Forms, Pairs};
use tokenyard_lab::link::{FORMS, MAX_CHARS, Notice, figures, setting};
use tokenyard_param::{ParamError, Values};
use tokenyard_policy::rules::by_id;

use crate::setup::{Lane, MOST_LANES, Study};

/// Raised when results change, so that old links can say so.
pub const MODEL_VERSION: u32 = 1;

/// The page's name in migrations of links.
pub const PAGE: &str = "fleet";

/// Everything a link can say.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The study.
    pub study: Study,
    /// Number of the request in view; none opens on the first key moment.
    pub at: Option<u32>,
    /// Model version the link was made with.
    pub version: Option<u32>,
    /// Headline numbers that the maker of the link saw, see [`crate::StudyRun::headline`].
    pub headline: Option<Vec<String>>,
}

/// A state that does not fit into a link, with the characters that it would take. It travels as a
/// scenario file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong(pub usize);

/// The link to a state.
///
/// # Errors
/// The state would take more than [`MAX_CHARS`] characters, so that nobody could open the link.
pub fn share(state: &State) -> Result<String, TooLong> {
    let link = write(state);
    // Links are ASCII.
    if link.len() <= MAX_CHARS { Ok(link) } else { Err(TooLong(link.len())) }
}

/// Writes a state of any length, for [`read_all`]; what is to be shared is written by [`share`]. The
/// order is fixed, so equal states have equal links.
#[must_use]
pub fn write(state: &State) -> String {
    write_in(&FORMS, state)
}

/// As [`write()`], under other forms than this product's.
#[must_use]
pub fn write_in(forms: &Forms<'_>, state: &State) -> String {
    let (start, study) = (Study::default(), &state.study);
    let mut pairs = Pairs::new();
    let mut say = |key: &str, value: String| pairs.push((key.to_owned(), value));
    let rules = study.rule_ids();
    let same_rules = rules == start.rule_ids();
    if !same_rules {
        say("rules", rules);
    }
    for (i, lane) in study.lanes().iter().enumerate() {
        let defaults = Values::defaults(lane.rule.params);
        // Without `rules` a lane starts as on the start page.
        let from = if same_rules { &start.lanes()[i].params } else { &defaults };
        differing(&lane.params, from, &format!("{}.", i + 1), &mut say);
    }
    for section in Section::ALL {
        let (now, from) = (study.base.section(section), start.base.section(section));
        differing(now, from, &format!("{}.", section.key()), &mut say);
    }
    for change in &study.base.changes {
        say("change", crate::changes::write(change));
    }
    if study.base.seed != start.base.seed {
        say("seed", study.base.seed.to_string());
    }
    if let Some(at) = state.at {
        say("at", at.to_string());
    }
    if let Some(version) = state.version {
        say("v", version.to_string());
    }
    if let Some(headline) = &state.headline {
        say("h", headline.join(","));
    }
    forms.close(PAGE, &pairs)
}

fn differing(values: &Values, from: &Values, prefix: &str, say: &mut impl FnMut(&str, String)) {
    for (i, spec) in values.specs().iter().enumerate() {
        if let Some(value) = values.at(i).filter(|v| from.at(i) != Some(*v)) {
            say(&format!("{prefix}{}", spec.key), setting(spec, value));
        }
    }
}

/// Reads a fragment, with or without its `#`.
#[must_use]
pub fn read(fragment: &str) -> (State, Vec<Notice>) {
    read_in(&FORMS, fragment, MAX_CHARS)
}

/// Reads what [`write()`] wrote, however long it is.
#[must_use]
pub fn read_all(text: &str) -> (State, Vec<Notice>) {
    read_in(&FORMS, text, usize::MAX)
}

/// As [`read`], under other forms than this product's and up to `longest` characters.
#[must_use]
pub fn read_in(forms: &Forms<'_>, fragment: &str, longest: usize) -> (State, Vec<Notice>) {
    let opened = forms.open(PAGE, fragment, longest);
    let state = State { study: Study::default(), at: None, version: None, headline: None };
    let mut reader = Reader { state, notices: opened.notices, seen: Vec::new() };
    // The rules come first, wherever they stand: parameters of lanes are theirs.
    let (rules, rest): (Vec<_>, Vec<_>) = opened.pairs.into_iter().partition(|(key, _)| key == "rules");
    for (key, value) in rules.into_iter().chain(rest) {
        reader.pair(&key, &value);
    }
    (reader.state, reader.notices)
}

struct Reader {
    state: State,
    notices: Vec<Notice>,
    seen: Vec<String>,
}

impl Reader {
    fn pair(&mut self, key: &str, value: &str) {
        if self.seen.iter().any(|seen| seen == key) && key != "change" {
            self.notices.push(Notice::Repeated(shorten(key)));
        }
        self.seen.push(key.to_owned());
        let lane = key.split_once('.').and_then(|(n, key)| Some((n.parse::<usize>().ok()?, key)));
        match (key, lane) {
            ("rules", _) => self.rules(value),
            ("at", _) => self.state.at = self.number("at", value, 0),
            ("v", _) => {
                self.state.version = self.number("v", value, 1);
                let newer = self.state.version.filter(|v| *v > MODEL_VERSION);
                self.notices.extend(newer.map(Notice::Newer));
            }
            ("h", _) => self.state.headline = Some(figures(value, MOST_LANES)),
            ("change", _) => self.change(value),
            (_, Some((lane, inner))) => self.rule_param(key, lane, inner, value),
            _ => self.field(key, value),
        }
    }

    fn rules(&mut self, value: &str) {
        let mut lanes = Vec::new();
        for id in value.split(',') {
            match by_id(id) {
                Some(rule) => lanes.push(Lane::of(rule)),
                None => self.refuse("rules", id, "ids of rules with commas between them"),
            }
        }
        if lanes.len() > MOST_LANES {
            self.refuse("rules", value, &format!("at most {MOST_LANES}"));
            lanes.truncate(MOST_LANES);
        }
        self.state.study.set_lanes(lanes);
    }

    fn rule_param(&mut self, key: &str, lane: usize, inner: &str, value: &str) {
        let lanes = self.state.study.lanes();
        let found = lane.checked_sub(1).and_then(|lane| {
            let place = lanes.get(lane)?.params.position(inner)?;
            Some((lane, place, lanes[lane].params.specs()[place]))
        });
        let Some((lane, place, spec)) = found else {
            self.notices.push(Notice::Unknown(shorten(key)));
            return;
        };
        match spec.parse(value) {
            Ok(value) => self.state.study.set_rule_param(lane, place, value),
            Err(error) => {
                if let Some(near) = error.nearest.as_deref().and_then(|n| spec.parse(n).ok()) {
                    self.state.study.set_rule_param(lane, place, near);
                }
                self.notices.push(Notice::Value(ParamError { key: shorten(key), ..error }));
            }
        }
    }

    fn field(&mut self, key: &str, value: &str) {
        // Which rules there are is said by `rules` alone.
        if key.starts_with("router.rule") {
            self.notices.push(Notice::Unknown(shorten(key)));
        } else if let Err(problem) = self.state.study.base.set(key, value) {
            self.notices.push(match problem.given.as_str() {
                "unknown" => Notice::Unknown(shorten(key)),
                _ => Notice::Value(ParamError {
                    key: problem.path,
                    given: problem.given,
                    allowed: problem.allowed,
                    nearest: None,
                }),
            });
        }
    }

    fn change(&mut self, value: &str) {
        match crate::changes::parse(value) {
            Ok(change) => self.state.study.base.changes.push(change),
            Err(allowed) => self.refuse("change", value, &allowed),
        }
    }

    fn number(&mut self, key: &str, value: &str, from: u32) -> Option<u32> {
        let digits = value.bytes().all(|b| b.is_ascii_digit());
        let number = value.parse().ok().filter(|n| digits && *n >= from);
        if number.is_none() {
            self.refuse(key, value, &format!("a whole number from {from}"));
        }
        number
    }

    fn refuse(&mut self, key: &str, value: &str, allowed: &str) {
        self.notices.push(Notice::refused(key, value, allowed));
    }
}

fn shorten(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}
