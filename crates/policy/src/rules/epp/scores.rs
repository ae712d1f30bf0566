//! The scorers of `epp` over the candidates of one request, weighted and added up.

use std::borrow::Cow;

use super::Epp;
use super::prefix::Matches;
use crate::endpoint_picker as parts;
use crate::rules::load;
use crate::view::{FleetView, ReplicaIx, RequestView, cell};

/// Weighted scores of one candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Score {
    pub(super) queue: f64,
    pub(super) kv: f64,
    pub(super) prefix: f64,
    /// All others together.
    pub(super) others: f64,
    pub(super) total: f64,
}

impl Score {
    /// Adds a scorer's share to the total, and gives it back for the term it belongs to.
    fn add(&mut self, weight: f64, score: f64) -> f64 {
        let share = weight * score.clamp(0.0, 1.0);
        self.total += share;
        share
    }
}

impl Epp {
    /// Scores in the order of `candidates`; shares are added in the order of the weights' table.
    pub(super) fn scores(
        &mut self,
        fleet: &FleetView<'_>,
        request: &RequestView<'_>,
        matches: &Matches<'_>,
        candidates: &[ReplicaIx],
    ) -> Vec<Score> {
        let mut scores = vec![Score::default(); candidates.len()];
        self.score_engines(fleet, candidates, &mut scores);
        self.score_router(fleet, request, matches, candidates, &mut scores);
        if self.settings.weights.prefix > 0.0 {
            let s = self.settings.scoring;
            for (score, replica) in scores.iter_mut().zip(candidates) {
                let (of, tokens) = (matches.of(*replica), matches.chunk_tokens);
                let value = parts::prefix(of, matches.total, tokens, s.length_weight, s.length_scale);
                score.prefix = score.add(self.settings.weights.prefix, value);
            }
        }
        self.score_history(request, matches, candidates, &mut scores);
        scores
    }

    /// What engines report: waiting and running requests, KV usage.
    fn score_engines(&self, fleet: &FleetView<'_>, candidates: &[ReplicaIx], scores: &mut [Score]) {
        let (weights, mut values) = (self.settings.weights, Vec::new());
        if weights.queue > 0.0 {
            parts::spread(&cells(candidates, fleet.waiting), &mut values);
            scores.iter_mut().zip(&values).for_each(|(s, v)| s.queue = s.add(weights.queue, *v));
        }
        if weights.running > 0.0 {
            parts::spread(&cells(candidates, fleet.running), &mut values);
            scores.iter_mut().zip(&values).for_each(|(s, v)| s.others += s.add(weights.running, *v));
        }
        for (score, &replica) in scores.iter_mut().zip(candidates) {
            if weights.kv > 0.0 {
                let usage = load::usage(fleet, replica).unwrap_or(0.0);
                score.kv = score.add(weights.kv, parts::free(usage));
            }
            if weights.load_aware > 0.0 {
                let threshold = self.settings.scoring.load_aware_threshold;
                let value = parts::load_aware(cell(fleet.waiting, replica), threshold);
                score.others += score.add(weights.load_aware, value);
            }
        }
    }

    /// What the router counts itself: requests and tokens in flight.
    fn score_router(
        &self,
        fleet: &FleetView<'_>,
        request: &RequestView<'_>,
        matches: &Matches<'_>,
        candidates: &[ReplicaIx],
        scores: &mut [Score],
    ) {
        let (weights, s) = (self.settings.weights, self.settings.scoring);
        if weights.active > 0.0 {
            let counts = cells(candidates, fleet.outstanding);
            let mut values = Vec::new();
            parts::active(&counts, s.active_idle, s.active_most, &mut values);
            scores.iter_mut().zip(&values).for_each(|(s, v)| s.others += s.add(weights.active, *v));
        }
        if weights.token_load > 0.0 {
            for (score, &replica) in scores.iter_mut().zip(candidates) {
                let in_flight = cell(fleet.prefill_tokens, replica);
                let uncached = matches.uncached(replica, request);
                let value = parts::token_load(in_flight, uncached, s.token_load_threshold);
                score.others += score.add(weights.token_load, value);
            }
        }
    }

    /// Where cold requests and sessions went.
    fn score_history(
        &mut self,
        request: &RequestView<'_>,
        matches: &Matches<'_>,
        candidates: &[ReplicaIx],
        scores: &mut [Score],
    ) {
        let weights = self.settings.weights;
        if weights.no_hit_lru > 0.0 {
            let mut values = vec![0.5; candidates.len()];
            if is_cold(matches, candidates) {
                let place =
                    |replica: &ReplicaIx| self.cold.oldest_first().position(|key| key == u64::from(*replica));
                let places: Vec<_> = candidates.iter().map(place).collect();
                parts::cold(&places, &mut values);
            }
            scores.iter_mut().zip(&values).for_each(|(s, v)| s.others += s.add(weights.no_hit_lru, *v));
        }
        if weights.session > 0.0 {
            let target = self.sessions.target(request.session, candidates);
            for (score, replica) in scores.iter_mut().zip(candidates) {
                let value = f64::from(u8::from(target == Some(*replica)));
                score.others += score.add(weights.session, value);
            }
        }
    }
}

/// A column's cells of some candidates, who ascend; all of it where everybody is one.
fn cells<'a>(candidates: &[ReplicaIx], column: &'a [u32]) -> Cow<'a, [u32]> {
    if candidates.len() == column.len() {
        return Cow::Borrowed(column);
    }
    candidates.iter().map(|replica| cell(column, *replica)).collect()
}

/// Whether no candidate has anything of the prompt.
pub(super) fn is_cold(matches: &Matches<'_>, candidates: &[ReplicaIx]) -> bool {
    candidates.iter().all(|replica| matches.of(*replica) == 0)
}
