//! `tokenyard lab <id>`: one run with parameters from flags.

use tokenyard_lab::LabSpec;
use tokenyard_param::Values;

use crate::args::Args;
use crate::find;
use crate::format::Format;
use crate::outcome::Outcome;
use crate::refusal::Refusal;
use crate::report::Report;

/// Reads the lab's name, its parameters and the form of output, and runs it.
pub(crate) fn command(mut args: Args) -> Result<Outcome, Refusal> {
    let Some(id) = args.positional() else {
        return Err(Refusal::new(format!("lab needs a name; labs: {}", find::ids().join(", "))));
    };
    let lab = find::lab(&id)?;
    let format = Format::take(&mut args)?;
    let steps = args.switch("steps")?;
    let mut setup = lab.defaults();
    take_parameters(lab, &mut setup.values, &mut args)?;
    let mut known: Vec<String> = lab.params.iter().map(|spec| spec.flag()).collect();
    known.extend(["steps".to_owned(), "format".to_owned()]);
    args.finish(lab.id, &known.iter().map(String::as_str).collect::<Vec<_>>())?;
    Ok(Report::of(lab, &setup, steps).print(format))
}

fn take_parameters(lab: &LabSpec, values: &mut Values, args: &mut Args) -> Result<(), Refusal> {
    for (at, spec) in lab.params.iter().enumerate() {
        let Some(given) = args.option(&spec.flag()) else {
            continue;
        };
        let allowed = spec.kind.allowed();
        let text = given.ok_or_else(|| {
            Refusal::new(format!("{} has no value; allowed: {allowed} (--{})", spec.key, spec.flag()))
        })?;
        let value = spec.parse(&text).map_err(|error| Refusal::value(&error, spec))?;
        values.set(at, value);
    }
    Ok(())
}
