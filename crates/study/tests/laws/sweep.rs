//! What must stay true of sweeps.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tokenyard_fleet::World;
use tokenyard_fleet::metrics::Report;
use tokenyard_fleet::run::run_to_end;
use tokenyard_fleet::scenario::Section;
use tokenyard_param::Value;
use tokenyard_study::Study;
use tokenyard_study::sweep::{self, FIGURES, ITEMS, Knee, LOADS, Part, SEEDS, Sweep};

use crate::studies::studies;

fn with(fields: &[(&str, &str)]) -> Study {
    let mut study = Study::default();
    fields.iter().for_each(|(path, text)| study.base.set(path, text).unwrap());
    study
}

fn rows(study: &Study, share: (u32, u32)) -> Vec<Vec<f64>> {
    let mut sweep = Sweep::new(study, None, share).unwrap();
    let mut rows = Vec::new();
    loop {
        match sweep.slice() {
            Part::Item(row) => rows.push(row),
            Part::Done => return rows,
            Part::Progress => {}
        }
    }
}

/// What the simulator gives at a load and a seed, without any of this crate's machinery.
fn directly(study: &Study, (field, load): (&str, f64), seed: u64) -> Vec<f64> {
    let figures = |lane: usize| {
        let mut draft = study.draft(lane);
        draft.set(field, &load.to_string()).unwrap();
        draft.seed = study.base.seed + seed;
        let mut world = World::new(&draft.build(None).unwrap(), None);
        run_to_end(&mut world);
        let report = Report::of(&world);
        [report.goodput_rps, report.slo_attainment]
    };
    (0..study.lanes().len()).flat_map(figures).collect()
}

#[test]
fn a_row_is_what_the_simulator_gives() {
    let open = with(&[("workload.requests", "60"), ("seed", "11")]);
    let closed =
        [("workload.requests", "60"), ("workload.arrivals", "closed"), ("workload.concurrency", "10")];
    let closed = with(&closed);
    for (study, field) in [(&open, "workload.rate_rps"), (&closed, "workload.concurrency")] {
        let loads = sweep::loads(study);
        let rows = rows(study, (0, 1));
        assert_eq!(rows.len(), ITEMS as usize);
        for row in rows.iter().step_by(37) {
            let (load, seed) = sweep::item(row[0] as u32);
            let wanted = directly(study, (field, loads[load as usize]), u64::from(seed));
            assert_eq!(row[1..], wanted, "{field} {}, seed {seed}", loads[load as usize]);
        }
    }
}

#[test]
fn every_load_has_every_seed_once() {
    let all: BTreeSet<(u32, u32)> = (0..ITEMS).map(sweep::item).collect();
    assert_eq!(all.len(), ITEMS as usize);
    assert!(all.iter().all(|(load, seed)| *load < LOADS && *seed < SEEDS));
    // Whole curves first.
    let first: BTreeSet<u32> = (0..LOADS).map(|number| sweep::item(number).0).collect();
    assert_eq!(first.len(), LOADS as usize);
}

#[test]
fn shares_are_the_whole_and_share_no_item() {
    let study = with(&[("workload.requests", "20")]);
    let whole = rows(&study, (0, 1));
    let mut parts = [rows(&study, (0, 2)), rows(&study, (1, 2))].concat();
    parts.sort_by(|a, b| a[0].total_cmp(&b[0]));
    assert_eq!(parts, whole);
}

#[test]
fn a_long_scenario_is_cut_and_a_short_one_is_not() {
    let long = with(&[("workload.requests", "31000"), ("workload.rate_rps", "400")]);
    let cut = with(&[("workload.requests", "1000"), ("workload.rate_rps", "400")]);
    let first = |study: &Study| {
        let mut sweep = Sweep::new(study, None, (0, ITEMS)).unwrap();
        loop {
            if let Part::Item(row) = sweep.slice() {
                break row;
            }
        }
    };
    assert_eq!(first(&long), first(&cut));
}

#[test]
fn what_does_not_fit_is_refused() {
    let study = with(&[("workload.arrivals", "trace")]);
    assert!(!Sweep::new(&study, None, (0, 1)).unwrap_err().is_empty());
}

/// Rows of a lane whose share falls by a step at each load.
fn falling(shares: &[f64]) -> Vec<Vec<f64>> {
    let row = |number: u32| {
        let share = shares[sweep::item(number).0 as usize];
        std::iter::once(f64::from(number)).chain([share, share].repeat(4)).collect()
    };
    (0..ITEMS).map(row).collect()
}

#[test]
fn a_knee_is_where_nine_in_ten_is_crossed() {
    let study = Study::default();
    let loads = sweep::loads(&study);
    let knee = |shares: &[f64]| sweep::knees(&study, &falling(shares))[0];
    let mut shares = vec![1.0; LOADS as usize];
    assert_eq!(knee(&shares), Some(Knee::Beyond(loads[LOADS as usize - 1])));
    // Half way between the two: from 1.0 to 0.8.
    shares[7..].fill(0.8);
    let Some(Knee::At(at)) = knee(&shares) else { panic!("{:?}", knee(&shares)) };
    assert!((at - (loads[6] + loads[7]) / 2.0).abs() < 1e-9, "{at}");
    // What comes later does not count: the rule has broken before.
    shares[12..].fill(1.0);
    assert_eq!(knee(&shares), Some(Knee::At(at)));
    assert_eq!(knee(&vec![0.5; LOADS as usize]), Some(Knee::Below(loads[0])));
    assert_eq!(sweep::knees(&study, &[]), vec![None; study.lanes().len()]);
}

#[test]
fn charts_grow_with_their_rows() {
    let study = with(&[("workload.requests", "20")]);
    let rows = rows(&study, (0, 1));
    for count in [0, 1, 7, LOADS as usize, rows.len()] {
        for figure in sweep::figures(&study, &rows[..count]) {
            for series in &figure.series {
                assert_eq!(series.points.len(), count.min(LOADS as usize), "{}", figure.id);
                assert_eq!(series.band.len(), series.points.len());
                let within = |((_, y), (low, high)): (&(f64, f64), &(f64, f64))| low <= y && y <= high;
                assert!(series.points.iter().zip(&series.band).all(within), "{}", figure.id);
            }
        }
    }
}

proptest! {
    #[test]
    fn loads_are_around_the_scenarios_own(study in studies()) {
        let loads = sweep::loads(&study);
        prop_assert_eq!(loads.len(), LOADS as usize);
        prop_assert!(loads.windows(2).all(|pair| pair[0] <= pair[1]), "{:?}", loads);
        let workload = study.base.section(Section::Workload);
        let own = match workload.get(sweep::load(&study).field) {
            Some(Value::Real(own)) => (own * 1e3 + 0.5).floor() / 1e3,
            Some(Value::Int(own)) => *own as f64,
            _ => 1.0,
        };
        prop_assert_eq!(loads[4], own);
    }

    #[test]
    fn rows_of_anything_make_charts(rows in proptest::collection::vec(proptest::collection::vec(0.0..1e9_f64, 1..9), 0..9)) {
        let study = Study::default();
        let charts = sweep::figures(&study, &rows);
        prop_assert!(charts.iter().all(|chart| chart.series.len() == study.lanes().len()));
        prop_assert_eq!(sweep::knees(&study, &rows).len(), study.lanes().len());
        prop_assert_eq!(FIGURES, 2);
    }
}
