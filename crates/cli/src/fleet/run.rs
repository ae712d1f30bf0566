//! `tokenyard run <scenario.json>`: one run of one scenario.

use super::figures;
use super::input::{Input, OPTIONS};
use super::measure::{Measured, check_regret, disclaimer};
use super::print;
use super::progress::Progress;
use crate::args::Args;
use crate::format::Format;
use crate::outcome::Outcome;
use crate::refusal::Refusal;

/// Runs a scenario under its own rule.
pub(crate) fn command(mut args: Args) -> Result<Outcome, Refusal> {
    let format = Format::take(&mut args)?;
    let progress = Progress::take(&mut args)?;
    let regret = args.switch("regret")?;
    let input = Input::take("run", &mut args)?;
    args.finish("run", &[&OPTIONS[..], &["regret", "progress", "format"]].concat())?;
    let scenario = input.build()?;
    if regret {
        check_regret(&scenario, input.trace.as_ref())?;
    }
    let run = Measured::of(&scenario, input.trace.as_ref(), progress, regret);
    let mut notes = vec![disclaimer(run.preset)];
    notes.extend(run.cut());
    Ok(Outcome { stdout: print::results(&[figures::of(&run)], format), notes })
}
