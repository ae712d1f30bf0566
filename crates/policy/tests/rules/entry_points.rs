//! `sglang-cache-aware` as its entry points run it: the table of defaults of section 1.1, and the
//! session map of section 4.1.

use tokenyard_param::Values;
use tokenyard_policy::rules::by_id;
use tokenyard_policy::{Fact, ReplicaIx, Rule, RuleSpec, Why};

use crate::world::{World, rule};

const S: u64 = 1_000_000_000_000;

fn spec() -> &'static RuleSpec {
    by_id("sglang-cache-aware").unwrap()
}

fn preset(name: &str) -> Values {
    spec().presets.iter().find(|preset| preset.name == name).unwrap().values(spec().params)
}

fn built(name: &str) -> Box<dyn Rule> {
    (spec().build)(&preset(name))
}

fn say(world: &mut World, rule: &mut dyn Rule, session: u32, text: &str) -> (ReplicaIx, Why) {
    world.session = Some(session);
    world.say(text);
    world.send(rule)
}

#[test]
fn section_1_1_defaults_by_entry_point() {
    let table = [
        ("library", 0.5, 32, 1.1, 30, 10_000),
        ("rust-cli", 0.3, 64, 1.5, 120, 67_108_864),
        ("python-launcher", 0.3, 64, 1.5, 60, 67_108_864),
        ("vllm-router", 0.3, 64, 1.5, 120, 67_108_864),
    ];
    for (name, threshold, abs, rel, evict, size) in table {
        let values = preset(name);
        assert_eq!((values.real("cache_threshold"), values.real("balance_rel")), (threshold, rel), "{name}");
        let ints = ["balance_abs", "eviction_interval_s", "max_tree_size"].map(|key| values.int(key));
        assert_eq!(ints, [abs, evict, size], "{name}");
    }
    assert_eq!(preset("python-launcher"), Values::defaults(spec().params), "the default of the rule");
}

/// Which gate opens depends on who started the router.
#[test]
fn the_same_loads_are_balanced_for_one_entry_point_and_not_for_another() {
    for (name, imbalanced) in [("library", true), ("python-launcher", false)] {
        let mut world = World::new(2);
        world.outstanding = vec![40, 0];
        let (_, why) = world.send(&mut *built(name));
        assert_eq!(matches!(why, Why::Imbalanced { .. }), imbalanced, "{name}");
    }
}

#[test]
fn the_original_router_sent_misses_to_the_smallest_tree() {
    let mut world = World::new(2);
    let mut rule = built("smallest-tree");
    world.outstanding = vec![0, 60];
    assert_eq!([say(&mut world, &mut *rule, 0, "aaaa").0, say(&mut world, &mut *rule, 0, "b").0], [0, 1]);
}

#[test]
fn section_4_1_a_session_is_asked_for_before_the_tree() {
    let mut world = World::new(2);
    let mut rule = built("vllm-router");
    assert_eq!(say(&mut world, &mut *rule, 7, "hello").0, 0);
    world.outstanding = vec![9, 0];
    assert_eq!(say(&mut world, &mut *rule, 8, "other").0, 1);
    // The text names replica 0, the session replica 1; and what it says is remembered there too.
    assert_eq!(say(&mut world, &mut *rule, 8, "hello"), (1, Why::Owner));
    let (_, rows) = world.explained(&mut *rule.clone());
    assert_eq!([rows[0].values[2], rows[1].values[2]], [5.0, 5.0]);
    assert_eq!(say(&mut world, &mut *rule, 9, "hello").0, 0, "the tree, for a new session");
}

#[test]
fn section_4_1_imbalance_comes_first_and_moves_the_session() {
    let mut world = World::new(2);
    let mut rule = built("vllm-router");
    assert_eq!(say(&mut world, &mut *rule, 7, "hello").0, 0);
    world.outstanding = vec![90, 0];
    assert_eq!(say(&mut world, &mut *rule, 7, "hello").1, Why::Imbalanced { min: 0, max: 90 });
    world.outstanding = vec![0, 0];
    assert_eq!(say(&mut world, &mut *rule, 7, "hello"), (1, Why::Owner));
}

#[test]
fn section_4_1_a_session_whose_replica_is_not_routable_goes_by_the_tree() {
    let mut world = World::new(2);
    let mut rule = built("vllm-router");
    assert_eq!(say(&mut world, &mut *rule, 7, "hello").0, 0);
    let mut left = rule.clone();
    world.routable = vec![1];
    assert_eq!(say(&mut world, &mut *rule, 7, "other"), (1, Why::Miss { matched: 0, of: 5 }));
    world.routable = vec![0, 1];
    assert_eq!(say(&mut world, &mut *rule, 7, "hello"), (1, Why::Owner), "bound anew");
    left.learn(&Fact::Left(0));
    left.learn(&Fact::Joined(0));
    assert_eq!(say(&mut world, &mut *left, 7, "hello").1, Why::Miss { matched: 0, of: 5 });
}

#[test]
fn section_4_1_sessions_are_swept_with_the_tree() {
    let params = [("session_ttl_s", "100"), ("eviction_interval_s", "60"), ("cache_threshold", "1")];
    let mut rule = rule("sglang-cache-aware", &params);
    let mut world = World::new(1);
    say(&mut world, &mut *rule, 7, "hello");
    world.now = 120 * S - 1;
    assert_eq!(say(&mut world, &mut *rule.clone(), 7, "hello").1, Why::Owner, "100 s are over, no sweep yet");
    world.now = 120 * S;
    assert!(matches!(say(&mut world, &mut *rule, 7, "hello").1, Why::Miss { .. }));
}

/// One hot replica gives affinity up for the whole fleet; a gate of each request, for its own
/// prompts only.
#[test]
fn a_gate_of_each_request_leaves_the_others_their_affinity() {
    for (gate, known) in [("fleet", false), ("request", true)] {
        let mut world = World::new(3);
        let mut rule = rule("sglang-cache-aware", &[("gate", gate)]);
        assert_eq!(["hot", "calm"].map(|text| say(&mut world, &mut *rule, 0, text).0), [0, 1]);
        world.outstanding = vec![90, 1, 0];
        let (to, why) = say(&mut world, &mut *rule, 0, "hot");
        assert_eq!((to, why), (2, Why::Imbalanced { min: 0, max: 90 }), "{gate}");
        let (to, why) = say(&mut world, &mut *rule, 0, "calm");
        assert_eq!((to, matches!(why, Why::Match { .. })), (if known { 1 } else { 2 }, known), "{gate}");
    }
}

#[test]
fn the_gate_of_a_request_measures_what_events_name_as_well() {
    let mut world = World::new(2);
    let mut rule = rule("sglang-cache-aware", &[("gate", "request"), ("knowledge", "events")]);
    (world.indexed, world.overlap, world.outstanding) = (vec![9, 9], vec![1, 0], vec![64, 0]);
    assert_eq!(world.send(&mut *rule), (0, Why::Longest { blocks: 1 }));
    world.outstanding = vec![65, 0];
    assert_eq!(world.send(&mut *rule), (1, Why::Imbalanced { min: 0, max: 65 }));
}

/// Upstream's comment says what `least-loaded` does; its code takes the first and learns nothing.
#[test]
fn an_owner_that_is_gone_may_be_replaced_by_the_least_loaded() {
    for (gone, want) in [("first", (0, Why::OwnerGone)), ("least-loaded", (1, Why::Fallback { step: 1 }))] {
        let mut world = World::new(3);
        let mut rule = rule("sglang-cache-aware", &[("owner_gone", gone)]);
        world.outstanding = vec![1, 1, 0];
        assert_eq!(say(&mut world, &mut *rule, 0, "prompt").0, 2);
        (world.routable, world.outstanding) = (vec![0, 1], vec![9, 1, 0]);
        assert_eq!(say(&mut world, &mut *rule, 0, "prompt"), want);
    }
}
