//! What one router believes of every replica, in columns.

use std::collections::VecDeque;

use tokenyard_policy::index::fewest::Fewest;
use tokenyard_policy::{Means, ReplicaIx, Signals};

use super::Tally;
use crate::engine::Replica;
use crate::engine::types::Look;
use crate::scenario::{LoadSource, RouterSettings};
use crate::time::Ps;

/// One reading of the whole fleet, by a scrape or by a fresh look.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    /// When it was true.
    pub(crate) at: Ps,
    pub(crate) outstanding: Vec<u32>,
    pub(crate) looks: Vec<Look>,
    /// Uncached tokens in each line.
    pub(crate) queued_tokens: Vec<u64>,
    pub(crate) tallies: Vec<Tally>,
    pub(crate) means: Vec<Means>,
}

/// Columns of a [`tokenyard_policy::FleetView`] that loads fill.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beliefs {
    outstanding: Vec<u32>,
    /// Who has the fewest outstanding, for a rule that asks.
    fewest: Option<Fewest>,
    pub(crate) waiting: Vec<u32>,
    pub(crate) running: Vec<u32>,
    pub(crate) kv_used: Vec<u32>,
    pub(crate) prefill_tokens: Vec<u64>,
    pub(crate) decode_blocks: Vec<u32>,
    pub(crate) active: Vec<u32>,
    pub(crate) seen_at: Vec<Ps>,
    /// Dispatches the router knows of that the last reading may not hold: when and where.
    since: VecDeque<(Ps, ReplicaIx)>,
}

impl Beliefs {
    pub(crate) fn new(replicas: usize) -> Self {
        Self {
            outstanding: vec![0; replicas],
            fewest: None,
            waiting: vec![0; replicas],
            running: vec![0; replicas],
            kv_used: vec![0; replicas],
            prefill_tokens: vec![0; replicas],
            decode_blocks: vec![0; replicas],
            active: vec![0; replicas],
            seen_at: vec![0; replicas],
            since: VecDeque::new(),
        }
    }

    /// Those of a router, with the indexes that its rule asks for.
    pub(crate) fn kept(replicas: usize, signals: Signals, settings: &RouterSettings) -> Self {
        let mut beliefs = Self::new(replicas);
        // Counts that are all read anew for every decision are as soon searched as indexed.
        let kept = settings.load == LoadSource::Own || settings.scrape > 0;
        if signals.has(Signals::FEWEST) && kept {
            beliefs.fewest = Some(Fewest::new(&beliefs.outstanding));
        }
        beliefs
    }

    /// Takes over a reading. Dispatches known since it was made are added to its counts.
    pub(crate) fn read(&mut self, reading: &Reading, signals: Signals) {
        self.read_outstanding(&reading.outstanding);
        self.seen_at.fill(reading.at);
        self.read_looks(reading, signals);
        while self.since.front().is_some_and(|(at, _)| *at <= reading.at) {
            self.since.pop_front();
        }
        for at in 0..self.since.len() {
            self.sent(self.since[at].1);
        }
    }

    /// Requests outstanding at each replica.
    pub(crate) fn outstanding(&self) -> &[u32] {
        &self.outstanding
    }

    /// Who has the fewest, where it is kept.
    pub(crate) fn fewest(&self) -> Option<&Fewest> {
        self.fewest.as_ref()
    }

    /// Takes over all counts.
    pub(crate) fn read_outstanding(&mut self, counts: &[u32]) {
        self.outstanding.copy_from_slice(counts);
        if let Some(index) = &mut self.fewest {
            index.fill(counts);
        }
    }

    /// One more is outstanding.
    #[inline]
    pub(crate) fn sent(&mut self, replica: ReplicaIx) {
        let count = &mut self.outstanding[usize::from(replica)];
        *count += 1;
        if let Some(index) = &mut self.fewest {
            index.set(replica, *count);
        }
    }

    /// One less is outstanding.
    #[inline]
    pub(crate) fn ended(&mut self, replica: ReplicaIx) {
        let count = &mut self.outstanding[usize::from(replica)];
        *count = count.saturating_sub(1);
        if let Some(index) = &mut self.fewest {
            index.set(replica, *count);
        }
    }

    /// Takes over what engines report of themselves.
    pub(crate) fn read_looks(&mut self, reading: &Reading, signals: Signals) {
        let loads = self.waiting.iter_mut().zip(&mut self.running).zip(&mut self.kv_used);
        for (((waiting, running), kv_used), look) in loads.zip(&reading.looks) {
            (*waiting, *running, *kv_used) = (look.waiting, look.running, look.in_use);
        }
        if signals.has(Signals::BOOKS) {
            for (r, look) in reading.looks.iter().enumerate() {
                self.prefill_tokens[r] = look.prefill_left + look.waiting_tokens;
                self.decode_blocks[r] = look.in_use;
                self.active[r] = reading.outstanding[r];
            }
        }
    }

    /// Reads the columns that the rule asks for from the engines themselves.
    pub(crate) fn read_loads(&mut self, now: Ps, engines: &[Replica], signals: Signals) {
        if signals.has(Signals::QUEUES) {
            for ((waiting, running), engine) in self.waiting.iter_mut().zip(&mut self.running).zip(engines) {
                (*waiting, *running) = (engine.waiting(), engine.running());
            }
        }
        if signals.has(Signals::KV) {
            for (used, engine) in self.kv_used.iter_mut().zip(engines) {
                *used = engine.in_use_at(now);
            }
        }
    }

    /// Counts a dispatch that a reading may not hold yet.
    pub(crate) fn count(&mut self, at: Ps, replica: ReplicaIx) {
        self.sent(replica);
        self.since.push_back((at, replica));
    }
}
