//! Why a rule chose as it did, as numbers that travel and as a sentence's key.

use tokenyard_lab::{Arg, Msg, msg};
use tokenyard_policy::Why;

/// How an argument is shown.
#[derive(Clone, Copy, Debug)]
enum Shown {
    Number,
    Replica,
}
use Shown::{Number, Replica};

/// A number of a sentence: its name and how it is shown; none where the sentence has fewer.
type Place = Option<(&'static str, Shown)>;

/// Keys of the sentences and the names of their two numbers, in the order of [`code`].
const SENTENCES: [(&str, [Place; 2]); 17] = [
    ("why.only", [None, None]),
    ("why.turn", [Some(("cursor", Number)), None]),
    ("why.drawn", [None, None]),
    ("why.sampled", [Some(("a", Replica)), Some(("b", Replica))]),
    ("why.sampled-twice", [None, None]),
    ("why.least", [None, None]),
    ("why.owner", [None, None]),
    ("why.fallback", [Some(("step", Number)), None]),
    ("why.match", [Some(("matched", Number)), Some(("of", Number))]),
    ("why.miss", [Some(("matched", Number)), Some(("of", Number))]),
    ("why.imbalanced", [Some(("min", Number)), Some(("max", Number))]),
    ("why.owner-gone", [None, None]),
    ("why.cost", [None, None]),
    ("why.softmax", [None, None]),
    ("why.longest", [Some(("blocks", Number)), None]),
    ("why.longest-none", [None, None]),
    ("why.score", [None, None]),
];

/// A reason as its sentence's place and two numbers.
pub(crate) fn code(why: Why) -> [f64; 3] {
    let (place, a, b): (u32, u64, u64) = match why {
        Why::Only => (0, 0, 0),
        Why::Turn { cursor } => (1, cursor, 0),
        Why::Drawn => (2, 0, 0),
        Why::Sampled { of: [a, b] } if a == b => (4, 0, 0),
        Why::Sampled { of: [a, b] } => (3, a.into(), b.into()),
        Why::Least => (5, 0, 0),
        Why::Owner => (6, 0, 0),
        Why::Fallback { step } => (7, step.into(), 0),
        Why::Match { matched, of } => (8, matched.into(), of.into()),
        Why::Miss { matched, of } => (9, matched.into(), of.into()),
        Why::Imbalanced { min, max } => (10, min.into(), max.into()),
        Why::OwnerGone => (11, 0, 0),
        Why::Cost => (12, 0, 0),
        Why::Softmax => (13, 0, 0),
        Why::Longest { blocks: 0 } => (15, 0, 0),
        Why::Score => (16, 0, 0),
        Why::Longest { blocks } => (14, blocks.into(), 0),
    };
    [f64::from(place), a as f64, b as f64]
}

/// The sentence of a code, about a decision for `to`.
pub(crate) fn sentence(code: &[f64], to: u32) -> Msg {
    let at = |i: usize| code.get(i).copied().unwrap_or(0.0);
    let (key, names) = SENTENCES[(at(0) as usize).min(SENTENCES.len() - 1)];
    let mut sentence = msg(key).with("to", Arg::Replica(to));
    for (i, (name, shown)) in names.into_iter().enumerate().filter_map(|(i, n)| Some((i, n?))) {
        let number = at(i + 1);
        let shown = match shown {
            Number => Arg::Int(number as i64),
            Replica => Arg::Replica(number as u32),
        };
        sentence = sentence.with(name, shown);
    }
    sentence
}
