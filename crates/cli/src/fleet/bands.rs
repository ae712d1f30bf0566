//! The same comparison over several seeds: median, and the band from P10 to P90.

use serde_json::{Map, Value as Json, json};
use tokenyard_det::stat;

use super::figures::{Fields, flat};

/// Field that holds the bands of a result.
pub(super) const BANDS: &str = "bands";
/// What a band holds, in the order in which tables show it.
pub(super) const PARTS: [&str; 3] = ["p10", "median", "p90"];

/// For each figure of the first seed its quantiles over all seeds, by linear interpolation. The
/// seed is no figure, and neither are lists.
pub(super) fn of(seeds: &[Fields]) -> Json {
    let Some(first) = seeds.first() else { return json!({}) };
    let all: Vec<Vec<(String, &Json)>> = seeds.iter().map(flat).collect();
    let mut bands = Map::new();
    for (key, _) in flat(first).into_iter().filter(|(key, value)| key != "seed" && value.is_number()) {
        let of_seed = |fields: &Vec<(String, &Json)>| {
            fields.iter().find(|(k, _)| *k == key).and_then(|(_, value)| value.as_f64())
        };
        let mut values: Vec<f64> = all.iter().filter_map(of_seed).collect();
        stat::sort(&mut values);
        let at = |q: f64| stat::quantile(&values, q);
        let parts = PARTS.into_iter().zip([0.1, 0.5, 0.9].map(at));
        let band: Map<String, Json> = parts.map(|(part, v)| (part.to_owned(), Json::from(v))).collect();
        bands.insert(key, Json::Object(band));
    }
    Json::Object(bands)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_is_of_every_figure_and_of_nothing_else() {
        let fields = |n: f64| {
            let value = json!({"rule": "a", "n": n, "t": {"p50": 2.0 * n}, "list": [n], "seed": n});
            value.as_object().cloned().unwrap()
        };
        let seeds: Vec<Fields> = [3.0, 1.0, 2.0, 5.0, 4.0].map(fields).into();
        let bands = of(&seeds);
        let near = |key: &str, part: &str, want: f64| {
            assert!((bands[key][part].as_f64().unwrap() - want).abs() < 1e-12, "{key} {part}");
        };
        for (part, want) in PARTS.into_iter().zip([1.4, 3.0, 4.6]) {
            near("n", part, want);
            near("t.p50", part, 2.0 * want);
        }
        assert_eq!(bands.as_object().unwrap().len(), 2);
    }
}
