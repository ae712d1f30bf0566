//! Who may be picked and who is: section 2.

use tokenyard_det::Stream;
use tokenyard_policy::dynamo::{self, Constraints, Refusal, Worker, eligible};
use tokenyard_policy::{Choice, Draw, TieBreak, Why};

use crate::world::{World, rule};

fn probabilities(costs: &[f64], temperature: f64) -> Vec<f64> {
    let mut into = vec![9.0];
    dynamo::probabilities(costs, temperature, &mut into);
    into
}

fn rounded(values: &[f64]) -> Vec<i64> {
    values.iter().map(|v| (v * 10_000.0).round() as i64).collect()
}

#[test]
fn section_2_case_1_the_documents_example() {
    let costs = [18.0, 10.0, 11.0];
    let mut stream = Stream::new(1, "test", 0);
    let mut draw = Draw { stream: &mut stream, ties: TieBreak::Upstream };
    assert_eq!(dynamo::pick(&costs, 0.0, &mut draw, &mut Vec::new()), Some((1, 1)));
    assert_eq!(rounded(&probabilities(&costs, 1.0)), [1_635, 4_444, 3_922]);
    assert_eq!(rounded(&probabilities(&costs, 0.5)), [707, 5_224, 4_069]);
    assert_eq!(rounded(&probabilities(&costs, 0.1)), [0, 7_773, 2_227]);
}

#[test]
fn the_temperature_has_no_unit_and_equals_are_uniform() {
    let scaled = probabilities(&[1_008.0, 1_000.0, 1_001.0], 1.0);
    let plain = probabilities(&[18.0, 10.0, 11.0], 1.0);
    assert!(scaled.iter().zip(&plain).all(|(a, b)| (a - b).abs() < 1e-12));
    assert_eq!(probabilities(&[7.0; 4], 0.3), [0.25; 4]);
    assert_eq!(probabilities(&[3.0], 0.3), [1.0]);
    // At temperature 1 the worst keeps 1/e of the weight of the best.
    let ends = probabilities(&[0.0, 5.0], 1.0);
    assert!((ends[1] / ends[0] - 0.367_879_441_171_442_3).abs() < 1e-15);
}

#[test]
fn costs_at_the_ends_of_a_double_are_ordered() {
    let p = probabilities(&[-f64::MAX, f64::MAX], 1.0);
    assert_eq!(dynamo::sample(&p, 0.6), 0);
    assert!(p.iter().all(|p| p.is_finite()));
    // Cold and far from 0: exponents must be taken from the smallest cost, or all would be 0.
    assert_eq!(probabilities(&[1e6, 1e6 + 1.0], 0.001), [1.0, 0.0]);
}

#[test]
fn a_draw_takes_the_first_sum_that_reaches_it() {
    let p = [0.25, 0.5, 0.25];
    assert_eq!([0.0, 0.25, 0.26, 0.75, 0.76, 0.99].map(|d| dynamo::sample(&p, d)), [0, 0, 1, 1, 2, 2]);
    assert_eq!(dynamo::sample(&[0.5, 0.4], 0.95), 1, "rounding leaves the last");
    assert_eq!(dynamo::sample(&[], 0.5), 0);
}

#[test]
fn ties_at_temperature_0_are_drawn_uniformly() {
    let mut world = World::new(4);
    world.decode_blocks[1] = 1;
    let mut rule = rule("dynamo-kv", &[]);
    let mut sent = [0_u32; 4];
    for _ in 0..3_000 {
        let Choice::Send { to, why: Why::Cost, tied: 3 } = world.choose(&mut *rule) else { panic!() };
        sent[usize::from(to)] += 1;
    }
    assert_eq!(sent[1], 0);
    assert!(sent.iter().filter(|n| (900..1_100).contains(*n)).count() == 3, "{sent:?}");
    world.ties = TieBreak::First;
    assert_eq!(world.send(&mut *rule).0, 0);
    world.ties = TieBreak::Last;
    assert_eq!(world.send(&mut *rule).0, 3);
}

#[test]
fn above_0_replicas_are_drawn_as_the_probabilities_say() {
    let mut world = World::new(3);
    world.decode_blocks = vec![8, 0, 1];
    let mut rule = rule("dynamo-kv", &[("temperature", "1")]);
    let mut sent = [0.0_f64; 3];
    for _ in 0..20_000 {
        let (to, why) = world.send(&mut *rule);
        assert_eq!(why, Why::Softmax);
        sent[usize::from(to)] += 1.0 / 20_000.0;
    }
    for (share, p) in sent.iter().zip([0.1635, 0.4444, 0.3922]) {
        assert!((share - p).abs() < 0.015, "{sent:?}");
    }
}

#[test]
fn section_2_case_j_overloaded_workers_are_skipped() {
    let free = Worker::default();
    let busy = Worker { overloaded: true, ..free };
    let none = Constraints::default();
    assert_eq!(eligible(&[busy, free], &none), Ok(vec![1]));
    assert_eq!(eligible(&[busy, busy], &none), Err(Refusal::AllOverloaded));
    assert_eq!(eligible(&[], &none), Err(Refusal::NoEndpoints));
    let gone = Worker { unavailable: true, ..free };
    assert_eq!(eligible(&[gone, gone], &none), Err(Refusal::NoEndpoints));
    assert_eq!(eligible(&[gone, busy, free], &none), Ok(vec![2]));
}

#[test]
fn pinned_requests_go_there_or_nowhere() {
    let free = Worker::default();
    let busy = Worker { overloaded: true, ..free };
    let pinned = Constraints { pinned: Some(0), ..Constraints::default() };
    assert_eq!(eligible(&[free, free], &pinned), Ok(vec![0]));
    assert_eq!(eligible(&[busy, free], &pinned), Err(Refusal::PinnedOverloaded));
    assert_eq!(eligible(&[], &pinned), Err(Refusal::NoEndpoints));
    let others = Constraints { allowed: Some(&[1]), ..pinned };
    assert_eq!(eligible(&[free, free], &others), Err(Refusal::PinnedNotAllowed));
}

#[test]
fn required_taints_and_allowed_workers_filter() {
    let labelled = |taints| Worker { taints, ..Worker::default() };
    let workers = [labelled(&[1, 2]), labelled(&[2]), labelled(&[3])];
    let required = |required| Constraints { required, ..Constraints::default() };
    assert_eq!(eligible(&workers, &required(&[2])), Ok(vec![0, 1]));
    assert_eq!(eligible(&workers, &required(&[1, 2])), Ok(vec![0]));
    assert_eq!(eligible(&workers, &required(&[9])), Err(Refusal::NoEndpoints));
    let allowed = Constraints { allowed: Some(&[2, 1]), ..Constraints::default() };
    assert_eq!(eligible(&workers, &allowed), Ok(vec![1, 2]));
}
