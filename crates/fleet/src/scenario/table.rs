//! Short forms for rows of parameter tables, and enumerations that are their own lists of options.

use tokenyard_param::{Kind, ParamSpec, Values};

use crate::time::{MILLI, Ps, SECOND, from_s};

pub(super) const fn int(key: &'static str, min: i64, max: i64, default: i64) -> ParamSpec {
    ParamSpec { key, link: key, kind: Kind::Int { min, max, default, step: 1, page: 10 } }
}

/// None by default.
pub(super) const fn opt(key: &'static str, min: i64, max: i64) -> ParamSpec {
    ParamSpec { key, link: key, kind: Kind::OptInt { min, max, default: None, step: 1, page: 10 } }
}

/// A number by default, which may be taken away.
pub(super) const fn opt_of(key: &'static str, min: i64, max: i64, default: i64) -> ParamSpec {
    ParamSpec { key, link: key, kind: Kind::OptInt { min, max, default: Some(default), step: 1, page: 10 } }
}

/// `step` is the last of the `digits` decimals shown.
pub(super) const fn real(key: &'static str, min: f64, max: f64, default: f64, digits: u8) -> ParamSpec {
    let step = match digits {
        0 => 1.0,
        1 => 0.1,
        2 => 0.01,
        _ => 0.001,
    };
    ParamSpec { key, link: key, kind: Kind::Real { min, max, default, step, page: 10.0 * step, digits } }
}

pub(super) const fn switch(key: &'static str, default: bool) -> ParamSpec {
    ParamSpec { key, link: key, kind: Kind::Switch { default } }
}

pub(super) const fn choice(key: &'static str, options: &'static [&'static str], default: usize) -> ParamSpec {
    ParamSpec { key, link: key, kind: Kind::Choice { options, default: default as u8 } }
}

/// An enumeration whose members are the options of a parameter, named once.
macro_rules! options {
    ($(#[$about:meta])* $name:ident { $($(#[$each:meta])* $member:ident = $text:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$each])* $member,)+ }

        impl $name {
            /// The options as files write them.
            pub const OPTIONS: &'static [&'static str] = &[$($text,)+];
            const MEMBERS: &'static [Self] = &[$(Self::$member,)+];

            /// Of the value of a parameter with these options; the first of them if there is none.
            pub(crate) fn of(values: &tokenyard_param::Values, key: &str) -> Self {
                Self::MEMBERS[usize::from(values.choice(key)) % Self::MEMBERS.len()]
            }
        }
    };
}
pub(super) use options;

/// A time given in milliseconds.
pub(super) fn ms(values: &Values, key: &str) -> Ps {
    values.int(key).unsigned_abs() * MILLI
}

/// A time given in milliseconds, or none.
pub(super) fn opt_ms(values: &Values, key: &str) -> Option<Ps> {
    values.opt_u32(key).map(|ms| Ps::from(ms) * MILLI)
}

/// A time given in seconds with decimals.
pub(super) fn s(values: &Values, key: &str) -> Ps {
    from_s(values.real(key))
}

/// A time given in whole seconds, or none.
pub(super) fn opt_s(values: &Values, key: &str) -> Option<Ps> {
    values.opt_u32(key).map(|s| Ps::from(s) * SECOND)
}
