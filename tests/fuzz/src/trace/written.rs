//! Traces written down in the formats that they are read from.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tokenyard_fleet::time::{MILLI, SECOND};
use tokenyard_fleet::trace_file::{Row, Trace};

/// Longest trace whose times in milliseconds are exact as a double to half a picosecond.
const MOST_EXACT: u64 = 1 << 50;
/// Days of the months of a year that is no leap year.
const MONTHS: [u64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// Rows with blocks named by first appearance in the order of the rows.
pub(super) fn renamed(trace: &Trace) -> Vec<(u64, u32, u32, Vec<usize>)> {
    let mut names: BTreeMap<u64, usize> = BTreeMap::new();
    let mut name = |id: u64| {
        let fresh = names.len();
        *names.entry(id).or_insert(fresh)
    };
    let row = |row: &Row| (row.at, row.prompt, row.output, row.chain.ids().map(&mut name).collect());
    trace.rows.iter().map(row).collect()
}

/// A Mooncake file; none if its times cannot be written exactly.
pub(super) fn mooncake(trace: &Trace) -> Option<String> {
    let last = trace.rows.last()?.at;
    if last > MOST_EXACT {
        return None;
    }
    let mut text = String::new();
    for row in &trace.rows {
        let ids: Vec<String> = row.chain.ids().map(|id| id.to_string()).collect();
        let (ms, rest) = (row.at / MILLI, row.at % MILLI);
        let _ = writeln!(
            text,
            r#"{{"timestamp": {ms}.{rest:09}, "input_length": {}, "output_length": {}, "hash_ids": [{}]}}"#,
            row.prompt,
            row.output,
            ids.join(", ")
        );
    }
    Some(text)
}

/// An Azure file that begins with a year.
pub(super) fn azure(trace: &Trace) -> String {
    let mut text = "TIMESTAMP,ContextTokens,GeneratedTokens\n".to_owned();
    for row in &trace.rows {
        let (seconds, picoseconds) = (row.at / SECOND, row.at % SECOND);
        let (month, day) = date(seconds / 86_400);
        let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
        let _ = writeln!(
            text,
            "2023-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{picoseconds:012},{},{}",
            row.prompt, row.output
        );
    }
    text
}

/// Month and day from 1, of a day from 0 in a year.
fn date(day: u64) -> (u64, u64) {
    let (mut month, mut day) = (1, day);
    for days in &MONTHS[..11] {
        if day < *days {
            break;
        }
        day -= days;
        month += 1;
    }
    (month, day + 1)
}
