//! `sglang-manual`: the sticky map of section 1.6.

use tokenyard_policy::{By, Choice, ReplicaIx, Rule, Why};

use crate::world::{World, digest, rule};

const S: u64 = 1_000_000_000_000;

fn send(world: &mut World, rule: &mut dyn Rule, session: u32) -> (ReplicaIx, Why) {
    world.session = Some(session);
    world.send(rule)
}

/// Unknown key: assign and store. Known key: the first healthy of its replicas, oldest first. None
/// healthy: a new assignment is appended. A recovered first candidate reclaims its sessions.
#[test]
fn case_1_6_a_key_remembers_two_replicas() {
    let mut world = World::new(4);
    let mut rule = rule("sglang-manual", &[("assignment", "min-load")]);
    world.outstanding = vec![9, 1, 5, 7];
    assert_eq!(send(&mut world, &mut *rule, 3), (1, Why::Least { by: By::Outstanding }));
    world.outstanding = vec![0, 900, 5, 7];
    assert_eq!(send(&mut world, &mut *rule, 3), (1, Why::Owner), "whatever the load");
    world.routable = vec![0, 2, 3];
    assert_eq!(send(&mut world, &mut *rule, 3), (0, Why::Least { by: By::Outstanding }));
    world.outstanding = vec![900, 900, 0, 7];
    assert_eq!(send(&mut world, &mut *rule, 3), (0, Why::Fallback { step: 1 }));
    world.routable = (0..4).collect();
    assert_eq!(send(&mut world, &mut *rule, 3), (1, Why::Owner), "back to the first");
    // Both down: the third pushes the oldest out.
    world.routable = vec![2, 3];
    assert_eq!(send(&mut world, &mut *rule, 3), (2, Why::Least { by: By::Outstanding }));
    world.routable = (0..4).collect();
    assert_eq!(send(&mut world, &mut *rule, 3), (0, Why::Owner));
    world.routable = vec![1, 2, 3];
    assert_eq!(send(&mut world, &mut *rule, 3), (2, Why::Fallback { step: 1 }));
    world.routable = Vec::new();
    assert_eq!(world.choose(&mut *rule), Choice::Nobody);
}

/// A replica more redistributes nothing.
#[test]
fn case_1_6_new_replicas_take_no_known_keys() {
    let mut rule = rule("sglang-manual", &[]);
    let mut world = World::new(3);
    let before: Vec<_> = (0..100).map(|s| send(&mut world, &mut *rule, s).0).collect();
    assert!((0..3).all(|r| before.contains(&r)));
    let mut world = World::new(9);
    for (session, owner) in before.iter().enumerate() {
        assert_eq!(send(&mut world, &mut *rule, session as u32), (*owner, Why::Owner));
    }
}

/// No key: assign without storing, by the same mode.
#[test]
fn case_1_6_without_a_key_nothing_is_stored() {
    for (mode, why) in [
        ("random", Why::Drawn),
        ("min-load", Why::Least { by: By::Outstanding }),
        ("min-group", Why::Least { by: By::Keys }),
    ] {
        let mut world = World::new(3);
        let mut rule = rule("sglang-manual", &[("assignment", mode)]);
        let before = digest(&*rule);
        let mut sent = [0_u32; 3];
        for _ in 0..3_000 {
            let (to, because) = world.send(&mut *rule);
            assert_eq!(because, why);
            sent[usize::from(to)] += 1;
        }
        // All are equal, and ties are uniform in every mode.
        assert!(sent.iter().all(|n| (850..1_150).contains(n)), "{mode}: {sent:?}");
        assert_eq!(digest(&*rule), before, "{mode}");
    }
}

/// Fewest distinct keys, not fewest requests.
#[test]
fn case_1_6_min_group_counts_keys() {
    let mut world = World::new(2);
    let mut by_group = rule("sglang-manual", &[("assignment", "min-group")]);
    let mut by_load = rule("sglang-manual", &[("assignment", "min-load")]);
    for rule in [&mut by_group, &mut by_load] {
        // One key with many requests at 0, three keys with one request each at 1.
        world.routable = vec![0];
        (0..10).for_each(|_| assert_eq!(send(&mut world, &mut **rule, 100).0, 0));
        world.routable = vec![1];
        (101..104).for_each(|s| assert_eq!(send(&mut world, &mut **rule, s).0, 1));
        world.routable = vec![0, 1];
    }
    world.outstanding = vec![10, 3];
    assert_eq!(send(&mut world, &mut *by_group, 200), (0, Why::Least { by: By::Keys }));
    assert_eq!(send(&mut world, &mut *by_load, 200), (1, Why::Least { by: By::Outstanding }));
    // A key that has moved on is counted where it is now, and an idle replica has no active key.
    world.routable = vec![1];
    (100..101).for_each(|s| assert_eq!(send(&mut world, &mut *by_group, s).0, 1));
    world.routable = vec![0, 1];
    world.outstanding = vec![10, 0];
    assert_eq!(send(&mut world, &mut *by_group, 201), (1, Why::Least { by: By::Keys }));
}

/// Idle for 14 400 s at a sweep, every 60 s: forgotten.
#[test]
fn case_1_6_idle_keys_are_swept() {
    let moved = |last: u64, now: u64| {
        let mut world = World::new(2);
        let mut rule = rule("sglang-manual", &[("assignment", "min-load")]);
        world.outstanding = vec![0, 1];
        world.now = last;
        assert_eq!(send(&mut world, &mut *rule, 5).0, 0);
        world.outstanding = vec![1, 0];
        world.now = now;
        send(&mut world, &mut *rule, 5).0 == 1
    };
    assert!(moved(0, 14_400 * S));
    assert!(!moved(0, 14_400 * S - 1));
    // The sweep at 14 400 s finds it a second short; the next one does not.
    assert!(!moved(S, 14_401 * S));
    assert!(!moved(S, 14_460 * S - 1));
    assert!(moved(S, 14_460 * S));
}

/// A key that is swept is counted nowhere.
#[test]
fn case_1_6_swept_keys_leave_their_group() {
    let mut world = World::new(2);
    let mut rule = rule("sglang-manual", &[("assignment", "min-group")]);
    let keys = |world: &mut World, rule: &mut dyn Rule| -> Vec<f64> {
        world.explained(rule).1.iter().map(|row| row.values[1]).collect()
    };
    world.routable = vec![0];
    (0..3).for_each(|s| assert_eq!(send(&mut world, &mut *rule, s).0, 0));
    world.routable = vec![1];
    world.now = 60 * S;
    assert_eq!(send(&mut world, &mut *rule, 9).0, 1);
    world.routable = vec![0, 1];
    world.session = None;
    assert_eq!(keys(&mut world, &mut *rule), [3.0, 1.0]);
    world.now = 14_400 * S;
    assert_eq!(keys(&mut world, &mut *rule), [0.0, 1.0]);
    world.now = 14_460 * S;
    assert_eq!(keys(&mut world, &mut *rule), [0.0, 0.0]);
}

/// Every request of a key starts its idle time anew; an interval or a time of 0 forgets nothing.
#[test]
fn case_1_6_use_keeps_a_key() {
    for (params, forgets) in [
        (&[("max_idle_s", "100"), ("eviction_interval_s", "10")], true),
        (&[("max_idle_s", "0"), ("eviction_interval_s", "10")], false),
        (&[("max_idle_s", "100"), ("eviction_interval_s", "0")], false),
    ] {
        let mut world = World::new(2);
        let params = [&params[..], &[("assignment", "min-load")]].concat();
        let mut rule = rule("sglang-manual", &params);
        world.outstanding = vec![0, 1];
        for at in 0..10 {
            world.now = at * 99 * S;
            assert_eq!(send(&mut world, &mut *rule, 5).0, 0);
            world.outstanding = vec![1, 0];
        }
        world.now += 110 * S;
        assert_eq!(send(&mut world, &mut *rule, 5).0, u16::from(forgets));
    }
}
