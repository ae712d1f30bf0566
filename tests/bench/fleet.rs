//! The fleet simulator as the page runs it: in two workers with the page's own script and module.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use tokenyard_browser_tests::{Failure, Outcome, Tab};
use tokenyard_study::sweep::ITEMS;

use crate::{dist, quantile, samples, say, sorted};

const PAGE: &str = include_str!("page.html");
const SCRIPT: &str = include_str!("fleet.js");
const WORKER: &str = include_str!("../../web/src/platform/worker.js");
/// The trace, below the shared folder.
const TRACE: &str = "traces/mooncake_conversation.jsonl";
/// How long all rounds of one measurement may take.
const LONG: Duration = Duration::from_secs(280);
/// Requests of the trace.
const REQUESTS: f64 = 12_031.0;
/// Starts an instance.
const SMALL: &str = "study:0:0#rules=random&workload.requests=20";
/// The trace's fleet: eight replicas of 4 096 blocks of 512 tokens.
const CONVERSATION: &str = "workload.arrivals=trace&workload.requests=100000&workload.trace_spread_ms=3000\
    &fleet.replicas=8&fleet.block=512&fleet.kv_blocks=4096&fleet.preset=llama-3.1-8b-h100";
/// Four rules for each worker.
const EIGHT: [&str; 2] = [
    "random,least-outstanding,prefix-gap,dynamo-kv",
    "round-robin,power-of-two,consistent-hash,sglang-cache-aware",
];
/// Workload B with 200 families at 80% of the knee, 1 000 requests.
const SWEPT: &str = "workload.requests=1000&workload.rate_rps=108.8&workload.families=200\
    &workload.shared_tokens=512&workload.prompt_mean=1024&workload.output_mean=256\
    &fleet.replicas=8&fleet.kv_blocks=none&slo.ttft_ms=500";
/// Six rules, as many as two studies of three.
const SIX: [&str; 2] = ["random,least-outstanding,power-of-two", "prefix-gap,sglang-cache-aware,dynamo-kv"];

/// The conversation trace under eight rules, from the file's bytes to the last figure.
pub(crate) async fn conversation(tab: &mut Tab) -> Outcome {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let trace = std::env::var_os("TOKENYARD_SHARED").map_or_else(beside, PathBuf::from).join(TRACE);
    if !trace.is_file() {
        println!("\n!!! THE TRACE IS SKIPPED: there is no {TRACE} in ../shared or in TOKENYARD_SHARED\n");
        return Ok(());
    }
    for (kind, name) in
        [("bare:1", "fleet.browser.conversation.ms"), ("study:0:1", "fleet.browser.recorded.ms")]
    {
        let shares = EIGHT.map(|rules| json!([format!("{kind}#rules={rules}&{CONVERSATION}")]));
        let answer = measure(tab, json!(shares), Some(&trace)).await?;
        let rows = answer["rows"].as_array().ok_or("no rows")?;
        let lanes = rows.iter().filter(|row| row[0] == 1.0 && row[1] == REQUESTS).count();
        if lanes != 8 {
            return Err(Failure::new(format!("{lanes} rules have run: {rows:?}")));
        }
        say(name, format!("{:.0}", quantile(&sorted(&answer["ms"])?, 0.5)));
    }
    Ok(())
}

/// Six rules at twenty loads with twenty seeds of a thousand requests.
pub(crate) async fn goodput(tab: &mut Tab) -> Outcome {
    let share = |which: usize| json!(SIX.map(|rules| format!("sweep:{which}/2:0#rules={rules}&{SWEPT}")));
    let answer = measure(tab, json!([share(0), share(1)]), None).await?;
    let items = answer["rows"].as_array().map_or(0, Vec::len);
    if items != 2 * ITEMS as usize {
        return Err(Failure::new(format!("{items} runs have ended: {answer}")));
    }
    say("fleet.browser.sweep.s", format!("{:.2}", quantile(&sorted(&answer["ms"])?, 0.5) / 1e3));
    Ok(())
}

async fn measure(tab: &mut Tab, shares: Value, trace: Option<&Path>) -> Result<Value, Failure> {
    let folder = tab.artifacts().join("fleet");
    std::fs::create_dir_all(&folder)?;
    for (name, text) in [("index.html", PAGE), ("fleet.js", SCRIPT), ("worker.js", WORKER)] {
        std::fs::write(folder.join(name), text)?;
    }
    std::fs::copy(module()?, folder.join("module.wasm"))?;
    if let Some(trace) = trace {
        std::fs::copy(trace, folder.join("trace.jsonl"))?;
    }
    tab.remount(|options| options.root = folder)?;
    tab.open("index.html").await?;
    // Asked for until it is there: on a busy machine it takes longer than a driver waits for a script.
    let script = "import('./fleet.js').then(page => page.measure(...arguments))
        .then(answer => { window.answer = answer; }, error => { window.answer = String(error); });";
    let file = trace.map(|_| "trace.jsonl");
    tab.eval(script, vec![json!(SMALL), shares, json!(file), json!(samples(1, 5))]).await?;
    tab.wait_until("the answer", "window.answer !== undefined", LONG).await?;
    tab.value("window.answer").await
}

/// The module that the fleet page loads.
fn module() -> Result<PathBuf, Failure> {
    let page = std::fs::read_to_string(dist().join("fleet/index.html"))?;
    let end = page.find(".wasm").ok_or("the fleet page names no module")? + ".wasm".len();
    let start = page[..end].rfind(['"', '\'', '/']).map_or(0, |at| at + 1);
    Ok(dist().join(&page[start..end]))
}
