//! First calls: the requests that nothing but the workload itself causes.

use std::sync::Arc;

use tokenyard_det::Stream;

use super::content::{self, Text};
use super::gaps::Gaps;
use super::lengths::{Lengths, MOST_TOKENS};
use super::session::{Script, Session};
use super::zipf::Popularity;
use crate::chain::{Chain, Run};
use crate::request::Request;
use crate::scenario::Scenario;
use crate::scenario::workload::{Arrivals, Prefix};
use crate::time::Ps;
use crate::trace_file::{Row, Trace};

/// Where first calls come from, and everything they are drawn from.
#[derive(Clone, Debug)]
pub(super) struct Roots {
    script: Script,
    source: Source,
    /// Requests that the sessions started so far may make.
    reserved: u32,
    /// Most requests of all sessions.
    requests: u32,
    /// Sessions, or single requests, made so far.
    made: u32,
    /// Sessions that were let start in a closed loop.
    started: u32,
    in_sessions: bool,
    prompt: Lengths,
    families: Option<Popularity>,
    tenants: u32,
    priority_share: f64,
    streams: Streams,
}

#[derive(Clone, Debug)]
enum Source {
    Open(Box<Gaps>),
    Closed { concurrency: u32 },
    Trace { rows: Arc<[Row]>, next: usize, blocks_each: u32 },
}

/// One stream for each concern.
#[derive(Clone, Debug)]
struct Streams {
    prompt: Stream,
    output: Stream,
    family: Stream,
    tenant: Stream,
    priority: Stream,
}

impl Roots {
    pub(super) fn new(scenario: &Scenario, trace: Option<Trace>) -> Self {
        let (settings, seed) = (&scenario.workload, scenario.seed);
        let block = scenario.fleet.engine.block.max(1);
        let rows = trace.as_ref().map_or(&[][..], |trace| &trace.rows);
        let prompt = Lengths::new(&settings.prompt, rows.iter().map(|row| row.prompt));
        let output = Lengths::new(&settings.output, rows.iter().map(|row| row.output));
        let script = Script::new(seed, block, settings, output);
        let mut requests = settings.requests;
        if let Some(rollouts) = &settings.rollouts {
            requests = rollouts.count.saturating_mul(rollouts.turns);
        }
        let source = match Gaps::new(seed, settings, script.plan.calls()) {
            Some(gaps) => Source::Open(Box::new(gaps)),
            None if settings.arrivals == Arrivals::Closed => {
                Source::Closed { concurrency: settings.concurrency.unwrap_or(1) }
            }
            None => {
                let mut trace = trace.unwrap_or_default();
                trace.replay(settings.trace_speed, settings.trace_spread, seed);
                requests = u32::try_from(trace.rows.len()).unwrap_or(u32::MAX);
                let blocks_each = trace.block.map_or(1, |of_trace| of_trace / block);
                Source::Trace { rows: trace.rows.into(), next: 0, blocks_each }
            }
        };
        let families = settings.prefix == Prefix::Families;
        let stream = |purpose| Stream::new(seed, purpose, 0);
        Self {
            in_sessions: script.plan.calls() > 1 || settings.prefix == Prefix::Sessions,
            script,
            source,
            reserved: 0,
            requests,
            made: 0,
            started: 0,
            prompt,
            families: families.then(|| Popularity::new(settings.families, settings.zipf)),
            tenants: settings.tenants,
            priority_share: settings.priority_share,
            streams: Streams {
                prompt: stream("prompts"),
                output: stream("outputs"),
                family: stream("families"),
                tenant: stream("tenants"),
                priority: stream("priorities"),
            },
        }
    }

    pub(super) fn script(&self) -> &Script {
        &self.script
    }

    pub(super) fn most(&self) -> u32 {
        self.requests
    }

    /// Sessions in flight of a closed loop; 0 for other arrivals.
    pub(super) fn concurrency(&self) -> u32 {
        match self.source {
            Source::Closed { concurrency } => concurrency,
            _ => 0,
        }
    }

    /// Whether a session more may start in a closed loop.
    pub(super) fn start(&mut self) -> bool {
        let left = u64::from(self.started) * u64::from(self.script.plan.calls()) < u64::from(self.requests);
        self.started += u32::from(left);
        left
    }

    /// When the next session starts by itself; none in a closed loop, and when all have started.
    pub(super) fn next_start(&mut self) -> Option<Ps> {
        match &mut self.source {
            Source::Open(gaps) => (self.reserved < self.requests).then(|| gaps.next()),
            Source::Closed { .. } => None,
            Source::Trace { rows, next, .. } => rows.get(*next).map(|row| row.at),
        }
    }

    /// The next first call, and its session if it belongs to one.
    pub(super) fn make(&mut self, arrival: Ps) -> (Request, Option<Session>) {
        let number = self.made;
        self.made += 1;
        let tenant =
            if self.tenants > 1 { self.streams.tenant.below(u64::from(self.tenants)) as u32 } else { 0 };
        let share = self.priority_share;
        let priority = u8::from(share > 0.0 && self.streams.priority.unit() < share);
        let mut request = Request {
            number: 0,
            arrival,
            tenant,
            session: None,
            turn: 0,
            parent: None,
            family: None,
            priority,
            deadline: self.script.deadline(arrival),
            prompt: 1,
            output: 1,
            chain: Chain::new(),
        };
        if let Source::Trace { rows, next, blocks_each } = &mut self.source {
            if let Some(row) = rows.get(*next) {
                *next += 1;
                (request.prompt, request.output) = (row.prompt, row.output);
                request.chain = split(&row.chain, *blocks_each);
            }
            return (request, None);
        }
        let calls = self.script.plan.calls().min(self.requests - self.reserved);
        let first_text = self.reserved;
        self.reserved += calls;
        self.fill(&mut request, number, first_text);
        let session = self.in_sessions.then(|| Session::new(first_text, calls));
        request.session = session.is_some().then_some(number);
        (request, session)
    }

    /// Draws lengths and family, and makes the chain.
    fn fill(&mut self, request: &mut Request, number: u32, text: u32) {
        let own = self.prompt.at(self.streams.prompt.unit());
        request.output = self.script.output(number, 0, self.streams.output.unit());
        request.family = match (&self.families, &self.script.rollouts) {
            (_, Some(rollouts)) => Some(number / rollouts.step),
            (Some(families), None) => Some(families.at(self.streams.family.unit())),
            (None, None) => None,
        };
        let (shared, mut chain) = self.script.shared(request.family);
        request.prompt = shared.saturating_add(own).min(MOST_TOKENS);
        content::extend(&mut chain, self.script.block, Text::Call(text), request.prompt);
        request.chain = chain;
    }
}

/// A chain in blocks of which `each` make one of its own.
fn split(chain: &Chain, each: u32) -> Chain {
    let mut split = Chain::new();
    for run in chain.runs() {
        split.push(Run { first: run.first * u64::from(each), len: run.len * each });
    }
    split
}
