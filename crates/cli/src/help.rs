//! What `--help` says.

use crate::args::Args;
use crate::find;
use crate::list;

const GENERAL: &str = "\
tokenyard runs the labs from the command line, with the same models and the same numbers as the page.

  tokenyard lab <id> [--parameter value …] [--steps] [--format table|json|csv]
      Runs a lab. Parameters that are not given have their defaults. --steps prints every step.
  tokenyard labs [--format table|json|csv]
      Lists the labs and their parameters with ranges and defaults.
  tokenyard link <address> [--steps] [--format table|json|csv]
      Runs what a shared link describes: a whole address, the part from labs/ on, or #lab=<id>&…
      Put it in quotes. If the link carries figures, says whether they are the same.
  tokenyard digest [--count]
      Prints a digest of the full state of each scenario that every engine must agree on.
  tokenyard help [lab], --help, --version

A table rounds as the page does and leaves lists out; json and csv are exact. Steps count from 1,
as on screen and in links; everything else counts from 0. Results go to stdout, notes and errors to
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
