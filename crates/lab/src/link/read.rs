//! Reading a fragment: everything usable is used, everything else is named.

use tokenyard_param::{Values, number};

use super::form::{Forms, whole_number};
use super::{FORMS, Notice, State, figures, shorten};
use crate::spec::{Ask, Fork, LabSpec};

/// Reads a fragment, with or without its `#`. The state is always complete and in range.
#[must_use]
pub fn read(lab: &LabSpec, fragment: &str) -> (State, Vec<Notice>) {
    read_in(&FORMS, lab, fragment)
}

/// As [`read`], under other forms than this product's.
#[must_use]
pub fn read_in(forms: &Forms<'_>, lab: &LabSpec, fragment: &str) -> (State, Vec<Notice>) {
    let opened = forms.open_link(lab.id, fragment);
    let mut reader = Reader {
        lab,
        state: State::fresh(lab),
        notices: opened.notices,
        seen: Vec::new(),
        fork_step: None,
        then: Vec::new(),
    };
    for (key, value) in opened.pairs {
        reader.pair(&key, &value);
    }
    reader.finish()
}

struct Reader<'a> {
    lab: &'a LabSpec,
    state: State,
    notices: Vec<Notice>,
    seen: Vec<String>,
    fork_step: Option<u32>,
    then: Vec<(String, String)>,
}

impl Reader<'_> {
    fn pair(&mut self, key: &str, value: &str) {
        if self.seen.iter().any(|s| s == key) {
            self.notices.push(Notice::Repeated(shorten(key)));
        } else {
            self.seen.push(key.to_owned());
        }
        match key {
            "step" => self.state.step = self.ordinal("step", value),
            "fork" if self.lab.forks() => self.fork_step = self.ordinal("fork", value),
            "guess" => self.guess(value),
            "v" => self.version(value),
            "h" => self.state.headline = Some(figures(value, 4)),
            _ => self.setting(key, value),
        }
    }

    fn setting(&mut self, key: &str, value: &str) {
        if let Some(rest) = key.strip_prefix("then.") {
            self.then.push((rest.to_owned(), value.to_owned()));
            return;
        }
        let setup = &mut self.state.setup;
        let found = take(&mut setup.values, key, value, &mut self.notices)
            || take(&mut setup.view, key, value, &mut self.notices);
        if !found {
            self.unknown(key);
        }
    }

    /// A step as shown on screen, from 1. Steps past the end are clamped by the page, which
    /// knows how long the run is.
    fn ordinal(&mut self, key: &str, value: &str) -> Option<u32> {
        match value.parse::<u32>().ok().filter(|v| *v >= 1) {
            Some(step) => Some(step - 1),
            None => {
                self.value_error(key, value, "a whole number from 1");
                None
            }
        }
    }

    fn guess(&mut self, value: &str) {
        let (low, high) = match self.lab.prediction.ask {
            Ask::Number { min, max, .. } => (min, max),
            Ask::Choice(options) => (0.0, f64::from(options) - 1.0),
        };
        let whole = matches!(self.lab.prediction.ask, Ask::Choice(_));
        match number::read(value) {
            Some(v) if (low..=high).contains(&v) && (!whole || v.fract() == 0.0) => {
                self.state.guess = Some(v)
            }
            _ => self.value_error("guess", value, &format!("{low} to {high}")),
        }
    }

    fn version(&mut self, value: &str) {
        match whole_number(value) {
            Some(v) => {
                self.state.version = Some(v);
                if v > self.lab.model_version {
                    self.notices.push(Notice::Newer(v));
                }
            }
            None => self.value_error("v", value, "a whole number from 1"),
        }
    }

    fn value_error(&mut self, key: &str, value: &str, allowed: &str) {
        self.notices.push(Notice::refused(key, value, allowed));
    }

    fn unknown(&mut self, key: &str) {
        self.notices.push(Notice::Unknown(shorten(key)));
    }

    fn finish(mut self) -> (State, Vec<Notice>) {
        let then = std::mem::take(&mut self.then);
        let Some(step) = self.fork_step else {
            then.iter().for_each(|(key, _)| self.unknown(&format!("then.{key}")));
            return (self.state, self.notices);
        };
        let mut values = self.state.setup.values.clone();
        for (key, value) in then {
            let forks = |spec: &str| self.lab.knob(spec).is_some_and(|k| k.forks);
            let known = self.lab.params.iter().any(|p| p.link == key && forks(p.key));
            if !known || !take(&mut values, &key, &value, &mut self.notices) {
                self.unknown(&format!("then.{key}"));
            }
        }
        self.state.setup.fork = Some(Fork { step, values });
        (self.state, self.notices)
    }
}

/// Sets a value by its link key, clamped with a notice; `false` if no parameter has the key.
fn take(values: &mut Values, key: &str, text: &str, notices: &mut Vec<Notice>) -> bool {
    let Some(at) = values.specs().iter().position(|s| s.link == key) else {
        return false;
    };
    let spec = &values.specs()[at];
    match spec.parse(text) {
        Ok(value) => {
            values.set(at, value);
        }
        Err(error) => {
            if let Some(near) = error.nearest.as_deref().and_then(|n| spec.parse(n).ok()) {
                values.set(at, near);
            }
            notices.push(Notice::Value(error));
        }
    }
    true
}
