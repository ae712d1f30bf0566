//! Whether memory grows while a run is played over and over.

use std::time::Duration;

use serde_json::{Value, json};
use tokenyard_browser_tests::{Failure, Outcome, Stopwatch, Tab};

use crate::{samples, say};

/// Lets playback run as fast as it can, and stops it after so many steps.
const SCRIPT: &str = include_str!("playback.js");
/// After this long it is enough, and the figure says how many steps there were.
const LIMIT: Duration = Duration::from_secs(600);
/// Steps before the first look, in which caches fill.
const WARM_UP: usize = 500;

/// Growth of the page's memory over many steps of playback.
pub(crate) async fn playback(tab: &mut Tab) -> Outcome {
    let added = tab.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": SCRIPT })).await?;
    tab.open_fresh("labs/herding/index.html").await?;
    let ready = "document.documentElement.dataset.ready";
    tab.wait_until("the application runs", ready, Duration::from_secs(20)).await?;
    tab.click(".predict-actions .link-button").await?;
    tab.choose(".speed", "8").await?;
    tab.click(".player-button[aria-label=Repeat]").await?;
    // An answered prediction may have begun to play by itself.
    tab.click(".player-button[aria-label='Back to the start']").await?;
    tab.click(".player-button.is-main").await?;
    let steps = samples(1_000, 100_000);
    let before = after(tab, WARM_UP).await?;
    let grown = after(tab, WARM_UP + steps).await? - before;
    let played = tab.value("tokenyardBench.steps").await?.as_u64().unwrap_or_default();
    say("playback.steps", played.saturating_sub(WARM_UP as u64));
    say("playback.growth.mb", format!("{:.1}", grown / 1e6));
    let identifier = json!({ "identifier": added["identifier"] });
    tab.devtools("Page.removeScriptToEvaluateOnNewDocument", identifier).await.map(drop)
}

/// Bytes held by the page after so many steps in all: objects of the script engine and the
/// document, buffers, and the module's own memory.
async fn after(tab: &Tab, steps: usize) -> Result<f64, Failure> {
    tab.eval("tokenyardBench.run(arguments[0])", vec![json!(steps)]).await?;
    let started = Stopwatch::start();
    while tab.value("tokenyardBench.rests()").await? != Value::Bool(true) {
        if started.past(LIMIT) {
            tab.eval("tokenyardBench.stop()", Vec::new()).await?;
        }
        tab.idle(Duration::from_millis(500)).await;
    }
    tab.devtools("HeapProfiler.collectGarbage", json!({})).await?;
    let heap = tab.devtools("Runtime.getHeapUsage", json!({})).await?;
    let part = |name: &str| heap[name].as_f64().unwrap_or_default();
    let module = tab.value("tokenyardBench.memory.buffer.byteLength").await?;
    let module = module.as_f64().ok_or("the module's memory was not seen")?;
    // Buffers of the engine may or may not count the module's memory: the larger of the two does.
    Ok(part("usedSize") + part("embedderHeapUsedSize") + part("backingStorageSize").max(module))
}
