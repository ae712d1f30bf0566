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
    /// The running batch, oldest first: request, output length, tokens generated. Columns of
    /// equal length.
    batch: Vec<u32>,
    target: Vec<f64>,
    generated: Vec<f64>,
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
            target: Vec::with_capacity(fleet.max_batch),
            generated: Vec::with_capacity(fleet.max_batch),
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
        &self.generated
    }

    /// KV blocks in use by the running batch and the request in prefill.
    pub(super) fn blocks(&mut self, fleet: &Fleet<'_>) -> u32 {
        self.settle();
        let prefill = self.prefilling.map_or(0, |(request, _)| fleet.blocks(fleet.prompt(request)));
        self.batch.iter().zip(&self.generated).fold(prefill, |total, (request, generated)| {
            total + fleet.blocks(fleet.prompt(*request) + generated)
        })
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
        let need = fleet.blocks(f64::from(request.prompt_tokens));
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
        self.batch.push(index);
        self.target.push(f64::from(request.output_tokens));
        self.generated.push(0.0);
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
        let before = self.batch.len();
        let mut kept = 0;
        for i in 0..before {
            let index = self.batch[i];
            if self.generated[i] >= self.target[i] {
                let request = &fleet.requests[index as usize];
                self.reserve -= fleet.reserve(index);
                tally.e2e.push(self.now + 1 - request.arrival);
                tally.output_tokens += u64::from(request.output_tokens);
                recorder.finished(index, self.now);
            } else {
                self.batch[kept] = index;
                self.target[kept] = self.target[i];
                self.generated[kept] = self.generated[i];
                kept += 1;
            }
        }
        if kept < before {
            self.batch.truncate(kept);
            self.target.truncate(kept);
            self.generated.truncate(kept);
            self.served += (before - kept) as u32;
            self.blocked = false;
            self.plan(fleet);
            tally.end = tally.end.max(self.now + 1);
        }
    }

    /// Finds how many ticks surely finish nobody, after the batch changed.
    fn plan(&mut self, fleet: &Fleet<'_>) {
        let least = self.target.iter().zip(&self.generated).fold(f64::INFINITY, |low, (t, g)| low.min(t - g));
        // One tick less than the exact quotient: the rounding of a few thousand additions is many
        // orders of magnitude below one tick's gain. An empty batch gives infinity, saturated.
        self.gain = fleet.gain(self.batch.len());
        self.quiet = ((least / self.gain) as u32).saturating_sub(1);
    }

    /// Makes the additions owed, each sequence `owed` times, one after the other.
    fn settle(&mut self) {
        if self.owed == 0 || self.batch.is_empty() {
            return;
        }
        for group in self.generated.chunks_mut(LANES) {
            let mut lanes = [0.0; LANES];
            lanes[..group.len()].copy_from_slice(group);
            for _ in 0..self.owed {
                for lane in &mut lanes {
                    *lane += self.gain;
                }
            }
            group.copy_from_slice(&lanes[..group.len()]);
        }
        self.owed = 0;
    }
}
