//! Handouts and instructor's notes: printed with their text on either size of paper, read on phones, by
//! screen readers, in the dark, and without a single request.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use tokenyard_browser_tests::{
    ALL, AxeOptions, Emulation, Engine, Failure, Journey, Outcome, Printed, Site, Tab, axe, journey,
};

use crate::journeys::bench::{expect, fetch};

/// Every one of these journeys.
pub(super) static JOURNEYS: &[Journey] = &[
    journey!("handouts::print_with_their_text", super::PRINTING, Site::Dist, print_with_their_text, 240),
    journey!("handouts::fit_a_phone_and_a_window", ALL, Site::Dist, fit_a_phone_and_a_window),
    journey!("handouts::are_accessible", ALL, Site::Dist, are_accessible, 240),
    journey!("handouts::ask_for_nothing", ALL, Site::Dist, ask_for_nothing),
];

/// Width and height in centimetres: A4, Letter.
const PAPERS: [(f64, f64); 2] = [(21.0, 29.7), (21.59, 27.94)];

/// Every sheet of the site: of each lesson of the project, in both languages.
fn sheets() -> Result<Vec<String>, Failure> {
    let lessons = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lessons");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(lessons)? {
        let path = entry?.path();
        let lesson = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        for lang in ["en", "ja"] {
            all.extend(["handout", "notes"].map(|sheet| format!("teach/{lesson}/{sheet}.{lang}.html")));
        }
    }
    all.sort();
    assert!(all.len() >= 12, "{all:?}");
    Ok(all)
}

/// The beginning of every text that paper must have: what is longer may go on on another sheet.
const TEXTS: &str = "[...document.querySelectorAll('main :is(h1, h2, p, li, td, th, figcaption strong)')]
    .map(one => [...one.textContent.replace(/\\s+/g, '')].slice(0, 24).join(''))
    .filter(text => [...text].length > 2)";

async fn print_with_their_text(tab: &mut Tab) -> Outcome {
    for file in sheets()? {
        tab.open(&file).await?;
        let texts = tab.value(TEXTS).await?;
        let texts: Vec<&str> = texts.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        assert!(texts.len() > 30, "{file}: {} texts", texts.len());
        // A page for each step would be a waste of paper.
        let most = tab.value("document.querySelectorAll('.step').length").await?.as_u64().unwrap_or_default();
        for (width, height) in PAPERS {
            let printed = Printed::read(&tab.print_on(width, height).await?)?;
            let missing: Vec<&&str> = texts.iter().filter(|text| !printed.has(text)).collect();
            assert!(missing.is_empty(), "{file} on {width} by {height} cm: {missing:?}");
            let pages = u64::from(printed.pages());
            assert!(pages > 0 && pages <= most, "{file} on {width} by {height} cm: {pages} pages");
            // What is for the screen only is not on paper.
            let hint = tab.value("document.querySelector('.hint').textContent").await?;
            assert!(!printed.has(hint.as_str().unwrap_or_default()), "{file}: {hint}");
        }
    }
    tab.expect_clean().await
}

async fn fit_a_phone_and_a_window(tab: &mut Tab) -> Outcome {
    for file in sheets()? {
        for width in [320, 560, 1024] {
            tab.in_frame(width, &file).await?;
            assert_eq!(tab.sideways_overflow().await?, 0, "{file} in {width} pixels");
            let seen =
                "[...document.querySelectorAll('figure svg')].filter(one => one.checkVisibility()).length";
            expect(
                tab,
                "one drawing for each figure",
                seen,
                tab.value("document.querySelectorAll('figure:has(svg)').length").await?,
            )
            .await?;
        }
    }
    tab.leave_frame().await?;
    tab.expect_clean().await
}

async fn are_accessible(tab: &mut Tab) -> Outcome {
    let mut complaints = Vec::new();
    for dark in [false, true] {
        tab.emulate(Emulation { dark, reduced_motion: false }).await?;
        for file in sheets()? {
            // Every sheet where it is quick, those of one lesson elsewhere.
            if tab.engine() != Engine::Chromium && !file.contains("/tour/") {
                continue;
            }
            tab.open(&file).await?;
            if let Err(failure) = axe(tab, &AxeOptions::default()).await?.expect_clean(12) {
                complaints.push(failure.during(&format!("{file} dark: {dark}")).to_string());
            }
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(Failure::new(complaints.join("\n"))) }
}

/// A sheet is whole by itself, and every link in it leads to the live lesson's page or to a sheet.
async fn ask_for_nothing(tab: &mut Tab) -> Outcome {
    let all: BTreeSet<String> = sheets()?.into_iter().collect();
    for file in &all {
        tab.site().clear_requests();
        tab.open(file).await?;
        let asked = tab.site().requests();
        assert_eq!(asked.len(), 1, "{file}: {asked:?}");
        let root = tab.address("");
        let links = tab.value("[...document.querySelectorAll('a')].map(one => one.href)").await?;
        let mut sheets = 0;
        for link in links.as_array().into_iter().flatten().filter_map(Value::as_str) {
            let path = link.strip_prefix(&root).ok_or_else(|| Failure::new(format!("{file} -> {link}")))?;
            if let Some((page, _)) = path.split_once("#lesson=") {
                assert!(fetch(tab, page)?.contains("data-page=\"teach\""), "{file} -> {path}");
                continue;
            }
            // From one step to the figure of another.
            if path.starts_with(&format!("{file}#step-")) {
                continue;
            }
            assert!(all.contains(path) && fetch(tab, path)?.contains("</main>"), "{file} -> {path}");
            sheets += 1;
        }
        assert_eq!(sheets, 2, "{file}");
    }
    tab.expect_clean().await
}
