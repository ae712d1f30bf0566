//! Guesses put together into the bars of a histogram.

use tokenyard_lesson::{Asked, Question};

/// Guesses of one bar, by their numbers, and how many learners made one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bin {
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) learners: u32,
}

/// The bars of a histogram, from the smallest guess to the largest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bins {
    pub(super) bins: Vec<Bin>,
    /// Guesses of a bar; the last one may have fewer.
    pub(super) each: u32,
    /// The bar in which the right answer lies. `None` without one, and where nobody could guess it.
    pub(super) right: Option<usize>,
}

/// Round numbers of guesses for a bar: a question has at most 256 guesses.
const ROUND: [u32; 6] = [1, 2, 5, 10, 20, 50];

/// At most `most` bars for numbers, each of the same round number of guesses; one for each option or row.
/// `counts` are those of a room.
pub(super) fn bins(question: &Question, counts: &[u32], outcome: Option<f64>, most: u32) -> Bins {
    let guesses = question.guesses();
    let each = match question.asked {
        Asked::Number { .. } => {
            let round = ROUND.into_iter().find(|each| guesses.div_ceil(*each) <= most);
            round.unwrap_or_else(|| guesses.div_ceil(most.max(1)))
        }
        Asked::Choice(_) | Asked::Rows(_) => 1,
    };
    let bin = |first: u32| {
        let last = (first + each).min(guesses) - 1;
        let counts = counts.get(first as usize..=last as usize).unwrap_or_default();
        Bin { first, last, learners: counts.iter().sum() }
    };
    let right = outcome.and_then(|outcome| question.index(outcome)).map(|at| (at / each) as usize);
    Bins { bins: (0..guesses).step_by(each as usize).map(bin).collect(), each, right }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(min: i64, step: i64, guesses: u32) -> Question {
        let max = min + step * i64::from(guesses - 1);
        let asked = Asked::Number { min: min as f64, max: max as f64, step: step as f64, digits: 0 };
        Question { asked, name: "test/one".into() }
    }

    proptest! {
        #[test]
        fn bars_hold_every_learner_and_every_guess_once(
            min in -50..50_i64, step in 1..20_i64, most in 1..30_u32,
            counts in proptest::collection::vec(0..9_u32, 1..=256),
        ) {
            let question = number(min, step, counts.len() as u32);
            let found = bins(&question, &counts, None, most);
            prop_assert!(found.bins.len() <= most as usize && found.right.is_none());
            let mut next = 0;
            for bin in &found.bins {
                prop_assert_eq!(bin.first, next);
                prop_assert!(bin.last >= bin.first && bin.last - bin.first < found.each);
                let own: u32 = counts[bin.first as usize..=bin.last as usize].iter().sum();
                prop_assert_eq!(bin.learners, own);
                next = bin.last + 1;
            }
            prop_assert_eq!(next as usize, counts.len());
        }

        #[test]
        fn the_right_bar_is_the_one_of_the_nearest_guess(
            min in -50..50_i64, step in 1..20_i64, guesses in 1..=256_u32, at in 0..256_u32, off in -0.49..0.49_f64,
        ) {
            let question = number(min, step, guesses);
            let at = at % guesses;
            let outcome = (min + step * i64::from(at)) as f64 + off * step as f64;
            let found = bins(&question, &vec![0; guesses as usize], Some(outcome), 24);
            let right = found.bins[found.right.unwrap()];
            prop_assert!((right.first..=right.last).contains(&at));
            let past = (min + step * i64::from(guesses)) as f64 + 0.1;
            prop_assert_eq!(bins(&question, &[], Some(past), 24).right, None);
        }
    }

    #[test]
    fn options_have_a_bar_each() {
        for asked in [Asked::Choice(40), Asked::Rows(vec!["a"; 40])] {
            let question = Question { asked, name: "test/two".into() };
            let found = bins(&question, &[1; 40], Some(3.0), 24);
            assert_eq!((found.bins.len(), found.each, found.right), (40, 1, Some(3)));
        }
    }

    #[test]
    fn a_question_from_nought_to_a_hundred_has_bars_of_five() {
        let found = bins(&number(0, 1, 101), &[0; 101], Some(42.4), 24);
        assert_eq!((found.bins.len(), found.each, found.right), (21, 5, Some(8)));
        assert_eq!(found.bins[20], Bin { first: 100, last: 100, learners: 0 });
    }
}
