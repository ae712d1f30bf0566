//! `ray-power-of-two` (sections 3.1 and 3.2) and `ray-consistent-hash` (section 3.4).

use proptest::collection::vec;
use proptest::prelude::*;
use tokenyard_policy::{Choice, Why};

use crate::world::{World, rule};

/// Two *distinct* replicas: the one busiest of all is never chosen, and every ordered pair is as
/// likely as any other.
#[test]
fn case_3_2_two_distinct_uniform_replicas() {
    for replicas in [2_u16, 3, 5] {
        let mut world = World::new(replicas);
        world.outstanding[1] = 9;
        let mut rule = rule("ray-power-of-two", &[]);
        let pairs = u32::from(replicas) * u32::from(replicas - 1);
        let mut seen = vec![0_u32; usize::from(replicas * replicas)];
        for _ in 0..pairs * 1_000 {
            let (to, why) = world.send(&mut *rule);
            assert_ne!(to, 1);
            let Why::Sampled { of: [a, b], .. } = why else { panic!("{why:?}") };
            seen[usize::from(a * replicas + b)] += 1;
        }
        for a in 0..replicas {
            for b in 0..replicas {
                let n = seen[usize::from(a * replicas + b)];
                assert!(if a == b { n == 0 } else { (850..1_150).contains(&n) }, "{a} {b}: {n}");
            }
        }
    }
}

#[test]
fn one_replica_is_taken_without_a_draw() {
    let mut world = World::new(3);
    world.routable = vec![2];
    let before = world.stream.clone();
    assert_eq!(world.send(&mut *rule("ray-power-of-two", &[])), (2, Why::Only));
    assert_eq!(world.stream, before);
    world.routable = Vec::new();
    assert_eq!(world.choose(&mut *rule("ray-power-of-two", &[])), Choice::Nobody);
}

/// A full pair is drawn again once, at once: with two of four full a full one is chosen when both
/// draws are that pair, one time in 36.
#[test]
fn case_3_1_a_full_pair_is_drawn_again() {
    let mut world = World::new(4);
    world.outstanding = vec![5, 4, 6, 0];
    let mut rule = rule("ray-power-of-two", &[("max_ongoing_requests", "5")]);
    let mut full = 0;
    for _ in 0..36_000 {
        let (to, why) = world.send(&mut *rule);
        let Why::Sampled { of, .. } = why else { panic!("{why:?}") };
        if to == 0 || to == 2 {
            assert!(of == [0, 2] || of == [2, 0]);
            assert_eq!(to, 0, "the shorter queue of the two");
            full += 1;
        }
    }
    assert!((850..1_150).contains(&full), "{full}");
}

/// Primary full, first fallback free: the fallback; back to the primary as soon as it has room.
#[test]
fn case_3_4_1() {
    let mut rule = rule("ray-consistent-hash", &[("max_ongoing_requests", "3")]);
    for session in 0..50 {
        let mut world = World::new(6);
        world.session = Some(session);
        let (primary, why) = world.send(&mut *rule);
        assert_eq!(why, Why::Owner);
        let fill = |world: &mut World, r: u16, load| world.outstanding[usize::from(r)] = load;
        fill(&mut world, primary, 3);
        let (first, why) = world.send(&mut *rule);
        assert_eq!(why, Why::Fallback { step: 1 });
        fill(&mut world, first, 3);
        let (second, why) = world.send(&mut *rule);
        assert_eq!(why, Why::Fallback { step: 2 });
        // Three idle replicas are left, but strictly the primary and two fallbacks are asked.
        fill(&mut world, second, 3);
        assert_eq!(world.send(&mut *rule), (primary, Why::Owner));
        fill(&mut world, first, 2);
        assert_eq!(world.send(&mut *rule), (first, Why::Fallback { step: 1 }));
        fill(&mut world, primary, 2);
        assert_eq!(world.send(&mut *rule), (primary, Why::Owner));
        // Upstream's ring without the primary: the first fallback owns its keys.
        world.routable.retain(|r| *r != primary);
        assert_eq!(world.send(&mut *rule).0, first);
    }
}

/// Without a limit nobody is full, and no load moves a session.
#[test]
fn case_3_4_no_load_term() {
    let mut world = World::new(6);
    let mut rule = rule("ray-consistent-hash", &[]);
    world.session = Some(7);
    let (primary, _) = world.send(&mut *rule);
    world.outstanding[usize::from(primary)] = 1_000_000;
    assert_eq!(world.send(&mut *rule), (primary, Why::Owner));
}

/// A request without a session is spread by its id: the same for its retries.
#[test]
fn case_3_4_without_a_session_the_requests_id_is_the_key() {
    let mut world = World::new(4);
    let mut rule = rule("ray-consistent-hash", &[]);
    let mut sent = [0_u32; 4];
    for number in 0..4_000 {
        world.number = number;
        let first = world.send(&mut *rule);
        assert_eq!(world.send(&mut *rule), first);
        sent[usize::from(first.0)] += 1;
    }
    assert!(sent.iter().all(|n| (600..1_400).contains(n)), "{sent:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_shorter_queue_of_the_pair_and_the_first_drawn_of_equals(
        loads in vec(0_u32..3, 2..6), seed in 0_u64..50,
    ) {
        let mut world = World::new(loads.len() as u16);
        world.stream = tokenyard_det::Stream::new(seed, "test", 0);
        world.outstanding.clone_from(&loads);
        let (to, why) = world.send(&mut *rule("ray-power-of-two", &[]));
        let Why::Sampled { of: [a, b], .. } = why else { panic!("{why:?}") };
        let fewer = loads[usize::from(b)] < loads[usize::from(a)];
        prop_assert!(a != b);
        prop_assert_eq!(to, if fewer { b } else { a });
    }
}
