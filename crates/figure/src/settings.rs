//! Settings in words: those that differ from the default.

use tokenyard_lab::{Arg, Msg, Words, msg};
use tokenyard_param::{Kind, ParamSpec, Value, Values};

/// Key of the parameter that the foot names by itself.
const SEED: &str = "seed";

/// What differs between two settings of the same parameters, the seed apart, in their order.
pub(crate) fn changed(values: &Values, from: &Values, words: &Words) -> Vec<Msg> {
    let differs = |(i, spec): &(usize, &ParamSpec)| spec.key != SEED && values.at(*i) != from.at(*i);
    let say = |(i, spec): (usize, &ParamSpec)| Some(setting(spec, values.at(i)?, words));
    values.specs().iter().enumerate().filter(differs).filter_map(say).collect()
}

/// `Scrape interval: 5 ticks`.
fn setting(spec: &ParamSpec, value: &Value, words: &Words) -> Msg {
    let name = Arg::Key(format!("param.{}.name", spec.key));
    msg("shot.setting").with("name", name).with("value", Arg::Text(told(spec, value, words)))
}

/// A value as its knob shows it: `5 ticks`, `none`, `aligned`.
fn told(spec: &ParamSpec, value: &Value, words: &Words) -> String {
    let number = match value {
        Value::Nothing => return words.at(&["knobs.none"]),
        Value::Switch(on) => return words.at(&[if *on { "knobs.on" } else { "knobs.off" }]),
        Value::Choice(_) => return words.at(&["param", spec.key, &spec.kind.write(value)]),
        Value::Text(text) => return text.clone(),
        Value::Int(v) => Arg::Int(*v),
        Value::Real(v) => Arg::Fixed(*v, digits(spec, value)),
    };
    // The unit may bend with the number, so it is filled with the number as its argument.
    let unit = words.fill_key(&format!("param.{}.unit", spec.key), &[("n", number.clone())]);
    words.say(&msg("knobs.value").with("n", number).with("unit", unit)).trim_end().to_owned()
}

/// Decimals of a real number; beyond two of them, as many as it has.
fn digits(spec: &ParamSpec, value: &Value) -> u8 {
    match spec.kind {
        Kind::Real { digits, .. } if digits < 3 => digits,
        _ => {
            let text = spec.kind.write(value);
            text.split_once('.').map_or(0, |(_, rest)| u8::try_from(rest.len()).unwrap_or(u8::MAX))
        }
    }
}
