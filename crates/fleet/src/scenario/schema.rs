//! The JSON Schema of scenario files, made from the same tables that read them.

use serde_json::{Map, Value as Json, json};
use tokenyard_param::{Kind, ParamSpec};
use tokenyard_policy::{RuleSpec, rules::RULES};

use super::change::{self, MOST_CHANGES};
use super::draft::{DEFAULT_RULE, MOST_SEED, Section};

/// Version of the format that is read and written.
pub const VERSION: u32 = 1;

/// Ids of the routing rules.
pub(super) fn rule_ids() -> Vec<&'static str> {
    RULES.iter().map(|rule| rule.id).collect()
}

/// What a JSON field of that kind may hold, in words.
pub(super) fn allowed(kind: &Kind) -> String {
    match kind {
        Kind::Switch { .. } => "true or false".to_owned(),
        Kind::OptInt { min, max, .. } => format!("a whole number from {min} to {max}, or null"),
        Kind::Int { min, max, .. } => format!("a whole number from {min} to {max}"),
        Kind::Real { min, max, .. } => format!("a number from {min} to {max}"),
        Kind::Choice { .. } | Kind::Text { .. } => kind.allowed(),
    }
}

/// The schema (draft 2020-12). It accepts what [`super::Draft::read`] accepts, duplicate keys
/// apart, which no schema can see; what concerns two fields at once is checked later.
#[must_use]
pub fn schema() -> Json {
    let mut fields = Map::new();
    fields.insert("version".to_owned(), json!({"const": VERSION}));
    let seed = json!({"type": "integer", "minimum": 0, "maximum": MOST_SEED, "default": 1});
    fields.insert("seed".to_owned(), seed);
    for section in Section::ALL {
        let schema = if section == Section::Router { router() } else { object(section.table()) };
        fields.insert(section.key().to_owned(), schema);
    }
    let mut change = object(&change::TABLE);
    let required = change::TABLE.iter().filter(|spec| change::required(spec)).map(|spec| spec.key);
    change["required"] = Json::from(required.collect::<Vec<_>>());
    let changes = json!({"type": "array", "maxItems": MOST_CHANGES, "items": change});
    fields.insert("changes".to_owned(), changes);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Tokenyard scenario",
        "type": "object",
        "additionalProperties": false,
        "properties": fields,
    })
}

fn object(table: &[ParamSpec]) -> Json {
    let fields: Map<String, Json> =
        table.iter().map(|spec| (spec.key.to_owned(), parameter(&spec.kind))).collect();
    json!({"type": "object", "additionalProperties": false, "properties": fields})
}

/// The router's section: which parameters a rule has depends on the rule.
fn router() -> Json {
    let mut schema = object(Section::Router.table());
    let rule = json!({"type": "string", "enum": rule_ids(), "default": DEFAULT_RULE.id});
    schema["properties"]["rule"] = rule;
    schema["properties"]["rule_params"] = json!({"type": "object"});
    schema["allOf"] = RULES.iter().map(|rule| params_of(rule)).collect();
    schema
}

fn params_of(rule: &RuleSpec) -> Json {
    let named = json!({"properties": {"rule": {"const": rule.id}}, "required": ["rule"]});
    let when = if rule.id == DEFAULT_RULE.id {
        json!({"anyOf": [named, {"not": {"required": ["rule"]}}]})
    } else {
        named
    };
    json!({"if": when, "then": {"properties": {"rule_params": object(rule.params)}}})
}

fn parameter(kind: &Kind) -> Json {
    match kind {
        Kind::Int { min, max, default, .. } => {
            json!({"type": "integer", "minimum": min, "maximum": max, "default": default})
        }
        Kind::OptInt { min, max, default, .. } => {
            json!({"type": ["integer", "null"], "minimum": min, "maximum": max, "default": default})
        }
        Kind::Real { min, max, default, .. } => {
            json!({"type": "number", "minimum": min, "maximum": max, "default": default})
        }
        Kind::Switch { default } => json!({"type": "boolean", "default": default}),
        Kind::Choice { options, default } => {
            let default = options.get(usize::from(*default));
            json!({"type": "string", "enum": options, "default": default})
        }
        Kind::Text { max_chars, default } => json!({
            "type": "string", "minLength": 1, "maxLength": max_chars,
            "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$", "default": default,
        }),
    }
}
