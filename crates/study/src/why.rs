//! Why a rule chose as it did, as numbers that travel and as a sentence's key. Everybody who says a
//! reason, page or command line, says it with these keys.

use tokenyard_lab::{Arg, Msg, msg};
use tokenyard_policy::{By, Why};

/// How an argument is shown.
#[derive(Clone, Copy, Debug)]
enum Shown {
    Number,
    Replica,
    Quantity,
}
use Shown::{Number, Quantity, Replica};

/// The sentence of a reason, about a decision for the replica `to`.
#[derive(Clone, Copy, Debug)]
pub struct Sentence {
    /// Its key, `why.` and a word.
    pub key: &'static str,
    /// What it tells beside `to`: at most two numbers, then the quantity that was compared.
    tells: &'static [(&'static str, Shown)],
}

impl Sentence {
    /// Its word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        self.key.strip_prefix("why.").unwrap_or(self.key)
    }

    /// Names of its arguments, `to` last.
    pub fn arguments(&self) -> impl Iterator<Item = &'static str> {
        self.tells.iter().map(|(name, _)| *name).chain(["to"])
    }
}

const fn told(key: &'static str, tells: &'static [(&'static str, Shown)]) -> Sentence {
    Sentence { key, tells }
}

/// All sentences, in the order of their codes.
pub const SENTENCES: [Sentence; 18] = [
    told("why.only", &[]),
    told("why.turn", &[("cursor", Number)]),
    told("why.drawn", &[]),
    told("why.sampled", &[("a", Replica), ("b", Replica), ("by", Quantity)]),
    told("why.sampled-twice", &[]),
    told("why.least", &[("by", Quantity)]),
    told("why.owner", &[]),
    told("why.fallback", &[("step", Number)]),
    told("why.match", &[("matched", Number), ("of", Number)]),
    told("why.miss", &[("matched", Number), ("of", Number)]),
    told("why.imbalanced", &[("min", Number), ("max", Number)]),
    told("why.owner-gone", &[]),
    told("why.cost", &[]),
    told("why.softmax", &[]),
    told("why.longest", &[("blocks", Number)]),
    told("why.longest-none", &[]),
    told("why.score", &[]),
    told("why.sampled-of", &[("draws", Number), ("by", Quantity)]),
];

/// A reason as its sentence's place, to which that of a quantity is added as often as there are
/// sentences, and two numbers.
#[must_use]
pub fn code(why: Why) -> [f64; 3] {
    let (place, a, b): (u32, u64, u64) = match why {
        Why::Only => (0, 0, 0),
        Why::Turn { cursor } => (1, cursor, 0),
        Why::Drawn => (2, 0, 0),
        Why::Sampled { of: [a, b], .. } if a == b => (4, 0, 0),
        Why::Sampled { of: [a, b], .. } => (3, a.into(), b.into()),
        Why::SampledOf { draws, .. } => (17, draws.into(), 0),
        Why::Least { .. } => (5, 0, 0),
        Why::Owner => (6, 0, 0),
        Why::Fallback { step } => (7, step.into(), 0),
        Why::Match { matched, of } => (8, matched.into(), of.into()),
        Why::Miss { matched, of } => (9, matched.into(), of.into()),
        Why::Imbalanced { min, max } => (10, min.into(), max.into()),
        Why::OwnerGone => (11, 0, 0),
        Why::Cost => (12, 0, 0),
        Why::Softmax => (13, 0, 0),
        Why::Longest { blocks: 0 } => (15, 0, 0),
        Why::Longest { blocks } => (14, blocks.into(), 0),
        Why::Score => (16, 0, 0),
    };
    let by = match why {
        Why::Sampled { by, .. } | Why::SampledOf { by, .. } | Why::Least { by } => by,
        _ => By::ALL[0],
    };
    let quantity = By::ALL.iter().position(|other| *other == by).unwrap_or(0);
    [f64::from(place) + (quantity * SENTENCES.len()) as f64, a as f64, b as f64]
}

/// The sentence of a code and the quantity in it. A code that is none of ours is taken as the
/// nearest one.
fn read(code: &[f64]) -> (Sentence, By) {
    let first = code.first().copied().unwrap_or(0.0) as usize;
    let quantity = (first / SENTENCES.len()).min(By::ALL.len() - 1);
    (SENTENCES[first % SENTENCES.len()], By::ALL[quantity])
}

/// The word of a code's sentence.
#[must_use]
pub fn word(code: &[f64]) -> &'static str {
    read(code).0.word()
}

/// The sentence of a code, about a decision for `to`. `replica` says how a replica is shown.
#[must_use]
pub fn sentence(code: &[f64], to: u32, replica: fn(u32) -> Arg) -> Msg {
    let (sentence, by) = read(code);
    let mut said = msg(sentence.key).with("to", replica(to));
    let mut numbers = code.iter().skip(1).copied().chain(std::iter::repeat(0.0));
    for (name, shown) in sentence.tells {
        let shown = match shown {
            Quantity => Arg::Key(format!("by.{}", by.id())),
            Number => Arg::Int(numbers.next().unwrap_or(0.0) as i64),
            Replica => replica(numbers.next().unwrap_or(0.0) as u32),
        };
        said = said.with(name, shown);
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_keeps_its_numbers_and_its_quantity_on_the_way() {
        for by in By::ALL {
            let said = sentence(&code(Why::Sampled { of: [4, 9], by }), 9, Arg::Replica);
            let quantity = Arg::Key(format!("by.{}", by.id()));
            let args = [("to", 9), ("a", 4), ("b", 9)].map(|(name, of)| (name, Arg::Replica(of)));
            assert_eq!((said.key, &said.args[..3]), ("why.sampled", &args[..]));
            assert_eq!(said.args[3], ("by", quantity.clone()));
            let said = sentence(&code(Why::SampledOf { draws: 8, by }), 1, Arg::Replica);
            assert_eq!(said.args[1..], [("draws", Arg::Int(8)), ("by", quantity.clone())]);
            assert_eq!(sentence(&code(Why::Least { by }), 1, Arg::Replica).args[1..], [("by", quantity)]);
            assert_eq!(word(&code(Why::Sampled { of: [4, 4], by })), "sampled-twice");
        }
        let said = sentence(&code(Why::Imbalanced { min: 3, max: 70_000 }), 2, Arg::Replica);
        assert_eq!(said.args[1..], [("min", Arg::Int(3)), ("max", Arg::Int(70_000))]);
        assert_eq!(word(&[]), "only");
    }
}
