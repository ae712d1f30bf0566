//! The closed forms: published figures, an independent Erlang formula, monotony, inverses.

use proptest::prelude::*;
use tokenyard_models::queueing_knee::theory::{Pool, erlang_b, erlang_c, little_capacity};
use tokenyard_models::queueing_knee::{Discipline, Params, run};

const FIFO: Pool = Pool { slots: 1, discipline: Discipline::Fifo };

fn pool(slots: u32, sharing: bool) -> Pool {
    Pool { slots, discipline: if sharing { Discipline::ProcessorSharing } else { Discipline::Fifo } }
}

#[test]
fn a_wait_of_three_service_times_has_the_published_prices() {
    let crossing = |cv2| FIFO.crossing(3.0, cv2);
    let shown: Vec<String> = [0.0, 1.0, 4.0].iter().map(|c| format!("{:.3}", crossing(*c))).collect();
    assert_eq!(shown, ["0.857", "0.750", "0.545"]);
    assert_eq!(format!("{:.0}", 100.0 * (crossing(0.0) - crossing(4.0))), "31");
    let at = |cv2| FIFO.wait(0.7, cv2);
    assert!((at(4.0) / at(0.0) - 5.0).abs() < 1e-12 && (at(4.0) / at(1.0) - 2.5).abs() < 1e-12);
    let lanes: Vec<f64> = run(&Params::default()).curves.iter().map(|c| c.crossing).collect();
    assert_eq!(lanes, [0.0, 1.0, 4.0, 2.0].map(crossing));
}

#[test]
fn slots_move_the_knee_as_published() {
    let shown: Vec<String> =
        [1, 4, 12, 64].iter().map(|k| format!("{:.4}", pool(*k, false).crossing(3.0, 4.0))).collect();
    // Printed as 0.55, 0.85, 0.945, 0.988.
    assert_eq!(shown, ["0.5455", "0.8546", "0.9450", "0.9884"]);
}

#[test]
fn processor_sharing_does_not_know_the_variance() {
    for cv2 in [0.0, 0.3, 1.0, 4.0, 10.0] {
        // Mean stay 1 / (1 − ρ), of which 1 is service.
        assert!((1.0 + pool(1, true).wait(0.8, cv2) - 5.0).abs() < 1e-12);
        assert_eq!(pool(12, true).wait(0.8, cv2), pool(12, false).wait(0.8, 1.0));
        assert_eq!(pool(1, true).crossing(3.0, cv2), 0.75);
    }
}

/// Erlang's formulas by their definition as sums, small enough for plain doubles.
fn erlang_by_sums(slots: u32, load: f64) -> (f64, f64) {
    let (mut term, mut sum) = (1.0, 1.0);
    for n in 1..=slots {
        term *= load / f64::from(n);
        sum += term;
    }
    let waiting = term / (1.0 - load / f64::from(slots));
    (term / sum, waiting / (sum - term + waiting))
}

#[test]
fn erlang_matches_tables_and_sums() {
    // Published table values: B(10 lines, 5 erlangs) = 0.0184, C(2 servers, load 1) = 1/3.
    assert!((erlang_b(10, 5.0) - 0.018_385).abs() < 1e-6);
    assert!((erlang_c(2, 0.5) - 1.0 / 3.0).abs() < 1e-15);
    for slots in 1..=64 {
        for percent in 1..100 {
            let rho = f64::from(percent) / 100.0;
            let (b, c) = erlang_by_sums(slots, rho * f64::from(slots));
            let seen = (erlang_b(slots, rho * f64::from(slots)), erlang_c(slots, rho));
            assert!((seen.0 / b - 1.0).abs() < 1e-10, "B({slots}, {rho})");
            assert!((seen.1 / c - 1.0).abs() < 1e-10, "C({slots}, {rho})");
        }
    }
}

#[test]
fn little_divides() {
    assert_eq!(little_capacity(256.0, 20.0), 12.8);
    assert_eq!(run(&Params::default()).capacity, 12.8);
}

#[test]
fn full_use_never_ends_waiting() {
    assert_eq!(FIFO.wait(1.0, 1.0), f64::INFINITY);
    assert_eq!(FIFO.wait(0.0, 4.0), 0.0);
    assert_eq!((erlang_c(64, 0.0), erlang_c(64, 1.0)), (0.0, 1.0));
}

proptest! {
    #[test]
    fn erlang_c_is_a_probability(slots in 1_u32..=64, rho in 0.0..=1.0_f64) {
        let c = erlang_c(slots, rho);
        prop_assert!((0.0..=1.0).contains(&c), "{}", c);
        prop_assert!(c <= rho + 1e-12);
        prop_assert_eq!(erlang_c(1, rho), rho);
        prop_assert!(erlang_c(slots + 1, rho) <= c + 1e-12);
    }

    #[test]
    fn wait_rises_with_load_and_variance_and_falls_with_slots(
        slots in 1_u32..=64,
        sharing in any::<bool>(),
        (a, b) in (0.0..0.999_f64, 0.0..0.999_f64),
        (v, w) in (0.0..=10.0_f64, 0.0..=10.0_f64),
    ) {
        let p = pool(slots, sharing);
        let slack = 1.0 + 1e-9;
        prop_assert!(p.wait(a.min(b), v) <= p.wait(a.max(b), v) * slack);
        prop_assert!(p.wait(a, v.min(w)) <= p.wait(a, v.max(w)) * slack);
        prop_assert!(pool(slots + 1, sharing).wait(a, v) <= p.wait(a, v) * slack);
        if !sharing && v > w && a > 0.3 {
            prop_assert!(p.wait(a, v) > p.wait(a, w));
        }
    }

    #[test]
    fn the_crossing_inverts_the_wait(
        slots in 1_u32..=64,
        sharing in any::<bool>(),
        limit in 0.5..=10.0_f64,
        cv2 in 0.0..=10.0_f64,
    ) {
        let p = pool(slots, sharing);
        let at = p.crossing(limit, cv2);
        prop_assert!(at > 0.0 && at < 1.0);
        prop_assert!((p.wait(at, cv2) / limit - 1.0).abs() < 1e-9, "{}", p.wait(at, cv2));
        prop_assert!(p.crossing(limit * 1.1, cv2) > at);
        prop_assert!(p.crossing(limit, cv2 + 1.0) <= at);
    }

    /// Each of the three ways does what it says, and no less would.
    #[test]
    fn the_three_ways_reach_the_limit(
        slots in 1_u32..=64,
        sharing in any::<bool>(),
        rho in 0.05..=0.99_f64,
        limit in 0.5..=10.0_f64,
        cv2 in 0.0..=10.0_f64,
    ) {
        let p = pool(slots, sharing);
        let ways = p.ways(rho, cv2, limit);
        let keeps = |wait: f64| wait <= limit * (1.0 + 1e-9);
        prop_assert_eq!(ways.wait, p.wait(rho, cv2));
        prop_assert!(keeps(p.wait(ways.utilisation, cv2)));
        match ways.cv2 {
            Some(largest) if largest.is_finite() => {
                prop_assert!((p.wait(rho, largest) / limit - 1.0).abs() < 1e-9);
            }
            Some(_) => prop_assert!(keeps(p.wait(rho, 10.0))),
            None => prop_assert!(sharing || !keeps(p.wait(rho, 0.0) * (1.0 + 2e-9))),
        }
        let enough = ways.slots.unwrap();
        let load = rho * f64::from(slots);
        let with = |k: u32| pool(k, sharing).wait(load / f64::from(k), cv2);
        prop_assert!(enough >= slots && keeps(with(enough)));
        prop_assert!(enough == slots || with(enough - 1) > limit);
    }
}
