//! Parameters of a model, declared once: name, kind, range, default, steps.
//!
//! Knobs, command line, links, files and tests all read the same table. A value that passed
//! [`ParamSpec::parse`] or [`Values::set`] is in range; nothing after that checks again.

pub mod number;

use std::fmt;
use std::num::IntErrorKind;

/// What a parameter may hold.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields mean the same in every kind; the enum's text says it")]
pub enum Kind {
    /// Whole numbers from `min` to `max`. `step` is one arrow key, `page` one Page key.
    Int { min: i64, max: i64, default: i64, step: i64, page: i64 },
    /// As `Int`, or none at all (written `none`). A `default` of `None` means none.
    OptInt { min: i64, max: i64, default: Option<i64>, step: i64, page: i64 },
    /// Real numbers from `min` to `max`, shown with at most `digits` decimals.
    Real { min: f64, max: f64, default: f64, step: f64, page: f64, digits: u8 },
    /// `on` or `off`.
    Switch { default: bool },
    /// One of a few named options; `default` is an index into them.
    Choice { options: &'static [&'static str], default: u8 },
    /// Free text of 1 to `max_chars` characters without control characters.
    Text { max_chars: u8, default: &'static str },
}

/// The value of one parameter, in range for its [`Kind`].
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Of an `Int` or a present `OptInt`.
    Int(i64),
    /// An `OptInt` that is not set.
    Nothing,
    /// Of a `Real`; never NaN.
    Real(f64),
    /// Of a `Switch`.
    Switch(bool),
    /// Index into the options of a `Choice`.
    Choice(u8),
    /// Of a `Text`.
    Text(String),
}

/// One parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParamSpec {
    /// The oracle files' name, in snake case. The command line prints it with dashes, the words
    /// of a page are under it.
    pub key: &'static str,
    /// Short key in links, unique within its lab.
    pub link: &'static str,
    /// Range and default.
    pub kind: Kind,
}

/// A value that a parameter cannot take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamError {
    /// Key of the parameter, or what was given as one.
    pub key: String,
    /// What was given.
    pub given: String,
    /// What is allowed, in words a person reads: `1 to 60`, `on or off`.
    pub allowed: String,
    /// The nearest allowed value, where one is nearer than the default.
    pub nearest: Option<String>,
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}; allowed: {}", self.key, self.given, self.allowed)
    }
}

impl std::error::Error for ParamError {}

impl Kind {
    /// The default value.
    #[must_use]
    pub fn default_value(&self) -> Value {
        match *self {
            Self::Int { default, .. } => Value::Int(default),
            Self::OptInt { default, .. } => default.map_or(Value::Nothing, Value::Int),
            Self::Real { default, .. } => Value::Real(default),
            Self::Switch { default } => Value::Switch(default),
            Self::Choice { default, .. } => Value::Choice(default),
            Self::Text { default, .. } => Value::Text(default.to_owned()),
        }
    }

    /// What is allowed, for messages and `tokenyard labs`.
    #[must_use]
    pub fn allowed(&self) -> String {
        match self {
            Self::Int { min, max, .. } => format!("{min} to {max}"),
            Self::OptInt { min, max, .. } => format!("{min} to {max} or none"),
            Self::Real { min, max, .. } => format!("{min} to {max}"),
            Self::Switch { .. } => "on or off".to_owned(),
            Self::Choice { options, .. } => options.join(", "),
            Self::Text { max_chars, .. } => format!("1 to {max_chars} characters"),
        }
    }

    fn holds(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Int { min, max, .. } | Self::OptInt { min, max, .. }, Value::Int(v)) => {
                (min..=max).contains(&v)
            }
            (Self::OptInt { .. }, Value::Nothing) | (Self::Switch { .. }, Value::Switch(_)) => true,
            (Self::Real { min, max, .. }, Value::Real(v)) => (*min..=*max).contains(v),
            (Self::Choice { options, .. }, Value::Choice(i)) => usize::from(*i) < options.len(),
            (Self::Text { max_chars, .. }, Value::Text(t)) => {
                (1..=usize::from(*max_chars)).contains(&t.chars().count()) && !t.chars().any(char::is_control)
            }
            _ => false,
        }
    }

    /// Reads a value; `Err(Some(_))` carries the nearest allowed value of a number out of range.
    fn read(&self, text: &str) -> Result<Value, Option<Value>> {
        let value = match self {
            Self::Int { .. } | Self::OptInt { .. } if text == "none" => Value::Nothing,
            Self::Int { min, max, .. } | Self::OptInt { min, max, .. } => {
                // Numbers beyond 64 bits are as far out of range as a number can be.
                let given = match text.parse::<i64>() {
                    Ok(given) => given,
                    Err(e) => match e.kind() {
                        IntErrorKind::PosOverflow => i64::MAX,
                        IntErrorKind::NegOverflow => i64::MIN,
                        _ => return Err(None),
                    },
                };
                let near = Value::Int(given.clamp(*min, *max));
                return if near == Value::Int(given) { Ok(near) } else { Err(Some(near)) };
            }
            Self::Real { min, max, .. } => {
                let v = number::read(text).ok_or(None)?;
                if v.is_nan() {
                    return Err(None);
                }
                let near = Value::Real(v.clamp(*min, *max));
                return if near == Value::Real(v) { Ok(near) } else { Err(Some(near)) };
            }
            Self::Switch { .. } => Value::Switch(match text {
                "on" => true,
                "off" => false,
                _ => return Err(None),
            }),
            Self::Choice { options, .. } => {
                let at = options.iter().position(|o| *o == text).ok_or(None)?;
                Value::Choice(u8::try_from(at).map_err(|_| None)?)
            }
            Self::Text { .. } => Value::Text(text.to_owned()),
        };
        if self.holds(&value) { Ok(value) } else { Err(None) }
    }

    /// Writes a value so that [`ParamSpec::parse`] reads it back.
    #[must_use]
    pub fn write(&self, value: &Value) -> String {
        match (self, value) {
            (Self::Choice { options, .. }, Value::Choice(i)) => {
                options.get(usize::from(*i)).copied().unwrap_or_default().to_owned()
            }
            (_, Value::Int(v)) => v.to_string(),
            (_, Value::Real(v)) => v.to_string(),
            (_, Value::Switch(on)) => if *on { "on" } else { "off" }.to_owned(),
            (_, Value::Text(text)) => text.clone(),
            (_, Value::Nothing | Value::Choice(_)) => "none".to_owned(),
        }
    }
}

impl Value {
    /// The number of an `Int` or a `Real`.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Int(v) => Some(*v as f64),
            Self::Real(v) => Some(*v),
            _ => None,
        }
    }
}

impl ParamSpec {
    /// The name on the command line, without the leading dashes: `scrape-interval`.
    #[must_use]
    pub fn flag(&self) -> String {
        self.key.replace('_', "-")
    }

    /// Reads a value written by a person or a link.
    ///
    /// # Errors
    /// What was given, what is allowed, and the nearest allowed value where there is one.
    pub fn parse(&self, text: &str) -> Result<Value, ParamError> {
        self.kind.read(text.trim()).map_err(|near| ParamError {
            key: self.key.to_owned(),
            given: shorten(text),
            allowed: self.kind.allowed(),
            nearest: near.map(|v| self.kind.write(&v)),
        })
    }
}

/// Keeps a hostile value from flooding a message.
fn shorten(text: &str) -> String {
    let clean: String = text.chars().filter(|c| !c.is_control()).take(41).collect();
    if clean.chars().count() > 40 {
        format!("{}…", clean.chars().take(40).collect::<String>())
    } else {
        clean
    }
}

/// One value for each parameter of a table, all in range.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    specs: &'static [ParamSpec],
    values: Vec<Value>,
}

impl Values {
    /// All at their defaults.
    #[must_use]
    pub fn defaults(specs: &'static [ParamSpec]) -> Self {
        Self { specs, values: specs.iter().map(|s| s.kind.default_value()).collect() }
    }

    /// The table the values belong to.
    #[must_use]
    pub fn specs(&self) -> &'static [ParamSpec] {
        self.specs
    }

    /// Position of a key in the table.
    #[must_use]
    pub fn position(&self, key: &str) -> Option<usize> {
        self.specs.iter().position(|s| s.key == key)
    }

    /// The value at a position of the table.
    #[must_use]
    pub fn at(&self, position: usize) -> Option<&Value> {
        self.values.get(position)
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.at(self.position(key)?)
    }

    /// Sets a value that is in range; leaves everything as it was and says `false` otherwise.
    pub fn set(&mut self, position: usize, value: Value) -> bool {
        let fits = self.specs.get(position).is_some_and(|s| s.kind.holds(&value));
        if fits {
            self.values[position] = value;
        }
        fits
    }

    /// A whole number, for the model that declared the key; 0 if it declared no such number.
    #[must_use]
    pub fn int(&self, key: &str) -> i64 {
        match self.get(key) {
            Some(Value::Int(v)) => *v,
            _ => 0,
        }
    }

    /// As [`Values::int`], for counts that the table keeps within 32 bits.
    #[must_use]
    pub fn u32(&self, key: &str) -> u32 {
        u32::try_from(self.int(key)).unwrap_or(0)
    }

    /// A whole number or nothing.
    #[must_use]
    pub fn opt_u32(&self, key: &str) -> Option<u32> {
        match self.get(key) {
            Some(Value::Int(v)) => u32::try_from(*v).ok(),
            _ => None,
        }
    }

    /// A real number; 0 if the table has no such number.
    #[must_use]
    pub fn real(&self, key: &str) -> f64 {
        self.get(key).and_then(Value::number).unwrap_or(0.0)
    }

    /// A switch; `false` if the table has no such switch.
    #[must_use]
    pub fn switch(&self, key: &str) -> bool {
        matches!(self.get(key), Some(Value::Switch(true)))
    }

    /// Index of the chosen option; 0 if the table has no such choice.
    #[must_use]
    pub fn choice(&self, key: &str) -> u8 {
        match self.get(key) {
            Some(Value::Choice(i)) => *i,
            _ => 0,
        }
    }

    /// Text; empty if the table has no such text.
    #[must_use]
    pub fn text(&self, key: &str) -> &str {
        match self.get(key) {
            Some(Value::Text(t)) => t,
            _ => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: ParamSpec = ParamSpec {
        key: "scrape_interval",
        link: "interval",
        kind: Kind::Int { min: 1, max: 60, default: 10, step: 1, page: 5 },
    };
    const REAL: ParamSpec = ParamSpec {
        key: "arrival_rate",
        link: "rate",
        kind: Kind::Real { min: 0.01, max: 2.0, default: 0.2, step: 0.01, page: 0.1, digits: 2 },
    };
    const OPT: ParamSpec = ParamSpec {
        key: "load_gap_threshold",
        link: "gap",
        kind: Kind::OptInt { min: 0, max: 100, default: Some(2), step: 1, page: 5 },
    };

    #[test]
    fn an_error_names_key_value_range_and_nearest() {
        let e = INT.parse("61").unwrap_err();
        assert_eq!(e.to_string(), "scrape_interval is 61; allowed: 1 to 60");
        assert_eq!(e.nearest.as_deref(), Some("60"));
        assert_eq!(REAL.parse("-3").unwrap_err().nearest.as_deref(), Some("0.01"));
        for bad in ["", "NaN", "ten", "1e", "0x10", "5.5"] {
            assert_eq!(INT.parse(bad).unwrap_err().nearest, None, "{bad}");
        }
        assert!(REAL.parse("inf").unwrap_err().nearest.is_some());
        assert!(REAL.parse("nan").is_err());
    }

    #[test]
    fn numbers_far_out_of_range_are_refused_with_the_nearest() {
        let huge = "99999999999999999999999999";
        assert_eq!(INT.parse(huge).unwrap_err().nearest.as_deref(), Some("60"));
        assert!(INT.parse(&"9".repeat(500)).is_err());
    }

    #[test]
    fn none_belongs_to_optional_numbers_only() {
        assert_eq!(OPT.parse("none"), Ok(Value::Nothing));
        assert!(INT.parse("none").is_err());
    }

    #[test]
    fn writing_and_reading_is_the_identity() {
        for (spec, text) in [(INT, "7"), (REAL, "0.28"), (OPT, "none"), (OPT, "100")] {
            let value = spec.parse(text).unwrap();
            assert_eq!(spec.kind.write(&value), text);
        }
    }

    #[test]
    fn set_refuses_what_is_out_of_range() {
        static TABLE: [ParamSpec; 1] = [INT];
        let mut values = Values::defaults(&TABLE);
        assert!(!values.set(0, Value::Int(0)));
        assert!(!values.set(0, Value::Switch(true)));
        assert!(!values.set(9, Value::Int(3)));
        assert!(values.set(0, Value::Int(3)));
        assert_eq!(values.int("scrape_interval"), 3);
    }
}
