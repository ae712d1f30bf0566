//! The table of names in the document for authors is what the labs have.

use std::path::Path;

use tokenyard_lab::LabSpec;
use tokenyard_lab::labs::LABS;

const BEGIN: &str = "<!-- names: begin -->\n";
const END: &str = "<!-- names: end -->";

fn row(lab: &LabSpec) -> String {
    let list = |names: Vec<&str>| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ");
    let settings = lab.params.iter().chain(lab.views).map(|spec| spec.link).collect();
    let rows = lab.table(&lab.defaults()).rows.iter().map(|row| row.id).collect();
    let columns = lab.columns.iter().map(|column| column.key).collect();
    format!("| `{}` | {} | {} | {} |\n", lab.id, list(settings), list(rows), list(columns))
}

/// `UPDATE_GOLDEN=1` writes it.
#[test]
fn the_table_of_names_is_what_the_labs_have() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lessons.md");
    let text = std::fs::read_to_string(&path).expect("docs/lessons.md");
    let (before, rest) = text.split_once(BEGIN).expect("where the table begins");
    let (_, after) = rest.split_once(END).expect("where the table ends");
    let rows: String = LABS.iter().map(|lab| row(lab)).collect();
    let table = format!("| lab | settings | rows | columns |\n|---|---|---|---|\n{rows}");
    let wanted = format!("{before}{BEGIN}{table}{END}{after}");
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        return std::fs::write(&path, &wanted).expect("writing docs/lessons.md");
    }
    assert!(text == wanted, "docs/lessons.md has other names than the labs: UPDATE_GOLDEN=1 writes it");
}
