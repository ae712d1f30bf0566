//! Nothing leaves, nothing complains: every page in every engine, at rest and at work.

use std::time::Duration;

use tokenyard_browser_tests::{By, Outcome, Tab};
use tokenyard_lab::digest;
use tokenyard_lab::labs::LABS;
use tokenyard_lab::luck::SEEDS;
use tokenyard_lab::msg;

use crate::journeys::bench::{
    HOME, PROOF, SOON, english, expect, file, files, luck_button, open, set_param, text_of, words,
};

/// Lets what a page might do later happen: longer than every delay that the pages use.
const LATER: Duration = Duration::from_millis(1200);

/// Opens a page and shows that it asks for nothing once it is there.
async fn rest(tab: &mut Tab, path: &str) -> Outcome {
    tab.site().clear_requests();
    open(tab, path).await?;
    // What belongs to loading: the page, its script, module, style and icon.
    tab.idle(Duration::from_millis(400)).await;
    let loading = tab.site().requests();
    assert!(loading.iter().all(|request| request.status == 200), "{path}: {loading:?}");
    assert!(loading.len() <= 5, "{path}: {loading:?}");
    tab.site().clear_requests();
    tab.idle(LATER).await;
    assert_eq!(tab.site().requests(), Vec::new(), "{path}: a request after loading");
    tab.expect_clean().await.map_err(|failure| failure.during(path))
}

pub(crate) async fn pages_at_rest_are_quiet(tab: &mut Tab) -> Outcome {
    rest(tab, HOME).await?;
    rest(tab, PROOF).await
}

pub(crate) async fn labs_at_rest_and_at_work_are_quiet(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        let words = english(tab, lab)?;
        rest(tab, &file(lab)).await?;
        tab.click(By::Text(words.get("predict.skip"))).await?;
        tab.wait_until("it plays", "document.querySelector('.player .is-main[aria-label=Pause]')", SOON)
            .await?;
        tab.click(".player .is-main").await?;
        tab.drag_range(".player input[type=range]", 0.7, 4).await?;
        if let Some(spec) = lab.params.iter().find(|p| p.key == "replicas" || p.key == "slots") {
            set_param(tab, lab, spec.key, "3").await?;
        }
        let sweep = if words.has("sweep.run") { words.get("sweep.run").to_owned() } else { String::new() };
        for name in [luck_button(&words, SEEDS), sweep].into_iter().filter(|name| !name.is_empty()) {
            if tab.has(By::Text(&name)).await? {
                tab.click(By::Text(&name)).await?;
            }
        }
        tab.eval(
            "document.querySelectorAll('details:not([open]) > summary').forEach(s => s.click())",
            Vec::new(),
        )
        .await?;
        tab.click(".colours").await?;
        tab.click("button[lang=ja]").await?;
        tab.click("button[lang=en]").await?;
        tab.idle(LATER).await;
        assert_eq!(tab.site().requests(), Vec::new(), "{}: a request while it works", lab.id);
        tab.expect_clean().await.map_err(|failure| failure.during(lab.id))?;
    }
    Ok(())
}

pub(crate) async fn nothing_is_kept_but_choices(tab: &mut Tab) -> Outcome {
    for path in files() {
        open(tab, &path).await?;
    }
    tab.click("button[lang=ja]").await?;
    tab.click(".colours").await?;
    expect(tab, "the choices", "Object.keys(localStorage).sort().join()", "tokenyard.lang,tokenyard.theme")
        .await?;
    assert_eq!(tab.value("document.cookie + sessionStorage.length").await?, "0");
    Ok(())
}

/// Waits until the proof page has compared everything.
async fn expect_proof(tab: &Tab) -> Outcome {
    let words = words(tab, PROOF, "en")?;
    let count = digest::count() + tokenyard_fleet::digest::COUNT;
    let same = msg("proof.same").with("done", count).with("of", count).with("bad", 0_u32);
    let over = "!/^\\d+ of/.test(document.querySelector('#proof-state').textContent)";
    tab.wait_until("everything is compared", over, Duration::from_secs(100)).await?;
    expect(tab, "the proof", &text_of("#proof-state"), words.say(&same)).await
}

pub(crate) async fn the_same_bits_everywhere(tab: &mut Tab) -> Outcome {
    open(tab, PROOF).await?;
    expect_proof(tab).await?;
    assert_eq!(tab.value("document.querySelectorAll('#proof-differing li').length").await?, 0);
    tab.expect_clean().await
}

pub(crate) async fn the_proof_is_reached_from_any_page(tab: &mut Tab) -> Outcome {
    open(tab, HOME).await?;
    tab.click(".foot > a").await?;
    expect(tab, "the proof page", "document.documentElement.dataset.page", "proof").await?;
    tab.wait_until("it compares", "!/^0 of/.test(document.querySelector('#proof-state').textContent)", SOON)
        .await?;
    tab.back().await?;
    expect(tab, "home", "document.documentElement.dataset.page", "home").await?;
    tab.expect_clean().await
}

/// The line of a file that names its policy, unescaped.
fn policy(html: &str) -> String {
    let content = html.split("http-equiv=\"Content-Security-Policy\" content=\"").nth(1).unwrap_or_default();
    content.split('"').next().unwrap_or_default().replace("&#39;", "'").replace("&amp;", "&")
}

pub(crate) async fn files_read_without_scripts(tab: &mut Tab) -> Outcome {
    for path in files() {
        let html = crate::journeys::bench::fetch(tab, &path)?;
        let policy = policy(&html);
        for part in [
            "default-src 'none'",
            "script-src 'self' 'wasm-unsafe-eval' 'sha256-",
            "style-src 'self'",
            "img-src 'self' data: blob:",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "frame-src 'self'",
            "manifest-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
        ] {
            assert!(policy.split(';').any(|one| one.trim().starts_with(part)), "{path}: {part} in {policy}");
        }
        assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"), "{path}: {policy}");
    }
    for lab in LABS {
        let html = crate::journeys::bench::fetch(tab, &file(lab))?;
        let (frame, rest) = html.split_once("<noscript>").ok_or("a page without a noscript reading")?;
        let (words, run) = (english(tab, lab)?, lab.run(&lab.defaults()));
        let opening = run.moments().first().map_or(0, |moment| moment.step);
        let shown = |step: u32, words: &tokenyard_lab::Words| {
            let mut text = String::new();
            tokenyard_lab::markup::escape(&words.say(&run.say(step)), &mut text);
            text
        };
        assert!(frame.contains(&shown(opening, &words)), "{}: the first frame says its sentence", lab.id);
        assert!(frame.matches("<svg").count() > 2 && frame.contains("<h1"), "{}: a picture", lab.id);
        let transcript = rest.split("</noscript>").next().unwrap_or_default();
        let ja = crate::journeys::bench::words(tab, &file(lab), "ja")?;
        for step in 0..run.steps() {
            for words in [&words, &ja] {
                assert!(transcript.contains(&shown(step, words)), "{}: step {step}", lab.id);
            }
        }
    }
    Ok(())
}
