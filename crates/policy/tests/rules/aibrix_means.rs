//! AIBrix's strategies over lifetime means: section 8.4.

use serde::Deserialize;
use tokenyard_det::Stream;
use tokenyard_policy::{By, Choice, Means, ReplicaIx, Why};

use crate::cases::cases;
use crate::world::{World, rule};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    rule: String,
    #[serde(default)]
    weights: Vec<(String, String)>,
    /// Requests finished: 1 of each where it is not said.
    #[serde(default)]
    requests: Vec<u64>,
    #[serde(default)]
    outstanding: Vec<u32>,
    #[serde(default)]
    queue_s: Vec<f64>,
    #[serde(default)]
    prefill_s: Vec<f64>,
    #[serde(default)]
    decode_s: Vec<f64>,
    #[serde(default)]
    prompt_tokens: Vec<f64>,
    #[serde(default)]
    generated_tokens: Vec<f64>,
    /// The last term of every replica, where the case gives it.
    #[serde(default)]
    scores: Vec<f64>,
    choices: Vec<ReplicaIx>,
}

impl Case {
    fn world(&self) -> World {
        let columns = [&self.queue_s, &self.prefill_s, &self.decode_s, &self.prompt_tokens];
        let count = columns.iter().map(|column| column.len()).max().unwrap().max(self.generated_tokens.len());
        let mut world = World::new(count as ReplicaIx);
        let at = |column: &[f64], r: usize| column.get(r).copied().unwrap_or(0.0);
        for r in 0..count {
            world.means[r] = Means {
                requests: self.requests.get(r).copied().unwrap_or(1),
                queue_s: at(&self.queue_s, r),
                prefill_s: at(&self.prefill_s, r),
                decode_s: at(&self.decode_s, r),
                prompt_tokens: at(&self.prompt_tokens, r),
                generated_tokens: at(&self.generated_tokens, r),
            };
        }
        self.outstanding.iter().enumerate().for_each(|(r, count)| world.outstanding[r] = *count);
        world
    }
}

#[test]
fn section_8_4_cases_1_to_3_of_lifetime_means() {
    let table: Vec<Case> = cases(include_str!("../data/means.toml"));
    assert_eq!(table.len(), 9);
    for case in table {
        let params: Vec<(&str, &str)> = case.weights.iter().map(|(key, value)| (&**key, &**value)).collect();
        let mut chosen = Vec::new();
        for seed in 0..40 {
            let mut world = case.world();
            world.stream = Stream::new(seed, "test", 0);
            let (choice, rows) = world.explained(&mut *rule(&case.rule, &params));
            let Choice::Send { to, .. } = choice else { panic!("{}: {choice:?}", case.name) };
            chosen.push(to);
            for (row, wanted) in rows.iter().zip(&case.scores) {
                assert!((row.values[5] - wanted).abs() < 1e-4, "{}: {:?}", case.name, row.values);
            }
        }
        chosen.sort_unstable();
        chosen.dedup();
        assert_eq!(chosen, case.choices, "{}", case.name);
    }
}

#[test]
fn where_nobody_has_finished_anything_chance_decides() {
    for id in ["aibrix-least-latency", "aibrix-throughput"] {
        let mut world = World::new(3);
        let (mut rule, mut seen) = (rule(id, &[]), [false; 3]);
        for _ in 0..60 {
            let (to, why) = world.send(&mut *rule);
            assert_eq!(why, Why::Drawn);
            seen[usize::from(to)] = true;
        }
        assert_eq!(seen, [true; 3], "{id}");
    }
}

/// A replica that came up a moment ago gets nothing as long as another has finished something,
/// however many wait there.
#[test]
fn a_new_replica_is_passed_over() {
    for (id, by) in [("aibrix-least-latency", By::ExpectedLatency), ("aibrix-throughput", By::MeanTokens)] {
        let mut world = World::new(2);
        world.outstanding = vec![900, 0];
        world.means[0] = Means { requests: 1, queue_s: 60.0, prompt_tokens: 5.0, ..Means::default() };
        let (choice, rows) = world.explained(&mut *rule(id, &[]));
        assert_eq!(choice, Choice::Send { to: 0, why: Why::Least { by }, tied: 1 }, "{id}");
        assert_eq!(rows.iter().map(|row| row.values[0]).collect::<Vec<_>>(), [1.0, 0.0], "{id}");
    }
}
