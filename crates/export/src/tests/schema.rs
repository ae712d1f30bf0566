//! The published schema, by a reader of the few words that it uses.

use std::path::Path;

use serde_json::{Value, json};

/// Words of a schema that say nothing about a document.
const REMARKS: [&str; 4] = ["$schema", "$defs", "title", "description"];

fn schema() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/export.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// What is wrong with a document.
pub(super) fn faults(document: &Value) -> Vec<String> {
    let root = schema();
    let mut faults = Vec::new();
    check(&root, &root, document, "", &mut faults);
    faults
}

fn is(kind: &str, value: &Value) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the schema says {other}"),
    }
}

fn count(value: &Value) -> u64 {
    value.as_array().map_or(0, |items| items.len() as u64)
}

fn check(root: &Value, schema: &Value, value: &Value, path: &str, faults: &mut Vec<String>) {
    for (word, says) in schema.as_object().unwrap() {
        let holds = match word.as_str() {
            "$ref" => {
                let target = root.pointer(says.as_str().unwrap().strip_prefix('#').unwrap()).unwrap();
                check(root, target, value, path, faults);
                true
            }
            "type" => match says {
                Value::String(kind) => is(kind, value),
                kinds => kinds.as_array().unwrap().iter().any(|kind| is(kind.as_str().unwrap(), value)),
            },
            "required" => {
                says.as_array().unwrap().iter().all(|key| value.get(key.as_str().unwrap()).is_some())
            }
            "additionalProperties" => {
                let known = &schema["properties"];
                value.as_object().is_none_or(|fields| fields.keys().all(|key| known.get(key).is_some()))
            }
            "properties" => {
                for (key, inner) in says.as_object().unwrap() {
                    let Some(field) = value.get(key) else { continue };
                    check(root, inner, field, &format!("{path}/{key}"), faults);
                }
                true
            }
            "items" => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, says, item, &format!("{path}/{i}"), faults);
                }
                true
            }
            "const" => value == says,
            "enum" => says.as_array().unwrap().contains(value),
            "minimum" => value.as_f64() >= says.as_f64(),
            "minItems" => count(value) >= says.as_u64().unwrap(),
            "maxItems" => count(value) <= says.as_u64().unwrap(),
            word if REMARKS.contains(&word) => true,
            word => panic!("the schema has the word {word}"),
        };
        if !holds {
            faults.push(format!("{path}: {word}"));
        }
    }
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let words = super::states::words(tokenyard_lab::labs::LABS[0], "en");
    let lab = tokenyard_lab::labs::LABS[0];
    let state = tokenyard_lab::link::State::fresh(lab);
    let right: Value = serde_json::from_str(&super::file(crate::Export::Json, lab, &state, &words)).unwrap();
    assert_eq!(faults(&right), [""; 0]);
    for (place, wrong, fault) in [
        ("/export", json!(2), "/export: const"),
        ("/step", json!(0), "/step: minimum"),
        ("/steps", json!(1.5), "/steps: type"),
        ("/table/rows/0/cells/0", json!("1"), "/table/rows/0/cells/0: type"),
        ("/figures/0/series/0/kind", json!("x"), "/figures/0/series/0/kind: enum"),
        ("/figures/0/series/0/points/0", json!([1]), "/figures/0/series/0/points/0: minItems"),
        ("/figures/0/x", json!({"label": "x"}), "/figures/0/x: required"),
        (
            "/figures/0/x/named",
            json!([{"at": 1, "name": "", "z": 0}]),
            "/figures/0/x/named/0: additionalProperties",
        ),
    ] {
        let mut document = right.clone();
        *document.pointer_mut(place).unwrap() = wrong;
        assert_eq!(faults(&document), [fault], "{place}");
    }
}
