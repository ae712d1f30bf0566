//! The routing lab read plainly from its specification: every tick, every replica, every addition.

use std::collections::VecDeque;

use tokenyard_det::Mulberry32;
use tokenyard_models::routing_lab::{MAX_TICK, Params, RequestRecord, Rule, Workload};

/// The rules of the specification, one tick after the other.
pub(crate) struct Plain<'a> {
    params: &'a Params,
    workload: &'a Workload,
    pub(crate) replicas: Vec<PlainReplica>,
    pub(crate) records: Vec<RequestRecord>,
    pub(crate) caches: Vec<Vec<u32>>,
    /// Outstanding and generated tokens of all replicas at each sample.
    pub(crate) samples: Vec<(u32, Vec<u32>, Vec<Vec<f64>>)>,
    pub(crate) loads: Vec<Vec<u32>>,
    pub(crate) peak_blocks: u32,
    pub(crate) end: u32,
}

#[derive(Default)]
pub(crate) struct PlainReplica {
    queue: VecDeque<usize>,
    prefill: Option<(usize, i64)>,
    running: Vec<(usize, f64)>,
    cache: Vec<u32>,
    pub(crate) prefill_ticks: u32,
    pub(crate) decode_ticks: u32,
}

impl PlainReplica {
    fn outstanding(&self) -> u32 {
        (self.queue.len() + self.running.len() + usize::from(self.prefill.is_some())) as u32
    }
}

fn first_least(values: &[u32]) -> usize {
    (0..values.len()).min_by_key(|i| values[*i]).unwrap()
}

impl<'a> Plain<'a> {
    pub(crate) fn simulate(params: &'a Params, workload: &'a Workload, rule: Rule) -> Self {
        let count = workload.requests().len();
        let mut plain = Self {
            params,
            workload,
            replicas: (0..params.replicas).map(|_| PlainReplica::default()).collect(),
            records: vec![RequestRecord::default(); count],
            caches: vec![Vec::new(); count],
            samples: Vec::new(),
            loads: Vec::new(),
            peak_blocks: 0,
            end: 0,
        };
        let mut rng = Mulberry32::new(0x5EED ^ count as u32 ^ rule.id().len() as u32);
        let mut owners = vec![None; params.prefix_families as usize];
        let last = workload.requests()[count - 1].arrival;
        let every = (f64::from(last) / 60.0).round().max(1.0) as u32;
        let mut next = 0;
        for tick in 0..=MAX_TICK {
            while next < count && workload.requests()[next].arrival <= tick {
                plain.route(rule, next, &mut rng, &mut owners);
                next += 1;
            }
            (0..plain.replicas.len()).for_each(|r| plain.step(r, tick));
            if tick % every == 0 {
                plain.sample(tick);
            }
            plain.end = tick + 1;
            if next == count && plain.replicas.iter().all(|r| r.outstanding() == 0) {
                break;
            }
        }
        plain
    }

    /// Output tokens made so far, those of unfinished requests included.
    pub(crate) fn output_tokens(&self) -> f64 {
        let finished =
            self.records.iter().zip(self.workload.requests()).filter(|(r, _)| r.finished.is_some());
        let whole: u32 = finished.map(|(_, q)| q.output_tokens).sum();
        f64::from(whole) + self.replicas.iter().flat_map(|r| &r.running).map(|(_, g)| g).sum::<f64>()
    }

    fn route(&mut self, rule: Rule, index: usize, rng: &mut Mulberry32, owners: &mut [Option<usize>]) {
        let n = self.params.replicas;
        let q = &self.workload.requests()[index];
        let loads: Vec<u32> = self.replicas.iter().map(PlainReplica::outstanding).collect();
        let chosen = match rule {
            Rule::Random => rng.uniform_int(n) as usize,
            Rule::RoundRobin => index % n as usize,
            Rule::LeastOutstanding => first_least(&loads),
            Rule::PowerOfTwo => {
                let (a, b) = (rng.uniform_int(n) as usize, rng.uniform_int(n) as usize);
                if loads[b] < loads[a] { b } else { a }
            }
            Rule::LeastKv => {
                let score = |r: usize| 1_000 * self.blocks(r) + loads[r];
                first_least(&(0..n as usize).map(score).collect::<Vec<_>>())
            }
            Rule::PrefixAware => {
                let (max, min) = (*loads.iter().max().unwrap(), *loads.iter().min().unwrap());
                let imbalanced = max - min > self.params.balance_abs_threshold
                    && f64::from(max) > f64::from(min) * self.params.balance_rel_threshold;
                let share = f64::from(q.prefix_tokens) / f64::from(q.prompt_tokens);
                owners[q.prefix_id as usize]
                    .filter(|_| !imbalanced && share > self.params.cache_threshold)
                    .unwrap_or_else(|| first_least(&loads))
            }
        };
        owners[q.prefix_id as usize] = Some(chosen);
        self.records[index].replica = Some(chosen as u32);
        self.replicas[chosen].queue.push_back(index);
        self.loads.push(loads);
    }

    fn blocks(&self, replica: usize) -> u32 {
        let size = f64::from(self.params.block_tokens);
        let of = |i: usize, g: f64| {
            ((f64::from(self.workload.requests()[i].prompt_tokens) + g) / size).ceil() as u32
        };
        let replica = &self.replicas[replica];
        let prefill = replica.prefill.map_or(0, |(i, _)| of(i, 0.0));
        prefill + replica.running.iter().map(|(i, g)| of(*i, *g)).sum::<u32>()
    }

    fn step(&mut self, at: usize, tick: u32) {
        self.admit(at, tick);
        let params = self.params;
        let replica = &mut self.replicas[at];
        if let Some((index, left)) = replica.prefill {
            replica.prefill_ticks += 1;
            let left = left - i64::from(params.prefill_tokens_per_tick);
            replica.prefill = Some((index, left)).filter(|_| left > 0);
            if left <= 0 {
                let q = &self.workload.requests()[index];
                replica.running.push((index, 0.0));
                self.records[index].prefilled = Some(tick);
                self.records[index].ttft = Some(tick + 1 - q.arrival);
                if params.prefix_cache {
                    replica.cache.retain(|f| *f != q.prefix_id);
                    replica.cache.push(q.prefix_id);
                    let surplus = replica.cache.len().saturating_sub(params.prefix_cache_slots as usize);
                    replica.cache.drain(..surplus);
                }
                self.caches[index] = replica.cache.clone();
            }
        } else if !replica.running.is_empty() {
            replica.decode_ticks += 1;
            let others = replica.running.len() as f64 - 1.0;
            let gain = params.decode_tokens_per_tick / (1.0 + params.batch_penalty * others);
            for (index, generated) in &mut replica.running {
                *generated += gain;
                let q = &self.workload.requests()[*index];
                if *generated >= f64::from(q.output_tokens) {
                    self.records[*index].finished = Some(tick);
                    self.records[*index].e2e = Some(tick + 1 - q.arrival);
                }
            }
            replica.running.retain(|(index, _)| self.records[*index].finished.is_none());
        }
        self.peak_blocks = self.peak_blocks.max(self.blocks(at));
    }

    fn admit(&mut self, at: usize, tick: u32) {
        let Some(&index) = self.replicas[at].queue.front() else { return };
        let running = self.replicas[at].running.len() as u32;
        if self.replicas[at].prefill.is_some() || running >= self.params.max_batch {
            return;
        }
        let q = &self.workload.requests()[index];
        let in_use = self.blocks(at);
        if in_use + q.prompt_tokens.div_ceil(self.params.block_tokens) > self.params.kv_blocks {
            return;
        }
        let replica = &mut self.replicas[at];
        replica.queue.pop_front();
        let hit = replica.cache.contains(&q.prefix_id);
        let left = i64::from(q.prompt_tokens) - if hit { i64::from(q.prefix_tokens) } else { 0 };
        replica.prefill = Some((index, left));
        let record = &mut self.records[index];
        record.admitted = Some(tick);
        record.cache_hit = hit;
        record.blocks_at_admission = in_use;
        record.running_at_admission = running;
    }

    fn sample(&mut self, tick: u32) {
        let loads = self.replicas.iter().map(PlainReplica::outstanding).collect();
        let generated = self.replicas.iter().map(|r| r.running.iter().map(|(_, g)| *g).collect());
        self.samples.push((tick, loads, generated.collect()));
    }
}
