//! Labs inside other people's pages: hosts that are strict, states that travel, what is pasted.

use std::time::Duration;

use serde_json::json;
use tokenyard_browser_tests::{Outcome, Tab};
use tokenyard_lab::labs::LABS;

use crate::journeys::bench::{SOON, TABLE, expect, herding, ready, table, words};
use crate::journeys::embed::{add, article, awake, embed, inside, widen};

/// In a sandbox the lab works where its files may be read from anywhere, and else says so in one line,
/// with the first frame and the way out.
pub(crate) async fn a_sandbox_works_or_says_why_not(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let path = embed(lab, "ui=lab&controls=knobs,table,player", "interval=5");
    article(tab, &path, json!({ "sandbox": "allow-scripts" })).await?;
    tab.wait_until("it says so", "heard(0, 'error').length === 1", SOON).await?;
    let words = words(tab, &path, "en")?;
    tab.client().enter_frame(0).await?;
    let line =
        tokenyard_lab::msg("error.load").with("why", tokenyard_lab::Arg::Key("error.sandbox".to_owned()));
    let seen = "[...document.querySelectorAll('#broken p')].filter(p => !p.hidden).map(p => p.textContent)";
    expect(tab, "the line", seen, json!([words.say(&line)])).await?;
    expect(tab, "the way out", "document.querySelector('.embed-open').href.endsWith('#interval=5')", true)
        .await?;
    expect(
        tab,
        "the picture",
        "document.querySelector('.scene svg').getBoundingClientRect().width > 0",
        true,
    )
    .await?;
    tab.leave_frame().await?;
    tab.remount(|options| {
        options.extra_headers.push(("Access-Control-Allow-Origin".to_owned(), "*".to_owned()));
    })?;
    // What the browser wrote about the refusals.
    tab.console().await?;
    tab.forget_log();
    article(tab, &path, json!({ "sandbox": "allow-scripts" })).await?;
    awake(tab, 0).await?;
    tab.client().enter_frame(0).await?;
    let setup = lab.with(&[("scrape_interval", "5")]);
    expect(tab, "the numbers", TABLE, table(lab, &lab.table(&setup), &words, false)).await?;
    tab.leave_frame().await?;
    tab.expect_clean().await
}

/// A strict policy of the host, and a host that isolates itself.
pub(crate) async fn strict_hosts_show_labs(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; frame-src *";
    tab.open_host_with("embed.html", &[("Content-Security-Policy", policy)]).await?;
    add(tab, &embed(lab, "ui=player", ""), json!({})).await?;
    awake(tab, 0).await?;
    tab.expect_clean().await?;
    tab.remount_for_isolated_hosts()?;
    let isolated =
        [("Cross-Origin-Embedder-Policy", "require-corp"), ("Cross-Origin-Opener-Policy", "same-origin")];
    tab.open_host_with("embed.html", &isolated).await?;
    add(tab, &embed(lab, "ui=player", ""), json!({})).await?;
    awake(tab, 0).await?;
    tab.expect_clean().await
}

/// From an embed to the lab's own page and back: the same state in both.
pub(crate) async fn a_state_goes_out_and_comes_back(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        let setup = lab.with(lab.presets[0].set);
        let step = 3.min(lab.run(&setup).steps() - 1);
        let state = crate::journeys::bench::fragment(lab, &setup, step, None);
        tab.open(&embed(lab, "ui=lab&controls=table,player", &state)).await?;
        ready(tab).await?;
        let out = tab.value("document.querySelector('.embed-open').href").await?;
        let out = out.as_str().unwrap_or_default().to_owned();
        tab.open_address(&out).await?;
        ready(tab).await?;
        let words = words(tab, &crate::journeys::bench::file(lab), "en")?;
        crate::journeys::bench::expect_step(tab, lab, &setup, &words, step).await?;
        let back = out.split_once('#').map_or(String::new(), |(_, state)| state.to_owned());
        tab.open(&embed(lab, "ui=lab&controls=table,player", &back)).await?;
        ready(tab).await?;
        crate::journeys::bench::expect_step(tab, lab, &setup, &words, step).await?;
        crate::journeys::bench::expect_table(tab, lab, &setup, &words).await?;
    }
    Ok(())
}

/// Several embeds of one article share nothing.
pub(crate) async fn neighbours_share_nothing(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    tab.open_host("embed.html").await?;
    tab.eval("followHeights(false)", Vec::new()).await?;
    for state in ["interval=2", "interval=9"] {
        add(tab, &embed(lab, "ui=player", state), json!({})).await?;
    }
    for at in [0, 1] {
        tab.eval("send(arguments[0], { type: 'focus' })", vec![json!(at)]).await?;
        awake(tab, at).await?;
    }
    tab.eval("send(0, { type: 'set', lang: 'ja', theme: 'dark', state: 'interval=3&step=9' })", Vec::new())
        .await?;
    inside(
        tab,
        0,
        "the first",
        "document.documentElement.lang + document.querySelector('.player input').value",
        json!("ja9"),
    )
    .await?;
    tab.idle(Duration::from_millis(600)).await;
    let other = "[document.documentElement.lang, document.documentElement.dataset.theme ?? 'system',
        document.querySelector('.embed-open').href.split('#')[1]]";
    inside(tab, 1, "the second", other, json!(["en", "system", "interval=9"])).await
}

/// The dialog gives what other places need, shows it as it will be, and the keyboard gets in and out.
pub(crate) async fn what_is_pasted_works(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    crate::journeys::bench::open_lab(tab, lab, "interval=5&step=28&guess=9").await?;
    tab.focus(".share button").await?;
    tab.keys("\u{E007}").await?;
    expect(tab, "it is open", "document.querySelector('.share-dialog').open", true).await?;
    expect(
        tab,
        "with the focus in it",
        "document.querySelector('.share-dialog').contains(document.activeElement)",
        true,
    )
    .await?;
    // What is in the dialog may come after it.
    tab.wait_until("what is in it", "document.querySelector('#share-snippet')?.value", SOON).await?;
    let places =
        tab.value("[...document.querySelectorAll('#share-place option')].map(one => one.value)").await?;
    let places: Vec<String> = serde_json::from_value(places)?;
    assert!(places.len() >= 12, "{places:?}");
    let mut snippets = Vec::new();
    for place in &places {
        tab.choose("#share-place", place).await?;
        let all = "document.querySelector('#share-snippet').value";
        let text = tab.value(all).await?.as_str().unwrap_or_default().to_owned();
        assert!(text.contains("interval=5") && text.contains("herding"), "{place}: {text}");
        let note = tab
            .value("document.querySelectorAll('.share-dialog .note:not([role])')[2].textContent.length > 20")
            .await?;
        assert_eq!(note, true, "{place} says what it supports");
        snippets.push((place.clone(), text));
    }
    tab.wait_until(
        "the preview",
        "document.querySelector('.share-frame').contentDocument?.documentElement.dataset.ready",
        SOON,
    )
    .await?;
    tab.keys("\u{E00C}").await?;
    expect(tab, "Escape closes it", "document.querySelector('.share-dialog').open", false).await?;
    expect(
        tab,
        "and gives the focus back",
        "document.activeElement.textContent.trim()",
        words(tab, &crate::journeys::bench::file(lab), "en")?.get("share.open"),
    )
    .await?;
    let iframe = snippets
        .iter()
        .find(|(place, _)| place == "iframe")
        .map(|(_, text)| text.clone())
        .unwrap_or_default();
    tab.open_host("embed.html").await?;
    tab.eval("document.getElementById('place').innerHTML = arguments[0]", vec![json!(iframe)]).await?;
    awake(tab, 0).await?;
    inside(tab, 0, "the pasted frame", "document.querySelector('.player input').value", json!("28")).await?;
    tab.expect_clean().await
}

/// A preset has an address of its own, shows what it says, and becomes an ordinary link once changed.
pub(crate) async fn presets_have_pages(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        for preset in lab.presets {
            let path = format!("p/{}-{}/index.html", lab.id, preset.key);
            crate::journeys::bench::open(tab, &path).await?;
            let words = words(tab, &path, "en")?;
            let setup = lab.with(preset.set);
            crate::journeys::bench::expect_table(tab, lab, &setup, &words).await?;
            let name = words.at(&["preset", preset.key, "name"]);
            assert!(tab.title().await?.starts_with(&name), "{path}");
            expect(tab, "nothing is covered", "document.querySelectorAll('.is-covered').length", 0).await?;
        }
    }
    tab.click(".knob-actions button:last-child").await?;
    tab.wait_until("the defaults are in the address", "location.hash.startsWith('#v=')", SOON).await?;
    tab.reload().await?;
    ready(tab).await?;
    let own = LABS[LABS.len() - 1];
    let words = words(tab, &crate::journeys::bench::file(own), "en")?;
    crate::journeys::bench::expect_step(
        tab,
        own,
        &own.defaults(),
        &words,
        own.run(&own.defaults()).moments().first().map_or(0, |m| m.step),
    )
    .await
}

/// Parts stand one under the other, each as wide as the frame, in every shape and at both widths; nothing
/// scrolls sideways.
pub(crate) async fn every_part_is_as_wide_as_the_frame(tab: &mut Tab) -> Outcome {
    let narrow = "(embed => [...embed.querySelectorAll(':scope > :not(.part), :scope > .part > *')]
        .filter(one => one.checkVisibility() && one.offsetHeight > 1 && one.offsetWidth < embed.clientWidth - 2)
        .map(one => `${one.className}: ${one.offsetWidth} of ${embed.clientWidth}`))(document.querySelector('.embed'))";
    for lab in LABS {
        for ui in ["full", "lab", "player"] {
            article(tab, &embed(lab, &format!("ui={ui}"), ""), json!({})).await?;
            awake(tab, 0).await?;
            for width in [1000, 340] {
                widen(tab, width).await?;
                let doing = format!("{} {ui} at {width}", lab.id);
                tab.client().enter_frame(0).await?;
                expect(tab, &doing, "innerWidth", width).await?;
                expect(tab, &doing, narrow, json!([])).await?;
                expect(tab, &doing, "document.documentElement.scrollWidth <= innerWidth", true).await?;
                tab.leave_frame().await?;
            }
        }
    }
    Ok(())
}
