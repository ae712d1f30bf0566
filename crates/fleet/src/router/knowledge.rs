//! What a router knows of the replicas' prefix caches, and where from.

use tokenyard_det::Stream;
use tokenyard_policy::{Knowledge, ReplicaIx};

use super::Truth;
use super::remember::Remembered;
use crate::chain::{Chain, Run};
use crate::scenario::{KnowledgeSource, RouterSettings};
use crate::time::Ps;

/// Where prefix knowledge comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// There is none.
    None,
    /// The caches as they are.
    True,
    /// What was sent where; evictions are never seen.
    History,
    /// The same, each entry for a time to live.
    Ttl,
    /// What engines report, late and with losses.
    Events,
}

impl Source {
    /// The one that a rule's own declaration names.
    fn of(knowledge: Knowledge) -> Self {
        match knowledge {
            Knowledge::None | Knowledge::Own => Self::None,
            Knowledge::Events => Self::Events,
            Knowledge::True => Self::True,
        }
    }
}

/// Prefix knowledge of one router.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    source: Source,
    memory: Vec<Remembered>,
    /// A side index of what was sent a moment ago, against the delay of events.
    predicted: Vec<Remembered>,
    most: Option<u64>,
    ttl: Ps,
    predicted_ttl: Option<Ps>,
    loss: f64,
    outage: Option<(Ps, Ps)>,
    stream: Stream,
}

impl Known {
    pub(super) fn new(s: &RouterSettings, seed: u64, number: u64, replicas: usize) -> Self {
        let source = match s.knowledge {
            KnowledgeSource::Rule => Source::of(s.rule.knowledge),
            KnowledgeSource::None => Source::None,
            KnowledgeSource::True => Source::True,
            KnowledgeSource::History => Source::History,
            KnowledgeSource::Ttl => Source::Ttl,
            KnowledgeSource::Events => Source::Events,
        };
        // Events that are never late, lost or cut off say what is true.
        let perfect = s.event_delay == 0 && s.event_loss == 0.0 && s.event_outage_from.is_none();
        let source = if source == Source::Events && perfect { Source::True } else { source };
        let empty = || vec![Remembered::default(); replicas];
        Self {
            source,
            memory: empty(),
            predicted: empty(),
            most: s.history_blocks.map(u64::from),
            ttl: s.ttl,
            predicted_ttl: s.predicted_ttl,
            loss: s.event_loss,
            outage: s.event_outage_from.map(|from| (from, from.saturating_add(s.event_outage))),
            stream: Stream::new(seed, "event loss", number),
        }
    }

    pub(super) fn source(&self) -> Source {
        self.source
    }

    /// Leading blocks of a chain believed to be cached at a replica.
    pub(super) fn overlap(&mut self, now: Ps, r: ReplicaIx, chain: &Chain, truth: &mut Truth<'_>) -> u32 {
        let at = usize::from(r);
        let known = match self.source {
            Source::None => 0,
            Source::True => truth.hits(now, r, chain),
            Source::Ttl => {
                self.memory[at].expire(now.saturating_sub(self.ttl));
                self.memory[at].find(chain.runs())
            }
            Source::History | Source::Events => self.memory[at].find(chain.runs()),
        };
        match self.predicted_ttl {
            Some(ttl) => {
                self.predicted[at].expire(now.saturating_sub(ttl));
                known.max(self.predicted[at].find(chain.runs()))
            }
            None => known,
        }
    }

    /// Blocks that an index of events holds for each replica; nothing without an index.
    pub(super) fn indexed(&self) -> impl Iterator<Item = u32> + '_ {
        let index = if self.source == Source::Events { &self.memory[..] } else { &[] };
        index.iter().map(|memory| u32::try_from(memory.blocks()).unwrap_or(u32::MAX))
    }

    /// A prompt is on its way to a replica.
    pub(super) fn sent(&mut self, now: Ps, to: ReplicaIx, chain: &Chain) {
        let at = usize::from(to);
        let keeps = matches!(self.source, Source::History | Source::Ttl);
        if !keeps && self.predicted_ttl.is_none() {
            return;
        }
        // Deepest first, so that of one prompt the deepest blocks are forgotten first.
        for run in chain.runs().iter().rev() {
            match (keeps, self.source == Source::Ttl || self.most.is_some()) {
                (true, true) => self.memory[at].remember(*run, now),
                // Nothing will ever ask for the order.
                (true, false) => self.memory[at].store(*run),
                (false, _) => {}
            }
            if self.predicted_ttl.is_some() {
                self.predicted[at].remember(*run, now);
            }
        }
        if let Some(most) = self.most.filter(|_| keeps) {
            self.memory[at].shrink(most);
        }
    }

    /// An engine's report arrives, made at `at`; it may have been lost on the way.
    pub(super) fn changed(&mut self, replica: ReplicaIx, run: Run, stored: bool, at: Ps) {
        let lost = self.loss > 0.0 && self.stream.unit() < self.loss;
        let cut = self.outage.is_some_and(|(from, until)| (from..until).contains(&at));
        if self.source != Source::Events || lost || cut {
            return;
        }
        let memory = &mut self.memory[usize::from(replica)];
        if stored { memory.store(run) } else { memory.forget(run) }
    }

    /// A replica is gone, with its cache.
    pub(super) fn left(&mut self, replica: ReplicaIx) {
        self.memory[usize::from(replica)] = Remembered::default();
        self.predicted[usize::from(replica)] = Remembered::default();
    }
}
