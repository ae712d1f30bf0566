//! Knobs: what they change, what they refuse, and what the address says about them.

use serde_json::{Value, json};
use tokenyard_browser_tests::{Failure, Outcome, Tab};
use tokenyard_lab::labs::LABS;
use tokenyard_lab::{Arg, LabSpec, msg};
use tokenyard_param::{Kind, ParamSpec};

use crate::journeys::bench::{
    SOON, TABLE, english, expect, expect_step, expect_table, fragment, guessed, herding, open, open_lab,
    set_param, table, text_of,
};

/// The first parameter with a slider: a whole number, which one number of the range spells.
fn slider(lab: &'static LabSpec) -> Option<&'static ParamSpec> {
    lab.params.iter().find(|p| matches!(p.kind, Kind::Int { min, max, .. } if max - min <= 10_000))
}

fn knob(key: &str, part: &str) -> String {
    format!("[data-knob='{key}'] {part}")
}

fn field(key: &str) -> String {
    format!("document.querySelector({}).value", json!(knob(key, "input[type=text]")))
}

/// Opens what is behind "More settings".
async fn more(tab: &Tab) -> Outcome {
    let script = "const button = document.querySelector('.knob-actions button[aria-expanded=false]'); \
        if (button) button.click();";
    tab.eval(script, Vec::new()).await?;
    tab.wait_until("more settings are open", "!document.querySelector('.knobs .more').hidden", SOON).await
}

pub(crate) async fn a_drag_changes_the_table(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        let Some(spec) = slider(lab) else { continue };
        let Kind::Int { max, .. } = spec.kind else { continue };
        let words = english(tab, lab)?;
        open_lab(tab, lab, &guessed(lab)).await?;
        more(tab).await?;
        let range = knob(spec.key, "input[type=range]");
        tab.drag_range(range.as_str(), 1.0, 8).await?;
        expect(tab, "the end of the track is the largest value", &field(spec.key), max.to_string()).await?;
        expect_table(tab, lab, &lab.with(&[(spec.key, &max.to_string())]), &words).await?;
        tab.drag_range(range.as_str(), 0.4, 8).await?;
        let middle = tab.value(&field(spec.key)).await?;
        let middle = middle.as_str().ok_or("a field without text")?.to_owned();
        assert_ne!(middle, max.to_string(), "{}: the thumb moved", lab.id);
        expect_table(tab, lab, &lab.with(&[(spec.key, &middle)]), &words).await?;
    }
    tab.expect_clean().await
}

pub(crate) async fn the_newest_value_wins(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let words = english(tab, lab)?;
    open_lab(tab, lab, &guessed(lab)).await?;
    let script = "const range = document.querySelector(arguments[0]);
        for (let value = 1; value <= 60; value++) {
            range.value = value; range.dispatchEvent(new Event('input', { bubbles: true }));
        }
        range.value = 7; range.dispatchEvent(new Event('input', { bubbles: true }));";
    tab.eval(script, vec![knob("scrape_interval", "input[type=range]").into()]).await?;
    expect_table(tab, lab, &lab.with(&[("scrape_interval", "7")]), &words).await
}

pub(crate) async fn a_typed_value_counts(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let words = english(tab, lab)?;
    open_lab(tab, lab, &guessed(lab)).await?;
    let number = knob("scrape_interval", "input[type=text]");
    tab.fill(number.as_str(), "23").await?;
    tab.keys("Tab").await?;
    expect_table(tab, lab, &lab.with(&[("scrape_interval", "23")]), &words).await?;
    for (given, wrong) in [("999", true), ("0", true), ("ten", true), ("23", false)] {
        tab.fill(number.as_str(), given).await?;
        tab.keys("Tab").await?;
        let error = knob("scrape_interval", ".knob-error");
        let hidden = format!("document.querySelector({}).hidden", json!(error));
        expect(tab, given, &hidden, !wrong).await?;
        if wrong {
            let range = msg("knobs.range").with("min", Arg::Int(1)).with("max", Arg::Int(60));
            let refusal = msg("knobs.bad")
                .with("name", Arg::Key("param.scrape_interval.name".to_owned()))
                .with("given", given.to_owned())
                .with("allowed", range);
            expect(tab, "the refusal", &text_of(&error), words.say(&refusal)).await?;
            assert!(tab.has(error.as_str()).await?);
        }
        // Nothing has changed, neither the run nor the slider.
        expect_table(tab, lab, &lab.with(&[("scrape_interval", "23")]), &words).await?;
        assert_eq!(tab.property(knob("scrape_interval", "input[type=range]").as_str(), "value").await?, "23");
    }
    tab.expect_clean().await
}

pub(crate) async fn buttons_and_keys_step(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let words = english(tab, lab)?;
    open_lab(tab, lab, &guessed(lab)).await?;
    let value = field("scrape_interval");
    let [less, more_of] = ["knobs.less", "knobs.more-of"]
        .map(|key| words.say(&msg(key).with("name", Arg::Key("param.scrape_interval.name".to_owned()))));
    let button = |name: &str| knob("scrape_interval", &format!("button[aria-label='{name}']"));
    tab.click(button(&more_of).as_str()).await?;
    expect(tab, "plus", &value, "11").await?;
    tab.click(button(&less).as_str()).await?;
    tab.click(button(&less).as_str()).await?;
    expect(tab, "minus", &value, "9").await?;
    tab.focus(knob("scrape_interval", "input[type=range]").as_str()).await?;
    tab.keys("ArrowRight ArrowRight").await?;
    expect(tab, "arrows", &value, "11").await?;
    let Some(Kind::Int { page, .. }) = slider(lab).map(|spec| spec.kind) else {
        return Err("the first knob of herding is a whole number".into());
    };
    tab.keys("PageUp").await?;
    expect(tab, "a page up", &value, (11 + page).to_string()).await?;
    tab.keys("PageDown PageDown").await?;
    expect(tab, "pages down", &value, (11 - page).max(1).to_string()).await?;
    let reset =
        words.say(&msg("knobs.reset").with("name", Arg::Key("param.scrape_interval.name".to_owned())));
    tab.click(button(&reset).as_str()).await?;
    expect(tab, "reset", &value, "10").await?;
    expect_table(tab, lab, &lab.defaults(), &words).await?;
    let hidden = "document.querySelector('.knobs .more').hidden";
    assert_eq!(tab.value(hidden).await?, true, "at most three knobs are in sight");
    more(tab).await?;
    set_param(tab, lab, "replicas", "9").await?;
    set_param(tab, lab, "stagger", "random").await?;
    expect_table(tab, lab, &lab.with(&[("replicas", "9"), ("stagger", "random")]), &words).await?;
    tab.click(".knob-actions button:last-child").await?;
    expect_table(tab, lab, &lab.defaults(), &words).await
}

/// Two different allowed values of a parameter, the default not among them, as link text.
fn others(kind: &Kind) -> Vec<String> {
    match *kind {
        Kind::Int { min, max, default, .. } => {
            [min, max].iter().filter(|v| **v != default).map(i64::to_string).collect()
        }
        Kind::OptInt { min, max, .. } => vec!["none".to_owned(), (min + 1).min(max).to_string()],
        Kind::Real { min, max, .. } => vec![min.to_string(), max.to_string()],
        Kind::Switch { default } => vec![if default { "off" } else { "on" }.to_owned()],
        Kind::Choice { options, default } => {
            let rest = options.iter().enumerate().filter(|(i, _)| *i != usize::from(default));
            rest.map(|(_, o)| (*o).to_owned()).take(2).collect()
        }
        Kind::Text { .. } => vec!["edge <b>&amp;".to_owned()],
    }
}

pub(crate) async fn every_parameter_reaches_the_table(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        let words = english(tab, lab)?;
        open_lab(tab, lab, &guessed(lab)).await?;
        for spec in lab.params {
            // The corners of the count would only take long.
            for text in others(&spec.kind).iter().take(if spec.key == "count" { 1 } else { 2 }) {
                set_param(tab, lab, spec.key, text).await?;
                let setup = lab.with(&[(spec.key, text)]);
                let doing = format!("{} {} = {text}", lab.id, spec.key);
                expect_table(tab, lab, &setup, &words).await.map_err(|failure| failure.during(&doing))?;
            }
            tab.click(".knob-actions button:last-child").await?;
        }
    }
    tab.expect_clean().await
}

pub(crate) async fn the_address_follows(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let words = english(tab, lab)?;
    open(tab, "index.html").await?;
    tab.click(format!(".lab-card[href$='labs/{}/index.html']", lab.id).as_str()).await?;
    expect(tab, "the lab", "document.documentElement.dataset.page", "labs/herding").await?;
    let before = tab.value("history.length").await?;
    let hash = "location.hash.slice(1)";
    let opening = lab.run(&lab.defaults()).moments().first().map_or(0, |moment| moment.step);
    set_param(tab, lab, "scrape_interval", "5").await?;
    // The player stays where it is, so the link says where that is.
    let five = fragment(lab, &lab.with(&[("scrape_interval", "5")]), opening, None);
    expect(tab, "the address", hash, five).await?;
    set_param(tab, lab, "scrape_interval", "6").await?;
    set_param(tab, lab, "routers", "2").await?;
    tab.set_value(".player input[type=range]", "41").await?;
    expect(tab, "the address", hash, "interval=6&routers=2&step=41").await?;
    assert_eq!(tab.value("history.length").await?, before, "knobs add nothing to the history");
    tab.back().await?;
    expect(tab, "back is the page before", "document.documentElement.dataset.page", "home").await?;
    tab.forward().await?;
    expect(tab, "forward", "document.documentElement.dataset.page", "labs/herding").await?;
    let setup = lab.with(&[("scrape_interval", "6"), ("routers", "2")]);
    expect_step(tab, lab, &setup, &words, 40).await?;
    expect(tab, "the address", hash, "interval=6&routers=2&step=41").await
}

pub(crate) async fn reload_restores(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        let words = english(tab, lab)?;
        let Some(spec) = lab.params.first() else { continue };
        let Some(text) = others(&spec.kind).into_iter().next_back() else { continue };
        let setup = lab.with(&[(spec.key, &text)]);
        let step = lab.run(&setup).steps() / 2;
        open_lab(tab, lab, &guessed(lab)).await?;
        set_param(tab, lab, spec.key, &text).await?;
        tab.set_value(".player input[type=range]", &(step + 1).to_string()).await?;
        expect_step(tab, lab, &setup, &words, step).await?;
        let said = tab.value(&text_of(".predict-said")).await?;
        let all = format!(
            "location.hash.includes({}) && location.hash.includes('guess=')",
            json!(format!("{}=", spec.link))
        );
        tab.wait_until("the address has it all", &all, SOON).await?;
        let stepped = format!("location.hash.includes('step={}')", step + 1);
        let opening = lab.run(&setup).moments().first().map_or(0, |m| m.step) == step;
        tab.wait_until("the step is in it", &format!("{stepped} || {opening}"), SOON).await?;
        let address = tab.url().await?;
        tab.reload().await?;
        expect_step(tab, lab, &setup, &words, step).await?;
        expect_table(tab, lab, &setup, &words).await?;
        expect(tab, "the guess", &text_of(".predict-said"), said).await?;
        assert_eq!(tab.url().await?, address);
    }
    tab.expect_clean().await
}

pub(crate) async fn the_lab_before_comes_back_as_it_was(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let words = english(tab, lab)?;
    open_lab(tab, lab, &guessed(lab)).await?;
    tab.eval("window.marker = 1", Vec::new()).await?;
    set_param(tab, lab, "scrape_interval", "4").await?;
    expect(tab, "the address", "location.hash.includes('interval=4')", true).await?;
    set_param(tab, lab, "scrape_interval", "3").await?;
    expect(tab, "the address", "location.hash.includes('interval=3')", true).await?;
    tab.click(".closing a.button").await?;
    expect(tab, "another lab", "document.documentElement.dataset.page !== 'labs/herding'", true).await?;
    tab.back().await?;
    expect(tab, "the lab before", "document.documentElement.dataset.page", "labs/herding").await?;
    assert_eq!(tab.value("window.marker").await?, Value::from(1));
    let setup = lab.with(&[("scrape_interval", "3")]);
    expect_table(tab, lab, &setup, &words).await?;
    let covered = table(lab, &lab.table(&setup), &words, true);
    if tab.value(TABLE).await? == covered {
        return Err(Failure::new("the guess was lost"));
    }
    Ok(())
}
