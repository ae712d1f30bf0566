//! Who gets what in the next iteration of the reference engine: sections 2.3, 2.4 (steps 4 and 5)
//! and 2.5.

use tokenyard_fleet::engine::types::{EngineEvent, Happened};
use tokenyard_fleet::time::Ps;

use super::calls::need;
use super::member::{Member, Work};
use super::{Mutation, Reference};

impl Reference {
    /// Chunked: growth, then tokens and chunks within the budget, then new sequences.
    pub(super) fn plan_chunked(&mut self, at: Ps, out: &mut Vec<EngineEvent>) {
        let grow_last = self.is(Mutation::AdmitBeforeGrowth);
        let has_preempted = !grow_last && self.grow(at, out);
        let cap = self.settings.long_prefill.unwrap_or(u32::MAX);
        let mut left = self.settings.budget;
        let decoders = self.decode();
        if !self.is(Mutation::BudgetIgnoresDecoders) {
            left -= decoders;
        }
        for place in 0..self.running.len() {
            let member = &self.running[place];
            if member.is_prefilling() {
                let tokens = (member.target - member.kv).min(cap).min(left);
                self.chunk(place, tokens);
                left -= tokens;
            }
        }
        if !has_preempted || self.is(Mutation::AdmitAfterPreemption) {
            let within = |computed: u32, left: u32| (left > 0).then(|| computed.min(cap).min(left));
            while let Some(tokens) = self.admit_head(at, |computed| within(computed, left), out) {
                left -= tokens;
            }
        }
        if grow_last {
            self.grow(at, out);
        }
    }

    /// Continuous: an iteration that admits is prefill only, any other is decode only.
    pub(super) fn plan_continuous(&mut self, at: Ps, out: &mut Vec<EngineEvent>) {
        if !self.admit_whole(at, out) {
            self.grow(at, out);
            self.decode();
        }
    }

    /// Static: a batch begins when nothing runs and is complete when a boundary admits nobody.
    pub(super) fn plan_static(&mut self, at: Ps, out: &mut Vec<EngineEvent>) {
        self.filling |= self.running.is_empty();
        self.filling = self.filling && self.admit_whole(at, out);
        if !self.filling {
            self.grow(at, out);
            self.decode();
        }
    }

    /// Admits whole targets while their sum fits the budget, the first whatever its length. Says
    /// whether there was one.
    fn admit_whole(&mut self, at: Ps, out: &mut Vec<EngineEvent>) -> bool {
        let budget = u64::from(self.settings.budget);
        let (mut is_first, mut sum) = (true, 0);
        let fits = |computed: u32, is_first: bool, sum: u64| {
            (is_first || sum + u64::from(computed) <= budget).then_some(computed)
        };
        while let Some(tokens) = self.admit_head(at, |computed| fits(computed, is_first, sum), out) {
            is_first = false;
            sum += u64::from(tokens);
        }
        !is_first
    }

    /// Admits the head of the line if there is a slot, a chunk (`chunk_of` says which, for the
    /// tokens that must be computed) and the blocks. Returns the chunk.
    fn admit_head(
        &mut self,
        at: Ps,
        chunk_of: impl Fn(u32) -> Option<u32>,
        out: &mut Vec<EngineEvent>,
    ) -> Option<u32> {
        let block = self.settings.block;
        if self.running.len() >= self.settings.max_seqs as usize {
            return None;
        }
        let head = self.line.front()?;
        let target = head.sequence.prompt + head.emitted;
        let path = self.hit(head, target);
        let cached = path.len() as u32 * block;
        let tokens = chunk_of(target - cached)?;
        path.iter().for_each(|id| self.cache.take(*id));
        if !self.claim(need(target, block) - path.len() as u32) {
            self.put_back(&path);
            self.line.front_mut()?.failed_hits.get_or_insert(path.len());
            return None;
        }
        let mut member = self.line.pop_front()?;
        let what = Happened::Admitted { cached, computed: target - cached };
        out.push(EngineEvent { at, id: member.id(), what });
        member.target = target;
        member.kv = cached;
        member.blocks = need(target, block);
        member.path = path;
        member.failed_hits = None;
        self.running.push(member);
        self.chunk(self.running.len() - 1, tokens);
        Some(tokens)
    }

    /// The longest cached prefix of the chain of a target that leaves a token to compute.
    fn hit(&self, member: &Member, target: u32) -> Vec<u64> {
        let most = if self.is(Mutation::HitWholePrompt) { target } else { target - 1 };
        let ids = (0..most / self.settings.block).map_while(|position| member.block_id(position));
        let kept = member.failed_hits.filter(|_| self.is(Mutation::HeadKeepsItsHits));
        ids.take_while(|id| self.cache.contains(*id)).take(kept.unwrap_or(usize::MAX)).collect()
    }

    /// Drops the references of an admission that failed.
    fn put_back(&mut self, path: &[u64]) {
        for id in path.iter().rev() {
            if self.is(Mutation::FailedAdmissionTouches) {
                self.cache.release(*id);
            } else {
                self.cache.untake(*id);
            }
        }
    }

    fn chunk(&mut self, place: usize, tokens: u32) {
        let member = &mut self.running[place];
        // A prefill that gets nothing waits. (A target without a token to compute exists only as a
        // fault.)
        member.work = if tokens > 0 || !member.is_prefilling() { Work::Chunk(tokens) } else { Work::Waits };
        let written = member.kv + tokens;
        if self.is(Mutation::PublishAtStart) {
            self.publish(place, written);
        }
    }
}
