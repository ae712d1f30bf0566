//! How the page answers a hand: a dragged knob, a jump of the player.

use std::time::Duration;

use serde_json::json;
use tokenyard_browser_tests::{Outcome, Tab};

use crate::load::SLOWDOWN;
use crate::{quantile, samples, say, sorted};

const READY: Duration = Duration::from_secs(20);

/// The knob that is dragged, in two labs: the lightest model and the heaviest.
const DRAGGED: &[(&str, &str, &str)] =
    &[("light", "herding", "scrape_interval"), ("heavy", "routing-lab", "arrival_rate")];

/// From each `input` event to the end of the frame that follows it.
const WATCH: &str = "window.tokenyardFrames = [];
    addEventListener('input', event => requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => window.tokenyardFrames.push(performance.now() - event.timeStamp);
        channel.port2.postMessage(null);
    }), true);";

async fn open(tab: &mut Tab, path: &str) -> Outcome {
    tab.open_fresh(path).await?;
    tab.wait_until("the application runs", "document.documentElement.dataset.ready", READY).await?;
    // Without a guess half of the scene is covered, and less is drawn.
    tab.click(".predict-actions .link-button").await
}

/// Interaction to next paint while a knob is dragged to and fro.
pub(crate) async fn drag(tab: &mut Tab) -> Outcome {
    for (name, lab, knob) in DRAGGED {
        open(tab, &format!("labs/{lab}/index.html")).await?;
        tab.eval(WATCH, Vec::new()).await?;
        tab.throttle_cpu(SLOWDOWN).await?;
        let range = format!("[data-knob={knob}] input[type=range]");
        for turn in 0..samples(2, 6) {
            tab.drag_range(range.as_str(), if turn % 2 == 0 { 0.95 } else { 0.05 }, 40).await?;
        }
        tab.throttle_cpu(1.0).await?;
        let frames = sorted(&tab.value("tokenyardFrames").await?)?;
        say(&format!("drag.{name}.samples"), frames.len());
        say(&format!("drag.{name}.p95.ms"), format!("{:.0}", quantile(&frames, 0.95)));
    }
    Ok(())
}

/// Jumps of the player to places all over the longest run a link can ask for. Each takes until
/// everything that follows from the step has been computed and written into the document.
pub(crate) async fn seek(tab: &mut Tab) -> Outcome {
    open(tab, "labs/routing-lab/index.html#count=2000").await?;
    let script = "const done = arguments[arguments.length - 1], jumps = arguments[0], times = [];
        const range = document.querySelector('.scrubber input[type=range]'), last = Number(range.max);
        const channel = new MessageChannel();
        let at = 1, start = 0;
        const jump = () => {
            at = at * 16807 % 2147483647;
            start = performance.now();
            range.value = String(1 + at % last);
            range.dispatchEvent(new Event('input', { bubbles: true }));
            channel.port2.postMessage(null);
        };
        channel.port1.onmessage = () => {
            void document.body.offsetHeight;
            times.push(performance.now() - start);
            if (times.length < jumps) requestAnimationFrame(jump); else done([last, times]);
        };
        jump();";
    let answer = tab.client().execute_async(script, vec![json!(samples(60, 300))]).await?;
    let times = sorted(&answer[1])?;
    say("seek.steps", &answer[0]);
    say("seek.median.ms", format!("{:.1}", quantile(&times, 0.5)));
    say("seek.p95.ms", format!("{:.1}", quantile(&times, 0.95)));
    Ok(())
}
