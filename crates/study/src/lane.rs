//! One rule's run as rows of numbers: what a worker sends, and what a page looks things up in.

use std::sync::Arc;

use tokenyard_fleet::metrics::{Outcome, Report, Status};
use tokenyard_fleet::record::Decision;
use tokenyard_fleet::time::in_ms;
use tokenyard_fleet::world::End;
use tokenyard_fleet::{Ps, World};

use crate::columns;
use crate::why;

/// How requests end, in the order of their codes.
pub const ENDINGS: [(Status, &str); 7] = [
    (Status::Served, "served"),
    (Status::Rejected, "rejected"),
    (Status::Refused, "refused"),
    (Status::TimedOut, "timed-out"),
    (Status::Failed, "failed"),
    (Status::Dropped, "dropped"),
    (Status::TooLong, "too-long"),
];

/// How runs end, in the order of their codes.
const RUN_ENDS: [(End, &str); 4] =
    [(End::Drained, "drained"), (End::Events, "events"), (End::Time, "time"), (End::Stuck, "stuck")];

/// Numbers of a request, see [`Answer`].
const REQUEST: usize = 10;
/// Numbers of a decision before its candidates, see [`Choice`].
const DECISION: usize = 10;
/// Numbers of a candidate before the rule's terms, see [`Candidate`].
const CANDIDATE: usize = 6;
/// Numbers before everything else.
const HEAD: usize = 6;

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// When it arrived, in ms.
    pub arrival_ms: f64,
    /// Place in [`ENDINGS`]; none if the run was over first.
    pub ending: Option<usize>,
    /// Who served it.
    pub replica: Option<u32>,
    /// Attempts, hedges included.
    pub attempts: u32,
    /// Until an engine admitted it, in ms.
    pub wait_ms: f64,
    /// Until its first token, in ms; 0 without one.
    pub ttft_ms: f64,
    /// Until its end, in ms.
    pub e2e_ms: f64,
    /// Prompt tokens.
    pub prompt: u32,
    /// Prompt tokens found in the cache.
    pub cached: u32,
    /// Output tokens.
    pub output: u32,
}

/// One decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice<'a> {
    /// When, in ms.
    pub at_ms: f64,
    /// Number of the request.
    pub request: u32,
    /// Which router decided.
    pub router: u32,
    /// Where it went.
    pub to: u32,
    /// The place of its sentence and two numbers.
    pub why: &'a [f64],
    /// Candidates that were equal before the tie was broken.
    pub tied: u32,
    /// What fresh data would have chosen.
    pub fresh: Option<u32>,
    candidates: &'a [f64],
    stride: usize,
}

/// One candidate of a decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate<'a> {
    /// Who.
    pub replica: u32,
    /// Requests the router believed there.
    pub believed: u32,
    /// Requests that were there.
    pub outstanding: u32,
    /// Leading blocks believed cached.
    pub believed_blocks: u32,
    /// Leading blocks that were.
    pub blocks: u32,
    /// Age of the load reading in ms.
    pub age_ms: f64,
    /// The rule's terms; not a number where it scored nothing.
    pub terms: &'a [f64],
}

impl<'a> Choice<'a> {
    /// The candidates, in the order of the list.
    pub fn candidates(&self) -> impl Iterator<Item = Candidate<'a>> + use<'a> {
        self.candidates.chunks_exact(self.stride).map(|row| Candidate {
            replica: row[0] as u32,
            believed: row[1] as u32,
            outstanding: row[2] as u32,
            believed_blocks: row[3] as u32,
            blocks: row[4] as u32,
            age_ms: row[5],
            terms: &row[CANDIDATE..],
        })
    }

    /// The requests at the busiest candidate, the dispatched one not counted.
    #[must_use]
    pub fn busiest(&self) -> u32 {
        self.candidates().map(|c| c.outstanding).max().unwrap_or(0)
    }
}

/// A rule's run.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneRun {
    numbers: Vec<f64>,
    requests: usize,
    terms: usize,
    /// For each decision the place of its first number, in order of time; then the end.
    decisions: Vec<u32>,
    /// For each request its first decision.
    first: Vec<Option<u32>>,
}

/// Writes a finished run with records as numbers.
pub(crate) fn pack(world: &World, end: End) -> Vec<f64> {
    let report = Report::of(world);
    let outcomes = world.outcomes().all();
    let decisions = world.decisions();
    let last = outcomes.iter().map(|o| o.number).chain(decisions.iter().map(|d| d.request)).max();
    let requests = last.map_or(0, |n| n as usize + 1);
    let terms = world.scenario().router.rule.terms.len();
    let place = |of: usize| of as f64;
    let end = RUN_ENDS.iter().position(|(e, _)| *e == end).unwrap_or(0);
    let mut out =
        vec![place(requests), place(terms), f64::from(world.scenario().fleet.replicas), place(end), 0.0, 0.0];
    out[4] = world.in_system() as f64;
    out[5] = in_ms(world.now());
    out.extend(columns::cells(&report));
    let from = out.len();
    out.resize(from + requests * REQUEST, -1.0);
    for outcome in outcomes {
        let at = from + outcome.number as usize * REQUEST;
        out[at..at + REQUEST].copy_from_slice(&answer(outcome));
    }
    for decision in decisions {
        // A request that has not ended is known by its first decision only.
        let at = from + decision.request as usize * REQUEST;
        if out[at] < 0.0 {
            out[at] = in_ms(decision.at);
        }
    }
    for decision in decisions {
        put(decision, terms, &mut out);
    }
    out
}

fn answer(o: &Outcome) -> [f64; REQUEST] {
    let ms = |t: Ps| in_ms(t);
    let ending = ENDINGS.iter().position(|(status, _)| *status == o.status).unwrap_or(0);
    [
        ms(o.arrival),
        ending as f64,
        o.replica.map_or(-1.0, f64::from),
        f64::from(o.attempts),
        ms(o.queue),
        ms(o.ttft),
        ms(o.e2e),
        f64::from(o.prompt),
        f64::from(o.cached),
        f64::from(o.output),
    ]
}

fn put(decision: &Arc<Decision>, terms: usize, out: &mut Vec<f64>) {
    let why = why::code(decision.why);
    out.extend([in_ms(decision.at), f64::from(decision.request), f64::from(decision.router)]);
    out.extend([f64::from(decision.to), why[0], why[1], why[2], f64::from(decision.tied)]);
    out.extend([decision.fresh.map_or(-1.0, f64::from), decision.rows.len() as f64]);
    for row in &decision.rows {
        out.extend([f64::from(row.replica), f64::from(row.believed_outstanding)]);
        out.extend([f64::from(row.outstanding), f64::from(row.believed_overlap), f64::from(row.overlap)]);
        out.push(in_ms(row.age));
        out.extend((0..terms).map(|i| row.terms.map_or(f64::NAN, |terms| terms[i])));
    }
}

impl LaneRun {
    /// Takes numbers over; `None` if they are not those of a run.
    #[must_use]
    pub fn read(numbers: Vec<f64>) -> Option<Self> {
        let count = |at: usize| numbers.get(at).filter(|n| **n >= 0.0).map(|n| *n as usize);
        let (requests, terms) = (count(0)?, count(1)?);
        let mut at = HEAD + columns::COLUMNS.len() + requests * REQUEST;
        let (mut decisions, mut first) = (Vec::new(), vec![None; requests]);
        while at < numbers.len() {
            let request = first.get_mut(count(at + 1)?)?;
            request.get_or_insert(decisions.len() as u32);
            decisions.push(u32::try_from(at).ok()?);
            at += DECISION + count(at + DECISION - 1)? * (CANDIDATE + terms);
        }
        decisions.push(u32::try_from(at).ok()?);
        (at == numbers.len()).then_some(Self { numbers, requests, terms, decisions, first })
    }

    /// Requests that arrived, ended or not.
    #[must_use]
    pub fn requests(&self) -> u32 {
        self.requests as u32
    }

    /// Replicas of the fleet.
    #[must_use]
    pub fn replicas(&self) -> u32 {
        self.numbers[2] as u32
    }

    /// How the run ended: `drained`, or what cut it.
    #[must_use]
    pub fn end(&self) -> &'static str {
        RUN_ENDS[(self.numbers[3] as usize).min(RUN_ENDS.len() - 1)].1
    }

    /// Requests that had not ended when the run did.
    #[must_use]
    pub fn unfinished(&self) -> u32 {
        self.numbers[4] as u32
    }

    /// Length of the run in ms.
    #[must_use]
    pub fn length_ms(&self) -> f64 {
        self.numbers[5]
    }

    /// The figures of the summary table.
    #[must_use]
    pub fn cells(&self) -> &[f64] {
        &self.numbers[HEAD..HEAD + columns::COLUMNS.len()]
    }

    /// What became of a request; `None` if it never arrived.
    #[must_use]
    pub fn answer(&self, request: u32) -> Option<Answer> {
        let from = HEAD + columns::COLUMNS.len() + request as usize * REQUEST;
        let row = (request < self.requests()).then(|| &self.numbers[from..from + REQUEST])?;
        let known = |v: f64| (v >= 0.0).then_some(v as u32);
        Some(Answer {
            arrival_ms: row[0].max(0.0),
            ending: known(row[1]).map(|code| (code as usize).min(ENDINGS.len() - 1)),
            replica: known(row[2]),
            attempts: row[3].max(0.0) as u32,
            wait_ms: row[4].max(0.0),
            ttft_ms: row[5].max(0.0),
            e2e_ms: row[6].max(0.0),
            prompt: row[7].max(0.0) as u32,
            cached: row[8].max(0.0) as u32,
            output: row[9].max(0.0) as u32,
        })
    }

    /// Number of decisions.
    #[must_use]
    pub fn decisions(&self) -> usize {
        self.decisions.len() - 1
    }

    /// A decision, in order of time.
    #[must_use]
    pub fn decision(&self, place: usize) -> Option<Choice<'_>> {
        let (from, to) = (*self.decisions.get(place)? as usize, *self.decisions.get(place + 1)? as usize);
        let row = &self.numbers[from..to];
        Some(Choice {
            at_ms: row[0],
            request: row[1] as u32,
            router: row[2] as u32,
            to: row[3] as u32,
            why: &row[4..7],
            tied: row[7] as u32,
            fresh: (row[8] >= 0.0).then_some(row[8] as u32),
            candidates: &row[DECISION..],
            stride: CANDIDATE + self.terms,
        })
    }

    /// The first decision about a request; later ones are retries and hedges.
    #[must_use]
    pub fn first(&self, request: u32) -> Option<Choice<'_>> {
        self.decision((*self.first.get(request as usize)?)? as usize)
    }

    /// Every decision about a request, in order of time. Cost: the number of decisions.
    pub fn about(&self, request: u32) -> impl Iterator<Item = Choice<'_>> {
        let first = self.first.get(request as usize).copied().flatten();
        let from = first.map_or(self.decisions(), |place| place as usize);
        let all = (from..self.decisions()).filter_map(|place| self.decision(place));
        all.filter(move |choice| choice.request == request)
    }
}
