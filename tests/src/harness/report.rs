//! Lines like those of an ordinary Rust test binary, so that people and scripts can read them.

use std::sync::{Mutex, PoisonError};

use super::arguments::reported;
use super::run::Turn;
use crate::{Engine, Failure, Journey, Stopwatch};

/// Counts outcomes and prints them; shared by the threads of all engines.
pub(super) struct Report<'a> {
    started: Stopwatch,
    state: Mutex<State<'a>>,
    /// Where lines go.
    tell: fn(&str),
}

#[derive(Default)]
struct State<'a> {
    passed: usize,
    ignored: usize,
    doubts: Vec<Doubt<'a>>,
    /// Names of what passed the second time only, with the first failure.
    unsteady: Vec<(String, Failure)>,
    failures: Vec<(String, Failure)>,
}

/// A journey that failed beside others.
pub(super) struct Doubt<'a> {
    pub engine: Engine,
    pub journey: &'a Journey,
    pub failure: Failure,
}

impl<'a> Report<'a> {
    pub(super) fn begin(count: usize) -> Self {
        Self::telling(say, count)
    }

    fn telling(tell: fn(&str), count: usize) -> Self {
        tell(&format!("\nrunning {count} tests"));
        Self { started: Stopwatch::start(), state: Mutex::default(), tell }
    }

    pub(super) fn passed(&self, name: &str, time: Stopwatch) {
        self.change(|state| state.passed += 1);
        (self.tell)(&format!("test {name} ... ok <{:.2}s>", time.elapsed().as_secs_f64()));
    }

    pub(super) fn ignored(&self, name: &str, reason: &str) {
        self.change(|state| state.ignored += 1);
        (self.tell)(&format!("test {name} ... ignored, {reason}"));
    }

    /// A journey that did not pass: the first time it is in doubt, the second it has failed.
    pub(super) fn stopped(&self, engine: Engine, journey: &'a Journey, failure: Failure, turn: Turn) {
        match turn {
            Turn::First => {
                (self.tell)(&format!("test {} ... stopped, see below", reported(engine, journey)));
                self.change(|state| state.doubts.push(Doubt { engine, journey, failure }));
            }
            Turn::Second => self.failed(&reported(engine, journey), failure),
        }
    }

    /// What is in doubt, which is then no longer kept here.
    pub(super) fn doubts(&self) -> Vec<Doubt<'a>> {
        let mut doubts = Vec::new();
        self.change(|state| doubts = std::mem::take(&mut state.doubts));
        doubts
    }

    /// A journey runs again after a first failure, which is told whatever comes of it.
    pub(super) fn again(&self, doubt: &Doubt<'_>) {
        let name = reported(doubt.engine, doubt.journey);
        (self.tell)(&format!("AGAIN: {name}: {}", doubt.failure));
        self.change(|state| state.unsteady.push((name, doubt.failure.clone())));
    }

    pub(super) fn failed(&self, name: &str, failure: Failure) {
        (self.tell)(&format!("test {name} ... FAILED"));
        self.change(|state| state.failures.push((name.to_owned(), failure)));
    }

    /// Prints the failures and the closing line; whether all is well.
    pub(super) fn end(&self, filtered: usize) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, failure) in state.unsteady.iter().filter(|(name, _)| !state.has_failed(name)) {
            (self.tell)(&format!("UNSTEADY: {name} passed by itself; beside others: {failure}"));
        }
        if !state.failures.is_empty() {
            (self.tell)("\nfailures:\n");
            for (name, failure) in &state.failures {
                (self.tell)(&format!("---- {name} ----\n{failure}\n"));
            }
            (self.tell)("failures:");
            for (name, _) in &state.failures {
                (self.tell)(&format!("    {name}"));
            }
        }
        (self.tell)(&format!(
            "\n{}; finished in {:.2}s\n",
            closing(&state, filtered),
            self.started.elapsed().as_secs_f64()
        ));
        state.failures.is_empty()
    }

    fn change(&self, change: impl FnOnce(&mut State<'a>)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl State<'_> {
    fn has_failed(&self, name: &str) -> bool {
        self.failures.iter().any(|(failed, _)| failed == name)
    }
}

/// One line to the terminal, whole even when two threads speak.
pub(super) fn say(line: &str) {
    use std::io::Write;
    // A closed pipe is no reason to leave browsers behind.
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

/// The closing line without its time.
fn closing(state: &State<'_>, filtered: usize) -> String {
    format!(
        "test result: {}. {} passed; {} failed; {} ignored; 0 measured; {filtered} filtered out",
        if state.failures.is_empty() { "ok" } else { "FAILED" },
        state.passed,
        state.failures.len(),
        state.ignored,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_failure_among_passes_is_not_ok() {
        let mut state = State { passed: 2, ignored: 1, ..State::default() };
        let line = "test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 4 filtered out";
        assert_eq!(closing(&state, 4), line);
        state.failures.push(("c".to_owned(), Failure::new("no")));
        assert!(closing(&state, 4).starts_with("test result: FAILED. 2 passed; 1 failed;"));
    }

    #[test]
    fn a_journey_in_doubt_is_settled_by_its_second_run() {
        let run: crate::Run = |_| Box::pin(async { Ok(()) });
        let engines = crate::ALL;
        let limit = std::time::Duration::ZERO;
        let journey = Journey { name: "a", engines, site: crate::Site::Fixtures, run, limit };
        for passes in [true, false] {
            // Said to nobody: the suite counts what it reads.
            let report = Report::telling(|_| (), 1);
            report.stopped(engines[0], &journey, Failure::new("late"), Turn::First);
            let doubts = report.doubts();
            assert_eq!((doubts.len(), report.doubts().len()), (1, 0));
            report.again(&doubts[0]);
            match passes {
                true => report.passed("chromium::a", Stopwatch::start()),
                false => report.stopped(engines[0], &journey, Failure::new("late again"), Turn::Second),
            }
            assert_eq!(report.end(0), passes);
        }
    }
}
