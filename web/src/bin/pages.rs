//! Writes the site: one real file per page. See [`tokenyard_web::site`].

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let (mut stage, mut out, mut project) = (None, None, PathBuf::from("."));
    while let Some(flag) = args.next() {
        let value = args.next().map(PathBuf::from);
        match (flag.as_str(), value) {
            ("--stage", Some(v)) => stage = Some(v),
            ("--out", Some(v)) => out = Some(v),
            ("--project", Some(v)) => project = v,
            _ => {
                eprintln!(
                    "{flag} is not known or has no value; usage: pages --stage DIR --out DIR [--project DIR]"
                );
                return ExitCode::from(2);
            }
        }
    }
    let (Some(stage), Some(out)) = (stage, out) else {
        eprintln!("--stage and --out are needed: pages --stage DIR --out DIR [--project DIR]");
        return ExitCode::from(2);
    };
    match tokenyard_web::site::write(&stage, &out, &project) {
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
