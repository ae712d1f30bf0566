//! Prints everything that a lab's default run says, in one language, for the author to read:
//! `cargo run -p tokenyard-lab --example transcript -- <lab> en seed=20`.

use std::path::Path;
use std::process::ExitCode;

use tokenyard_lab::{LabRun, LabSpec, Words, catalogue, labs, link};

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
    let locales = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../locales");
    let common = catalogue::read(&locales, "common", language)?;
    Ok(common.into_iter().chain(catalogue::read(&locales, lab, language)?).collect())
}
