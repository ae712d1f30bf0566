//! What engines count of the requests that they finish, from when they came up: the sums and counts
//! behind the histograms that they report. Kept only for a rule that reads it.

use tokenyard_policy::{Means, ReplicaIx, Signals};

use crate::router::Router;
use crate::time::{Ps, SECOND};

/// Sums over the requests that an engine has finished since it came up.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    finished: u64,
    /// Picoseconds in its line, from there to the first token, and from that to the last.
    queue: u128,
    prefill: u128,
    decode: u128,
    /// Tokens.
    prompt: u64,
    generated: u64,
}

impl Sums {
    fn means(&self) -> Means {
        let requests = self.finished as f64;
        // The same double either way: nearly every sum fits into 64 bits, and is converted faster there.
        let double = |sum: u128| u64::try_from(sum).map_or(sum as f64, |sum| sum as f64);
        let seconds = |sum: u128| double(sum) / SECOND as f64 / requests;
        Means {
            requests: self.finished,
            queue_s: seconds(self.queue),
            prefill_s: seconds(self.prefill),
            decode_s: seconds(self.decode),
            prompt_tokens: self.prompt as f64 / requests,
            generated_tokens: self.generated as f64 / requests,
        }
    }
}

/// An attempt on its way through an engine. It never lies in two cache lines.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Passage {
    prompt: u32,
    output: u32,
    admitted: Ps,
    first_token: Ps,
}

/// The counters of every engine.
#[derive(Clone, Debug, Default)]
pub(super) struct Lifetimes {
    /// By attempt; empty where nobody reads the counters.
    passages: Vec<Passage>,
    sums: Vec<Sums>,
    /// Made anew when a request has finished, which is rarer than being read.
    means: Vec<Means>,
}

impl Lifetimes {
    /// For so many engines, if any router's rule reads the counters.
    pub(super) fn of(routers: &[Router], engines: usize) -> Self {
        let read = routers.iter().any(|router| router.reads(Signals::MEANS));
        Self::new(if read { engines } else { 0 })
    }

    /// For so many engines; for none where nobody reads the counters.
    fn new(engines: usize) -> Self {
        let (sums, means) = (vec![Sums::default(); engines], vec![Means::default(); engines]);
        Self { passages: Vec::new(), sums, means }
    }

    /// The means so far; none where nobody reads them.
    pub(super) fn means(&self) -> &[Means] {
        &self.means
    }

    /// Reads what is kept of an attempt, before it is needed.
    pub(super) fn look_ahead(&self, attempt: u32) {
        std::hint::black_box(self.passages.get(attempt as usize).map(|passage| passage.prompt));
    }

    /// An attempt joins an engine's line.
    pub(super) fn sent(&mut self, attempt: u32, prompt: u32, output: u32) {
        if self.sums.is_empty() {
            return;
        }
        let at = attempt as usize;
        if self.passages.len() <= at {
            self.passages.resize(at + 1, Passage::default());
        }
        self.passages[at] = Passage { prompt, output, ..Passage::default() };
    }

    /// It runs, for the first time.
    pub(super) fn admitted(&mut self, attempt: u32, now: Ps) {
        if let Some(passage) = self.passages.get_mut(attempt as usize) {
            passage.admitted = now;
        }
    }

    /// Its first token is out.
    pub(super) fn first_token(&mut self, attempt: u32, now: Ps) {
        if let Some(passage) = self.passages.get_mut(attempt as usize) {
            passage.first_token = now;
        }
    }

    /// Its last token is out.
    pub(super) fn finished(&mut self, attempt: u32, by: ReplicaIx, sent: Ps, now: Ps) {
        // One without a prompt was under way before anybody read the counters.
        let passage = self.passages.get(attempt as usize).copied().filter(|passage| passage.prompt > 0);
        let Some(passage) = passage else { return };
        let engine = usize::from(by);
        if let (Some(sum), Some(means)) = (self.sums.get_mut(engine), self.means.get_mut(engine)) {
            sum.finished += 1;
            sum.queue += u128::from(passage.admitted - sent);
            sum.prefill += u128::from(passage.first_token - passage.admitted);
            sum.decode += u128::from(now - passage.first_token);
            sum.prompt += u64::from(passage.prompt);
            sum.generated += u64::from(passage.output);
            *means = sum.means();
        }
    }

    /// An engine is gone, and its counters with it.
    pub(super) fn left(&mut self, replica: ReplicaIx) {
        let engine = usize::from(replica);
        if let (Some(sum), Some(means)) = (self.sums.get_mut(engine), self.means.get_mut(engine)) {
            (*sum, *means) = (Sums::default(), Means::default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_of_finished_requests_and_end_with_the_engine() {
        let mut all = Lifetimes::new(1);
        for (attempt, times) in [(0, [0, 2, 5, 9]), (1, [1, 9, 10, 20])] {
            let [queued, admitted, first, last] = times.map(|s| s * SECOND);
            all.sent(attempt, 100, 7);
            all.admitted(attempt, admitted);
            all.first_token(attempt, first);
            all.finished(attempt, 0, queued, last);
        }
        all.sent(2, 1_000, 1_000);
        let times = Means { queue_s: 5.0, prefill_s: 2.0, decode_s: 7.0, ..Means::default() };
        let want = Means { requests: 2, prompt_tokens: 100.0, generated_tokens: 7.0, ..times };
        assert_eq!(all.means(), [want]);
        all.left(0);
        assert_eq!(all.means(), [Means::default()]);
    }

    #[test]
    fn without_a_reader_nothing_is_kept() {
        let mut none = Lifetimes::new(0);
        none.sent(5, 1, 1);
        none.finished(5, 0, 0, 1);
        assert!(none.passages.is_empty() && none.means().is_empty());
    }
}
