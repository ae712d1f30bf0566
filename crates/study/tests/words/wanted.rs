//! What scenarios, rules and reasons declare, as keys of words.

use std::collections::BTreeMap;

use tokenyard_fleet::scenario::{Section, change};
use tokenyard_param::{Kind, ParamSpec};
use tokenyard_policy::Why;
use tokenyard_policy::rules::RULES;

/// Names of the arguments that a text gets when it is shown.
pub(crate) type Given = &'static [&'static str];

/// What one catalogue must hold.
#[derive(Default)]
pub(crate) struct Wanted {
    /// Every key, with its arguments.
    pub(crate) keys: BTreeMap<String, Given>,
    /// Keys of names that stand side by side on a page.
    pub(crate) lists: Vec<Vec<String>>,
}

impl Wanted {
    fn add(&mut self, key: String, given: Given) -> String {
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
    for (word, given) in REASONS.map(sentence) {
        wanted.add(format!("why.{word}"), given);
    }
    wanted.add("why.tied".to_owned(), &["n"]);
    wanted
}

/// One of every reason, and of those with two sentences both.
const REASONS: [Why; 17] = [
    Why::Only,
    Why::Turn { cursor: 4 },
    Why::Drawn,
    Why::Sampled { of: [0, 1] },
    Why::Sampled { of: [1, 1] },
    Why::Least,
    Why::Owner,
    Why::Fallback { step: 1 },
    Why::Match { matched: 8, of: 9 },
    Why::Miss { matched: 1, of: 9 },
    Why::Imbalanced { min: 1, max: 9 },
    Why::OwnerGone,
    Why::Cost,
    Why::Score,
    Why::Softmax,
    Why::Longest { blocks: 3 },
    Why::Longest { blocks: 0 },
];

/// The word of a reason, and what its sentence tells in the order of the alphabet. A reason that is
/// new does not compile here; it belongs into the list above as well.
fn sentence(why: Why) -> (&'static str, Given) {
    match why {
        Why::Only => ("only", &["to"]),
        Why::Turn { .. } => ("turn", &["cursor", "to"]),
        Why::Drawn => ("drawn", &["to"]),
        Why::Sampled { of: [a, b] } if a == b => ("sampled-twice", &["to"]),
        Why::Sampled { .. } => ("sampled", &["a", "b", "to"]),
        Why::Least => ("least", &["to"]),
        Why::Owner => ("owner", &["to"]),
        Why::Fallback { .. } => ("fallback", &["step", "to"]),
        Why::Match { .. } => ("match", &["matched", "of", "to"]),
        Why::Miss { .. } => ("miss", &["matched", "of", "to"]),
        Why::Imbalanced { .. } => ("imbalanced", &["max", "min", "to"]),
        Why::OwnerGone => ("owner-gone", &["to"]),
        Why::Cost => ("cost", &["to"]),
        Why::Score => ("score", &["to"]),
        Why::Softmax => ("softmax", &["to"]),
        Why::Longest { blocks: 0 } => ("longest-none", &["to"]),
        Why::Longest { .. } => ("longest", &["blocks", "to"]),
    }
}
