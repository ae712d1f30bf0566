//! Puts the word catalogues into the program: `locales/<catalogue>/<language>.toml`, all that there
//! are, so that a new lab or language needs no line here.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let locales = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../locales");
    println!("cargo::rerun-if-changed={}", locales.display());
    let mut rows = String::new();
    for folder in entries(&locales)? {
        println!("cargo::rerun-if-changed={}", folder.display());
        for file in entries(&folder)?.iter().filter(|file| file.extension().is_some_and(|e| e == "toml")) {
            println!("cargo::rerun-if-changed={}", file.display());
            let name = |path: &Path| path.file_stem().map(|n| n.to_string_lossy().into_owned());
            let (catalogue, language) = (name(&folder).unwrap_or_default(), name(file).unwrap_or_default());
            let path = file.canonicalize()?;
            writeln!(rows, "({catalogue:?}, {language:?}, include_str!({path:?})),")?;
        }
    }
    let out = PathBuf::from(std::env::var("OUT_DIR")?).join("catalogues.rs");
    Ok(std::fs::write(out, format!("&[\n{rows}]"))?)
}

/// What is in a folder, in the order of the names.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
    all.sort();
    Ok(all)
}
