//! `cargo xtask`: serve, test, dist, bench, fuzz, doctor. See `cargo xtask help`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use xtask::args::{self, Parsed};
use xtask::cache::Cache;
use xtask::suite::{self, Situation};
use xtask::workspace::Workspace;
use xtask::{Outcome, bench, dist, doctor, fuzz, serve};

fn main() -> ExitCode {
    let parsed = match args::parse(std::env::args_os().skip(1)) {
        Ok(parsed) => parsed,
        Err(trouble) => return wrong_arguments(&trouble),
    };
    match parsed.command {
        "help" => {
            print!("{}", args::help());
            ExitCode::SUCCESS
        }
        "serve" => match parsed.port() {
            Ok(port) => ended(serve_site(port, !parsed.has("no-open"))),
            Err(trouble) => wrong_arguments(&trouble),
        },
        "dist" => ended(write_site(parsed.value("out").map_or(Path::new("dist"), Path::new))),
        "bench" => ended(measure(parsed.has("quick"))),
        "fuzz" => match fuzz::Plan::of(&parsed) {
            Ok(plan) => ended(feed(&plan)),
            Err(trouble) => wrong_arguments(&trouble),
        },
        "doctor" => ended(report(parsed.has("json"))),
        _ => test(&parsed),
    }
}

/// 2 says that nothing was tried because the words were wrong.
fn wrong_arguments(trouble: &xtask::Trouble) -> ExitCode {
    eprintln!("{trouble}");
    ExitCode::from(2)
}

fn ended(outcome: Outcome<()>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("{trouble}");
            ExitCode::FAILURE
        }
    }
}

fn serve_site(port: Option<u16>, open: bool) -> Outcome<()> {
    serve::run(&Workspace::load()?, &Cache::locate()?, port, open)
}

fn write_site(out: &Path) -> Outcome<()> {
    dist::build(&Workspace::load()?, &Cache::locate()?, out)?;
    dist::print_sizes(out)
}

fn measure(quick: bool) -> Outcome<()> {
    bench::run(&Workspace::load()?, &Cache::locate()?, quick)
}

fn feed(plan: &fuzz::Plan) -> Outcome<()> {
    fuzz::run(&Workspace::load()?, plan)
}

fn report(as_json: bool) -> Outcome<()> {
    let findings = doctor::examine(&Workspace::load()?, &Cache::locate()?)?;
    let text = if as_json { doctor::as_json(&findings) } else { doctor::as_text(&findings) };
    print!("{text}");
    Ok(())
}

fn test(parsed: &Parsed) -> ExitCode {
    let chosen = match suite::choose(parsed.has("fast"), parsed.values("only")) {
        Ok(chosen) => chosen,
        Err(trouble) => return wrong_arguments(&trouble),
    };
    let situation = match situation(parsed) {
        Ok(situation) => situation,
        Err(trouble) => return ended(Err(trouble)),
    };
    let counts = suite::run(&situation, &chosen);
    if counts.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn situation(parsed: &Parsed) -> Outcome<Situation> {
    let workspace = Workspace::load()?;
    let dist: PathBuf = workspace.root.join("dist");
    let is_ci = std::env::var_os("CI").is_some_and(|value| value == "true");
    Ok(Situation { workspace, cache: Cache::locate()?, is_ci, all_hosts: parsed.has("hosts"), dist })
}
