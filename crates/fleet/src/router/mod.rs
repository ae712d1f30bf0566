//! A router: a rule, and around it what any rule can be studied under. Staleness, own dispatches,
//! sharing with peers, the gap between picking and counting, prefix knowledge and ties are
//! settings here and not parts of rules.

mod beliefs;
mod books;
mod fresh;
mod knowledge;
mod remember;
mod reports;
mod view;

use tokenyard_det::{Digest, Stream};
use tokenyard_policy::{
    Ask, Choice, Draw, Explain, Fact, FleetView, Means, ReplicaConfig, ReplicaIx, Rule, Signals,
};

use beliefs::Beliefs;
pub(crate) use beliefs::Reading;
use books::Book;
pub(crate) use books::Entry;
use knowledge::Known;
pub(crate) use knowledge::Source;
use reports::Reports;
pub(crate) use reports::{Tally, Wanted};
use view::{fleet_view, view_of};

use crate::chain::Chain;
use crate::engine::{Out, Replica};
use crate::request::Request;
use crate::scenario::{LoadSource, RouterSettings, Scenario};
use crate::time::Ps;

/// The fleet as it is, for what may look at it.
pub(crate) struct Truth<'a> {
    pub(crate) replicas: &'a mut [Replica],
    /// Attempts at each replica, counted by the fleet itself.
    pub(crate) outstanding: &'a [u32],
    pub(crate) out: &'a mut Out,
    pub(crate) block: u32,
    /// KV blocks of each replica.
    pub(crate) kv_blocks: &'a [u32],
    /// Requests that ended at each replica.
    pub(crate) tallies: &'a [Tally],
    /// Means over the life of each engine; none where no rule reads them.
    pub(crate) means: &'a [Means],
}

impl Truth<'_> {
    /// Leading blocks of a chain that are in a replica's cache.
    fn hits(&mut self, now: Ps, replica: ReplicaIx, chain: &Chain) -> u32 {
        self.replicas[usize::from(replica)].hits(now, chain, self.out)
    }

    /// Reads every replica at `at`, and of what engines report what is wanted.
    pub(crate) fn read(&mut self, at: Ps, wanted: Wanted) -> Reading {
        let mut reading = Reading { at, ..Reading::default() };
        self.read_into(at, wanted, &mut reading);
        reading
    }

    fn read_into(&mut self, at: Ps, wanted: Wanted, reading: &mut Reading) {
        reading.at = at;
        reading.outstanding.clear();
        reading.outstanding.extend_from_slice(self.outstanding);
        reading.looks.clear();
        if wanted.looks {
            let out = &mut *self.out;
            reading.looks.extend(self.replicas.iter_mut().map(|r| wanted.look(r, at, out)));
        }
        self.read_reports(wanted, reading);
    }
}

/// One router replica.
#[derive(Clone, Debug)]
pub(crate) struct Router {
    rule: Box<dyn Rule>,
    signals: Signals,
    stream: Stream,
    beliefs: Beliefs,
    books: Vec<Book>,
    known: Known,
    reports: Reports,
    config: Vec<ReplicaConfig>,
    scratch: Scratch,
}

/// Buffers that keep their room from one decision to the next.
#[derive(Clone, Debug, Default)]
struct Scratch {
    blocks: Vec<u64>,
    overlap: Vec<u32>,
    indexed: Vec<u32>,
    new_blocks: Vec<u32>,
    fresh: Reading,
}

/// A decision with everything a record of it needs.
pub(crate) struct Decided {
    pub(crate) choice: Choice,
    /// Blocks believed to be cached at the chosen replica.
    pub(crate) overlap: u32,
}

impl Router {
    /// Every router of a scenario; they know nothing yet.
    pub(crate) fn all(scenario: &Scenario) -> Vec<Self> {
        (0..u64::from(scenario.router.routers)).map(|number| Self::new(scenario, number)).collect()
    }

    /// The router of that number.
    fn new(scenario: &Scenario, number: u64) -> Self {
        let (settings, seed) = (&scenario.router, scenario.seed);
        let replicas = scenario.fleet.replicas as usize;
        let fast = replicas.saturating_sub(scenario.fleet.slow_replicas as usize);
        let rule = settings.build_rule();
        Self {
            signals: rule.signals(),
            beliefs: Beliefs::kept(replicas, rule.signals(), settings),
            rule,
            stream: Stream::new(seed, "router", number),
            books: (0..replicas).map(|_| Book::new()).collect(),
            known: Known::new(settings, seed, number, replicas),
            reports: Reports::new(replicas),
            config: (0..replicas)
                .map(|r| if r < fast { settings.config } else { settings.slow_config })
                .collect(),
            scratch: Scratch::default(),
        }
    }

    /// What of the engines' own reports a reading for this rule needs.
    pub(crate) fn wants(&self, settings: &RouterSettings) -> Wanted {
        let books = settings.load == LoadSource::Scraped && self.signals.has(Signals::BOOKS);
        Wanted::of(self.signals, books)
    }

    /// Whether its rule reads any of these.
    pub(crate) fn reads(&self, signals: Signals) -> bool {
        self.signals.any(signals)
    }

    /// Where prefix knowledge comes from.
    pub(crate) fn source(&self) -> Source {
        self.known.source()
    }

    /// Decides where a request goes.
    pub(crate) fn decide(
        &mut self,
        now: Ps,
        request: &Request,
        routable: &[ReplicaIx],
        truth: &mut Truth<'_>,
        settings: &RouterSettings,
        explain: &mut Explain,
    ) -> Decided {
        self.look(now, request, routable, truth, settings);
        let Self { rule, stream, beliefs, scratch, reports, config, .. } = self;
        let mut ask = Ask {
            request: view_of(request, &scratch.blocks, truth.block),
            fleet: FleetView {
                config,
                ..reports.columns(fleet_view(now, routable, truth, beliefs, scratch))
            },
            draw: Draw { stream, ties: settings.ties },
            explain,
        };
        let choice = rule.choose(&mut ask);
        let overlap = match choice {
            Choice::Send { to, .. } => scratch.overlap.get(usize::from(to)).copied().unwrap_or(0),
            Choice::Nobody | Choice::Refused | Choice::Held => 0,
        };
        Decided { choice, overlap }
    }

    /// What the rule would choose on fresh, true data, with the same chance.
    pub(crate) fn on_fresh(
        &self,
        now: Ps,
        request: &Request,
        routable: &[ReplicaIx],
        truth: &mut Truth<'_>,
        settings: &RouterSettings,
    ) -> Option<ReplicaIx> {
        let fresh = truth.read(now, self.wants(settings).looking());
        let mut beliefs = Beliefs::new(self.books.len());
        let reports = self.reports.on_fresh(&fresh, self.signals);
        beliefs.read(&fresh, self.signals);
        let mut scratch = Scratch::default();
        self.name_blocks(request, &mut scratch.blocks);
        if self.signals.has(Signals::OVERLAP) {
            scratch.overlap.resize(self.books.len(), 0);
            for &r in routable {
                scratch.overlap[usize::from(r)] = truth.hits(now, r, &request.chain);
            }
        }
        self.ask_books(request, routable, truth.block, &mut scratch.new_blocks);
        let mut stream = self.stream.clone();
        let mut ask = Ask {
            request: view_of(request, &scratch.blocks, truth.block),
            fleet: FleetView {
                config: &self.config,
                ..reports.columns(fleet_view(now, routable, truth, &beliefs, &scratch))
            },
            draw: Draw { stream: &mut stream, ties: settings.ties },
            explain: &mut Explain::off(),
        };
        match self.rule.would_choose(&mut ask) {
            Choice::Send { to, .. } => Some(to),
            Choice::Nobody | Choice::Refused | Choice::Held => None,
        }
    }

    /// Brings every column up to date that the rule reads.
    fn look(
        &mut self,
        now: Ps,
        request: &Request,
        routable: &[ReplicaIx],
        truth: &mut Truth<'_>,
        settings: &RouterSettings,
    ) {
        if settings.load == LoadSource::Scraped && settings.scrape == 0 {
            self.beliefs.read_outstanding(truth.outstanding);
            self.beliefs.seen_at.fill(now);
        }
        if settings.scrape == 0 && self.wants(settings).looks {
            self.read_engines(now, truth, settings);
        }
        self.reports.look(now, self.signals);
        self.look_at_cache(now, request, routable, truth);
        if !self.signals.has(Signals::BOOKS) {
            return;
        }
        if settings.load == LoadSource::Own {
            for (r, book) in self.books.iter().enumerate() {
                self.beliefs.prefill_tokens[r] = book.prefill_tokens;
                self.beliefs.decode_blocks[r] = book.blocks;
                self.beliefs.active[r] = book.active;
            }
        }
        let mut new_blocks = std::mem::take(&mut self.scratch.new_blocks);
        self.ask_books(request, routable, truth.block, &mut new_blocks);
        self.scratch.new_blocks = new_blocks;
    }

    /// Signals that engine reports fill: under `own` the router's books stay its own.
    fn signals_from_engines(&self, settings: &RouterSettings) -> Signals {
        match settings.load {
            LoadSource::Own => Signals::NONE,
            LoadSource::Scraped => self.signals,
        }
    }

    /// Blocks of the prompt that no active request holds at a replica, by the router's own books.
    fn ask_books(&self, request: &Request, routable: &[ReplicaIx], block: u32, into: &mut Vec<u32>) {
        if self.signals.has(Signals::BOOKS) {
            into.clear();
            into.resize(self.books.len(), 0);
            for &r in routable {
                let book = &self.books[usize::from(r)];
                into[usize::from(r)] = book.new_blocks(request.chain.runs(), request.prompt, block);
            }
        }
    }

    /// The ids of the prompt's blocks, one by one, for a rule that reads them.
    fn name_blocks(&self, request: &Request, into: &mut Vec<u64>) {
        if self.signals.has(Signals::BLOCKS) {
            into.clear();
            for run in request.chain.runs() {
                into.extend(run.first..run.first + u64::from(run.len));
            }
        }
    }

    fn look_at_cache(&mut self, now: Ps, request: &Request, routable: &[ReplicaIx], truth: &mut Truth<'_>) {
        if self.signals.has(Signals::BLOCKS) {
            let mut blocks = std::mem::take(&mut self.scratch.blocks);
            self.name_blocks(request, &mut blocks);
            self.scratch.blocks = blocks;
        }
        if self.signals.has(Signals::OVERLAP) {
            self.scratch.overlap.clear();
            self.scratch.overlap.resize(self.books.len(), 0);
            for &r in routable {
                self.scratch.overlap[usize::from(r)] = self.known.overlap(now, r, &request.chain, truth);
            }
            self.scratch.indexed.clear();
            self.scratch.indexed.extend(self.known.indexed());
        }
    }

    /// A request of this router is on its way: books and memory are updated.
    pub(crate) fn sent(
        &mut self,
        now: Ps,
        to: ReplicaIx,
        request: &Request,
        overlap: u32,
        block: u32,
    ) -> Option<Entry> {
        self.known.sent(now, to, &request.chain);
        self.signals.has(Signals::BOOKS).then(|| {
            let uncached = request.prompt.saturating_sub(overlap * block);
            self.books[usize::from(to)].add(request.chain.runs(), request.prompt, block, uncached)
        })
    }

    /// A dispatch, own or a peer's, becomes known to the load counts. What is read anew for every
    /// decision needs no counts.
    pub(crate) fn count(&mut self, at: Ps, to: ReplicaIx, settings: &RouterSettings) {
        match settings.load {
            LoadSource::Own => self.beliefs.sent(to),
            LoadSource::Scraped if settings.scrape == 0 => {}
            LoadSource::Scraped => self.beliefs.count(at, to),
        }
    }

    /// A counted dispatch has ended, as far as this router's counts go.
    pub(crate) fn discount(&mut self, to: ReplicaIx, load: LoadSource) {
        if load == LoadSource::Own {
            self.beliefs.ended(to);
        }
    }

    /// The first token of a request came.
    pub(crate) fn first_token(&mut self, by: ReplicaIx, entry: Option<&mut Entry>) {
        if let Some(entry) = entry {
            self.books[usize::from(by)].prefilled(entry);
        }
    }

    /// A request ended, well or not.
    pub(crate) fn ended(&mut self, by: ReplicaIx, entry: Option<Entry>) {
        if let Some(entry) = entry {
            self.books[usize::from(by)].remove(entry);
        }
    }

    /// Tells the rule what became of a request, or that a replica left or came back.
    pub(crate) fn learn(&mut self, now: Ps, fact: &Fact) {
        self.rule.learn(fact);
        match fact {
            Fact::Left(replica) => {
                self.known.left(*replica);
                self.reports.left(*replica);
            }
            Fact::Joined(replica) => self.reports.joined(*replica, now),
            Fact::FirstToken { .. } | Fact::Ended { .. } => {}
        }
    }

    /// A new router finds a replica down.
    pub(crate) fn find_down(&mut self, replica: ReplicaIx) {
        self.reports.left(replica);
    }

    /// A scrape arrives.
    pub(crate) fn scraped(&mut self, reading: &Reading, settings: &RouterSettings) {
        self.reports.read(reading, self.signals);
        match settings.load {
            LoadSource::Scraped => self.beliefs.read(reading, self.signals),
            LoadSource::Own => {
                self.beliefs.read_looks(reading, Signals::NONE);
                self.beliefs.seen_at.fill(reading.at);
            }
        }
    }

    /// Changes of engines' caches arrive.
    pub(crate) fn cache_changed(&mut self, replica: ReplicaIx, run: crate::chain::Run, stored: bool, at: Ps) {
        self.known.changed(replica, run, stored, at);
    }

    /// What the router believes of one replica, for records: load, cached blocks, and how old the
    /// load is. Its own counts are never old.
    pub(crate) fn belief(&self, replica: ReplicaIx, now: Ps, settings: &RouterSettings) -> (u32, u32, Ps) {
        let r = usize::from(replica);
        let overlap = self.scratch.overlap.get(r).copied().unwrap_or(0);
        let age = match settings.load {
            LoadSource::Own => 0,
            LoadSource::Scraped => now - self.beliefs.seen_at[r],
        };
        (self.beliefs.outstanding()[r], overlap, age)
    }

    pub(crate) fn digest(&self, into: &mut Digest) {
        self.rule.digest(into);
        into.u32s(self.beliefs.outstanding());
    }
}
