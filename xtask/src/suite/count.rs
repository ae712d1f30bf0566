//! Counting tests from what the test harness prints.

use crate::process::Line;

/// How many checks passed, failed and did not run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Ran and held.
    pub passed: u64,
    /// Ran and did not hold, or could not run though it must.
    pub failed: u64,
    /// Did not run.
    pub skipped: u64,
}

impl Counts {
    /// One check that held or did not.
    #[must_use]
    pub fn one(held: bool) -> Self {
        Self { passed: u64::from(held), failed: u64::from(!held), skipped: 0 }
    }

    /// Adds the counts of a further step.
    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

/// Sums the result lines of every test program that `cargo test` runs.
#[derive(Debug, Default)]
pub struct LibtestCounter {
    counts: Counts,
    results: u64,
    announced: u64,
}

impl LibtestCounter {
    /// Takes one line. A line `SKIPPED: …` on either stream is a test that could not run and that
    /// the harness calls passed.
    pub fn see(&mut self, line: &Line) {
        let (Line::Out(text) | Line::Err(text)) = line;
        if text.starts_with("SKIPPED: ") {
            self.announced += 1;
        }
        if let Line::Out(text) = line
            && let Some(counts) = result_line(text)
        {
            self.results += 1;
            self.counts.add(counts);
        }
    }

    /// The sum. A program that failed without a failing test (it did not compile, it crashed)
    /// counts as one failure; one that succeeded without any result line as one pass.
    #[must_use]
    pub fn finish(self, succeeded: bool) -> Counts {
        let mut counts = self.counts;
        counts.passed = counts.passed.saturating_sub(self.announced);
        counts.skipped += self.announced;
        if !succeeded && counts.failed == 0 {
            counts.failed = 1;
        }
        if succeeded && self.results == 0 {
            counts.passed += 1;
        }
        counts
    }
}

/// `test result: ok. 7 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in …`
fn result_line(text: &str) -> Option<Counts> {
    let rest = text.trim_start().strip_prefix("test result: ")?;
    let (_, numbers) = rest.split_once(". ")?;
    let number = |word: &str| {
        numbers.split(';').find_map(|part| part.trim().strip_suffix(word)?.trim().parse::<u64>().ok())
    };
    Some(Counts { passed: number("passed")?, failed: number("failed")?, skipped: number("ignored")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &[&str], succeeded: bool) -> (u64, u64, u64) {
        let mut counter = LibtestCounter::default();
        for line in lines {
            let line = line
                .strip_prefix("2> ")
                .map_or_else(|| Line::Out((*line).to_owned()), |error| Line::Err(error.to_owned()));
            counter.see(&line);
        }
        let counts = counter.finish(succeeded);
        (counts.passed, counts.failed, counts.skipped)
    }

    const OK: &str =
        "test result: ok. 7 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.02s";
    const BAD: &str =
        "test result: FAILED. 6 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1s";

    #[test]
    fn result_lines_are_summed() {
        assert_eq!(check(&["running 8 tests", OK, "", OK], true), (14, 0, 2));
        assert_eq!(check(&[OK, BAD], false), (13, 2, 1));
    }

    #[test]
    fn only_the_harness_on_standard_output_is_believed() {
        let quoted = "test laws::result ... test result: ok. 9 passed";
        assert_eq!(
            check(&[OK, quoted, "2> test result: ok. 5 passed; 0 failed; 0 ignored"], true),
            (7, 0, 1)
        );
        assert_eq!(check(&["test result: soon", "test result: ok. many passed", OK], true), (7, 0, 1));
    }

    #[test]
    fn a_test_that_says_it_was_skipped_did_not_pass() {
        assert_eq!(check(&["2> SKIPPED: oracle: no folder", OK], true), (6, 0, 2));
        assert_eq!(check(&["2> note: SKIPPED: is a word", OK], true), (7, 0, 1));
    }

    #[test]
    fn failing_to_compile_is_one_failure_and_silence_is_one_pass() {
        assert_eq!(check(&["2> error: could not compile"], false), (0, 1, 0));
        assert_eq!(check(&[OK, "2> error: test crashed"], false), (7, 1, 1));
        assert_eq!(check(&["parity holds"], true), (1, 0, 0));
    }

    #[test]
    fn the_last_line_has_its_form() {
        let counts = Counts { passed: 12, failed: 0, skipped: 3 };
        assert_eq!(counts.to_string(), "12 passed, 0 failed, 3 skipped");
    }
}
