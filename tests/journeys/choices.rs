//! Language, colours, and storage that may throw.

use tokenyard_browser_tests::{By, Emulation, Outcome, Tab};
use tokenyard_lab::labs::LABS;

use crate::journeys::bench::{
    HOME, PROOF, english, expect, expect_step, expect_table, file, files, guessed, herding, open, open_lab,
    ready, set_param, words,
};

const LANG: &str = "document.documentElement.lang";
const THEME: &str = "document.documentElement.dataset.theme ?? 'system'";
const PAPER: &str = "getComputedStyle(document.body).backgroundColor";
/// The paper of the two schemes, as engines write it.
const LIGHT: &str = "rgb(251, 250, 247)";
const DARK: &str = "rgb(21, 23, 27)";

pub(crate) async fn japanese_is_complete_and_remembered(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        let (ja, setup) = (words(tab, &file(lab), "ja")?, lab.defaults());
        let step = lab.run(&setup).moments().first().map_or(0, |moment| moment.step);
        open_lab(tab, lab, &guessed(lab)).await?;
        let button = "button[lang=ja]";
        if tab.has(button).await? {
            tab.click(button).await?;
        }
        expect(tab, "the document's language", LANG, "ja").await?;
        expect_step(tab, lab, &setup, &ja, step).await?;
        expect_table(tab, lab, &setup, &ja).await?;
        assert_eq!(tab.title().await?, format!("{} · {}", ja.get("title"), ja.get("site")));
        tab.reload().await?;
        expect(tab, "remembered", LANG, "ja").await?;
        expect_step(tab, lab, &setup, &ja, step).await?;
    }
    // The choice holds on every page, and goes back.
    for path in [HOME, PROOF] {
        open(tab, path).await?;
        expect(tab, path, LANG, "ja").await?;
        expect(
            tab,
            "the title",
            "document.querySelector('h1').textContent",
            words(tab, path, "ja")?.get("title"),
        )
        .await?;
    }
    tab.click("button[lang=en]").await?;
    expect(tab, "English again", LANG, "en").await?;
    tab.reload().await?;
    expect(tab, "English again", LANG, "en").await?;
    tab.expect_clean().await
}

/// No word of the page shows its key, in either language.
pub(crate) async fn no_key_is_on_screen(tab: &mut Tab) -> Outcome {
    for path in files() {
        for lang in ["en", "ja"] {
            open(tab, &format!("{path}?lang={lang}")).await?;
            let bare = "[...document.body.innerText.matchAll(/(?<![\\w/.-])(?:nav|player|knobs|predict|table|luck|\
                why|lab|link|error|param|mark|axis|guide|figure|scene|say|cue|challenge|preset|card|notes|ask|\
                rule|short|col|sweep|labs|term)\\.[a-z][\\w.-]+|\\{[a-z]+\\}/g)].map(match => match[0])";
            expect(tab, &format!("{path} {lang}"), bare, serde_json::json!([])).await?;
        }
    }
    Ok(())
}

pub(crate) async fn colours_follow_and_are_remembered(tab: &mut Tab) -> Outcome {
    open(tab, HOME).await?;
    expect(tab, "the system's", THEME, "system").await?;
    expect(tab, "light", PAPER, LIGHT).await?;
    tab.emulate(Emulation { dark: true, reduced_motion: false }).await?;
    expect(tab, "dark as the system", PAPER, DARK).await?;
    tab.click(".colours").await?;
    expect(tab, "chosen", THEME, "light").await?;
    expect(tab, "light although the system is dark", PAPER, LIGHT).await?;
    tab.reload().await?;
    ready(tab).await?;
    expect(tab, "remembered", THEME, "light").await?;
    expect(tab, "remembered", PAPER, LIGHT).await?;
    tab.emulate(Emulation::default()).await?;
    tab.click(".colours").await?;
    expect(tab, "dark although the system is light", PAPER, DARK).await?;
    open(tab, &file(herding()?)).await?;
    expect(tab, "on every page", PAPER, DARK).await?;
    tab.click(".colours").await?;
    expect(tab, "the system's again", THEME, "system").await?;
    expect(tab, "light again", PAPER, LIGHT).await?;
    tab.expect_clean().await
}

pub(crate) async fn charts_follow_the_colours(tab: &mut Tab) -> Outcome {
    let pixels = "(canvas => canvas.toDataURL().length + canvas.toDataURL().slice(-4000))(
        document.querySelector('.picture canvas'))";
    let blank = "(canvas => canvas.width > 100 && !canvas.getContext('2d').getImageData(0, 0, canvas.width,
        canvas.height).data.some(value => value))(document.querySelector('.picture canvas'))";
    let drawn = format!("document.querySelector('.picture canvas').width > 100 && !({blank})");
    // Nothing is drawn that nobody sees.
    let to_chart = "document.querySelector('.picture canvas').scrollIntoView()";
    open_lab(tab, herding()?, "").await?;
    tab.eval(to_chart, Vec::new()).await?;
    tab.wait_until("the chart is drawn", &drawn, crate::journeys::bench::SOON).await?;
    tab.idle(std::time::Duration::from_millis(300)).await;
    let light = tab.value(pixels).await?;
    tab.click(".colours").await?;
    tab.click(".colours").await?;
    expect(tab, "dark", THEME, "dark").await?;
    tab.eval(to_chart, Vec::new()).await?;
    let redrawn = format!("{pixels} !== {light}");
    tab.wait_until("the chart is drawn in dark", &redrawn, crate::journeys::bench::SOON).await?;
    assert_eq!(tab.value(blank).await?, false, "there is a drawing");
    Ok(())
}

pub(crate) async fn the_address_chooses(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        let (ja, setup) = (words(tab, &file(lab), "ja")?, lab.defaults());
        let step = lab.run(&setup).moments().first().map_or(0, |moment| moment.step);
        open(tab, &format!("{}?lang=ja&theme=dark", file(lab))).await?;
        expect(tab, "language", LANG, "ja").await?;
        expect(tab, "theme", THEME, "dark").await?;
        expect(tab, "paper", PAPER, DARK).await?;
        expect_step(tab, lab, &setup, &ja, step).await?;
    }
    open(tab, &format!("{HOME}?lang=xx&theme=<b>")).await?;
    expect(tab, "what is not known is left alone", THEME, "system").await?;
    tab.expect_clean().await
}

pub(crate) async fn storage_may_throw(tab: &mut Tab) -> Outcome {
    // Module scripts of an opaque origin need the header; a plain file server has to send it.
    tab.remount(|options| {
        options.extra_headers.push(("Access-Control-Allow-Origin".to_owned(), "*".to_owned()));
    })?;
    let lab = herding()?;
    let words = english(tab, lab)?;
    tab.open_without_storage(&format!("{}#{}", file(lab), guessed(lab))).await?;
    ready(tab).await?;
    let throws = "(() => { try { return !localStorage } catch { return true } })()";
    assert_eq!(tab.value(throws).await?, true, "storage throws here");
    set_param(tab, lab, "scrape_interval", "5").await?;
    expect_table(tab, lab, &lab.with(&[("scrape_interval", "5")]), &words).await?;
    tab.click("button[lang=ja]").await?;
    expect(tab, "the language changes", LANG, "ja").await?;
    tab.click(".colours").await?;
    expect(tab, "the colours change", THEME, "light").await?;
    tab.click(By::Css(".player .is-main")).await?;
    expect(tab, "no panic", "document.getElementById('stopped').hidden", true).await?;
    Ok(())
}
