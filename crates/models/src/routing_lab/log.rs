//! The recorder behind a full run: flat columns, filled in the order of events.

use tokenyard_det::Digest;

use super::engine::{Admission, Dispatch, Recorder};
use super::run::{Decision, RequestRecord};
use super::{Fallback, Reason};

/// Everything recorded, as columns. Rows have one entry per replica.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Log {
    pub(super) replicas: usize,
    pub(super) decisions: Vec<Decision>,
    pub(super) requests: Vec<RequestRecord>,
    /// Rows: outstanding, one per decision.
    pub(super) loads: Vec<u32>,
    /// Rows: KV blocks in use, one per decision of least-kv.
    pub(super) blocks: Vec<u32>,
    /// Prefix families after each prefill, and where those of a request lie.
    pub(super) caches: Vec<u32>,
    pub(super) cache_spans: Vec<(usize, usize)>,
    pub(super) sample_ticks: Vec<u32>,
    /// Rows: outstanding, one per sample.
    pub(super) sample_loads: Vec<u32>,
    /// Rows: where a replica's entries of `generated` end, one per sample.
    pub(super) sample_ends: Vec<usize>,
    pub(super) generated: Vec<f64>,
}

impl Log {
    /// An empty log.
    pub(super) fn new(requests: usize, replicas: u32) -> Self {
        Self {
            replicas: replicas as usize,
            decisions: Vec::with_capacity(requests),
            requests: vec![RequestRecord::default(); requests],
            loads: Vec::with_capacity(requests * replicas as usize),
            blocks: Vec::new(),
            caches: Vec::new(),
            cache_spans: vec![(0, 0); requests],
            sample_ticks: Vec::new(),
            sample_loads: Vec::new(),
            sample_ends: Vec::new(),
            generated: Vec::new(),
        }
    }

    /// A row of a column; empty past its end.
    pub(super) fn row<'a>(&self, column: &'a [u32], row: usize) -> &'a [u32] {
        let from = row * self.replicas;
        column.get(from..from + self.replicas).unwrap_or_default()
    }

    /// Feeds all columns.
    pub(super) fn digest(&self, digest: &mut Digest) {
        digest.u64(self.decisions.len() as u64);
        for decision in &self.decisions {
            digest.u32s(&[decision.tick, decision.request, decision.replica]);
            digest_reason(&decision.reason, digest);
        }
        for (record, span) in self.requests.iter().zip(&self.cache_spans) {
            for field in [record.replica, record.admitted, record.prefilled, record.finished] {
                digest_option(field, digest);
            }
            let facts =
                [u32::from(record.cache_hit), record.blocks_at_admission, record.running_at_admission];
            digest.u32s(&facts);
            digest.u32s(self.caches.get(span.0..span.1).unwrap_or_default());
        }
        for column in [&self.loads, &self.blocks, &self.sample_ticks, &self.sample_loads] {
            digest.u32s(column);
        }
        self.sample_ends.iter().for_each(|end| digest.u64(*end as u64));
        self.generated.iter().for_each(|tokens| digest.f64(*tokens));
    }
}

impl Recorder for Log {
    const DETAIL: bool = true;

    fn decided(&mut self, at: Dispatch, reason: Reason, loads: &[u32], blocks: &[u32]) {
        let Dispatch { tick, request, replica } = at;
        self.decisions.push(Decision { tick, request, replica, reason });
        self.requests[request as usize].replica = Some(replica);
        self.loads.extend_from_slice(loads);
        self.blocks.extend_from_slice(blocks);
    }

    fn admitted(&mut self, request: u32, admission: Admission) {
        let record = &mut self.requests[request as usize];
        record.admitted = Some(admission.tick);
        record.cache_hit = admission.hit;
        record.blocks_at_admission = admission.blocks_in_use;
        record.running_at_admission = admission.running;
    }

    fn first_token(&mut self, request: u32, tick: u32, cache: &[u32]) {
        self.requests[request as usize].prefilled = Some(tick);
        let from = self.caches.len();
        self.caches.extend_from_slice(cache);
        self.cache_spans[request as usize] = (from, self.caches.len());
    }

    fn finished(&mut self, request: u32, tick: u32) {
        self.requests[request as usize].finished = Some(tick);
    }

    fn sampled(&mut self, tick: u32, outstanding: u32, generated: &[f64]) {
        if self.sample_ticks.last() != Some(&tick) {
            self.sample_ticks.push(tick);
        }
        self.sample_loads.push(outstanding);
        self.generated.extend_from_slice(generated);
        self.sample_ends.push(self.generated.len());
    }
}

fn digest_option(value: Option<u32>, digest: &mut Digest) {
    digest.u32(u32::from(value.is_some()));
    digest.u32(value.unwrap_or(0));
}

fn digest_reason(reason: &Reason, digest: &mut Digest) {
    match *reason {
        Reason::Draw { draw } => digest.f64(draw),
        Reason::Cursor { cursor } => digest.u32(cursor),
        Reason::Least { load, ties } => digest.u32s(&[load, ties]),
        Reason::Probes { first, second, first_load, second_load } => {
            digest.u32s(&[first, second, first_load, second_load]);
        }
        Reason::Score { score } => digest.u64(score),
        Reason::Prefix { owner, share, max, min, fallback } => {
            digest_option(owner, digest);
            digest.f64(share);
            digest.u32s(&[max, min]);
            digest.u32(match fallback {
                None => 0,
                Some(Fallback::Imbalanced) => 1,
                Some(Fallback::NoOwner) => 2,
                Some(Fallback::SmallPrefix) => 3,
            });
        }
    }
}
