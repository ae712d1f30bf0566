//! A lab's JSON results as rows and columns.

use serde_json::{Map, Value as Json};
use tokenyard_det::format;
use tokenyard_lab::LabSpec;

use crate::format::Format;
use crate::grid::{Cell, Grid};

/// Key under which a result carries its steps.
pub(crate) const STEPS: &str = "steps";

/// Decimals of a figure in a table that the lab does not declare as a column.
const OTHER_DIGITS: usize = 4;

/// One row for each result. A table has single values only; CSV also has lists of them.
pub(crate) fn summary(lab: &LabSpec, results: &[Json], format: Format) -> Grid {
    let lists = format == Format::Csv;
    let fits = |key: &str, value: &Json| key != STEPS && (is_single(value) || lists && is_list(value));
    let maps: Vec<Map<String, Json>> = results
        .iter()
        .filter_map(Json::as_object)
        .map(|map| map.iter().filter(|(k, v)| fits(k, v)).map(|(k, v)| (k.clone(), v.clone())).collect())
        .collect();
    grid(lab, &maps, format)
}

/// One row for each step: what names its result (rule or mode), the step from 1 as on screen and
/// in links, then everything the step holds. `None` if no result has steps.
pub(crate) fn steps(lab: &LabSpec, results: &[Json], format: Format) -> Option<Grid> {
    let mut maps = Vec::new();
    for result in results {
        for (i, step) in result[STEPS].as_array().into_iter().flatten().enumerate() {
            let mut map: Map<String, Json> = name(result).into_iter().collect();
            map.insert("step".to_owned(), Json::from(i + 1));
            match step {
                Json::Object(fields) => map.extend(fields.clone()),
                other => drop(map.insert("value".to_owned(), other.clone())),
            }
            maps.push(map);
        }
    }
    (!maps.is_empty()).then(|| grid(lab, &maps, format))
}

/// The field that tells results apart: the first one that is text.
pub(crate) fn name(result: &Json) -> Option<(String, Json)> {
    let fields = result.as_object()?;
    fields.iter().find(|(_, value)| value.is_string()).map(|(key, value)| (key.clone(), value.clone()))
}

/// Columns in order of first appearance; a row without a field has an empty cell there.
fn grid(lab: &LabSpec, maps: &[Map<String, Json>], format: Format) -> Grid {
    let mut head: Vec<String> = Vec::new();
    for key in maps.iter().flat_map(Map::keys) {
        if !head.contains(key) {
            head.push(key.clone());
        }
    }
    let cell = |map: &Map<String, Json>, key: &String| {
        map.get(key).map_or_else(Cell::default, |value| cell(lab, key, value, format))
    };
    let rows = maps.iter().map(|map| head.iter().map(|key| cell(map, key)).collect()).collect();
    Grid { head, rows }
}

fn is_single(value: &Json) -> bool {
    !value.is_array() && !value.is_object()
}

fn is_list(value: &Json) -> bool {
    value.as_array().is_some_and(|items| items.iter().all(is_single))
}

fn cell(lab: &LabSpec, key: &str, value: &Json, format: Format) -> Cell {
    let text = match value.as_f64().filter(|_| format == Format::Table && value.is_f64()) {
        Some(figure) => match lab.columns.iter().find(|c| c.key == key).map(|c| c.digits) {
            Some(Some(digits)) => format::fixed(figure, usize::from(digits)),
            Some(None) => format!("{}%", format::percent(figure)),
            None => short(figure),
        },
        None => flat(value),
    };
    Cell { text, number: value.is_number() }
}

fn short(figure: f64) -> String {
    let text = format::fixed(figure, OTHER_DIGITS);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Plain text of a value: items apart by spaces, inner lists by `;`, nothing as `none`.
fn flat(value: &Json) -> String {
    match value {
        Json::Null => "none".to_owned(),
        Json::String(text) => text.clone(),
        Json::Array(items) => {
            let between = if items.iter().all(is_single) { " " } else { "; " };
            items.iter().map(flat).collect::<Vec<_>>().join(between)
        }
        Json::Object(fields) => {
            let pairs = fields.iter().map(|(key, item)| format!("{key}={}", flat(item)));
            pairs.collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_shape_has_a_plain_text() {
        let pairs = [
            (json!(null), "none"),
            (json!([1, null, 2.5]), "1 none 2.5"),
            (json!([["A", "decode"], null]), "A decode; none"),
            (json!([[0, 1], [2, 3]]), "0 1; 2 3"),
            (json!([]), ""),
            (json!({"a": 1, "b": [true, false]}), "a=1 b=true false"),
        ];
        for (value, text) in pairs {
            assert_eq!(flat(&value), text);
        }
    }

    #[test]
    fn short_figures_keep_what_matters() {
        assert_eq!([1.0, 0.25, 2.0 / 3.0, 0.0].map(short), ["1", "0.25", "0.6667", "0"]);
    }
}
