//! The published schema of scenario files is the one that the tables make.

use std::path::PathBuf;

/// `UPDATE_GOLDEN=1` writes it. That the schema and the reader agree is a test of its own.
#[test]
fn the_published_schema_is_that_of_the_reader() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenario.schema.json");
    let now = serde_json::to_string_pretty(&tokenyard_fleet::scenario::schema()).unwrap() + "\n";
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        std::fs::write(&path, now).unwrap();
    } else {
        let was = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(was == now, "docs/scenario.schema.json is old: UPDATE_GOLDEN=1 writes it");
    }
}
