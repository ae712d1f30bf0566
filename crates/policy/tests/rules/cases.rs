//! Tables of cases in data files: `[[case]]` after `[[case]]`.

use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Deserialize)]
struct Table<T> {
    case: Vec<T>,
}

/// The cases of a table, in its order.
pub(crate) fn cases<T: DeserializeOwned>(text: &str) -> Vec<T> {
    toml::from_str::<Table<T>>(text).unwrap().case
}
