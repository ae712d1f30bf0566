//! What can be set, and the four rules.

use tokenyard_param::{Kind, ParamSpec, Values};

/// The parameters, named as in the oracle file.
pub static PARAMS: [ParamSpec; 8] = [
    ParamSpec {
        key: "scrape_interval",
        link: "interval",
        kind: Kind::Int { min: 1, max: 60, default: 10, step: 1, page: 5 },
    },
    ParamSpec {
        key: "routers",
        link: "routers",
        kind: Kind::Int { min: 1, max: 16, default: 4, step: 1, page: 4 },
    },
    ParamSpec {
        key: "stagger",
        link: "phases",
        kind: Kind::Choice { options: &["off", "on", "random"], default: 0 },
    },
    ParamSpec {
        key: "replicas",
        link: "replicas",
        kind: Kind::Int { min: 2, max: 16, default: 5, step: 1, page: 4 },
    },
    ParamSpec {
        key: "arrivals_per_tick",
        link: "arrivals",
        kind: Kind::Int { min: 1, max: 8, default: 2, step: 1, page: 2 },
    },
    ParamSpec {
        key: "service_ticks",
        link: "service",
        kind: Kind::Int { min: 1, max: 60, default: 14, step: 1, page: 5 },
    },
    ParamSpec {
        key: "horizon",
        link: "horizon",
        kind: Kind::Int { min: 10, max: 600, default: 90, step: 1, page: 30 },
    },
    ParamSpec {
        key: "seed",
        link: "seed",
        kind: Kind::Int { min: 0, max: 4_294_967_295, default: 20_260_826, step: 1, page: 1000 },
    },
];

/// When the routers scrape, relative to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phases {
    /// All in the same tick.
    Aligned,
    /// Evenly spread: router `i` of `n` is ahead by floor(i · interval / n).
    Even,
    /// Each at a phase drawn once, as independently started routers are.
    Random,
}

/// Settings of a run. Values come from [`Values`] and are in range; the model needs at least
/// one replica, one router and an interval of one, and treats 0 as 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Ticks between two scrapes of one router. 1 is perfectly fresh at the start of a tick.
    pub scrape_interval: u32,
    /// Routers that take the arrivals in turn.
    pub routers: u32,
    /// Phases of the scrapes.
    pub stagger: Phases,
    /// Replicas to choose from.
    pub replicas: u32,
    /// Requests that arrive in each tick.
    pub arrivals_per_tick: u32,
    /// Ticks a request stays at its replica.
    pub service_ticks: u32,
    /// Ticks in the run.
    pub horizon: u32,
    /// Seed of ties, probes and random phases.
    pub seed: u32,
}

impl Default for Params {
    fn default() -> Self {
        Self::from_values(&Values::defaults(&PARAMS))
    }
}

impl Params {
    /// Reads validated values.
    #[must_use]
    pub fn from_values(values: &Values) -> Self {
        Self {
            scrape_interval: values.u32("scrape_interval"),
            routers: values.u32("routers"),
            stagger: match values.choice("stagger") {
                0 => Phases::Aligned,
                1 => Phases::Even,
                _ => Phases::Random,
            },
            replicas: values.u32("replicas"),
            arrivals_per_tick: values.u32("arrivals_per_tick"),
            service_ticks: values.u32("service_ticks"),
            horizon: values.u32("horizon"),
            seed: values.u32("seed"),
        }
    }
}

/// A change of settings at the start of a tick. What happened before stays as it was.
///
/// Interval, phases, arrivals and service time change; the fleet, the horizon and the seed of
/// the first part stay, because the past was made with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fork {
    /// First tick (from 0) under the new settings.
    pub tick: u32,
    /// The settings from then on.
    pub then: Params,
}

/// How a router picks a replica.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The smallest load in the scraped copy.
    LeastOutstanding,
    /// The smallest of scraped copy plus own dispatches since that scrape.
    InFlightAware,
    /// The better of two random replicas, by the scraped copy.
    PowerOfTwo,
    /// The better of two random replicas, by scraped copy plus own dispatches.
    InFlightAwareP2c,
}

impl Rule {
    /// All four, in the published order.
    pub const ALL: [Self; 4] =
        [Self::LeastOutstanding, Self::InFlightAware, Self::PowerOfTwo, Self::InFlightAwareP2c];

    /// The identifier on the command line and in links. Its length seeds the rule's stream.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::LeastOutstanding => "least-outstanding",
            Self::InFlightAware => "in-flight-aware",
            Self::PowerOfTwo => "power-of-two",
            Self::InFlightAwareP2c => "in-flight-aware-p2c",
        }
    }

    /// Whether the rule adds its router's own dispatches to the scraped copy.
    #[must_use]
    pub fn counts_own_dispatches(self) -> bool {
        matches!(self, Self::InFlightAware | Self::InFlightAwareP2c)
    }

    /// Whether the rule looks at two random replicas only.
    #[must_use]
    pub fn probes_two(self) -> bool {
        matches!(self, Self::PowerOfTwo | Self::InFlightAwareP2c)
    }
}
