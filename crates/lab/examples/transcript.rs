//! Prints everything that a lab's default run says, in one language, for the author to read:
//! `cargo run -p tokenyard-lab --example transcript -- <lab> en seed=20`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use tokenyard_lab::{LabRun, LabSpec, Words, labs, link};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let arg = |i: usize, or: &'static str| args.get(i).map_or(or, String::as_str);
    let Some(lab) = labs::by_id(arg(0, "")) else {
        let ids: Vec<&str> = labs::LABS.iter().map(|l| l.id).collect();
        eprintln!("usage: transcript <lab> [language] [settings as in a link]; labs: {}", ids.join(", "));
        return ExitCode::from(2);
    };
    match words(lab.id, arg(1, "en")) {
        Ok(words) => print(lab, arg(2, ""), &words),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn print(lab: &LabSpec, settings: &str, words: &Words) {
    let (state, notices) = link::read(lab, settings);
    notices.iter().for_each(|notice| println!("! {notice:?}"));
    let run = lab.run(&state.setup);
    println!("? {}", words.say(&(lab.prediction.question)(&state.setup)));
    for step in 0..run.steps() {
        say(run.as_ref(), step, words);
    }
    for figure in run.figures(0) {
        println!("~ {} [{}]", words.say(&figure.summary), words.say(&figure.y.label));
    }
    for row in lab.table(&state.setup).rows {
        println!("| {} {:?}", words.say(&row.name), row.cells);
    }
}

fn say(run: &dyn LabRun, step: u32, words: &Words) {
    for moment in run.moments().iter().filter(|m| m.step == step) {
        println!("* {}", words.say(&moment.cue));
    }
    println!("{}", words.say(&run.say(step)));
    for decision in run.decisions(step) {
        println!("    {}", words.say(&decision.title));
        decision.lines.iter().for_each(|line| println!("      - {}", words.say(line)));
    }
}

/// The common catalogue and the lab's own, as a page merges them.
fn words(lab: &str, language: &str) -> Result<Words, String> {
    let mut map = BTreeMap::new();
    for catalogue in ["common", lab] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../locales").join(catalogue);
        let path = folder.join(format!("{language}.toml"));
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let table: toml::Table = text.parse().map_err(|e| format!("{}: {e}", path.display()))?;
        flatten("", &toml::Value::Table(table), &mut map);
    }
    Ok(map.into_iter().collect())
}

fn flatten(prefix: &str, value: &toml::Value, into: &mut BTreeMap<String, String>) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                let key = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
                flatten(&key, value, into);
            }
        }
        other => {
            into.insert(prefix.to_owned(), other.as_str().unwrap_or_default().to_owned());
        }
    }
}
