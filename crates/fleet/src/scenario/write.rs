//! From a draft to a file: every field, in the order of the tables, one on a line.

use tokenyard_param::{Kind, ParamSpec, Value, Values};

use super::draft::{Draft, Section};
use super::schema::VERSION;

impl Draft {
    /// The canonical file, with its final line end. Reading it gives an equal draft.
    #[must_use]
    pub fn write(&self) -> String {
        let mut top = vec![field("version", &VERSION.to_string()), field("seed", &self.seed.to_string())];
        for section in Section::ALL {
            let mut fields = pairs(self.section(section));
            if section == Section::Router {
                fields.insert(0, field("rule", &quoted(self.rule().id)));
                fields.insert(1, field("rule_params", &block('{', &pairs(self.rule_params()), '}')));
            }
            if section == Section::Limits {
                let changes: Vec<String> = self.changes.iter().map(line).collect();
                top.push(field("changes", &block('[', &changes, ']')));
            }
            top.push(field(section.key(), &block('{', &fields, '}')));
        }
        let mut text = block('{', &top, '}');
        text.push('\n');
        text
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn field(key: &str, value: &str) -> String {
    format!("{}: {value}", quoted(key))
}

/// Items on lines of their own, two blanks further in than the brackets.
fn block(open: char, items: &[String], close: char) -> String {
    if items.is_empty() {
        return format!("{open}{close}");
    }
    let inner = items.join(",\n").replace('\n', "\n  ");
    format!("{open}\n  {inner}\n{close}")
}

fn line(values: &Values) -> String {
    format!("{{{}}}", pairs(values).join(", "))
}

fn pairs(values: &Values) -> Vec<String> {
    let specs = values.specs().iter().enumerate();
    specs.filter_map(|(i, spec)| Some(field(spec.key, &json(spec, values.at(i)?)))).collect()
}

fn json(spec: &ParamSpec, value: &Value) -> String {
    match (value, spec.kind) {
        (Value::Nothing, _) => "null".to_owned(),
        (Value::Switch(on), _) => on.to_string(),
        (Value::Choice(_) | Value::Text(_), kind) => quoted(&kind.write(value)),
        (value, kind @ (Kind::Int { .. } | Kind::OptInt { .. } | Kind::Real { .. })) => kind.write(value),
        (value, kind) => quoted(&kind.write(value)),
    }
}
