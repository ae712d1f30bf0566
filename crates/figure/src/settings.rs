//! Settings in words: those that differ from the default.

use tokenyard_lab::{Arg, Msg, Words, msg};
use tokenyard_param::{ParamSpec, Value, Values};

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
    let prefix = format!("param.{}", spec.key);
    let told = words.value(&prefix, spec, value);
    msg("shot.setting").with("name", Arg::Key(format!("{prefix}.name"))).with("value", told)
}
