//! The model alone, in the page: the built module beside plain JavaScript.

use std::path::{Path, PathBuf};

use serde_json::json;
use tokenyard_browser_tests::{Failure, Outcome, Tab};

use crate::{dist, quantile, samples, say, sorted};

const PAGE: &str = include_str!("page.html");
const SCRIPT: &str = include_str!("page.js");
/// The yardstick, below the shared folder.
const PEER: &str = "oracle/routing_lab.mjs";

/// One recomputation and the band of 200 seeds, and the same work of the peer.
pub(crate) async fn recompute(tab: &mut Tab) -> Outcome {
    let folder = tab.artifacts().join("page");
    let has_peer = lay_out(&folder)?;
    // An isolated page has a clock of 5 µs; others have one of 100 µs.
    let isolated =
        [("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Embedder-Policy", "require-corp")];
    tab.remount(|options| {
        options.root = folder;
        options.extra_headers = isolated.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    })?;
    tab.open("index.html").await?;
    let script = "const done = arguments[arguments.length - 1];
        import('./page.js').then(page => page.measure(...arguments)).then(done, error => done(String(error)));";
    let rounds = [json!(has_peer), json!(samples(100, 500)), json!(samples(3, 15))];
    let answer = tab.client().execute_async(script, rounds.to_vec()).await?;
    let own = sorted(&answer["own"]).map_err(|failure| failure.during(&answer.to_string()))?;
    say("recompute.browser.ms", format!("{:.3}", quantile(&own, 0.5)));
    say("band.ms", format!("{:.0}", quantile(&sorted(&answer["band"])?, 0.5)));
    if has_peer {
        say("recompute.peer.ms", format!("{:.3}", quantile(&sorted(&answer["peer"])?, 0.5)));
    }
    Ok(())
}

/// Copies page, module and, where it is there, the peer into one folder.
fn lay_out(folder: &Path) -> Result<bool, Failure> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("index.html"), PAGE)?;
    std::fs::write(folder.join("page.js"), SCRIPT)?;
    let module = std::fs::read_dir(dist())?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            name.starts_with("app-") && name.ends_with(".wasm")
        })
        .ok_or("the site has no module of labs")?;
    std::fs::copy(module, folder.join("module.wasm"))?;
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let peer = std::env::var_os("TOKENYARD_SHARED").map_or_else(beside, PathBuf::from).join(PEER);
    if peer.is_file() {
        std::fs::copy(peer, folder.join("peer.mjs"))?;
        return Ok(true);
    }
    println!("\n!!! THE PEER IS SKIPPED: there is no {PEER} in ../shared or in TOKENYARD_SHARED\n");
    Ok(false)
}
