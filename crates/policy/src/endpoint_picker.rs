//! The parts of llm-d's endpoint picker, apart from any fleet: pure functions over columns of
//! numbers, one for each candidate. `epp` decides with them.
//!
//! A score is 1 for the best and 0 for the worst; weighted scores are added up. Candidates are
//! those that the filters left, in the order of the list.
//!
//! Source: llm-d/llm-d-router at ebab6879, `pkg/epp/framework/plugins`: `scheduling/scorer`,
//! `scheduling/filter`, `scheduling/picker` and `flowcontrol/saturationdetector`. Tie handling also
//! as in later commits, see [`TieMode`].

mod filter;
mod pick;
mod saturation;
mod score;

pub use filter::{Affinity, Sticky, sticky};
pub use pick::{TieMode, Turns, weighted};
pub use saturation::{Utilization, concurrency};
pub use score::{active, below, cold, free, load_aware, prefix, spread, token_load};
