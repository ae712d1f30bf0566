//! The page `docs/reports.md`, from words and figures.

use std::collections::BTreeMap;
use std::path::Path;

use tokenyard_det::format;
use tokenyard_lab::catalogue::Texts;
use tokenyard_study::reports::{Incident, LEFT, SEEDS};

use crate::law::Band;

const HEAD: &str = "# Break it like production did\n\n\
    Public reports about routers for LLM servers, each as a small scenario with the reported mechanism \
    in it and one with the setting that cures it. What a report says is told in our words; sizes are \
    those of a run in a browser, not the reporter's. `cargo test -p tokenyard-study --test reports` \
    runs all of them and compares this page; `UPDATE_GOLDEN=1` writes it.\n\n";

pub(crate) type Measured<'a> = BTreeMap<u8, (&'a Incident, Band, Band)>;

/// The page's text.
pub(crate) fn write(measured: &Measured<'_>, words: &Texts) -> String {
    let mut out = HEAD.to_owned();
    out += &format!(
        "Each figure is the median over {SEEDS} seeds with the smallest and the largest behind it. The \
         two medians of a report are at least twice the larger of its ranges apart.\n"
    );
    for (number, (incident, broken, cured)) in measured {
        out += &section(*number, incident, [broken, cured], words);
    }
    out += "\n## Left out\n\n| # | report | reason |\n|--:|---|---|\n";
    for left in LEFT.iter().copied().flatten() {
        let reason = &words[&format!("left.{}", left.number)];
        out += &format!("| {} | {} | {reason} |\n", left.number, left.source);
    }
    out
}

fn section(number: u8, incident: &Incident, bands: [&Band; 2], words: &Texts) -> String {
    let word = |part: &str| &words[&format!("report.{}.{part}", incident.id)];
    let mut out = format!("\n## {number}. {}\n\n`{}` · {}\n\n", word("name"), incident.id, incident.source);
    for (head, part) in [("Symptom", "symptom"), ("Mechanism", "mechanism"), ("Cure", "cure")] {
        out += &format!("- **{head}.** {}\n", word(part));
    }
    out += &format!("\n| {} | median | range | state |\n|---|--:|--:|---|\n", word("measure"));
    let states = [("broken", incident.broken), ("cured", incident.cured)];
    for ((name, fragment), band) in states.into_iter().zip(bands) {
        let shown = |v| shown(v, incident);
        let (median, low, high) = (shown(band.median), shown(band.low), shown(band.high));
        out += &format!("| {name} | {median} | {low} to {high} | `fleet/index.html#{fragment}` |\n");
    }
    out
}

fn shown(value: f64, incident: &Incident) -> String {
    match incident.measure.shown() {
        (digits, true) => format!("{}%", format::fixed(value * 100.0, digits.into())),
        (digits, false) => format::fixed(value, digits.into()),
    }
}

/// Compares the page with the file, or writes it.
pub(crate) fn compare(now: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reports.md");
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        std::fs::write(&path, now).unwrap();
    } else {
        let was = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(was == now, "docs/reports.md is not what the reports measure: UPDATE_GOLDEN=1 writes it");
    }
}
