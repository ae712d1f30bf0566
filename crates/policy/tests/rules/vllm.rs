//! `vllm-prefixaware` and `vllm-kvaware`: section 4.2. Texts run as blocks of one character, with
//! upstream's chunks of 128 characters.

use tokenyard_policy::{By, Choice, Fact, ReplicaIx, Rule, Why};

use crate::world::{World, rule};

const S: u64 = 1_000_000_000_000;

fn prefixaware(params: &[(&str, &str)]) -> Box<dyn Rule> {
    let all: Vec<_> = [("chunk_tokens", "128")].into_iter().chain(params.iter().copied()).collect();
    rule("vllm-prefixaware", &all)
}

/// A text of `length` characters that begins with `shared` times `x`.
fn text(shared: usize, own: char, length: usize) -> String {
    let mut text = "x".repeat(shared);
    text.extend(std::iter::repeat_n(own, length - shared));
    text
}

fn send(world: &mut World, rule: &mut dyn Rule, text: &str, routable: &[ReplicaIx]) -> (ReplicaIx, Why) {
    world.say_chained(text);
    world.routable = routable.to_vec();
    world.send(rule)
}

#[test]
fn case_4_2_1_deepest_chunk_wins() {
    let mut world = World::new(3);
    let mut rule = prefixaware(&[]);
    // Chunks c0 and c1 are shared: replica 0 has both, replica 1 only the first.
    send(&mut world, &mut *rule, &text(256, 'a', 300), &[0]);
    send(&mut world, &mut *rule, &text(128, 'b', 300), &[1]);
    let sent = send(&mut world, &mut *rule, &text(256, 'c', 300), &[0, 1, 2]);
    assert_eq!(sent, (0, Why::Longest { blocks: 256 }));
}

#[test]
fn case_4_2_2_all_who_have_it_are_drawn_whatever_their_load() {
    let mut world = World::new(3);
    let mut taught = prefixaware(&[]);
    send(&mut world, &mut *taught, &text(256, 'a', 300), &[0]);
    send(&mut world, &mut *taught, &text(256, 'b', 300), &[1]);
    world.outstanding = vec![900, 0, 0];
    let mut sent = [0_u32; 3];
    for _ in 0..2_000 {
        let (to, _) = send(&mut world, &mut *taught.clone(), &text(256, 'c', 300), &[0, 1, 2]);
        sent[usize::from(to)] += 1;
    }
    assert_eq!(sent[2], 0);
    assert!(sent[0] > 900 && sent[1] > 900, "{sent:?}");
}

#[test]
fn a_miss_is_a_draw_among_all_and_the_last_piece_counts_as_a_chunk() {
    let mut world = World::new(2);
    let mut rule = prefixaware(&[]);
    world.say_chained(&text(0, 'a', 130));
    assert!(matches!(
        world.choose(&mut *rule),
        Choice::Send { why: Why::Longest { blocks: 0 }, tied: 2, .. }
    ));
    // Two chunks of 128 though the text has 130 characters.
    let again = world.choose(&mut *rule);
    assert!(matches!(again, Choice::Send { why: Why::Longest { blocks: 256 }, tied: 1, .. }), "{again:?}");
}

#[test]
fn the_walk_stops_where_no_available_replica_is_left() {
    let mut world = World::new(3);
    let mut rule = prefixaware(&[]);
    send(&mut world, &mut *rule, &text(256, 'a', 256), &[2]);
    send(&mut world, &mut *rule, &text(128, 'b', 256), &[1]);
    let sent = send(&mut world, &mut *rule, &text(256, 'a', 256), &[0, 1]);
    assert_eq!(sent, (1, Why::Longest { blocks: 128 }));
}

/// With a least match, what matches less goes to the fewest requests a second, and is recorded.
#[test]
fn case_4_2_3_too_short_a_match_goes_to_the_lowest_rate() {
    let mut world = World::new(2);
    let mut rule = prefixaware(&[("min_match_tokens", "200")]);
    let miss = |matched| Why::Miss { matched, of: 256 };
    assert_eq!(send(&mut world, &mut *rule, &text(128, 'a', 256), &[0]), (0, miss(0)));
    send(&mut world, &mut *rule, &text(0, 'q', 256), &[1]);
    send(&mut world, &mut *rule, &text(0, 'r', 256), &[1]);
    assert_eq!(send(&mut world, &mut *rule, &text(128, 'b', 256), &[0, 1]), (0, miss(128)));
    let found = send(&mut world, &mut *rule, &text(128, 'b', 256), &[0, 1]);
    assert_eq!(found, (0, Why::Longest { blocks: 256 }));
    // Three at replica 0 within the minute and two at replica 1; then one and none.
    assert_eq!(send(&mut world, &mut *rule, &text(0, 's', 256), &[0, 1]).0, 1);
    world.now = 61 * S;
    assert_eq!(send(&mut world, &mut *rule, &text(0, 't', 256), &[0, 1]).0, 0);
    assert_eq!(send(&mut world, &mut *rule, &text(0, 'u', 256), &[0, 1]).0, 1);
}

#[test]
fn the_trie_outlives_a_replica_unless_it_is_told_to_forget() {
    for (forget, known) in [("off", 256), ("on", 0)] {
        let mut world = World::new(2);
        let mut rule = prefixaware(&[("forget_lost", forget)]);
        send(&mut world, &mut *rule, &text(256, 'a', 256), &[1]);
        rule.learn(&Fact::Left(1));
        rule.learn(&Fact::Joined(1));
        let (_, why) = send(&mut world, &mut *rule, &text(256, 'a', 256), &[0, 1]);
        assert_eq!(why, Why::Longest { blocks: known });
    }
}

/// PR 1035: 0.9 matched under a load of 10 against nothing matched under a load of 2.
#[test]
fn case_4_2_4_loadaware() {
    let mut world = World::new(2);
    let mut rule = rule("vllm-prefixaware", &[("chunk_tokens", "1"), ("load_penalty", "1")]);
    send(&mut world, &mut *rule, &text(9, 'a', 9), &[0]);
    world.outstanding = vec![10, 2];
    world.say_chained(&text(9, 'b', 10));
    world.routable = vec![0, 1];
    let (choice, rows) = world.explained(&mut *rule.clone());
    let scores = [rows[0].values[2], rows[1].values[2]];
    assert!((scores[0] - 0.233).abs() < 0.000_5 && (scores[1] - 0.667).abs() < 0.000_5, "{scores:?}");
    assert_eq!(choice, Choice::Send { to: 1, why: Why::Score, tied: 1 });
    world.outstanding = vec![4, 2];
    assert_eq!(world.send(&mut *rule).0, 0, "0.9 less a third against a third");
}

fn kvaware(params: &[(&str, &str)]) -> Box<dyn Rule> {
    rule("vllm-kvaware", params)
}

/// A prompt of `tokens` tokens, of which replicas hold so many blocks of 16.
fn prompt(tokens: u32, overlap: &[u32]) -> World {
    let mut world = World::new(overlap.len() as u16);
    world.prompt_tokens = tokens;
    world.overlap = overlap.to_vec();
    world
}

#[test]
fn case_4_2_kvaware_the_first_holder_wins_over_a_longer_match() {
    let mut world = prompt(1_600, &[0, 1, 100]);
    world.outstanding = vec![0, 900, 0];
    let at = |to, matched| (to, Why::Match { matched, of: 1_600 });
    assert_eq!(world.send(&mut *kvaware(&[])), at(1, 16), "up to 2 000 tokens any answer is enough");
    assert_eq!(world.send(&mut *kvaware(&[("instance", "longest")])), at(2, 1_600));
}

#[test]
fn case_4_2_kvaware_too_much_missing_falls_back() {
    // 3 600 tokens may miss 2 000: a match of 1 600 is enough, of 1 584 it is not.
    let (to, why) = prompt(3_600, &[0, 0, 100]).send(&mut *kvaware(&[]));
    assert_eq!((to, why), (2, Why::Match { matched: 1_600, of: 3_600 }));
    assert_eq!(
        prompt(3_600, &[0, 0, 99]).send(&mut *kvaware(&[])),
        (0, Why::Least { by: By::RecentRequests })
    );
    // The first holder is asked and no other.
    assert_eq!(
        prompt(3_600, &[0, 99, 225]).send(&mut *kvaware(&[])),
        (0, Why::Least { by: By::RecentRequests })
    );
    // No holder at all, though the bound is 0.
    assert_eq!(prompt(100, &[0, 0, 0]).send(&mut *kvaware(&[])), (0, Why::Least { by: By::RecentRequests }));
}

#[test]
fn case_4_2_kvaware_chat_requests_always_fall_back() {
    let mut world = prompt(1_600, &[0, 0, 100]);
    assert_eq!(
        world.send(&mut *kvaware(&[("endpoint", "chat")])),
        (0, Why::Least { by: By::RecentRequests })
    );
    world.session = Some(7);
    assert!(matches!(world.send(&mut *kvaware(&[("endpoint", "chat")])).1, Why::Owner));
}

#[test]
fn case_4_2_session_without_a_session_the_lowest_rate_and_a_replica_without_any_at_once() {
    let mut world = prompt(100, &[0, 0, 0]);
    let mut rule = kvaware(&[]);
    // Ten to the first and five to the second: the second, as upstream tests it.
    for (replica, times) in [(0, 10), (1, 5)] {
        world.routable = vec![replica];
        (0..times).for_each(|_| assert_eq!(world.send(&mut *rule).0, replica));
    }
    world.routable = vec![0, 1];
    assert_eq!(world.send(&mut *rule.clone()).0, 1);
    world.routable = vec![0, 1, 2];
    assert_eq!(world.send(&mut *rule).0, 2, "never sent any");
}

#[test]
fn case_4_2_session_not_all_sessions_move_when_a_replica_goes() {
    let mut world = prompt(100, &[0; 3]);
    let mut rule = kvaware(&[]);
    let owners = |world: &mut World, rule: &mut dyn Rule| -> Vec<ReplicaIx> {
        (0..60)
            .map(|session| {
                world.session = Some(session);
                world.send(rule).0
            })
            .collect()
    };
    let before = owners(&mut world, &mut *rule);
    world.routable = vec![0, 2];
    let after = owners(&mut world, &mut *rule);
    for (old, new) in before.iter().zip(&after) {
        assert!(old == new || *old == 1);
    }
    assert!(before.contains(&1) && !after.contains(&1));
    world.session = None;
    assert_eq!(world.send(&mut *kvaware(&[("session_key", "off")])).1, Why::Least { by: By::RecentRequests });
}
