use tokenyard_det::format::fixed;
use tokenyard_models::queueing_knee::points::ALL_RUNS;

use super::*;
use crate::figure::Shape;
use crate::spec::solved;
use crate::{luck, sweep};

fn cell(set: &[(&str, &str)], row: &str, key: &str) -> f64 {
    let column = LAB.columns.iter().position(|c| c.key == key).unwrap();
    table(&LAB.with(set)).cell(row, column).unwrap()
}

#[test]
fn a_wait_of_three_service_times_has_the_published_prices() {
    let crossings: Vec<_> = table(&LAB.defaults())
        .rows
        .iter()
        .map(|r| (r.id, fixed(r.cells[0], 3), fixed(r.cells[1], 2)))
        .collect();
    let row = |id, crossing: &str, wait: &str| (id, crossing.into(), wait.into());
    assert_eq!(
        crossings,
        [
            row("free", "0.667", "4.50"),
            row("fixed", "0.857", "1.50"),
            row("exponential", "0.750", "3.00"),
            row("long-tail", "0.545", "7.50"),
        ]
    );
    assert_eq!(outcome(&LAB.defaults()), 55.0);
    let price = cell(&[], "fixed", "crossing") - cell(&[], "long-tail", "crossing");
    assert_eq!(fixed(100.0 * price, 0), "31");
}

#[test]
fn slots_move_the_knee() {
    let at = |slots| fixed(cell(&[("slots", slots)], "long-tail", "crossing"), 4);
    assert_eq!(["1", "4", "12", "64"].map(at), ["0.5455", "0.8546", "0.9450", "0.9884"]);
}

#[test]
fn the_flip_preset_takes_the_variance_out() {
    let flip = LAB.presets.iter().find(|p| p.flip).unwrap();
    for cv2 in ["0", "2", "9.5"] {
        let set = [flip.set, &[("cv2", cv2)]].concat();
        let rows = table(&LAB.with(&set)).rows;
        assert!(rows.iter().all(|r| r.cells[0] == 0.75 && r.cells[1] == 3.0), "{rows:?}");
    }
    assert!(cell(&[], "long-tail", "wait") > 4.9 * cell(&[], "fixed", "wait"));
}

/// Little's law holds in the table: requests inside are arrivals times stay.
#[test]
fn requests_inside_follow_from_the_stay() {
    assert!((cell(&[], "exponential", "inside") - 0.75 * (1.0 + 3.0)).abs() < 1e-12);
    let twelve = [("slots", "12"), ("utilisation", "0.9")];
    let wait = cell(&twelve, "free", "wait");
    assert!((cell(&twelve, "free", "inside") - 10.8 * (1.0 + wait)).abs() < 1e-9);
    let scene = run(&LAB.defaults()).scene(0, false, &Words::default());
    assert!(scene.contains("scene.little"));
}

#[test]
fn the_page_opens_on_the_longest_wait_of_the_long_tail() {
    let setup = LAB.defaults();
    let moments = run(&setup).moments();
    let steps = trace::lane(&Params::from_values(&setup.values), ORDER[TAIL]).steps;
    assert_eq!(moments[0].cue.key, "cue.longest");
    assert!(steps.iter().all(|s| s.wait <= steps[moments[0].step as usize].wait));
    assert!(steps[moments[0].step as usize].wait > 3.0 * 3.0, "plain to see");
}

/// The long tail is what the prediction asks about; the curve of the knob stands in for it only
/// where they meet.
#[test]
fn what_answers_the_prediction_is_marked() {
    let answering = |set: &[(&str, &str)]| -> Vec<&str> {
        table(&LAB.with(set)).rows.iter().filter(|r| r.answers).map(|r| r.id).collect()
    };
    assert_eq!(answering(&[]), ["long-tail"]);
    assert_eq!(answering(&[("cv2", "4")]), ["free", "long-tail"]);
    let knee = run(&LAB.defaults()).figures(0).swap_remove(1);
    assert_eq!(knee.series.len() - knee.clone().covered().series.len(), 1);
}

#[test]
fn challenges_can_be_solved_and_not_by_breaking_their_rules() {
    let [slots, variance] = LAB.challenges else { panic!() };
    let from =
        |c: &crate::spec::Challenge, set: (&'static str, &'static str)| LAB.with(&[c.start, &[set]].concat());
    assert!(solved(&LAB, slots, &from(slots, ("slots", "4"))));
    assert!(!solved(&LAB, slots, &from(slots, ("slots", "3"))));
    assert!(!solved(&LAB, slots, &from(slots, ("utilisation", "0.5"))));
    assert!(!solved(&LAB, slots, &from(slots, ("discipline", "processor-sharing"))));
    assert!(solved(&LAB, variance, &from(variance, ("cv2", "0.5"))));
    assert!(!solved(&LAB, variance, &from(variance, ("cv2", "0.6"))));
    assert!(!solved(&LAB, variance, &from(variance, ("slots", "4"))));
}

/// Every simulated point on the chart has the closed form in its band, and the lines' axis holds
/// them. Half of the runs are enough for the first two curves.
#[test]
fn simulated_points_hold_the_curves() {
    let setup = LAB.defaults();
    let rows: Vec<Vec<f64>> =
        (0..LAB.sweep.unwrap().items / 2).map(|i| sweep::sample(&LAB, &setup, i)).collect();
    let run = run(&setup);
    let knee = sweep::figures(&LAB, &setup, run.as_ref(), 0, &rows).swap_remove(1);
    let pool = Pool::of(&Params::from_values(&setup.values));
    let points: Vec<_> = knee.series.iter().filter(|s| s.shape == Shape::Points).collect();
    assert_eq!(points.len(), 2);
    for series in points {
        let cv2 = if series.style == style(0) { 0.0 } else { 1.0 };
        assert!(series.points.len() >= 7);
        for ((utilisation, mean), (low, high)) in series.points.iter().zip(&series.band) {
            assert!(*mean <= knee.y.max && (*low..=*high).contains(mean));
            assert!((*low..=*high).contains(&pool.wait(*utilisation, cv2)), "{utilisation} {cv2}");
        }
    }
    assert_eq!(LAB.sweep.unwrap().items as usize, ALL_RUNS);
}

/// What the luck panel says about 200 seeds, and that the default seed is a typical one.
#[test]
fn two_hundred_requests_are_few() {
    let samples: Vec<Vec<f64>> =
        (0..luck::SEEDS).map(|i| luck::sample(&LAB, &LAB.defaults(), LAB.luck.0 + i)).collect();
    let at = |row: usize| row * LAB.columns.len() + LAB.luck.1;
    let ordered = samples.iter().filter(|s| s[at(1)] < s[at(2)] && s[at(2)] < s[at(3)]);
    let share = ordered.count() as f64 / f64::from(luck::SEEDS);
    assert!((0.7..0.86).contains(&share), "{share}");
    let rows = table(&LAB.defaults()).rows;
    for (row, spread) in rows.iter().enumerate().map(|(i, r)| {
        let spread = luck::spread(&samples, at(i), r.cells[LAB.luck.1]).unwrap();
        (r.id, spread)
    }) {
        assert!(!spread.untypical(), "{row}: {spread:?}");
    }
    let tail = luck::spread(&samples, at(TAIL), 0.0).unwrap();
    assert!((1.2..2.0).contains(&tail.low) && (13.0..20.0).contains(&tail.high), "{tail:?}");
    // The curves do not depend on the seed.
    assert!(samples.iter().all(|s| s[0] == samples[0][0] && s[1] == samples[0][1]));
}

/// The chart marks the utilisations that the limit allows, where the curves cross it.
#[test]
fn crossings_are_marked_on_the_limit() {
    let pins = |set: &[(&str, &str)], covered: bool| {
        let figure = run(&LAB.with(set)).figures(0).swap_remove(1);
        let figure = if covered { figure.covered() } else { figure };
        assert!(figure.pins.iter().all(|p| p.y == figure.guides[0].y), "on the limit");
        let mut at: Vec<String> = figure.pins.iter().map(|p| fixed(p.x, 2)).collect();
        at.sort();
        at
    };
    assert_eq!(pins(&[], false), ["0.55", "0.67", "0.75", "0.86"]);
    assert_eq!(pins(&[], true), ["0.67", "0.75", "0.86"], "the long tail is what the prediction asks for");
    assert_eq!(pins(&[("cv2", "4")], false), ["0.55", "0.75", "0.86"], "equal curves share a pin");
    assert_eq!(pins(&[("cv2", "4")], true), ["0.75", "0.86"]);
    assert_eq!(pins(&[("discipline", "processor-sharing")], true), ["0.75"], "no secret where all are equal");
    // Each pin stands on its own curve, and its label tells where.
    let figure = run(&LAB.defaults()).figures(0).swap_remove(1);
    for pin in &figure.pins {
        let points = &figure.series.iter().find(|s| s.style == pin.style).unwrap().points;
        let after = points.iter().position(|p| p.0 > pin.x).unwrap();
        assert!(points[after - 1].1 <= pin.y && pin.y <= points[after].1, "{pin:?}");
        assert_eq!(pin.label, msg("pin.crossing").with("at", Arg::Fixed(pin.x, 2)));
    }
}
