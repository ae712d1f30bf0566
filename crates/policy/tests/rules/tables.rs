//! `ring-hash` and `maglev`: who is on the table, how even it is, what moves. Section 6.4.

use proptest::collection::vec;
use proptest::prelude::*;
use tokenyard_param::Values;
use tokenyard_policy::rules::by_id;
use tokenyard_policy::{Choice, ReplicaIx, Why};

use crate::world::{World, rule};

/// Owners of the first `keys` sessions in a fleet of `replicas` with some of them down.
fn owners(
    id: &str,
    params: &[(&str, &str)],
    replicas: ReplicaIx,
    down: &[ReplicaIx],
    keys: u32,
) -> Vec<ReplicaIx> {
    let mut world = World::new(replicas);
    world.routable.retain(|r| !down.contains(r));
    let mut rule = rule(id, params);
    let mut owner = |session| {
        world.session = Some(session);
        world.send(&mut *rule).0
    };
    (0..keys).map(&mut owner).collect()
}

/// Keys that moved although their owner stayed.
fn strays(before: &[ReplicaIx], after: &[ReplicaIx], left: ReplicaIx) -> usize {
    before.iter().zip(after).filter(|(old, new)| **old != left && old != new).count()
}

#[test]
fn defaults_are_those_of_the_sections() {
    let of = |id: &str| Values::defaults(by_id(id).unwrap().params);
    let ring = of("ring-hash");
    assert_eq!([ring.int("minimum_ring_size"), ring.int("maximum_ring_size")], [1_024, 8_388_608]);
    let size = by_id("maglev").unwrap().params.iter().find(|p| p.key == "table_size").unwrap().kind;
    assert_eq!(size.write(&size.default_value()), "65537");
    assert_eq!(of("bounded-load-ring").real("balance"), 1.25);
    let prefix = of("sglang-prefix-hash");
    assert_eq!((prefix.int("prefix_token_count"), prefix.real("load_factor")), (256, 1.25));
    let ray = of("ray-consistent-hash");
    assert_eq!([ray.int("virtual_nodes"), ray.int("num_fallback_replicas")], [100, 2]);
    let manual = of("sglang-manual");
    assert_eq!([manual.int("max_idle_s"), manual.int("eviction_interval_s")], [14_400, 60]);
    let session = of("vllm-session");
    assert_eq!([session.int("virtual_nodes"), session.int("window_s")], [160, 60]);
    assert_eq!(of("vllm-consistent-hash").int("virtual_nodes"), 160);
}

#[test]
fn case_6_4_a_key_stays_with_its_owner_whatever_the_load() {
    for id in ["ring-hash", "maglev"] {
        let mut world = World::new(5);
        let mut rule = rule(id, &[]);
        for session in 0..200 {
            world.session = Some(session);
            let owner = world.send(&mut *rule);
            assert_eq!(owner.1, Why::Owner);
            world.outstanding = vec![0; 5];
            world.outstanding[usize::from(owner.0)] = 100_000;
            assert_eq!(world.send(&mut *rule), owner);
        }
    }
}

/// "Unhealthy host leaves the ring/table": no walk, a table without it.
#[test]
fn case_6_4_who_is_down_is_on_no_table_and_has_its_keys_back_afterwards() {
    for id in ["ring-hash", "maglev"] {
        let mut world = World::new(4);
        let mut rule = rule(id, &[]);
        for session in 0..50 {
            world.session = Some(session);
            world.routable = (0..4).collect();
            let first = world.send(&mut *rule);
            world.routable.retain(|r| *r != first.0);
            let (heir, why) = world.send(&mut *rule);
            assert_eq!(why, Why::Owner);
            assert_ne!(heir, first.0);
            world.routable = (0..4).collect();
            assert_eq!(world.send(&mut *rule), first);
        }
        world.routable = Vec::new();
        assert_eq!(world.choose(&mut *rule), Choice::Nobody);
    }
}

/// Of 1 024 points four hosts have 256 each and three 342: the survivors' new points take keys from
/// each other. With all on the ring, or one point each, only the leaving host's keys move.
#[test]
fn case_6_4_the_minimum_ring_size_moves_keys_between_survivors() {
    let moved = |params: &[(&str, &str)]| {
        let before = owners("ring-hash", params, 4, &[], 4_000);
        let after = owners("ring-hash", params, 4, &[1], 4_000);
        strays(&before, &after, 1)
    };
    let quirk = moved(&[]);
    assert!((300..1_500).contains(&quirk), "{quirk}");
    assert_eq!(moved(&[("members", "all")]), 0);
    assert_eq!(moved(&[("minimum_ring_size", "1")]), 0);
}

#[test]
fn with_all_on_the_ring_the_next_one_up_takes_over() {
    let mut world = World::new(5);
    let mut rule = rule("ring-hash", &[("members", "all")]);
    world.session = Some(3);
    let (owner, _) = world.send(&mut *rule);
    world.routable.retain(|r| *r != owner);
    let (heir, why) = world.send(&mut *rule);
    assert_eq!(why, Why::Fallback { step: 1 });
    world.routable.retain(|r| *r != heir);
    assert_eq!(world.send(&mut *rule).1, Why::Fallback { step: 2 });
}

/// A maximum below the number of replicas leaves some without a point.
#[test]
fn a_ring_may_be_too_small_for_all() {
    let mut world = World::new(3);
    world.session = Some(1);
    let small = [("maximum_ring_size", "1"), ("members", "all")];
    assert_eq!(world.send(&mut *rule("ring-hash", &small)), (0, Why::Owner));
    world.routable = vec![1, 2];
    assert_eq!(world.send(&mut *rule("ring-hash", &small)), (1, Why::OwnerGone));
    assert_eq!(world.send(&mut *rule("ring-hash", &small[..1])), (1, Why::Owner));
}

#[test]
fn case_6_4_a_request_without_a_key_has_a_random_hash() {
    for id in ["ring-hash", "maglev", "envoy-bounded-load", "bounded-load-ring"] {
        let mut world = World::new(4);
        let mut rule = rule(id, &[]);
        let mut sent = [0_u32; 4];
        for _ in 0..4_000 {
            let (to, why) = world.send(&mut *rule);
            assert_eq!(why, Why::Drawn, "{id}");
            sent[usize::from(to)] += 1;
        }
        assert!(sent.iter().all(|n| (800..1_200).contains(n)), "{id}: {sent:?}");
    }
}

/// "More even, moves more keys on change", over 20 000 keys.
#[test]
fn case_6_4_maglev_is_more_even_and_moves_more() {
    let spread = |id| {
        let sent = owners(id, &[], 8, &[], 20_000);
        let counts: Vec<usize> = (0..8).map(|r| sent.iter().filter(|o| **o == r).count()).collect();
        counts.iter().max().unwrap() - counts.iter().min().unwrap()
    };
    // 2 500 each, and three standard deviations of the keys themselves make 140 either way.
    assert!(spread("maglev") < 300);
    assert!(spread("ring-hash") > 300);
    let moved = |id, params: &[(&str, &str)]| {
        strays(&owners(id, params, 8, &[], 20_000), &owners(id, params, 8, &[5], 20_000), 5)
    };
    let (maglev, ring) = (moved("maglev", &[]), moved("ring-hash", &[("members", "all")]));
    assert!(ring == 0 && (1..2_000).contains(&maglev), "{maglev}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// What a hash is for: of a ring's keys only those of who leaves move.
    #[test]
    fn a_ring_moves_the_leaving_replicas_keys_only(
        replicas in 2_u16..12, leaves in 0_u16..12, sessions in vec(any::<u32>(), 1..60),
    ) {
        let leaves = leaves % replicas;
        for (id, params) in [
            ("consistent-hash", &[][..]),
            ("ring-hash", &[("members", "all")]),
            ("ring-hash", &[("minimum_ring_size", "1")]),
            ("ray-consistent-hash", &[]),
            ("vllm-session", &[]),
        ] {
            let mut rule = rule(id, params);
            let mut world = World::new(replicas);
            for &session in &sessions {
                world.session = Some(session);
                world.routable = (0..replicas).collect();
                let before = world.send(&mut *rule).0;
                world.routable.retain(|r| *r != leaves);
                let after = world.send(&mut *rule).0;
                prop_assert!(before == leaves || before == after, "{id}");
            }
        }
    }
}
