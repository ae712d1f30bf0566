//! Arguments, before anyone knows which parameters there are.
//!
//! `--name value` and `--name=value` are options; a few names are switches and take no value;
//! everything else stands by its position. Flags are a lab's parameters, so which ones exist is
//! known only after the lab's name was read: this module keeps them all, and each command takes
//! out what it knows and refuses the rest.

use std::collections::VecDeque;
use std::ffi::OsString;

use crate::find;
use crate::refusal::{Refusal, shown};

/// Names that stand alone. No parameter of a lab may have one of them.
const SWITCHES: [&str; 6] = ["steps", "help", "version", "progress", "regret", "notes"];

/// One option as it was given; the value is missing if another option or nothing followed.
type Given = (String, Option<String>);

/// The arguments that no one has taken yet.
#[derive(Debug)]
pub(crate) struct Args {
    positionals: VecDeque<String>,
    options: Vec<Given>,
}

impl Args {
    /// Sorts arguments. A repeated option and text that is not UTF-8 are refused here.
    pub(crate) fn read(given: impl Iterator<Item = OsString>) -> Result<Self, Refusal> {
        let mut words = VecDeque::new();
        for word in given {
            words.push_back(word.into_string().map_err(|raw| {
                Refusal::new(format!("{} is not UTF-8 text", shown(&raw.to_string_lossy())))
            })?);
        }
        let mut args = Self { positionals: VecDeque::new(), options: Vec::new() };
        while let Some(word) = words.pop_front() {
            match word.as_str() {
                "--" => args.positionals.append(&mut words),
                "-h" => args.add("help".to_owned(), None)?,
                "-V" => args.add("version".to_owned(), None)?,
                _ => match word.strip_prefix("--") {
                    Some(option) => args.option_from(option, &mut words)?,
                    None => args.positionals.push_back(word),
                },
            }
        }
        Ok(args)
    }

    fn option_from(&mut self, option: &str, words: &mut VecDeque<String>) -> Result<(), Refusal> {
        if let Some((name, value)) = option.split_once('=') {
            return self.add(name.to_owned(), Some(value.to_owned()));
        }
        let alone = SWITCHES.contains(&option) || words.front().is_none_or(|next| next.starts_with("--"));
        let value = if alone { None } else { words.pop_front() };
        self.add(option.to_owned(), value)
    }

    fn add(&mut self, name: String, value: Option<String>) -> Result<(), Refusal> {
        if let Some((_, first)) = self.options.iter().find(|(n, _)| *n == name) {
            let value_text = |v: &Option<String>| v.as_deref().map_or("no value".to_owned(), shown);
            return Err(Refusal::new(format!(
                "--{} is given twice, as {} and as {}; allowed: once",
                shown(&name),
                value_text(first),
                value_text(&value)
            )));
        }
        self.options.push((name, value));
        Ok(())
    }

    /// Takes the next argument that is no option.
    pub(crate) fn positional(&mut self) -> Option<String> {
        self.positionals.pop_front()
    }

    /// Takes a switch.
    pub(crate) fn switch(&mut self, name: &str) -> Result<bool, Refusal> {
        match self.option(name) {
            Some(Some(value)) => {
                let value = shown(&value);
                Err(Refusal::new(format!("--{name} is {value}; allowed: no value, the name alone")))
            }
            given => Ok(given.is_some()),
        }
    }

    /// Takes an option; `Some(None)` if it was given without a value.
    pub(crate) fn option(&mut self, name: &str) -> Option<Option<String>> {
        let at = self.options.iter().position(|(n, _)| n == name)?;
        Some(self.options.remove(at).1)
    }

    /// Refuses what nobody took. `whose` begins the sentence, `known` are the names that exist.
    pub(crate) fn finish(self, whose: &str, known: &[&str]) -> Result<(), Refusal> {
        if let Some((name, _)) = self.options.first() {
            let all: Vec<String> = known.iter().map(|k| format!("--{k}")).collect();
            return Err(Refusal::new(format!(
                "{whose} has no option --{}{}; options: {}",
                shown(name),
                find::hint(name, known, "--"),
                if all.is_empty() { "none".to_owned() } else { all.join(", ") }
            )));
        }
        match self.positionals.front() {
            Some(extra) => Err(Refusal::new(format!(
                "{whose} has no use for {}; parameters are written --name value",
                shown(extra)
            ))),
            None => Ok(()),
        }
    }
}
