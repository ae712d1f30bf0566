//! One replica, advanced in bulk between the ticks at which anything can happen.
//!
//! Between two arrivals replicas do not touch each other, so each is advanced alone. A decode
//! tick adds the same number to every member of the batch until the batch changes. Such ticks are
//! only counted (`owed`) and the additions made later, one by one and in order, because `k · per`
//! rounds differently and would move finishing ticks.

use super::engine::{Admission, Fleet, Recorder, Tally};

/// Sequences whose additions run side by side: enough to hide the latency of an addition.
const LANES: usize = 8;

/// State of one replica.
pub(super) struct Replica {
    /// The next tick to process.
    now: u32,
    /// All requests ever routed here, by arrival; those before `head` were admitted.
    queue: Vec<u32>,
    head: usize,
    /// The request in prefill, and the tick in which its prefill ends.
    prefilling: Option<(u32, u32)>,
    /// The running batch, oldest first: request, prompt and output length, tokens generated, the
    /// last in full groups of lanes, of which those past the batch's length are noise.
    batch: Vec<u32>,
    prompt: Vec<f64>,
    target: Vec<f64>,
    generated: Vec<[f64; LANES]>,
    /// Tokens each member gains per decode tick at the present batch size.
    gain: f64,
    /// Decode ticks counted but not yet added to `generated`.
    owed: u32,
    /// Further decode ticks that surely finish nobody.
    quiet: u32,
    /// KV blocks the running batch would use with every output complete.
    reserve: u32,
    /// Whether admission of the head failed since the last member left; blocks in use only grow
    /// until then, so trying again earlier is in vain.
    blocked: bool,
    /// Prefix families remembered, the freshest last.
    cache: Vec<u32>,
    pub(super) served: u32,
    pub(super) prompt_tokens: u64,
    pub(super) prefill_ticks: u32,
    pub(super) decode_ticks: u32,
}

impl Replica {
    /// An idle replica at tick 0.
    pub(super) fn new(fleet: &Fleet<'_>) -> Self {
        Self {
            now: 0,
            queue: Vec::with_capacity(fleet.requests.len() / fleet.replicas as usize + 16),
            head: 0,
            prefilling: None,
            batch: Vec::with_capacity(fleet.max_batch),
            prompt: Vec::with_capacity(fleet.max_batch),
            target: Vec::with_capacity(fleet.max_batch),
            generated: vec![[0.0; LANES]; fleet.max_batch.div_ceil(LANES)],
            gain: 0.0,
            owed: 0,
            quiet: 0,
            reserve: 0,
            blocked: false,
            cache: Vec::with_capacity(fleet.cache_slots + 1),
            served: 0,
            prompt_tokens: 0,
            prefill_ticks: 0,
            decode_ticks: 0,
        }
    }

    /// Queued, prefilling and running requests.
    pub(super) fn outstanding(&self) -> u32 {
        (self.queue.len() - self.head + self.batch.len()) as u32 + u32::from(self.prefilling.is_some())
    }

    /// Requests routed here so far.
    pub(super) fn assigned(&self) -> u32 {
        self.queue.len() as u32
    }

    /// Tokens generated so far per member of the running batch, oldest member first.
    pub(super) fn generated(&mut self) -> &[f64] {
        self.settle();
        &self.generated.as_flattened()[..self.batch.len()]
    }

    /// KV blocks in use by the running batch and the request in prefill.
    pub(super) fn blocks(&mut self, fleet: &Fleet<'_>) -> u32 {
        self.settle();
        let prefill = self.prefilling.map_or(0.0, |(request, _)| fleet.prompt_blocks(request));
        let running = self.prompt.iter().zip(self.generated.as_flattened());
        // Whole numbers far below 2^53, so that the sum is exact.
        running.fold(prefill, |total, (prompt, generated)| total + fleet.blocks(prompt + generated)) as u32
    }

    /// Takes a request into the queue.
    pub(super) fn enqueue(&mut self, request: u32, fleet: &Fleet<'_>) {
        self.queue.push(request);
        self.prompt_tokens += u64::from(fleet.requests[request as usize].prompt_tokens);
    }

    /// Processes all ticks before `until`.
    pub(super) fn advance<R: Recorder>(
        &mut self,
        until: u32,
        fleet: &Fleet<'_>,
        tally: &mut Tally,
        recorder: &mut R,
    ) {
        while self.now < until {
            if let Some((request, last)) = self.prefilling {
                let end = until.min(last.saturating_add(1));
                self.prefill_ticks += end - self.now;
                self.now = end;
                if end > last {
                    self.join(request, last, fleet, tally, recorder);
                }
            } else if self.head < self.queue.len() && !self.blocked {
                self.admit(fleet, tally, recorder);
            } else if self.batch.is_empty() {
                self.now = until;
            } else {
                self.decode(until, fleet, tally, recorder);
            }
        }
    }

    /// Starts the prefill of the queue's head in the current tick, if there is room.
    fn admit<R: Recorder>(&mut self, fleet: &Fleet<'_>, tally: &mut Tally, recorder: &mut R) {
        let index = self.queue[self.head];
        let request = &fleet.requests[index as usize];
        let need = fleet.prompt_blocks(index) as u32;
        // What the batch uses never exceeds its reserve, so the exact count is rarely needed.
        let fits = self.batch.len() < fleet.max_batch
            && (self.reserve + need <= fleet.kv_blocks || self.blocks(fleet) + need <= fleet.kv_blocks);
        if !fits {
            self.blocked = true;
            return;
        }
        let hit = self.cache.contains(&request.prefix_id);
        let cached = if hit { request.prefix_tokens } else { 0 };
        let ticks = request.prompt_tokens.saturating_sub(cached).div_ceil(fleet.prefill_rate).max(1);
        if R::DETAIL {
            let blocks_in_use = self.blocks(fleet);
            let running = self.batch.len() as u32;
            recorder.admitted(index, Admission { tick: self.now, hit, blocks_in_use, running });
        }
        self.head += 1;
        self.prefilling = Some((index, self.now.saturating_add(ticks - 1)));
        tally.prompt_tokens += u64::from(request.prompt_tokens);
        tally.cached_tokens += u64::from(cached);
    }

    /// Moves a request whose prefill ended in tick `last` into the running batch.
    fn join<R: Recorder>(
        &mut self,
        index: u32,
        last: u32,
        fleet: &Fleet<'_>,
        tally: &mut Tally,
        recorder: &mut R,
    ) {
        self.settle();
        let request = &fleet.requests[index as usize];
        self.prefilling = None;
        self.generated.as_flattened_mut()[self.batch.len()] = 0.0;
        self.batch.push(index);
        self.prompt.push(f64::from(request.prompt_tokens));
        self.target.push(f64::from(request.output_tokens));
        self.reserve += fleet.reserve(index);
        self.plan(fleet);
        if fleet.cache_slots > 0 {
            self.cache.retain(|family| *family != request.prefix_id);
            if self.cache.len() == fleet.cache_slots {
                self.cache.remove(0);
            }
            self.cache.push(request.prefix_id);
        }
        tally.ttft.push(last + 1 - request.arrival);
        recorder.first_token(index, last, &self.cache);
    }

    /// Counts decode ticks that finish nobody, or processes one that may.
    fn decode<R: Recorder>(&mut self, until: u32, fleet: &Fleet<'_>, tally: &mut Tally, recorder: &mut R) {
        let ticks = self.quiet.min(until - self.now);
        if ticks > 0 {
            self.owed += ticks;
            self.quiet -= ticks;
            self.decode_ticks += ticks;
            self.now += ticks;
            return;
        }
        self.owed += 1;
        self.settle();
        self.decode_ticks += 1;
        self.retire(fleet, tally, recorder);
        self.now += 1;
    }

    /// Lets those leave that reached their output length in the current tick.
    fn retire<R: Recorder>(&mut self, fleet: &Fleet<'_>, tally: &mut Tally, recorder: &mut R) {
        let generated = self.generated.as_flattened_mut();
        let before = self.batch.len();
        let mut kept = 0;
        for i in 0..before {
            let (index, target, tokens) = (self.batch[i], self.target[i], generated[i]);
            if tokens >= target {
                let request = &fleet.requests[index as usize];
                self.reserve -= fleet.reserve(index);
                tally.e2e.push(self.now + 1 - request.arrival);
                tally.output_tokens += u64::from(request.output_tokens);
                recorder.finished(index, self.now);
            } else {
                self.batch[kept] = index;
                self.prompt[kept] = self.prompt[i];
                self.target[kept] = target;
                generated[kept] = tokens;
                kept += 1;
            }
        }
        if kept < before {
            self.batch.truncate(kept);
            self.prompt.truncate(kept);
            self.target.truncate(kept);
            self.served += (before - kept) as u32;
            self.blocked = false;
            self.plan(fleet);
            tally.end = tally.end.max(self.now + 1);
        }
    }

    /// Finds how many ticks surely finish nobody, after the batch changed.
    fn plan(&mut self, fleet: &Fleet<'_>) {
        let mut least = f64::INFINITY.to_bits();
        for (target, tokens) in self.target.iter().zip(self.generated.as_flattened()) {
            least = least.min((target - tokens).to_bits());
        }
        let least = f64::from_bits(least);
        self.gain = fleet.gain(self.batch.len());
        // The tick that finishes the nearest one is the quotient rounded up, unless the rounding
        // of the additions decides: at most 20 000 of them, each off by at most half a unit in
        // the last place of 1 024, come to 1.4e-6 of the smallest gain. An empty batch gives
        // infinity, which saturates.
        self.quiet = (least / self.gain - 1e-3) as u32;
    }

    /// Makes the additions owed, each sequence `owed` times, one after the other.
    fn settle(&mut self) {
        if self.owed == 0 {
            return;
        }
        for lanes in &mut self.generated[..self.batch.len().div_ceil(LANES)] {
            let mut sums = *lanes;
            for _ in 0..self.owed {
                for sum in &mut sums {
                    *sum += self.gain;
                }
            }
            *lanes = sums;
        }
        self.owed = 0;
    }
}
