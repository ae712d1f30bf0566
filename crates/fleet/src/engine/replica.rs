//! The engine proper: a replica that advances many decode iterations at a time.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::chain::Run;
use crate::engine::cache::PrefixCache;
use crate::engine::cost::Cost;
use crate::engine::finishes::Finishes;
use crate::engine::gaps::{Gaps, Longest};
use crate::engine::line::{Line, Waiting};
use crate::engine::residues::Residues;
use crate::engine::seq::{Named, Seq, Stage};
use crate::engine::stretch::Stretch;
use crate::engine::types::{EngineEvent, EngineSettings, Happened, Look, Mode, Order, Sequence};
use crate::time::Ps;

/// A place in the table of sequences.
pub(crate) type Slot = u32;

/// A change of a replica's prefix cache, for whoever follows it by events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheChange {
    /// When.
    pub at: Ps,
    /// Consecutive ids.
    pub run: Run,
    /// Stored, or removed.
    pub stored: bool,
}

/// What engines write to: events in order, and every gap between tokens.
#[derive(Clone, Debug, Default)]
pub struct Out {
    /// What happened, in order, until somebody takes it out.
    pub events: Vec<EngineEvent>,
    /// Gaps between tokens, of all engines that write here.
    pub gaps: Gaps,
    /// Empty between boundaries; keeps its room.
    pub(crate) prefilled: Vec<Slot>,
}

/// One replica. The fields stand in the order of how often they are looked at, so that a boundary
/// touches few cache lines: a fleet has many replicas, and each has its turn seldom.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Replica {
    pub(crate) progress: Option<Stretch>,
    /// Blocks that running sequences hold.
    pub(crate) in_use: u32,
    pub(crate) decoders: u32,
    /// Decode iterations done.
    pub(crate) n: u64,
    /// Sum of the decoders' KV lengths.
    pub(crate) kv: u64,
    /// End of the latest decode iteration.
    pub(crate) decoded_at: Ps,
    pub(crate) iterations: u64,
    pub(crate) busy: Ps,
    pub(crate) generated: u64,
    /// The part of it in iterations with prefill.
    pub(crate) prefilling: Ps,
    pub(crate) prefill_left: u64,
    pub(crate) waiting_tokens: u64,
    /// One for all replicas of a fleet.
    pub(crate) settings: Arc<EngineSettings>,
    pub(crate) seqs: Vec<Seq>,
    /// How many decoders need a block when.
    pub(crate) residues: Residues,
    /// The remainder of −n: who is of this class needs a block for the next token.
    pub(crate) class: u32,
    /// Entries of `finishes` whose sequence left early.
    pub(crate) left_early: u32,
    /// Decoders by their last iteration. Entries of sequences that left early stay until popped.
    pub(crate) finishes: Finishes,
    pub(crate) longest: Longest,
    /// Decoders that have not been in a decode iteration yet.
    pub(crate) fresh: Vec<Slot>,
    /// Running sequences in prefill, in order of admission.
    pub(crate) prefills: Vec<Slot>,
    /// The waiting line proper. Those that were preempted come first.
    pub(crate) line: Line,
    unused: Vec<Slot>,
    pub(crate) admissions: u64,
    /// What their numbers are counted from.
    pub(crate) numbered_from: u64,
    pub(crate) cost: Cost,
    /// An idle replica's next boundary.
    pub(crate) wake: Option<Ps>,
    /// Those that were preempted, the first one in front.
    pub(crate) returned: VecDeque<Slot>,
    pub(crate) aborts: Vec<Slot>,
    pub(crate) changes: Option<Vec<CacheChange>>,
    /// Static mode: a batch is being put together.
    pub(crate) filling: bool,
    pub(crate) cache: PrefixCache,
    /// Blocks of each sequence; empty without a prefix cache.
    pub(crate) named: Vec<Named>,
}

/// Sequences that a replica has room for from the start, and entries of its short lists: so they
/// lie side by side in memory, and in a large fleet fewer pages are in use.
const ROOM: usize = 96;
const FEW: usize = 8;

impl Replica {
    /// An idle replica with an empty cache, at full speed.
    #[must_use]
    pub fn new(settings: &EngineSettings) -> Self {
        Self::sharing(Arc::new(*settings))
    }

    /// The same, with settings that other replicas share.
    pub(crate) fn sharing(settings: Arc<EngineSettings>) -> Self {
        Self {
            cost: settings.cost,
            residues: Residues::new(settings.block),
            settings,
            seqs: Vec::with_capacity(ROOM),
            named: Vec::new(),
            unused: Vec::with_capacity(ROOM),
            line: Line::with_room(FEW),
            returned: VecDeque::new(),
            prefills: Vec::with_capacity(FEW),
            finishes: Finishes::with_room(ROOM),
            left_early: 0,
            decoders: 0,
            kv: 0,
            n: 0,
            class: 0,
            fresh: Vec::with_capacity(FEW),
            decoded_at: 0,
            longest: Longest::with_room(2 * FEW),
            admissions: 0,
            numbered_from: 0,
            aborts: Vec::new(),
            filling: false,
            cache: PrefixCache::new(),
            in_use: 0,
            progress: None,
            wake: None,
            iterations: 0,
            busy: 0,
            generated: 0,
            prefilling: 0,
            prefill_left: 0,
            waiting_tokens: 0,
            changes: None,
        }
    }

    /// Keeps every change of the prefix cache from now on, for [`Replica::take_changes`].
    /// Stretches are then walked where blocks are evicted in them, so each change has its time.
    pub fn follow_cache(&mut self) {
        self.changes = Some(Vec::new());
    }

    /// The cache changes since the last call, in order. Blocks of generated tokens are stored
    /// when their sequence leaves: nobody else can know their ids before.
    pub fn take_changes(&mut self) -> Vec<CacheChange> {
        self.changes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// When the next boundary comes at which something can happen; `None` while idle.
    #[must_use]
    pub fn next(&self) -> Option<Ps> {
        self.progress.map_or(self.wake, |stretch| Some(stretch.end))
    }

    /// A sequence arrives.
    pub fn enqueue(&mut self, at: Ps, sequence: Sequence, out: &mut Out) {
        let id = sequence.id;
        let tokens = u64::from(sequence.prompt) + u64::from(sequence.output) - 1;
        if tokens.div_ceil(u64::from(self.settings.block)) > u64::from(self.settings.capacity) {
            out.events.push(EngineEvent { at, id, what: Happened::Refused });
            return;
        }
        // Nobody behind a head that does not fit, and nobody at all without a free slot, changes
        // the next boundary.
        let blocked = self.running() >= self.settings.max_seqs
            || (self.settings.order == Order::First && self.waiting() > 0);
        self.waiting_tokens += u64::from(sequence.prompt);
        let block = self.settings.block;
        self.line.push(sequence, self.settings.prefix_cache.then_some(block));
        if !blocked {
            self.interrupt(at);
        }
    }

    /// A place in the table for a sequence that begins to run, with its blocks where prefixes are
    /// cached.
    pub(crate) fn seat(&mut self, (waiting, named): (Waiting, Option<Named>)) -> Slot {
        let seq = Seq::new(waiting.id, waiting.prompt, waiting.output);
        let slot = self.unused.pop().unwrap_or(self.seqs.len() as Slot);
        match self.seqs.get_mut(slot as usize) {
            Some(place) => *place = seq,
            None => self.seqs.push(seq),
        }
        if let Some(named) = named {
            match self.named.get_mut(slot as usize) {
                Some(place) => *place = named,
                None => self.named.push(named),
            }
        }
        slot
    }

    /// A client gives up. A waiting sequence leaves at once, a running one at the next boundary;
    /// an unknown id is ignored.
    pub fn abort(&mut self, at: Ps, id: u32, out: &mut Out) {
        if let Some(tokens) = self.leave_line(id) {
            self.waiting_tokens -= u64::from(tokens);
            out.events.push(EngineEvent { at, id, what: Happened::Aborted });
            // The next one may fit where this one did not.
            self.interrupt(at);
            return;
        }
        let running = |seq: &Seq| matches!(seq.stage, Stage::Prefill | Stage::Decode);
        let found = self.seqs.iter().position(|seq| seq.id == id && running(seq) && !seq.abort);
        if let Some(slot) = found {
            self.seqs[slot].abort = true;
            self.aborts.push(slot as Slot);
            self.interrupt(at);
        }
    }

    /// Takes a sequence out of the waiting line; the tokens that it waited to have.
    fn leave_line(&mut self, id: u32) -> Option<u32> {
        let place = self.returned.iter().position(|slot| self.seqs[*slot as usize].id == id);
        if let Some(slot) = place.and_then(|place| self.returned.remove(place)) {
            let (tokens, _) = self.asks(slot);
            self.forget(slot);
            return Some(tokens);
        }
        self.line.leave(id).map(|waiting| waiting.prompt)
    }

    /// The replica dies: everything in it is lost, its cache is empty.
    pub fn fail(&mut self, at: Ps, out: &mut Out) {
        self.catch_up(at, out);
        let mut running: Vec<Slot> = self.slots(|s| matches!(s.stage, Stage::Prefill | Stage::Decode));
        running.sort_unstable_by_key(|slot| self.seqs[*slot as usize].admitted);
        let mut line: Vec<u32> = self.line.iter().map(|(waiting, _)| waiting.id).collect();
        if self.settings.order == Order::Last {
            line.reverse();
        }
        let seated = running.iter().chain(&self.returned).map(|slot| self.seqs[*slot as usize].id);
        let lost = seated.chain(line).map(|id| EngineEvent { at, id, what: Happened::Lost });
        out.events.extend(lost);
        let changes = self.changes.is_some();
        let Self { iterations, busy, generated, prefilling, cost, .. } = *self;
        let fresh = Self::sharing(Arc::clone(&self.settings));
        *self = Self { iterations, busy, generated, prefilling, cost, ..fresh };
        if changes {
            self.follow_cache();
        }
    }

    /// Changes the speed from the next iteration on.
    pub fn set_speed(&mut self, at: Ps, per_mille: u32) {
        self.cost = self.settings.cost.at_speed(per_mille);
        if self.progress.is_some() {
            self.interrupt(at);
        }
    }

    /// The state after the last boundary before `at`.
    pub fn look(&mut self, at: Ps, out: &mut Out) -> Look {
        self.catch_up(at, out);
        self.as_of_start()
    }

    /// The state when the iteration in progress began.
    pub(crate) fn as_of_start(&self) -> Look {
        Look {
            waiting: self.waiting(),
            running: self.running(),
            prefilling: self.prefills.len() as u32,
            in_use: self.in_use,
            idle: self.cache.idle(),
            prefill_left: self.prefill_left,
            waiting_tokens: self.waiting_tokens,
            iterations: self.iterations,
            busy: self.busy,
            generated: self.generated,
        }
    }

    /// Time spent in iterations that have ended, as far as the replica has been looked at.
    #[must_use]
    pub fn busy(&self) -> Ps {
        self.busy
    }

    /// The part of [`Replica::busy`] in iterations with prefill tokens.
    #[must_use]
    pub fn prefilling(&self) -> Ps {
        self.prefilling
    }

    /// Sequences in the waiting line.
    #[must_use]
    pub fn waiting(&self) -> u32 {
        (self.line.len() + self.returned.len()) as u32
    }

    /// Running sequences.
    #[must_use]
    pub fn running(&self) -> u32 {
        self.decoders + self.prefills.len() as u32
    }

    /// Sequences inside.
    #[must_use]
    pub fn outstanding(&self) -> u32 {
        self.waiting() + self.running()
    }

    /// Makes the next boundary the first one at or after `at`.
    fn interrupt(&mut self, at: Ps) {
        match &mut self.progress {
            Some(stretch) => stretch.shorten(stretch.ended_before(at) + 1),
            None if self.wake.is_none() => self.wake = Some(at),
            None => {}
        }
    }

    /// Frees a place in the table.
    pub(crate) fn forget(&mut self, slot: Slot) {
        self.seqs[slot as usize].stage = Stage::Gone;
        self.unused.push(slot);
    }

    pub(crate) fn slots(&self, which: impl Fn(&Seq) -> bool) -> Vec<Slot> {
        let all = self.seqs.iter().enumerate().filter(|(_, seq)| which(seq));
        all.map(|(slot, _)| slot as Slot).collect()
    }

    /// Whether batches are made of whole prompts.
    pub(crate) fn whole_prompts(&self) -> bool {
        self.settings.mode != Mode::Chunked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Chain;

    fn settings() -> EngineSettings {
        EngineSettings {
            block: 4,
            capacity: 30,
            max_seqs: 8,
            budget: 16,
            mode: Mode::Chunked,
            prefix_cache: false,
            cache_generated: false,
            long_prefill: None,
            order: Order::First,
            cost: Cost { a: 50, w: 10, b: 3, g: 2, d: 1, e: 1 },
        }
    }

    /// Sequences that preempt each other, on a replica that has admitted so many before.
    fn told(admissions: u64) -> Vec<EngineEvent> {
        let (mut replica, mut out) = (Replica::new(&settings()), Out::default());
        replica.admissions = admissions;
        for id in 0..20 {
            let (prompt, output) = (7 + id % 5, 9 + id % 3);
            let sequence = Sequence { id, prompt, output, chain: Chain::new(), generated: 0 };
            replica.enqueue(u64::from(id) * 90, sequence, &mut out);
            while replica.next().is_some_and(|at| at < u64::from(id) * 90 + 90) {
                replica.run(&mut out);
            }
        }
        while replica.next().is_some() {
            replica.run(&mut out);
        }
        out.events
    }

    #[test]
    fn admissions_may_outgrow_their_numbers() {
        let first = told(0);
        assert!(first.iter().any(|event| event.what == Happened::Preempted));
        for before in 1..25 {
            assert_eq!(told(u64::from(u32::MAX) - before), first, "{before} numbers were left");
        }
    }
}
