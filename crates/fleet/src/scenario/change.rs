//! List `changes`: what happens to replicas from outside during a run.

use tokenyard_param::{ParamSpec, Values};

use super::fleet::MOST_REPLICAS;
use super::table::{choice, int, opt, options, real, s};
use crate::time::Ps;

/// Most changes of one scenario.
pub const MOST_CHANGES: usize = 10_000;

options! {
    /// [`ChangeKind`] as files write it.
    KindName {
        /// It fails at once.
        Fail = "fail",
        /// It starts again, with an empty cache.
        Restart = "restart",
        /// Nothing new is sent to it.
        Drain = "drain",
        /// It is routable again.
        Undrain = "undrain",
        /// Its speed changes.
        Slow = "slow",
    }
}

/// The parameters of one change. A file must name all but `value`, so the defaults are of no
/// importance.
pub static TABLE: [ParamSpec; 4] = [
    real("at_s", 0.0, 18_446_744.0, 0.0, 3),
    int("replica", 0, MOST_REPLICAS as i64 - 1, 0),
    choice("kind", KindName::OPTIONS, 0),
    opt("value", 1, 10_000),
];

/// What happens to a replica.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It fails: everything on it is lost, its cache too.
    Fail,
    /// It is started, and ready after the start-up time, with an empty cache.
    Restart,
    /// Nothing new is sent to it.
    Drain,
    /// It is routable again.
    Undrain,
    /// It runs at so many per mille of full speed.
    Speed(u32),
}

/// A change at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// When.
    pub at: Ps,
    /// To which replica.
    pub replica: u32,
    /// What.
    pub kind: ChangeKind,
}

impl Change {
    pub(super) fn of(v: &Values) -> Self {
        let kind = match KindName::of(v, "kind") {
            KindName::Fail => ChangeKind::Fail,
            KindName::Restart => ChangeKind::Restart,
            KindName::Drain => ChangeKind::Drain,
            KindName::Undrain => ChangeKind::Undrain,
            KindName::Slow => ChangeKind::Speed(v.u32("value")),
        };
        Self { at: s(v, "at_s"), replica: v.u32("replica"), kind }
    }
}

/// Whether a change must say it.
pub(super) fn required(spec: &ParamSpec) -> bool {
    spec.key != "value"
}
