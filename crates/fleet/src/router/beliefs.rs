//! What one router believes of every replica, in columns.

use std::collections::VecDeque;

use tokenyard_policy::{ReplicaIx, Signals};

use super::Tally;
use crate::engine::types::Look;
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
}

/// Columns of a [`tokenyard_policy::FleetView`] that loads fill.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beliefs {
    pub(crate) outstanding: Vec<u32>,
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

    /// Takes over a reading. Dispatches known since it was made are added to its counts.
    pub(crate) fn read(&mut self, reading: &Reading, signals: Signals) {
        self.outstanding.copy_from_slice(&reading.outstanding);
        self.seen_at.fill(reading.at);
        self.read_looks(reading, signals);
        while self.since.front().is_some_and(|(at, _)| *at <= reading.at) {
            self.since.pop_front();
        }
        for (_, replica) in &self.since {
            self.outstanding[usize::from(*replica)] += 1;
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

    /// Counts a dispatch that a reading may not hold yet.
    pub(crate) fn count(&mut self, at: Ps, replica: ReplicaIx) {
        self.outstanding[usize::from(replica)] += 1;
        self.since.push_back((at, replica));
    }
}
