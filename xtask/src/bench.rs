//! `cargo xtask bench`: every figure that has a goal, measured in one run and set beside it.
//!
//! Two programs measure: a native one of the labs' crate, and one that drives Chromium over the
//! built site. Both print `bench <name> <value>`; the table of goals is here.

mod rows;

use std::collections::BTreeMap;
use std::path::Path;

use crate::cache::Cache;
use crate::process::Line;
use crate::workspace::Workspace;
use crate::{Context as _, Outcome, Trouble, debian, dist, files, fleet, process, shared};

/// Where the table is written, below the root.
const PAGE: &str = "docs/benchmarks.md";
/// From this line on the page is written by people, and kept.
const KEPT_FROM: &str = "## What was tried";

/// Measured values by name.
type Figures = BTreeMap<String, String>;

/// Builds the site where its inputs changed, measures, prints the table, and, unless `quick`,
/// writes it to the page of benchmarks. Fails if a measurement failed, never for its value.
pub fn run(workspace: &Workspace, cache: &Cache, quick: bool) -> Outcome<()> {
    let site = workspace.root.join("dist");
    dist::build(workspace, cache, &site, &dist::Edition { embeds: true, ..dist::Edition::default() })?;
    debian::install_missing(|need| need.engines == [debian::Engine::Chromium])?;
    let mut figures = Figures::new();
    let mut native = workspace.cargo();
    native.args(["bench", "--quiet", "-p", "tokenyard-lab", "--bench", "recompute"]);
    let mut succeeded = watch(&mut native, &mut figures)?;
    succeeded &= fleet_speed(workspace, &mut figures)?;
    // Run as a test: only the browser's time counts, so the driving side is built without optimising.
    let mut pages = workspace.cargo();
    pages.args(["test", "--quiet", "-p", "tokenyard-browser-tests", "--bench", "pages"]);
    pages.env("TOKENYARD_DIST", &site).env("TOKENYARD_BENCH", if quick { "quick" } else { "full" });
    if let Some(folder) = shared::folder(&workspace.root) {
        pages.env("TOKENYARD_SHARED", std::path::absolute(&folder).unwrap_or(folder));
    }
    succeeded &= watch(&mut pages, &mut figures)?;
    let page = page(&figures);
    println!("\n{page}");
    if !succeeded {
        return Err(Trouble::new("a measurement failed; the page of benchmarks is as it was"));
    }
    if !quick {
        write(&workspace.root.join(PAGE), &page)?;
    }
    Ok(())
}

/// The fleet simulator, natively and under node where that is installed.
fn fleet_speed(workspace: &Workspace, figures: &mut Figures) -> Outcome<bool> {
    let mut native = workspace.cargo();
    native.args(["run", "--quiet", "--release", "-p", fleet::PROOF, "--bin", "speed"]);
    if let Some(folder) = shared::folder(&workspace.root) {
        native.env("TOKENYARD_SHARED", std::path::absolute(&folder).unwrap_or(folder));
    }
    let mut succeeded = watch(&mut native, figures)?;
    let mut decisions = workspace.cargo();
    decisions.args(["run", "--quiet", "--release", "-p", fleet::PROOF, "--bin", "decisions"]);
    succeeded &= watch(&mut decisions, figures)?;
    if let Some(rate) = dynamo_replay(workspace)? {
        println!("bench fleet.conversation.dynamo.rps {rate:.0}");
        figures.insert("fleet.conversation.dynamo.rps".to_owned(), format!("{rate:.0}"));
    }
    if process::on_path("node").is_none() {
        return Ok(succeeded);
    }
    let module = fleet::module(workspace)?;
    let mut node = std::process::Command::new("node");
    node.arg(fleet::script(workspace)).arg(module).arg("speed");
    Ok(watch(&mut node, figures)? && succeeded)
}

/// Dynamo's own replay of the same trace on the same fleet, where its Python package is installed
/// (`DYNAMO_PYTHON` names the interpreter that has it): requests for each second that it says it took.
fn dynamo_replay(workspace: &Workspace) -> Outcome<Option<f64>> {
    let Some(folder) = shared::folder(&workspace.root) else { return Ok(None) };
    let python = std::env::var_os("DYNAMO_PYTHON").unwrap_or_else(|| "python3".into());
    let mut there = std::process::Command::new(&python);
    there.args(["-c", "import dynamo.replay"]);
    if process::output(&mut there).is_err() {
        return Ok(None);
    }
    let report = workspace.target().join("dynamo-replay.json");
    let mut replay = std::process::Command::new(&python);
    replay.args(["-m", "dynamo.replay"]).arg(folder.join("traces/mooncake_conversation.jsonl"));
    replay.args(["--num-workers", "8", "--replay-mode", "offline", "--router-mode", "kv_router"]);
    replay.args(["--extra-engine-args", r#"{"block_size":512,"num_gpu_blocks":4096}"#, "--report-json"]);
    if process::output(replay.arg(&report)).is_err() {
        return Ok(None);
    }
    let text = files::read(&report)?;
    let report: serde_json::Value =
        serde_json::from_str(&text).context(|| "read Dynamo's report".to_owned())?;
    let number = |key: &str| report[key].as_f64();
    let rate = number("completed_requests").zip(number("wall_time_ms"));
    Ok(rate.filter(|(_, ms)| *ms > 0.0).map(|(requests, ms)| requests / ms * 1e3))
}

fn watch(command: &mut std::process::Command, figures: &mut Figures) -> Outcome<bool> {
    process::watch(command, |line| {
        if let Line::Out(text) = line
            && let Some((name, value)) = figure(text)
        {
            figures.insert(name.to_owned(), value.to_owned());
        }
    })
}

/// Name and value of a line `bench <name> <value>`.
fn figure(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("bench ")?.split_once(' ')
}

/// The generated part of the page.
fn page(figures: &Figures) -> String {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let engine = figures.get("engine").map_or("no browser", String::as_str);
    let mut text =
        "# Benchmarks\n\nMade by `cargo xtask bench`, which measures every row in one run.\n\n".to_owned();
    let lab = |name: &str| figures.get(name).map_or("not measured", String::as_str);
    text += &format!("Cores: {cores}, shared with whatever else ran. Engine: {engine}. ");
    text += &format!("Light lab: {}. Heavy lab: {}.\n\n", lab("lab.light"), lab("lab.heavy"));
    text += "| what | result | goal | met |\n|---|---|---|---|\n";
    for row in rows::rows(figures) {
        text += &row;
        text.push('\n');
    }
    text.push('\n');
    let rules = rows::rules(figures);
    if !rules.is_empty() {
        text += &rules.join("\n");
        text += "\n\n";
    }
    text + rows::HOW
}

/// Replaces what is generated and keeps what people wrote.
fn write(path: &Path, page: &str) -> Outcome<()> {
    let old = if path.is_file() { files::read(path)? } else { String::new() };
    std::fs::write(path, joined(page, &old)).context(|| format!("write {}", path.display()))
}

fn joined(page: &str, old: &str) -> String {
    let kept = old.find(KEPT_FROM).map_or(KEPT_FROM, |at| &old[at..]);
    format!("{page}\n{}\n", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_of_a_bench_are_figures() {
        assert_eq!(figure("bench seek.p95.ms 3.5"), Some(("seek.p95.ms", "3.5")));
        assert_eq!(figure("bench engine Chrome/1 beta"), Some(("engine", "Chrome/1 beta")));
        for other in ["test chromium::bench::seek ... ok <1.2s>", "bench alone", ""] {
            assert_eq!(figure(other), None, "{other}");
        }
    }

    #[test]
    fn what_people_wrote_is_kept() {
        let first = joined("# Benchmarks\nnew\n", "");
        assert_eq!(first, "# Benchmarks\nnew\n\n## What was tried\n");
        let again = joined("# Benchmarks\nnewer\n", "# Benchmarks\nold\n\n## What was tried\n\n- this\n");
        assert_eq!(again, "# Benchmarks\nnewer\n\n## What was tried\n\n- this\n");
    }
}
