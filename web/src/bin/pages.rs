//! Writes the site: one real file per page. See [`tokenyard_web::site`].

use std::path::PathBuf;
use std::process::ExitCode;

use tokenyard_lab::labs::IDS;
use tokenyard_web::site::{self, SiteUrl};

const USAGE: &str = "usage: pages --stage DIR --out DIR [--project DIR] [--embeds DIR] [--site-url URL] \
                     [--single-file | --workshop] [--check | --labs]";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let (mut stage, mut out, mut project, mut site_url) = (None, None, PathBuf::from("."), None);
    let mut embeds = None;
    // Looks at what was given and writes nothing: a slip is told before a long build, not after.
    let (mut is_check, mut single, mut is_kit) = (false, false, false);
    while let Some(flag) = args.next() {
        let value = match flag.as_str() {
            "--check" | "--labs" | "--single-file" | "--workshop" => None,
            _ => args.next(),
        };
        match (flag.as_str(), value) {
            ("--check", _) => is_check = true,
            ("--labs", _) => {
                println!("{}", IDS.join("\n"));
                return ExitCode::SUCCESS;
            }
            ("--embeds", Some(v)) => embeds = Some(PathBuf::from(v)),
            ("--single-file", _) => single = true,
            ("--workshop", _) => is_kit = true,
            ("--stage", Some(v)) => stage = Some(PathBuf::from(v)),
            ("--out", Some(v)) => out = Some(PathBuf::from(v)),
            ("--project", Some(v)) => project = PathBuf::from(v),
            ("--site-url", Some(v)) => match SiteUrl::parse(&v) {
                Ok(url) => site_url = Some(url),
                Err(error) => {
                    eprintln!("{error}");
                    return ExitCode::from(2);
                }
            },
            _ => {
                eprintln!("{flag} is not known or has no value; {USAGE}");
                return ExitCode::from(2);
            }
        }
    }
    if is_check {
        return ExitCode::SUCCESS;
    }
    let (Some(stage), Some(out)) = (stage, out) else {
        eprintln!("--stage and --out are needed; {USAGE}");
        return ExitCode::from(2);
    };
    let written = if is_kit {
        site::write_workshop(&stage, &out, &project)
    } else {
        site::write(&stage, &out, &project, embeds.as_deref(), site_url.as_ref(), single)
    };
    match written {
        Ok(count) => {
            println!("{count} pages written to {}", out.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
