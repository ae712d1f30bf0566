//! `sglang-prefix-hash`: section 1.2, from a table, and what makes a prefix.

use serde::Deserialize;
use tokenyard_policy::{By, Choice, Why};

use crate::cases::cases;
use crate::world::{World, rule};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    loads: Vec<u32>,
    #[serde(default = "usual")]
    factor: String,
    limit: f64,
    least: u16,
    ring: u16,
}

fn usual() -> String {
    "1.25".to_owned()
}

/// A world of four idle replicas whose prompt belongs to replica 0.
fn owned_by_first() -> World {
    let mut world = World::new(4);
    let mut rule = rule("sglang-prefix-hash", &[]);
    let block = (0..1_000_u64).find(|block| {
        world.blocks = vec![*block];
        world.send(&mut *rule) == (0, Why::Owner)
    });
    world.blocks = vec![block.unwrap()];
    world
}

#[test]
fn cases_1_2_1_to_1_2_3() {
    let table: Vec<Case> = cases(include_str!("../data/prefix_hash.toml"));
    assert_eq!(table.len(), 7);
    for case in table {
        let mut world = owned_by_first();
        world.outstanding.clone_from(&case.loads);
        let params = [("load_factor", &*case.factor), ("overflow", "least-loaded")];
        let mut least = rule("sglang-prefix-hash", &params);
        let (to, why) = world.send(&mut *least);
        assert_eq!(to, case.least, "{}", case.name);
        assert_eq!(why == Why::Owner, to == 0, "{}", case.name);
        assert_eq!(world.explained(&mut *least).1[0].values[1], case.limit, "{}", case.name);
        let params = [("load_factor", &*case.factor), ("overflow", "ring")];
        let (to, why) = world.send(&mut *rule("sglang-prefix-hash", &params));
        let step = if let Why::Fallback { step } = why { step } else { 0 };
        assert_eq!((to == 0, step), (case.ring == 0, case.ring), "{}", case.name);
    }
}

/// The quirk of section 1.2: overflow of every hot prefix herds to one replica; round the ring it
/// would spread.
#[test]
fn case_1_2_overflow_of_all_prefixes_meets_at_the_least_loaded() {
    let heirs = |overflow| {
        let mut rule = rule("sglang-prefix-hash", &[("overflow", overflow)]);
        let mut heirs: Vec<u16> = (0..200_u64)
            .filter_map(|block| {
                let mut world = World::new(6);
                world.blocks = vec![block];
                world.outstanding = vec![4, 4, 4, 3, 4, 4];
                let (owner, _) = world.send(&mut *rule);
                world.outstanding[usize::from(owner)] = 40;
                let (heir, _) = world.send(&mut *rule);
                (owner != 3).then_some(heir)
            })
            .collect();
        heirs.sort_unstable();
        heirs.dedup();
        heirs
    };
    assert_eq!(heirs("least-loaded"), [3]);
    assert_eq!(heirs("ring"), [0, 1, 2, 3, 4, 5]);
}

/// Load and limit are of healthy replicas only, and the next healthy one clockwise is the owner.
#[test]
fn case_1_2_the_rest_of_the_fleet_does_not_count() {
    let mut world = owned_by_first();
    world.outstanding = vec![0, 2, 2, 900];
    world.routable = vec![0, 1, 2];
    let mut rule = rule("sglang-prefix-hash", &[]);
    let (_, terms) = world.explained(&mut *rule);
    assert_eq!(terms[0].values[1], 5.0 / 3.0 * 1.25);
    world.routable = vec![1, 2, 3];
    world.outstanding = vec![0; 4];
    let (heir, why) = world.send(&mut *rule);
    assert_eq!(why, Why::Fallback { step: 1 });
    world.routable = (0..4).collect();
    assert_eq!(world.send(&mut *rule), (0, Why::Owner));
    assert_ne!(heir, 0);
}

/// 256 tokens are 16 blocks of 16, or 4 of 64; below a block it is one.
#[test]
fn a_prefix_is_so_many_tokens_in_full_blocks() {
    let spread = |tokens: &str, block_tokens: u32, from: usize| {
        let mut rule = rule("sglang-prefix-hash", &[("prefix_token_count", tokens)]);
        let mut owners: Vec<u16> = (0..64)
            .map(|k| {
                let mut world = World::new(8);
                world.block_tokens = block_tokens;
                world.blocks = (0..20).collect();
                world.blocks[from..].fill(1_000 + k);
                world.send(&mut *rule).0
            })
            .collect();
        owners.sort_unstable();
        owners.dedup();
        owners.len()
    };
    assert_eq!([spread("256", 16, 16), spread("256", 64, 4), spread("1", 16, 1)], [1; 3]);
    assert_eq!([spread("256", 16, 15), spread("256", 64, 3), spread("1", 16, 0)], [8; 3]);
}

#[test]
fn a_prompt_without_a_full_block_goes_to_the_least_loaded() {
    let mut world = World::new(3);
    world.blocks = Vec::new();
    world.outstanding = vec![2, 1, 1];
    let choice = world.choose(&mut *rule("sglang-prefix-hash", &[]));
    assert_eq!(choice, Choice::Send { to: 1, why: Why::Least { by: By::Outstanding }, tied: 2 });
}
