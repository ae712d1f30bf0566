//! `tokenyard labs`: labs and parameters with ranges and defaults.

use serde_json::{Map, Value as Json, json};
use tokenyard_lab::LabSpec;
use tokenyard_lab::labs::LABS;
use tokenyard_param::{Kind, ParamSpec};

use crate::args::Args;
use crate::format::Format;
use crate::grid::{Cell, Grid};
use crate::json;
use crate::outcome::Outcome;
use crate::refusal::Refusal;

/// Prints all labs, in reading order.
pub(crate) fn command(mut args: Args) -> Result<Outcome, Refusal> {
    let format = Format::take(&mut args)?;
    args.finish("labs", &["format"])?;
    Ok(Outcome::text(match format {
        Format::Table => parameters(LABS).aligned(),
        Format::Csv => parameters(LABS).csv(),
        Format::Json => json::document(&json!({"labs": LABS.iter().map(|l| lab(l)).collect::<Json>()})),
    }))
}

/// One row for each parameter of each lab.
pub(crate) fn parameters(labs: &[&LabSpec]) -> Grid {
    let head = ["lab", "parameter", "range", "default"].map(str::to_owned).to_vec();
    let row = |lab: &LabSpec, spec: &ParamSpec| {
        let default = spec.kind.write(&spec.kind.default_value());
        let flag = format!("--{}", spec.flag());
        vec![Cell::text(lab.id), Cell::text(flag), Cell::text(spec.kind.allowed()), Cell::text(default)]
    };
    let rows = labs.iter().flat_map(|lab| lab.params.iter().map(|spec| row(lab, spec))).collect();
    Grid { head, rows }
}

fn lab(lab: &LabSpec) -> Json {
    json!({
        "lab": lab.id,
        "model_version": lab.model_version,
        "params": lab.params.iter().map(parameter).collect::<Json>(),
    })
}

fn parameter(spec: &ParamSpec) -> Json {
    let mut out = Map::new();
    for (key, value) in range_of(spec) {
        let names = key == "key";
        out.insert(key, value);
        if names {
            out.insert("flag".to_owned(), Json::from(format!("--{}", spec.flag())));
            out.insert("link".to_owned(), Json::from(spec.link));
        }
    }
    Json::Object(out)
}

/// Key, default, kind and range of a parameter.
pub(crate) fn range_of(spec: &ParamSpec) -> Map<String, Json> {
    let mut out = Map::new();
    let mut put = |key: &str, value: Json| drop(out.insert(key.to_owned(), value));
    put("key", Json::from(spec.key));
    put("default", json::value(spec, &spec.kind.default_value()));
    match spec.kind {
        Kind::Int { min, max, .. } => range(&mut put, "integer", min.into(), max.into()),
        Kind::OptInt { min, max, .. } => range(&mut put, "integer or none", min.into(), max.into()),
        Kind::Real { min, max, .. } => range(&mut put, "number", min.into(), max.into()),
        Kind::Switch { .. } => put("kind", Json::from("switch")),
        Kind::Choice { options, .. } => {
            put("kind", Json::from("choice"));
            put("options", Json::from(options));
        }
        Kind::Text { max_chars, .. } => {
            put("kind", Json::from("text"));
            put("max_chars", Json::from(max_chars));
        }
    }
    out
}

fn range(put: &mut impl FnMut(&str, Json), kind: &str, min: Json, max: Json) {
    put("kind", Json::from(kind));
    put("min", min);
    put("max", max);
}
