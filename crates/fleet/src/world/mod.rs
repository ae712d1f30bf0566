//! The machine: requests through client, gateway, routers and engines over one clock.
//!
//! [`World`] is plain data and can be cloned at any event; [`World::step`] handles exactly one.

mod changes;
mod client;
mod due;
mod event;
mod failing;
mod flow;
mod fork;
mod gateway;
mod health;
mod laws;
mod lifetimes;
mod line;
mod live;
mod look;
mod progress;
mod scrapes;
mod told;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use tokenyard_det::Stream;
use tokenyard_policy::vtc::Vtc;
use tokenyard_policy::{Explain, ReplicaIx};

pub use laws::Broken;
pub(crate) use live::Live;

use crate::engine::{Out, Replica};
use crate::metrics::{Outcomes, Samples};
use crate::record::Decision;
use crate::router::{Reading, Router, Source, Tally, Truth};
use crate::scenario::{Scenario, ScrapePhase};
use crate::time::Ps;
use crate::trace_file::Trace;
use crate::workload::Workload;
use due::Due;
use event::{Class, Kind, Queue};
use gateway::{Breaker, RetryBook};
use health::Trouble;
use lifetimes::Lifetimes;
use live::{Attempt, Table};

/// Whether a replica can be sent to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Ready.
    Up,
    /// Failed, or starting.
    Down,
    /// Finishes what it has.
    Draining,
}

/// How a run ended, or why it stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Everything that arrived has ended.
    Drained,
    /// The limit on events was reached.
    Events,
    /// The limit on simulated time was reached; no later than 2^64 ps, 213 days.
    Time,
    /// Requests wait, and nothing can ever serve them.
    Stuck,
}

/// What one step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// One event was handled, at that time.
    Did(Ps),
    /// There is nothing more to do.
    Ended(End),
}

/// All state of a run.
#[derive(Clone, Debug)]
pub struct World {
    scenario: Arc<Scenario>,
    now: Ps,
    events: u64,
    digest: u64,
    workload: Workload,
    queue: Queue,
    due: Due,
    replicas: Vec<Replica>,
    states: Vec<State>,
    /// Counts restarts, so that an old "ready" means nothing.
    lives: Vec<u32>,
    /// When a replica in slow start became ready.
    started: Vec<Option<Ps>>,
    /// How many there are.
    starting_slowly: u32,
    routable: Vec<ReplicaIx>,
    /// Attempts at each replica.
    outstanding: Vec<u32>,
    routers: Vec<Router>,
    /// Readings on their way to routers, oldest first.
    readings: Vec<VecDeque<Reading>>,
    turn: u64,
    arrived: u64,
    live: Table<Live>,
    attempts: Table<Attempt>,
    /// Requests that wait at the gateway, in order; places of those that left stay until reached.
    line: VecDeque<(u32, u64, u16)>,
    line_length: u32,
    /// What tenants have been served, where the line goes by it.
    vtc: Vtc,
    sessions: BTreeMap<u32, u32>,
    breakers: Vec<Breaker>,
    trouble: Trouble,
    /// The rule held the latest request back.
    held: bool,
    retries: RetryBook,
    client_stream: Stream,
    start_stream: Stream,
    out: Out,
    scratch: Vec<ReplicaIx>,
    kv_blocks: Vec<u32>,
    /// Requests that ended at each replica.
    tallies: Vec<Tally>,
    lifetimes: Lifetimes,
    outcomes: Outcomes,
    samples: Samples,
    /// Time of the latest measurement.
    sampled: Ps,
    /// Cache changes on their way to routers, for each replica.
    cache_news: Vec<VecDeque<crate::engine::CacheChange>>,
    follows_events: bool,
    recording: bool,
    decisions: Vec<Arc<Decision>>,
}

impl World {
    /// The state before the first event. `trace` is what the scenario replays, if it does.
    #[must_use]
    pub fn new(scenario: &Scenario, trace: Option<Trace>) -> Self {
        let n = scenario.fleet.replicas as usize;
        let seed = scenario.seed;
        let engine = Arc::new(scenario.fleet.engine);
        let mut replicas: Vec<Replica> = (0..n).map(|_| Replica::sharing(Arc::clone(&engine))).collect();
        for replica in replicas.iter_mut().rev().take(scenario.fleet.slow_replicas as usize) {
            replica.set_speed(0, scenario.fleet.slow_per_mille);
        }
        let routers = Router::all(scenario);
        let follows_events = routers.iter().any(|router| router.source() == Source::Events);
        if follows_events {
            replicas.iter_mut().for_each(Replica::follow_cache);
        }
        let mut world = Self {
            now: 0,
            events: 0,
            digest: 0,
            workload: Workload::new(scenario, trace),
            queue: Queue::default(),
            due: Due::new(scenario.fleet.replicas),
            replicas,
            states: vec![State::Up; n],
            lives: vec![0; n],
            started: vec![None; n],
            starting_slowly: 0,
            routable: (0..n as ReplicaIx).collect(),
            outstanding: vec![0; n],
            readings: vec![VecDeque::new(); routers.len()],
            lifetimes: Lifetimes::of(&routers, n),
            routers,
            turn: 0,
            arrived: 0,
            live: Table::default(),
            attempts: Table::default(),
            line: VecDeque::new(),
            line_length: 0,
            vtc: Vtc::default(),
            sessions: BTreeMap::new(),
            breakers: vec![Breaker::default(); n],
            trouble: Trouble::new(seed),
            held: false,
            retries: RetryBook::default(),
            client_stream: Stream::new(seed, "client", 0),
            start_stream: Stream::new(seed, "slow start", 0),
            out: Out::default(),
            scratch: Vec::new(),
            kv_blocks: vec![scenario.fleet.engine.capacity; n],
            tallies: vec![Tally::default(); n],
            outcomes: Outcomes::default(),
            samples: Samples::new(n),
            sampled: 0,
            cache_news: vec![VecDeque::new(); n],
            follows_events,
            recording: false,
            decisions: Vec::new(),
            scenario: Arc::new(scenario.clone()),
        };
        world.schedule_start();
        world
    }

    /// First scrapes, measurements and the scenario's list of changes.
    fn schedule_start(&mut self) {
        for (i, change) in self.scenario.changes.iter().enumerate() {
            self.queue.push(change.at, Class::Change, Kind::Change(i as u32));
        }
        let router = &self.scenario.router;
        if router.scrape > 0 {
            let mut phases = Stream::new(self.scenario.seed, "scrape phase", 0);
            for i in 0..router.routers {
                let phase = match router.scrape_phase {
                    ScrapePhase::Aligned => 0,
                    ScrapePhase::Random => phases.below(router.scrape),
                    ScrapePhase::Even => router.scrape / u64::from(router.routers) * u64::from(i),
                };
                self.queue.push(phase, Class::Scrape, Kind::Scrape { router: i as u16 });
            }
        }
        self.queue.push(Samples::EVERY, Class::Sample, Kind::Sample);
        self.expect_errors();
        self.begin_outlier_detection();
    }

    /// Handles the next event.
    pub fn step(&mut self) -> Step {
        if self.events >= self.scenario.limits.events {
            return Step::Ended(End::Events);
        }
        let arrival = self.workload.next_arrival().map(|at| (at, Class::Arrive));
        let outside = match (self.queue.peek(), arrival) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let boundary = self.due.first();
        let at = match (outside, boundary) {
            (Some((at, _)), Some(due)) => at.min(due),
            (Some((at, _)), None) => at,
            (None, Some(due)) => due,
            (None, None) => return Step::Ended(End::Drained),
        };
        if let Some(end) = self.over(at, arrival.is_some(), boundary.is_some()) {
            return Step::Ended(end);
        }
        self.now = at;
        self.events += 1;
        match (outside, boundary) {
            // What comes from outside comes first at one instant.
            (Some((outside_at, class)), _) if outside_at == at => {
                if arrival == Some((at, class)) {
                    self.arrive();
                } else if let Some((_, kind)) = self.queue.pop() {
                    self.handle(kind);
                }
            }
            (_, Some(_)) => {
                let replica = self.due.whose();
                self.fold(1, u64::from(replica));
                self.look_ahead(replica);
                self.replicas[usize::from(replica)].run(&mut self.out);
                self.after_engine(replica);
                self.look_further_ahead();
            }
            _ => {}
        }
        debug_assert_eq!(self.quick_laws(), Ok(()));
        Step::Did(at)
    }

    /// Whether the run is over before anything happens at `at`.
    fn over(&self, at: Ps, arrivals: bool, boundaries: bool) -> Option<End> {
        if at > self.scenario.limits.simulated {
            return Some(End::Time);
        }
        if arrivals || boundaries {
            return None;
        }
        // Only scrapes, measurements and changes are left: they alone serve nobody.
        if self.live.len() == 0 && self.attempts.len() == 0 {
            return Some(End::Drained);
        }
        let last = self.scenario.changes.last().map_or(0, |change| change.at);
        let waits = self.line_length > 0 || self.attempts.len() > 0;
        (waits && at > last && !self.someone_will_act()).then_some(End::Stuck)
    }

    /// Whether a replica is on its way up, a breaker will open, or a request has a clock of its
    /// own: then waiting can end.
    fn someone_will_act(&self) -> bool {
        let starting = self.states.contains(&State::Down) && self.starting();
        let timed = self.scenario.gateway.queue_timeout.is_some();
        let open = self.breakers.iter().any(|breaker| breaker.is_open()) || self.somebody_is_ejected();
        // Who is held back may go by what the next reading says.
        let read = self.held && self.scenario.router.scrape > 0;
        let planned = self.live.iter().any(|(_, l)| !l.in_line && l.under_way == [None; 2]);
        starting || timed || open || read || planned || self.line_length == 0
    }

    fn handle(&mut self, kind: Kind) {
        match kind {
            Kind::Change(i) => self.change(i),
            Kind::Ready { replica, life } => self.ready(replica, life),
            Kind::HalfOpen { replica } => self.half_open(replica),
            Kind::Sweep => self.sweep_outliers(),
            Kind::Scrape { router } => self.scrape(router),
            Kind::Deliver { router } => self.deliver(router),
            Kind::Retry { live, serial } => self.retry(live, serial),
            Kind::Hedge { live, serial } => self.hedge(live, serial),
            Kind::Count { attempt, serial } => self.count(attempt, serial),
            Kind::Share { router, to, ended } => self.share(router, to, ended),
            Kind::Timeout { live, serial, tries } => self.timeout(live, serial, tries),
            Kind::LineTimeout { live, serial, tries } => self.line_timeout(live, serial, tries),
            Kind::Sample => self.sample(),
        }
    }

    fn sample(&mut self) {
        let now = self.now;
        let blocks = self.replicas.iter().map(|replica| replica.in_use_at(now));
        self.samples.take(now, blocks, &self.outstanding);
        self.sampled = now;
        self.queue.push(now.saturating_add(Samples::EVERY), Class::Sample, Kind::Sample);
    }

    fn truth(&mut self) -> Truth<'_> {
        Truth {
            replicas: &mut self.replicas,
            outstanding: &self.outstanding,
            out: &mut self.out,
            block: self.scenario.fleet.engine.block,
            kv_blocks: &self.kv_blocks,
            tallies: &self.tallies,
            means: self.lifetimes.means(),
        }
    }

    /// Feeds the digest.
    fn fold(&mut self, kind: u64, whom: u64) {
        for word in [self.now, kind << 48 | whom] {
            self.digest = (self.digest.rotate_left(5) ^ word).wrapping_mul(0x517C_C1B7_2722_0A95);
        }
    }

    /// Handles what an engine has told, and plans its next boundary.
    fn after_engine(&mut self, replica: ReplicaIx) {
        while !self.out.events.is_empty() {
            let mut told = std::mem::take(&mut self.out.events);
            for event in told.drain(..) {
                self.engine_event(replica, &event);
            }
            // The room of the list is used again.
            if self.out.events.is_empty() {
                self.out.events = told;
            }
        }
        self.plan(replica);
    }

    /// Plans a replica's next boundary.
    fn plan(&mut self, replica: ReplicaIx) {
        let at = usize::from(replica);
        self.due.set(replica, self.replicas[at].next());
        if self.follows_events {
            self.cache_news[at].extend(self.replicas[at].take_changes());
        }
    }

    /// Lets every router hear what engines told long enough ago.
    fn hear_events(&mut self) {
        if !self.follows_events {
            return;
        }
        let delay = self.scenario.router.event_delay;
        for at in 0..self.replicas.len() {
            self.replicas[at].look(self.now, &mut self.out);
            self.cache_news[at].extend(self.replicas[at].take_changes());
            while let Some(news) = self.cache_news[at].front().copied() {
                if news.at.saturating_add(delay) > self.now {
                    break;
                }
                self.cache_news[at].pop_front();
                for router in &mut self.routers {
                    router.cache_changed(at as ReplicaIx, news.run, news.stored, news.at);
                }
            }
        }
    }

    /// Collects score terms while recording.
    fn explain(&self) -> Explain {
        if self.recording { Explain::on() } else { Explain::off() }
    }
}
