//! When `sglang-cache-aware` gives affinity up: section 1.1, from a table.

use serde::Deserialize;
use tokenyard_policy::Why;

use crate::cases::cases;
use crate::world::{World, rule};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    abs: String,
    rel: String,
    #[serde(default = "off")]
    over: String,
    #[serde(default = "off")]
    spread: String,
    #[serde(default = "smg")]
    variant: String,
    loads: Vec<u32>,
    #[serde(default)]
    usage: Vec<u32>,
    imbalanced: bool,
    sends: Option<u16>,
}

fn off() -> String {
    "1".to_owned()
}

fn smg() -> String {
    "smg".to_owned()
}

#[test]
fn section_1_1_cases_1_2_3_and_6() {
    let table: Vec<Case> = cases(include_str!("../data/gates.toml"));
    assert_eq!(table.len(), 15);
    for case in table {
        let mut rule = rule(
            "sglang-cache-aware",
            &[
                ("balance_abs", &case.abs),
                ("balance_rel", &case.rel),
                ("overload_token_usage_threshold", &case.over),
                ("balance_token_usage_threshold", &case.spread),
                ("variant", &case.variant),
            ],
        );
        let mut world = World::new(case.loads.len() as u16);
        if !case.usage.is_empty() {
            world.kv_blocks = vec![100; case.usage.len()];
            world.kv_used = case.usage;
        }
        world.outstanding = case.loads;
        let (to, why) = world.send(&mut *rule);
        let imbalanced = matches!(why, Why::Imbalanced { .. });
        assert_eq!(imbalanced, case.imbalanced, "{}: {why:?}", case.name);
        assert_eq!(case.sends.unwrap_or(to), to, "{}", case.name);
    }
}

/// A replica without a report takes no part in the usage gates, in the load gate it does.
#[test]
fn only_reports_count_as_usage() {
    let mut rule = rule("sglang-cache-aware", &[("balance_token_usage_threshold", "0.3")]);
    let mut world = World::new(3);
    world.kv_blocks = vec![100, 0, 100];
    world.kv_used = vec![50, 7, 50];
    assert!(matches!(world.send(&mut *rule).1, Why::Miss { .. }));
    world.kv_blocks[1] = 100;
    assert!(matches!(world.send(&mut *rule).1, Why::Imbalanced { .. }));
}

#[test]
fn smg_reads_the_loads_of_routable_replicas_and_the_in_tree_gateway_all() {
    for (variant, imbalanced) in [("smg", false), ("in-tree", true)] {
        let mut rule = rule("sglang-cache-aware", &[("variant", variant)]);
        let mut world = World::new(3);
        world.outstanding = vec![500, 10, 20];
        world.routable = vec![1, 2];
        let (to, why) = world.send(&mut *rule);
        assert_eq!(to, 1);
        assert_eq!(matches!(why, Why::Imbalanced { min: 10, max: 500 }), imbalanced, "{variant}");
    }
}
