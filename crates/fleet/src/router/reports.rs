//! What engines report of themselves beyond loads, and how long they have been there.

use tokenyard_policy::{Ending, FleetView, Means, Rates, ReplicaIx, Signals};

use super::{Reading, Truth};
use crate::engine::types::Look;
use crate::engine::{Out, Replica};
use crate::time::{Ps, SECOND};

/// Requests that ended at a replica, as its own counters say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// With a whole answer.
    pub(crate) finished: u64,
    /// With an error of its own: prompts that can never fit.
    pub(crate) failed: u64,
}

impl Tally {
    /// A request left the replica. What its client gave up is neither.
    pub(crate) fn count(&mut self, how: Ending) {
        match how {
            Ending::Served => self.finished += 1,
            Ending::TooLong | Ending::Limited => self.failed += 1,
            Ending::Failed | Ending::TimedOut | Ending::Cancelled => {}
        }
    }
}

/// What of the engines' reports a reading holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// Anything at all.
    pub(crate) looks: bool,
    /// The uncached tokens in the line, which cost a search for each waiting request.
    queued_tokens: bool,
    /// Counts of requests that ended, and the engines' own counters.
    tallies: bool,
    /// Means over the engines' lives.
    means: bool,
    /// Numbers that change while an engine does nothing but decode.
    blocks: bool,
}

impl Wanted {
    pub(super) fn of(signals: Signals, books: bool) -> Self {
        Self {
            looks: books || signals.any(Signals::QUEUES.and(Signals::KV).and(FROM_REPORTS)),
            queued_tokens: signals.has(Signals::QUEUED_TOKENS),
            tallies: signals.has(Signals::RATES),
            means: signals.has(Signals::MEANS),
            blocks: books || signals.has(Signals::KV),
        }
    }

    /// One engine's loads. Engines stay where they are: what nobody wants need not be made, and
    /// what a line finds in the cache is the only thing that needs them moved on.
    pub(super) fn look(self, replica: &mut Replica, at: Ps, out: &mut Out) -> Look {
        if self.queued_tokens && replica.caches() {
            return replica.look(at, out);
        }
        replica.glance(at, self.blocks, self.tallies)
    }

    /// The same, with the engines' loads in any case.
    pub(super) fn looking(self) -> Self {
        Self { looks: true, blocks: true, ..self }
    }
}

impl Truth<'_> {
    /// Adds to a reading what is in no [`Look`]; after the looks.
    pub(super) fn read_reports(&self, wanted: Wanted, reading: &mut Reading) {
        reading.queued_tokens.clear();
        reading.tallies.clear();
        reading.means.clear();
        if wanted.queued_tokens {
            reading.queued_tokens.extend(self.replicas.iter().map(|r| r.queued_uncached()));
        }
        if wanted.tallies {
            reading.tallies.extend_from_slice(self.tallies);
        }
        if wanted.means {
            reading.means.extend_from_slice(self.means);
        }
    }
}

/// Columns that come from reports and from nowhere else.
const FROM_REPORTS: Signals =
    Signals::REPORTED.and(Signals::RATES).and(Signals::QUEUED_TOKENS).and(Signals::MEANS);

/// Rates are over the time since the latest earlier reading that is at least this old.
const WINDOW: Ps = SECOND;

/// Counters of a replica at an earlier reading.
#[derive(Clone, Copy, Debug)]
struct Mark {
    at: Ps,
    generated: u64,
    busy: Ps,
    tally: Tally,
}

impl Mark {
    fn new(at: Ps, look: &Look, tally: Tally) -> Self {
        Self { at, generated: look.generated, busy: look.busy, tally }
    }

    /// The rates since an earlier one.
    fn since(&self, before: &Self) -> Rates {
        let time = self.at - before.at;
        let seconds = time as f64 / SECOND as f64;
        let per_second = |count: u64| count as f64 / seconds;
        Rates {
            generated: per_second(self.generated - before.generated),
            finished: per_second(self.tally.finished - before.tally.finished),
            failed: per_second(self.tally.failed - before.tally.failed),
            // The iteration in progress counts when it ends, all of it.
            busy: ((self.busy - before.busy) as f64 / time as f64).min(1.0),
        }
    }
}

/// The columns that reports fill.
#[derive(Clone, Debug, Default)]
pub(super) struct Reports {
    /// When a replica came back; `None` if it was there from the start.
    joined: Vec<Option<Ps>>,
    gone: Vec<bool>,
    marks: Vec<Option<Mark>>,
    /// A reading before this time makes no rates.
    due: Ps,
    age: Vec<u64>,
    reported_at: Vec<Option<Ps>>,
    rates: Vec<Rates>,
    queued_tokens: Vec<u64>,
    means: Vec<Means>,
}

impl Reports {
    pub(super) fn new(replicas: usize) -> Self {
        Self {
            joined: vec![None; replicas],
            gone: vec![false; replicas],
            marks: vec![None; replicas],
            due: 0,
            age: vec![u64::MAX; replicas],
            reported_at: vec![None; replicas],
            rates: vec![Rates::default(); replicas],
            queued_tokens: vec![0; replicas],
            means: vec![Means::default(); replicas],
        }
    }

    /// A replica is gone, and with it what it reported.
    pub(super) fn left(&mut self, replica: ReplicaIx) {
        let r = usize::from(replica);
        self.gone[r] = true;
        self.marks[r] = None;
        self.reported_at[r] = None;
        self.rates[r] = Rates::default();
        self.queued_tokens[r] = 0;
        self.means[r] = Means::default();
    }

    /// A replica is back.
    pub(super) fn joined(&mut self, replica: ReplicaIx, now: Ps) {
        self.gone[usize::from(replica)] = false;
        self.joined[usize::from(replica)] = Some(now);
        self.due = 0;
    }

    /// Takes over a reading. What was read of a replica before it came back is of no use.
    pub(super) fn read(&mut self, reading: &Reading, signals: Signals) {
        if !signals.any(FROM_REPORTS) {
            return;
        }
        let rates = signals.has(Signals::RATES);
        for (r, look) in reading.looks.iter().enumerate() {
            if self.gone[r] || self.joined[r].is_some_and(|joined| reading.at < joined) {
                continue;
            }
            self.reported_at[r] = Some(reading.at);
            if let Some(tokens) = reading.queued_tokens.get(r) {
                self.queued_tokens[r] = *tokens;
            }
            if let Some(means) = reading.means.get(r) {
                self.means[r] = *means;
            }
            if !rates {
                continue;
            }
            // Nearly every reading comes too soon for a rate, so nothing is copied before that is known.
            let mark = &mut self.marks[r];
            if mark.as_ref().is_some_and(|before| reading.at.saturating_sub(before.at) < WINDOW) {
                continue;
            }
            let tally = reading.tallies.get(r).copied().unwrap_or_default();
            let now = Mark::new(reading.at, look, tally);
            if let Some(before) = mark {
                self.rates[r] = now.since(before);
            }
            *mark = Some(now);
        }
        let here = self.marks.iter().zip(&self.gone).filter(|(_, gone)| !**gone);
        let due = here.map(|(mark, _)| mark.as_ref().map_or(0, |mark| mark.at.saturating_add(WINDOW)));
        self.due = due.min().unwrap_or(Ps::MAX);
    }

    /// Whether a reading at this time would make a rate of anybody.
    pub(super) fn rates_due(&self, at: Ps, signals: Signals) -> bool {
        signals.has(Signals::RATES) && at >= self.due
    }

    /// Takes over a fresh reading that makes no rates, of engines without a prefix cache where
    /// the tokens in their lines are wanted.
    pub(super) fn read_on(&mut self, now: Ps, engines: &[Replica], means: &[Means], signals: Signals) {
        if !signals.any(FROM_REPORTS) {
            return;
        }
        for (at, gone) in self.reported_at.iter_mut().zip(&self.gone) {
            if !gone {
                *at = Some(now);
            }
        }
        if signals.has(Signals::MEANS) {
            // An engine that is down has none.
            self.means.copy_from_slice(means);
        }
        if signals.has(Signals::QUEUED_TOKENS) {
            for ((tokens, engine), gone) in self.queued_tokens.iter_mut().zip(engines).zip(&self.gone) {
                if !gone {
                    *tokens = engine.waiting_tokens();
                }
            }
        }
    }

    /// Brings up to date what depends on the time.
    pub(super) fn look(&mut self, now: Ps, signals: Signals) {
        if signals.has(Signals::AGES) {
            for (age, joined) in self.age.iter_mut().zip(&self.joined) {
                *age = joined.map_or(u64::MAX, |joined| now.saturating_sub(joined));
            }
        }
    }

    /// What a fresh reading at this moment would add, for a decision on fresh data; nothing where
    /// the rule reads none of it.
    pub(super) fn on_fresh(&self, reading: &Reading, signals: Signals) -> Self {
        if !signals.any(FROM_REPORTS.and(Signals::AGES)) {
            return Self::default();
        }
        let mut fresh = self.clone();
        fresh.read(reading, signals);
        fresh.look(reading.at, signals);
        fresh
    }

    /// Adds the columns to a view.
    pub(super) fn columns<'a>(&'a self, view: FleetView<'a>) -> FleetView<'a> {
        FleetView {
            age: &self.age,
            reported_at: &self.reported_at,
            rates: &self.rates,
            queued_tokens: &self.queued_tokens,
            means: &self.means,
            ..view
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One replica read at `s` tenths of a second, with counters that grow at constant rates.
    fn reading(s: u64) -> Reading {
        let at = s * SECOND / 10;
        let look = Look { generated: s * 50, busy: at / 4, ..Look::default() };
        let tally = Tally { finished: s * 2, failed: s };
        Reading { at, looks: vec![look], queued_tokens: vec![s], tallies: vec![tally], ..Reading::default() }
    }

    #[test]
    fn rates_need_two_readings_a_second_apart() {
        let mut reports = Reports::new(1);
        assert_eq!(reports.reported_at, [None]);
        for s in [3, 8, 12] {
            reports.read(&reading(s), Signals::RATES);
            assert_eq!((reports.reported_at[0], reports.queued_tokens[0]), (Some(s * SECOND / 10), s));
            assert_eq!(reports.rates[0], Rates::default());
        }
        reports.read(&reading(13), Signals::RATES);
        let want = Rates { generated: 500.0, finished: 20.0, failed: 10.0, busy: 0.25 };
        assert_eq!(reports.rates[0], want);
    }

    #[test]
    fn a_replica_that_left_reports_again_only_after_it_is_back() {
        let mut reports = Reports::new(1);
        let signals = Signals::RATES.and(Signals::AGES);
        [0, 10].iter().for_each(|s| reports.read(&reading(*s), signals));
        reports.look(SECOND, signals);
        assert_eq!(reports.age, [u64::MAX]);
        reports.left(0);
        reports.read(&reading(20), signals);
        assert_eq!((reports.reported_at[0], reports.rates[0]), (None, Rates::default()));
        reports.joined(0, 3 * SECOND);
        // On its way since before the replica was back.
        reports.read(&reading(29), signals);
        assert_eq!(reports.reported_at[0], None);
        reports.read(&reading(35), signals);
        reports.look(4 * SECOND, signals);
        assert_eq!((reports.reported_at[0], reports.age[0]), (Some(reading(35).at), SECOND));
        assert_eq!(reports.rates[0], Rates::default(), "a rate over the time it was gone means nothing");
    }
}
