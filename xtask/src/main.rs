//! `cargo xtask`: serve, test, hosts, dist, bench, fuzz, doctor. See `cargo xtask help`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use xtask::args::{self, Parsed};
use xtask::cache::Cache;
use xtask::suite::{self, Situation};
use xtask::workspace::Workspace;
use xtask::{Outcome, bench, dist, doctor, fuzz, hosts, serve};

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
        "dist" => write_site(&parsed),
        "hosts" => match hosts::choose(parsed.values("only")) {
            Ok(chosen) => ended(build_hosts(&chosen)),
            Err(trouble) => wrong_arguments(&trouble),
        },
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

fn write_site(parsed: &Parsed) -> ExitCode {
    let edition = dist::Edition {
        site_url: parsed.value("site-url"),
        single_file: parsed.has("single-file"),
        workshop: parsed.has("workshop"),
        // The kit has no embeds but those of its one file.
        embeds: !parsed.has("workshop"),
    };
    if let Err(trouble) = edition.check() {
        return wrong_arguments(&trouble);
    }
    let out = Path::new(parsed.value("out").unwrap_or(edition.folder()));
    ended(write_edition(out, &edition))
}

fn write_edition(out: &Path, edition: &dist::Edition<'_>) -> Outcome<()> {
    dist::build(&Workspace::load()?, &Cache::locate()?, out, edition)?;
    dist::print_sizes(out)?;
    if edition.workshop {
        println!(
            "Copy the whole folder {} to a stick or a laptop, and begin with start.html.",
            out.display()
        );
    } else if edition.site_url.is_none() {
        println!(
            "No --site-url: pages have no social cards, and the addresses in the oembed.json files are \
             relative. Everything else is the same."
        );
    }
    Ok(())
}

fn build_hosts(chosen: &[&hosts::Host]) -> Outcome<()> {
    let workspace = Workspace::load()?;
    hosts::run(&workspace, &Cache::locate()?, &workspace.root.join("dist"), chosen)
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
