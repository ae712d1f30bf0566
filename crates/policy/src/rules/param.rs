//! Short forms for rows of parameter tables.

use tokenyard_param::{Kind, ParamSpec, Values};

/// Picoseconds of a second.
pub(super) const PS_PER_S: u64 = 1_000_000_000_000;

/// A real number; `page` is ten steps.
pub(super) const fn real(
    key: &'static str,
    link: &'static str,
    [min, max, default, step]: [f64; 4],
    digits: u8,
) -> ParamSpec {
    ParamSpec { key, link, kind: Kind::Real { min, max, default, step, page: 10.0 * step, digits } }
}

/// A whole number.
pub(super) const fn int(
    key: &'static str,
    link: &'static str,
    [min, max, default]: [i64; 3],
    page: i64,
) -> ParamSpec {
    ParamSpec { key, link, kind: Kind::Int { min, max, default, step: 1, page } }
}

/// One of a few; the first is the default.
pub(super) const fn choice(
    key: &'static str,
    link: &'static str,
    options: &'static [&'static str],
) -> ParamSpec {
    ParamSpec { key, link, kind: Kind::Choice { options, default: 0 } }
}

/// On or off.
pub(super) const fn switch(key: &'static str, link: &'static str, default: bool) -> ParamSpec {
    ParamSpec { key, link, kind: Kind::Switch { default } }
}

/// A time that was given in seconds, in picoseconds.
pub(super) fn seconds(values: &Values, key: &str) -> u64 {
    (values.real(key) * PS_PER_S as f64 + 0.5) as u64
}
