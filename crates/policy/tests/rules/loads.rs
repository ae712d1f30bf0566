//! Rules that look at loads alone, and the longest match.

use proptest::collection::vec;
use proptest::prelude::*;
use tokenyard_policy::{By, Choice, TieBreak, Why};

use crate::world::{World, rule};

#[test]
fn round_robin_counts_decisions_and_turns_over_who_is_routable_now() {
    let mut world = World::new(4);
    let mut rule = rule("round-robin", &[]);
    let turns: Vec<_> = (0..5).map(|_| world.send(&mut *rule)).collect();
    let want = [0, 1, 2, 3, 0].into_iter().zip(0..).map(|(to, cursor)| (to, Why::Turn { cursor }));
    assert_eq!(turns, want.collect::<Vec<_>>());
    // The counter is at 5: over three replicas that is the last of them.
    world.routable = vec![0, 2, 3];
    assert_eq!(world.send(&mut *rule), (3, Why::Turn { cursor: 5 }));
    world.routable = Vec::new();
    assert_eq!(world.choose(&mut *rule), Choice::Nobody);
    world.routable = vec![0, 2, 3];
    assert_eq!(world.send(&mut *rule), (0, Why::Turn { cursor: 6 }));
}

#[test]
fn least_kv_lets_a_thousand_requests_weigh_as_much_as_a_block() {
    let mut world = World::new(3);
    world.kv_used = vec![5, 4, 4];
    world.outstanding = vec![0, 999, 998];
    assert_eq!(world.send(&mut *rule("least-kv", &[])).0, 2);
    world.outstanding = vec![0, 1_001, 1_001];
    assert_eq!(world.send(&mut *rule("least-kv", &[])).0, 0);
    // 5 000 against 4 000 + 1 000: a tie over all three, and the first has it.
    world.outstanding = vec![0, 1_000, 1_000];
    let choice = world.choose(&mut *rule("least-kv", &[]));
    assert_eq!(choice, Choice::Send { to: 0, why: Why::Least { by: By::KvBlocks }, tied: 3 });
}

#[test]
fn pure_kv_takes_the_longest_match_at_any_load_and_the_first_without_one() {
    let mut world = World::new(4);
    world.outstanding = vec![0, 0, 900, 0];
    world.prefill_tokens[2] = 1_000_000;
    world.overlap = vec![3, 0, 7, 7];
    let mut rule = rule("pure-kv", &[]);
    let longest = |to, blocks, tied| Choice::Send { to, why: Why::Longest { blocks }, tied };
    assert_eq!(world.choose(&mut *rule), longest(2, 7, 2));
    world.overlap = vec![0; 4];
    assert_eq!(world.choose(&mut *rule), longest(0, 0, 4));
    world.ties = TieBreak::Last;
    assert_eq!(world.choose(&mut *rule), longest(3, 0, 4));
}

/// With replacement the one busiest of n is taken when it is drawn twice: one time in n².
#[test]
fn power_of_two_meets_the_busiest_one_time_in_n_squared() {
    for (replicas, most, least) in [(2, 2_650, 2_350), (4, 740, 520)] {
        let mut world = World::new(replicas);
        world.outstanding[1] = 9;
        let mut rule = rule("power-of-two", &[]);
        let hit = (0..10_000).filter(|_| world.send(&mut *rule).0 == 1).count();
        assert!((least..most).contains(&hit), "{replicas}: {hit}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn least_rules_take_a_smallest_and_the_first_of_them(
        loads in vec(0_u32..4, 1..12), blocks in vec(0_u32..3, 12),
    ) {
        let mut world = World::new(loads.len() as u16);
        world.outstanding.clone_from(&loads);
        let first_least = |keys: Vec<u64>| {
            let least = keys.iter().min().copied();
            keys.iter().position(|k| Some(*k) == least)
        };
        let (to, _) = world.send(&mut *rule("least-outstanding", &[]));
        prop_assert_eq!(Some(usize::from(to)), first_least(loads.iter().map(|l| u64::from(*l)).collect()));
        world.kv_used = blocks[..loads.len()].to_vec();
        let (to, _) = world.send(&mut *rule("least-kv", &[]));
        let keys = loads.iter().zip(&blocks).map(|(l, b)| 1_000 * u64::from(*b) + u64::from(*l));
        prop_assert_eq!(Some(usize::from(to)), first_least(keys.collect()));
    }

    #[test]
    fn power_of_two_takes_the_second_only_if_it_has_strictly_fewer(
        loads in vec(0_u32..3, 1..6), seed in 0_u64..50,
    ) {
        let mut world = World::new(loads.len() as u16);
        world.stream = tokenyard_det::Stream::new(seed, "test", 0);
        world.outstanding.clone_from(&loads);
        let (to, why) = world.send(&mut *rule("power-of-two", &[]));
        let Why::Sampled { of: [a, b], .. } = why else { panic!("{why:?}") };
        let fewer = loads[usize::from(b)] < loads[usize::from(a)];
        prop_assert_eq!(to, if fewer { b } else { a });
    }
}
