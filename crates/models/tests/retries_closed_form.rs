//! The closed form of the retry tree against published figures, brute force and a real budget.

use proptest::prelude::*;
use tokenyard_det::Mulberry32;
use tokenyard_models::retries::{Layer, Params, Plan, nested_retriers, run, simulate};

fn params(attempts: &[u32], failure: f64, budget: Option<u32>) -> Params {
    let layers = attempts.iter().map(|a| Layer { name: "layer".into(), attempts: *a }).collect();
    Params { seed: 1, failure, only_one_layer: None, budget, layers }
}

fn close(a: f64, b: f64, relative: f64) -> bool {
    (a - b).abs() <= relative * b.abs().max(1e-300)
}

#[test]
fn the_default_tree_has_the_published_figures() {
    let plan = Plan::all(&Params::default());
    let at = |p: f64| plan.expect(p);
    let worst: Vec<u64> = at(0.5).layers.iter().map(|l| l.worst).collect();
    assert_eq!(worst, [3, 12, 48, 144]);
    assert_eq!((at(0.5).worst, at(0.5).sum), (144, 14));
    assert_eq!(format!("{:.2} {:.1}", at(0.1).calls, at(0.5).calls), "1.11 2.0");
    assert_eq!(at(1.0).calls, 144.0);
    assert_eq!(at(1.0).success, 0.0);
    assert_eq!(at(0.0).calls, 1.0);
    assert_eq!(at(0.0).success, 1.0);
    assert_eq!((nested_retriers(0), nested_retriers(3), nested_retriers(u32::MAX)), (1, 16, u64::MAX));
}

#[test]
fn two_nested_retriers_multiply() {
    for n in 0..10 {
        let plan = Plan::all(&params(&[n + 1, n + 1], 1.0, None));
        assert_eq!(plan.expect(1.0).worst, nested_retriers(n));
        assert_eq!(plan.expect(1.0).calls, nested_retriers(n) as f64);
    }
}

#[test]
fn a_budget_caps_an_outage_at_one_plus_share_per_layer() {
    let r = run(&params(&[3, 4, 4, 3], 1.0, None));
    assert!(close(r.budgeted.calls, 1.1 * 1.1 * 1.1 * 1.1, 1e-12));
    assert_eq!((r.budget_percent, r.budgeted.worst), (10, 144));
    let one: Vec<f64> = r.only_one.iter().map(|e| e.calls).collect();
    assert_eq!(one, [3.0, 4.0, 4.0, 3.0]);
    let none = run(&params(&[3, 4, 4, 3], 0.5, Some(0)));
    assert_eq!((none.chosen.worst, none.chosen.calls, none.chosen.success), (1, 1.0, 0.5));
}

/// Answers of an oracle that brute force walks through: a prefix that is fixed, then zeros.
struct Script {
    answers: Vec<bool>,
    used: usize,
    weight: f64,
}

impl Script {
    fn ask(&mut self, yes: f64) -> bool {
        if self.used == self.answers.len() {
            self.answers.push(false);
        }
        let answer = self.answers[self.used];
        self.used += 1;
        self.weight *= if answer { yes } else { 1.0 - yes };
        answer
    }

    /// The next script in counting order; `false` after the last.
    fn advance(&mut self) -> bool {
        (self.used, self.weight) = (0, 1.0);
        while self.answers.last() == Some(&true) {
            self.answers.pop();
        }
        self.answers.last_mut().map(|last| *last = true).is_some()
    }
}

/// A layer written as a programmer would: a loop around the call inside. Counts upstream calls.
fn call(attempts: &[u32], allowed: &[f64], p: f64, script: &mut Script, calls: &mut u32) -> bool {
    let Some((mine, inner)) = attempts.split_first() else {
        *calls += 1;
        return !script.ask(p);
    };
    for attempt in 1..=*mine {
        if attempt > 1 && !script.ask(allowed[0]) {
            return false;
        }
        if call(inner, &allowed[1..], p, script, calls) {
            return true;
        }
    }
    false
}

/// Expected calls and success over every possible course of events.
fn brute_force(attempts: &[u32], allowed: &[f64], p: f64) -> (f64, f64) {
    let mut script = Script { answers: Vec::new(), used: 0, weight: 1.0 };
    let (mut mean, mut success, mut total) = (0.0, 0.0, 0.0);
    loop {
        let mut calls = 0;
        let ok = call(attempts, allowed, p, &mut script, &mut calls);
        mean += script.weight * f64::from(calls);
        success += if ok { script.weight } else { 0.0 };
        total += script.weight;
        if !script.advance() {
            assert!(close(total, 1.0, 1e-9), "the weights add up to {total}");
            return (mean, success);
        }
    }
}

#[test]
fn brute_force_agrees_on_small_trees() {
    let trees: [&[u32]; 7] = [&[1], &[4], &[2, 2], &[3, 2], &[2, 3], &[2, 2, 2], &[1, 2, 1, 3]];
    for attempts in trees {
        for p in [0.0, 0.1, 0.5, 0.83, 1.0] {
            for budget in [None, Some(5), Some(10), Some(60), Some(100)] {
                let plan = Plan::chosen(&params(attempts, p, budget));
                let expected = plan.expect(p);
                let allowed: Vec<f64> = expected.layers.iter().map(|l| l.allowed).collect();
                let (calls, success) = brute_force(attempts, &allowed, p);
                let context = format!("{attempts:?} p {p} budget {budget:?}");
                assert!(close(expected.calls, calls, 1e-9), "{context}: {} {calls}", expected.calls);
                assert!((expected.success - success).abs() < 1e-9, "{context}");
            }
        }
    }
}

#[test]
fn simulated_means_agree_with_the_closed_form() {
    let settings =
        [(0.1, None), (0.5, None), (0.9, None), (0.5, Some(10)), (1.0, Some(25)), (0.97, Some(100))];
    for (p, budget) in settings {
        let plan = Plan::chosen(&params(&[3, 4, 4, 3], p, budget));
        let expected = plan.expect(p);
        let seen = simulate(&plan, p, 20_260_825, 200_000);
        let error = 4.5 * (seen.variance / 200_000.0).sqrt();
        assert!(
            (seen.calls - expected.calls).abs() <= error.max(1e-12),
            "{p} {budget:?}: {seen:?} {expected:?}"
        );
        let error = 4.5 * (expected.success * (1.0 - expected.success) / 200_000.0).sqrt();
        assert!((seen.success - expected.success).abs() <= error.max(1e-12), "{p} {budget:?}");
        for (layer, made) in expected.layers.iter().zip(seen.made) {
            assert!(close(made, layer.calls, 0.03), "{p} {budget:?}: {made} {}", layer.calls);
        }
    }
}

/// A layer whose budget is a running count, as in real clients: a retry is allowed while retries
/// stay within the share of the first attempts seen so far.
fn counted(
    attempts: &[u32],
    counts: &mut [(u32, u32)],
    share: f64,
    p: f64,
    rng: &mut Mulberry32,
    calls: &mut u32,
) -> bool {
    let (Some((mine, inner)), Some((count, inside))) = (attempts.split_first(), counts.split_first_mut())
    else {
        *calls += 1;
        return rng.draw() >= p;
    };
    count.0 += 1;
    for attempt in 1..=*mine {
        if attempt > 1 {
            if f64::from(count.1 + 1) > share * f64::from(count.0) {
                return false;
            }
            count.1 += 1;
        }
        if counted(inner, inside, share, p, rng, calls) {
            return true;
        }
    }
    false
}

#[test]
fn a_budget_kept_by_counting_comes_out_the_same() {
    for (p, percent) in [(0.5, 10), (1.0, 10), (0.8, 40), (0.1, 10), (0.3, 100)] {
        let mut counts = [(0, 0); 4];
        let (mut rng, mut calls, mut ok) = (Mulberry32::new(7), 0, 0_u32);
        for _ in 0..400_000 {
            let share = f64::from(percent) / 100.0;
            ok += u32::from(counted(&[3, 4, 4, 3], &mut counts, share, p, &mut rng, &mut calls));
        }
        let expected = Plan::chosen(&params(&[3, 4, 4, 3], p, Some(percent))).expect(p);
        let (calls, ok) = (f64::from(calls) / 400_000.0, f64::from(ok) / 400_000.0);
        assert!(close(calls, expected.calls, 0.01), "{p} {percent}: {calls} {}", expected.calls);
        assert!((ok - expected.success).abs() < 0.01, "{p} {percent}: {ok} {}", expected.success);
    }
}

proptest! {
    /// Without a budget the nesting does not show: the click is one loop of `product` attempts.
    #[test]
    fn nesting_is_one_long_loop(attempts in prop::collection::vec(1_u32..=10, 1..=6), p in 0.0..1.0_f64) {
        let e = Plan::all(&params(&attempts, p, None)).expect(p);
        let product: u64 = attempts.iter().map(|a| u64::from(*a)).product();
        let (mut power, mut calls) = (1.0, 0.0);
        for _ in 0..product {
            calls += power;
            power *= p;
        }
        prop_assert!(close(e.calls, calls, 1e-9), "{} {}", e.calls, calls);
        prop_assert!((e.success - (1.0 - power)).abs() < 1e-9);
        prop_assert_eq!(e.worst, product);
        prop_assert_eq!(e.outage_calls, product as f64);
    }

    /// A budget keeps every layer within its share, and success follows the calls (Wald).
    #[test]
    fn a_budget_is_kept(
        attempts in prop::collection::vec(1_u32..=10, 1..=6),
        p in 0.0..=1.0_f64,
        percent in 0_u32..=100,
    ) {
        let free = Plan::all(&params(&attempts, p, None)).expect(p);
        let e = Plan::chosen(&params(&attempts, p, Some(percent))).expect(p);
        let share = f64::from(percent) / 100.0;
        for layer in &e.layers {
            prop_assert!(layer.retries <= share);
            prop_assert!((0.0..=1.0).contains(&layer.allowed));
            prop_assert!((-1e-12..=1.0).contains(&layer.fails));
            let x = layer.attempt_fails * layer.allowed;
            let made: f64 = (1..layer.attempts).map(|k| (0..k).fold(1.0, |power, _| power * x)).sum();
            prop_assert!((made - layer.retries).abs() < 1e-9, "{} {}", made, layer.retries);
        }
        prop_assert!(e.calls <= free.calls * (1.0 + 1e-12));
        prop_assert!((e.success - (1.0 - p) * e.calls).abs() < 1e-9 * e.calls);
        prop_assert!(e.success <= free.success + 1e-12);
    }

    /// More failures never mean fewer calls, nor more successes.
    #[test]
    fn calls_rise_with_the_failure_probability(
        attempts in prop::collection::vec(1_u32..=10, 1..=6),
        p in 0.0..=1.0_f64,
        q in 0.0..=1.0_f64,
        percent in prop::option::of(0_u32..=100),
    ) {
        let plan = Plan::chosen(&params(&attempts, p, percent));
        let (low, high) = (plan.expect(p.min(q)), plan.expect(p.max(q)));
        prop_assert!(low.calls <= high.calls * (1.0 + 1e-12));
        prop_assert!(low.success >= high.success - 1e-12);
        prop_assert!(high.calls <= high.outage_calls * (1.0 + 1e-12));
        prop_assert!(high.outage_calls <= high.worst as f64 * (1.0 + 1e-12));
    }
}
