//! The single-file edition, straight from the disk: no server, no request, all of it works.

use serde_json::json;
use tokenyard_browser_tests::{By, Outcome, Tab};
use tokenyard_lab::labs::LABS;
use tokenyard_lab::luck::SEEDS;

use crate::journeys::bench::{
    SOON, english, expect, expect_step, expect_table, guessed, herding, luck_button, ready, set_param,
};
use crate::journeys::embed::{add, awake};

const ALL_LABS: &str = "single/tokenyard.html";

async fn open(tab: &mut Tab, path: &str) -> Outcome {
    let address = tab.on_disk(path)?;
    tab.leave_frame().await?;
    tab.client().goto("about:blank").await?;
    tab.open_address(&address).await?;
    ready(tab).await
}

pub(crate) async fn every_lab_works_from_the_disk(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        let words = english(tab, lab)?;
        open(tab, &format!("single/tokenyard-{}.html#{}", lab.id, guessed(lab))).await?;
        tab.site().clear_requests();
        expect_table(tab, lab, &lab.defaults(), &words).await?;
        let preset = lab.with(lab.presets[0].set);
        let state = crate::journeys::bench::fragment(lab, &preset, 0, None);
        open(tab, &format!("single/tokenyard-{}.html#{state}&{}", lab.id, guessed(lab))).await?;
        expect_step(tab, lab, &preset, &words, 0).await?;
        if lab.has_seed() {
            // The worker, too, comes out of the file.
            tab.click(By::Text(&luck_button(&words, SEEDS))).await?;
            tab.wait_until(
                "the bands",
                "document.querySelector('.luck svg, .luck table, .luck .band') !== null",
                SOON,
            )
            .await?;
        }
        assert_eq!(tab.site().requests(), Vec::new(), "{}", lab.id);
        tab.expect_clean().await.map_err(|failure| failure.during(lab.id))?;
    }
    Ok(())
}

pub(crate) async fn pages_switch_by_the_fragment(tab: &mut Tab) -> Outcome {
    open(tab, ALL_LABS).await?;
    let home = tab.value("document.querySelector('h1').textContent").await?;
    for lab in LABS {
        let words = english(tab, lab)?;
        // Pressed as a reader does: an engine may leave out of the history what a script pressed.
        tab.click(format!(".lab-card[href='#lab={}']", lab.id).as_str()).await?;
        expect(tab, lab.id, "document.querySelector('h1').textContent", words.get("title")).await?;
        expect(
            tab,
            "the address says so",
            "location.hash.startsWith('#lab=' + arguments[0])"
                .replace("arguments[0]", &json!(lab.id).to_string())
                .as_str(),
            true,
        )
        .await?;
        tab.back().await?;
        expect(tab, "back at home", "document.querySelector('h1').textContent", home.clone()).await?;
    }
    let lab = herding()?;
    let words = english(tab, lab)?;
    open(tab, &format!("{ALL_LABS}#lab={}&{}", lab.id, guessed(lab))).await?;
    set_param(tab, lab, "scrape_interval", "5").await?;
    tab.wait_until(
        "the state is in the address",
        "location.hash.includes('lab=herding') && location.hash.includes('interval=5')",
        SOON,
    )
    .await?;
    tab.reload().await?;
    ready(tab).await?;
    expect_table(tab, lab, &lab.with(&[("scrape_interval", "5")]), &words).await?;
    tab.expect_clean().await
}

/// As an embed of itself in somebody's page, in a sandbox and from a server that sends no header.
pub(crate) async fn one_file_is_an_embed_too(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    tab.open_host("embed.html").await?;
    let path = format!("single/tokenyard-{}.html?ui=player#interval=5&step=28", lab.id);
    add(tab, &path, json!({ "sandbox": "allow-scripts" })).await?;
    awake(tab, 0).await?;
    expect(tab, "it is ready", "heard(0, 'ready').length === 1 && heard(0, 'resize').length > 0", true)
        .await?;
    tab.client().enter_frame(0).await?;
    expect(tab, "its state", "document.querySelector('.player input').value", "28").await?;
    expect(tab, "a player and no more", "document.querySelectorAll('.head, .knobs, .predict').length", 0)
        .await?;
    tab.leave_frame().await?;
    tab.expect_clean().await
}
