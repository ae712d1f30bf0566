//! Doubles from their digits, correctly rounded, without tables.
//!
//! The standard library reads any text as fast as there is, from 10 KB of tables that no compressor makes
//! smaller: a thirtieth of what a page loads. Here short texts, which people and links write, are one
//! multiplication or division of exact doubles, and all others are divided bit by bit.

/// Significant digits that are looked at. Where more are given, the double or the half between two that
/// decides has fewer than 768, so one digit tells on which side the rest is.
const MOST: usize = 770;

/// Powers of ten are beyond every double from here on, whatever the digits are.
const FAR: i64 = 2_000;

/// The double nearest to a decimal number, ties to even, as the standard library reads it, with its signs,
/// exponents, infinities and NaN. `None` if the text is no number.
#[must_use]
pub fn read(text: &str) -> Option<f64> {
    let (negative, rest) = match text.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let is = |name: &str| rest.eq_ignore_ascii_case(name.as_bytes());
    let size = if is("inf") || is("infinity") {
        f64::INFINITY
    } else if is("nan") {
        f64::NAN
    } else {
        let (digits, power) = decimal(rest)?;
        short(&digits, power).unwrap_or_else(|| long(&digits, power))
    };
    Some(if negative { -size } else { size })
}

/// Digits without zeros around them, and the power of ten that the last one counts.
fn decimal(text: &[u8]) -> Option<(Vec<u8>, i64)> {
    let (mut digits, mut power) = (Vec::new(), 0_i64);
    let (mut any, mut point, mut at) = (false, false, 0);
    while let Some(byte) = text.get(at) {
        match byte {
            b'.' if !point => point = true,
            b'0'..=b'9' => {
                any = true;
                power -= i64::from(point);
                let digit = byte - b'0';
                if digits.len() < MOST {
                    // Zeros in front say nothing.
                    if digit > 0 || !digits.is_empty() {
                        digits.push(digit);
                    }
                } else {
                    power += 1;
                    // Something follows: the last one kept says so if it was a zero.
                    if let Some(last) = digits.last_mut().filter(|_| digit > 0) {
                        *last = (*last).max(1);
                    }
                }
            }
            _ => break,
        }
        at += 1;
    }
    match text.get(at) {
        None => {}
        Some(b'e' | b'E') => power += exponent(text.get(at + 1..)?)?,
        Some(_) => return None,
    }
    while digits.last() == Some(&0) {
        digits.pop();
        power += 1;
    }
    any.then_some((digits, power))
}

fn exponent(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let size =
        digits.iter().fold(0_i64, |size, d| (size * 10 + i64::from(d - b'0')).min(i64::from(u32::MAX)));
    Some(if negative { -size } else { size })
}

/// A number whose digits and power of ten are doubles without rounding: one operation rounds it.
fn short(digits: &[u8], power: i64) -> Option<f64> {
    if digits.len() > 15 || power.abs() > 22 {
        return None;
    }
    let whole = digits.iter().fold(0.0, |whole, digit| whole * 10.0 + f64::from(*digit));
    let ten = (0..power.abs()).fold(1.0, |ten, _| ten * 10.0);
    Some(if power < 0 { whole / ten } else { whole * ten })
}

/// Any number: digits over powers of ten as two whole numbers, divided until the double is full.
fn long(digits: &[u8], power: i64) -> f64 {
    let order = power.saturating_add(digits.len() as i64);
    if digits.is_empty() || order < -FAR {
        return 0.0;
    }
    if order > FAR {
        return f64::INFINITY;
    }
    let (mut over, mut under) = (Whole::default(), Whole(vec![1]));
    digits.iter().for_each(|digit| over.push(10, u32::from(*digit)));
    let grown = if power < 0 { &mut under } else { &mut over };
    (0..power.abs()).for_each(|_| grown.push(10, 0));
    // The power of two that the quotient starts with.
    let mut two = over.bits() - under.bits();
    if two > 0 {
        under.double(two)
    } else {
        over.double(-two)
    }
    if over.less(&under) {
        over.double(1);
        two -= 1;
    }
    // A double has 53 bits, and fewer below its smallest normal power.
    let bits = (53 + (two + 1_022).min(0)).max(0);
    let mut mantissa = 0_u64;
    for _ in 0..bits {
        mantissa = mantissa << 1 | u64::from(over.take(&under));
        over.double(1);
    }
    // The next bit, and whether anything is left after it.
    let half = two >= -1_075 && over.take(&under);
    if half && (mantissa & 1 == 1 || over.0.iter().any(|part| *part > 0)) {
        mantissa += 1;
    }
    if two > 1_023 {
        return f64::INFINITY;
    }
    // A mantissa that was rounded up to the next power carries into the exponent by itself.
    let exponent = if two < -1_022 { 0 } else { (two + 1_022) as u64 };
    f64::from_bits((exponent << 52) + mantissa)
}

/// A whole number of any size, lowest 32 bits first.
#[derive(Default)]
struct Whole(Vec<u32>);

impl Whole {
    /// Times a factor, and something more.
    fn push(&mut self, factor: u32, more: u32) {
        let mut carry = u64::from(more);
        for part in &mut self.0 {
            let now = u64::from(*part) * u64::from(factor) + carry;
            (*part, carry) = (now as u32, now >> 32);
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    /// Doubled so many times.
    fn double(&mut self, mut times: i32) {
        while times > 0 {
            let now = times.min(31);
            self.push(1 << now, 0);
            times -= now;
        }
    }

    /// How many bits it has.
    fn bits(&self) -> i32 {
        let top = self.0.last().map_or(0, |part| 32 - part.leading_zeros());
        self.0.len().saturating_sub(1) as i32 * 32 + top as i32
    }

    fn less(&self, other: &Self) -> bool {
        let part = |whole: &Self, at: usize| whole.0.get(at).copied().unwrap_or(0);
        let places = (0..self.0.len().max(other.0.len())).rev();
        let differ = places.map(|at| (part(self, at), part(other, at))).find(|(a, b)| a != b);
        differ.is_some_and(|(a, b)| a < b)
    }

    /// Takes another away if it is not larger; says whether it was.
    fn take(&mut self, other: &Self) -> bool {
        if self.less(other) {
            return false;
        }
        let mut borrowed = false;
        for (at, part) in self.0.iter_mut().enumerate() {
            let less = i64::from(other.0.get(at).copied().unwrap_or(0)) + i64::from(borrowed);
            let now = i64::from(*part) - less;
            (*part, borrowed) = (now as u32, now < 0);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equal to the standard library's, bit for bit.
    fn same(text: &str) {
        let (ours, std) = (read(text), text.parse::<f64>().ok());
        assert_eq!(ours.map(f64::to_bits), std.map(f64::to_bits), "{text:?}: {ours:?}, not {std:?}");
    }

    #[test]
    fn texts_of_people_are_read_or_refused_as_by_the_standard_library() {
        let texts = "0 -0 1 +1 0.1 .5 5. . -. + - 1e 1e+ 1e5 1E-5 e5 1.5e3 1.5e-3 1..2 1.2.3 0x10 1_000 inf -INF infinity NaN nano \
            0.30000000000000004 9007199254740993 9007199254740992.5 123456789012345678 1e22 1e23 8.5e-320 5e-324 2e-324 \
            2.4703282292062327e-324 2.4703282292062328e-324 2.2250738585072011e-308 2.2250738585072014e-308 \
            1.7976931348623157e308 1.7976931348623158e308 1.7976931348623159e308 1e309 1e-400 1e99999999999999999999 \
            1e-99999999999999999999 0e99999999999999999999 00000.00001 100000000000000000000000 ７ 1e5x";
        texts.split_whitespace().chain(["", " 1"]).for_each(same);
    }

    #[test]
    fn doubles_come_back_and_so_do_the_halves_between_them() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for round in 0..20_000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let v = f64::from_bits(state);
            if !v.is_finite() {
                continue;
            }
            same(&v.to_string());
            same(&format!("{v:e}"));
            same(&format!("{v:.17e}"));
            if round % 50 == 0 {
                // Exactly half way to the next one, and a hair to either side, far behind the point.
                let (low, high) = (v.abs().min(1e300), f64::from_bits(v.abs().min(1e300).to_bits() + 1));
                let [low, high] = [low, high].map(|v| format!("{v:.1100}"));
                let half = halfway(&low, &high);
                same(&half);
                same(&format!("{half}0000000000000000000000000000000000000001"));
                same(&low);
            }
        }
    }

    /// The mean of two positive decimals with equally many digits behind the point.
    fn halfway(low: &str, high: &str) -> String {
        let width = low.len().max(high.len());
        let (low, high) = (format!("{low:0>width$}"), format!("{high:0>width$}"));
        let (mut out, mut rest) = (String::new(), 0_u32);
        let mut sums: Vec<u32> = Vec::new();
        for (a, b) in low.bytes().zip(high.bytes()).filter(|(a, _)| *a != b'.') {
            sums.push(u32::from(a - b'0') + u32::from(b - b'0'));
        }
        for at in (1..sums.len()).rev() {
            sums[at - 1] += sums[at] / 10;
            sums[at] %= 10;
        }
        for sum in sums {
            let now = rest * 10 + sum;
            out.push_str(&(now / 2).to_string());
            rest = now % 2;
        }
        out.insert(out.len() - 1_100, '.');
        out + if rest == 1 { "5" } else { "" }
    }
}
