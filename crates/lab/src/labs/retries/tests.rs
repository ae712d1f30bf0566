use tokenyard_det::format::{fixed, percent};

use super::*;
use crate::luck;
use crate::spec::solved;

fn cell(set: &[(&str, &str)], row: &str, key: &str) -> f64 {
    let column = LAB.columns.iter().position(|c| c.key == key).unwrap();
    table(&LAB.with(set)).cell(row, column).unwrap()
}

#[test]
fn the_table_shows_the_worst_case_beside_the_expected_one() {
    let printed: Vec<_> = table(&LAB.defaults())
        .rows
        .iter()
        .map(|r| {
            (r.id, fixed(r.cells[0], 0), fixed(r.cells[1], 2), fixed(r.cells[2], 2), percent(r.cells[3]))
        })
        .collect();
    let row = |id, worst: &str, outage: &str, expected: &str, success: &str| {
        (id, worst.into(), outage.into(), expected.into(), success.into())
    };
    assert_eq!(
        printed,
        [
            row("all", "144", "144.00", "2.00", "100"),
            row("only", "4", "4.00", "1.88", "94"),
            row("all-budget", "144", "1.46", "1.46", "73"),
            row("only-budget", "4", "1.10", "1.10", "55"),
        ]
    );
    let expected = cell(&[("failure_probability", "0.1")], "all", "expected_calls");
    assert_eq!(fixed(expected, 2), "1.11");
    let click = run(&LAB.defaults());
    assert_eq!((click.steps(), outcome(&LAB.defaults())), (144, 4.0));
}

#[test]
fn the_page_opens_on_the_first_call_beyond_the_sum() {
    let moments = run(&LAB.defaults()).moments();
    let seen: Vec<_> = moments.iter().map(|m| (m.step + 1, m.cue.key)).collect();
    assert_eq!(seen, [(15, "cue.beyond"), (48, "cue.gives-up"), (144, "cue.failed")]);
}

#[test]
fn lanes_differ_in_who_may_retry_and_in_nothing_else() {
    for set in [
        &[][..],
        &[("only_one_layer", "2")],
        &[("budget", "25")],
        &[("only_one_layer", "6"), ("budget", "0")],
    ] {
        let setup = LAB.with(set);
        let [a, b] = Variant::lanes(&Params::from_values(&setup.values));
        assert!(a.only != b.only && a.budget == b.budget);
        assert_eq!(a.only, set.iter().any(|s| s.0 == "only_one_layer"));
        let table = table(&setup);
        assert_eq!(table.rows.iter().filter(|r| r.lane.is_some()).count(), 2);
        assert_eq!(table.headline().unwrap().id, a.id());
        assert!(table.rows.iter().all(|r| r.answers == (r.id.starts_with("only") == b.only)));
    }
    assert_eq!(cell(&[("only_one_layer", "1")], "only", "worst"), 3.0);
    assert_eq!(cell(&[("layers", "1")], "only", "worst"), 3.0);
}

/// One layer of retries where calls fail now and then: a tenth more calls, a hundredth of the
/// failures, and nothing multiplies.
#[test]
fn the_flip_preset_makes_retries_worth_it() {
    let flip = LAB.presets.iter().find(|p| p.flip).unwrap();
    let failures = |set: &[(&str, &str)]| 1.0 - cell(set, "all", "success");
    let tries_once = [flip.set, &[("attempts_1", "1")]].concat();
    assert!(cell(flip.set, "all", "expected_calls") < 1.12);
    assert!(failures(flip.set) < 0.011 * failures(&tries_once));
    assert_eq!(cell(flip.set, "all", "worst"), 3.0);
    // In the default tree the second to fourth layer of retries buys next to nothing there.
    assert!(cell(&[], "all", "worst") > 40.0 * cell(flip.set, "all", "worst"));
}

#[test]
fn presets_show_what_they_say() {
    let of = |key: &str| LAB.presets.iter().find(|p| p.key == key).unwrap().set;
    assert_eq!(cell(of("nested"), "all", "worst"), 16.0);
    assert_eq!(cell(of("six"), "all", "worst"), 576.0);
    assert!((cell(of("bad-day"), "all", "expected_calls") - 10.0).abs() < 1e-4);
    assert!((cell(of("budget"), "all-budget", "outage_calls") - 1.4641).abs() < 1e-9);
    assert_eq!(table(&LAB.with(of("budget"))).headline().unwrap().id, "all-budget");
}

#[test]
fn challenges_can_be_solved_and_not_by_breaking_their_rules() {
    let [cut, one] = LAB.challenges else { panic!() };
    for set in [("attempts_3", "1"), ("attempts_2", "1")] {
        assert!(solved(&LAB, cut, &LAB.with(&[set])), "{set:?}");
    }
    assert!(!solved(&LAB, cut, &LAB.with(&[("attempts_1", "1")])));
    assert!(!solved(&LAB, cut, &LAB.with(&[("layers", "2")])));
    assert!(!solved(&LAB, cut, &LAB.with(&[("budget", "10")])));
    let from = |set: &[(&str, &str)]| LAB.with(&[one.start, set].concat());
    assert!(solved(&LAB, one, &from(&[("attempts_3", "7")])));
    assert!(!solved(&LAB, one, &from(&[("attempts_3", "9")])));
    assert!(!solved(&LAB, one, &from(&[("failure_probability", "0.1")])));
}

/// Luck: over 200 seeds the mean of the clicks is near the closed form, 2.0, and no click is
/// anywhere near 144.
#[test]
fn two_hundred_clicks_are_short() {
    let samples: Vec<Vec<f64>> =
        (0..luck::SEEDS).map(|i| luck::sample(&LAB, &LAB.defaults(), LAB.luck.0 + i)).collect();
    let present = cell(&[], "all", "click_calls");
    let spread = luck::spread(&samples, LAB.luck.1, present).unwrap();
    let mean = samples.iter().map(|s| s[LAB.luck.1]).sum::<f64>() / f64::from(luck::SEEDS);
    assert!((mean - 2.0).abs() < 0.4, "{mean}");
    assert!(spread.most < 20.0 && !spread.untypical(), "{spread:?}");
}

#[test]
fn the_covered_scene_shows_no_figure_of_the_second_lane() {
    let words = Words::default();
    let second = |covered| {
        let scene = run(&LAB.defaults()).scene(14, covered, &words);
        scene.split("style-2").nth(1).unwrap().to_owned()
    };
    for class in ["retry-product", "retry-both", "retry-strip", "is-now"] {
        assert!(!second(true).contains(class) && second(false).contains(class), "{class}");
    }
}

#[test]
fn a_long_click_is_a_bar_and_says_that_it_was_cut() {
    let setup =
        LAB.with(&[("layers", "6"), ("attempts_1", "10"), ("attempts_2", "10"), ("attempts_3", "10")]);
    let run = run(&setup);
    assert_eq!((run.steps(), run.cut().unwrap().key), (2_000, "cut"));
    let scene = run.scene(1_999, false, &Words::default());
    assert!(scene.contains("call-bar") && scene.len() < 20_000);
    assert!(run.moments().iter().all(|m| m.cue.key != "cue.failed"));
}
