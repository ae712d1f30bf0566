//! What stays true of the prefix-affinity player over its whole parameter space.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tokenyard_det::Digest;
use tokenyard_models::prefix_affinity::{PARAMS, Params, REQUESTS, Reason, Run, TRACE, curve, order, run};
use tokenyard_param::{Kind, ParamSpec, Value, Values};

fn params() -> impl Strategy<Value = Params> {
    let seed = prop_oneof![1 => Just(0), 3 => 1_u32..=200, 2 => any::<u32>()];
    let threshold = prop_oneof![
        1 => Just(None),
        6 => (0_u32..=12).prop_map(Some),
        1 => (0_u32..=100).prop_map(Some),
    ];
    (seed, 1_u32..=16, prop_oneof![1_u32..=4, 1_u32..=16], threshold).prop_map(
        |(seed, replicas, cache_slots, load_gap_threshold)| Params {
            seed,
            replicas,
            cache_slots,
            load_gap_threshold,
        },
    )
}

fn digest(run: &Run) -> u64 {
    let mut digest = Digest::default();
    run.digest(&mut digest);
    digest.finish()
}

/// The least recently used list after `prefix`, written as a filter instead of in place.
fn touched(before: &[u32], prefix: u32, slots: usize) -> Vec<u32> {
    let kept = before.iter().copied().filter(|p| *p != prefix);
    let all: Vec<u32> = kept.chain([prefix]).collect();
    all[all.len().saturating_sub(slots)..].to_vec()
}

fn first_minimum(loads: &[u32]) -> Option<usize> {
    (0..loads.len()).find(|i| loads.iter().all(|load| loads[*i] <= *load))
}

/// One router's share of a step: choice, hit, loads before and after, caches before and after.
type Side<'a> = (usize, bool, [&'a [u32]; 2], [&'a [Vec<u32>]; 2]);

fn sides(run: &Run, i: usize) -> [Side<'_>; 2] {
    let s = &run.steps[i];
    [
        (
            s.baseline,
            s.baseline_hit,
            [&s.baseline_loads_before, &s.baseline_loads],
            [&s.baseline_caches_before, &s.baseline_caches],
        ),
        (
            s.aware,
            s.aware_hit,
            [&s.aware_loads_before, &s.aware_loads],
            [&s.aware_caches_before, &s.aware_caches],
        ),
    ]
}

proptest! {
    #[test]
    fn each_request_is_assigned_once(params in params()) {
        let run = run(&params);
        let mut seen: Vec<usize> = run.steps.iter().map(|s| s.request).collect();
        prop_assert_eq!(&seen[..], &order(params.seed)[..]);
        seen.sort_unstable();
        prop_assert_eq!(seen, (0..REQUESTS).collect::<Vec<_>>());
        for (i, step) in run.steps.iter().enumerate() {
            let request = TRACE[step.request];
            prop_assert_eq!(
                (step.prefix, step.prefix_tokens, step.fresh_tokens),
                (request.prefix, request.prefix_tokens, request.fresh_tokens)
            );
            for (chosen, _, [before, after], _) in sides(&run, i) {
                prop_assert_eq!(after.len(), params.replicas as usize);
                prop_assert_eq!(after.iter().sum::<u32>() as usize, i + 1);
                for replica in 0..after.len() {
                    prop_assert_eq!(after[replica] - before[replica], u32::from(replica == chosen));
                }
            }
        }
    }

    #[test]
    fn a_step_begins_where_the_last_one_ended(params in params()) {
        let run = run(&params);
        for (_, _, [loads, _], [caches, _]) in sides(&run, 0) {
            prop_assert!(loads.iter().all(|load| *load == 0));
            prop_assert!(caches.iter().all(Vec::is_empty));
        }
        for i in 1..REQUESTS {
            let pairs = sides(&run, i - 1).into_iter().zip(sides(&run, i));
            for ((_, _, [_, loads], [_, caches]), (_, _, [loads_now, _], [caches_now, _])) in pairs {
                prop_assert_eq!(loads, loads_now);
                prop_assert_eq!(caches, caches_now);
            }
        }
    }

    #[test]
    fn caches_are_recency_lists_and_decide_hits(params in params()) {
        let run = run(&params);
        let slots = params.cache_slots as usize;
        for i in 0..REQUESTS {
            let prefix = run.steps[i].prefix;
            for (chosen, hit, _, [before, after]) in sides(&run, i) {
                prop_assert_eq!(hit, before[chosen].contains(&prefix));
                for replica in 0..after.len() {
                    let list = &after[replica];
                    prop_assert!(list.len() <= slots);
                    prop_assert!((1..list.len()).all(|k| !list[..k].contains(&list[k])));
                    let wanted =
                        if replica == chosen { touched(&before[replica], prefix, slots) } else { before[replica].clone() };
                    prop_assert_eq!(list, &wanted);
                }
            }
        }
    }

    #[test]
    fn prefill_is_fresh_on_a_hit_and_the_prompt_on_a_miss(params in params()) {
        let run = run(&params);
        let (mut baseline, mut aware) = (0, 0);
        for step in &run.steps {
            let tokens = |hit: bool| step.fresh_tokens + if hit { 0 } else { step.prefix_tokens };
            prop_assert_eq!(step.baseline_prefill, tokens(step.baseline_hit));
            prop_assert_eq!(step.aware_prefill, tokens(step.aware_hit));
            baseline += step.baseline_prefill;
            aware += step.aware_prefill;
            prop_assert_eq!((step.cumulative_baseline, step.cumulative_aware), (baseline, aware));
        }
        prop_assert_eq!((run.baseline_prefill, run.aware_prefill), (baseline, aware));
    }

    #[test]
    fn reasons_follow_from_what_the_router_saw(params in params()) {
        let run = run(&params);
        let mut owners: BTreeMap<u32, usize> = BTreeMap::new();
        for step in &run.steps {
            let loads = &step.aware_loads_before;
            let gap = loads.iter().max().unwrap() - loads.iter().min().unwrap();
            let least = first_minimum(loads).unwrap();
            prop_assert_eq!(Some(step.baseline), first_minimum(&step.baseline_loads_before));
            prop_assert_eq!((step.gap, step.least_loaded), (gap, least));
            prop_assert_eq!(step.threshold, params.load_gap_threshold);
            prop_assert_eq!(step.owner_before, owners.insert(step.prefix, step.aware));
            let above = step.threshold.is_some_and(|most| gap > most);
            match step.reason {
                Reason::FirstSight => {
                    prop_assert_eq!((step.owner_before, step.aware), (None, least));
                }
                Reason::LoadImbalance => {
                    prop_assert!(step.owner_before.is_some() && above);
                    prop_assert_eq!(step.aware, least);
                }
                Reason::Affinity => {
                    prop_assert!(!above);
                    prop_assert_eq!(step.owner_before, Some(step.aware));
                }
            }
        }
    }

    #[test]
    fn totals_are_those_of_the_steps(params in params()) {
        let run = run(&params);
        let count = |wanted: &dyn Fn(usize) -> bool| (0..REQUESTS).filter(|i| wanted(*i)).count() as u32;
        prop_assert_eq!(run.baseline_hits, count(&|i| run.steps[i].baseline_hit));
        prop_assert_eq!(run.aware_hits, count(&|i| run.steps[i].aware_hit));
        prop_assert_eq!(run.escapes, count(&|i| run.steps[i].reason == Reason::LoadImbalance));
        prop_assert_eq!(&run.baseline_loads, &run.steps[REQUESTS - 1].baseline_loads);
        prop_assert_eq!(&run.aware_loads, &run.steps[REQUESTS - 1].aware_loads);
    }

    #[test]
    fn the_load_only_router_keeps_loads_within_one_and_knows_no_threshold(params in params()) {
        let a = run(&params);
        let b = run(&Params { load_gap_threshold: None, ..params });
        for (x, y) in a.steps.iter().zip(&b.steps) {
            let loads = &x.baseline_loads;
            prop_assert!(loads.iter().max().unwrap() - loads.iter().min().unwrap() <= 1);
            prop_assert_eq!((x.baseline, &x.baseline_caches), (y.baseline, &y.baseline_caches));
        }
    }

    #[test]
    fn the_curve_holds_the_runs_and_ends_where_nothing_escapes(params in params()) {
        let points = curve(&params);
        let (never, numbered) = points.split_last().unwrap();
        prop_assert_eq!((never.threshold, never.escapes), (None, 0));
        for (i, point) in numbered.iter().enumerate() {
            prop_assert_eq!(point.threshold, Some(i as u32));
            prop_assert_eq!(point.escapes == 0, i + 1 == numbered.len());
            let run = run(&Params { load_gap_threshold: point.threshold, ..params.clone() });
            prop_assert_eq!(
                (point.hits, point.prefill, point.escapes, &point.loads),
                (run.aware_hits, run.aware_prefill, run.escapes, &run.aware_loads)
            );
        }
        let last = numbered.last().unwrap();
        prop_assert_eq!((last.hits, last.prefill, &last.loads), (never.hits, never.prefill, &never.loads));
    }

    #[test]
    fn same_settings_same_digest(params in params()) {
        prop_assert_eq!(digest(&run(&params)), digest(&run(&params)));
    }

    #[test]
    fn settings_out_of_range_act_like_the_nearest_end(
        seed in any::<u32>(), replicas in any::<u32>(), cache_slots in any::<u32>(), gap in any::<Option<u32>>()
    ) {
        let wild = Params { seed, replicas, cache_slots, load_gap_threshold: gap };
        let tame =
            Params { replicas: replicas.clamp(1, 16), cache_slots: cache_slots.clamp(1, 16), ..wild.clone() };
        prop_assert_eq!(run(&wild), run(&tame));
        prop_assert_eq!(curve(&wild), curve(&tame));
    }

    #[test]
    fn every_seed_gives_a_permutation(seed in any::<u32>()) {
        let mut all = order(seed);
        all.sort_unstable();
        prop_assert_eq!(all, std::array::from_fn(|i| i));
    }
}

#[test]
fn zero_replicas_and_slots_do_not_fail() {
    let run = run(&Params { replicas: 0, cache_slots: 0, ..Params::default() });
    assert_eq!(run.aware_loads, [REQUESTS as u32]);
}

#[test]
fn the_two_hundred_seeds_of_the_luck_panel_differ() {
    let digests: Vec<u64> =
        (1..=200).map(|s| digest(&run(&Params { seed: s, ..Params::default() }))).collect();
    let mut distinct = digests.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), digests.len());
}

#[test]
fn the_digest_sees_every_kind_of_field() {
    let run = run(&Params::default());
    let changes: [fn(&mut Run); 12] = [
        |r| r.steps[3].request += 1,
        |r| r.steps[3].aware_hit = !r.steps[3].aware_hit,
        |r| r.steps[3].reason = Reason::FirstSight,
        |r| r.steps[3].owner_before = None,
        |r| r.steps[3].gap += 1,
        |r| r.steps[3].threshold = None,
        |r| r.steps[3].least_loaded += 1,
        |r| r.steps[3].aware_loads_before[0] += 1,
        |r| r.steps[3].baseline_caches[0].clear(),
        |r| r.steps[3].cumulative_aware += 1,
        |r| r.escapes += 1,
        |r| r.aware_loads[0] += 1,
    ];
    for (i, change) in changes.iter().enumerate() {
        let mut other = run.clone();
        change(&mut other);
        assert_ne!(digest(&run), digest(&other), "change {i}");
    }
}

#[test]
fn the_table_and_the_struct_agree() {
    assert_eq!(Params::from_values(&Values::defaults(&PARAMS)), Params::default());
    let mut values = Values::defaults(&PARAMS);
    let texts =
        [("seed", "4294967295"), ("replicas", "16"), ("cache_slots", "2"), ("load_gap_threshold", "none")];
    for (key, text) in texts {
        let at = values.position(key).unwrap();
        let value = PARAMS[at].parse(text).unwrap();
        assert!(values.set(at, value));
    }
    let wanted = Params { seed: u32::MAX, replicas: 16, cache_slots: 2, load_gap_threshold: None };
    assert_eq!(Params::from_values(&values), wanted);
    assert_eq!(values.get("load_gap_threshold"), Some(&Value::Nothing));
}

#[test]
fn steps_and_pages_fit_their_ranges() {
    for ParamSpec { key, kind, .. } in &PARAMS {
        match *kind {
            Kind::Int { min, max, step, page, .. } | Kind::OptInt { min, max, step, page, .. } => {
                assert!(0 < step && step < page && page <= max - min, "{key}");
            }
            _ => panic!("{key} is no number"),
        }
    }
}
