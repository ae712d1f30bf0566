//! Drives arrivals, replicas and samples in the order of ticks.
//!
//! One engine serves both the full record and the sweeps: what a [`Recorder`] ignores is compiled
//! away, and what it asks for (looking at every replica at every arrival and sample) changes no
//! bit of the result.

use super::replica::Replica;
use super::rule::{Chooser, Reason, Rule};
use super::{MAX_TICK, Params, Request, Workload};

/// What a run tells whoever records it.
pub(super) trait Recorder {
    /// Whether loads, blocks and samples are wanted at all.
    const DETAIL: bool;
    /// A request was routed. `loads` and `blocks` are per replica, before the dispatch; `blocks`
    /// is empty unless the rule read it.
    fn decided(&mut self, at: Dispatch, reason: Reason, loads: &[u32], blocks: &[u32]);
    /// A request went from the queue into prefill.
    fn admitted(&mut self, request: u32, admission: Admission);
    /// A request's prefill ended in `tick`; the replica's prefix families are now `cache`.
    fn first_token(&mut self, request: u32, tick: u32, cache: &[u32]);
    /// A request reached its output length in `tick`.
    fn finished(&mut self, request: u32, tick: u32);
    /// The state of a replica after `tick`; called for all replicas in index order.
    fn sampled(&mut self, tick: u32, outstanding: u32, generated: &[f64]);
}

/// Which request went where, and when.
#[derive(Clone, Copy)]
pub(super) struct Dispatch {
    pub(super) tick: u32,
    pub(super) request: u32,
    pub(super) replica: u32,
}

/// The state of a replica when it admitted a request, that request not included.
#[derive(Clone, Copy)]
pub(super) struct Admission {
    pub(super) tick: u32,
    pub(super) hit: bool,
    pub(super) blocks_in_use: u32,
    pub(super) running: u32,
}

/// Records nothing.
pub(super) struct Nothing;

impl Recorder for Nothing {
    const DETAIL: bool = false;
    fn decided(&mut self, _: Dispatch, _: Reason, _: &[u32], _: &[u32]) {}
    fn admitted(&mut self, _: u32, _: Admission) {}
    fn first_token(&mut self, _: u32, _: u32, _: &[u32]) {}
    fn finished(&mut self, _: u32, _: u32) {}
    fn sampled(&mut self, _: u32, _: u32, _: &[f64]) {}
}

/// What all replicas share and no tick changes.
pub(super) struct Fleet<'a> {
    pub(super) requests: &'a [Request],
    pub(super) replicas: u32,
    pub(super) max_batch: usize,
    pub(super) kv_blocks: u32,
    pub(super) prefill_rate: u32,
    /// 0 when the prefix cache is off.
    pub(super) cache_slots: usize,
    block_tokens: f64,
    /// Tokens per decode tick and sequence, by batch size.
    gains: Vec<f64>,
}

impl<'a> Fleet<'a> {
    fn new(params: &Params, workload: &'a Workload) -> Self {
        let max_batch = params.max_batch.max(1) as usize;
        let gain = |batch: usize| {
            params.decode_tokens_per_tick / (1.0 + params.batch_penalty * (batch as f64 - 1.0))
        };
        Self {
            requests: workload.requests(),
            replicas: params.replicas.max(1),
            max_batch,
            kv_blocks: params.kv_blocks,
            prefill_rate: params.prefill_tokens_per_tick.max(1),
            cache_slots: if params.prefix_cache { params.prefix_cache_slots as usize } else { 0 },
            block_tokens: f64::from(params.block_tokens.max(1)),
            gains: (0..=max_batch).map(gain).collect(),
        }
    }

    /// Blocks that hold `tokens` tokens, the last one maybe in part: a whole number.
    pub(super) fn blocks(&self, tokens: f64) -> f64 {
        (tokens / self.block_tokens).ceil()
    }

    /// Blocks of a request's prompt.
    pub(super) fn prompt_blocks(&self, request: u32) -> f64 {
        self.blocks(f64::from(self.requests[request as usize].prompt_tokens))
    }

    /// Blocks a request uses once its output is complete.
    pub(super) fn reserve(&self, request: u32) -> u32 {
        let request = &self.requests[request as usize];
        self.blocks(f64::from(request.prompt_tokens) + f64::from(request.output_tokens)) as u32
    }

    /// Tokens each sequence of a batch of this size gains per decode tick.
    pub(super) fn gain(&self, batch: usize) -> f64 {
        self.gains[batch]
    }
}

/// Totals every run needs, whether it is recorded or not.
#[derive(Default)]
pub(super) struct Tally {
    /// TTFT of every request that got a first token, in no particular order.
    pub(super) ttft: Vec<u32>,
    /// E2E of every finished request, in no particular order.
    pub(super) e2e: Vec<u32>,
    /// Prompt tokens at admission, and those of them that were cached.
    pub(super) prompt_tokens: u64,
    pub(super) cached_tokens: u64,
    /// Output tokens of finished requests.
    pub(super) output_tokens: u64,
    /// Output tokens of requests a cut run left unfinished.
    pub(super) partial_tokens: f64,
    /// One after the last tick in which a request finished; the whole run's length at the end.
    pub(super) end: u32,
    pub(super) cut: bool,
}

/// Runs a rule over a workload. Cost: the additions of every decoded token, plus work per
/// arrival, admission and departure; idle ticks cost nothing.
pub(super) fn simulate<R: Recorder>(
    params: &Params,
    workload: &Workload,
    rule: Rule,
    recorder: &mut R,
) -> (Vec<Replica>, Tally) {
    let mut engine = Engine::new(params, workload, recorder);
    let mut chooser = Chooser::new(rule, workload.requests());
    let all = R::DETAIL || rule.reads_load();
    let mut arrived = true;
    for (index, request) in workload.requests().iter().enumerate() {
        if request.arrival > MAX_TICK {
            arrived = false;
            break;
        }
        let tick = request.arrival;
        engine.sample_before(tick);
        if all {
            engine.advance(tick);
            engine.look(rule);
        }
        let (replica, reason) =
            chooser.choose(request, engine.fleet.replicas, &engine.loads, &engine.blocks, params);
        let at = Dispatch { tick, request: index as u32, replica };
        engine.recorder.decided(at, reason, &engine.loads, &engine.blocks);
        engine.dispatch(at);
    }
    engine.finish(arrived)
}

struct Engine<'a, R> {
    fleet: Fleet<'a>,
    replicas: Vec<Replica>,
    tally: Tally,
    recorder: &'a mut R,
    loads: Vec<u32>,
    blocks: Vec<u32>,
    sample_every: u32,
    next_sample: u32,
}

impl<'a, R: Recorder> Engine<'a, R> {
    fn new(params: &Params, workload: &'a Workload, recorder: &'a mut R) -> Self {
        let fleet = Fleet::new(params, workload);
        let replicas: Vec<Replica> = (0..fleet.replicas).map(|_| Replica::new(&fleet)).collect();
        let count = workload.requests().len();
        let tally =
            Tally { ttft: Vec::with_capacity(count), e2e: Vec::with_capacity(count), ..Tally::default() };
        Self {
            loads: Vec::with_capacity(replicas.len()),
            blocks: Vec::with_capacity(replicas.len()),
            fleet,
            replicas,
            tally,
            recorder,
            sample_every: sample_interval(workload.requests()),
            next_sample: 0,
        }
    }

    /// Lets all replicas process the ticks before `until`.
    fn advance(&mut self, until: u32) {
        for replica in &mut self.replicas {
            replica.advance(until, &self.fleet, &mut self.tally, self.recorder);
        }
    }

    /// Reads the load of all replicas, and their blocks if the rule needs them.
    fn look(&mut self, rule: Rule) {
        self.loads.clear();
        self.loads.extend(self.replicas.iter().map(Replica::outstanding));
        if rule == Rule::LeastKv {
            self.blocks.clear();
            self.blocks.extend(self.replicas.iter_mut().map(|r| r.blocks(&self.fleet)));
        }
    }

    fn dispatch(&mut self, at: Dispatch) {
        let replica = &mut self.replicas[at.replica as usize];
        replica.advance(at.tick, &self.fleet, &mut self.tally, self.recorder);
        replica.enqueue(at.request, &self.fleet);
    }

    /// Takes the samples due after ticks before `tick`.
    fn sample_before(&mut self, tick: u32) {
        while R::DETAIL && self.next_sample < tick {
            self.sample();
        }
    }

    fn sample(&mut self) {
        let tick = self.next_sample;
        self.advance(tick + 1);
        for replica in &mut self.replicas {
            let outstanding = replica.outstanding();
            self.recorder.sampled(tick, outstanding, replica.generated());
        }
        self.next_sample += self.sample_every;
    }

    fn idle(&self) -> bool {
        self.replicas.iter().all(|r| r.outstanding() == 0)
    }

    /// Runs out the clock after the last arrival that came in time.
    fn finish(mut self, arrived: bool) -> (Vec<Replica>, Tally) {
        // A sample tick past the end is not part of the run: look only where work is left before it.
        while R::DETAIL && self.next_sample <= MAX_TICK {
            self.advance(self.next_sample);
            if arrived && self.idle() {
                break;
            }
            self.sample();
        }
        self.advance(MAX_TICK + 1);
        self.tally.cut = !(arrived && self.idle());
        if self.tally.cut {
            self.tally.end = MAX_TICK + 1;
            for replica in &mut self.replicas {
                self.tally.partial_tokens =
                    replica.generated().iter().fold(self.tally.partial_tokens, |total, g| total + g);
            }
        }
        (self.replicas, self.tally)
    }
}

/// Ticks between two samples of the timeline: about sixty until the last arrival.
pub(super) fn sample_interval(requests: &[Request]) -> u32 {
    let last = requests.last().map_or(0, |r| r.arrival);
    // Half up, as the published model rounds.
    ((f64::from(last) / 60.0 + 0.5).floor() as u32).max(1)
}
