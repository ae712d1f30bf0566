//! A rule that is only asked answers as it would choose, draws as often, and learns nothing.

use tokenyard_det::Stream;
use tokenyard_policy::Fact;
use tokenyard_policy::rules::RULES;

use crate::laws::variants;
use crate::world::{SECOND, World, digest};

/// Prompts that share their beginnings, in a fleet whose loads change and whose replicas come and go.
fn step(world: &mut World, dice: &mut Stream, number: u64) -> Option<Fact> {
    world.number = number;
    world.now += dice.below(40) * SECOND;
    let depth = 1 + dice.below(40);
    let mut id = dice.below(3) << 20;
    // Mostly the next id, so that prompts share long beginnings and part somewhere.
    let next = |_| {
        id += if dice.below(12) == 0 { 1 << 30 } else { 1 };
        id
    };
    world.blocks = (0..depth).map(next).collect();
    let column = |dice: &mut Stream| (0..4).map(|_| dice.below(5) as u32).collect();
    (world.outstanding, world.waiting, world.overlap) = (column(dice), column(dice), column(dice));
    world.kv_blocks = vec![20; 4];
    world.prompt_tokens = depth as u32 * 16 + dice.below(16) as u32;
    world.session = Some(dice.below(5) as u32);
    world.routable = (0..4).filter(|_| dice.below(6) > 0).collect();
    let replica = dice.below(4) as u16;
    match dice.below(12) {
        0 => Some(Fact::Left(replica)),
        1 => Some(Fact::Joined(replica)),
        _ => None,
    }
}

#[test]
fn a_rule_that_is_only_asked_learns_nothing() {
    for spec in RULES {
        for (variant, values) in variants(spec).into_iter().enumerate() {
            let mut rule = (spec.build)(&values);
            let (mut world, mut dice) = (World::new(4), Stream::new(variant as u64, "test", 0));
            for number in 0..40 {
                if let Some(fact) = step(&mut world, &mut dice, number) {
                    rule.learn(&fact);
                }
                let (before, mut other) = (digest(&*rule), world.clone());
                let would = other.would_choose(&*rule);
                assert_eq!(digest(&*rule), before, "{} {variant}", spec.id);
                assert_eq!(world.choose(&mut *rule), would, "{} {variant}", spec.id);
                assert_eq!(world.stream, other.stream, "{} {variant}", spec.id);
            }
        }
    }
}
