//! What scenarios, rules and reasons declare, as keys of words.

use std::collections::BTreeMap;

use tokenyard_fleet::scenario::{Section, change};
use tokenyard_param::{Kind, ParamSpec};
use tokenyard_policy::By;
use tokenyard_policy::rules::RULES;
use tokenyard_study::why::SENTENCES;

/// Names of the arguments that a text gets when it is shown, in the order of the alphabet.
pub(crate) type Given = Vec<&'static str>;

/// What one catalogue must hold.
#[derive(Default)]
pub(crate) struct Wanted {
    /// Every key, with its arguments.
    pub(crate) keys: BTreeMap<String, Given>,
    /// Keys of names that stand side by side on a page.
    pub(crate) lists: Vec<Vec<String>>,
}

impl Wanted {
    fn add(&mut self, key: String, given: &[&'static str]) -> String {
        let mut given = given.to_vec();
        given.sort_unstable();
        assert!(self.keys.insert(key.clone(), given).is_none(), "{key} would have two meanings");
        key
    }

    /// Words that stand in one list.
    fn list(&mut self, keys: impl Iterator<Item = String>) {
        let keys = keys.map(|key| self.add(key, &[])).collect();
        self.lists.push(keys);
    }

    /// A table's words: of each parameter a name and a sentence, a unit behind a number, and a
    /// word for every option.
    fn table(&mut self, place: &str, table: &[ParamSpec]) {
        self.list(table.iter().map(|spec| format!("{place}.{}.name", spec.key)));
        for spec in table {
            let of = |part: &str| format!("{place}.{}.{part}", spec.key);
            self.add(of("help"), &[]);
            match spec.kind {
                Kind::Int { .. } | Kind::OptInt { .. } | Kind::Real { .. } => {
                    self.add(of("unit"), &["n"]);
                }
                Kind::Choice { options, .. } => self.list(options.iter().map(|option| of(option))),
                Kind::Switch { .. } | Kind::Text { .. } => {}
            }
        }
    }
}

/// Every table of a scenario file, by the name of its field.
pub(crate) fn scenario() -> Wanted {
    let mut wanted = Wanted::default();
    let sections = Section::ALL.map(|section| (section.key(), section.table()));
    let changes: (&str, &[ParamSpec]) = ("changes", &change::TABLE);
    let tables: Vec<_> = sections.into_iter().chain([changes]).collect();
    wanted.list(tables.iter().map(|(field, _)| format!("section.{field}")));
    for (field, table) in tables {
        wanted.table(&format!("param.{field}"), table);
    }
    wanted
}

/// Every rule with its parameters and terms, and every reason.
pub(crate) fn rules() -> Wanted {
    let mut wanted = Wanted::default();
    for part in ["name", "short"] {
        wanted.list(RULES.iter().map(|rule| format!("rule.{}.{part}", rule.id)));
    }
    for rule in RULES {
        let place = format!("rule.{}", rule.id);
        for part in ["compares", "text"] {
            wanted.add(format!("{place}.{part}"), &[]);
        }
        wanted.table(&format!("{place}.param"), rule.params);
        wanted.list(rule.terms.iter().map(|term| format!("{place}.term.{term}")));
    }
    for sentence in SENTENCES {
        wanted.add(sentence.key.to_owned(), &sentence.arguments().collect::<Vec<_>>());
    }
    wanted.list(By::ALL.iter().map(|by| format!("by.{}", by.id())));
    wanted.add("why.tied".to_owned(), &["n"]);
    wanted
}
