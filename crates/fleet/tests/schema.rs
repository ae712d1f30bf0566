//! The published schema of scenario files is the one that the tables make.

use std::path::PathBuf;

/// `UPDATE_GOLDEN=1` writes it. That the schema and the reader agree is a test of its own.
#[test]
fn the_published_schema_is_that_of_the_reader() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenario.schema.json");
    let now = tokenyard_fleet::scenario::schema();
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        std::fs::write(&path, serde_json::to_string_pretty(&now).unwrap() + "\n").unwrap();
    } else {
        // By value: what else is built decides in which order keys are written.
        let was: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(&path).unwrap_or_default()).unwrap_or_default();
        assert!(was == now, "docs/scenario.schema.json is old: UPDATE_GOLDEN=1 writes it");
    }
}
