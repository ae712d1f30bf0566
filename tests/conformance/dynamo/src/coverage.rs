//! What has been compared, in numbers.

use std::fmt;

use tokenyard_policy::ReplicaIx;
use tokenyard_policy::dynamo::{Params, Refusal, Role};

use crate::state::State;

/// Settings that can be off their default, in the order of [`Coverage::off`].
pub const SETTINGS: [&str; 9] = [
    "overlap_credit",
    "credit_decay",
    "prefill_scale",
    "host_weight",
    "disk_weight",
    "shared_weight",
    "request_weight",
    "temperature",
    "track_prefill",
];

/// Counts over states and decisions.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// States in all.
    pub states: u64,
    /// States of small whole numbers.
    pub small: u64,
    /// States in which each of [`SETTINGS`] was off its default.
    pub off: [u64; 9],
    /// States in which all were at once.
    pub all_off: u64,
    /// Prefill and decode.
    pub roles: [u64; 2],
    /// Decode with credit and without books of prefill: the other formula.
    pub decode_credit: u64,
    /// States with tiers, and those with the overlap as one number.
    pub tiers: [u64; 2],
    /// States with a host or disk block at somebody who may be chosen.
    pub lower_tiers: u64,
    /// States in which the shared tier counted for somebody.
    pub shared: u64,
    /// States with required labels.
    pub required: u64,
    /// States in which preferred labels changed a cost.
    pub preferred: u64,
    /// States with an overloaded worker.
    pub overloaded: u64,
    /// States with an unavailable worker.
    pub unavailable: u64,
    /// States that allow a list only.
    pub allowed: u64,
    /// States with a pinned worker.
    pub pinned: u64,
    /// States in which the request overrode the configuration.
    pub by_request: u64,
    /// Refusals: nobody, all overloaded, pinned not allowed, pinned overloaded.
    pub refused: [u64; 4],
    /// States in which the smallest cost was that of several.
    pub ties: u64,
    /// Those of them in which chance decided, at temperature 0.
    pub ties_drawn: u64,
    /// Workers whose costs were compared to the bit.
    pub costs: u64,
    /// Workers whose costs were compared up to the last bits of exp and tanh, and how many differed.
    pub near_costs: [u64; 2],
    /// Choices of upstream that were held against ours.
    pub decisions: u64,
    /// Softmax choices with the same draw on both sides.
    pub same_draws: u64,
    /// Those of them that fell on the edge between two workers.
    pub edges: u64,
    /// Choices of the registered rules behind a router's view, held against upstream's costs.
    pub rules: u64,
}

impl Coverage {
    /// Counts what a state has, whatever becomes of it.
    pub fn see(&mut self, state: &State) {
        let params = &state.params;
        self.states += 1;
        self.small += u64::from(state.is_small);
        let off = off(params);
        for (count, is_off) in self.off.iter_mut().zip(off) {
            *count += u64::from(is_off);
        }
        self.all_off += u64::from(off.iter().all(|is_off| *is_off));
        let decodes = params.role == Role::Decode;
        self.roles[usize::from(decodes)] += 1;
        let credits = decodes && !params.track_prefill && params.overlap_credit > 0.0;
        self.decode_credit += u64::from(credits);
        self.tiers[usize::from(!state.tells_tiers())] += 1;
        self.required += u64::from(!state.required.is_empty());
        self.overloaded += u64::from(state.workers.iter().any(|w| w.overloaded));
        self.unavailable += u64::from(state.workers.iter().any(|w| w.unavailable));
        self.allowed += u64::from(state.allowed.is_some());
        self.pinned += u64::from(state.pinned.is_some());
        self.by_request += u64::from(state.by_request);
    }

    /// Counts what a state has for those who may be chosen.
    pub fn see_eligible(&mut self, state: &State, eligible: &[ReplicaIx]) {
        let workers = || eligible.iter().map(|number| &state.workers[usize::from(*number)]);
        let tiers = state.tells_tiers();
        self.lower_tiers += u64::from(tiers && workers().any(|w| w.host > 0 || w.disk > 0));
        let device = |w: &crate::state::Worker| if tiers { w.device } else { w.effective.round() as u32 };
        let shared =
            state.params.shared_weight > 0.0 && workers().any(|w| state.shared_beyond(device(w)) > 0);
        self.shared += u64::from(shared);
        let preferred =
            |w: &crate::state::Worker| state.preferred.iter().any(|(label, _)| w.taints.contains(label));
        self.preferred += u64::from(state.pinned.is_none() && workers().any(preferred));
    }

    /// Counts a refusal.
    pub fn refuse(&mut self, refusal: Refusal) {
        let at = match refusal {
            Refusal::NoEndpoints => 0,
            Refusal::AllOverloaded => 1,
            Refusal::PinnedNotAllowed => 2,
            Refusal::PinnedOverloaded => 3,
        };
        self.refused[at] += 1;
    }
}

/// Which of [`SETTINGS`] are off their default.
fn off(params: &Params) -> [bool; 9] {
    let usual = Params::default();
    [
        params.overlap_credit != usual.overlap_credit,
        params.credit_decay != usual.credit_decay,
        params.prefill_scale != usual.prefill_scale,
        params.host_weight != usual.host_weight,
        params.disk_weight != usual.disk_weight,
        params.shared_weight != usual.shared_weight,
        params.request_weight != usual.request_weight,
        params.temperature != usual.temperature,
        params.track_prefill != usual.track_prefill,
    ]
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [prefill, decode] = self.roles;
        let [tiers, one] = self.tiers;
        let [near, apart] = self.near_costs;
        let [nobody, all, not_allowed, busy] = self.refused;
        writeln!(f, "states {}, of small whole numbers {}", self.states, self.small)?;
        for (name, count) in SETTINGS.iter().zip(self.off) {
            writeln!(f, "  {name} off its default {count}")?;
        }
        writeln!(f, "  all of them at once {}, set by the request {}", self.all_off, self.by_request)?;
        writeln!(
            f,
            "  role prefill {prefill}, decode {decode} (credit off decode blocks {})",
            self.decode_credit
        )?;
        writeln!(
            f,
            "  overlap by tiers {tiers}, as one number {one}, host or disk blocks {}",
            self.lower_tiers
        )?;
        writeln!(f, "  shared tier hit {}", self.shared)?;
        writeln!(f, "  labels required {}, preferred and found {}", self.required, self.preferred)?;
        writeln!(f, "  overloaded {}, unavailable {}", self.overloaded, self.unavailable)?;
        writeln!(f, "  list of allowed {}, pinned {}", self.allowed, self.pinned)?;
        writeln!(f, "  refused: nobody {nobody}, all overloaded {all}")?;
        writeln!(f, "  refused: pinned not allowed {not_allowed}, pinned overloaded {busy}")?;
        writeln!(f, "  ties {}, broken by chance {}", self.ties, self.ties_drawn)?;
        writeln!(f, "costs equal to the bit {}", self.costs)?;
        writeln!(f, "costs with preferences, up to the last bits {near}, of which not to the bit {apart}")?;
        writeln!(f, "choices compared {}", self.decisions)?;
        writeln!(f, "  softmax with one draw for both {}, on an edge {}", self.same_draws, self.edges)?;
        write!(f, "  of the registered rules {}", self.rules)
    }
}
