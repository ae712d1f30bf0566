//! `cargo xtask fuzz`: the programs of `tests/fuzz`, built so that a fuzzer sees which code an input
//! reaches, and run.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::args::Parsed;
use crate::clock::Since;
use crate::process::{self, Line};
use crate::workspace::Workspace;
use crate::{Context as _, Outcome, Trouble, files};

/// The programs, by what they feed.
pub const TARGETS: [&str; 6] = ["link", "scenario", "mooncake", "azure", "open", "lesson"];

/// Counters for every edge of the code and what it compares with, for LLVM's fuzzer. No sanitizer:
/// those need a compiler that is not stable, and there is nothing unsafe here.
const FLAGS: [&str; 8] = [
    "--cfg",
    "fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
];

/// Longest input in bytes.
const MOST_BYTES: u32 = 4_096;
/// An input that takes so many seconds hangs.
const MOST_SECONDS: u32 = 120;
/// Least time between two lines of progress.
const PULSE: Duration = Duration::from_secs(2);

/// How long a target runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Limit {
    /// So many inputs, the same every time.
    Runs(u64),
    /// So many seconds, from what earlier runs found.
    Seconds(u64),
    /// One input.
    Input(PathBuf),
}

/// What `cargo xtask fuzz` was asked for.
#[derive(Debug, PartialEq, Eq)]
pub struct Plan {
    targets: Vec<&'static str>,
    limit: Limit,
}

impl Plan {
    /// From the command line.
    pub fn of(parsed: &Parsed) -> Outcome<Self> {
        let targets = match parsed.value("TARGET") {
            None => TARGETS.to_vec(),
            Some(name) => match TARGETS.into_iter().find(|target| *target == name) {
                Some(target) => vec![target],
                None => {
                    let allowed = TARGETS.join(", ");
                    return Err(Trouble(format!("{name:?} is not a fuzz target: allowed are {allowed}")));
                }
            },
        };
        let limit = match (parsed.number("runs")?, parsed.number("seconds")?, parsed.value("input")) {
            (Some(runs), None, None) => Limit::Runs(runs),
            (None, seconds, None) => Limit::Seconds(seconds.unwrap_or(60)),
            (None, None, Some(file)) if targets.len() == 1 => {
                // The program runs in a folder of its own.
                Limit::Input(std::path::absolute(file).context(|| format!("find {file}"))?)
            }
            (None, None, Some(_)) => return Err(Trouble::new("--input needs a target before it")),
            _ => return Err(Trouble::new("--runs, --seconds and --input exclude each other")),
        };
        Ok(Self { targets, limit })
    }
}

/// Why the programs cannot be built here; `None` if they can.
#[must_use]
pub fn cannot_build() -> Option<String> {
    if cfg!(windows) {
        return Some("the fuzzer is built on Linux and macOS only".to_owned());
    }
    let compiles = std::env::var_os("CXX").is_some() || process::on_path("c++").is_some();
    (!compiles).then(|| "the fuzzer needs a C++ compiler: c++ is not on the path".to_owned())
}

/// The manifest of the programs: a workspace of its own.
#[must_use]
pub fn manifest(workspace: &Workspace) -> PathBuf {
    folder(workspace).join("Cargo.toml")
}

fn folder(workspace: &Workspace) -> PathBuf {
    workspace.root.join("tests").join("fuzz")
}

/// Where everything is that building and running leaves behind.
fn left(workspace: &Workspace) -> PathBuf {
    workspace.target().join("fuzz")
}

/// Cargo on that workspace.
#[must_use]
pub fn cargo(workspace: &Workspace, words: &[&str]) -> Command {
    let mut command = workspace.cargo();
    command.args(words).arg("--locked").arg("--manifest-path").arg(manifest(workspace));
    command.env("CARGO_TARGET_DIR", left(workspace));
    command
}

/// The triple that the compiler makes programs for.
pub fn host(workspace: &Workspace) -> Outcome<String> {
    let told = process::output(Command::new("rustc").current_dir(&workspace.root).arg("-vV"))?;
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Trouble::new("rustc -vV names no host"))
}

/// Builds all programs. A target is named so that build scripts, which have no fuzzer in them, are
/// built without the flags.
#[must_use]
pub fn build(workspace: &Workspace, host: &str) -> Command {
    let mut command = cargo(workspace, &["build", "--quiet", "--release", "--bins", "--target", host]);
    command.env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\x1f"));
    command
}

/// Runs one program. `false` if an input broke a law; it is kept, and named.
pub fn run_target(workspace: &Workspace, host: &str, target: &str, limit: &Limit) -> Outcome<bool> {
    let left = left(workspace);
    let kept = left.join("kept").join(target);
    let made = left.join("made").join(target);
    if matches!(limit, Limit::Runs(_)) {
        files::remove_folder(&made)?;
    }
    for folder in [&kept, &made] {
        std::fs::create_dir_all(folder).context(|| format!("make {}", folder.display()))?;
    }
    let mut command = Command::new(left.join(host).join("release").join(target));
    command.current_dir(&left);
    match limit {
        Limit::Runs(runs) => command.arg("-seed=1").arg(format!("-runs={runs}")),
        Limit::Seconds(seconds) => command.arg(format!("-max_total_time={seconds}")),
        Limit::Input(file) => command.arg(file),
    };
    command.arg(format!("-max_len={MOST_BYTES}")).arg(format!("-timeout={MOST_SECONDS}"));
    command.arg(format!("-artifact_prefix={}{}", kept.display(), std::path::MAIN_SEPARATOR));
    if !matches!(limit, Limit::Input(_)) {
        // New inputs go to the first folder, and are read from both.
        command.arg(made).arg(folder(workspace).join("corpus").join(target));
    }
    println!("{target}: {}", process::shown(&command));
    let mut report = Report::default();
    let held = process::follow(&mut command, |line| report.see(line))?;
    if !held {
        report.tell(target);
    }
    Ok(held)
}

/// What of a fuzzer's lines a person wants to see: progress now and then, and all of a failure.
#[derive(Default)]
struct Report {
    last: Option<Since>,
    input: Option<String>,
}

impl Report {
    fn see(&mut self, line: &Line) {
        let (Line::Out(text) | Line::Err(text)) = line;
        if let Some((_, file)) = text.split_once("Test unit written to ") {
            self.input = Some(file.to_owned());
        }
        let is_progress = text.starts_with('#');
        if is_progress && self.last.as_ref().is_some_and(|last| last.elapsed() < PULSE) {
            return;
        }
        if is_progress {
            self.last = Some(Since::now());
        }
        if is_progress || !is_noise(text) {
            process::print(line);
        }
    }

    fn tell(&self, target: &str) {
        match &self.input {
            Some(file) => eprintln!(
                "FAILED: {target}: the input is kept in {file}; again with: \
                 cargo xtask fuzz {target} --input {file}"
            ),
            None => eprintln!("FAILED: {target}: the fuzzer did not say which input it was"),
        }
    }
}

/// Lines about the fuzzer itself and its suggestions for a dictionary.
fn is_noise(text: &str) -> bool {
    let text = text.trim_start();
    let begins = ["INFO:", "NEW_FUNC", "WARNING: Failed to find function", "######"];
    text.is_empty() || text.contains("# Uses:") || begins.iter().any(|begin| text.starts_with(begin))
}

/// Builds and runs what was asked for.
pub fn run(workspace: &Workspace, plan: &Plan) -> Outcome<()> {
    if let Some(reason) = cannot_build() {
        return Err(Trouble(reason));
    }
    let host = host(workspace)?;
    process::run(&mut build(workspace, &host))?;
    let mut broken = Vec::new();
    for target in &plan.targets {
        if !run_target(workspace, &host, target, &plan.limit)? {
            broken.push(*target);
        }
    }
    if broken.is_empty() { Ok(()) } else { Err(Trouble(format!("laws broken: {}", broken.join(", ")))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(words: &str) -> Outcome<Plan> {
        Plan::of(&crate::args::parse(words.split_whitespace().map(Into::into)).unwrap())
    }

    #[test]
    fn every_target_is_a_program_with_inputs_to_begin_with() {
        let workspace = Workspace::load().unwrap();
        let text = files::read(&manifest(&workspace)).unwrap();
        let names: Vec<&str> =
            text.split("[[bin]]\nname = \"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(names, TARGETS);
        for target in TARGETS {
            let seeds = files::below(&folder(&workspace).join("corpus").join(target), &[]).unwrap();
            assert!(seeds.len() >= 2, "{target}");
        }
    }

    #[test]
    fn a_plan_is_one_kind_of_limit_for_one_target_or_all() {
        assert_eq!(plan("fuzz").unwrap(), Plan { targets: TARGETS.to_vec(), limit: Limit::Seconds(60) });
        assert_eq!(
            plan("fuzz azure --runs 7").unwrap(),
            Plan { targets: vec!["azure"], limit: Limit::Runs(7) }
        );
        assert!(
            matches!(plan("fuzz link --input x").unwrap().limit, Limit::Input(file) if file.is_absolute())
        );
        for (words, said) in [
            ("fuzz azur", "allowed are link, scenario, mooncake, azure, open, lesson"),
            ("fuzz --runs 1 --seconds 1", "exclude each other"),
            ("fuzz --runs 0", "from 1"),
            ("fuzz --input x", "needs a target"),
        ] {
            let trouble = plan(words).unwrap_err();
            assert!(trouble.0.contains(said), "{words}: {trouble}");
        }
    }

    #[test]
    fn a_kept_input_is_found_in_what_the_fuzzer_says() {
        let mut report = Report::default();
        report.see(&Line::Err("artifact_prefix='a/'; Test unit written to a/crash-1".to_owned()));
        assert_eq!(report.input.as_deref(), Some("a/crash-1"));
        assert!(is_noise("\tNEW_FUNC[1/2]: 0x5") && is_noise("\"x\" # Uses: 4"));
        assert!(
            !is_noise("thread 'x' panicked at src/link.rs:1:1:") && !is_noise("Done 5 runs in 0 second(s)")
        );
    }
}
