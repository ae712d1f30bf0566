//! Section `router`: how many routers there are, and what each of them believes.
//!
//! The rule and its own parameters are fields `rule` and `rule_params` beside these; their tables
//! are in `tokenyard_policy::rules`.

use tokenyard_param::{ParamSpec, Values};
use tokenyard_policy::{ReplicaConfig, RuleSpec, TieBreak};

use super::table::{choice, int, ms, opt, opt_ms, opt_s, options, real, s, switch};
use crate::time::Ps;

options! {
    /// How routers share the arrivals.
    Share {
        /// In turn.
        RoundRobin = "round-robin",
        /// By a hash of the session, or of the request where there is none.
        Hash = "hash",
    }
}

options! {
    /// Where a router's idea of load comes from.
    LoadSource {
        /// It counts its own dispatches and their ends.
        Own = "own",
        /// It reads the engines' metrics every `scrape_ms`.
        Scraped = "scraped",
    }
}

options! {
    /// When within an interval each router scrapes the fleet.
    ScrapePhase {
        /// All routers at the same time.
        Aligned = "aligned",
        /// Each router at a random offset of its own, as independently started ones do.
        Random = "random",
        /// Routers evenly over the interval.
        Even = "even",
    }
}

options! {
    /// Where a router's idea of prefix caches comes from.
    KnowledgeSource {
        /// As the rule says.
        Rule = "rule",
        /// There is none.
        None = "none",
        /// The caches as they are.
        True = "true",
        /// What was sent where, never forgotten unless `history_blocks` is full.
        History = "history",
        /// What was sent where, forgotten after `ttl_s`.
        Ttl = "ttl",
        /// Events of the engines, late and lossy as the settings say.
        Events = "events",
    }
}

options! {
    /// [`TieBreak`] as files write it.
    TieName {
        /// As the rule's own code does it.
        Upstream = "upstream",
        /// First candidate.
        First = "first",
        /// Last candidate.
        Last = "last",
        /// Uniform draw.
        Random = "random",
    }
}

/// The parameters, with ranges and defaults.
pub static TABLE: [ParamSpec; 26] = [
    int("routers", 1, 64, 1),
    choice("share", Share::OPTIONS, 0),
    choice("load", LoadSource::OPTIONS, 0),
    int("scrape_ms", 0, 3_600_000, 0),
    choice("scrape_phase", ScrapePhase::OPTIONS, 0),
    int("scrape_delay_ms", 0, 3_600_000, 0),
    switch("own_dispatches", false),
    opt("peer_sharing_ms", 0, 3_600_000),
    int("accounting_gap_ms", 0, 60_000, 0),
    choice("ties", TieName::OPTIONS, 0),
    choice("knowledge", KnowledgeSource::OPTIONS, 0),
    opt("history_blocks", 1, 100_000_000),
    int("ttl_s", 1, 86_400, 120),
    int("event_delay_ms", 0, 3_600_000, 0),
    real("event_loss", 0.0, 1.0, 0.0, 3),
    opt("event_outage_from_s", 0, 18_446_744),
    real("event_outage_s", 0.0, 18_446_744.0, 60.0, 0),
    opt("predicted_ttl_s", 1, 86_400),
    opt("weight_per_mille", 1, 1_000_000),
    opt("slow_weight_per_mille", 1, 1_000_000),
    opt("price_cents", 0, 1_000_000),
    opt("slow_price_cents", 0, 1_000_000),
    opt("tpm", 1, 1_000_000_000),
    opt("slow_tpm", 1, 1_000_000_000),
    opt("rpm", 1, 1_000_000_000),
    opt("slow_rpm", 1, 1_000_000_000),
];

/// The section, read.
#[derive(Clone, Debug)]
pub struct RouterSettings {
    /// The routing rule.
    pub rule: &'static RuleSpec,
    /// Its parameters, in range.
    pub rule_params: Values,
    /// Router replicas.
    pub routers: u32,
    /// How they share the arrivals.
    pub share: Share,
    /// Where load comes from.
    pub load: LoadSource,
    /// Time between two scrapes of a replica; 0 is always fresh.
    pub scrape: Ps,
    /// When within the interval.
    pub scrape_phase: ScrapePhase,
    /// From the reading to the router.
    pub scrape_delay: Ps,
    /// Whether own dispatches since the reading are added to a scraped load.
    pub own_dispatches: bool,
    /// Delay after which a router's dispatches reach its peers; none: never.
    pub peer_sharing: Option<Ps>,
    /// Between picking a replica and counting the pick.
    pub accounting_gap: Ps,
    /// Who wins among equals.
    pub ties: TieBreak,
    /// Where prefix knowledge comes from.
    pub knowledge: KnowledgeSource,
    /// Most blocks of a history; none: without limit.
    pub history_blocks: Option<u32>,
    /// Life of an entry of a TTL history.
    pub ttl: Ps,
    /// From an engine's event to the router.
    pub event_delay: Ps,
    /// Probability that an event is lost, each link on its own.
    pub event_loss: f64,
    /// Start of the window in which every event is lost.
    pub event_outage_from: Option<Ps>,
    /// Length of that window.
    pub event_outage: Ps,
    /// Life of an entry that a router writes for itself when it dispatches, beside events.
    pub predicted_ttl: Option<Ps>,
    /// What is written down of replicas: weights in per mille, prices in cents for a million tokens
    /// in and a million out, tokens and requests a minute.
    pub config: ReplicaConfig,
    /// The same of the last `fleet.slow_replicas`.
    pub slow_config: ReplicaConfig,
}

fn config(v: &Values, [weight, price, tpm, rpm]: [&str; 4]) -> ReplicaConfig {
    ReplicaConfig {
        weight: v.opt_u32(weight),
        price: v.opt_u32(price),
        tpm: v.opt_u32(tpm),
        rpm: v.opt_u32(rpm),
    }
}

impl RouterSettings {
    /// A new rule of that kind.
    #[must_use]
    pub fn build_rule(&self) -> Box<dyn tokenyard_policy::Rule> {
        (self.rule.build)(&self.rule_params)
    }

    pub(super) fn of(v: &Values, rule: &'static RuleSpec, rule_params: &Values) -> Self {
        Self {
            rule,
            rule_params: rule_params.clone(),
            routers: v.u32("routers"),
            share: Share::of(v, "share"),
            load: LoadSource::of(v, "load"),
            scrape: ms(v, "scrape_ms"),
            scrape_phase: ScrapePhase::of(v, "scrape_phase"),
            scrape_delay: ms(v, "scrape_delay_ms"),
            own_dispatches: v.switch("own_dispatches"),
            peer_sharing: opt_ms(v, "peer_sharing_ms"),
            accounting_gap: ms(v, "accounting_gap_ms"),
            ties: match TieName::of(v, "ties") {
                TieName::Upstream => TieBreak::Upstream,
                TieName::First => TieBreak::First,
                TieName::Last => TieBreak::Last,
                TieName::Random => TieBreak::Random,
            },
            knowledge: KnowledgeSource::of(v, "knowledge"),
            history_blocks: v.opt_u32("history_blocks"),
            ttl: s(v, "ttl_s"),
            event_delay: ms(v, "event_delay_ms"),
            event_loss: v.real("event_loss"),
            event_outage_from: opt_s(v, "event_outage_from_s"),
            event_outage: s(v, "event_outage_s"),
            predicted_ttl: opt_s(v, "predicted_ttl_s"),
            config: config(v, ["weight_per_mille", "price_cents", "tpm", "rpm"]),
            slow_config: config(v, ["slow_weight_per_mille", "slow_price_cents", "slow_tpm", "slow_rpm"]),
        }
    }
}
