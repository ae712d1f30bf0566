//! Laws of trace files.

mod oracle;
mod written;

use std::io::{BufRead, BufReader, Read};

use tokenyard_fleet::scenario::Problem;
use tokenyard_fleet::trace_file::{self, Row, Trace};
use tokenyard_fleet::workload::MOST_TOKENS;

use crate::memory::most_of;

/// Most bytes held for each byte of a file. A block id of two bytes takes a node of a tree and a
/// run of a chain.
const MEMORY_EACH: usize = 128;
/// Most bytes held for a file of no length, messages included.
const MEMORY_ONCE: usize = 16 << 10;
/// Longest message, in bytes.
const MOST_MESSAGE: usize = 1_000;
/// Lengths of the pieces that a file comes in, in bytes.
const PIECES: [usize; 3] = [1, 2, 7];

type Outcome = Result<Trace, Problem>;
type Importer = fn(&mut dyn BufRead) -> Outcome;

/// Mooncake's format: the laws of every trace, a second reader's view of each line, and the trace
/// written down again.
pub fn mooncake(bytes: &[u8]) {
    let outcome = import(bytes, |input| trace_file::mooncake(input));
    oracle::mooncake(bytes, &outcome);
    if let Some((trace, text)) = outcome.as_ref().ok().and_then(|t| Some((t, written::mooncake(t)?))) {
        let again = trace_file::mooncake(text.as_bytes());
        assert_eq!(again.as_ref().map(written::renamed), Ok(written::renamed(trace)), "{text}");
    }
    either(bytes);
}

/// Azure's format: the laws of every trace, and the trace written down again.
pub fn azure(bytes: &[u8]) {
    let outcome = import(bytes, |input| trace_file::azure(input));
    if let Ok(trace) = &outcome {
        let text = written::azure(trace);
        assert_eq!(trace_file::azure(text.as_bytes()).as_ref(), Ok(trace), "{text}");
    }
    either(bytes);
}

/// A file of a format that is not said is read as one of the two.
fn either(bytes: &[u8]) {
    let outcome = import(bytes, |input| trace_file::read(input));
    let known = [trace_file::mooncake(bytes), trace_file::azure(bytes)];
    assert!(known.contains(&outcome), "{outcome:?} is none of {known:?}");
    assert!(outcome.is_ok() || known.iter().all(Result::is_err), "refused, but known: {known:?}");
}

/// What an importer makes of a file, after it kept to the laws.
fn import(bytes: &[u8], importer: Importer) -> Outcome {
    let (outcome, most) = most_of(|| importer(&mut &bytes[..]));
    assert!(most <= MEMORY_ONCE + MEMORY_EACH * bytes.len(), "{most} bytes for {}", bytes.len());
    let rows = outcome.as_ref().map_or(0, |trace| trace.rows.len());
    assert!(most >= rows * size_of::<Row>(), "{most} bytes for {rows} rows: memory is not counted");
    for length in PIECES {
        let mut pieces = BufReader::with_capacity(length, Pieces(bytes, length));
        assert_eq!(importer(&mut pieces), outcome, "in pieces of {length}");
    }
    match &outcome {
        Ok(trace) => sound(trace),
        Err(problem) => named(bytes, problem, importer),
    }
    outcome
}

/// A file that comes in pieces.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let most = into.len().min(self.1);
        self.0.read(&mut into[..most])
    }
}

/// What every trace keeps, however it was made.
fn sound(trace: &Trace) {
    assert!(trace.rows.first().is_some_and(|row| row.at == 0));
    assert!(trace.rows.windows(2).all(|pair| pair[0].at <= pair[1].at));
    for row in &trace.rows {
        assert!((1..=MOST_TOKENS).contains(&row.prompt) && (1..=MOST_TOKENS).contains(&row.output));
        assert!(row.chain.blocks() <= trace.block.map_or(0, |block| row.prompt / block));
    }
}

/// A refusal names a line of the file and what in it, and nothing before that line is to blame.
fn named(bytes: &[u8], problem: &Problem, importer: Importer) {
    assert!(problem.to_string().len() < MOST_MESSAGE && !problem.allowed.is_empty(), "{problem}");
    let Some(place) = problem.path.strip_prefix("line ") else {
        return assert_eq!(problem.path, "the file", "{problem}");
    };
    let digits = place.split(',').next().unwrap_or_default();
    let number: usize = digits.parse().unwrap_or_default();
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    assert!((1..=lines.len()).contains(&number), "{problem}: of {} lines", lines.len());
    let is_whole = problem.given.starts_with("longer than");
    assert!(is_whole || place.starts_with(&format!("{number}, ")), "{problem}: no field");
    // Times are compared when all of them are known.
    if problem.given.ends_with("after the first") {
        return;
    }
    if let Err(earlier) = importer(&mut lines[..number - 1].concat().as_slice()) {
        let is_of_times = earlier.given.ends_with("after the first");
        assert!(earlier.path == "the file" || is_of_times, "{problem}, but before that: {earlier}");
    }
}
