//! The summary of a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokenyard_det::stat;

use super::outcome::{Outcome, Status};
use crate::record::Decision;
use crate::scenario::Slo;
use crate::time::{Ps, in_ms, in_s};
use crate::world::World;

/// Quantiles of a time in milliseconds, by linear interpolation; all 0 without values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Quantiles {
    pub mean: f64,
    pub p50: f64,
    pub p90: f64,
    pub p95: f64,
    pub p99: f64,
    pub max: f64,
}

impl Quantiles {
    /// Of times in picoseconds. The mean is the exact sum divided once.
    #[must_use]
    pub fn of(mut times: Vec<Ps>) -> Self {
        if times.is_empty() {
            return Self::default();
        }
        times.sort_unstable();
        let total: u128 = times.iter().map(|t| u128::from(*t)).sum();
        let last = times.len() - 1;
        let at = |q: f64| {
            let place = last as f64 * q;
            let (low, part) = (place.floor() as usize, place - place.floor());
            let (a, b) = (in_ms(times[low]), in_ms(times[(low + 1).min(last)]));
            a + (b - a) * part
        };
        Self {
            mean: total as f64 / times.len() as f64 / in_ms_divisor(),
            p50: at(0.50),
            p90: at(0.90),
            p95: at(0.95),
            p99: at(0.99),
            max: in_ms(times[last]),
        }
    }
}

fn in_ms_divisor() -> f64 {
    crate::time::MILLI as f64
}

/// Sums of what decisions lost against fresh data.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Regrets {
    /// Decisions with a counterfactual.
    pub decisions: u64,
    /// Of these, how many chose otherwise than on fresh data.
    pub different: u64,
    /// Mean of attempts more at the chosen replica.
    pub outstanding: f64,
    /// Mean of cached blocks less.
    pub blocks: f64,
    /// Mean of blocks that were believed cached at the chosen replica and were not.
    pub false_hits: f64,
    /// Mean of blocks that were cached there and not believed to be.
    pub false_misses: f64,
}

/// The summary of a run: requests that arrived after the warm-up and have ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Requests counted.
    pub requests: u64,
    /// How many ended in which way, in the order of [`Status`].
    pub ended: BTreeMap<Status, u64>,
    /// Token-weighted prefix cache hit rate of served requests: cached / prompt tokens.
    pub token_hit_rate: f64,
    /// Time to first token.
    pub ttft: Quantiles,
    /// Time per output token after the first.
    pub tpot: Quantiles,
    /// End to end.
    pub e2e: Quantiles,
    /// Until the first admission.
    pub queue: Quantiles,
    /// From the first admission to the first token.
    pub prefill: Quantiles,
    /// Longest gap between two tokens of a request.
    pub longest_gap: Quantiles,
    /// End to end over output tokens.
    pub normalised: Quantiles,
    /// From a session's first arrival to its last end.
    pub session: Quantiles,
    /// Gaps between tokens of all requests, P50, P95 and P99 in ms, ±1%.
    pub gap_ms: [f64; 3],
    /// Share of counted requests that met both objectives.
    pub slo_attainment: f64,
    /// Requests a second that met both objectives.
    pub goodput_rps: f64,
    /// Seconds from the first counted arrival to the last counted end.
    pub duration_s: f64,
    /// Requests served a second.
    pub served_rps: f64,
    /// Output tokens served a second.
    pub output_tps: f64,
    /// Requests served by each replica.
    pub assigned: Vec<u64>,
    /// Share of the run in which each replica was in an iteration.
    pub utilisation: Vec<f64>,
    /// Share of each replica's busy time in iterations with prefill.
    pub prefill_share: Vec<f64>,
    /// Most minus fewest requests served by a replica.
    pub assigned_spread: u64,
    /// Mean coefficient of variation of active blocks over replicas, in 0.5 s steps.
    pub block_cv: f64,
    /// Jain's index of tokens served by each replica.
    pub jain: f64,
    /// Preemptions of counted requests.
    pub preemptions: u64,
    /// Tokens computed again after preemptions.
    pub recomputed_tokens: u64,
    /// Tokens computed by attempts that came to nothing, in the whole run.
    pub wasted_tokens: u64,
    /// Attempts a request.
    pub amplification: f64,
    /// Retries, refused retries, hedges, gateway refusals, breaker openings, in the whole run.
    pub client: [u64; 5],
    /// Regret against fresh data, where decisions were recorded.
    pub regret: Regrets,
    /// Digest of all events.
    pub digest: u64,
    /// Events handled.
    pub events: u64,
}

impl Report {
    /// The summary of what has ended so far.
    #[must_use]
    pub fn of(world: &World) -> Self {
        let warm_up = world.scenario().limits.warm_up;
        let all = world.outcomes().all();
        let counted: Vec<&Outcome> = all.iter().filter(|o| o.arrival >= warm_up).collect();
        let served: Vec<&Outcome> = counted.iter().copied().filter(|o| o.status == Status::Served).collect();
        let times = |of: &dyn Fn(&Outcome) -> Option<Ps>| {
            Quantiles::of(served.iter().filter_map(|o| of(o)).collect())
        };
        let first = counted.iter().map(|o| o.arrival).min().unwrap_or(0);
        let last = counted.iter().map(|o| o.arrival + o.e2e).max().unwrap_or(first);
        let duration_s = in_s(last - first);
        let per_second = |n: f64| if duration_s > 0.0 { n / duration_s } else { 0.0 };
        let sum = |of: &dyn Fn(&Outcome) -> u64| served.iter().map(|o| of(o)).sum::<u64>();
        let prompt = sum(&|o| u64::from(o.prompt));
        let good = good(&served, &world.scenario().slo);
        let requests = counted.len() as u64;
        let (assigned, tokens) = by_replica(&served, world.outstanding().len());
        let gaps = world.gaps();
        let gap = |q| gaps.quantile(q).map_or(0.0, in_ms);
        let run = world.outcomes();
        Self {
            requests,
            ended: counted.iter().fold(BTreeMap::new(), |mut ended, o| {
                *ended.entry(o.status).or_default() += 1;
                ended
            }),
            token_hit_rate: ratio(sum(&|o| u64::from(o.cached)), prompt),
            ttft: times(&|o| Some(o.ttft)),
            tpot: times(&Outcome::tpot),
            e2e: times(&|o| Some(o.e2e)),
            queue: times(&|o| Some(o.queue)),
            prefill: times(&|o| Some(o.ttft - o.queue)),
            longest_gap: times(&|o| (o.output > 1).then_some(o.longest_gap)),
            normalised: times(&|o| Some(o.e2e / u64::from(o.output.max(1)))),
            session: sessions(&counted),
            gap_ms: [gap(0.50), gap(0.95), gap(0.99)],
            slo_attainment: ratio(good, requests),
            goodput_rps: per_second(good as f64),
            duration_s,
            served_rps: per_second(served.len() as f64),
            output_tps: per_second(sum(&|o| u64::from(o.output)) as f64),
            assigned_spread: spread(&assigned),
            assigned,
            utilisation: world.utilisation(),
            prefill_share: world.prefill_share(),
            block_cv: world.samples().block_cv().unwrap_or(0.0),
            jain: stat::jain(&tokens).unwrap_or(1.0),
            preemptions: sum(&|o| u64::from(o.preemptions)),
            recomputed_tokens: sum(&|o| u64::from(o.recomputed)),
            wasted_tokens: run.wasted_tokens,
            amplification: ratio(counted.iter().map(|o| u64::from(o.attempts)).sum(), requests),
            client: [run.retries, run.refused_retries, run.hedges, run.rejections, run.breaker_opens],
            regret: regrets(world.decisions()),
            digest: world.digest(),
            events: world.events(),
        }
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Requests that met both objectives. One token has no time per token to miss.
fn good(served: &[&Outcome], slo: &Slo) -> u64 {
    let met = |o: &&&Outcome| o.ttft <= slo.ttft && o.tpot().is_none_or(|tpot| tpot <= slo.tpot);
    served.iter().filter(met).count() as u64
}

fn spread(assigned: &[u64]) -> u64 {
    let (least, most) = (assigned.iter().min(), assigned.iter().max());
    most.zip(least).map_or(0, |(most, least)| most - least)
}

fn by_replica(served: &[&Outcome], replicas: usize) -> (Vec<u64>, Vec<f64>) {
    let (mut assigned, mut tokens) = (vec![0; replicas], vec![0.0; replicas]);
    for outcome in served {
        if let Some(replica) = outcome.replica {
            assigned[usize::from(replica)] += 1;
            tokens[usize::from(replica)] += f64::from(outcome.prompt) + f64::from(outcome.output);
        }
    }
    (assigned, tokens)
}

/// Completion times of sessions: from the first arrival to the last end of their requests.
fn sessions(counted: &[&Outcome]) -> Quantiles {
    let mut spans: BTreeMap<u32, (Ps, Ps)> = BTreeMap::new();
    for outcome in counted {
        if let Some(session) = outcome.session {
            let end = outcome.arrival + outcome.e2e;
            let span = spans.entry(session).or_insert((outcome.arrival, end));
            *span = (span.0.min(outcome.arrival), span.1.max(end));
        }
    }
    Quantiles::of(spans.values().map(|(from, to)| to - from).collect())
}

fn regrets(decisions: &[Arc<Decision>]) -> Regrets {
    let mut sum = Regrets::default();
    let (mut outstanding, mut blocks, mut hits, mut misses) = (0, 0, 0_u64, 0_u64);
    for decision in decisions {
        if let Some(regret) = decision.regret() {
            sum.decisions += 1;
            sum.different += u64::from(decision.fresh != Some(decision.to));
            outstanding += regret.outstanding;
            blocks += regret.blocks;
            if let Some(chosen) = decision.row(decision.to) {
                hits += u64::from(chosen.believed_overlap.saturating_sub(chosen.overlap));
                misses += u64::from(chosen.overlap.saturating_sub(chosen.believed_overlap));
            }
        }
    }
    if sum.decisions > 0 {
        sum.outstanding = outstanding as f64 / sum.decisions as f64;
        sum.blocks = blocks as f64 / sum.decisions as f64;
        sum.false_hits = hits as f64 / sum.decisions as f64;
        sum.false_misses = misses as f64 / sum.decisions as f64;
    }
    sum
}
