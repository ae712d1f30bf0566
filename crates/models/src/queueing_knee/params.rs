//! Parameters of the lab.

use tokenyard_param::{Kind, ParamSpec, Values};

/// The table of parameters.
///
/// The free curve starts at CV² 2, between the exponential curve and the long tail, so that it
/// is seen as a curve of its own. The utilisation starts at 0.75, where the exponential curve
/// meets the limit of 3, the fixed one is well under it and the long tail far above.
pub static PARAMS: [ParamSpec; 8] = [
    ParamSpec {
        key: "cv2",
        link: "cv2",
        kind: Kind::Real { min: 0.0, max: 10.0, default: 2.0, step: 0.1, page: 1.0, digits: 2 },
    },
    ParamSpec {
        key: "utilisation",
        link: "busy",
        kind: Kind::Real { min: 0.05, max: 0.99, default: 0.75, step: 0.01, page: 0.05, digits: 2 },
    },
    ParamSpec {
        key: "limit",
        link: "limit",
        kind: Kind::Real { min: 0.5, max: 10.0, default: 3.0, step: 0.1, page: 1.0, digits: 1 },
    },
    ParamSpec {
        key: "slots",
        link: "slots",
        kind: Kind::Int { min: 1, max: 64, default: 1, step: 1, page: 8 },
    },
    ParamSpec {
        key: "discipline",
        link: "order",
        kind: Kind::Choice { options: &["fifo", "processor-sharing"], default: 0 },
    },
    ParamSpec {
        key: "little_concurrency",
        link: "inside",
        kind: Kind::Int { min: 1, max: 4_096, default: 256, step: 1, page: 16 },
    },
    ParamSpec {
        key: "little_time",
        link: "stay",
        kind: Kind::Real { min: 0.1, max: 600.0, default: 20.0, step: 0.1, page: 5.0, digits: 1 },
    },
    ParamSpec {
        key: "seed",
        link: "seed",
        kind: Kind::Int { min: 0, max: 4_294_967_295, default: 1, step: 1, page: 1_000 },
    },
];

/// Who is served when more customers are present than slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discipline {
    /// In order of arrival, each alone on a slot.
    Fifo,
    /// All at once: up to `k` customers at full speed each, more share the speed of `k` equally.
    ProcessorSharing,
}

/// Parameters of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// Seed of all draws.
    pub seed: u32,
    /// CV² of the service times of the free curve, 0..=10.
    pub cv2: f64,
    /// Utilisation of the traced lanes, above 0 and below 1.
    pub utilisation: f64,
    /// Longest mean wait that is accepted, in mean service times.
    pub limit: f64,
    /// Customers served at full speed at the same time, 1..=64.
    pub slots: u32,
    /// Order of service.
    pub discipline: Discipline,
    /// Little's law: most requests inside at the same time.
    pub little_concurrency: u32,
    /// Little's law: seconds that a request spends inside.
    pub little_time: f64,
}

impl Params {
    /// Reads a table of [`PARAMS`].
    #[must_use]
    pub fn from_values(values: &Values) -> Self {
        let sharing = values.choice("discipline") == 1;
        Self {
            seed: values.u32("seed"),
            cv2: values.real("cv2"),
            utilisation: values.real("utilisation"),
            limit: values.real("limit"),
            slots: values.u32("slots"),
            discipline: if sharing { Discipline::ProcessorSharing } else { Discipline::Fifo },
            little_concurrency: values.u32("little_concurrency"),
            little_time: values.real("little_time"),
        }
    }
}

impl Default for Params {
    fn default() -> Self {
        Self::from_values(&Values::defaults(&PARAMS))
    }
}
