//! One boundary of the reference engine, in the order of section 2.4.

use tokenyard_fleet::engine::cost::Batch;
use tokenyard_fleet::engine::types::{EngineEvent, Happened, Mode};
use tokenyard_fleet::time::Ps;

use super::member::{Member, Work};
use super::{Mutation, Reference};

impl Reference {
    /// The boundary at `at`: the iteration that ends is settled, the next one is made up.
    pub(super) fn boundary(&mut self, at: Ps, out: &mut Vec<EngineEvent>) {
        self.settle(at, out);
        self.leave_aborted(at, out);
        match self.settings.mode {
            Mode::Chunked => self.plan_chunked(at, out),
            Mode::Continuous => self.plan_continuous(at, out),
            Mode::Static => self.plan_static(at, out),
        }
        self.start(at);
    }

    /// Step 1: what the iteration wrote is in the KV cache; it is published, tokens are emitted.
    fn settle(&mut self, at: Ps, out: &mut Vec<EngineEvent>) {
        let Some(started) = self.started.take() else { return };
        self.iterations += 1;
        self.busy += at - started;
        for place in 0..self.running.len() {
            let member = &mut self.running[place];
            member.kv += match member.work {
                Work::Waits => 0,
                Work::Chunk(tokens) => tokens,
                Work::Token => 1,
            };
            let kv = member.kv;
            self.publish(place, kv);
        }
        for mut member in std::mem::take(&mut self.running) {
            let done = std::mem::replace(&mut member.work, Work::Waits);
            if done != Work::Waits && !member.is_prefilling() {
                self.emit(&mut member, at, out);
            }
            if member.emitted == member.sequence.output {
                self.release(&mut member);
                self.leaving.retain(|id| *id != member.id());
                let what = Happened::Finished { longest_gap: member.longest_gap };
                out.push(EngineEvent { at, id: member.id(), what });
            } else {
                self.running.push(member);
            }
        }
    }

    /// Adds the full blocks among the first `tokens` of a running sequence to the cache.
    pub(super) fn publish(&mut self, place: usize, tokens: u32) {
        if !self.settings.prefix_cache {
            return;
        }
        let everything = self.settings.cache_generated || self.is(Mutation::CacheGeneratedAlways);
        let member = &mut self.running[place];
        let full = tokens / self.settings.block;
        let last = if everything { full } else { full.min(member.prompt_full()) };
        for position in member.path.len() as u32..last {
            let Some(id) = member.block_id(position) else { break };
            self.cache.take(id);
            member.path.push(id);
        }
    }

    fn emit(&mut self, member: &mut Member, at: Ps, out: &mut Vec<EngineEvent>) {
        member.emitted += 1;
        self.generated += 1;
        if member.emitted == 1 {
            out.push(EngineEvent { at, id: member.id(), what: Happened::FirstToken });
        }
        if let Some(last) = member.last_token.replace(at) {
            let gap = at - last;
            *self.gaps.entry(gap).or_default() += 1;
            member.longest_gap = member.longest_gap.max(gap);
        }
    }

    /// Step 2: aborted running sequences leave, in the order of the aborts.
    pub(super) fn leave_aborted(&mut self, at: Ps, out: &mut Vec<EngineEvent>) {
        for id in std::mem::take(&mut self.leaving) {
            let place = self.running.iter().position(|member| member.id() == id);
            let mut member = self.running.remove(place.expect("who finishes leaves the list"));
            self.release(&mut member);
            out.push(EngineEvent { at, id, what: Happened::Aborted });
        }
    }

    /// Step 3: decoders get the blocks their next token needs, and whoever came last makes room.
    /// Says whether anybody was preempted.
    pub(super) fn grow(&mut self, at: Ps, out: &mut Vec<EngineEvent>) -> bool {
        let mut has_preempted = false;
        let decoders = self.running.iter().filter(|member| !member.is_prefilling());
        for id in decoders.map(Member::id).collect::<Vec<_>>() {
            // The decoder itself may be preempted on the way, then it needs nothing any more.
            while let Some(place) = self.running.iter().position(|member| member.id() == id) {
                if !self.running[place].kv.is_multiple_of(self.settings.block) {
                    break;
                }
                if self.claim(1) {
                    self.running[place].blocks += 1;
                    break;
                }
                self.preempt(at, out);
                has_preempted = true;
            }
        }
        has_preempted
    }

    fn preempt(&mut self, at: Ps, out: &mut Vec<EngineEvent>) {
        let oldest = self.is(Mutation::PreemptOldest);
        let mut member = self.running.remove(if oldest { 0 } else { self.running.len() - 1 });
        self.release(&mut member);
        member.kv = 0;
        member.work = Work::Waits;
        member.preempted = true;
        if self.is(Mutation::GapForgetsPreemption) {
            member.last_token = None;
        }
        out.push(EngineEvent { at, id: member.id(), what: Happened::Preempted });
        if self.is(Mutation::PreemptedToBack) {
            self.line.push_back(member);
        } else {
            self.line.push_front(member);
        }
    }

    /// Every decoder takes one token. Says how many they are.
    pub(super) fn decode(&mut self) -> u32 {
        let mut decoders = 0;
        for member in self.running.iter_mut().filter(|member| !member.is_prefilling()) {
            member.work = Work::Token;
            decoders += 1;
        }
        decoders
    }

    /// Step 6: the iteration begins, or the engine is idle.
    fn start(&mut self, at: Ps) {
        if self.running.is_empty() {
            self.next = None;
            return;
        }
        let mut batch = Batch::default();
        for member in &self.running {
            let kv = u64::from(member.kv);
            match member.work {
                Work::Waits => {}
                Work::Chunk(tokens) => {
                    let tokens = u64::from(tokens);
                    batch.prefill += tokens;
                    batch.pairs += tokens * (2 * kv + tokens);
                }
                Work::Token => {
                    batch.decode += 1;
                    batch.kv += if self.is(Mutation::KvReadBeforeWrite) { kv } else { kv + 1 };
                }
            }
        }
        self.started = Some(at);
        self.next = Some(at.saturating_add(self.cost.iteration(batch)));
    }
}
