//! The iterations of one replica.

use std::collections::VecDeque;

use super::jobs::{JOB_COUNT, Job, jobs};
use super::record::{Cause, Iteration, JobReport, Run, Slot, SlotState, Stall};
use super::{Mode, Params};

/// One mode over the six jobs, until the last has left. `params.mode` is not read.
///
/// Ends after at most last arrival + all chunks and steps = 45 iterations: once jobs have
/// arrived, each iteration does at least one chunk or step.
#[must_use]
pub fn run(params: &Params, mode: Mode) -> Run {
    let jobs = jobs(params.seed);
    let mut engine = Engine::new(&jobs, params.slot_count(), mode);
    let mut iterations: Vec<Iteration> = Vec::new();
    while engine.completed.len() < JOB_COUNT {
        iterations.push(engine.iterate(iterations.len() as u32));
    }
    let occupied = iterations.iter().flat_map(|i| &i.slots).filter(|slot| slot.job.is_some()).count();
    let slot_iterations = iterations.len() * params.slot_count();
    Run {
        mode,
        iterations_to_drain: iterations.len() as u32,
        zero_output_iterations: iterations.iter().filter(|i| i.tokens == 0).count() as u32,
        total_tokens: iterations.iter().map(|i| i.tokens).sum(),
        slot_fill: occupied as f64 / slot_iterations as f64,
        jobs: engine.jobs.into_iter().map(|progress| progress.report).collect(),
        iterations,
    }
}

/// A job under way: what is left of it, and its report so far.
struct Progress {
    report: JobReport,
    prefill_left: u32,
    decode_left: u32,
}

impl Progress {
    fn new(job: &Job) -> Self {
        let report = JobReport {
            id: job.id,
            arrival: job.arrival,
            prefill_chunks: job.prefill_chunks,
            decode_steps: job.decode_steps,
            admitted: 0,
            slot: 0,
            first_token: 0,
            finished: 0,
            ttft: 0,
            waited: 0,
            held_back: 0,
            stalled: 0,
        };
        Self { report, prefill_left: job.prefill_chunks, decode_left: job.decode_steps }
    }

    /// Does one chunk, one step or, in an iteration for prefill only, perhaps nothing.
    fn advance(&mut self, now: u32, prefill_only: bool) -> SlotState {
        if self.prefill_left > 0 {
            self.prefill_left -= 1;
            return SlotState::Prefill;
        }
        if prefill_only {
            self.report.stalled += 1;
            return SlotState::Idle;
        }
        if self.decode_left == self.report.decode_steps {
            self.report.first_token = now;
            self.report.ttft = now + 1 - self.report.arrival;
        }
        self.decode_left -= 1;
        self.report.finished = now;
        SlotState::Decode
    }

    fn done(&self) -> bool {
        self.prefill_left == 0 && self.decode_left == 0
    }
}

struct Engine {
    mode: Mode,
    /// In the order of arrival; the other fields hold positions in it.
    jobs: Vec<Progress>,
    /// How many jobs have arrived.
    arrived: usize,
    waiting: VecDeque<usize>,
    slots: Vec<Option<usize>>,
    completed: Vec<char>,
}

impl Engine {
    fn new(jobs: &[Job], slots: usize, mode: Mode) -> Self {
        Self {
            mode,
            jobs: jobs.iter().map(Progress::new).collect(),
            arrived: 0,
            waiting: VecDeque::new(),
            slots: vec![None; slots],
            completed: Vec::new(),
        }
    }

    fn iterate(&mut self, now: u32) -> Iteration {
        self.admit(now);
        let prefilling = |&job: &usize| self.jobs[job].prefill_left > 0;
        let prefill_only = self.mode != Mode::Chunked && self.slots.iter().flatten().any(prefilling);
        let slots: Vec<Slot> = (self.slots.iter())
            .map(|slot| match *slot {
                None => Slot { job: None, state: SlotState::Idle },
                Some(job) => {
                    let job = &mut self.jobs[job];
                    Slot { state: job.advance(now, prefill_only), job: Some(job.report.id) }
                }
            })
            .collect();
        let stalls = self.blame(&slots);
        self.release();
        Iteration {
            waiting: self.waiting.iter().map(|&job| self.jobs[job].report.id).collect(),
            completed: self.completed.clone(),
            tokens: slots.iter().filter(|slot| slot.state == SlotState::Decode).count() as u32,
            stalls,
            slots,
        }
    }

    /// Lets arrivals join the list, fills slots from its head, and counts who still waits.
    fn admit(&mut self, now: u32) {
        while self.jobs.get(self.arrived).is_some_and(|job| job.report.arrival <= now) {
            self.waiting.push_back(self.arrived);
            self.arrived += 1;
        }
        if self.mode != Mode::Static || self.slots.iter().all(Option::is_none) {
            for (at, slot) in self.slots.iter_mut().enumerate().filter(|(_, slot)| slot.is_none()) {
                *slot = self.waiting.pop_front();
                if let Some(job) = *slot {
                    let report = &mut self.jobs[job].report;
                    (report.admitted, report.slot) = (now, at);
                }
            }
        }
        let free = self.slots.iter().any(Option::is_none);
        for &job in &self.waiting {
            self.jobs[job].report.waited += 1;
            self.jobs[job].report.held_back += u32::from(free);
        }
    }

    /// The slots that did nothing although there was work for them.
    fn blame(&self, slots: &[Slot]) -> Vec<Stall> {
        let with = |wanted: fn(&Slot) -> bool| -> Vec<char> {
            slots.iter().filter(|slot| wanted(slot)).filter_map(|slot| slot.job).collect()
        };
        let stall = |(slot, seen): (usize, &Slot)| match (seen.job, seen.state) {
            (Some(_), SlotState::Idle) => {
                let by = with(|slot| slot.state == SlotState::Prefill);
                Some(Stall { slot, job: seen.job, cause: Cause::Prefill, by })
            }
            (None, _) if !self.waiting.is_empty() => {
                Some(Stall { slot, job: None, cause: Cause::StaticBatch, by: with(|_| true) })
            }
            _ => None,
        };
        slots.iter().enumerate().filter_map(stall).collect()
    }

    /// Empties the slots of finished jobs, in slot order.
    fn release(&mut self) {
        for slot in &mut self.slots {
            if let Some(job) = slot.take_if(|job| self.jobs[*job].done()) {
                self.completed.push(self.jobs[job].report.id);
            }
        }
    }
}
