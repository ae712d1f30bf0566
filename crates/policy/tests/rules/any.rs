//! Any fleet that a rule may be shown.

use proptest::collection::vec;
use proptest::prelude::*;
use tokenyard_det::Stream;
use tokenyard_policy::{Means, Rates, ReplicaConfig, TieBreak};

use crate::world::{SECOND, World};

prop_compose! {
    /// Any fleet of up to six replicas, with numbers small enough for ties.
    pub(crate) fn any_world()(
        replicas in 1_u16..7,
        up in vec(any::<bool>(), 6),
        columns in vec(vec(0_u32..4, 6), 20),
        heavy in 0_u32..200,
        blocks in vec(0_u64..3, 0..5),
        partial in 1_u32..16,
        family in proptest::option::of(0_u32..3),
        session in proptest::option::of(0_u32..3),
        tenant in 0_u32..3,
        seed in 0_u64..1_000,
        now in 0_u64..300,
        ties in prop_oneof![
            Just(TieBreak::Upstream), Just(TieBreak::First), Just(TieBreak::Last), Just(TieBreak::Random)
        ],
    ) -> World {
        let mut world = World::new(replicas);
        let n = usize::from(replicas);
        let column = |at: usize| columns[at][..n].to_vec();
        world.routable.retain(|r| up[usize::from(*r)]);
        world.outstanding = column(0);
        world.outstanding[0] += heavy;
        (world.waiting, world.running) = (column(1), column(2));
        (world.kv_used, world.kv_blocks) = (column(3), column(4));
        world.prefill_tokens = column(5).iter().map(|t| u64::from(*t) * 100).collect();
        (world.decode_blocks, world.new_blocks, world.active) = (column(6), column(7), column(8));
        world.overlap = column(9).iter().map(|o| (*o).min(blocks.len() as u32)).collect();
        world.indexed = column(1);
        world.prompt_tokens = blocks.len() as u32 * 16 + partial;
        world.now = now * 1_000_000_000_000;
        // Chained ids: an id stands for all before it.
        world.blocks = blocks.iter().scan(1, |id, b| { *id = *id * 7 + b; Some(*id) }).collect();
        (world.family, world.session, world.tenant, world.ties) = (family, session, tenant, ties);
        report(&mut world, |at, r| columns[at][r]);
        world.stream = Stream::new(seed, "test", 0);
        world
    }
}

/// Fills what operators write and engines report, from columns 10 to 19.
fn report(world: &mut World, number: impl Fn(usize, usize) -> u32) {
    for r in 0..usize::from(world.replicas) {
        let some = |at: usize, times: u32| number(at, r).checked_sub(1).map(|n| n * times);
        world.config[r] =
            ReplicaConfig { weight: some(10, 500), price: some(11, 7), tpm: some(12, 60), rpm: some(13, 1) };
        world.age[r] = some(14, 20).map_or(u64::MAX, |s| u64::from(s) * SECOND);
        world.reported_at[r] = some(15, 1).map(|s| (u64::from(s) * SECOND).min(world.now));
        let [generated, finished, failed, busy] = [16, 17, 18, 19].map(|at| f64::from(number(at, r)));
        world.rates[r] = Rates { generated: generated * 500.0, finished, failed, busy: busy / 3.0 };
        world.queued_tokens[r] = u64::from(number(16, r)) * 100;
        world.means[r] = Means {
            requests: u64::from(number(17, r)),
            queue_s: generated,
            prefill_s: finished,
            decode_s: failed,
            prompt_tokens: busy * 16.0,
            generated_tokens: generated * 8.0,
        };
    }
}
