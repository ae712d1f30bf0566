//! The workload: every request of a run, made when it is due.
//!
//! Requests of an open loop are drawn one by one and never stored. What follows a call (the next
//! turn, children, the next session of a closed loop) is made when its cause has ended. Every draw
//! is named by what it is for and by the number of its session or call, never by the order in which
//! requests end, so another routing rule sees the same requests.

mod content;
mod gaps;
mod lengths;
mod normal;
mod plan;
mod roots;
mod session;
mod zipf;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

pub use content::GENERATED;
pub use lengths::MOST_TOKENS;

use crate::request::Request;
use crate::scenario::Scenario;
use crate::time::Ps;
use crate::trace_file::Trace;
use roots::Roots;
use session::Session;

/// Something that will arrive, in the order (arrival, order of creation).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Due {
    arrival: Ps,
    order: u64,
}

/// A call that waits for its time; its order says which of two at one time comes first.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Call {
    due: Due,
    request: Box<Request>,
}

impl Ord for Call {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.due.cmp(&other.due)
    }
}

impl PartialOrd for Call {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// All requests of a run.
#[derive(Clone, Debug)]
pub struct Workload {
    roots: Roots,
    /// Starts of sessions or single requests: one ahead in an open loop.
    starts: BinaryHeap<Reverse<Due>>,
    calls: BinaryHeap<Reverse<Call>>,
    sessions: BTreeMap<u32, Session>,
    /// Requests handed out.
    taken: u32,
    /// Things created, for the order at one time.
    created: u64,
    /// Arrival of the next request.
    next: Option<Ps>,
}

impl Workload {
    /// The workload of a scenario. `trace` is the one that the scenario was built with; only
    /// scenarios that say so read it.
    #[must_use]
    pub fn new(scenario: &Scenario, trace: Option<Trace>) -> Self {
        let mut workload = Self {
            roots: Roots::new(scenario, trace),
            starts: BinaryHeap::new(),
            calls: BinaryHeap::new(),
            sessions: BTreeMap::new(),
            taken: 0,
            created: 0,
            next: None,
        };
        for _ in 0..workload.roots.concurrency() {
            workload.start(0);
        }
        workload.schedule();
        workload.look();
        workload
    }

    /// Most requests this workload can make; fewer are made if requests fail and sessions end early.
    #[must_use]
    pub fn most(&self) -> u32 {
        self.roots.most()
    }

    /// Requests handed out so far.
    #[must_use]
    pub fn taken(&self) -> u32 {
        self.taken
    }

    /// Arrival of the next request; none if nothing will arrive unless something ends.
    #[must_use]
    pub fn next_arrival(&self) -> Option<Ps> {
        self.next
    }

    /// Finds out when the next request arrives, after any change.
    fn look(&mut self) {
        let start = self.starts.peek().map(|Reverse(due)| due.arrival);
        let call = self.calls.peek().map(|Reverse(call)| call.due.arrival);
        self.next = match (start, call) {
            (Some(start), Some(call)) => Some(start.min(call)),
            (start, call) => start.or(call),
        };
    }

    /// Takes the next request, by (arrival, order of creation); none if
    /// [`Workload::next_arrival`] is none.
    pub fn take(&mut self) -> Option<Request> {
        let call_first = match (self.starts.peek(), self.calls.peek()) {
            (Some(Reverse(start)), Some(Reverse(call))) => call.due < *start,
            (start, _) => start.is_none(),
        };
        let mut request = if call_first { *self.calls.pop()?.0.request } else { self.take_start()? };
        request.number = self.taken;
        self.taken += 1;
        self.look();
        Some(request)
    }

    /// A request has ended: served (`ok`) or given up, at time `at`. `generated` is the id of the
    /// first block of its answer, as the engine that served it counted them. This may create
    /// requests that arrive at `at` or later.
    pub fn ended(&mut self, request: &Request, ok: bool, at: Ps, generated: u64) {
        if let Some(number) = request.session
            && let Some(mut session) = self.sessions.remove(&number)
        {
            let next = self.roots.script().follow(&mut session, request, ok, at, generated);
            for request in next {
                let due = self.due(request.arrival);
                self.calls.push(Reverse(Call { due, request: Box::new(request) }));
            }
            self.look();
            if session.open > 0 {
                self.sessions.insert(number, session);
                return;
            }
        }
        if self.roots.concurrency() > 0 {
            self.start(at);
            self.look();
        }
    }

    fn due(&mut self, arrival: Ps) -> Due {
        self.created += 1;
        Due { arrival, order: self.created }
    }

    /// One more session of a closed loop, if there are any left.
    fn start(&mut self, at: Ps) {
        if self.roots.start() {
            let due = self.due(at);
            self.starts.push(Reverse(due));
        }
    }

    /// Looks one start ahead where starts come by themselves.
    fn schedule(&mut self) {
        if let Some(arrival) = self.roots.next_start() {
            let due = self.due(arrival);
            self.starts.push(Reverse(due));
        }
    }

    fn take_start(&mut self) -> Option<Request> {
        let Reverse(due) = self.starts.pop()?;
        let (request, session) = self.roots.make(due.arrival);
        if let (Some(number), Some(session)) = (request.session, session) {
            self.sessions.insert(number, session);
        }
        self.schedule();
        Some(request)
    }
}
