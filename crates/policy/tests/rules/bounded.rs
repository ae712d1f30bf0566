//! Hashing under a bound on load: `envoy-bounded-load` (section 6.5) and `bounded-load-ring`.

use proptest::collection::vec;
use proptest::prelude::*;
use serde::Deserialize;
use tokenyard_policy::{ReplicaIx, Why};
use xxhash_rust::xxh3::xxh3_64;

use crate::cases::cases;
use crate::world::{World, rule};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    factor: String,
    loads: Vec<u32>,
    slots: u32,
    owner: bool,
}

/// A session that the rule gives to `owner` while nobody has anything to do.
fn session_of(owner: ReplicaIx, world: &World, id: &str, params: &[(&str, &str)]) -> u32 {
    let mut idle = world.clone();
    idle.outstanding.fill(0);
    let mut rule = rule(id, params);
    (0..10_000)
        .find(|session| {
            idle.session = Some(*session);
            idle.send(&mut *rule).0 == owner
        })
        .unwrap()
}

/// Both kinds of owner, both readings of the bound.
#[test]
fn cases_6_5_1_and_6_5_2() {
    let table: Vec<Case> = cases(include_str!("../data/slots.toml"));
    assert_eq!(table.len(), 9);
    for case in table {
        for owner in ["ring", "maglev"] {
            let params = [("hash_balance_factor", &*case.factor), ("owner", owner)];
            let mut world = World::new(case.loads.len() as u16);
            world.session = Some(session_of(0, &world, "envoy-bounded-load", &params));
            world.outstanding.clone_from(&case.loads);
            let mut up_to = rule("envoy-bounded-load", &params);
            let (to, why) = world.send(&mut *up_to);
            assert_eq!((to == 0, why == Why::Owner), (case.owner, case.owner), "{}", case.name);
            let (_, terms) = world.explained(&mut *up_to);
            let want = [f64::from(case.loads[0]), f64::from(case.slots)];
            assert_eq!(terms[0].values[..2], want, "{}", case.name);
            let below = [params[0], params[1], ("bound", "below")];
            let (to, _) = world.send(&mut *rule("envoy-bounded-load", &below));
            let fits = case.slots == 0 || case.loads[0] < case.slots;
            assert_eq!(to == 0, fits, "{}", case.name);
        }
    }
}

/// Not a walk round the ring: one order for each key, the same every time, different between keys.
#[test]
fn case_6_5_overflow_is_stable_for_a_key_and_spreads_over_keys() {
    let mut rule = rule("envoy-bounded-load", &[]);
    let mut heirs = [0; 6];
    for session in 0..300 {
        let mut world = World::new(6);
        world.session = Some(session);
        let (owner, _) = world.send(&mut *rule);
        world.outstanding[usize::from(owner)] = 50;
        let (heir, why) = world.send(&mut *rule);
        assert_eq!(why, Why::Fallback { step: 1 });
        assert_eq!(world.send(&mut *rule).0, heir);
        if owner == 0 {
            heirs[usize::from(heir)] += 1;
        }
    }
    assert!(heirs[0] == 0 && heirs[1..].iter().all(|n| *n > 0), "{heirs:?}");
}

/// The order is that of mt19937 seeded with the lower half of the key's hash.
#[test]
fn case_6_5_the_order_is_seeded_with_the_request_hash() {
    let mut rule = rule("envoy-bounded-load", &[("owner", "maglev")]);
    for session in 0..200_u32 {
        let mut world = World::new(7);
        world.session = Some(session);
        let (owner, _) = world.send(&mut *rule);
        world.outstanding[usize::from(owner)] = 50;
        let seed = xxh3_64(&u64::from(session).to_le_bytes()) as u32;
        // The first host of the order is a draw over a seventh of the generator's range.
        let first = u64::from(rand_mt::Mt::new(seed).next_u32()) / ((1 << 32) / 7);
        let (heir, why) = world.send(&mut *rule);
        assert_eq!(why, Why::Fallback { step: 1 });
        if first != u64::from(owner) {
            assert_eq!(u64::from(heir), first, "everybody else has room");
        }
    }
}

/// Requests at replicas that are down make more slots for the others, as upstream counts a cluster.
#[test]
fn case_6_5_the_whole_cluster_counts() {
    let mut world = World::new(5);
    world.routable = vec![0, 1, 2, 3];
    world.session = Some(session_of(0, &world, "envoy-bounded-load", &[]));
    let mut rule = rule("envoy-bounded-load", &[]);
    world.outstanding = vec![9, 4, 3, 3, 0];
    assert_ne!(world.send(&mut *rule).0, 0);
    world.outstanding[4] = 5;
    assert_eq!(world.send(&mut *rule), (0, Why::Owner));
}

/// The capacity is ceil(c (m + 1) / n): with 1.25, 7 in flight and 4 replicas it is 3.
#[test]
fn a_walk_takes_the_first_below_its_capacity() {
    let mut world = World::new(4);
    let mut rule = rule("bounded-load-ring", &[]);
    for session in 0..100 {
        world.session = Some(session);
        world.outstanding = vec![0; 4];
        let (owner, why) = world.send(&mut *rule);
        assert_eq!(why, Why::Owner);
        world.outstanding = vec![1; 4];
        world.outstanding[usize::from(owner)] = 4;
        let (_, terms) = world.explained(&mut *rule);
        assert_eq!(terms[0].values[1], 3.0);
        let (next, why) = world.send(&mut *rule);
        assert_eq!(why, Why::Fallback { step: 1 });
        world.outstanding[usize::from(next)] = 4;
        world.outstanding[usize::from(owner)] = 1;
        assert_eq!(world.send(&mut *rule), (owner, Why::Owner));
        // The walk is that of a ring: who would follow if both were down.
        world.outstanding = vec![0; 4];
        world.routable.retain(|r| *r != owner);
        assert_eq!(world.send(&mut *rule).0, next);
        world.routable = (0..4).collect();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_bound_holds_whenever_somebody_is_eligible(
        loads in vec(0_u32..12, 1..7), session in any::<u32>(), factor in 100_u32..300,
        owner in 0_usize..2, bound in 0_usize..2,
    ) {
        let mut world = World::new(loads.len() as u16);
        world.session = Some(session);
        world.outstanding.clone_from(&loads);
        let mut rule = rule("envoy-bounded-load", &[
            ("hash_balance_factor", &factor.to_string()),
            ("owner", ["ring", "maglev"][owner]),
            ("bound", ["up-to", "below"][bound]),
            ("table_size", "251"),
        ]);
        let (_, terms) = world.explained(&mut *rule);
        let slots = terms[0].values[1];
        // The slots make room for all and one more; how many there are is worked out in integers.
        let hundredths = (loads.iter().sum::<u32>() + 1) * factor + 99;
        let total = (hundredths - hundredths % 100) / 100;
        prop_assert_eq!(slots, f64::from(total.div_ceil(loads.len() as u32).max(1)));
        let eligible = |load: u32| if bound == 0 { f64::from(load) <= slots } else { f64::from(load) < slots };
        let (to, _) = world.send(&mut *rule);
        prop_assert!(loads.iter().any(|l| eligible(*l)));
        prop_assert!(eligible(loads[usize::from(to)]));
    }

    #[test]
    fn a_ring_under_a_bound_never_exceeds_it(
        loads in vec(0_u32..12, 1..7), session in any::<u32>(), percent in 100_u32..300,
    ) {
        let mut world = World::new(loads.len() as u16);
        world.session = Some(session);
        world.outstanding.clone_from(&loads);
        let balance = f64::from(percent) / 100.0;
        let (to, _) = world.send(&mut *rule("bounded-load-ring", &[("balance", &balance.to_string())]));
        let capacity = (balance * f64::from(loads.iter().sum::<u32>() + 1) / loads.len() as f64).ceil();
        prop_assert!(f64::from(loads[usize::from(to)]) < capacity);
    }
}
