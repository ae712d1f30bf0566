//! The four ways to retry that the table compares: who may, and with or without a budget.

use tokenyard_models::retries::{Params, Plan, USUAL_BUDGET};

use crate::msg::{Arg, Msg, msg};

/// The layer, from 1, that retries alone in the comparison while the knob names none: the
/// gateway, the one that an operator owns.
const USUAL_LAYER: u32 = 3;

/// Who may retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Variant {
    /// One layer alone.
    pub(super) only: bool,
    /// Under the budget.
    pub(super) budget: bool,
}

/// All of them, in the order of the table.
pub(super) const VARIANTS: [Variant; 4] = [
    Variant { only: false, budget: false },
    Variant { only: true, budget: false },
    Variant { only: false, budget: true },
    Variant { only: true, budget: true },
];

impl Variant {
    /// The lanes: what the knobs say, and the same with the other answer to "who may retry".
    pub(super) fn lanes(params: &Params) -> [Self; 2] {
        let set = Self { only: params.only_one_layer.is_some(), budget: params.budget.is_some() };
        [set, Self { only: !set.only, ..set }]
    }

    /// Whether its figures would answer the prediction, which asks about the second lane.
    pub(super) fn answers(self, params: &Params) -> bool {
        self.only != params.only_one_layer.is_some()
    }

    /// The layer that retries alone, 0 outermost; the last one where the number lies beyond it.
    pub(super) fn layer(params: &Params) -> usize {
        let layer = params.only_one_layer.unwrap_or(USUAL_LAYER).max(1) as usize;
        layer.min(params.layers.len().max(1)) - 1
    }

    /// The budget in percent: the one that is set, or the usual one.
    pub(super) fn share(params: &Params) -> u32 {
        params.budget.unwrap_or(USUAL_BUDGET)
    }

    pub(super) fn plan(self, params: &Params) -> Plan {
        let all = Plan::all(params);
        let plan = if self.only { all.only(Self::layer(params)) } else { all };
        if self.budget { plan.with_budget(Some(Self::share(params))) } else { plan }
    }

    pub(super) fn id(self) -> &'static str {
        match (self.only, self.budget) {
            (false, false) => "all",
            (true, false) => "only",
            (false, true) => "all-budget",
            (true, true) => "only-budget",
        }
    }

    /// Colour and dash.
    pub(super) fn style(self) -> u8 {
        1 + u8::from(self.only) + 2 * u8::from(self.budget)
    }

    pub(super) fn name(self, params: &Params) -> Msg {
        let key = match (self.only, self.budget) {
            (false, false) => "variant.all",
            (true, false) => "variant.only",
            (false, true) => "variant.all-budget",
            (true, true) => "variant.only-budget",
        };
        self.fill(key, params)
    }

    /// Beside its line.
    pub(super) fn short(self) -> Msg {
        let key = match (self.only, self.budget) {
            (false, false) => "short.all",
            (true, false) => "short.only",
            (false, true) => "short.all-budget",
            (true, true) => "short.only-budget",
        };
        msg(key)
    }

    fn fill(self, key: &'static str, params: &Params) -> Msg {
        let name = params.layers.get(Self::layer(params)).map_or_else(String::new, |l| l.name.clone());
        msg(key).with("layer", name).with("share", Arg::Percent(f64::from(Self::share(params)) / 100.0))
    }
}
