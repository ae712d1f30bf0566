//! `weighted-round-robin`: the published order, proportions, and who is away.

use tokenyard_policy::{Choice, Fact, ReplicaConfig, Why};

use crate::world::{World, rule};

fn weighted(weights: &[u32]) -> World {
    let mut world = World::new(weights.len() as u16);
    let config = |weight: &u32| ReplicaConfig { weight: Some(*weight), ..ReplicaConfig::default() };
    world.config = weights.iter().map(config).collect();
    world
}

fn turns(world: &mut World, count: usize) -> Vec<u16> {
    let mut rule = rule("weighted-round-robin", &[]);
    (0..count).map(|_| world.send(&mut *rule).0).collect()
}

/// nginx's own example: a, b and c with 5, 1 and 1.
#[test]
fn five_one_one_is_spread_as_evenly_as_can_be() {
    assert_eq!(turns(&mut weighted(&[5_000, 1_000, 1_000]), 7), [0, 0, 1, 0, 2, 0, 0]);
    assert_eq!(turns(&mut weighted(&[500, 250, 250]), 4), [0, 1, 2, 0]);
}

#[test]
fn without_weights_it_is_round_robin() {
    assert_eq!(turns(&mut World::new(4), 9), [0, 1, 2, 3, 0, 1, 2, 3, 0]);
}

#[test]
fn every_round_gives_each_its_weight() {
    for weights in [[3_u32, 4, 5], [1, 1, 10], [7, 2, 3]] {
        let round = weights.iter().sum::<u32>() as usize;
        let sent = turns(&mut weighted(&weights.map(|w| w * 1_000)), round * 3);
        for (turn, sent) in sent.chunks(round).enumerate() {
            let got = [0, 1, 2].map(|r| sent.iter().filter(|to| **to == r).count() as u32);
            assert_eq!(got, weights, "round {turn}");
        }
    }
}

#[test]
fn who_is_away_gains_nothing_and_who_comes_back_begins_anew() {
    let mut world = World::new(3);
    let mut rule = rule("weighted-round-robin", &[]);
    assert_eq!(world.send(&mut *rule), (0, Why::Turn { cursor: 0 }));
    world.routable = vec![0, 2];
    let sent: Vec<_> = (0..4).map(|_| world.send(&mut *rule).0).collect();
    // Replica 2 still has the turn that it has not had.
    assert_eq!(sent, [2, 2, 0, 2]);
    world.routable = Vec::new();
    assert_eq!(world.choose(&mut *rule), Choice::Nobody);
    rule.learn(&Fact::Left(1));
    rule.learn(&Fact::Joined(1));
    world.routable = vec![0, 1, 2];
    let sent: Vec<_> = (0..6).map(|_| world.send(&mut *rule).0).collect();
    assert_eq!(sent, [0, 1, 2, 0, 1, 2]);
}
