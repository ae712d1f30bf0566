//! JSON that a person can read: one line for each field and for each step, not for each number.

use serde_json::Value as Json;
use tokenyard_param::{ParamSpec, Value, Values};

/// Objects nested deeper than this are written on one line.
const OPEN_LEVELS: usize = 4;

/// A document with its final line end.
pub(crate) fn document(value: &Json) -> String {
    let mut out = String::new();
    write(value, 0, &mut out);
    out.push('\n');
    out
}

fn write(value: &Json, level: usize, out: &mut String) {
    match value {
        Json::Object(map) if level < OPEN_LEVELS && !map.is_empty() => {
            block('{', '}', level, out, map.iter(), |(key, item), out| {
                out.push_str(&Json::from(key.as_str()).to_string());
                out.push_str(": ");
                write(item, level + 1, out);
            });
        }
        Json::Array(items) if items.iter().any(Json::is_object) => {
            block('[', ']', level, out, items.iter(), |item, out| write(item, level + 1, out));
        }
        leaf => out.push_str(&leaf.to_string()),
    }
}

fn block<T>(
    open: char,
    close: char,
    level: usize,
    out: &mut String,
    items: impl Iterator<Item = T>,
    each: impl Fn(T, &mut String),
) {
    out.push(open);
    for (i, item) in items.enumerate() {
        out.push_str(if i > 0 { ",\n" } else { "\n" });
        out.push_str(&"  ".repeat(level + 1));
        each(item, out);
    }
    out.push('\n');
    out.push_str(&"  ".repeat(level));
    out.push(close);
}

/// All parameters under the oracle's keys, in the lab's order.
pub(crate) fn params(values: &Values) -> Json {
    let pair = |(i, spec): (usize, &ParamSpec)| {
        (spec.key.to_owned(), values.at(i).map_or(Json::Null, |v| value(spec, v)))
    };
    Json::Object(values.specs().iter().enumerate().map(pair).collect())
}

/// One value: none is `null`, a switch a boolean, a choice the name of its option.
pub(crate) fn value(spec: &ParamSpec, value: &Value) -> Json {
    match value {
        Value::Int(v) => Json::from(*v),
        Value::Nothing => Json::Null,
        // Adding zero turns a negative zero into an ordinary one.
        Value::Real(v) => Json::from(*v + 0.0),
        Value::Switch(on) => Json::from(*on),
        Value::Choice(_) | Value::Text(_) => Json::from(spec.kind.write(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_and_steps_have_lines_of_their_own_and_numbers_do_not() {
        let value =
            json!({"lab": "x", "none": {}, "results": [{"a": [1, 2], "steps": [{"b": [[1]]}, {"b": []}]}]});
        let text = document(&value);
        assert_eq!(serde_json::from_str::<Json>(&text).unwrap(), value);
        assert!(text.contains("\n      \"a\": [1,2],\n"), "{text}");
        assert!(text.contains("\n        {\"b\":[[1]]},\n        {\"b\":[]}\n"), "{text}");
    }
}
