//! Parameters of the lab.

use super::MAX_LAYERS;
use tokenyard_param::{Kind, ParamSpec, Values};

const fn attempts(key: &'static str, link: &'static str, default: i64) -> ParamSpec {
    ParamSpec { key, link, kind: Kind::Int { min: 1, max: 10, default, step: 1, page: 3 } }
}

const fn name(key: &'static str, link: &'static str, default: &'static str) -> ParamSpec {
    ParamSpec { key, link, kind: Kind::Text { max_chars: 24, default } }
}

/// The table of parameters. Layer 1 is the outermost; those beyond `layers` have no effect. What
/// a reader changes first stands first: the attempts of the gateway, who retries, how often
/// calls fail.
///
/// The failure probability is 0.5 by default: the click then costs two calls on average, beside
/// an outage lane in which the same tree makes all 144. Nothing else sets the worst case and
/// the expected case so far apart.
pub static PARAMS: [ParamSpec; 17] = [
    attempts("attempts_3", "try3", 4),
    ParamSpec {
        key: "only_one_layer",
        link: "only",
        kind: Kind::OptInt { min: 1, max: 6, default: None, step: 1, page: 2 },
    },
    ParamSpec {
        key: "failure_probability",
        link: "fail",
        kind: Kind::Real { min: 0.0, max: 1.0, default: 0.5, step: 0.01, page: 0.1, digits: 2 },
    },
    ParamSpec {
        key: "budget",
        link: "budget",
        kind: Kind::OptInt { min: 0, max: 100, default: None, step: 1, page: 10 },
    },
    ParamSpec {
        key: "layers",
        link: "layers",
        kind: Kind::Int { min: 1, max: 6, default: 4, step: 1, page: 2 },
    },
    attempts("attempts_1", "try1", 3),
    attempts("attempts_2", "try2", 4),
    attempts("attempts_4", "try4", 3),
    attempts("attempts_5", "try5", 2),
    attempts("attempts_6", "try6", 2),
    name("name_1", "name1", "client SDK"),
    name("name_2", "name2", "tool loop"),
    name("name_3", "name3", "gateway"),
    name("name_4", "name4", "provider SDK"),
    name("name_5", "name5", "service mesh"),
    name("name_6", "name6", "load balancer"),
    ParamSpec {
        key: "seed",
        link: "seed",
        kind: Kind::Int { min: 0, max: 4_294_967_295, default: 1, step: 1, page: 1_000 },
    },
];

/// One layer of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// What the reader calls it.
    pub name: String,
    /// Attempts it makes at most for one call, the first one included; 0 counts as 1.
    pub attempts: u32,
}

/// Parameters of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// Seed of the draws.
    pub seed: u32,
    /// Probability that one upstream call fails, 0..=1.
    pub failure: f64,
    /// The one layer that retries, counted from 1 at the outside; a number beyond the last layer
    /// means the last. `None`: all retry.
    pub only_one_layer: Option<u32>,
    /// Retries allowed per first attempt in each layer, in percent. `None`: no budget.
    pub budget: Option<u32>,
    /// The layers, outermost first; at most [`MAX_LAYERS`] are used.
    pub layers: Vec<Layer>,
}

impl Params {
    /// Reads a table of [`PARAMS`].
    #[must_use]
    pub fn from_values(values: &Values) -> Self {
        let layer = |i: usize| Layer {
            name: values.text(&format!("name_{i}")).to_owned(),
            attempts: values.u32(&format!("attempts_{i}")),
        };
        let count = usize::try_from(values.int("layers")).unwrap_or(1).clamp(1, MAX_LAYERS);
        Self {
            seed: values.u32("seed"),
            failure: values.real("failure_probability"),
            only_one_layer: values.opt_u32("only_one_layer"),
            budget: values.opt_u32("budget"),
            layers: (1..=count).map(layer).collect(),
        }
    }
}

impl Default for Params {
    fn default() -> Self {
        Self::from_values(&Values::defaults(&PARAMS))
    }
}
