//! Digits from the exact double. Only separators follow the language, and they are added later.

/// `value` with `digits` decimals, from the exact double: 559.0499… is `559.0`, never a value
/// rounded before. Rounds half to even on the exact binary value, as Rust's formatter does; a
/// negative zero prints as `0`. NaN and infinities print as `–`.
#[must_use]
pub fn fixed(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|b| b == b'0' || b == b'.') => rest.to_owned(),
        _ => text,
    }
}

/// A share as a whole percentage without the sign, rounded half up: 0.875 is `88`.
#[must_use]
pub fn percent(share: f64) -> String {
    if !share.is_finite() {
        return "–".to_owned();
    }
    // Half up on the exact double of share · 100, as the published tables do.
    fixed((share * 100.0 + 0.5).floor(), 0)
}

/// `figures` significant digits in plain notation, for headline numbers in links: 324.2 with
/// three figures is `324`, 1.1910 is `1.19`, 0.6444 is `0.644`.
#[must_use]
pub fn significant(value: f64, figures: i32) -> String {
    if value == 0.0 || !value.is_finite() {
        return fixed(value, 0);
    }
    let mut magnitude = 0_i32;
    let mut scaled = value.abs();
    while scaled >= 10.0 {
        scaled /= 10.0;
        magnitude += 1;
    }
    while scaled < 1.0 {
        scaled *= 10.0;
        magnitude -= 1;
    }
    fixed(value, usize::try_from(figures - 1 - magnitude).unwrap_or(0))
}

/// Puts `group` between thousands and `decimal` in place of the point.
#[must_use]
pub fn separate(plain: &str, group: &str, decimal: &str) -> String {
    let (sign, rest) = plain.strip_prefix('-').map_or(("", plain), |r| ("−", r));
    let (whole, fraction) = rest.split_once('.').map_or((rest, None), |(w, f)| (w, Some(f)));
    let mut out = String::from(sign);
    for (i, c) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) && whole.is_ascii() {
            out.push_str(group);
        }
        out.push(c);
    }
    if let Some(fraction) = fraction {
        out.push_str(decimal);
        out.push_str(fraction);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_from_the_exact_double() {
        assert_eq!(fixed(559.05 - f64::EPSILON * 256.0, 1), "559.0");
        assert_eq!(fixed(52.149_99, 1), "52.1");
        assert_eq!(fixed(-0.001, 1), "0.0");
        assert_eq!(fixed(f64::NAN, 1), "–");
    }

    #[test]
    fn percentages_round_half_up() {
        assert_eq!(percent(0.875), "88");
        assert_eq!(percent(0.644_444), "64");
        assert_eq!(percent(1.0), "100");
    }

    #[test]
    fn significant_figures_stay_plain() {
        assert_eq!(significant(324.2, 3), "324");
        assert_eq!(significant(1.191, 3), "1.19");
        assert_eq!(significant(0.6444, 3), "0.644");
        assert_eq!(significant(29_180.0, 3), "29180");
        assert_eq!(significant(0.0, 3), "0");
    }

    #[test]
    fn separators_follow_the_language() {
        assert_eq!(separate("29180", ",", "."), "29,180");
        assert_eq!(separate("-1234567.25", "\u{202f}", ","), "−1\u{202f}234\u{202f}567,25");
        assert_eq!(separate("999", ",", "."), "999");
        assert_eq!(separate("–", ",", "."), "–");
    }
}
