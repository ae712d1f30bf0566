//! Writes the site: one real file per page. See [`tokenyard_web::site`].
#![expect(missing_docs, reason = "a binary")]

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let (mut stage, mut out, mut locales) = (None, None, PathBuf::from("locales"));
    while let Some(flag) = args.next() {
        let value = args.next().map(PathBuf::from);
        match (flag.as_str(), value) {
            ("--stage", Some(v)) => stage = Some(v),
            ("--out", Some(v)) => out = Some(v),
            ("--locales", Some(v)) => locales = v,
            _ => {
                eprintln!(
                    "{flag} is not known or has no value; usage: pages --stage DIR --out DIR [--locales DIR]"
                );
                return ExitCode::from(2);
            }
        }
    }
    let (Some(stage), Some(out)) = (stage, out) else {
        eprintln!("--stage and --out are needed: pages --stage DIR --out DIR [--locales DIR]");
        return ExitCode::from(2);
    };
    match tokenyard_web::site::write(&stage, &out, &locales) {
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
