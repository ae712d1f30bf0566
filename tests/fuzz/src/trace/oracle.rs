//! A second reader of Mooncake's lines: `serde_json`.

use serde::Deserialize;
use tokenyard_fleet::scenario::Problem;
use tokenyard_fleet::time::MILLI;
use tokenyard_fleet::trace_file::{MOONCAKE_BLOCK, Trace};
use tokenyard_fleet::workload::MOST_TOKENS;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    timestamp: serde_json::Number,
    input_length: u32,
    output_length: u32,
    hash_ids: Vec<u64>,
}

/// What is read of a file is what the second reader reads; and what that one reads, with everything
/// in range, is read.
pub(super) fn mooncake(bytes: &[u8], outcome: &Result<Trace, Problem>) {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let lines: Vec<&[u8]> =
        text.split(|b| *b == b'\n').map(<[u8]>::trim_ascii).filter(|l| !l.is_empty()).collect();
    // A list is no line for us, and neither is a name with escapes.
    let is_plain = |line: &&[u8]| line.starts_with(b"{") && !line.contains(&b'\\');
    let read: Option<Vec<Line>> =
        lines.iter().map(|line| is_plain(line).then(|| serde_json::from_slice(line).ok())?).collect();
    match (outcome, read) {
        (Ok(trace), Some(lines)) => same(trace, &lines),
        (Ok(_), None) => all_read(&lines),
        (Err(problem), Some(lines)) => {
            let fits = !lines.is_empty() && lines.iter().all(in_range);
            assert!(!fits, "refused, but right: {problem}");
        }
        (Err(_), None) => {}
    }
}

/// Numbers beyond a double are read by us and not by `serde_json`, if they are ids or times of
/// more digits; anything else that it refuses is not to be read.
fn all_read(lines: &[&[u8]]) {
    for line in lines {
        let parsed = serde_json::from_slice::<Line>(line);
        assert!(parsed.is_ok(), "read, but wrong: {:?}", String::from_utf8_lossy(line));
    }
}

fn same(trace: &Trace, lines: &[Line]) {
    let of_line = |line: &Line| {
        let full = line.input_length / MOONCAKE_BLOCK;
        (line.input_length, line.output_length, (line.hash_ids.len() as u32).min(full))
    };
    let mut expected: Vec<(u32, u32, u32)> = lines.iter().map(of_line).collect();
    let mut found: Vec<(u32, u32, u32)> =
        trace.rows.iter().map(|row| (row.prompt, row.output, row.chain.blocks())).collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected);
    let whole: Option<Vec<u64>> = lines.iter().map(|line| line.timestamp.as_u64()).collect();
    if let Some(mut times) = whole {
        times.sort_unstable();
        let first = times.first().copied().unwrap_or_default();
        let expected: Vec<u64> = times.into_iter().map(|ms| (ms - first) * MILLI).collect();
        let found: Vec<u64> = trace.rows.iter().map(|row| row.at).collect();
        assert_eq!(found, expected);
    }
}

/// Whether nothing in a line that was read is out of range.
fn in_range(line: &Line) -> bool {
    let tokens = 1..=MOST_TOKENS;
    let started = line.input_length.div_ceil(MOONCAKE_BLOCK) as usize;
    tokens.contains(&line.input_length)
        && tokens.contains(&line.output_length)
        && line.hash_ids.len() <= started
        && line.timestamp.as_u64().is_some_and(|ms| ms <= u64::MAX / MILLI)
}
