//! The traced customers and the whole space of parameters.

use proptest::prelude::*;
use std::collections::BTreeSet;
use tokenyard_det::Digest;
use tokenyard_models::queueing_knee::{
    Discipline, GRID, Lane, PARAMS, Params, RUNS, Run, TRACED, run, simulate_run,
};
use tokenyard_param::{Kind, ParamSpec, Value, Values};

fn any_value(spec: &ParamSpec) -> BoxedStrategy<Value> {
    match spec.kind {
        Kind::Int { min, max, .. } => (min..=max).prop_map(Value::Int).boxed(),
        Kind::Real { min, max, .. } => {
            prop_oneof![Just(min), Just(max), min..=max].prop_map(Value::Real).boxed()
        }
        Kind::Choice { options, .. } => (0..options.len() as u8).prop_map(Value::Choice).boxed(),
        // The table has no other kinds; a new one would be left at its default here.
        kind => Just(kind.default_value()).boxed(),
    }
}

fn any_params() -> impl Strategy<Value = Params> {
    PARAMS.iter().map(any_value).collect::<Vec<_>>().prop_map(|all| {
        let mut values = Values::defaults(&PARAMS);
        for (i, value) in all.into_iter().enumerate() {
            assert!(values.set(i, value));
        }
        Params::from_values(&values)
    })
}

fn digest(run: &Run) -> u64 {
    let mut digest = Digest::default();
    run.digest(&mut digest);
    digest.finish()
}

/// First come, first served by a plain search for the slot that is free first.
fn check_in_order(lane: &Lane, slots: usize) {
    let mut free = vec![0.0_f64; slots];
    for s in &lane.steps {
        let slot = (1..slots).fold(0, |best, i| if free[i] < free[best] { i } else { best });
        assert_eq!(s.start, s.arrival.max(free[slot]));
        free[slot] = s.start + s.service;
        assert_eq!((s.finish, s.wait), (free[slot], s.start - s.arrival));
    }
    for (i, s) in lane.steps.iter().enumerate() {
        let queued = lane.steps[..i].iter().filter(|e| e.start > s.arrival).count();
        assert_eq!(s.queue as usize, queued);
    }
}

/// Processor sharing by walking from event to event with the remaining work of everybody, as far
/// as the traced arrivals reach.
fn check_shared(lane: &Lane, slots: usize) {
    let mut present: Vec<(usize, f64)> = Vec::new();
    let mut clock = 0.0;
    for (i, s) in lane.steps.iter().enumerate() {
        loop {
            let speed = (slots as f64 / present.len() as f64).min(1.0);
            let next = present.iter().map(|p| p.1).fold(f64::INFINITY, f64::min);
            let dt = if present.is_empty() { f64::INFINITY } else { next / speed };
            let step = dt.min(s.arrival - clock);
            present.iter_mut().for_each(|p| p.1 -= step * speed);
            clock += step;
            if dt > step || present.is_empty() {
                break;
            }
            let at = present.iter().position(|p| p.1 <= 1e-9);
            let gone = at.map(|at| present.remove(at).0);
            let seen = gone.map_or(f64::NAN, |gone| lane.steps[gone].finish);
            assert!((seen - clock).abs() < 1e-6, "customer {gone:?}: {seen} {clock}");
        }
        assert_eq!(s.present as usize, present.len(), "customer {i}");
        present.push((i, s.service));
    }
}

#[test]
fn every_lane_follows_its_discipline() {
    for seed in 0..20 {
        for slots in [1, 2, 7, 64] {
            for utilisation in [0.3, 0.75, 0.99] {
                let params = Params { seed, slots, utilisation, ..Params::default() };
                run(&params).lanes.iter().for_each(|lane| check_in_order(lane, slots as usize));
                let params = Params { discipline: Discipline::ProcessorSharing, ..params };
                run(&params).lanes.iter().for_each(|lane| check_shared(lane, slots as usize));
            }
        }
    }
}

#[test]
fn lanes_share_arrivals_and_sizes() {
    let run = run(&Params::default());
    for lane in &run.lanes {
        assert_eq!(lane.steps.len(), TRACED);
        let arrivals = |l: &Lane| l.steps.iter().map(|s| s.arrival.to_bits()).collect::<Vec<_>>();
        assert_eq!(arrivals(lane), arrivals(&run.lanes[0]));
    }
    assert!(run.lanes[0].steps.iter().all(|s| s.service == 1.0));
    // A long-tail customer is an exponential one, stretched or shrunk.
    let ratio = |i: usize| run.lanes[2].steps[i].service / run.lanes[1].steps[i].service;
    let kinds: BTreeSet<u64> = (0..TRACED).map(|i| (ratio(i) * 1e6).round() as u64).collect();
    assert_eq!(kinds.len(), 2);
}

#[test]
fn the_first_picture_shows_the_order_of_the_curves() {
    let run = run(&Params::default());
    let means: Vec<f64> = [0, 1, 3, 2].map(|i| run.lanes[i].steps[TRACED - 1].mean_so_far).to_vec();
    assert!(means.windows(2).all(|w| w[0] < w[1]), "{means:?}");
    assert!(means[0] < 3.0 && means[1] < 3.0 && means[3] > 3.0);
    for lane in &run.lanes {
        let longest = lane.steps[lane.longest().unwrap()].wait;
        assert!(lane.steps.iter().all(|s| s.wait <= longest));
        let first = lane.first_beyond(3.0).unwrap();
        assert!(lane.steps[..first].iter().all(|s| s.wait <= 3.0) && lane.steps[first].wait > 3.0);
    }
}

#[test]
fn links_are_unique_and_steps_fit_their_ranges() {
    let links: BTreeSet<_> = PARAMS.iter().map(|s| s.link).collect();
    assert_eq!(links.len(), PARAMS.len());
    for spec in &PARAMS {
        let (range, step, page) = match spec.kind {
            Kind::Int { min, max, step, page, .. } | Kind::OptInt { min, max, step, page, .. } => {
                ((max - min) as f64, step as f64, page as f64)
            }
            Kind::Real { min, max, step, page, .. } => (max - min, step, page),
            _ => continue,
        };
        assert!(0.0 < step && step < page && page <= range, "{}", spec.key);
    }
}

#[test]
fn the_seed_moves_every_lane() {
    let of = |seed| digest(&run(&Params { seed, ..Params::default() }));
    let all: BTreeSet<u64> = (0..100).map(of).collect();
    assert_eq!(all.len(), 100);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn no_run_fails_and_each_repeats(params in any_params()) {
        let first = run(&params);
        prop_assert_eq!(digest(&first), digest(&run(&params)));
        for curve in &first.curves {
            prop_assert!(curve.crossing > 0.0 && curve.crossing < 1.0);
            prop_assert!(curve.samples.windows(2).all(|w| w[0].1 <= w[1].1 * (1.0 + 1e-9)));
        }
        for step in first.lanes.iter().flat_map(|l| &l.steps) {
            prop_assert!(step.wait >= 0.0 && step.wait.is_finite() && step.finish >= step.start);
        }
    }

    #[test]
    fn no_simulated_run_fails_and_each_repeats(
        params in any_params(),
        curve in 0_usize..6,
        point in 0..GRID.len() + 2,
        number in 0..RUNS,
    ) {
        let once = simulate_run(&params, curve, point, number);
        prop_assert!(once.is_finite());
        prop_assert_eq!(once.to_bits(), simulate_run(&params, curve, point, number).to_bits());
    }
}
