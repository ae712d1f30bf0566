//! The rules of teaching that a program can check, lab by lab. `docs/teaching.md` has all twelve.

use super::*;
use crate::luck::{SEEDS, sample};
use crate::spec::{Ask, Setup};

/// Medians over the seeds of "is it luck?", row by row and column by column.
fn medians(lab: &LabSpec, setup: &Setup) -> Vec<f64> {
    let samples: Vec<Vec<f64>> = (0..SEEDS).map(|i| sample(lab, setup, lab.luck.0 + i)).collect();
    let median = |at: usize| {
        let mut values: Vec<f64> = samples.iter().map(|s| s[at]).collect();
        tokenyard_det::stat::sort(&mut values);
        tokenyard_det::stat::quantile(&values, 0.5).unwrap()
    };
    (0..samples[0].len()).map(median).collect()
}

/// Rule 2: the question is worth asking, because leaving the slider alone does not answer it.
#[test]
fn a_guess_left_where_the_slider_starts_is_wrong() {
    for lab in LABS {
        let right = (lab.prediction.outcome)(&lab.with(lab.prediction.reveal));
        match lab.prediction.ask {
            Ask::Number { start, step, .. } => assert!((right - start).abs() > step, "{}: {right}", lab.id),
            Ask::Choice(options) => assert!(options >= 2, "{}", lab.id),
        }
    }
}

/// Rule 4: at least two lanes stand side by side, and what one shows does not depend on which others
/// stand there, so lanes differ in their rule and in nothing else.
#[test]
fn a_lane_shows_the_same_whatever_stands_beside_it() {
    for lab in LABS {
        let table = lab.table(&lab.defaults());
        let lanes: Vec<&str> = table.rows.iter().filter(|r| r.lane.is_some()).map(|r| r.id).collect();
        assert!(lanes.len() >= 2, "{}: {lanes:?}", lab.id);
        for view in lab.views.iter().filter(|view| view.key.starts_with("lane")) {
            let tokenyard_param::Kind::Choice { options, .. } = view.kind else { panic!("{}", view.key) };
            for option in options {
                let other = lab.table(&lab.with(&[(view.key, option)]));
                for row in &table.rows {
                    let same = other.rows.iter().find(|r| r.id == row.id).map(|r| &r.cells);
                    assert_eq!(same, Some(&row.cells), "{} {}={option}", lab.id, view.key);
                }
            }
        }
    }
}

/// Rules 10 and 12: where the conclusion flips, two rows that a column puts in one order by default are
/// level or the other way round, by medians over 200 seeds.
#[test]
fn the_flip_preset_turns_some_order_round_over_many_seeds() {
    for lab in LABS {
        let plain = medians(lab, &lab.defaults());
        let flips: Vec<_> = lab.presets.iter().filter(|preset| preset.flip).collect();
        assert!(!flips.is_empty(), "{}", lab.id);
        for preset in flips {
            let flipped = medians(lab, &lab.with(preset.set));
            let (columns, rows) = (lab.columns.len(), plain.len() / lab.columns.len());
            let turned = |c: usize, a: usize, b: usize| {
                let at = |values: &[f64], row: usize| values[row * columns + c];
                at(&plain, a) < at(&plain, b) && at(&flipped, a) >= at(&flipped, b)
            };
            let judged = (0..columns).filter(|c| lab.columns[*c].smaller_is_better.is_some());
            let mut pairs = judged.flat_map(|c| (0..rows * rows).map(move |i| (c, i / rows, i % rows)));
            assert!(pairs.any(|(c, a, b)| turned(c, a, b)), "{} {}", lab.id, preset.key);
        }
    }
}

/// Rule 10: there is a seed to change, so every lab has its "is it luck?".
#[test]
fn every_lab_can_be_asked_whether_it_is_luck() {
    for lab in LABS {
        assert!(lab.has_seed(), "{}", lab.id);
        let one = sample(lab, &lab.defaults(), lab.luck.0);
        assert_eq!(one.len(), lab.table(&lab.defaults()).rows.len() * lab.columns.len(), "{}", lab.id);
    }
}

/// Rule 12: the lab leads to real routers.
#[test]
fn every_lab_names_where_the_knob_is_in_real_software() {
    for lab in LABS {
        assert!(!lab.real.is_empty(), "{}", lab.id);
        assert!(
            lab.real.iter().all(|(name, at)| !name.is_empty() && at.starts_with("https://")),
            "{}",
            lab.id
        );
    }
}
