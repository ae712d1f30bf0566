//! What must stay true of herding for any parameters.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use proptest::prelude::*;
use tokenyard_det::{Digest, stat};
use tokenyard_models::herding::{Fork, Params, Phases, Rule, Run, run, summary};

fn params() -> impl Strategy<Value = Params> {
    let phases = prop_oneof![Just(Phases::Aligned), Just(Phases::Even), Just(Phases::Random)];
    (1..=60_u32, 1..=16_u32, phases, 2..=16_u32, 1..=8_u32, 1..=60_u32, 10..=120_u32, any::<u32>()).prop_map(
        |(scrape_interval, routers, stagger, replicas, arrivals_per_tick, service_ticks, horizon, seed)| {
            Params {
                scrape_interval,
                routers,
                stagger,
                replicas,
                arrivals_per_tick,
                service_ticks,
                horizon,
                seed,
            }
        },
    )
}

fn rule() -> impl Strategy<Value = Rule> {
    (0..4_usize).prop_map(|i| Rule::ALL[i])
}

fn digest(run: &Run) -> u64 {
    let mut d = Digest::default();
    run.digest(&mut d);
    d.finish()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn loads_sum_to_what_is_in_service(p in params(), r in rule()) {
        let run = run(&p, r, None);
        prop_assert_eq!(run.ticks.len() as u32, p.horizon);
        for (t, tick) in run.ticks.iter().enumerate() {
            let in_service = p.arrivals_per_tick * (t as u32 + 1).min(p.service_ticks);
            prop_assert_eq!(tick.loads.iter().sum::<u32>(), in_service);
            prop_assert_eq!(tick.decisions.len() as u32, p.arrivals_per_tick);
        }
    }

    #[test]
    fn a_decision_follows_its_rule_on_its_own_view(p in params(), r in rule()) {
        let run = run(&p, r, None);
        let mut next = 0;
        for tick in &run.ticks {
            for d in &tick.decisions {
                prop_assert_eq!((d.request, d.router), (next, next % p.routers));
                next += 1;
                let seen = d.view[d.placed as usize];
                let expected = d.probes.map(|[a, b]| if d.view[b as usize] < d.view[a as usize] { b } else { a });
                prop_assert_eq!(d.placed, expected.unwrap_or(d.placed));
                if d.probes.is_none() {
                    prop_assert_eq!(Some(&seen), d.view.iter().min());
                }
                prop_assert!(d.age < p.scrape_interval);
            }
        }
    }

    #[test]
    fn a_copy_is_what_was_true_when_it_was_made(p in params(), r in rule(), at in 0..120_u32) {
        let run = run(&p, r, None);
        let at = at % p.horizon;
        for router in 0..p.routers {
            let (view, age) = run.belief(router, at);
            let made = &run.ticks[(at - age) as usize];
            if made.scraped.contains(&router) && !r.counts_own_dispatches() {
                prop_assert_eq!(&view, &made.before);
            }
        }
        // The next decision of a router reads what `belief` says it holds, unless it scraped.
        if let Some(tick) = run.ticks.get(at as usize + 1) {
            for d in tick.decisions.iter().take(1).filter(|d| !tick.scraped.contains(&d.router)) {
                prop_assert_eq!(&run.belief(d.router, at).0, &d.view);
            }
        }
    }

    #[test]
    fn a_fork_keeps_the_past_and_a_fork_to_the_same_changes_nothing(
        p in params(), then in params(), r in rule(), at in 0..120_u32,
    ) {
        let tick = at % p.horizon;
        let plain = run(&p, r, None);
        let forked = run(&p, r, Some(Fork { tick, then }));
        prop_assert_eq!(&plain.ticks[..tick as usize], &forked.ticks[..tick as usize]);
        let same = run(&p, r, Some(Fork { tick, then: p }));
        prop_assert_eq!(plain.ticks, same.ticks);
    }

    #[test]
    fn same_seed_same_bits(p in params(), r in rule()) {
        prop_assert_eq!(digest(&run(&p, r, None)), digest(&run(&p, r, None)));
        let s = summary(&run(&p, r, None));
        prop_assert!((0.0..=1.0).contains(&s.concentration) && s.mean_spread <= f64::from(s.max_spread));
    }

    /// With aligned scrapes all routers hold the same copy, so the stale rule cannot tell how
    /// many of them there are.
    #[test]
    fn router_count_does_not_change_the_stale_rule(p in params(), other in 1..=16_u32) {
        let p = Params { stagger: Phases::Aligned, ..p };
        let a = summary(&run(&p, Rule::LeastOutstanding, None));
        let b = summary(&run(&Params { routers: other, ..p }, Rule::LeastOutstanding, None));
        prop_assert_eq!(a, b);
    }
}

/// Mean and peak skew over seeds 9000..9199, as the luck panel shows them.
fn over_seeds(p: Params, rule: Rule) -> (f64, f64, f64) {
    let runs = (9000..9200).map(|seed| summary(&run(&Params { seed, ..p }, rule, None)));
    let all: Vec<_> = runs.collect();
    let mean = |f: &dyn Fn(&tokenyard_models::herding::Summary) -> f64| {
        stat::mean(&all.iter().map(f).collect::<Vec<_>>()).unwrap()
    };
    (mean(&|s| s.mean_spread), mean(&|s| f64::from(s.max_spread)), mean(&|s| s.oscillation))
}

#[test]
fn over_200_seeds_own_dispatches_close_two_thirds_of_the_gap() {
    let near = |a: f64, b: f64| (a - b).abs() < 0.06;
    let stale = over_seeds(Params::default(), Rule::LeastOutstanding);
    let own = over_seeds(Params::default(), Rule::InFlightAware);
    let both = over_seeds(Params::default(), Rule::InFlightAwareP2c);
    assert!(near(stale.0, 12.5) && near(own.0, 7.3) && near(both.0, 4.8), "{stale:?} {own:?} {both:?}");
    assert!(near(stale.1, 20.3) && near(own.1, 15.5), "{stale:?} {own:?}");
    assert!(near(stale.2, 1.30) && near(own.2, 1.08), "{stale:?} {own:?}");
}

#[test]
fn phases_order_the_skew() {
    let with = |stagger| over_seeds(Params { stagger, ..Params::default() }, Rule::LeastOutstanding);
    let (aligned, random, even) = (with(Phases::Aligned), with(Phases::Random), with(Phases::Even));
    assert!((aligned.0 - 12.5).abs() < 0.3 && (random.0 - 8.5).abs() < 0.5 && (even.0 - 6.2).abs() < 0.3);
    assert!((aligned.1 - 20.3).abs() < 0.5 && (random.1 - 13.6).abs() < 0.7 && (even.1 - 9.5).abs() < 0.5);
}

/// A run of 90 ticks cannot show a period of 45 whole; over 600 ticks the peak levels out.
#[test]
fn long_intervals_level_out_in_long_runs() {
    let peak = |horizon| {
        summary(&run(
            &Params { scrape_interval: 45, horizon, ..Params::default() },
            Rule::LeastOutstanding,
            None,
        ))
    };
    assert!(peak(600).max_spread <= 28);
    assert!((peak(90).mean_spread - peak(600).mean_spread).abs() > 1.0);
}
