//! Prediction first, and the fork that keeps the old future.

use serde_json::{Value, json};
use tokenyard_browser_tests::{By, Emulation, Outcome, Tab};
use tokenyard_lab::labs::LABS;
use tokenyard_lab::{Arg, Ask, Fork, LabSpec, Setup, Words, msg};

use crate::journeys::bench::{
    SOON, TABLE, collapsed, english, expect, expect_step, expect_table, fragment, herding, open_lab,
    set_param, table, text_of,
};

const PLAYING: &str = "!!document.querySelector('.player .is-main[aria-label=Pause]')";

/// What the page says of a guess.
fn said(lab: &LabSpec, setup: &Setup, words: &Words, guess: f64) -> String {
    let arg = |value: f64| match lab.prediction.ask {
        Ask::Number { digits, .. } => Arg::Fixed(value, digits),
        Ask::Choice(_) => Arg::Key(format!("predict.option.{value}")),
    };
    let outcome = arg((lab.prediction.outcome)(setup));
    let key = if arg(guess) == outcome { "predict.exact" } else { "predict.said" };
    words.say(&msg(key).with("guess", arg(guess)).with("outcome", outcome))
}

/// A guess that the form can make, and making it.
async fn guess(tab: &Tab, lab: &LabSpec, words: &Words) -> Result<f64, tokenyard_browser_tests::Failure> {
    match lab.prediction.ask {
        Ask::Number { min, max, step, .. } => {
            let value = min + ((max - min) / 3.0 / step).floor() * step;
            tab.set_value("#guess", &value.to_string()).await?;
            expect(tab, "the guess", &text_of(".guess-value"), value.to_string()).await?;
            tab.click(".predict .is-primary").await?;
            Ok(value)
        }
        Ask::Choice(_) => {
            assert_eq!(
                tab.text(".predict-options button:nth-child(2)").await?,
                words.get("predict.option.1")
            );
            tab.click(".predict-options button:nth-child(2)").await?;
            Ok(1.0)
        }
    }
}

pub(crate) async fn covers_what_would_answer(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        let (setup, words) = (lab.defaults(), english(tab, lab)?);
        let rows = lab.table(&setup);
        // Where the question is about another setting, no row of this one answers it.
        let hides = rows.rows.iter().any(|row| row.answers);
        assert!(hides || !lab.prediction.reveal.is_empty(), "{}: the answer stands there", lab.id);
        open_lab(tab, lab, "").await?;
        expect(tab, lab.id, TABLE, table(lab, &rows, &words, true)).await?;
        let question = collapsed(&words.say(&(lab.prediction.question)(&setup)));
        expect(tab, "the question", &text_of(".predict-ask"), question).await?;
        assert!(tab.has(By::Text(words.get("predict.skip"))).await?, "{}: always skippable", lab.id);
        assert_eq!(tab.has(By::Text(words.get("predict.covered-note"))).await?, hides, "{}", lab.id);
        // Many seeds would answer, too.
        assert_eq!(tab.has(By::Text(words.get("luck.covered"))).await?, lab.has_seed(), "{}", lab.id);
        let step = lab.run(&setup).moments().first().map_or(0, |moment| moment.step);
        // No covered decision either.
        let decisions = lab.run(&setup).decisions(step);
        let shown: Vec<String> =
            decisions.iter().filter(|d| !d.answers).map(|d| words.say(&d.title)).collect();
        expect(tab, "the decisions", DECISIONS, json!(shown)).await?;
    }
    tab.expect_clean().await
}

const DECISIONS: &str =
    "[...document.querySelectorAll('.why-pick option')].map(option => option.textContent)";

pub(crate) async fn a_guess_uncovers_and_plays(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        let words = english(tab, lab)?;
        let mut setup = lab.defaults();
        open_lab(tab, lab, "").await?;
        let guess = guess(tab, lab, &words).await?;
        setup.apply(lab.prediction.reveal);
        tab.wait_until("the run plays", PLAYING, SOON).await?;
        expect(tab, lab.id, &text_of(".predict-said"), said(lab, &setup, &words, guess)).await?;
        expect_table(tab, lab, &setup, &words).await?;
        tab.click(".player .is-main").await?;
        let carried = format!("location.hash.includes('guess={guess}')");
        tab.wait_until("the guess travels in the link", &carried, SOON).await?;
        let fragment = tab.value("location.hash.slice(1)").await?;
        open_lab(tab, lab, fragment.as_str().unwrap_or_default()).await?;
        expect(tab, "it arrives", &text_of(".predict-said"), said(lab, &setup, &words, guess)).await?;
        expect_table(tab, lab, &setup, &words).await?;
        tab.click(By::Text(words.get("predict.again"))).await?;
        expect(tab, "it can be guessed again", TABLE, table(lab, &lab.table(&setup), &words, true)).await?;
    }
    tab.expect_clean().await
}

pub(crate) async fn a_skip_uncovers(tab: &mut Tab) -> Outcome {
    tab.emulate(Emulation { dark: false, reduced_motion: true }).await?;
    for lab in LABS {
        let words = english(tab, lab)?;
        let mut setup = lab.defaults();
        open_lab(tab, lab, "").await?;
        tab.click(By::Text(words.get("predict.skip"))).await?;
        setup.apply(lab.prediction.reveal);
        expect(tab, lab.id, &text_of(".predict-said"), words.get("predict.skipped")).await?;
        expect_table(tab, lab, &setup, &words).await?;
        assert_eq!(tab.value(PLAYING).await?, false, "reduced motion: nothing plays by itself");
        assert_eq!(tab.value("location.hash.includes('guess')").await?, false);
    }
    tab.expect_clean().await
}

/// Names of the lines of the first chart, from its table twin.
const LINES: &str =
    "[...document.querySelectorAll('.chart .twin thead th')].slice(1).map(th => th.textContent)";

/// The same, computed here.
fn lines(lab: &LabSpec, setup: &Setup, step: u32, words: &Words) -> Value {
    let figures = lab.run(setup).figures(step);
    json!(figures[0].series.iter().map(|series| words.say(&series.name)).collect::<Vec<_>>())
}

pub(crate) async fn a_fork_keeps_its_ghost(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let (words, plain) = (english(tab, lab)?, lab.defaults());
    open_lab(tab, lab, "guess=21&step=31").await?;
    expect_step(tab, lab, &plain, &words, 30).await?;
    tab.click(By::Text(words.get("player.fork"))).await?;
    let forked = words.say(&msg("player.forked").with("n", 31_u32));
    expect(tab, "it says so", &text_of(".fork [role=status]"), forked.clone()).await?;
    set_param(tab, lab, "scrape_interval", "1").await?;
    let then = lab.with(&[("scrape_interval", "1")]).values;
    let setup = Setup { fork: Some(Fork { step: 30, values: then }), ..plain.clone() };
    expect_table(tab, lab, &setup, &words).await?;
    assert_ne!(lab.table(&setup), lab.table(&plain), "the future differs");
    tab.click(".chart .twin-box summary").await?;
    let ghosts = lines(lab, &setup, 30, &words);
    assert_ne!(ghosts, lines(lab, &plain, 30, &words), "there is a ghost");
    expect(tab, "the old future stays", LINES, ghosts.clone()).await?;
    let link = fragment(lab, &setup, 30, Some(21.0));
    assert!(link.contains("fork=31&then.interval=1"), "{link}");
    expect(tab, "the link", "location.hash.slice(1)", link).await?;
    tab.reload().await?;
    expect_table(tab, lab, &setup, &words).await?;
    expect(tab, "it says so", &text_of(".fork [role=status]"), forked).await?;
    tab.click(".chart .twin-box summary").await?;
    expect(tab, "the ghost is back", LINES, ghosts).await?;
    tab.click(By::Text(words.get("player.unfork"))).await?;
    expect_table(tab, lab, &plain, &words).await?;
    tab.expect_clean().await
}
