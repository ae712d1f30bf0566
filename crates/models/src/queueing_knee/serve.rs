//! The pool at work, customer by customer, under either order of service.

use super::streams::{Arrival, Source};
use super::{Discipline, Params};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Under processor sharing later customers slow down earlier ones, so arrivals go on until the
/// last measured one has left, but not beyond this number.
const MOST_ARRIVALS: usize = 60_000;

/// A customer and what became of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Served {
    /// Position in the order of arrival, from 0.
    pub(super) index: usize,
    /// What it brought.
    pub(super) arrival: Arrival,
    /// Start of service; under processor sharing the time of arrival.
    pub(super) start: f64,
    /// End of service.
    pub(super) finish: f64,
    /// What it found before it: its wait, or under processor sharing the customers present that
    /// leave no slot for it, over the number of slots.
    pub(super) backlog: f64,
}

impl Served {
    /// Time lost to others: queued, or by which the stay is longer than the service. Rounding
    /// can leave a stay a trifle shorter than its service; that counts as 0.
    pub(super) fn wait(&self, discipline: Discipline) -> f64 {
        match discipline {
            Discipline::Fifo => self.start - self.arrival.at,
            Discipline::ProcessorSharing => (self.finish - self.arrival.at - self.arrival.service).max(0.0),
        }
    }
}

/// Serves the first `customers` of a source and shows each one once: by arrival when first come,
/// first served, by departure under processor sharing.
pub(super) fn serve(params: &Params, source: Source, customers: usize, visit: impl FnMut(&Served)) {
    let slots = params.slots.max(1) as usize;
    match params.discipline {
        Discipline::Fifo => in_order(slots, source, customers, visit),
        Discipline::ProcessorSharing => shared(slots, source, customers, visit),
    }
}

/// First come, first served: each customer takes the slot that is free first.
fn in_order(slots: usize, mut source: Source, customers: usize, mut visit: impl FnMut(&Served)) {
    let mut free = vec![0.0; slots];
    for index in 0..customers {
        let arrival = source.next();
        let start = arrival.at.max(free[0]);
        let finish = start + arrival.service;
        replace_least(&mut free, finish);
        visit(&Served { index, arrival, start, finish, backlog: start - arrival.at });
    }
}

/// Replaces the root of a binary heap, least first, and lets the new value sink.
fn replace_least(heap: &mut [f64], value: f64) {
    let mut at = 0;
    loop {
        let mut child = 2 * at + 1;
        if child >= heap.len() {
            break;
        }
        if child + 1 < heap.len() && heap[child + 1] < heap[child] {
            child += 1;
        }
        if heap[child] >= value {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = value;
}

/// A pool whose customers all progress at one speed.
struct Sharing {
    slots: f64,
    clock: f64,
    /// Service that a customer present from the beginning would have received.
    attained: f64,
    /// Attained service at which each customer leaves (the bits of a number that is never
    /// negative keep its order), and its index.
    present: BinaryHeap<Reverse<(u64, usize)>>,
}

impl Sharing {
    /// Moves on to the next departure, if it comes by `until`; otherwise to `until`.
    fn advance(&mut self, until: f64) -> Option<usize> {
        let count = self.present.len() as f64;
        let slowdown = (count / self.slots).max(1.0);
        if let Some(&Reverse((bits, index))) = self.present.peek() {
            let target = f64::from_bits(bits);
            let needed = ((target - self.attained) * slowdown).max(0.0);
            if self.clock + needed <= until {
                self.clock += needed;
                self.attained = target;
                self.present.pop();
                return Some(index);
            }
        }
        self.attained += (until - self.clock) / slowdown;
        self.clock = until;
        None
    }
}

/// Processor sharing: all present progress, slower when there are more than slots.
fn shared(slots: usize, mut source: Source, customers: usize, mut visit: impl FnMut(&Served)) {
    let slots = slots as f64;
    let mut pool = Sharing { slots, clock: 0.0, attained: 0.0, present: BinaryHeap::with_capacity(256) };
    let mut known: Vec<(Arrival, f64)> = Vec::with_capacity(customers);
    let mut left = 0;
    for index in 0..MOST_ARRIVALS.max(customers) {
        let arrival = source.next();
        while let Some(gone) = pool.advance(arrival.at) {
            if let Some(&(arrival, backlog)) = known.get(gone) {
                left += 1;
                visit(&Served { index: gone, arrival, start: arrival.at, finish: pool.clock, backlog });
            }
        }
        if left == customers {
            return;
        }
        if index < customers {
            let crowd = pool.present.len() as f64 + 1.0 - slots;
            known.push((arrival, crowd.max(0.0) / slots));
        }
        pool.present.push(Reverse(((pool.attained + arrival.service).to_bits(), index)));
    }
}
