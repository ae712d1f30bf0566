//! Accessibility: axe over every state, the Tab key, live regions, sizes of targets.

use std::time::Duration;

use serde_json::json;
use tokenyard_browser_tests::{AxeOptions, Emulation, Engine, Failure, Outcome, Tab, axe};
use tokenyard_lab::LabSpec;
use tokenyard_lab::labs::LABS;

use crate::journeys::bench::{
    HOME, PROOF, SOON, english, expect, expect_step, file, files, guessed, herding, open, open_lab, text_of,
    words,
};

/// A lab's states: as it opens, at play, and answered, at its end, with everything unfolded.
const STATES: [&str; 3] = ["idle", "playing", "finished"];

/// Brings an open lab into a state; the states follow one another.
async fn enter(tab: &mut Tab, lab: &LabSpec, state: &str) -> Outcome {
    match state {
        "playing" => {
            tab.choose(".speed", "0.25").await?;
            tab.click(".player .is-main").await
        }
        "finished" => {
            // Answered, at the end of the run, and everything unfolded.
            tab.open(&format!("{}#{}&step=100000", path_of(tab).await?, guessed(lab))).await?;
            let last = "(field => field.value === field.max)(document.querySelector('.player input'))";
            tab.wait_until("the end of the run", last, SOON).await?;
            tab.wait_until("the answer", "document.querySelector('.predict-said')", SOON).await?;
            let unfold = "document.querySelectorAll('details:not([open]) > summary, \
                .knob-actions [aria-expanded=false], .player [aria-expanded=false]')
                .forEach(one => one.click());";
            tab.eval(unfold, Vec::new()).await?;
            tab.wait_until("more settings", "!document.querySelector('.knobs .more').hidden", SOON).await
        }
        _ => Ok(()),
    }
}

/// Path and query of the open page.
async fn path_of(tab: &Tab) -> Result<String, Failure> {
    let path = tab.value("(location.pathname + location.search).slice(1)").await?;
    Ok(path.as_str().unwrap_or_default().to_owned())
}

async fn expect_accessible(tab: &Tab, doing: &str) -> Outcome {
    let result = axe(tab, &AxeOptions::default()).await?;
    result.expect_clean(20).map_err(|failure| failure.during(doing))
}

async fn check(tab: &mut Tab, states: &[&str], dark: bool, lang: &str) -> Outcome {
    tab.emulate(Emulation { dark, reduced_motion: false }).await?;
    let mut complaints = Vec::new();
    for lab in LABS {
        open(tab, &format!("{}?lang={lang}", file(lab))).await?;
        for state in states {
            enter(tab, lab, state).await?;
            let doing = format!("{} {state} {lang} {}", lab.id, if dark { "dark" } else { "light" });
            if let Err(failure) = expect_accessible(tab, &doing).await {
                complaints.push(failure.to_string());
            }
            let say = tab.value(&text_of(".stage .say")).await?;
            assert!(say.as_str().is_some_and(|say| say.len() > 10), "{doing}: says {say}");
            expect(tab, "its language", "document.documentElement.lang", lang).await?;
            let words = words(tab, &file(lab), lang)?;
            let name = words.get(if *state == "playing" { "player.pause" } else { "player.play" });
            expect(tab, &doing, "document.querySelector('.player .is-main').title", name).await?;
        }
    }
    for page in [HOME, PROOF] {
        open(tab, &format!("{page}?lang={lang}")).await?;
        // A short page has fewer rules to hold.
        let result = axe(tab, &AxeOptions::default()).await?;
        if let Err(failure) = result.expect_clean(12) {
            complaints.push(failure.during(page).to_string());
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(Failure::new(complaints.join("\n"))) }
}

pub(crate) async fn axe_light_en(tab: &mut Tab) -> Outcome {
    let states = if tab.engine() == Engine::Chromium { &STATES[..] } else { &["finished"] };
    check(tab, states, false, "en").await
}

/// What depends on colours does not depend on the language: two of the four pairs are looked at.
pub(crate) async fn axe_dark_ja(tab: &mut Tab) -> Outcome {
    check(tab, &STATES, true, "ja").await
}

/// Elements that the Tab key must reach, in the order of the document.
const STOPS: &str =
    "window.stops = [...document.querySelectorAll('a[href], button, input, select, textarea, \
    summary, [tabindex=\"0\"]')].filter(node => !node.disabled && node.tabIndex >= 0
    && node.checkVisibility({ visibilityProperty: true }));
    window.reached = []; return window.stops.length;";

/// Presses Tab until the focus has gone once round the page.
async fn walk(tab: &mut Tab) -> Outcome {
    tab.eval("document.activeElement.blur(); scrollTo(0, 0)", Vec::new()).await?;
    let count = tab.eval(STOPS, Vec::new()).await?.as_u64().unwrap_or_default();
    assert!(count > 20, "{count} stops");
    let look = "const at = stops.indexOf(document.activeElement); reached.push(at);
        return [at, document.activeElement === document.body || document.activeElement === null]";
    for press in 0..count + 30 {
        tab.keys("Tab").await?;
        let seen = tab.eval(look, Vec::new()).await?;
        let round = seen[1] == true || (press > 0 && seen[0] == 0);
        if round {
            break;
        }
    }
    let missed = "stops.filter((_, i) => !reached.includes(i)).map(node => node.outerHTML.slice(0, 120))";
    expect(tab, "every control is reached", missed, json!([])).await?;
    let order = "(own => own.every((at, i) => i === 0 || at >= own[i - 1]))(
        reached.filter(at => at >= 0).slice(0, stops.length))";
    expect(tab, "in the order of the page", order, true).await
}

pub(crate) async fn tab_walks_through_herding(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    open_lab(tab, lab, "").await?;
    walk(tab).await?;
    // Into the player and out of it again, both ways.
    tab.focus(".player").await?;
    tab.keys("ArrowRight Space k").await?;
    tab.keys("Shift+Tab").await?;
    let inside = "!!document.activeElement.closest('.player')";
    expect(tab, "backwards out of the player", inside, false).await?;
    tab.press_tab_until(".player", 3).await?;
    tab.press_tab_until(".fork button", 12).await.map(drop)
}

pub(crate) async fn tab_walks_through_every_lab(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        open_lab(tab, lab, "").await?;
        enter(tab, lab, "finished").await?;
        walk(tab).await.map_err(|failure| failure.during(lab.id))?;
    }
    Ok(())
}

pub(crate) async fn the_skip_link_skips(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let (words, setup) = (english(tab, lab)?, lab.with(&[("scrape_interval", "5")]));
    open_lab(tab, lab, "interval=5&step=40").await?;
    tab.keys("Tab").await?;
    assert_eq!(
        tab.active_element_description().await?,
        format!("link \"{}\"", words.get("nav.skip")),
        "the first stop"
    );
    let seen = "(box => box.top >= 0 && box.left >= 0 && box.width > 40)(
        document.activeElement.getBoundingClientRect())";
    expect(tab, "it is seen", seen, true).await?;
    tab.keys("Enter").await?;
    tab.keys("Tab").await?;
    let inside = "!!document.activeElement.closest('main')";
    expect(tab, "reading goes on in the content", inside, true).await?;
    // Jumping within the page is no change of the lab.
    tab.idle(Duration::from_millis(600)).await;
    expect_step(tab, lab, &setup, &words, 39).await?;
    expect(tab, "no notice", "document.querySelector('.notices').hidden", true).await
}

pub(crate) async fn one_message_per_settled_change(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        let (words, setup) = (english(tab, lab)?, lab.defaults());
        open_lab(tab, lab, &guessed(lab)).await?;
        tab.idle(Duration::from_millis(1000)).await;
        tab.listen_to_live_regions().await?;
        tab.focus(".player").await?;
        tab.keys("Home ArrowRight ArrowRight ArrowRight").await?;
        expect_step(tab, lab, &setup, &words, 3).await?;
        tab.wait_until("it is said", "window.tokenyardLive.length > 0", SOON).await?;
        tab.idle(Duration::from_millis(900)).await;
        let said = tab.live_messages().await?;
        let sentence = words.say(&lab.run(&setup).say(3));
        let wanted = said.len() == 1 && said[0].starts_with(&sentence) && said[0].len() > sentence.len() + 5;
        assert!(wanted, "{}: one message with sentence and figures, not {said:?}", lab.id);
        // A step back and play in one turn of the page, however slow the driver is: the message
        // about the step is not said into the play.
        tab.choose(".speed", "8").await?;
        let keys =
            "window.tokenyardLive = []; for (const key of ['Home', 'k']) document.querySelector('.player')
            .dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));";
        tab.eval(keys, Vec::new()).await?;
        let on = "Number(document.querySelector('.player input[type=range]').value) > 4";
        tab.wait_until("it plays", on, SOON).await?;
        let said = tab.live_messages().await?;
        assert!(said.is_empty(), "{}: said at play: {said:?}", lab.id);
    }
    Ok(())
}

/// Controls smaller than 24 by 24 px. A word of a sentence may be as high as its line, and a box
/// with a label is as large as the label.
const SMALL: &str = "[...document.querySelectorAll('button:not(.term-name), input, select, textarea, summary, \
    nav a, .head a, .foot a, a.button, .lab-card')]
    .filter(node => node.checkVisibility({ visibilityProperty: true }))
    .map(node => [node.type === 'checkbox' ? node.closest('label') ?? node : node, node])
    .map(([target, node]) => [target.getBoundingClientRect(), node])
    .filter(([box]) => box.width > 1 && (box.width < 23.9 || box.height < 23.9))
    .map(([box, node]) => `${Math.round(box.width)} x ${Math.round(box.height)}: ${node.outerHTML.slice(0, 90)}`)";

pub(crate) async fn targets_are_large_enough(tab: &mut Tab) -> Outcome {
    for path in [HOME, PROOF] {
        open(tab, path).await?;
        expect(tab, path, SMALL, json!([])).await?;
    }
    for lab in LABS {
        open_lab(tab, lab, "").await?;
        expect(tab, lab.id, SMALL, json!([])).await?;
        enter(tab, lab, "finished").await?;
        expect(tab, lab.id, SMALL, json!([])).await?;
    }
    Ok(())
}

pub(crate) async fn a_window_does_not_scroll_sideways(tab: &mut Tab) -> Outcome {
    let mut complaints = Vec::new();
    for path in files() {
        open(tab, &path).await?;
        for width in [1280, 820] {
            tab.resize(width, 900).await?;
            tab.idle(Duration::from_millis(60)).await;
            expect_fits(tab, &format!("{path} at {width} px"), &mut complaints).await?;
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n").into()) }
}

/// Elements that reach past the right edge, for the message.
const WIDE: &str = "[...document.querySelectorAll('body *')].filter(node => {
        const box = node.getBoundingClientRect();
        if (box.width === 0 || box.right <= document.documentElement.clientWidth + 1) return false;
        for (let up = node.parentElement; up; up = up.parentElement)
            if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(up).overflowX) && up !== document.body
                && up !== document.documentElement) return false;
        return true;
    }).slice(0, 4).map(node => node.outerHTML.slice(0, 100))";

async fn expect_narrow(tab: &mut Tab, doing: &str, complaints: &mut Vec<String>) -> Outcome {
    for percent in [100, 200] {
        tab.text_size(percent).await?;
        tab.idle(Duration::from_millis(60)).await;
        expect_fits(tab, &format!("{doing} {percent}%"), complaints).await?;
    }
    Ok(())
}

/// Unfolds everything that a reader of a lab can unfold, one glossary card included.
pub(crate) async fn unfold(tab: &Tab) -> Outcome {
    let script =
        "document.querySelectorAll('details:not([open]) > summary, .knob-actions button:first-child')
        .forEach(one => one.click());
        document.querySelector('.term-name')?.focus();";
    tab.eval(script, Vec::new()).await.map(drop)
}

/// Notes by how much a page is too wide, and what makes it so.
pub(crate) async fn expect_fits(tab: &Tab, doing: &str, complaints: &mut Vec<String>) -> Outcome {
    let over = tab.sideways_overflow().await?;
    if over > 0 {
        complaints.push(format!("{doing}: {over} px: {}", tab.value(WIDE).await?));
    }
    Ok(())
}

pub(crate) async fn a_phone_does_not_scroll_sideways(tab: &mut Tab) -> Outcome {
    let mut complaints = Vec::new();
    for lang in ["en", "ja"] {
        for page in [HOME, PROOF] {
            tab.in_frame(320, &format!("{page}?lang={lang}")).await?;
            crate::journeys::bench::ready(tab).await?;
            expect_narrow(tab, &format!("{page} {lang}"), &mut complaints).await?;
        }
        for lab in LABS {
            let path = format!("{}?lang={lang}#{}", file(lab), guessed(lab));
            tab.in_frame(320, &path).await?;
            crate::journeys::bench::ready(tab).await?;
            unfold(tab).await?;
            expect_narrow(tab, &format!("{} {lang}", lab.id), &mut complaints).await?;
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n").into()) }
}

pub(crate) async fn a_phone_keeps_the_player_in_sight(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        tab.in_frame(320, &file(lab)).await?;
        crate::journeys::bench::ready(tab).await?;
        let seen = "(box => box.bottom <= innerHeight + 1 && box.top >= 0 && box.height < innerHeight / 2)(
            document.querySelector('.player').getBoundingClientRect())";
        tab.eval("document.querySelector('.stage').scrollIntoView({ block: 'start' })", Vec::new()).await?;
        expect(tab, lab.id, seen, true).await?;
        let above = "document.querySelector('.predict').getBoundingClientRect().top
            < document.querySelector('.stage').getBoundingClientRect().top";
        expect(tab, "the question stands above the stage", above, true).await?;
    }
    Ok(())
}
