//! `vllm-session` (section 4.2) and `vllm-consistent-hash` (section 4.1).

use tokenyard_policy::{By, Choice, ReplicaIx, TieBreak, Why};

use crate::world::{World, rule};

const S: u64 = 1_000_000_000_000;

/// Where a request without a session goes, after so many were sent to each replica one by one,
/// spread over `over` seconds.
fn after(sent: &[u32], over: u64, then: u64) -> Choice {
    let mut world = World::new(sent.len() as u16);
    let mut rule = rule("vllm-session", &[]);
    for (replica, count) in sent.iter().enumerate() {
        world.routable = vec![replica as ReplicaIx];
        for i in 0..u64::from(*count) {
            world.now = i * over * S / u64::from(*count);
            assert_eq!(world.send(&mut *rule).0, replica as ReplicaIx);
        }
    }
    world.routable = (0..sent.len() as ReplicaIx).collect();
    world.now = then;
    world.choose(&mut *rule)
}

/// 10 requests a second against 5 over the window of a minute.
#[test]
fn case_4_2_1_the_lowest_rate() {
    let least = |to, tied| Choice::Send { to, why: Why::Least { by: By::RecentRequests }, tied };
    assert_eq!(after(&[600, 300], 60, 60 * S), least(1, 1));
    assert_eq!(after(&[300, 600], 60, 60 * S), least(0, 1));
    assert_eq!(after(&[300, 300], 60, 60 * S), least(0, 2));
}

/// An endpoint without stats at once, even behind one whose rate has fallen to 0.
#[test]
fn case_4_2_who_was_never_sent_anything_is_first() {
    let least = |to, tied| Choice::Send { to, why: Why::Least { by: By::RecentRequests }, tied };
    assert_eq!(after(&[3, 0, 0], 1, 500 * S), least(1, 2));
    assert_eq!(after(&[3, 1, 2], 1, 500 * S), least(0, 3));
}

/// What is exactly as old as the window is within it.
#[test]
fn case_4_2_the_window_slides() {
    let to = |then| match after(&[2, 1], 0, then) {
        Choice::Send { to, tied, .. } => (to, tied),
        other => panic!("{other:?}"),
    };
    assert_eq!(to(60 * S), (1, 1));
    assert_eq!(to(60 * S + 1), (0, 2));
}

/// Requests with a session count towards the rate, and the page shows it.
#[test]
fn case_4_2_sessions_count_too() {
    let mut world = World::new(2);
    let mut rule = rule("vllm-session", &[("window_s", "10")]);
    world.session = Some(1);
    let (owner, why) = world.send(&mut *rule);
    assert_eq!(why, Why::Owner);
    (0..4).for_each(|_| assert_eq!(world.send(&mut *rule), (owner, Why::Owner)));
    world.session = None;
    assert_eq!(world.send(&mut *rule), (1 - owner, Why::Least { by: By::RecentRequests }));
    let (_, rows) = world.explained(&mut *rule);
    assert_eq!(rows[usize::from(owner)].values[0], 0.5);
    world.ties = TieBreak::Last;
    assert_eq!(world.send(&mut *rule).0, 1 - owner);
}

/// Five sessions, one endpoint of three removed: those of the other two stay.
#[test]
fn case_4_2_2_not_all_sessions_are_remapped() {
    let mut rule = rule("vllm-session", &[]);
    let mut world = World::new(3);
    let mut owners = |world: &mut World| {
        (0..5)
            .map(|session| {
                world.session = Some(session);
                world.send(&mut *rule).0
            })
            .collect::<Vec<_>>()
    };
    let before = owners(&mut world);
    let left = before[0];
    world.routable.retain(|r| *r != left);
    let after = owners(&mut world);
    assert!(before.iter().zip(&after).all(|(b, a)| if *b == left { a != b } else { a == b }));
    assert!(before.iter().any(|b| *b != left));
    world.routable = (0..3).collect();
    assert_eq!(owners(&mut world), before);
}

/// All orphans of a dead worker land on one worker, not on the ring's successors.
#[test]
fn case_4_1_orphans_go_to_the_first_healthy_in_the_list() {
    let mut heirs = [0; 5];
    let mut upstream = rule("vllm-consistent-hash", &[]);
    let mut clockwise = rule("vllm-consistent-hash", &[("orphans", "clockwise")]);
    for session in 0..500 {
        let mut world = World::new(5);
        world.session = Some(session);
        let (owner, why) = world.send(&mut *upstream);
        assert_eq!(why, Why::Owner);
        assert_eq!(world.send(&mut *clockwise), (owner, Why::Owner));
        world.routable = vec![1, 3, 4];
        let down = owner == 0 || owner == 2;
        let (to, why) = world.send(&mut *upstream);
        assert_eq!((to, why), if down { (1, Why::OwnerGone) } else { (owner, Why::Owner) });
        if down {
            let (heir, why) = world.send(&mut *clockwise);
            assert!(matches!(why, Why::Fallback { step: 1 | 2 }));
            heirs[usize::from(heir)] += 1;
        }
        world.routable = Vec::new();
        assert_eq!(world.choose(&mut *upstream), Choice::Nobody);
    }
    assert!([1, 3, 4].iter().all(|r| heirs[*r] > 20), "{heirs:?}");
}

/// How many of eight replicas one session's requests reach when something else changes.
fn reached(params: &[(&str, &str)], change: impl Fn(&mut World, u32)) -> usize {
    let mut rule = rule("vllm-consistent-hash", params);
    let mut owners: Vec<ReplicaIx> = (0..64)
        .map(|k| {
            let mut world = World::new(8);
            (world.session, world.tenant, world.number) = (Some(1), 1, 1);
            change(&mut world, k);
            world.send(&mut *rule).0
        })
        .collect();
    owners.sort_unstable();
    owners.dedup();
    owners.len()
}

#[test]
fn case_4_1_keys_are_looked_for_in_order() {
    let session = |w: &mut World, k| w.session = Some(k);
    let tenant = |w: &mut World, k| w.tenant = k;
    let number = |w: &mut World, k| w.number = u64::from(k);
    let prompt = |w: &mut World, k| w.blocks = vec![u64::from(k)];
    let tail = |w: &mut World, k| w.prompt_tokens = 17 + k;
    let all_headers = [("tenant_header", "on"), ("request_id_header", "on")];
    // The session's header is before everything.
    assert_eq!([reached(&all_headers, session), reached(&all_headers, tenant)], [8, 1]);
    assert_eq!([reached(&all_headers, number), reached(&all_headers, prompt)], [1, 1]);
    // In the body it is behind the tenant's header and before the content.
    let body = [("session", "body")];
    assert_eq!([reached(&body, session), reached(&body, prompt)], [8, 1]);
    let tenants = [("session", "body"), ("tenant_header", "on")];
    assert_eq!([reached(&tenants, session), reached(&tenants, tenant)], [1, 8]);
    // The tenant is before the request's id, and that before a session in the body.
    let both = [("session", "body"), ("tenant_header", "on"), ("request_id_header", "on")];
    assert_eq!([reached(&both, tenant), reached(&both, number), reached(&both, session)], [8, 1, 1]);
    // With no key at all the whole body is hashed.
    let none = [("session", "none")];
    assert_eq!([reached(&none, session), reached(&none, tenant), reached(&none, number)], [1, 1, 1]);
    assert_eq!([reached(&none, prompt), reached(&none, tail)], [8, 8]);
}

/// X-Request-ID before body keys: a per-request id silently defeats stickiness.
#[test]
fn case_4_1_a_request_id_defeats_a_session_in_the_body() {
    let number = |w: &mut World, k| w.number = u64::from(k);
    assert_eq!(reached(&[("session", "body")], number), 1);
    assert_eq!(reached(&[("session", "body"), ("request_id_header", "on")], number), 8);
    assert_eq!(reached(&[("session", "header"), ("request_id_header", "on")], number), 1);
}
