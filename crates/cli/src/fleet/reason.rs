//! Why a rule chose as it did, as a word for programs and as a sentence for people.

use tokenyard_fleet::record::Decision;
use tokenyard_policy::Why;

/// The word.
pub(super) fn word(why: Why) -> &'static str {
    match why {
        Why::Only => "only",
        Why::Turn { .. } => "turn",
        Why::Drawn => "drawn",
        Why::Sampled { .. } => "sampled",
        Why::Least => "least",
        Why::Owner => "owner",
        Why::Fallback { .. } => "fallback",
        Why::Match { .. } => "match",
        Why::Miss { .. } => "miss",
        Why::Imbalanced { .. } => "imbalanced",
        Why::OwnerGone => "owner-gone",
        Why::Cost => "cost",
        Why::Softmax => "softmax",
        Why::Score => "score",
        Why::Longest { .. } => "longest",
    }
}

/// The sentence, with how many were equal.
pub(super) fn sentence(decision: &Decision) -> String {
    let to = decision.to;
    let why = match decision.why {
        Why::Only => format!("replica {to} was the only candidate"),
        Why::Turn { cursor } => format!("it was replica {to}'s turn, at decision {cursor} from 0"),
        Why::Drawn => format!("replica {to} was drawn from all candidates"),
        Why::Sampled { of: [a, b] } if a == b => format!("replica {to} was drawn twice"),
        Why::Sampled { of: [a, b] } => {
            format!("of the two drawn replicas, {a} and {b}, replica {to} was believed no busier")
        }
        Why::Least => format!("replica {to} was believed to have the smallest load"),
        Why::Owner => format!("replica {to} owns the request's key"),
        Why::Fallback { step } => {
            format!("the owner of the request's key could not take it, and replica {to} is fallback {step}")
        }
        Why::Match { matched, of } => {
            format!("{matched} of {of} prompt tokens were believed to be cached at replica {to}")
        }
        Why::Miss { matched, of } => format!(
            "at best {matched} of {of} prompt tokens were known, too few, so replica {to} was chosen by load"
        ),
        Why::Imbalanced { min, max } => format!(
            "loads from {min} to {max} were too far apart to follow the prefix, so replica {to} was chosen by load"
        ),
        Why::OwnerGone => format!(
            "the owner of the prefix could not be chosen, so replica {to}, the first candidate, was taken"
        ),
        Why::Cost => format!("replica {to} had the smallest cost"),
        Why::Softmax => format!("replica {to} was drawn, cheap candidates being likelier"),
        Why::Score => format!("replica {to} had the largest score"),
        Why::Longest { blocks: 0 } => format!("no prefix was known anywhere, and replica {to} won the tie"),
        Why::Longest { blocks } => {
            format!("replica {to} was believed to hold most of the prompt, {blocks} blocks")
        }
    };
    match decision.tied {
        0 | 1 => why,
        tied => format!("{why}; {tied} candidates were equal before the tie was broken"),
    }
}
