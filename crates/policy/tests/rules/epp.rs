//! `epp` as a whole: section 5. Where a text is said, a block of the engine is one character.

use tokenyard_policy::{Choice, Fact, ReplicaIx, Rule, Why};

use crate::world::{World, digest, rule};

const MS: u64 = 1_000_000_000;
const S: u64 = 1_000 * MS;

fn epp(params: &[(&str, &str)]) -> Box<dyn Rule> {
    rule("epp", params)
}

/// Only what `params` turn on, with chunks of one engine block.
fn bare(params: &[(&str, &str)]) -> Box<dyn Rule> {
    let off = ["queue_weight", "kv_weight", "prefix_weight", "prefix_block_floor"].map(|key| (key, "0"));
    epp(&off.into_iter().chain(params.iter().copied()).collect::<Vec<_>>())
}

fn say(world: &mut World, rule: &mut dyn Rule, text: &str) -> (ReplicaIx, Why) {
    world.say_chained(text);
    world.send(rule)
}

fn totals(world: &World, rule: &dyn Rule) -> Vec<f64> {
    let (_, rows) = world.clone().explained(&mut *rule.boxed_clone());
    rows.iter().map(|row| row.values[5]).collect()
}

/// A queue of 0 and usage 0.2 without the prefix, against a queue of 4 and usage 0.6 with `matched`
/// of ten blocks of it.
fn pair(matched: u32) -> World {
    let mut world = World::new(2);
    (world.block_tokens, world.prompt_tokens) = (1, 10);
    (world.waiting, world.kv_used, world.kv_blocks) = (vec![0, 4], vec![20, 60], vec![100, 100]);
    world.overlap = vec![0, matched];
    world
}

#[test]
fn case_5_10_the_default_profile() {
    let rule = epp(&[("prefix_producer", "precise")]);
    let near = |world: &World, want: [f64; 2]| {
        let totals = totals(world, &*rule);
        assert!(totals.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-12), "{totals:?}");
    };
    near(&pair(10), [3.6, 3.8]);
    assert_eq!(pair(10).send(&mut *rule.clone()), (1, Why::Score));
    near(&pair(9), [3.6, 3.5]);
    assert_eq!(pair(9).send(&mut *rule.clone()).0, 0);
}

#[test]
fn case_5_11_one_waiting_request_costs_as_much_as_four_hundred() {
    let rule = epp(&[("prefix_producer", "precise")]);
    let mut world = pair(10);
    let few = totals(&world, &*rule);
    world.waiting = vec![0, 400];
    assert_eq!(totals(&world, &*rule), few);
}

#[test]
fn section_5_4_blocks_are_clamped_up_to_64_tokens() {
    let mut world = World::new(1);
    world.prompt_tokens = 128;
    world.blocks = (1..=8).collect();
    let (mut clamped, mut corrected) = (epp(&[]), epp(&[("prefix_block_floor", "0")]));
    world.send(&mut *clamped);
    world.send(&mut *corrected);
    // Seven of eight blocks of 16 tokens are the same: one of two chunks of 64.
    world.blocks[7] = 99;
    let prefix = |rule: &dyn Rule| world.clone().explained(&mut *rule.boxed_clone()).1[0].values[3];
    assert_eq!(prefix(&*clamped), 1.5);
    assert_eq!(prefix(&*corrected), 3.0 * 7.0 / 8.0);
}

/// Chunks are added root first, so the root is forgotten first; and the walk goes on as long as
/// anybody has the chunk, so the rest is credited behind somebody else's root.
#[test]
fn section_5_4_credit_without_the_root() {
    for (contiguous, want) in [("off", [0.75, 0.25]), ("on", [0.0, 0.25])] {
        let params = [
            ("prefix_weight", "1"),
            ("auto_tune", "off"),
            ("prefix_block_tokens", "1"),
            ("lru_capacity", "4"),
        ];
        let params: Vec<_> = params.into_iter().chain([("contiguous", contiguous)]).collect();
        let mut rule = bare(&params);
        let mut world = World::new(2);
        for (replica, text) in [(0, "abcd"), (0, "x"), (1, "a")] {
            world.routable = vec![replica];
            say(&mut world, &mut *rule, text);
        }
        world.routable = vec![0, 1];
        world.say_chained("abcd");
        assert_eq!(totals(&world, &*rule), want);
    }
}

/// Says three texts, and gives how well each is known afterwards.
fn known_of_three(world: &mut World, rule: &mut dyn Rule) -> [f64; 3] {
    for text in ["a", "b", "c"] {
        say(world, rule, text);
    }
    ["a", "b", "c"].map(|text| {
        world.say_chained(text);
        totals(world, rule)[0]
    })
}

/// Auto-tuned, a list has as many entries as the replica has blocks, though entries are larger.
#[test]
fn section_5_4_the_list_is_as_long_as_the_replicas_number_of_blocks() {
    let mut rule = bare(&[("prefix_weight", "1")]);
    let mut world = World::new(1);
    world.kv_blocks = vec![2];
    assert_eq!(known_of_three(&mut world, &mut *rule), [0.0, 1.0, 1.0]);
}

/// One token a block: the prompt [1, 2] went to replica 0, and its prefill to replica 2.
#[test]
fn section_5_4_case_1_half_of_two_blocks() {
    let params = [("prefix_weight", "1"), ("auto_tune", "off"), ("prefix_block_tokens", "1")];
    let mut rule = bare(&params);
    let mut world = World::new(3);
    for replica in [0, 2] {
        world.routable = vec![replica];
        say(&mut world, &mut *rule, "ab");
    }
    world.routable = vec![0, 1, 2];
    world.say_chained("ac");
    assert_eq!(totals(&world, &*rule), [0.5, 0.0, 0.5]);
}

#[test]
fn section_5_4_case_2_the_oldest_of_two_hashes_is_gone() {
    let params =
        [("prefix_weight", "1"), ("auto_tune", "off"), ("prefix_block_tokens", "1"), ("lru_capacity", "2")];
    let mut rule = bare(&params);
    let mut world = World::new(1);
    assert_eq!(known_of_three(&mut world, &mut *rule), [0.0, 1.0, 1.0]);
}

/// Full, and every request is held back, whatever it is; the least room lets the next one through.
#[test]
fn section_5_5_flow_control_holds_back_instead_of_refusing() {
    for sheddable in ["on", "off"] {
        let params = [("saturation", "concurrency"), ("flow_control", "on"), ("sheddable", sheddable)];
        let mut world = World::new(2);
        world.outstanding = vec![199, 1];
        assert_eq!(world.choose(&mut *epp(&params)), Choice::Held);
        world.outstanding = vec![198, 1];
        assert!(matches!(world.choose(&mut *epp(&params)), Choice::Send { .. }));
    }
    let mut world = World::new(2);
    world.outstanding = vec![500, 500];
    let unmeasured = world.choose(&mut *epp(&[("flow_control", "on")]));
    assert!(matches!(unmeasured, Choice::Send { .. }), "nothing says that it is full");
}

#[test]
fn section_5_4_no_more_than_the_longest_prefix_is_hashed() {
    let mut rule = bare(&[("prefix_weight", "1"), ("max_prefix_tokens", "4")]);
    let mut world = World::new(1);
    say(&mut world, &mut *rule, "abcdefgh");
    world.say_chained("abcdxxxx");
    assert_eq!(totals(&world, &*rule), [1.0], "what lies beyond cannot be told apart");
}

#[test]
fn section_5_3_ties_random_first_and_in_turn() {
    let mut world = World::new(3);
    let mut sent = |mode: &str, times: usize| -> Vec<ReplicaIx> {
        let mut rule = epp(&[("tie_mode", mode)]);
        world.blocks = Vec::new();
        (0..times)
            .map(|_| {
                let Choice::Send { to, why: Why::Score, tied: 3 } = world.choose(&mut *rule) else {
                    panic!()
                };
                to
            })
            .collect()
    };
    assert_eq!(sent("first", 4), [0, 0, 0, 0]);
    assert_eq!(sent("round-robin", 7), [0, 1, 2, 0, 1, 2, 0]);
    let random = sent("random", 900);
    assert!((0..3).all(|r| random.iter().filter(|to| **to == r).count() > 240));
}

#[test]
fn section_5_3_the_random_picker_ignores_scores_and_the_weighted_one_follows_them() {
    let mut world = World::new(3);
    (world.kv_used, world.kv_blocks) = (vec![25, 75, 100], vec![100; 3]);
    for (picker, want, why) in
        [("random", [1.0 / 3.0; 3], Why::Drawn), ("weighted-random", [0.75, 0.25, 0.0], Why::Softmax)]
    {
        let mut rule = bare(&[("kv_weight", "2"), ("picker", picker)]);
        let mut drawn = [0.0_f64; 3];
        for _ in 0..10_000 {
            let (to, reason) = world.send(&mut *rule);
            assert_eq!(reason, why);
            drawn[usize::from(to)] += 1e-4;
        }
        assert!(drawn.iter().zip(want).all(|(a, b)| (a - b).abs() < 0.02), "{picker}: {drawn:?}");
    }
    world.kv_used = vec![100; 3];
    let mut rule = bare(&[("kv_weight", "2"), ("picker", "weighted-random")]);
    assert_eq!(world.send(&mut *rule).1, Why::Drawn, "all scores are 0");
}

#[test]
fn section_5_1_cold_requests_go_round_and_warm_ones_leave_no_trace() {
    let mut rule = bare(&[("no_hit_lru_weight", "1")]);
    let mut world = World::new(3);
    let sent = ["a", "b", "c", "d"].map(|text| say(&mut world, &mut *rule, text).0);
    assert_eq!(sent, [0, 1, 2, 0]);
    let before = totals(&world, &*rule);
    world.say_chained("b");
    assert_eq!(totals(&world, &*rule), [0.5; 3], "somebody has it");
    world.send(&mut *rule);
    world.say_chained("e");
    assert_eq!(totals(&world, &*rule), [0.0, 1.0, 0.5]);
    assert_ne!(before, [0.0, 1.0, 0.5]);
}

#[test]
fn section_5_1_a_session_token_follows_its_replica_and_never_expires() {
    let mut rule = bare(&[("session_weight", "1")]);
    let mut world = World::new(3);
    world.session = Some(4);
    world.routable = vec![2];
    world.send(&mut *rule);
    world.routable = vec![0, 1, 2];
    world.now = 100_000 * S;
    assert_eq!(totals(&world, &*rule), [0.0, 0.0, 1.0]);
    world.session = Some(5);
    assert_eq!(totals(&world, &*rule), [0.0; 3]);
    world.session = Some(4);
    rule.learn(&Fact::Left(2));
    assert_eq!(totals(&world, &*rule), [0.0; 3]);
}

#[test]
fn section_5_1_session_ids_prefer_who_has_fewest_and_expire_at_a_sweep() {
    let params = [("session_weight", "1"), ("session_store", "session-id"), ("tie_mode", "first")];
    let mut rule = bare(&params);
    let mut world = World::new(2);
    let mut sent = |world: &mut World, session| {
        world.session = Some(session);
        world.send(&mut *rule).0
    };
    // The turn among equals counts from 1.
    assert_eq!([7, 8, 9].map(|session| sent(&mut world, session)), [1, 0, 1]);
    assert_eq!([7, 8, 9].map(|session| sent(&mut world, session)), [1, 0, 1], "bound");
    world.now = 310 * S - 1;
    assert_eq!([8, 9].map(|session| sent(&mut world.clone(), session)), [0, 1], "swept every 10 s only");
    let mut rule = bare(&params);
    let mut sent = |world: &mut World, session| {
        world.session = Some(session);
        world.send(&mut *rule).0
    };
    world.now = 0;
    assert_eq!([7, 8, 9].map(|session| sent(&mut world, session)), [1, 0, 1]);
    world.now = 310 * S - 1;
    assert_eq!(sent(&mut world, 8), 0);
    // At 310 s sessions 7 and 9 were last used more than 300 s ago: replica 1 has none left.
    world.now = 310 * S;
    assert_eq!(sent(&mut world, 11), 1);
}

#[test]
fn section_5_5_only_sheddable_requests_are_refused() {
    for (detector, sheddable, refused) in [
        ("utilization", "on", true),
        ("utilization", "off", false),
        ("off", "on", false),
        ("concurrency", "on", true),
        ("tokens", "on", true),
    ] {
        let params = [("saturation", detector), ("sheddable", sheddable), ("max_token_concurrency", "1000")];
        let mut world = World::new(2);
        (world.waiting, world.outstanding, world.prefill_tokens) = (vec![9, 1], vec![199, 1], vec![2_000, 0]);
        let choice = world.choose(&mut *epp(&params));
        assert_eq!(choice == Choice::Refused, refused, "{detector} {sheddable}");
        world.routable.clear();
        assert_eq!(
            world.choose(&mut *epp(&params)),
            Choice::Nobody,
            "{detector}: there is nobody to be full"
        );
        world.routable = vec![0, 1];
        (world.waiting, world.outstanding, world.prefill_tokens) = (vec![8, 1], vec![198, 1], vec![1_999, 0]);
        assert!(matches!(world.choose(&mut *epp(&params)), Choice::Send { .. }), "{detector} just below");
    }
}

#[test]
fn section_5_2_filters_narrow_and_fail_open() {
    let mut world = pair(9);
    let params = [("prefix_producer", "precise"), ("utilization_filter", "on"), ("affinity_filter", "on")];
    let kept = |world: &World| -> Vec<f64> {
        let (_, rows) = world.clone().explained(&mut *epp(&params));
        rows.iter().map(|row| row.values[0]).collect()
    };
    assert_eq!(kept(&world), [0.0, 1.0], "the sticky one alone");
    assert_eq!(world.clone().send(&mut *epp(&params)).0, 1);
    // More than 18 s behind 15 928 tokens a second: all are kept.
    world.prefill_tokens = vec![0, 286_705];
    assert_eq!(kept(&world), [1.0, 1.0]);
    world.prefill_tokens = vec![0, 286_704];
    assert_eq!(kept(&world), [0.0, 1.0]);
    // The full one is out before affinity is asked.
    world.waiting = vec![0, 5];
    assert_eq!(kept(&world), [1.0, 0.0]);
    world.waiting = vec![5, 5];
    assert_eq!(kept(&world), [0.0, 1.0], "nobody is free, so all are, and then affinity decides");
}

#[test]
fn section_5_2_exploration_keeps_all_now_and_then() {
    let mut world = pair(9);
    let params = [("prefix_producer", "precise"), ("affinity_filter", "on"), ("exploration", "0.25")];
    let mut rule = epp(&params);
    let explored = (0..2_000).filter(|_| world.send(&mut *rule).0 == 0).count();
    assert!((430..570).contains(&explored), "{explored}");
}

#[test]
fn what_is_kept_shows_in_the_digest() {
    let mut rule = epp(&[]);
    let mut world = World::new(2);
    let mut seen = vec![digest(&*rule)];
    for text in ["a", "a", "b"] {
        world.say_chained(&text.repeat(64));
        world.send(&mut *rule);
        seen.push(digest(&*rule));
    }
    seen.dedup();
    assert_eq!(seen.len(), 4);
}
