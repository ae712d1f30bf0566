//! Section `workload`: what arrives, how long it is, what it shares.

use tokenyard_param::{ParamSpec, Values};

use super::table::{choice, int, ms, opt, opt_ms, options, real};
use crate::time::Ps;

options! {
    /// How requests arrive.
    Arrivals {
        /// Independent of each other and of the fleet.
        Poisson = "poisson",
        /// Gamma gaps: bursty below burstiness 1, regular above.
        Gamma = "gamma",
        /// `batch_size` at one instant.
        Batch = "batch",
        /// A fixed number of sessions in flight; the next starts when one ends.
        Closed = "closed",
        /// As a trace file says.
        Trace = "trace",
    }
}

options! {
    /// Distribution of a length.
    LengthShape {
        /// Always the mean.
        Constant = "constant",
        /// Coefficient of variation 1.
        Exponential = "exponential",
        /// Mean and coefficient of variation as given.
        Lognormal = "lognormal",
        /// Two lognormal modes with the same coefficient of variation.
        Mixture = "mixture",
        /// Drawn from the rows of a trace, prompt and output of one row apart.
        Empirical = "empirical",
    }
}

options! {
    /// What prompts share.
    Prefix {
        /// Nothing, not even with the call before: every prompt is new from its first token.
        None = "none",
        /// The first `shared_tokens` within a family, drawn by Zipf's law; a session's next prompt
        /// contains the one before.
        Families = "families",
        /// The first `shared_tokens`, with everybody, and nothing else.
        System = "system",
        /// The first `shared_tokens`, with everybody; a session's next prompt contains the one
        /// before.
        Sessions = "sessions",
    }
}

options! {
    /// A named shape of sessions, by calls for one task.
    Shape {
        /// By `turns` and `fan_out` instead.
        None = "none",
        /// 1 call.
        Chat = "chat",
        /// 2 calls: a search, then the answer.
        Rag = "rag",
        /// 12 calls with tool time between them.
        ToolAgent = "tool-agent",
        /// 40 calls: a plan, 19 children of 2 calls side by side, a summary.
        SubAgents = "sub-agents",
        /// 300 calls with tool time between them.
        LongAgent = "long-agent",
    }
}

/// The parameters, with ranges and defaults.
pub static TABLE: [ParamSpec; 40] = [
    choice("arrivals", Arrivals::OPTIONS, 0),
    real("rate_rps", 0.001, 1_000_000.0, 8.0, 3),
    real("burstiness", 0.01, 100.0, 1.0, 2),
    int("batch_size", 1, 10_000, 8),
    opt("concurrency", 1, 1_000_000),
    int("requests", 1, 10_000_000, 1_000),
    choice("prompt_shape", LengthShape::OPTIONS, 2),
    real("prompt_mean", 1.0, 1_000_000.0, 1_024.0, 0),
    real("prompt_cv", 0.0, 20.0, 1.0, 2),
    real("prompt_second_mean", 1.0, 1_000_000.0, 8_192.0, 0),
    real("prompt_second_share", 0.0, 1.0, 0.1, 2),
    choice("output_shape", LengthShape::OPTIONS, 2),
    real("output_mean", 1.0, 1_000_000.0, 256.0, 0),
    real("output_cv", 0.0, 20.0, 1.0, 2),
    real("output_second_mean", 1.0, 1_000_000.0, 2_048.0, 0),
    real("output_second_share", 0.0, 1.0, 0.1, 2),
    choice("prefix", Prefix::OPTIONS, 0),
    int("families", 1, 1_000_000, 200),
    real("zipf", 0.0, 5.0, 1.0, 2),
    int("shared_tokens", 0, 1_000_000, 512),
    int("tenants", 1, 100_000, 1),
    int("turns", 1, 10_000, 1),
    real("think_s", 0.0, 86_400.0, 0.0, 1),
    int("growth_tokens", 0, 1_000_000, 128),
    real("tool_s", 0.0, 86_400.0, 0.0, 1),
    opt("compact_tokens", 100, 1_000_000),
    int("compact_to_tokens", 1, 1_000_000, 2_000),
    int("fan_out", 0, 1_000, 0),
    int("child_turns", 1, 1_000, 1),
    choice("shape", Shape::OPTIONS, 0),
    opt("rollouts", 1, 1_000_000),
    int("rollout_turns", 1, 10_000, 10),
    int("rollout_step", 1, 10_000, 8),
    int("rollout_step_tokens", 0, 1_000_000, 512),
    opt("straggler_every", 1, 10_000),
    int("straggler_tokens", 1, 1_000_000, 8_192),
    real("priority_share", 0.0, 1.0, 0.0, 2),
    opt("deadline_ms", 1, 86_400_000),
    int("trace_spread_ms", 0, 60_000, 0),
    real("trace_speed", 0.001, 1_000.0, 1.0, 3),
];

/// A length in tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LengthSettings {
    /// Distribution.
    pub shape: LengthShape,
    /// Mean in tokens; of the first mode of a mixture.
    pub mean: f64,
    /// Coefficient of variation, of each mode.
    pub cv: f64,
    /// Mean of the second mode of a mixture.
    pub second_mean: f64,
    /// Share of the second mode of a mixture.
    pub second_share: f64,
}

/// Reinforcement-learning rollouts: sessions in steps that share a prompt within a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RolloutSettings {
    /// How many rollouts.
    pub count: u32,
    /// Serial calls of one.
    pub turns: u32,
    /// Rollouts of one step, which share `step_tokens` after the shared tokens.
    pub step: u32,
    /// Tokens that the rollouts of a step share.
    pub step_tokens: u32,
    /// Every so many rollouts of a step, its first included, the last answer is long.
    pub straggler_every: Option<u32>,
    /// Output tokens of a straggler's last answer.
    pub straggler_tokens: u32,
}

/// The section, read. Fields have the names of the parameters; [`TABLE`] has ranges and defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkloadSettings {
    /// How sessions, or single requests, arrive.
    pub arrivals: Arrivals,
    /// Requests a second in the long run, whatever a session or batch holds. Read by open loops.
    pub rate_rps: f64,
    /// Shape b of gamma gaps, whose coefficient of variation is 1/√b.
    pub burstiness: f64,
    /// Sessions of one batch; batches come like Poisson's events.
    pub batch_size: u32,
    /// Sessions in flight in a closed loop, pauses included.
    pub concurrency: Option<u32>,
    /// All requests of the run, later calls of sessions included. A trace and rollouts bring their
    /// own number.
    pub requests: u32,
    /// Text of a session's first call that is its own, after what it shares.
    pub prompt: LengthSettings,
    /// Answers of all calls.
    pub output: LengthSettings,
    /// What prompts share.
    pub prefix: Prefix,
    /// Families of prompts.
    pub families: u32,
    /// Exponent of their popularity; 0 makes all equal.
    pub zipf: f64,
    /// Tokens at the beginning of a prompt that are shared, unless `prefix` is `none`.
    pub shared_tokens: u32,
    /// Tenants, drawn evenly, one for a session.
    pub tenants: u32,
    /// Calls of a session, one after another.
    pub turns: u32,
    /// Mean seconds between an answer and a person's next question (exponential). Named shapes
    /// and rollouts have no person in them.
    pub think_s: f64,
    /// Mean new tokens of a later call, spread as the first prompt's are; 0 adds none.
    pub growth_tokens: u32,
    /// Mean seconds of a tool between two calls (exponential).
    pub tool_s: f64,
    /// A later prompt that would be longer is replaced by shared tokens, a summary and new tokens.
    pub compact_tokens: Option<u32>,
    /// Tokens of that summary.
    pub compact_to_tokens: u32,
    /// Children that a session's last turn spawns, all at its end; they continue its prompt.
    pub fan_out: u32,
    /// Calls of one child, one after another.
    pub child_turns: u32,
    /// A named shape in the place of `turns`, `fan_out` and `child_turns`; lengths and times stay.
    pub shape: Shape,
    /// Rollouts in the place of all of these; they need closed arrivals.
    pub rollouts: Option<RolloutSettings>,
    /// Share of sessions with priority 1; the others have 0.
    pub priority_share: f64,
    /// How long after its arrival an answer is still wanted.
    pub deadline: Option<Ps>,
    /// Arrivals of a trace that share a time are spread over so much time.
    pub trace_spread: Ps,
    /// How much faster than recorded a trace is replayed.
    pub trace_speed: f64,
}

impl WorkloadSettings {
    pub(super) fn of(v: &Values) -> Self {
        let rollouts = v.opt_u32("rollouts").map(|count| RolloutSettings {
            count,
            turns: v.u32("rollout_turns"),
            step: v.u32("rollout_step"),
            step_tokens: v.u32("rollout_step_tokens"),
            straggler_every: v.opt_u32("straggler_every"),
            straggler_tokens: v.u32("straggler_tokens"),
        });
        Self {
            arrivals: Arrivals::of(v, "arrivals"),
            rate_rps: v.real("rate_rps"),
            burstiness: v.real("burstiness"),
            batch_size: v.u32("batch_size"),
            concurrency: v.opt_u32("concurrency"),
            requests: v.u32("requests"),
            prompt: LengthSettings {
                shape: LengthShape::of(v, "prompt_shape"),
                mean: v.real("prompt_mean"),
                cv: v.real("prompt_cv"),
                second_mean: v.real("prompt_second_mean"),
                second_share: v.real("prompt_second_share"),
            },
            output: LengthSettings {
                shape: LengthShape::of(v, "output_shape"),
                mean: v.real("output_mean"),
                cv: v.real("output_cv"),
                second_mean: v.real("output_second_mean"),
                second_share: v.real("output_second_share"),
            },
            prefix: Prefix::of(v, "prefix"),
            families: v.u32("families"),
            zipf: v.real("zipf"),
            shared_tokens: v.u32("shared_tokens"),
            tenants: v.u32("tenants"),
            turns: v.u32("turns"),
            think_s: v.real("think_s"),
            growth_tokens: v.u32("growth_tokens"),
            tool_s: v.real("tool_s"),
            compact_tokens: v.opt_u32("compact_tokens"),
            compact_to_tokens: v.u32("compact_to_tokens"),
            fan_out: v.u32("fan_out"),
            child_turns: v.u32("child_turns"),
            shape: Shape::of(v, "shape"),
            rollouts,
            priority_share: v.real("priority_share"),
            deadline: opt_ms(v, "deadline_ms"),
            trace_spread: ms(v, "trace_spread_ms"),
            trace_speed: v.real("trace_speed"),
        }
    }
}
