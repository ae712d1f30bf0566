//! The prefix-affinity player's printed decisions, all 54 runs.

use serde_json::Value;
use tokenyard_policy::Why;

use crate::world::{World, rule};

fn runs() -> Vec<Value> {
    let file: Value =
        serde_json::from_str(include_str!("../../../../tests/data/article_prefix.json")).unwrap();
    file["runs"].as_array().unwrap().clone()
}

fn number(value: &Value) -> u32 {
    u32::try_from(value.as_u64().unwrap()).unwrap()
}

#[test]
fn prefix_gap_decides_as_the_players_aware_router() {
    let runs = runs();
    assert_eq!(runs.len(), 54);
    for run in runs {
        let threshold = &run["input"]["load_gap_threshold"];
        let threshold = threshold.as_u64().map_or("none".to_owned(), |t| t.to_string());
        let replicas = number(&run["input"]["replicas"]) as u16;
        // The load it counts itself, and the same load handed in.
        let mut own = rule("prefix-gap", &[("gap_threshold", &threshold)]);
        let mut told = rule("prefix-gap", &[("gap_threshold", &threshold), ("load", "outstanding")]);
        let mut world = World::new(replicas);
        for step in run["steps"].as_array().unwrap() {
            world.family = Some(number(&step["prefix"]));
            let (to, why) = world.send(&mut *own);
            assert_eq!(u32::from(to), number(&step["aware"]));
            let reason = match why {
                Why::Miss { .. } => "first-sight",
                Why::Imbalanced { .. } => "load-imbalance",
                Why::Owner => "affinity",
                other => panic!("{other:?}"),
            };
            assert_eq!(reason, step["reason"]);
            assert_eq!(world.send(&mut *told), (to, why));
            world.outstanding = step["aware_loads"].as_array().unwrap().iter().map(number).collect();
        }
    }
}

#[test]
fn least_outstanding_decides_as_the_players_load_only_router() {
    for run in runs() {
        let mut world = World::new(number(&run["input"]["replicas"]) as u16);
        let mut rule = rule("least-outstanding", &[]);
        for step in run["steps"].as_array().unwrap() {
            assert_eq!(u32::from(world.send(&mut *rule).0), number(&step["baseline"]));
            world.outstanding = step["baseline_loads"].as_array().unwrap().iter().map(number).collect();
        }
    }
}

#[test]
fn an_owner_that_is_not_routable_is_replaced_by_the_least_loaded_for_good() {
    let mut world = World::new(3);
    let mut rule = rule("prefix-gap", &[("gap_threshold", "none"), ("load", "outstanding")]);
    world.outstanding = vec![0, 9, 4];
    assert_eq!(world.send(&mut *rule).0, 0);
    world.routable = vec![1, 2];
    assert_eq!(world.send(&mut *rule), (2, Why::Fallback { step: 1 }));
    world.routable = vec![0, 1, 2];
    assert_eq!(world.send(&mut *rule), (2, Why::Owner));
}

#[test]
fn a_prompt_without_a_prefix_is_always_seen_for_the_first_time() {
    let mut world = World::new(2);
    world.blocks = Vec::new();
    let mut rule = rule("prefix-gap", &[]);
    let sent: Vec<_> = (0..6).map(|_| world.send(&mut *rule)).collect();
    let miss = Why::Miss { matched: 0, of: 16 };
    assert_eq!(sent, [(0, miss), (1, miss), (0, miss), (1, miss), (0, miss), (1, miss)]);
}
