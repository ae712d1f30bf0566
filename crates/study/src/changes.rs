//! Changes of replicas on one line each: `30,1,fail` or `12.5,0,slow,500`.

use tokenyard_fleet::scenario::change::TABLE;
use tokenyard_param::Values;

/// Reads one change: time in seconds, replica from 0, kind, and for `slow` a speed in per mille.
///
/// # Errors
/// What is allowed, for the first part that is not.
pub fn parse(line: &str) -> Result<Values, String> {
    let mut values = Values::defaults(&TABLE);
    let parts: Vec<&str> = line.split(',').map(str::trim).collect();
    if !(3..=TABLE.len()).contains(&parts.len()) {
        let names: Vec<&str> = TABLE.iter().map(|spec| spec.key).collect();
        return Err(format!("{}, with commas between them", names.join(",")));
    }
    for (place, (spec, part)) in TABLE.iter().zip(parts).enumerate() {
        let value = spec.parse(part).map_err(|error| format!("{}: {}", spec.key, error.allowed))?;
        values.set(place, value);
    }
    Ok(values)
}

/// Writes one change so that [`parse`] reads it back.
#[must_use]
pub fn write(change: &Values) -> String {
    let texts = change.specs().iter().enumerate().filter_map(|(i, s)| Some(s.kind.write(change.at(i)?)));
    texts.collect::<Vec<_>>().join(",").trim_end_matches(",none").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_was_written() {
        for line in ["30,1,fail", "12.5,0,slow,500", "0,3,undrain"] {
            assert_eq!(parse(line).map(|change| write(&change)), Ok(line.to_owned()));
        }
        assert_eq!(parse(" 30 , 1 ,fail,none").map(|c| write(&c)), Ok("30,1,fail".to_owned()));
    }

    #[test]
    fn what_is_no_change_says_what_is_one() {
        for (line, allowed) in [
            ("", "at_s"),
            ("1,2", "at_s"),
            ("x,1,fail", "at_s: 0"),
            ("1,2,burn", "fail, restart"),
            ("1,2,slow,0", "value: 1"),
        ] {
            let error = parse(line).unwrap_err();
            assert!(error.contains(allowed), "{line}: {error}");
        }
    }
}
