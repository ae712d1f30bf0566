//! The reference engine as others see it: what it holds, and the calls from outside.

use std::collections::{BTreeMap, VecDeque};

use tokenyard_fleet::chain::Chain;
use tokenyard_fleet::engine::cost::Cost;
use tokenyard_fleet::engine::types::{EngineEvent, EngineSettings, Happened, Look, Order, Sequence};
use tokenyard_fleet::time::Ps;

use super::cache::Cache;
use super::member::Member;
use super::{Engine, Mutation};

/// One replica, one iteration at a time.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(super) settings: EngineSettings,
    pub(super) mutation: Option<Mutation>,
    /// The coefficients at the present speed.
    pub(super) cost: Cost,
    pub(super) per_mille: u32,
    /// Waiting sequences in the order in which they will be admitted.
    pub(super) line: VecDeque<Member>,
    /// Running sequences in order of admission.
    pub(super) running: Vec<Member>,
    /// Running sequences that leave at the next boundary, in the order of the aborts.
    pub(super) leaving: Vec<u32>,
    pub(super) cache: Cache,
    /// When the iteration in progress began.
    pub(super) started: Option<Ps>,
    pub(super) next: Option<Ps>,
    /// Static: the batch is still being made.
    pub(super) filling: bool,
    pub(super) gaps: BTreeMap<Ps, u64>,
    pub(super) iterations: u64,
    pub(super) busy: Ps,
    pub(super) generated: u64,
}

impl Reference {
    /// An idle engine with a fault, or without.
    pub(crate) fn with(settings: &EngineSettings, mutation: Option<Mutation>) -> Self {
        Self {
            settings: *settings,
            mutation,
            cost: settings.cost,
            per_mille: 1_000,
            line: VecDeque::new(),
            running: Vec::new(),
            leaving: Vec::new(),
            cache: Cache::default(),
            started: None,
            next: None,
            filling: false,
            gaps: BTreeMap::new(),
            iterations: 0,
            busy: 0,
            generated: 0,
        }
    }

    pub(super) fn is(&self, mutation: Mutation) -> bool {
        self.mutation == Some(mutation)
    }

    /// Referenced cached blocks and private blocks.
    pub(super) fn in_use(&self) -> u32 {
        self.cache.referenced() + self.running.iter().map(Member::private).sum::<u32>()
    }

    /// Claims blocks, evicting idle ones where too few are free. Nothing happens if it fails.
    pub(super) fn claim(&mut self, blocks: u32) -> bool {
        let idle = self.cache.idle();
        let free = self.settings.capacity - self.in_use() - idle;
        if blocks > free + idle {
            return false;
        }
        for _ in free..blocks {
            self.cache.evict();
        }
        true
    }

    /// Frees a sequence's private blocks and drops its references. It is no longer running.
    pub(super) fn release(&mut self, member: &mut Member) {
        if self.is(Mutation::EvictParentFirst) {
            member.path.reverse();
        }
        while let Some(deepest) = member.path.pop() {
            self.cache.release(deepest);
        }
        member.blocks = 0;
    }

    /// Ids in the line and running.
    pub(crate) fn known(&self) -> Vec<u32> {
        self.line.iter().chain(&self.running).map(Member::id).collect()
    }

    /// The tokens a sequence has emitted, if it is inside.
    pub(crate) fn emitted(&self, id: u32) -> Option<u32> {
        let mut inside = self.line.iter().chain(&self.running);
        inside.find(|member| member.id() == id).map(|member| member.emitted)
    }
}

/// ⌈tokens / block⌉.
pub(super) fn need(tokens: u32, block: u32) -> u32 {
    tokens.div_ceil(block)
}

impl Engine for Reference {
    fn new(settings: &EngineSettings) -> Self {
        Self::with(settings, None)
    }

    fn enqueue(&mut self, at: Ps, sequence: Sequence, out: &mut Vec<EngineEvent>) {
        let longest = u64::from(sequence.prompt) + u64::from(sequence.output) - 1;
        if longest.div_ceil(u64::from(self.settings.block)) > u64::from(self.settings.capacity) {
            out.push(EngineEvent { at, id: sequence.id, what: Happened::Refused });
            return;
        }
        let member = Member::new(sequence, self.settings.block);
        match self.settings.order {
            Order::First => self.line.push_back(member),
            Order::Last => {
                let preempted = self.line.iter().take_while(|waiting| waiting.preempted).count();
                self.line.insert(preempted, member);
            }
        }
        if self.next.is_none() {
            self.next = Some(at);
        }
    }

    fn abort(&mut self, at: Ps, id: u32, out: &mut Vec<EngineEvent>) {
        if let Some(place) = self.line.iter().position(|member| member.id() == id) {
            self.line.remove(place);
            out.push(EngineEvent { at, id, what: Happened::Aborted });
        } else if self.running.iter().any(|member| member.id() == id) && !self.leaving.contains(&id) {
            self.leaving.push(id);
        }
        if self.is(Mutation::AbortImmediately) {
            self.leave_aborted(at, out);
        }
    }

    fn fail(&mut self, at: Ps, out: &mut Vec<EngineEvent>) {
        let mut lost = std::mem::take(&mut self.running);
        lost.iter_mut().for_each(|member| self.release(member));
        lost.extend(self.line.drain(..));
        out.extend(lost.iter().map(|member| EngineEvent { at, id: member.id(), what: Happened::Lost }));
        if !self.is(Mutation::KeepCacheOnFailure) {
            self.cache.clear();
        }
        self.leaving.clear();
        self.started = None;
        self.next = None;
    }

    fn set_speed(&mut self, _at: Ps, per_mille: u32) {
        self.per_mille = per_mille;
        self.cost = self.settings.cost.at_speed(per_mille);
    }

    fn next(&self) -> Option<Ps> {
        self.next
    }

    fn run(&mut self, out: &mut Vec<EngineEvent>) {
        if let Some(at) = self.next {
            self.boundary(at, out);
        }
    }

    fn look(&mut self, _at: Ps) -> Look {
        let prefilling = || self.running.iter().filter(|member| member.is_prefilling());
        Look {
            waiting: self.line.len() as u32,
            waiting_tokens: self
                .line
                .iter()
                .map(|member| u64::from(member.sequence.prompt + member.emitted))
                .sum(),
            running: self.running.len() as u32,
            prefilling: prefilling().count() as u32,
            in_use: self.in_use(),
            idle: self.cache.idle(),
            prefill_left: prefilling().map(|member| u64::from(member.target - member.kv)).sum(),
            iterations: self.iterations,
            busy: self.busy,
            generated: self.generated,
        }
    }

    fn hits(&mut self, _at: Ps, chain: &Chain) -> u32 {
        chain.ids().take_while(|id| self.cache.contains(*id)).count() as u32
    }

    fn gaps(&self) -> Vec<(Ps, u64)> {
        self.gaps.iter().map(|(gap, times)| (*gap, *times)).collect()
    }
}
