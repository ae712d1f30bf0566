//! Azure's traces of 2023: `TIMESTAMP,ContextTokens,GeneratedTokens`, one request on a line.

use std::io::BufRead;

use super::Trace;
use super::collect::{Collect, tokens};
use super::lines::{Lines, shown, wrong};
use crate::chain::Chain;
use crate::scenario::Problem;
use crate::time::SECOND;

const HEADER: &str = "TIMESTAMP,ContextTokens,GeneratedTokens";
const TIME: &str = "YYYY-MM-DD hh:mm:ss with up to 12 decimals";

/// Reads the whole file. Nothing is recorded of what prompts hold, so no two share anything.
///
/// # Errors
/// The first line and field that hold what they may not.
pub fn azure(input: impl BufRead) -> Result<Trace, Problem> {
    import(Lines::new(input))
}

pub(super) fn import(mut lines: Lines<impl BufRead>) -> Result<Trace, Problem> {
    match lines.next()? {
        Some((_, line)) if line == HEADER.as_bytes() => {}
        Some((number, line)) => return Err(wrong(number, "the header", shown(line), HEADER)),
        None => return Err(Problem::new("the file", "empty", HEADER)),
    }
    let mut rows = Collect::default();
    while let Some((number, line)) = lines.next()? {
        let text =
            std::str::from_utf8(line).map_err(|_| wrong(number, "the line", shown(line), "text in UTF-8"))?;
        let fields: Vec<&str> = text.splitn(4, ',').collect();
        let &[time, prompt, output] = fields.as_slice() else {
            return Err(wrong(number, "the line", shown(line), format!("three fields: {HEADER}")));
        };
        let at = timestamp(time).ok_or_else(|| wrong(number, "TIMESTAMP", shown(time.as_bytes()), TIME))?;
        let prompt = tokens(number, "ContextTokens", prompt)?;
        let output = tokens(number, "GeneratedTokens", output)?;
        rows.push(number, at, prompt, output, Chain::new())?;
    }
    rows.finish(None, "TIMESTAMP")
}

/// Picoseconds since the first day of year 0 of the Gregorian calendar.
fn timestamp(text: &str) -> Option<u128> {
    let (date, time) = text.split_once(' ')?;
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let (whole, decimals) = time.split_once('.').unwrap_or((time, "0"));
    let [hour, minute, second] = numbers(whole, ':', [2, 2, 2])?;
    let valid = (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
    if !valid || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let seconds = ((days_before(year, month) + day - 1) * 24 + hour) * 3_600 + minute * 60 + second;
    if decimals.len() > 12 || !decimals.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let fraction: u64 = format!("{decimals:0<12}").parse().ok().filter(|_| !decimals.is_empty())?;
    Some(u128::from(seconds) * u128::from(SECOND) + u128::from(fraction))
}

/// Three numbers of fixed widths between separators.
fn numbers(text: &str, between: char, widths: [usize; 3]) -> Option<[u64; 3]> {
    let mut parts = text.split(between);
    let mut numbers = [0; 3];
    for (number, width) in numbers.iter_mut().zip(widths) {
        let part = parts.next()?;
        if part.len() != width || !part.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        *number = part.parse().ok()?;
    }
    parts.next().is_none().then_some(numbers)
}

fn leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_in(year: u64, month: u64) -> u64 {
    match month {
        2 => 28 + u64::from(leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from the beginning of year 0 to that of a month.
fn days_before(year: u64, month: u64) -> u64 {
    // Leap years before this one, year 0 included.
    let leaps = if year == 0 { 0 } else { (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1 };
    year * 365 + leaps + (1..month).map(|m| days_in(year, m)).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        // Days from year 0 to the epoch of 1970, and to two dates beyond leap days.
        assert_eq!(days_before(1970, 1), 719_528);
        assert_eq!(days_before(2000, 3) - days_before(1970, 1), 11_017);
        assert_eq!(days_before(2023, 11) - days_before(1970, 1), 19_662);
        let all: Vec<u64> = (0..2_500).flat_map(|y| (1..=12).map(move |m| days_before(y, m))).collect();
        let lengths = (0..2_500).flat_map(|y| (1..=12).map(move |m| days_in(y, m)));
        assert!(all.windows(2).zip(lengths).all(|(w, days)| w[1] - w[0] == days));
    }

    #[test]
    fn times_are_exact_to_the_picosecond() {
        let at = |text| timestamp(text).unwrap();
        let (a, b) = (at("2023-11-16 18:15:46.6805900"), at("2023-11-16 18:15:50.9951690"));
        assert_eq!(b - a, 4_314_579_000_000);
        assert_eq!(
            at("2024-03-01 00:00:00") - at("2024-02-28 23:59:59.999999999999"),
            86_400 * 1_000_000_000_000 + 1
        );
        for bad in [
            "2023-02-29 00:00:00",
            "2023-13-01 00:00:00",
            "2023-00-01 00:00:00",
            "2023-01-00 00:00:00",
            "2023-01-01 24:00:00",
            "2023-01-01 00:60:00",
            "2023-01-01 00:00:60",
            "2023-01-01 00:00:00.",
            "2023-01-01 00:00:00.0000000000001",
            "2023-01-01 00:00:00.1Z",
            "2023-01-01T00:00:00",
            "+023-01-01 00:00:00",
            "2023-1-01 00:00:00",
            "2023-01-01-01 00:00:00",
            "",
        ] {
            assert_eq!(timestamp(bad), None, "{bad}");
        }
    }
}
