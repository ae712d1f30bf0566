//! The run itself.

use tokenyard_det::{Digest, Mulberry32};

use super::params::{Fork, Params, Phases, Rule};

/// One decision of one router.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Which request of the run, from 0.
    pub request: u32,
    /// Router that decided, from 0.
    pub router: u32,
    /// Ticks since that router's copy was made.
    pub age: u32,
    /// The load of each replica as the rule saw it: scraped copy, plus own dispatches where the
    /// rule counts them.
    pub view: Vec<u32>,
    /// The true load of each replica just before this dispatch.
    pub truth: Vec<u32>,
    /// The two replicas looked at, where the rule probes.
    pub probes: Option<[u32; 2]>,
    /// The replica chosen.
    pub placed: u32,
}

impl Decision {
    /// The replicas that the same rule could have chosen on true figures: the least loaded
    /// ones, or the better of the same two probes.
    #[must_use]
    pub fn fresh_choices(&self) -> Vec<u32> {
        if let Some([first, second]) = self.probes {
            let better = self.truth[second as usize] < self.truth[first as usize];
            return vec![if better { second } else { first }];
        }
        let least = self.truth.iter().min().copied().unwrap_or(0);
        (0..self.truth.len() as u32).filter(|i| self.truth[*i as usize] == least).collect()
    }
}

/// One tick, after everything in it has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tick {
    /// Routers that scraped in this tick.
    pub scraped: Vec<u32>,
    /// True loads after finished requests left and before any dispatch: what a scrape reads.
    pub before: Vec<u32>,
    /// Decisions in order.
    pub decisions: Vec<Decision>,
    /// True loads at the end of the tick.
    pub loads: Vec<u32>,
    /// Largest minus smallest of `loads`.
    pub skew: u32,
}

/// A whole run of one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Settings from the start.
    pub params: Params,
    /// A change on the way, if any.
    pub fork: Option<Fork>,
    /// The rule.
    pub rule: Rule,
    /// One record a tick, `horizon` of them.
    pub ticks: Vec<Tick>,
}

impl Run {
    /// What `router` would read at the end of tick `at`: its scraped copy (plus own dispatches
    /// where the rule counts them) and the age of that copy in ticks. Before its first scrape a
    /// router holds zeros from the start of the run. Cost: O(ticks since the scrape).
    #[must_use]
    pub fn belief(&self, router: u32, at: u32) -> (Vec<u32>, u32) {
        let past = &self.ticks[..self.ticks.len().min(at as usize + 1)];
        let since = past.iter().rposition(|t| t.scraped.contains(&router));
        let mut view = match since {
            Some(tick) => past[tick].before.clone(),
            None => vec![0; self.params.replicas.max(1) as usize],
        };
        if self.rule.counts_own_dispatches() {
            let own = past.iter().skip(since.unwrap_or(0)).flat_map(|t| &t.decisions);
            own.filter(|d| d.router == router).for_each(|d| view[d.placed as usize] += 1);
        }
        (view, at.saturating_sub(since.unwrap_or(0) as u32))
    }

    /// Feeds the full state of every tick.
    pub fn digest(&self, into: &mut Digest) {
        into.u64(self.ticks.len() as u64);
        for tick in &self.ticks {
            into.u32s(&tick.scraped);
            into.u32s(&tick.before);
            into.u64(tick.decisions.len() as u64);
            for d in &tick.decisions {
                [d.request, d.router, d.age, d.placed].iter().for_each(|v| into.u32(*v));
                into.u32s(&d.view);
                into.u32s(&d.truth);
                into.u32s(d.probes.as_ref().map_or(&[], |p| p.as_slice()));
            }
            into.u32s(&tick.loads);
            into.u32(tick.skew);
        }
    }
}

/// One router's copy of the loads.
#[derive(Clone)]
struct Router {
    copy: Vec<u32>,
    own: Vec<u32>,
    scraped_at: u32,
}

/// Everything that changes during a run.
struct Machine {
    rule: Rule,
    settings: Params,
    offsets: Vec<u32>,
    routers: Vec<Router>,
    loads: Vec<u32>,
    /// Replicas to free, by the tick in which the request leaves.
    leaving: Vec<Vec<u32>>,
    rng: Mulberry32,
    arrivals: u32,
}

fn offsets(p: &Params) -> Vec<u32> {
    let (routers, interval) = (p.routers.max(1), p.scrape_interval.max(1));
    let mut phases = Mulberry32::new(p.seed ^ 0x9A5E);
    (0..routers)
        .map(|i| match p.stagger {
            Phases::Aligned => 0,
            Phases::Even => i * interval / routers,
            Phases::Random => phases.uniform_int(interval),
        })
        .collect()
}

impl Machine {
    fn new(p: &Params, rule: Rule) -> Self {
        let replicas = p.replicas.max(1) as usize;
        let router = Router { copy: vec![0; replicas], own: vec![0; replicas], scraped_at: 0 };
        Self {
            rule,
            settings: *p,
            offsets: offsets(p),
            routers: vec![router; p.routers.max(1) as usize],
            loads: vec![0; replicas],
            leaving: vec![Vec::new(); p.horizon as usize + 1],
            rng: Mulberry32::new(p.seed ^ rule.id().len() as u32),
            arrivals: 0,
        }
    }

    /// From here on other settings; replicas, routers, horizon and seed stay.
    fn change(&mut self, then: &Params) {
        let Params { scrape_interval, stagger, arrivals_per_tick, service_ticks, .. } = *then;
        self.settings =
            Params { scrape_interval, stagger, arrivals_per_tick, service_ticks, ..self.settings };
        self.offsets = offsets(&self.settings);
    }

    fn tick(&mut self, now: u32) -> Tick {
        for replica in std::mem::take(&mut self.leaving[now as usize]) {
            self.loads[replica as usize] -= 1;
        }
        let before = self.loads.clone();
        let interval = self.settings.scrape_interval.max(1);
        let due = (0..self.routers.len() as u32)
            .filter(|r| (now + self.offsets[*r as usize]).is_multiple_of(interval));
        let scraped: Vec<u32> = due.collect();
        for &r in &scraped {
            let router = &mut self.routers[r as usize];
            router.copy.copy_from_slice(&before);
            router.own.fill(0);
            router.scraped_at = now;
        }
        let decisions = (0..self.settings.arrivals_per_tick).map(|_| self.dispatch(now)).collect();
        let loads = self.loads.clone();
        let skew = loads.iter().max().unwrap_or(&0) - loads.iter().min().unwrap_or(&0);
        Tick { scraped, before, decisions, loads, skew }
    }

    fn dispatch(&mut self, now: u32) -> Decision {
        let request = self.arrivals;
        self.arrivals += 1;
        let r = request % self.routers.len() as u32;
        let truth = self.loads.clone();
        let router = &self.routers[r as usize];
        let age = now - router.scraped_at;
        let mut view = router.copy.clone();
        if self.rule.counts_own_dispatches() {
            view.iter_mut().zip(&router.own).for_each(|(v, own)| *v += own);
        }
        let (placed, probes) = self.choose(&view);
        self.routers[r as usize].own[placed as usize] += 1;
        self.loads[placed as usize] += 1;
        let leaves = u64::from(now) + u64::from(self.settings.service_ticks.max(1));
        if let Some(slot) = self.leaving.get_mut(usize::try_from(leaves).unwrap_or(usize::MAX)) {
            slot.push(placed);
        }
        Decision { request, router: r, age, view, truth, probes, placed }
    }

    fn choose(&mut self, view: &[u32]) -> (u32, Option<[u32; 2]>) {
        let n = view.len() as u32;
        if self.rule.probes_two() {
            let (first, second) = (self.rng.uniform_int(n), self.rng.uniform_int(n));
            let better = view[second as usize] < view[first as usize];
            return (if better { second } else { first }, Some([first, second]));
        }
        let least = view.iter().min().copied().unwrap_or(0);
        let ties: Vec<u32> = (0..n).filter(|i| view[*i as usize] == least).collect();
        // One draw even when there is no tie, as published: it keeps the stream in step.
        (ties[self.rng.uniform_int(ties.len() as u32) as usize], None)
    }
}

/// Runs one rule. `fork` changes the settings at the start of a tick.
#[must_use]
pub fn run(params: &Params, rule: Rule, fork: Option<Fork>) -> Run {
    let mut machine = Machine::new(params, rule);
    let ticks = (0..params.horizon)
        .map(|now| {
            if let Some(fork) = fork.filter(|f| f.tick == now) {
                machine.change(&fork.then);
            }
            machine.tick(now)
        })
        .collect();
    Run { params: *params, fork, rule, ticks }
}
