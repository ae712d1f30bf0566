//! The weight of a host that came a moment ago.

use tokenyard_det::math;
use tokenyard_param::{ParamSpec, Values};

use crate::rules::param;

const PS_PER_S: f64 = 1e12;

/// `slow_start_s` is the window in seconds, 0 for none; the smallest weight is in percent.
pub(super) const PARAMS: [ParamSpec; 3] = [
    param::real("slow_start_s", "slow", [0.0, 86_400.0, 0.0, 1.0], 1),
    param::real("slow_start_aggression", "agg", [0.01, 100.0, 1.0, 0.1], 2),
    param::real("slow_start_min_weight_percent", "min", [0.0, 100.0, 10.0, 1.0], 1),
];

/// Settings of slow start.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlowStart {
    /// In seconds; 0 for none.
    window: f64,
    aggression: f64,
    /// A share.
    least: f64,
}

impl SlowStart {
    pub(super) fn new(values: &Values) -> Self {
        Self {
            window: values.real("slow_start_s"),
            aggression: values.real("slow_start_aggression"),
            least: values.real("slow_start_min_weight_percent") / 100.0,
        }
    }

    pub(super) fn is_on(&self) -> bool {
        self.window > 0.0
    }

    /// Whether a host of that age, in picoseconds, is in the window.
    pub(super) fn holds(&self, age: u64) -> bool {
        (age as f64) < self.window * PS_PER_S
    }

    /// What its weight is multiplied by; 1 after the window. Within the first second it is the
    /// factor of one second.
    pub(super) fn factor(&self, age: u64) -> f64 {
        if !self.holds(age) {
            return 1.0;
        }
        let share = (age as f64 / PS_PER_S).max(1.0) / self.window;
        math::pow(share.min(1.0), 1.0 / self.aggression).max(self.least)
    }
}
