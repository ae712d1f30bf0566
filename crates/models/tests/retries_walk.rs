//! The click played call by call: laws of the order, the record's bound, the whole table of
//! parameters.

use proptest::prelude::*;
use tokenyard_det::Digest;
use tokenyard_models::retries::{Layer, PARAMS, Params, Plan, RECORDED_CALLS, Run, Verdict, Walk, run, walk};
use tokenyard_param::{Kind, ParamSpec, Value, Values};

fn any_value(spec: &ParamSpec) -> BoxedStrategy<Value> {
    match spec.kind {
        Kind::Int { min, max, .. } => (min..=max).prop_map(Value::Int).boxed(),
        Kind::OptInt { min, max, .. } => {
            prop_oneof![Just(Value::Nothing), (min..=max).prop_map(Value::Int)].boxed()
        }
        Kind::Real { min, max, .. } => {
            prop_oneof![Just(min), Just(max), min..=max].prop_map(Value::Real).boxed()
        }
        Kind::Switch { .. } => any::<bool>().prop_map(Value::Switch).boxed(),
        Kind::Choice { options, .. } => (0..options.len() as u8).prop_map(Value::Choice).boxed(),
        Kind::Text { .. } => "[a-z]{1,24}".prop_map(Value::Text).boxed(),
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

/// What must hold for every walk.
fn check(walk: &Walk, attempts: &[u32]) {
    let depth = attempts.len();
    assert_eq!(walk.calls.len(), (walk.total as usize).min(RECORDED_CALLS));
    assert_eq!(walk.cut(), walk.total as usize > RECORDED_CALLS);
    assert_eq!(walk.made[depth - 1], walk.total);
    for (i, call) in walk.calls.iter().enumerate() {
        assert_eq!(call.made[depth - 1] as usize, i + 1);
        assert!(call.path.iter().zip(attempts).all(|(p, a)| (1..=*a).contains(&u32::from(*p))));
        let last = i + 1 == walk.total as usize;
        assert_eq!(call.retried_by().is_none(), last);
        assert_eq!(call.failed, !(last && walk.succeeded));
        let Some(layer) = call.retried_by() else { continue };
        // The layers inside gave up, those outside were not asked.
        let gave_up = |v: &Verdict| matches!(v, Verdict::Exhausted | Verdict::Refused);
        assert!(call.verdicts[layer + 1..depth].iter().all(gave_up));
        assert!(call.verdicts[..layer].iter().all(|v| *v == Verdict::NotAsked));
        if let Some(next) = walk.calls.get(i + 1) {
            // Paths count up like the digits of a number.
            assert_eq!(next.path[..layer], call.path[..layer]);
            assert_eq!(next.path[layer], call.path[layer] + 1);
            assert!(next.path[layer + 1..depth].iter().all(|p| *p == 1));
            let steps = (0..depth).map(|j| next.made[j] - call.made[j]);
            assert!(steps.enumerate().all(|(j, step)| step == u32::from(j >= layer)));
        }
    }
}

#[test]
fn an_outage_is_the_worst_case_call_by_call() {
    let run = run(&Params::default());
    assert_eq!((run.outage.total, run.outage.succeeded, run.outage.cut()), (144, false, false));
    assert_eq!(run.outage.made, [3, 12, 48, 144, 0, 0]);
    check(&run.outage, &[3, 4, 4, 3]);
    // The provider SDK gives up after its third call, the gateway after twelve, and so on out.
    let give_ups: Vec<_> = (0..4).map(|layer| run.outage.first_give_up(layer)).collect();
    assert_eq!(give_ups, [Some(143), Some(47), Some(11), Some(2)]);
    assert_eq!(run.outage.first_give_up(4), None);
    assert_eq!(run.calls().len() as u32, run.click.total);
}

#[test]
fn a_walk_longer_than_the_record_is_counted_and_says_so() {
    let layers = vec![Layer { name: "x".into(), attempts: 10 }; 6];
    let run = run(&Params { failure: 1.0, layers, ..Params::default() });
    assert_eq!((run.outage.total, run.click.total), (1_000_000, 1_000_000));
    assert_eq!((run.outage.calls.len(), run.outage.cut()), (RECORDED_CALLS, true));
}

#[test]
fn a_budget_does_not_move_the_outcomes() {
    for seed in 0..500 {
        let params = Params { seed, failure: 0.9, ..Params::default() };
        let free = walk(&Plan::all(&params), 0.9, seed);
        let budgeted = walk(&Plan::all(&params).with_budget(Some(10)), 0.9, seed);
        assert!(budgeted.total <= free.total);
        let outcomes = |w: &Walk| w.calls.iter().map(|c| c.failed).collect::<Vec<_>>();
        assert_eq!(outcomes(&budgeted)[..], outcomes(&free)[..budgeted.calls.len()]);
    }
}

#[test]
fn one_layer_alone_and_numbers_beyond_the_last() {
    let with = |only| Plan::chosen(&Params { only_one_layer: Some(only), ..Params::default() });
    assert_eq!(with(2).attempts(), [1, 4, 1, 1]);
    assert_eq!(with(6).attempts(), [1, 1, 1, 3]);
    assert_eq!(with(0).attempts(), [3, 1, 1, 1]);
    let empty = Params { layers: Vec::new(), only_one_layer: Some(3), ..Params::default() };
    assert_eq!(run(&empty).outage.total, 1);
}

#[test]
fn names_links_and_steps_of_the_table() {
    let params = Params::default();
    let names: Vec<&str> = params.layers.iter().map(|l| l.name.as_str()).collect();
    assert_eq!(names, ["client SDK", "tool loop", "gateway", "provider SDK"]);
    let links: std::collections::BTreeSet<_> = PARAMS.iter().map(|s| s.link).collect();
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

/// Another seed, another course. Clicks of equal length look the same, and half of the clicks
/// have at most 13 calls at this failure rate, so 200 seeds leave about 60 courses.
#[test]
fn the_digest_sees_the_seed() {
    let at = |seed| digest(&run(&Params { seed, failure: 0.95, ..Params::default() }));
    let distinct: std::collections::BTreeSet<u64> = (0..200).map(at).collect();
    assert!((40..=90).contains(&distinct.len()), "{}", distinct.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// The whole space of parameters: no panic, every law of the order, the same bits twice.
    #[test]
    fn every_run_keeps_the_laws(params in any_params()) {
        let first = run(&params);
        let attempts = Plan::chosen(&params).attempts().to_vec();
        check(&first.click, &attempts);
        check(&first.outage, &attempts);
        if params.budget.is_none() {
            prop_assert_eq!(u64::from(first.outage.total), first.chosen.worst);
        }
        prop_assert!(u64::from(first.click.total) <= first.chosen.worst);
        prop_assert_eq!(digest(&first), digest(&run(&params)));
    }
}
