//! What a run is made of: scenario files, trace files, and what the command line changes in them.
//!
//! Nothing is read without a bound, and nothing is run unless all of it was right.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};

use tokenyard_fleet::Scenario;
use tokenyard_fleet::scenario::{Draft, MOST_BYTES, Problem};
use tokenyard_fleet::trace_file::{self, Trace};
use tokenyard_param::{ParamSpec, Value};

use crate::args::Args;
use crate::find;
use crate::refusal::{Refusal, shown};

/// Options that [`Input::take`] takes.
pub(super) const OPTIONS: [&str; 3] = ["set", "trace", "trace-format"];

/// Names of the trace formats.
const TRACE_FORMATS: [&str; 2] = ["mooncake", "azure-2023"];

/// A scenario that can still be changed, and the trace beside it.
#[derive(Debug)]
pub(super) struct Input {
    /// The scenario as it was said.
    pub(super) draft: Draft,
    /// The trace, where one was named.
    pub(super) trace: Option<Trace>,
    /// The file as messages name it.
    name: String,
}

impl Input {
    /// Takes the scenario's file (the next argument that is no option), `--set`, `--trace` and
    /// `--trace-format`.
    pub(super) fn take(command: &str, args: &mut Args) -> Result<Self, Refusal> {
        let Some(path) = args.positional() else {
            return Err(Refusal::new(format!(
                "{command} needs a scenario; allowed: a file, or - for standard input"
            )));
        };
        let from = text(args, "trace", "a file, or - for standard input")?;
        if path == "-" && from.as_deref() == Some("-") {
            let reason = "--trace is -, and so is the scenario; allowed: one of them";
            return Err(Refusal::new(reason.to_owned()));
        }
        let mut draft = draft(&path)?;
        set(&mut draft, args)?;
        let format = trace_format(from.as_deref(), args)?;
        let trace = from.map(|from| read_trace(&from, format)).transpose()?;
        Ok(Self { draft, trace, name: name(&path) })
    }

    /// The scenario of the draft as it is now.
    pub(super) fn build(&self) -> Result<Scenario, Refusal> {
        let scenario = self.draft.build(self.trace.as_ref());
        scenario.map_err(|problems| {
            let no_trace = self.trace.is_none();
            let reason = |problem: &Problem| {
                let by_trace = no_trace && problem.path.starts_with("workload.");
                let hint = if by_trace && problem.allowed.contains("trace") { " (--trace)" } else { "" };
                format!("{}: {problem}{hint}", self.name)
            };
            all(problems.iter().map(reason).collect())
        })
    }
}

/// Several reasons as one refusal; there is at least one.
pub(super) fn all(reasons: Vec<String>) -> Refusal {
    Refusal::all(reasons).unwrap_or_else(|| Refusal::new("the scenario cannot be used".to_owned()))
}

/// A file as messages name it.
fn name(path: &str) -> String {
    if path == "-" { "standard input".to_owned() } else { shown(path) }
}

fn open(what: &str, path: &str) -> Result<Box<dyn BufRead>, Refusal> {
    if path == "-" {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    let file = File::open(path).map_err(|error| unreadable(what, path, &error))?;
    Ok(Box::new(BufReader::new(file)))
}

fn unreadable(what: &str, path: &str, error: &std::io::Error) -> Refusal {
    let given = if path.is_empty() { "an empty name".to_owned() } else { name(path) };
    Refusal::new(format!("{what} is {given}, which cannot be read ({error}); allowed: a file, or -"))
}

fn draft(path: &str) -> Result<Draft, Refusal> {
    let mut bytes = Vec::new();
    let mut bounded = open("the scenario", path)?.take(MOST_BYTES as u64 + 1);
    bounded.read_to_end(&mut bytes).map_err(|error| unreadable("the scenario", path, &error))?;
    if bytes.len() > MOST_BYTES {
        return Err(Refusal::new(format!(
            "{}: the file is longer than {MOST_BYTES} bytes; allowed: at most {MOST_BYTES} bytes",
            name(path)
        )));
    }
    Draft::read(&bytes)
        .map_err(|problems| all(problems.iter().map(|p| format!("{}: {p}", name(path))).collect()))
}

/// Takes `--set path=value,path=value…`.
pub(super) fn set(draft: &mut Draft, args: &mut Args) -> Result<(), Refusal> {
    let allowed = "path=value, several with commas between them, like fleet.replicas=8";
    let Some(list) = text(args, "set", allowed)? else { return Ok(()) };
    for pair in list.split(',') {
        let Some((path, value)) = pair.split_once('=') else {
            let given = if pair.is_empty() { "empty".to_owned() } else { shown(pair) };
            return Err(Refusal::new(format!("--set is {given}; allowed: {allowed}")));
        };
        let set = draft.set(path.trim(), value.trim());
        set.map_err(|problem| Refusal::new(format!("{problem} (--set)")))?;
    }
    Ok(())
}

/// A trace format that was named; none where the content decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TraceFormat {
    /// By its first character.
    ByContent,
    /// JSON lines with hashes of blocks.
    Mooncake,
    /// CSV with lengths only.
    Azure2023,
}

/// Takes `--trace-format`, which makes no sense without a trace.
pub(super) fn trace_format(path: Option<&str>, args: &mut Args) -> Result<TraceFormat, Refusal> {
    let allowed = TRACE_FORMATS.join(", ");
    let Some(given) = text(args, "trace-format", &allowed)? else { return Ok(TraceFormat::ByContent) };
    match given.as_str() {
        _ if path.is_none() => Err(Refusal::new(format!(
            "--trace-format is {}; allowed: nothing without --trace",
            shown(&given)
        ))),
        "mooncake" => Ok(TraceFormat::Mooncake),
        "azure-2023" => Ok(TraceFormat::Azure2023),
        other => {
            let hint = find::hint(other, &TRACE_FORMATS, "");
            Err(Refusal::new(format!("--trace-format is {}; allowed: {allowed}{hint}", shown(other))))
        }
    }
}

/// Reads a whole trace, or says which line and field is wrong.
pub(super) fn read_trace(path: &str, format: TraceFormat) -> Result<Trace, Refusal> {
    let input = open("--trace", path)?;
    let read = match format {
        TraceFormat::Mooncake => trace_file::mooncake(input),
        TraceFormat::Azure2023 => trace_file::azure(input),
        TraceFormat::ByContent => trace_file::read(input),
    };
    read.map_err(|problem| Refusal::new(format!("{}: {problem}", name(path))))
}

/// Takes an option's text. `allowed` is for the message of an option without a value.
pub(super) fn text(args: &mut Args, option: &str, allowed: &str) -> Result<Option<String>, Refusal> {
    match args.option(option) {
        None => Ok(None),
        Some(Some(text)) => Ok(Some(text)),
        Some(None) => Err(Refusal::new(format!("--{option} has no value; allowed: {allowed}"))),
    }
}

/// Takes a whole number that a table declares.
pub(super) fn number(args: &mut Args, spec: &ParamSpec) -> Result<Option<u64>, Refusal> {
    let Some(text) = text(args, &spec.flag(), &spec.kind.allowed())? else { return Ok(None) };
    match spec.parse(&text).map_err(|error| Refusal::value(&error, spec))? {
        Value::Int(n) => Ok(u64::try_from(n).ok()),
        _ => Ok(None),
    }
}
