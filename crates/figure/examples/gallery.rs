//! Writes every lab's figures, in both themes and in a language, into a folder, for the author to
//! look at: `cargo run -p tokenyard-figure --example gallery -- <folder> en`. `xx` is the made-up
//! language with long words.

use std::path::Path;
use std::process::ExitCode;

use tokenyard_figure::{Shot, Theme};
use tokenyard_lab::link::State;
use tokenyard_lab::{LabSpec, Words, catalogue, labs::LABS, pseudo};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, language] = args.as_slice() else {
        eprintln!("usage: gallery <folder> <language>");
        return ExitCode::from(2);
    };
    match LABS.iter().try_for_each(|lab| write(lab, Path::new(folder), language)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn write(lab: &LabSpec, folder: &Path, language: &str) -> Result<(), String> {
    let words = words(lab.id, language)?;
    let state = State::fresh(lab);
    let shot = Shot::new(lab, &state, &words);
    for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
        let address = format!("https://example.org/{}", shot.carried().link());
        let svg = shot.svg(theme, Some(&address)).map_err(|error| error.to_string())?;
        let path = folder.join(format!("{}-{language}-{name}.svg", lab.id));
        std::fs::write(&path, svg).map_err(|error| format!("writing {}: {error}", path.display()))?;
    }
    Ok(())
}

fn words(lab: &str, language: &str) -> Result<Words, String> {
    let locales = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../locales");
    let long = language == pseudo::LANGUAGE;
    let of = if long { "en" } else { language };
    let common = catalogue::read(&locales, "common", of)?;
    let words: Words = common.into_iter().chain(catalogue::read(&locales, lab, of)?).collect();
    Ok(if long { pseudo::long(&words) } else { words })
}
