//! Routing rules, and what rules keep: prefix trees and hash rings.
//!
//! A rule sees what a router believes ([`FleetView`]) and what a request shows before it is served
//! ([`RequestView`]). The truth of the fleet and the length of an answer are not visible from this
//! crate at all, so no rule can read them by mistake.
//!
//! Beside the rules stand decisions that a gateway makes around any of them: who is ejected for
//! errors, which pool a request goes to, whose turn it is, where a prompt is prefilled.
//!
//! Adding a rule: one file in `rules/` with its `SPEC`, and one line in [`rules::RULES`].

pub mod disaggregate;
pub mod draw;
pub mod dynamo;
pub mod endpoint_picker;
pub mod explain;
pub mod health;
pub mod index;
pub mod measured;
pub mod outlier;
pub mod rule;
pub mod rules;
pub mod view;
pub mod vtc;

pub use draw::{Draw, TieBreak};
pub use explain::Explain;
pub use rule::{Age, Ask, By, Choice, Ending, Fact, Knowledge, Rule, RulePreset, RuleSpec, Why};
pub use view::{FleetView, Means, Rates, ReplicaConfig, ReplicaIx, RequestView, Signals};
