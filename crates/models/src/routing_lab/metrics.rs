//! The published metrics of a run.

use tokenyard_det::{Digest, stat};

use super::engine::{Nothing, Tally, simulate};
use super::replica::Replica;
use super::{Params, Rule, Workload};

/// The published metrics, under the oracle's names. All times in ticks. A value that needs at
/// least one finished request (or first token, or admission) is NaN when there is none, which can
/// happen only in a cut run.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Median time to first token, over requests that got one.
    pub ttft_p50: f64,
    /// 95th percentile of the time to first token.
    pub ttft_p95: f64,
    /// Mean time to first token.
    pub ttft_mean: f64,
    /// Median time from arrival to last token, over finished requests.
    pub e2e_p50: f64,
    /// 95th percentile of the time from arrival to last token.
    pub e2e_p95: f64,
    /// Share of first tokens that came within the objective.
    pub slo_attainment: f64,
    /// Output tokens over makespan.
    pub output_tokens_per_tick: f64,
    /// Cached prompt tokens over prompt tokens, both counted at admission.
    pub cache_hit_rate: f64,
    /// Length of the run.
    pub makespan: u32,
    /// Requests routed to each replica.
    pub assigned: Vec<u32>,
    /// Requests each replica finished.
    pub served: Vec<u32>,
    /// Ticks each replica spent on prefill.
    pub prefill_ticks: Vec<u32>,
    /// Ticks each replica spent on decode.
    pub decode_ticks: Vec<u32>,
    /// Most minus fewest requests routed to a replica.
    pub assigned_spread: u32,
    /// Jain's index of prompt tokens routed to each replica.
    pub load_fairness: f64,
    /// Finished requests.
    pub completed: u32,
}

impl Summary {
    /// Computes the metrics.
    pub(super) fn new(replicas: &[Replica], tally: &Tally, ttft_slo: u32) -> Self {
        let each = |f: fn(&Replica) -> u32| replicas.iter().map(f).collect::<Vec<u32>>();
        let assigned = each(Replica::assigned);
        let most = assigned.iter().copied().max().unwrap_or(0);
        let fewest = assigned.iter().copied().min().unwrap_or(0);
        let prompts: Vec<f64> = replicas.iter().map(|r| r.prompt_tokens as f64).collect();
        let [ttft_p50, ttft_p95] = quantiles(&tally.ttft);
        let [e2e_p50, e2e_p95] = quantiles(&tally.e2e);
        let first_tokens = tally.ttft.len() as f64;
        let total: u64 = tally.ttft.iter().map(|t| u64::from(*t)).sum();
        let in_time = tally.ttft.iter().filter(|t| **t <= ttft_slo).count();
        Self {
            ttft_p50,
            ttft_p95,
            ttft_mean: total as f64 / first_tokens,
            e2e_p50,
            e2e_p95,
            slo_attainment: in_time as f64 / first_tokens,
            output_tokens_per_tick: (tally.output_tokens as f64 + tally.partial_tokens)
                / f64::from(tally.end),
            cache_hit_rate: tally.cached_tokens as f64 / tally.prompt_tokens as f64,
            makespan: tally.end,
            served: each(|r| r.served),
            prefill_ticks: each(|r| r.prefill_ticks),
            decode_ticks: each(|r| r.decode_ticks),
            assigned_spread: most - fewest,
            load_fairness: stat::jain(&prompts).unwrap_or(f64::NAN),
            completed: tally.e2e.len() as u32,
            assigned,
        }
    }

    /// Feeds every field.
    pub fn digest(&self, digest: &mut Digest) {
        let latency = [self.ttft_p50, self.ttft_p95, self.ttft_mean, self.e2e_p50, self.e2e_p95];
        let shares =
            [self.slo_attainment, self.output_tokens_per_tick, self.cache_hit_rate, self.load_fairness];
        latency.iter().chain(&shares).for_each(|v| digest.f64(*v));
        [&self.assigned, &self.served, &self.prefill_ticks, &self.decode_ticks]
            .iter()
            .for_each(|column| digest.u32s(column));
        digest.u32s(&[self.makespan, self.assigned_spread, self.completed]);
    }
}

/// Median and 95th percentile.
fn quantiles(values: &[u32]) -> [f64; 2] {
    // Sorted as doubles, which keeps their order: a second sorting routine would be 5 KB of module.
    let mut exact: Vec<f64> = values.iter().map(|v| f64::from(*v)).collect();
    stat::sort(&mut exact);
    [0.5, 0.95].map(|q| stat::quantile(&exact, q).unwrap_or(f64::NAN))
}

/// The metrics of a run without its record, for sweeps: the same engine and the same bits as
/// [`super::run`], at about 60% of its time and without its memory.
#[must_use]
pub fn summarise(params: &Params, workload: &Workload, rule: Rule) -> Summary {
    let (replicas, tally) = simulate(params, workload, rule, &mut Nothing);
    Summary::new(&replicas, &tally, params.ttft_slo)
}
