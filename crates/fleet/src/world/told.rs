//! What rules are told of attempts that end.

use tokenyard_policy::{Ending, Fact};

use super::World;
use super::live::Attempt;

impl World {
    /// How an attempt ended for its router. An answer that nobody waited for any more is none, and
    /// of an attempt whose client had gone nothing is known but its time.
    pub(super) fn end_of(&self, attempt: &Attempt, how: Ending) -> Fact {
        let live = attempt.live.and_then(|live| self.live.get(live));
        let how = if attempt.timed_out { Ending::TimedOut } else { how };
        let output = live.filter(|_| how == Ending::Served).map_or(0, |live| live.request.output);
        // Until a request has its first token, nobody else's is its own; after it, it is sent
        // nowhere else.
        let first = live.and_then(|live| live.first_token.get());
        Fact::Ended {
            by: attempt.to,
            at: self.now,
            how,
            input: live.map_or(0, |live| live.request.prompt),
            output,
            ttft: first.and_then(|first| first.checked_sub(attempt.sent)),
            duration: self.now - attempt.sent,
        }
    }
}
