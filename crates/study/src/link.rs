//! A study in the fragment of its address: `#rules=random,dynamo-kv&fleet.replicas=8&seed=7&at=120`.
//!
//! Fields have the paths of scenario files and of the command line's `--set`; a lane's parameters
//! are under its number, `2.key=prefix`. Only what differs from the start page is written. Reading
//! never fails: what cannot be used is named in a [`Notice`].

use tokenyard_fleet::scenario::Section;
use tokenyard_lab::link::{MAX_CHARS, Notice, decode, encode};
use tokenyard_param::{ParamError, Values};
use tokenyard_policy::rules::by_id;

use crate::setup::{Lane, MOST_LANES, Study};

/// Raised when results change, so that old links can say so.
pub const MODEL_VERSION: u32 = 1;

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

/// Writes a state. The order is fixed, so equal states have equal links.
#[must_use]
pub fn write(state: &State) -> String {
    let (start, study) = (Study::default(), &state.study);
    let mut parts = Vec::new();
    let rules = study.rule_ids();
    let same_rules = rules == start.rule_ids();
    if !same_rules {
        parts.push(format!("rules={}", encode(&rules)));
    }
    for (i, lane) in study.lanes().iter().enumerate() {
        let defaults = Values::defaults(lane.rule.params);
        // Without `rules` a lane starts as on the start page.
        let from = if same_rules { &start.lanes()[i].params } else { &defaults };
        differing(&lane.params, from, &format!("{}.", i + 1), &mut parts);
    }
    for section in Section::ALL {
        let (now, from) = (study.base.section(section), start.base.section(section));
        differing(now, from, &format!("{}.", section.key()), &mut parts);
    }
    for change in &study.base.changes {
        parts.push(format!("change={}", encode(&crate::changes::write(change))));
    }
    if study.base.seed != start.base.seed {
        parts.push(format!("seed={}", study.base.seed));
    }
    parts.extend(state.at.map(|at| format!("at={at}")));
    parts.extend(state.version.map(|version| format!("v={version}")));
    parts.extend(state.headline.as_ref().map(|h| format!("h={}", encode(&h.join(",")))));
    parts.join("&")
}

fn differing(values: &Values, from: &Values, prefix: &str, parts: &mut Vec<String>) {
    for (i, spec) in values.specs().iter().enumerate() {
        if let Some(value) = values.at(i).filter(|v| from.at(i) != Some(*v)) {
            parts.push(format!("{prefix}{}={}", spec.key, encode(&spec.kind.write(value))));
        }
    }
}

/// Reads a fragment, with or without its `#`.
#[must_use]
pub fn read(fragment: &str) -> (State, Vec<Notice>) {
    let text = fragment.strip_prefix('#').unwrap_or(fragment);
    let state = State { study: Study::default(), at: None, version: None, headline: None };
    let mut reader = Reader { state, notices: Vec::new(), seen: Vec::new() };
    let length = text.chars().count();
    if length > MAX_CHARS {
        return (reader.state, vec![Notice::TooLong(length)]);
    }
    let mut pairs = Vec::new();
    for part in text.split('&').filter(|p| !p.is_empty()) {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        match (decode(key), decode(value)) {
            (Some(key), Some(value)) => pairs.push((key, value)),
            _ => reader.notices.push(Notice::Unknown(shorten(key))),
        }
    }
    // The rules come first, wherever they stand: parameters of lanes are theirs.
    let (rules, rest): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|(key, _)| key == "rules");
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
            ("at", _) => self.state.at = self.number("at", value),
            ("v", _) => {
                self.state.version = self.number("v", value);
                let newer = self.state.version.filter(|v| *v > MODEL_VERSION);
                self.notices.extend(newer.map(Notice::Newer));
            }
            ("h", _) => {
                self.state.headline = Some(value.split(',').take(MOST_LANES).map(shorten).collect());
            }
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

    fn number(&mut self, key: &str, value: &str) -> Option<u32> {
        let number = value.parse().ok();
        if number.is_none() {
            self.refuse(key, value, "a whole number from 0");
        }
        number
    }

    fn refuse(&mut self, key: &str, value: &str, allowed: &str) {
        let (key, given, allowed) = (key.to_owned(), shorten(value), allowed.to_owned());
        self.notices.push(Notice::Value(ParamError { key, given, allowed, nearest: None }));
    }
}

fn shorten(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}
