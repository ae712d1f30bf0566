//! What `--help` says.

use crate::args::Args;
use crate::find;
use crate::list;

const GENERAL: &str = "\
tokenyard runs the labs from the command line, with the same models and the same numbers as the page,
and the fleet simulator on scenario files and traces.

  tokenyard lab <id> [--parameter value …] [--steps] [--format table|json|csv]
      Runs a lab. Parameters that are not given have their defaults. --steps prints every step.
  tokenyard labs [--format table|json|csv]
      Lists the labs and their parameters with ranges and defaults.
  tokenyard link <address> [--steps] [--format table|json|csv]
      Runs what a shared link describes: a whole address, the part from labs/ on, or #lab=<id>&…
      Put it in quotes. If the link carries figures, says whether they are the same.
  tokenyard figure <address> [--format svg|png|alt|caption] [--theme light|dark] [--lang en|ja]
      [--scale 1|2|3|4] [--sweep none|all] [--out FILE] [--site-url URL]
      Makes a picture of what a link describes, which carries the link in it, or its alternative
      text or caption. --site-url is where the pages are; the figure then shows its address.
  tokenyard export <address> [--format json|table.csv|series.csv|markdown|svg|svg-dark] [--lang en|ja]
      [--sweep none|all] [--out FILE] [--site-url URL]
      Writes what a link describes for other programs, with every digit, or its transcript. If
      --out is a folder, the file has the name that the page gives it. --sweep all adds what the
      lab's page simulates at a press, which no link holds.
  tokenyard open <file>
      Prints the link that a figure, an export or a text holds, or what else the file is.
  tokenyard digest [--count]
      Prints a digest of the full state of each scenario that every engine must agree on.
  tokenyard lesson <lesson.toml> [--format table|json|markdown] [--notes] [--lang en|ja]
      Checks a lesson, its tasks with 200 seeds, and prints its outline, or as Markdown the handout;
      --notes adds answers, hints and notes. - reads the lesson from standard input.

  tokenyard run <scenario.json> [--format table|json|csv]
      Runs a scenario of the fleet simulator. - reads the scenario from standard input.
  tokenyard compare <scenario.json> --rules ID,ID,… [--seeds N] [--format table|json|csv]
      Runs it under each of the rules, on the same arrivals. The scenario's own rule keeps its
      parameters, others have their defaults. --seeds adds median and P10 to P90 over N seeds.
  tokenyard replay --trace FILE --rule ID --replicas N --kv-blocks N --block-size N [--preset ID]
      [--seed N] [--spread-ms N] [--speed X] [--trace-format mooncake|azure-2023] [--format …]
      Replays a trace: Mooncake's JSON lines or Azure's CSV of 2023, known by their content.
      The block size of a Mooncake trace is 512; a divisor of it cuts every block into equal ones.
  tokenyard explain <scenario.json> --request N [--format table|json|csv]
      Says where one request went, what was believed and true of each replica, and why.
  tokenyard rules [ID] [--format table|json|csv]
      Lists the routing rules: what they compare and read, how old it is, what a decision costs, parameters,
      upstream names, presets, source.
  tokenyard schema
      Prints the JSON Schema of scenario files.
      run, compare and explain also take --trace FILE for scenarios that replay one; these and
      replay take --set path=value,… to change fields (--set fleet.replicas=8). --regret records
      what every decision lost against fresh data; --progress says on stderr how far it is.

  tokenyard help [lab], --help, --version

A table rounds as the page does and leaves lists out; json and csv are exact. Steps count from 1,
as on screen and in links; everything else, requests and replicas too, counts from 0. Results go to stdout, notes and errors to
stderr. Exit code 0; 2 for input that cannot be used; 1 if the results cannot be written.
";

/// Help on the lab that is named among the arguments, or on everything.
pub(crate) fn about(args: &mut Args) -> String {
    let named = std::iter::from_fn(|| args.positional()).find_map(|word| find::lab(&word).ok());
    match named {
        Some(lab) => format!(
            "tokenyard lab {} [--parameter value …] [--steps] [--format table|json|csv]\n\n{}",
            lab.id,
            list::parameters(&[lab]).aligned()
        ),
        None => format!("{GENERAL}Labs: {}.\n", find::ids().join(", ")),
    }
}
