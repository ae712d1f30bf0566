//! The tables of names in the documents for authors are what the labs have.

#![expect(clippy::expect_used, reason = "helpers of tests fail as tests do")]

use std::path::Path;

use tokenyard_lab::LabSpec;
use tokenyard_lab::labs::LABS;
use tokenyard_param::ParamSpec;

fn code<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ")
}

/// A lab's row for who writes lessons.
fn lesson_row(lab: &LabSpec) -> String {
    let settings = code(lab.params.iter().chain(lab.views).map(|spec| spec.link));
    let rows = code(lab.table(&lab.defaults()).rows.iter().map(|row| row.id));
    let columns = code(lab.columns.iter().map(|column| column.key));
    format!("| `{}` | {settings} | {rows} | {columns} |\n", lab.id)
}

/// A lab's row for who embeds it: words of the link and what they may be.
fn embed_row(lab: &LabSpec) -> String {
    let list = |specs: &[ParamSpec]| {
        let all = specs.iter().map(|spec| format!("`{}` {}", spec.link, spec.kind.allowed()));
        all.collect::<Vec<_>>().join("; ")
    };
    let presets = code(lab.presets.iter().map(|preset| preset.key));
    format!("| `{}` | {} | {} | {presets} |\n", lab.id, list(lab.params), list(lab.views))
}

/// The table between two marks of a document. `UPDATE_GOLDEN=1` writes it.
fn holds(document: &str, mark: &str, head: &str, row: fn(&LabSpec) -> String) {
    let (begin, end) = (format!("<!-- {mark}: begin -->\n"), format!("<!-- {mark}: end -->"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(document);
    let text = std::fs::read_to_string(&path).expect(document);
    let (before, rest) = text.split_once(&begin).expect("where the table begins");
    let (_, after) = rest.split_once(&end).expect("where the table ends");
    let rows: String = LABS.iter().map(|lab| row(lab)).collect();
    let rule = "|---".repeat(head.matches('|').count() - 1);
    let wanted = format!("{before}{begin}{head}\n{rule}|\n{rows}{end}{after}");
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        return std::fs::write(&path, &wanted).expect(document);
    }
    assert!(text == wanted, "docs/{document} has other names than the labs: UPDATE_GOLDEN=1 writes it");
}

#[test]
fn the_table_of_names_is_what_the_labs_have() {
    holds("lessons.md", "names", "| lab | settings | rows | columns |", lesson_row);
}

#[test]
fn the_table_of_parameters_is_what_the_labs_have() {
    holds("embedding.md", "labs", "| `lab` | parameters | views | presets |", embed_row);
}
