//! Axe over what other people's pages show of ours: embeds in every shape, elements around them, the
//! dialog that hands them out, and the single-file edition.

use serde_json::json;
use tokenyard_browser_tests::{AxeOptions, Emulation, Engine, Failure, Outcome, Tab, axe};
use tokenyard_lab::LabSpec;
use tokenyard_lab::labs::LABS;

use crate::journeys::bench::{SOON, expect, file, guessed, herding, open, ready};
use crate::journeys::copy;
use crate::journeys::element::{POSTER, add, article, enter, listens};
use crate::journeys::embed::embed;

/// How much of a lab an embed is.
const SHAPES: [&str; 4] = ["full", "lab", "player", "figure"];

/// Notes what axe finds, or that too few rules applied for a page that is there.
async fn look(tab: &Tab, doing: &str, rules: usize, complaints: &mut Vec<String>) -> Outcome {
    let result = axe(tab, &AxeOptions::default()).await.map_err(|failure| failure.during(doing))?;
    if let Err(failure) = result.expect_clean(rules) {
        complaints.push(failure.during(doing).to_string());
    }
    Ok(())
}

fn verdict(complaints: &[String]) -> Outcome {
    if complaints.is_empty() { Ok(()) } else { Err(Failure::new(complaints.join("\n"))) }
}

/// Every shape of these labs, with grounds of its own: the page around has any.
async fn shapes(tab: &mut Tab, labs: &[&LabSpec], theme: &str, lang: &str) -> Outcome {
    let mut complaints = Vec::new();
    for lab in labs {
        for ui in SHAPES {
            tab.open_fresh(&embed(lab, &format!("ui={ui}&theme={theme}&lang={lang}"), "")).await?;
            let doing = format!("{} {ui} {theme} {lang}", lab.id);
            expect(tab, &doing, "document.documentElement.dataset.ui", ui).await?;
            // A picture in the file's own language is there without the application.
            let is_picture = ui == "figure" && lang == "en";
            if !is_picture {
                ready(tab).await?;
            }
            look(tab, &doing, 10, &mut complaints).await?;
            let seen = "[document.documentElement.dataset.theme, document.documentElement.lang,
                document.documentElement.dataset.ready ?? 'no']";
            let there = if is_picture { "no" } else { "true" };
            expect(tab, &doing, seen, json!([theme, lang, there])).await?;
        }
    }
    verdict(&complaints)
}

pub(crate) async fn axe_light_en(tab: &mut Tab) -> Outcome {
    // Shapes differ little from engine to engine.
    let count = if tab.engine() == Engine::Chromium { LABS.len() } else { 2 };
    shapes(tab, &LABS[..count], "light", "en").await
}

/// What depends on colours does not depend on the language: two of the four pairs are looked at.
pub(crate) async fn axe_dark_ja(tab: &mut Tab) -> Outcome {
    shapes(tab, LABS, "dark", "ja").await
}

/// An article with an element in each of its states: a button that fetches the lab, the lab, and a lab
/// that is not there; light in English and dark in Japanese.
pub(crate) async fn axe_of_an_article(tab: &mut Tab) -> Outcome {
    let mut complaints = Vec::new();
    for (lang, class) in [("en", ""), ("ja", "navy")] {
        article(tab, &[]).await?;
        let colours = "document.documentElement.className = arguments[0]";
        tab.eval(colours, vec![json!(class)]).await?;
        let attributes = json!({ "lab": "herding", "loading": "click", "lang": lang, "title": "Herding" });
        add(tab, "one", attributes).await?;
        tab.wait_until("the picture is seen", POSTER, SOON).await?;
        look(tab, &format!("a button, {lang}"), 10, &mut complaints).await?;
        tab.eval("part('one', 'button').click()", Vec::new()).await?;
        listens(tab, "one").await?;
        enter(tab, "one").await?;
        expect(tab, "the language", "document.documentElement.lang", lang).await?;
        look(tab, &format!("inside, {lang}"), 10, &mut complaints).await?;
        tab.leave_frame().await?;
        expect(tab, "the picture is gone", "part('one', '.poster').checkVisibility()", false).await?;
        look(tab, &format!("around a lab, {lang}"), 10, &mut complaints).await?;
        tab.expect_clean().await?;
    }
    copy::serve(tab, |path, content| (!path.starts_with("embed")).then_some(content))?;
    for (lang, class) in [("en", "navy"), ("ja", "")] {
        article(tab, &[]).await?;
        tab.eval("document.documentElement.className = arguments[0]", vec![json!(class)]).await?;
        add(tab, "one", json!({ "lab": "herding", "loading": "eager", "lang": lang, "title": "Herding" }))
            .await?;
        tab.wait_until("it is told", "part('one', '.front p')", SOON).await?;
        look(tab, &format!("a lab that is not there, {lang}"), 10, &mut complaints).await?;
    }
    verdict(&complaints)
}

/// The open dialog, with its preview, in both languages and colours.
pub(crate) async fn axe_of_the_share_dialog(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let mut complaints = Vec::new();
    for (dark, lang) in [(false, "en"), (true, "en"), (false, "ja"), (true, "ja")] {
        tab.emulate(Emulation { dark, reduced_motion: false }).await?;
        open(tab, &format!("{}?lang={lang}#interval=5&{}", file(lab), guessed(lab))).await?;
        tab.click(".share button").await?;
        tab.wait_until("what is to be pasted", "document.querySelector('#share-snippet')?.value", SOON)
            .await?;
        let preview = "document.querySelector('.share-frame').contentDocument?.documentElement.dataset.ready";
        tab.wait_until("the preview", preview, SOON).await?;
        let open = "[document.querySelector('.share-dialog').open, document.documentElement.lang]";
        expect(tab, "it is open", open, json!([true, lang])).await?;
        look(tab, &format!("{lang} {}", if dark { "dark" } else { "light" }), 10, &mut complaints).await?;
    }
    verdict(&complaints)
}

/// One file for a lab and one for all of them, from the disk, as pages and as an embed.
pub(crate) async fn axe_of_one_file(tab: &mut Tab) -> Outcome {
    let all = "single/tokenyard.html";
    let mut complaints = Vec::new();
    for (dark, lang) in [(false, "en"), (true, "ja")] {
        tab.emulate(Emulation { dark, reduced_motion: false }).await?;
        for path in [
            format!("single/tokenyard-herding.html?lang={lang}"),
            format!("single/tokenyard-batching.html?lang={lang}&ui=player&theme={}", theme(dark)),
            format!("{all}?lang={lang}"),
            format!("{all}?lang={lang}#lab=routing-lab"),
        ] {
            let address = tab.on_disk(&path)?;
            tab.client().goto("about:blank").await?;
            tab.open_address(&address).await?;
            ready(tab).await?;
            expect(tab, &path, "document.documentElement.lang", lang).await?;
            look(tab, &path, 10, &mut complaints).await?;
        }
    }
    verdict(&complaints)
}

fn theme(dark: bool) -> &'static str {
    if dark { "dark" } else { "light" }
}
