//! Lines like those of an ordinary Rust test binary, so that people and scripts can read them.

use std::sync::{Mutex, PoisonError};

use crate::{Failure, Stopwatch};

/// Counts outcomes and prints them; shared by the threads of all engines.
#[derive(Debug)]
pub(super) struct Report {
    started: Stopwatch,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    passed: usize,
    ignored: usize,
    failures: Vec<(String, Failure)>,
}

impl Report {
    pub(super) fn begin(count: usize) -> Self {
        say(&format!("\nrunning {count} tests"));
        Self { started: Stopwatch::start(), state: Mutex::default() }
    }

    pub(super) fn passed(&self, name: &str, time: Stopwatch) {
        self.change(|state| state.passed += 1);
        say(&format!("test {name} ... ok <{:.2}s>", time.elapsed().as_secs_f64()));
    }

    pub(super) fn ignored(&self, name: &str, reason: &str) {
        self.change(|state| state.ignored += 1);
        say(&format!("test {name} ... ignored, {reason}"));
    }

    pub(super) fn failed(&self, name: &str, failure: Failure) {
        say(&format!("test {name} ... FAILED"));
        self.change(|state| state.failures.push((name.to_owned(), failure)));
    }

    /// Prints the failures and the closing line; whether all is well.
    pub(super) fn end(&self, filtered: usize) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !state.failures.is_empty() {
            say("\nfailures:\n");
            for (name, failure) in &state.failures {
                say(&format!("---- {name} ----\n{failure}\n"));
            }
            say("failures:");
            for (name, _) in &state.failures {
                say(&format!("    {name}"));
            }
        }
        say(&format!(
            "\n{}; finished in {:.2}s\n",
            closing(&state, filtered),
            self.started.elapsed().as_secs_f64()
        ));
        state.failures.is_empty()
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// One line to the terminal, whole even when two threads speak.
pub(super) fn say(line: &str) {
    use std::io::Write;
    // A closed pipe is no reason to leave browsers behind.
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

/// The closing line without its time.
fn closing(state: &State, filtered: usize) -> String {
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
        let mut state = State { passed: 2, ignored: 1, failures: Vec::new() };
        let line = "test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 4 filtered out";
        assert_eq!(closing(&state, 4), line);
        state.failures.push(("c".to_owned(), Failure::new("no")));
        assert!(closing(&state, 4).starts_with("test result: FAILED. 2 passed; 1 failed;"));
    }
}
