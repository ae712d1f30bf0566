//! State in the link: shared, old, broken and hostile.

use serde_json::json;
use tokenyard_browser_tests::{By, Failure, Outcome, Tab};
use tokenyard_lab::labs::LABS;
use tokenyard_lab::{Arg, LabSpec, Words, link, msg};

use crate::journeys::bench::{
    SOON, english, expect, expect_step, expect_table, file, herding, open, open_lab, ready, text_of,
};

const NOTICES: &str = "[...document.querySelectorAll('.notices li')].map(line => line.textContent)";

/// Shows that the page of a fragment is whole: what can be used is used, the rest is named.
async fn expect_whole(tab: &mut Tab, lab: &LabSpec, words: &Words, fragment: &str) -> Outcome {
    let seen: String = fragment.chars().take(60).collect();
    let (state, notices) = link::read(lab, fragment);
    let run = lab.run(&state.setup);
    let last = run.steps() - 1;
    let opening = run.moments().first().map_or(0, |moment| moment.step);
    let beyond = state.step.is_some_and(|step| step > last);
    expect_step(tab, lab, &state.setup, words, state.step.map_or(opening, |step| step.min(last)))
        .await
        .map_err(|failure| failure.during(&seen))?;
    let count = notices.len() + usize::from(beyond) + usize::from(state.headline.is_some());
    expect(tab, &seen, &format!("{NOTICES}.length"), count).await?;
    expect(tab, &seen, "document.querySelector('.notices').hidden", count == 0).await?;
    let text = tab.value(NOTICES).await?;
    let bare = |line: &serde_json::Value| {
        line.as_str().is_none_or(|line| line.trim().len() < 20 || line.contains('{'))
    };
    if text.as_array().into_iter().flatten().any(bare) {
        return Err(Failure::new(format!("{seen}: a notice without its words: {text}")));
    }
    expect(tab, "no panic", "document.getElementById('stopped').hidden", true).await
}

pub(crate) async fn hostile_links_leave_a_whole_page(tab: &mut Tab) -> Outcome {
    let long = format!("interval={}", "9".repeat(3000));
    for lab in LABS {
        let words = english(tab, lab)?;
        open_lab(tab, lab, "tick=1&step=3").await?;
        expect_whole(tab, lab, &words, "tick=1&step=3").await?;
        for fragment in [
            long.as_str(),
            "unknown=1&<img src=x onerror=alert(1)>=2",
            "seed=99999999999999999999&replicas=-4",
            "seed=5&seed=6&step=2&step=3",
            "v=999&h=1,2,3,4",
            "step=4000000000&guess=NaN&fork=0",
            "%%%&=&&&==&%E0%A4%A&%00=%07",
            "fork=2&then.interval=0&then.nothing=1&then.horizon=3",
            "h=%3Cscript%3E&v=-1&guess=1e999",
        ] {
            // Edited in the address bar: the page stays and reads again.
            tab.open(&format!("{}#{fragment}", file(lab))).await?;
            // As the engine spells it; the page itself soon writes a shorter one.
            let spelt = "return new URL('#' + arguments[0], location.href).hash.slice(1)";
            let fragment = tab.eval(spelt, vec![fragment.into()]).await?;
            expect_whole(tab, lab, &words, fragment.as_str().unwrap_or_default()).await?;
        }
    }
    tab.expect_clean().await
}

pub(crate) async fn notices_say_what_was_wrong(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let words = english(tab, lab)?;
    open_lab(tab, lab, "interval=999&colour=red&step=9999").await?;
    let range = msg("knobs.range").with("min", Arg::Int(1)).with("max", Arg::Int(60));
    let clamped = msg("link.value")
        .with("key", "scrape_interval".to_owned())
        .with("given", "999".to_owned())
        .with("allowed", range)
        .with("taken", "60".to_owned());
    let wanted = [
        words.say(&clamped),
        words.say(&msg("link.unknown").with("key", "colour".to_owned())),
        words.say(&msg("link.step").with("n", 9999_u32)),
    ];
    expect(tab, "the notices", NOTICES, json!(wanted)).await?;
    assert!(tab.has(".notices").await?);
    expect_table_of(tab, lab, &words, "interval=60").await?;
    // Somebody edits the address of the open page.
    tab.open(&format!("{}#interval=7", file(lab))).await?;
    expect_table_of(tab, lab, &words, "interval=7").await?;
    expect(tab, "no notice", NOTICES, json!([])).await
}

/// The uncovered rows must be those of the fragment: herding's first row never is covered.
async fn expect_table_of(tab: &mut Tab, lab: &LabSpec, words: &Words, fragment: &str) -> Outcome {
    let (state, _) = link::read(lab, fragment);
    let table = crate::journeys::bench::table(lab, &lab.table(&state.setup), words, true);
    expect(tab, fragment, crate::journeys::bench::TABLE, table).await
}

pub(crate) async fn headline_numbers_are_compared(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        let words = english(tab, lab)?;
        let setup = lab.with(lab.presets.last().map_or(&[], |preset| preset.set));
        let now = link::headline(&lab.table(&setup));
        let state = |version: u32, headline: &[String]| link::State {
            setup: setup.clone(),
            step: Some(1),
            version: Some(version),
            headline: Some(headline.to_vec()),
            ..link::State::fresh(lab)
        };
        open_lab(tab, lab, &link::write(lab, &state(lab.model_version, &now))).await?;
        expect(tab, lab.id, NOTICES, json!([words.get("link.same")])).await?;
        let mut was = now.clone();
        was[0] = "12345".to_owned();
        let edited = |state: &link::State| format!("{}#{}", file(lab), link::write(lab, state));
        tab.open(&edited(&state(lab.model_version, &was))).await?;
        let list = |all: &[String]| Arg::List(all.iter().map(|one| Arg::Text(one.clone())).collect());
        let differs = words.say(&msg("link.differs").with("was", list(&was)).with("now", list(&now)));
        expect(tab, lab.id, NOTICES, json!([differs])).await?;
        // A change of settings is not what the link promised, so the page stops comparing.
        tab.click(".knob-actions button:last-child").await?;
        expect(tab, "no more comparing", NOTICES, json!([])).await?;
        let newer = lab.model_version + 1;
        tab.open(&edited(&state(newer, &now))).await?;
        let notice = msg("link.newer").with("n", newer).with("own", lab.model_version);
        expect(tab, lab.id, NOTICES, json!([words.say(&notice), words.get("link.same")])).await?;
    }
    tab.expect_clean().await
}

pub(crate) async fn a_copied_link_reproduces_the_page(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let words = english(tab, lab)?;
    open_lab(tab, lab, "interval=5&seed=7&step=28&guess=12").await?;
    // The page's own clipboard call, heard: what a browser lets a test read differs.
    let hear = "try { Object.defineProperty(navigator, 'clipboard', { configurable: true, value: {
            writeText: text => { window.copied = text; return Promise.resolve(); } } }); } catch {}";
    tab.eval(hear, Vec::new()).await?;
    tab.click(By::Text(words.get("share.open"))).await?;
    tab.click(".share-dialog .share-row button").await?;
    tab.wait_until("the link is copied", "window.copied", SOON).await?;
    let copied = tab.value("window.copied").await?;
    let copied = copied.as_str().unwrap_or_default().to_owned();
    let said = words.say(&msg("share.length").with("n", copied.chars().count()));
    tab.wait_until(
        "it says how long",
        &format!("{}.startsWith({})", text_of(".share-row .note:not([role])"), json!(said)),
        SOON,
    )
    .await?;
    expect(tab, "it says so", &text_of(".share-row [role=status]"), words.get("share.copied")).await?;
    assert!(copied.len() <= 300, "{copied}");
    let fragment = copied.split_once('#').map(|(_, fragment)| fragment.to_owned()).unwrap_or_default();
    let (state, notices) = link::read(lab, &fragment);
    assert!(notices.is_empty() && state.headline.is_some() && state.version.is_some(), "{copied}");
    tab.open_fresh("index.html").await?;
    tab.open_address(&copied).await?;
    ready(tab).await?;
    expect(tab, "same", NOTICES, json!([words.get("link.same")])).await?;
    expect_step(tab, lab, &state.setup, &words, 27).await?;
    expect_table(tab, lab, &state.setup, &words).await?;
    tab.expect_clean().await
}

pub(crate) async fn without_a_clipboard_the_link_is_shown(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let words = english(tab, lab)?;
    open(tab, &format!("{}#interval=5", file(lab))).await?;
    let refuse = "Object.defineProperty(navigator, 'clipboard', { configurable: true, value: {
            writeText: () => Promise.reject(new Error('no')) } });";
    tab.eval(refuse, Vec::new()).await?;
    tab.click(By::Text(words.get("share.open"))).await?;
    tab.click(".share-dialog .share-row button").await?;
    expect(tab, "it says so", &text_of(".share-row [role=status]"), words.get("share.by-hand")).await?;
    let shown = "document.querySelector('#share-link').value.includes('#interval=5')";
    tab.wait_until("the link can be copied by hand", shown, SOON).await?;
    tab.expect_clean().await
}
