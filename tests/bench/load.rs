//! What travels for a first visit, and how long a slow reader waits.

use std::time::Duration;

use serde_json::{Value, json};
use tokenyard_browser_tests::{Failure, Outcome, Tab};
use tokenyard_serve::{Options, Server};

use crate::{dist, quantile, samples, say, sorted};

/// Slowdown of the processor.
pub(crate) const SLOWDOWN: f64 = 4.0;
/// Notes when the first knob answers.
const FIRST_USE: &str = include_str!("first_use.js");
/// How long a page may take before its measurement is given up.
const LIMIT: Duration = Duration::from_secs(60);

/// Pages measured: name of the figure, path.
const PAGES: &[(&str, &str)] =
    &[("home", "index.html"), ("light", "labs/herding/index.html"), ("heavy", "labs/routing-lab/index.html")];

/// The same labs in embeds, of which only what travels is measured.
const EMBEDS: &[(&str, &str)] =
    &[("light-embed", "embed/herding/index.html"), ("heavy-embed", "embed/routing-lab/index.html")];

/// Sum of the bodies as they travelled, compressed. The icon is asked for here, because the
/// engine's own request for it is in no page's list.
const BYTES: &str = "
    const done = arguments[arguments.length - 1];
    const icon = document.querySelector('link[rel=icon]').href;
    fetch(icon).then(answer => answer.arrayBuffer()).then(() => {
        const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
        const sent = new Map(all.map(entry => [entry.name, entry.encodedBodySize]));
        done([[...sent.values()].reduce((sum, size) => sum + size, 0), [...sent.keys()].length]);
    }, error => done(String(error)));";

/// Whether the application has taken over.
const READY: &str = "document.documentElement.dataset.ready";

/// Serves the site with brotli and makes the browser forget what it has seen of it.
async fn serve(tab: &Tab) -> Result<Server, Failure> {
    tab.devtools("Network.enable", json!({})).await?;
    tab.devtools("Network.setCacheDisabled", json!({ "cacheDisabled": true })).await?;
    Ok(Server::start(Options::new(dist()))?)
}

/// Transferred bytes of whole pages.
pub(crate) async fn bytes(tab: &mut Tab) -> Outcome {
    let version = tab.devtools("Browser.getVersion", json!({})).await?;
    say("engine", version["product"].as_str().unwrap_or("unknown"));
    let server = serve(tab).await?;
    for (name, path) in PAGES.iter().chain(EMBEDS) {
        if let Some(lab) = path.strip_prefix("labs/").and_then(|rest| rest.split('/').next()) {
            say(&format!("lab.{name}"), lab);
        }
        tab.open_address(&format!("{}{path}", server.url())).await?;
        tab.wait_until("the application runs", READY, LIMIT).await?;
        let answer = tab.client().execute_async(BYTES, Vec::new()).await?;
        let sum = answer[0].as_f64().ok_or_else(|| Failure::new(answer.to_string()))?;
        say(&format!("bytes.{name}.kb"), format!("{:.1}", sum / 1e3));
    }
    remember(tab).await
}

async fn remember(tab: &Tab) -> Outcome {
    tab.devtools("Network.setCacheDisabled", json!({ "cacheDisabled": false })).await.map(drop)
}

/// First frame and first knob on a slow machine behind a slow line.
pub(crate) async fn first_use(tab: &mut Tab) -> Outcome {
    let added = tab.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": FIRST_USE })).await?;
    let server = serve(tab).await?;
    for (name, path) in PAGES {
        let (mut frames, mut knobs) = (Vec::new(), Vec::new());
        let address = format!("{}{path}", server.url());
        // The server compresses for the first visit and keeps the result; a host has done so before.
        tab.open_address(&address).await?;
        tab.wait_until("the application runs", READY, LIMIT).await?;
        for _ in 0..samples(1, 5) {
            let (frame, knob) = visit(tab, &address).await?;
            frames.push(frame);
            knobs.push(knob);
        }
        say(&format!("first-frame.{name}.ms"), median(frames)?);
        if *name != "home" {
            say(&format!("first-knob.{name}.ms"), median(knobs)?);
        }
    }
    tab.devtools("Page.removeScriptToEvaluateOnNewDocument", json!({ "identifier": added["identifier"] }))
        .await?;
    remember(tab).await
}

fn median(samples: Vec<Value>) -> Result<String, Failure> {
    Ok(format!("{:.0}", quantile(&sorted(&Value::Array(samples))?, 0.5)))
}

/// Milliseconds from the navigation to the first contentful paint, and to a knob that answered;
/// the latter is null on a page without knobs.
async fn visit(tab: &mut Tab, address: &str) -> Result<(Value, Value), Failure> {
    tab.open_address("about:blank").await?;
    // Engines share compiled code between pages that hold the same module: none may be left.
    tab.devtools("HeapProfiler.collectGarbage", json!({})).await?;
    line(tab, 150.0, 200_000.0).await?;
    tab.throttle_cpu(SLOWDOWN).await?;
    tab.open_address(address).await?;
    let script = "tokenyardBench.answer.then(arguments[arguments.length - 1])";
    let answer = tab.client().execute_async(script, Vec::new()).await?;
    tab.throttle_cpu(1.0).await?;
    line(tab, 0.0, -1.0).await?;
    Ok((answer[0].clone(), answer[1].clone()))
}

/// Sets delay in milliseconds and bytes per second, −1 being no limit.
async fn line(tab: &Tab, latency: f64, rate: f64) -> Outcome {
    let conditions =
        json!({ "offline": false, "latency": latency, "downloadThroughput": rate, "uploadThroughput": rate });
    tab.devtools("Network.emulateNetworkConditions", conditions).await.map(drop)
}
