//! `consistent-hash`: keys, the way round the ring, what moves. Sections 1.6 and 3.4.

use tokenyard_policy::{Choice, Why};

use crate::world::{World, rule};

#[test]
fn section_1_6_a_key_stays_with_its_owner_whatever_the_load() {
    let mut world = World::new(5);
    let mut rule = rule("consistent-hash", &[]);
    for session in 0..200 {
        world.session = Some(session);
        let owner = world.send(&mut *rule);
        assert_eq!(owner.1, Why::Owner);
        world.outstanding = vec![0; 5];
        world.outstanding[usize::from(owner.0)] = 100_000;
        assert_eq!(world.send(&mut *rule), owner);
    }
}

#[test]
fn section_1_6_the_next_healthy_clockwise_takes_the_orphans_and_no_other_key_moves() {
    let mut rule = rule("consistent-hash", &[]);
    let mut heirs = [0; 5];
    for session in 0..500 {
        let mut world = World::new(5);
        world.session = Some(session);
        let (owner, _) = world.send(&mut *rule);
        world.routable.retain(|r| *r != 2);
        let (heir, why) = world.send(&mut *rule);
        if owner == 2 {
            assert_eq!(why, Why::Fallback { step: 1 });
            heirs[usize::from(heir)] += 1;
        } else {
            assert_eq!((heir, why), (owner, Why::Owner));
        }
    }
    // The successor of each point, not one heir for all.
    assert!(heirs.iter().filter(|h| **h > 0).count() == 4, "{heirs:?}");
}

#[test]
fn section_1_6_without_a_key_the_draw_is_uniform() {
    for key in ["session", "prefix", "blocks"] {
        let mut world = World::new(4);
        world.blocks = Vec::new();
        let mut rule = rule("consistent-hash", &[("key", key)]);
        let mut sent = [0_u32; 4];
        for _ in 0..4_000 {
            let (to, why) = world.send(&mut *rule);
            assert_eq!(why, Why::Drawn);
            sent[usize::from(to)] += 1;
        }
        assert!(sent.iter().all(|n| (850..1_150).contains(n)), "{sent:?}");
    }
}

/// One API key for all, one replica for all: the quirk of section 1.6. A key of its own comes first.
#[test]
fn section_1_6_an_implicit_key_gives_all_of_a_tenant_to_one_replica() {
    let mut rule = rule("consistent-hash", &[("implicit_key", "on")]);
    let mut owners = [0; 8];
    for tenant in 0..64 {
        let mut world = World::new(8);
        world.tenant = tenant;
        let (owner, why) = world.send(&mut *rule);
        assert_eq!(why, Why::Owner);
        owners[usize::from(owner)] += 1;
        for number in 0..20 {
            world.number = number;
            assert_eq!(world.send(&mut *rule).0, owner);
        }
        world.session = Some(7);
        let of_session = world.send(&mut *rule).0;
        world.tenant += 1;
        assert_eq!(world.send(&mut *rule).0, of_session);
    }
    assert!(owners.iter().all(|n| *n > 0), "{owners:?}");
}

#[test]
fn the_key_is_what_the_setting_says_and_nothing_else() {
    let owner = |key: &str, n: &str, world: &mut World| {
        world.send(&mut *rule("consistent-hash", &[("key", key), ("blocks", n)])).0
    };
    let spread = |key: &str, n: &str, change: &dyn Fn(&mut World, u32)| {
        let mut owners: Vec<u16> = (0..64)
            .map(|k| {
                let mut world = World::new(8);
                (world.session, world.family, world.blocks) = (Some(1), Some(1), vec![1, 2, 3, 4]);
                change(&mut world, k);
                owner(key, n, &mut world)
            })
            .collect();
        owners.sort_unstable();
        owners.dedup();
        owners.len()
    };
    let session = |w: &mut World, k| w.session = Some(k);
    let family = |w: &mut World, k| w.family = Some(k);
    let third = |w: &mut World, k: u32| w.blocks[2..].fill(u64::from(k) + 100);
    let shorter = |w: &mut World, k: u32| w.blocks.truncate(1 + k as usize % 4);
    assert_eq!(spread("session", "2", &session), 8);
    assert_eq!(spread("session", "2", &family), 1);
    assert_eq!(spread("prefix", "2", &family), 8);
    assert_eq!(spread("prefix", "2", &third), 1);
    assert_eq!(spread("blocks", "2", &third), 1);
    assert_eq!(spread("blocks", "3", &third), 8);
    assert_eq!(spread("blocks", "1", &shorter), 1);
    assert_eq!(spread("blocks", "2", &session), 1);
}

#[test]
fn section_3_4_case_1_the_session_returns_to_its_primary() {
    let mut world = World::new(6);
    world.session = Some(42);
    let mut rule = rule("consistent-hash", &[("virtual_nodes", "100")]);
    let (primary, _) = world.send(&mut *rule);
    let mut gone = vec![primary];
    for step in 1..6 {
        world.routable.retain(|r| !gone.contains(r));
        let (next, why) = world.send(&mut *rule);
        assert_eq!(why, Why::Fallback { step });
        assert!(!gone.contains(&next));
        gone.push(next);
    }
    world.routable = Vec::new();
    assert_eq!(world.choose(&mut *rule), Choice::Nobody);
    world.routable = (0..6).collect();
    assert_eq!(world.send(&mut *rule), (primary, Why::Owner));
}
