//! What `dynamo-kv` keeps and whom it leaves out: section 2's approximate index, predictions, busy
//! thresholds and `--load-aware`.
//!
//! Not here: case k and conditional disaggregation (replicas prefill and decode, so nothing is
//! decided between pools), the router's own queue (the gateway has one), replica sync (a setting of
//! the router around any rule), taints and pinned workers through the rule (no scenario has them;
//! their pure functions are tested beside the cost).

use tokenyard_policy::rules::by_id;
use tokenyard_policy::{Choice, Fact, ReplicaIx, Rule, Why};

use crate::world::{World, digest, rule};

const S: u64 = 1_000_000_000_000;

fn dynamo(params: &[(&str, &str)]) -> Box<dyn Rule> {
    rule("dynamo-kv", params)
}

/// The preset of that name.
fn preset(name: &str) -> Box<dyn Rule> {
    let spec = by_id("dynamo-kv").unwrap();
    let preset = spec.presets.iter().find(|preset| preset.name == name).unwrap();
    (spec.build)(&preset.values(spec.params))
}

/// Credits of all replicas for a prompt of these blocks.
fn credits(world: &World, rule: &dyn Rule, blocks: &[u64]) -> Vec<f64> {
    let mut world = prompt(world, blocks);
    let (_, rows) = world.explained(&mut *rule.boxed_clone());
    rows.iter().map(|row| row.values[1]).collect()
}

fn prompt(world: &World, blocks: &[u64]) -> World {
    let mut world = world.clone();
    world.blocks = blocks.to_vec();
    world.prompt_tokens = blocks.len() as u32 * world.block_tokens;
    world
}

fn send(world: &World, rule: &mut dyn Rule, blocks: &[u64], to: ReplicaIx) {
    let mut world = prompt(world, blocks);
    world.routable = vec![to];
    assert_eq!(world.send(rule).0, to);
}

#[test]
fn section_2_without_events_decisions_are_believed_for_two_minutes() {
    let mut rule = preset("no-kv-events");
    let mut world = World::new(2);
    // What the router around it believes does not count.
    world.overlap = vec![0, 3];
    send(&world, &mut *rule, &[1, 2, 3], 0);
    assert_eq!(credits(&world, &*rule, &[1, 2, 9]), [2.0, 0.0]);
    world.now = 60 * S;
    send(&world, &mut *rule, &[1], 0);
    world.now = 120 * S - 1;
    assert_eq!(credits(&world, &*rule, &[1, 2, 3]), [3.0, 0.0]);
    world.now = 120 * S;
    assert_eq!(credits(&world, &*rule, &[1, 2, 3]), [1.0, 0.0], "the first block was used again");
    rule.learn(&Fact::Left(0));
    assert_eq!(credits(&world, &*rule, &[1, 2, 3]), [0.0, 0.0]);
}

#[test]
fn section_2_the_index_of_all_replicas_is_cut_to_80_percent() {
    let mut rule = dynamo(&[("index", "ttl"), ("index_blocks", "10")]);
    let mut world = World::new(2);
    send(&world, &mut *rule, &[1, 2, 3, 4, 5, 6], 0);
    world.now = S;
    send(&world, &mut *rule, &[1, 2, 3, 4], 1);
    assert_eq!(credits(&world, &*rule, &[1, 2, 3, 4, 5, 6]), [6.0, 4.0]);
    world.now = 2 * S;
    send(&world, &mut *rule, &[7], 1);
    assert_eq!(credits(&world, &*rule, &[1, 2, 3, 4, 5, 6]), [3.0, 4.0], "the oldest prompt's deepest");
}

#[test]
fn section_2_predictions_close_the_lag_of_events() {
    let mut rule = preset("predicted");
    let mut world = World::new(2);
    send(&world, &mut *rule, &[1, 2], 1);
    world.overlap = vec![1, 1];
    assert_eq!(credits(&world, &*rule, &[1, 2, 3]), [1.0, 2.0], "the larger of both");
    world.now = 5 * S;
    assert_eq!(credits(&world, &*rule, &[1, 2, 3]), [1.0, 1.0]);
}

#[test]
fn section_2_case_j_busy_replicas_are_left_out_and_where_all_are_the_request_is_refused() {
    let mut rule = dynamo(&[("busy_decode_percent", "50"), ("busy_prefill_tokens", "4096")]);
    let mut world = World::new(3);
    world.kv_blocks = vec![100; 3];
    world.decode_blocks = vec![51, 50, 50];
    world.prefill_tokens = vec![0, 4_097, 4_096];
    let (choice, rows) = world.explained(&mut *rule);
    assert_eq!(choice, Choice::Send { to: 2, why: Why::Cost, tied: 1 });
    assert!(rows[0].values[5] < rows[2].values[5], "the cheapest is too busy");
    world.prefill_tokens[2] = 4_097;
    assert_eq!(world.choose(&mut *rule), Choice::Refused);
    world.routable.clear();
    assert_eq!(world.choose(&mut *rule), Choice::Nobody);
    world.routable = vec![0, 1, 2];
    assert_eq!(world.send(&mut *dynamo(&[])).0, 0);
}

/// The credit decays with prefill beyond the least among those that may be chosen.
#[test]
fn the_least_prefill_is_that_of_eligible_replicas() {
    let mut world = World::new(2);
    (world.prompt_tokens, world.blocks) = (64, vec![1, 2, 3, 4]);
    (world.kv_blocks, world.decode_blocks) = (vec![100; 2], vec![0, 60]);
    (world.overlap, world.prefill_tokens) = (vec![4, 0], vec![48, 0]);
    let credit = |params: &[(&str, &str)]| {
        let (_, rows) = world.clone().explained(&mut *dynamo(params));
        rows[0].values[1]
    };
    assert_eq!(credit(&[("credit_decay", "1"), ("busy_decode_percent", "50")]), 4.0);
    assert_eq!(credit(&[("credit_decay", "1")]), 4.0 / 1.75);
}

#[test]
fn section_2_load_aware_sees_load_and_no_cache() {
    let mut world = World::new(2);
    (world.prompt_tokens, world.blocks) = (64, vec![1, 2, 3, 4]);
    (world.overlap, world.new_blocks) = (vec![4, 0], vec![0, 4]);
    let (_, rows) = world.explained(&mut *preset("load-aware"));
    assert_eq!(rows[0].values, rows[1].values, "four blocks of prefill and four of decode at both");
    assert_eq!(rows[0].values[5], 8.0);
    world.decode_blocks = vec![1, 0];
    assert_eq!(world.send(&mut *preset("load-aware")).0, 1);
}

#[test]
fn section_2_lmetric_multiplies() {
    let mut world = World::new(2);
    (world.prompt_tokens, world.blocks) = (64, vec![1, 2, 3, 4]);
    (world.overlap, world.decode_blocks) = (vec![3, 0], vec![10, 1]);
    let (choice, rows) = world.explained(&mut *preset("lmetric"));
    assert_eq!([rows[0].values[5], rows[1].values[5]], [11.0, 8.0]);
    assert_eq!(choice, Choice::Send { to: 1, why: Why::Cost, tied: 1 });
    assert_eq!(world.send(&mut *dynamo(&[])).0, 1);
}

#[test]
fn without_an_index_of_its_own_it_keeps_nothing() {
    let mut rule = dynamo(&[]);
    let before = digest(&*rule);
    send(&World::new(1), &mut *rule, &[1, 2], 0);
    assert_eq!(digest(&*rule), before);
    for name in ["no-kv-events", "predicted"] {
        let mut rule = preset(name);
        let before = digest(&*rule);
        send(&World::new(1), &mut *rule, &[1, 2], 0);
        assert_ne!(digest(&*rule), before, "{name}");
    }
}
