//! Student's t, for bands around the mean of a few runs.

use tokenyard_det::math;

/// Probability that |t| exceeds `t` (at least 0) with an odd number of degrees of freedom.
///
/// Finite sum for odd degrees: 1 − 2/π · (θ + sin θ · (cos θ + ⅔ cos³ θ + …)), θ = atan(t / √ν).
#[must_use]
pub fn two_sided_tail(t: f64, odd_degrees: u32) -> f64 {
    let degrees = f64::from(odd_degrees);
    let theta = math::atan(t / degrees.sqrt());
    let hypotenuse = (degrees + t * t).sqrt();
    let (sine, cosine) = (t / hypotenuse, degrees.sqrt() / hypotenuse);
    let (mut term, mut total) = (cosine, 0.0);
    let mut odd = 1;
    while odd < odd_degrees {
        total += term;
        term *= cosine * cosine * f64::from(odd + 1) / f64::from(odd + 2);
        odd += 2;
    }
    1.0 - std::f64::consts::FRAC_2_PI * (theta + sine * total)
}

/// The `t` that |t| exceeds with probability `tail` (0..=1), by bisection; at most 1 000.
#[must_use]
pub fn two_sided_quantile(tail: f64, odd_degrees: u32) -> f64 {
    let (mut low, mut high) = (0.0, 1_000.0);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return low;
        }
        if two_sided_tail(middle, odd_degrees) > tail {
            low = middle;
        } else {
            high = middle;
        }
    }
}
