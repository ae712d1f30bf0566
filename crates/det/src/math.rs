//! Transcendental functions over `libm`.
//!
//! `f64::ln` and its relatives call the platform's C library natively and a different
//! implementation in WebAssembly; they differ in the last bit for several percent of inputs.
//! `libm` compiles to the same instructions everywhere. `clippy.toml` forbids the methods.

/// Natural logarithm. `ln(0)` is negative infinity, `ln` of a negative number is NaN.
#[must_use]
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// e to the power `x`.
#[must_use]
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// `base` to the power `exponent`.
#[must_use]
pub fn pow(base: f64, exponent: f64) -> f64 {
    libm::pow(base, exponent)
}

/// Natural logarithm of the gamma function, for factorials too large for an integer.
#[must_use]
pub fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// Cosine of an angle in radians.
#[must_use]
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// Arc tangent, in radians between −π/2 and π/2.
#[must_use]
pub fn atan(x: f64) -> f64 {
    libm::atan(x)
}
