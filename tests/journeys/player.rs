//! One player in every lab: by button, by scrubber, by key, and over time.

use std::time::Duration;

use serde_json::Value;
use tokenyard_browser_tests::{Failure, Outcome, Tab};
use tokenyard_lab::labs::LABS;

use crate::journeys::bench::{SOON, english, expect, expect_step, guessed, herding, open_lab};

const PLAY: &str = "document.querySelector('.player .is-main').getAttribute('aria-label')";
const STEP: &str = "Number(document.querySelector('.player input[type=range]').value)";

/// Clicks the player's button with this name.
async fn press(tab: &Tab, name: &str) -> Outcome {
    tab.click(format!(".player button[aria-label='{name}']").as_str()).await
}

pub(crate) async fn opens_paused_and_steps(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        let (setup, words) = (lab.defaults(), english(tab, lab)?);
        let opening = lab.run(&setup).moments().first().map_or(0, |moment| moment.step);
        open_lab(tab, lab, "").await?;
        expect_step(tab, lab, &setup, &words, opening).await?;
        expect(tab, "it opens paused", PLAY, words.get("player.play")).await?;
        press(tab, words.get("player.back")).await?;
        expect_step(tab, lab, &setup, &words, opening.saturating_sub(1)).await?;
        press(tab, words.get("player.restart")).await?;
        expect_step(tab, lab, &setup, &words, 0).await?;
        press(tab, words.get("player.forward")).await?;
        press(tab, words.get("player.forward")).await?;
        expect_step(tab, lab, &setup, &words, 2).await?;
    }
    tab.expect_clean().await
}

pub(crate) async fn scrubs(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        let (setup, words) = (lab.defaults(), english(tab, lab)?);
        let steps = lab.run(&setup).steps();
        open_lab(tab, lab, "").await?;
        // A little past the ends, as a hand does.
        tab.drag_range(".player input[type=range]", 1.05, 6).await?;
        expect_step(tab, lab, &setup, &words, steps - 1).await?;
        tab.drag_range(".player input[type=range]", -0.05, 6).await?;
        expect_step(tab, lab, &setup, &words, 0).await?;
        for step in [steps / 2, steps - 1, 1] {
            tab.set_value(".player input[type=range]", &(step + 1).to_string()).await?;
            expect_step(tab, lab, &setup, &words, step).await?;
        }
        let text = tab.attr(".player input[type=range]", "aria-valuetext").await?.unwrap_or_default();
        let say = words.say(&lab.run(&setup).say(1));
        assert!(text.contains(&say), "{}: the scrubber says \"{text}\"", lab.id);
    }
    Ok(())
}

pub(crate) async fn obeys_keys(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        let (setup, words) = (lab.defaults(), english(tab, lab)?);
        let last = lab.run(&setup).steps() - 1;
        open_lab(tab, lab, "").await?;
        tab.focus(".player").await?;
        for (keys, step) in [
            ("Home", 0),
            ("ArrowRight ArrowRight ArrowUp ArrowLeft", 2),
            ("Shift+ArrowRight", 12.min(last)),
            ("ArrowDown", 12.min(last) - 1),
            ("End ArrowRight", last),
            ("Shift+ArrowLeft", last.saturating_sub(10)),
        ] {
            tab.keys(keys).await?;
            expect_step(tab, lab, &setup, &words, step).await.map_err(|failure| failure.during(keys))?;
        }
    }
    tab.expect_clean().await
}

pub(crate) async fn obeys_letters(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let words = english(tab, lab)?;
    open_lab(tab, lab, "").await?;
    let speed = "document.querySelector('.speed').value";
    tab.focus(".player").await?;
    tab.keys("Shift+>").await?;
    expect(tab, "faster", speed, "2").await?;
    tab.keys("Shift+< Shift+<").await?;
    expect(tab, "slower", speed, "0.5").await?;
    for key in ["Space", "k"] {
        tab.keys(key).await?;
        expect(tab, key, PLAY, words.get("player.pause")).await?;
        tab.keys(key).await?;
        expect(tab, key, PLAY, words.get("player.play")).await?;
    }
    let help = "document.querySelector('.player-keys').hidden";
    tab.keys("Shift+?").await?;
    expect(tab, "help", help, false).await?;
    tab.keys("Shift+?").await?;
    expect(tab, "no help", help, true).await?;
    tab.keys("Escape").await?;
    expect(tab, "Escape leaves", "!!document.activeElement.closest('.player')", false).await?;
    // Letters do nothing outside of the player.
    let before = tab.value(STEP).await?;
    tab.keys("k ArrowRight").await?;
    tab.idle(Duration::from_millis(300)).await;
    assert_eq!(tab.value(STEP).await?, before);
    expect(tab, "still paused", PLAY, words.get("player.play")).await
}

pub(crate) async fn plays_to_its_end_and_over(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let (setup, words) = (lab.defaults(), english(tab, lab)?);
    let last = lab.run(&setup).steps() - 1;
    open_lab(tab, lab, &format!("step={}", last - 1)).await?;
    tab.choose(".speed", "8").await?;
    tab.click(".player .is-main").await?;
    expect_step(tab, lab, &setup, &words, last).await?;
    expect(tab, "it stops at its end", PLAY, words.get("player.play")).await?;
    tab.click(".player .is-main").await?;
    tab.wait_until("play starts over", &format!("{STEP} > 1 && {STEP} < {last}"), SOON).await?;
    press(tab, words.get("player.loop")).await?;
    assert_eq!(
        tab.attr(".player button[aria-pressed]", "aria-pressed").await?.as_deref(),
        Some("true"),
        "repeat is pressed"
    );
    tab.focus(".player").await?;
    tab.keys("End ArrowLeft k").await?;
    let again = format!("{STEP} < 10 && {PLAY} === {}", Value::from(words.get("player.pause")));
    tab.wait_until("with repeat it starts over by itself", &again, SOON).await
}

/// Time spent at each step, in the order of the steps, for a page that plays.
const WATCH: &str = "window.stays = {}; let last = performance.now(), at = null;
    const field = document.querySelector('.position');
    new MutationObserver(() => {
        const now = performance.now();
        if (at !== null) window.stays[at] = now - last;
        at = parseInt(field.textContent); last = now;
    }).observe(field, { subtree: true, childList: true, characterData: true });";

pub(crate) async fn dwells_at_key_moments(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let moments = lab.run(&lab.defaults()).moments();
    let moment = moments.first().ok_or("a run without key moments")?.step;
    open_lab(tab, lab, &format!("step={}", moment.saturating_sub(4).max(1))).await?;
    tab.eval(WATCH, Vec::new()).await?;
    tab.click(".player .is-main").await?;
    tab.wait_until("it goes past the moment", &format!("{STEP} > {}", moment + 5), SOON).await?;
    tab.click(".player .is-main").await?;
    let stays = tab.value("window.stays").await?;
    let mut others: Vec<f64> = stays
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(step, _)| moments.iter().all(|m| (m.step + 1).to_string() != **step))
        .filter_map(|(_, stay)| stay.as_f64())
        .collect();
    others.sort_by(f64::total_cmp);
    let usual = others.get(others.len() / 2).copied().ok_or("nothing was played")?;
    let dwell = stays[(moment + 1).to_string()].as_f64().ok_or_else(|| Failure::new(stays.to_string()))?;
    // No time is asserted, only that it stays longer there than anywhere else usually.
    assert!(dwell > 2.0 * usual, "it stays {dwell} ms at the moment and {usual} ms elsewhere");
    Ok(())
}

pub(crate) async fn pauses_when_hidden(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let words = english(tab, lab)?;
    open_lab(tab, lab, &guessed(lab)).await?;
    tab.choose(".speed", "0.25").await?;
    tab.click(".player .is-main").await?;
    expect(tab, "it plays", PLAY, words.get("player.pause")).await?;
    tab.minimize().await?;
    expect(tab, "a hidden page pauses", PLAY, words.get("player.play")).await?;
    let hidden = tab.value(STEP).await?;
    tab.restore().await?;
    tab.idle(Duration::from_millis(800)).await;
    assert_eq!(tab.value(STEP).await?, hidden, "it goes on only when asked");
    tab.eval("scrollTo(0, 0)", Vec::new()).await?;
    tab.click(".player .is-main").await?;
    expect(tab, "it plays again", PLAY, words.get("player.pause")).await?;
    tab.eval("scrollTo(0, document.documentElement.scrollHeight)", Vec::new()).await?;
    expect(tab, "out of sight it pauses", PLAY, words.get("player.play")).await
}
