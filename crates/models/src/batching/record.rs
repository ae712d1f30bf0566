//! What a run leaves behind: every iteration, every job, and who made whom wait.

use super::Mode;
use tokenyard_det::Digest;

/// What a slot does in an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotState {
    /// One chunk of prefill.
    Prefill,
    /// One decode step, which is one output token.
    Decode,
    /// Nothing: the slot is empty, or its job stalls.
    Idle,
}

impl SlotState {
    /// The word that files and the command line use.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Prefill => "prefill",
            Self::Decode => "decode",
            Self::Idle => "idle",
        }
    }
}

/// One slot in one iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The job in it; `None`: empty.
    pub job: Option<char>,
    /// What it does.
    pub state: SlotState,
}

/// Why a slot does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It holds a job that could decode, but the iteration is for prefill only.
    Prefill,
    /// It is empty and a job waits, but the static batch is not over.
    StaticBatch,
}

impl Cause {
    /// A word for files and the command line.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Prefill => "prefill",
            Self::StaticBatch => "static-batch",
        }
    }
}

/// One slot-iteration that was lost although there was work for it, and who is to blame.
///
/// An empty slot while nobody waits is no stall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stall {
    /// The slot, from 0.
    pub slot: usize,
    /// The job that stalls in it; `None` for an empty slot.
    pub job: Option<char>,
    /// Why.
    pub cause: Cause,
    /// The jobs to blame, in slot order, never empty: those in prefill, or those of the static
    /// batch that still hold a slot.
    pub by: Vec<char>,
}

/// One iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// The slots, in order, as they are while the iteration runs.
    pub slots: Vec<Slot>,
    /// Jobs that have arrived and hold no slot, the head of the list first.
    pub waiting: Vec<char>,
    /// Jobs done by the end of the iteration, in the order in which they left.
    pub completed: Vec<char>,
    /// Output tokens of the iteration.
    pub tokens: u32,
    /// Slot-iterations lost, in slot order.
    pub stalls: Vec<Stall>,
}

/// One job over the whole run. Its time from arrival to end is
/// `waited + stalled + prefill_chunks + decode_steps` iterations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobReport {
    /// Its letter.
    pub id: char,
    /// The iteration at the start of which it arrived.
    pub arrival: u32,
    /// Chunks of prefill it needed.
    pub prefill_chunks: u32,
    /// Decode steps it needed.
    pub decode_steps: u32,
    /// The iteration at the start of which it got its slot.
    pub admitted: u32,
    /// The slot it got, from 0.
    pub slot: usize,
    /// The iteration that gave its first output token.
    pub first_token: u32,
    /// The iteration at the end of which it left.
    pub finished: u32,
    /// Time to first token: iterations from its arrival to the end of `first_token`.
    pub ttft: u32,
    /// Iterations without a slot.
    pub waited: u32,
    /// Those of `waited` during which a slot was free: only static mode has any.
    pub held_back: u32,
    /// Iterations in its slot in which it did nothing.
    pub stalled: u32,
}

/// One mode over the six jobs.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The mode.
    pub mode: Mode,
    /// Iteration by iteration, until the last job has left.
    pub iterations: Vec<Iteration>,
    /// The jobs, in the order in which they arrived.
    pub jobs: Vec<JobReport>,
    /// Number of iterations.
    pub iterations_to_drain: u32,
    /// Iterations without an output token.
    pub zero_output_iterations: u32,
    /// Output tokens of all iterations.
    pub total_tokens: u32,
    /// Occupied slot-iterations over all slot-iterations, in 0..=1. A stalled job occupies.
    pub slot_fill: f64,
}

impl Run {
    /// Feeds every field of every iteration and job, in order, and then the totals.
    pub fn digest(&self, digest: &mut Digest) {
        digest.bytes(self.mode.id().as_bytes());
        digest.u64(self.iterations.len() as u64);
        self.iterations.iter().for_each(|iteration| iteration.digest(digest));
        digest.u64(self.jobs.len() as u64);
        self.jobs.iter().for_each(|job| job.digest(digest));
        digest.u32s(&[self.iterations_to_drain, self.zero_output_iterations, self.total_tokens]);
        digest.f64(self.slot_fill);
    }
}

impl Iteration {
    fn digest(&self, digest: &mut Digest) {
        digest.u64(self.slots.len() as u64);
        for slot in &self.slots {
            // No job has the letter NUL, so it can stand for an empty slot.
            digest.u32(u32::from(slot.job.unwrap_or('\0')));
            digest.bytes(slot.state.id().as_bytes());
        }
        letters(&self.waiting, digest);
        letters(&self.completed, digest);
        digest.u32(self.tokens);
        digest.u64(self.stalls.len() as u64);
        for stall in &self.stalls {
            digest.u64(stall.slot as u64);
            digest.u32(u32::from(stall.job.unwrap_or('\0')));
            digest.bytes(stall.cause.id().as_bytes());
            letters(&stall.by, digest);
        }
    }
}

impl JobReport {
    fn digest(&self, digest: &mut Digest) {
        digest.u32(u32::from(self.id));
        digest.u64(self.slot as u64);
        digest.u32s(&[
            self.arrival,
            self.prefill_chunks,
            self.decode_steps,
            self.admitted,
            self.first_token,
            self.finished,
            self.ttft,
            self.waited,
            self.held_back,
            self.stalled,
        ]);
    }
}

fn letters(ids: &[char], digest: &mut Digest) {
    digest.u64(ids.len() as u64);
    ids.iter().for_each(|id| digest.u32(u32::from(*id)));
}
