//! The series of all charts as CSV, in long form.

use tokenyard_lab::{Axis, Figure, Series};

use crate::answers::Answers;
use crate::csv::Csv;

/// The heading line. Charts measure different things, so what an axis measures, with its unit, stands
/// in columns of its own.
pub(crate) const HEAD: [&str; 10] =
    ["figure", "series", "kind", "x", "x_name", "y", "low", "high", "x_axis", "y_axis"];

/// What a series is: what happened, or what would have happened without a change on the way. Both
/// have the same name.
pub(crate) fn kind(series: &Series) -> &'static str {
    if series.ghost { "ghost" } else { "run" }
}

/// One row for each point, in the order of the charts, their series and their points. `x_name` has the
/// words of a place on the axis that is no number; `low` and `high` are the ends of the band, if any.
pub(crate) fn csv(answers: &Answers) -> String {
    let mut csv = Csv::default();
    HEAD.iter().for_each(|name| csv.text(name));
    csv.end();
    for figure in &answers.figures {
        figure.series.iter().for_each(|series| rows(&mut csv, answers, figure, series));
    }
    csv.finish()
}

fn rows(csv: &mut Csv, answers: &Answers, figure: &Figure, series: &Series) {
    let words = answers.source.words;
    let (name, x, y) = (words.say(&series.name), words.say(&figure.x.label), words.say(&figure.y.label));
    for (i, point) in series.points.iter().enumerate() {
        csv.text(figure.id);
        csv.text(&name);
        csv.text(kind(series));
        csv.number(point.0);
        csv.text(&named(&figure.x, point.0).map_or_else(String::new, |name| words.say(name)));
        csv.number(point.1);
        let (low, high) = series.band.get(i).copied().unwrap_or((f64::NAN, f64::NAN));
        csv.number(low);
        csv.number(high);
        csv.text(&x);
        csv.text(&y);
        csv.end();
    }
}

/// The words of a value that stands for something that is no number.
fn named(axis: &Axis, value: f64) -> Option<&tokenyard_lab::Msg> {
    axis.named.iter().find(|(at, _)| *at == value).map(|(_, name)| name)
}
