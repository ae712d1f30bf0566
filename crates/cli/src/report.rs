//! One run as the reader gets it: settings, results, and what a link said about them.

use serde_json::{Map, Value as Json, json};
use tokenyard_lab::link::Verdict;
use tokenyard_lab::{LabSpec, Setup};
use tokenyard_param::Values;

use crate::format::Format;
use crate::json;
use crate::outcome::Outcome;
use crate::rows;

/// What the maker of a link saw, beside what this run gives.
#[derive(Debug)]
pub(crate) struct Headline {
    /// Row of the summary table that the figures are of.
    pub(crate) row: &'static str,
    /// Columns that the figures are of.
    pub(crate) columns: Vec<&'static str>,
    /// Figures in the link.
    pub(crate) was: Vec<String>,
    /// Figures now.
    pub(crate) is: Vec<String>,
    /// Model version in the link, if it says one.
    pub(crate) made: Option<u32>,
    /// Present model version.
    pub(crate) own: u32,
}

impl Headline {
    fn verdict(&self) -> Verdict {
        Verdict::of(self.made, self.own, &self.was, &self.is)
    }

    fn line(&self) -> String {
        let figures = || format!("was {}, is {}", self.was.join(" "), self.is.join(" "));
        match (self.verdict(), self.made) {
            (Verdict::Same, _) => "same".to_owned(),
            (Verdict::OtherModel, Some(made)) => {
                format!("made with model {made}, this is model {}: {}", self.own, figures())
            }
            (Verdict::OtherModel | Verdict::Differs, _) => format!("differs: {}", figures()),
        }
    }

    fn json(&self) -> Json {
        json!({
            "verdict": match self.verdict() {
                Verdict::Same => "same",
                Verdict::OtherModel => "other model",
                Verdict::Differs => "differs",
            },
            "model": {"was": self.made, "is": self.own},
            "row": self.row,
            "columns": self.columns,
            "was": self.was,
            "is": self.is,
        })
    }
}

/// A run, ready to be printed.
#[derive(Debug)]
pub(crate) struct Report {
    lab: &'static LabSpec,
    params: Json,
    results: Vec<Json>,
    steps: bool,
    fork: Option<Json>,
    headline: Option<Headline>,
    notes: Vec<String>,
}

impl Report {
    /// Runs a lab. A fork has no steps and no results of its own: its summary table is printed.
    pub(crate) fn of(lab: &'static LabSpec, setup: &Setup, steps: bool) -> Self {
        let results = match &setup.fork {
            None => (lab.results)(&setup.values, steps),
            Some(_) => forked(lab, setup),
        };
        let mut report = Self {
            lab,
            params: json::params(&setup.values),
            results,
            steps,
            fork: None,
            headline: None,
            notes: Vec::new(),
        };
        if let Some(fork) = &setup.fork {
            let changed = changed(&setup.values, &fork.values);
            report.notes.push(format!(
                "this run changes at step {}: {}; the results are those of the changed run",
                fork.step + 1,
                if changed.is_empty() { "nothing".to_owned() } else { changed.join(", ") }
            ));
            report.fork = Some(json!({"step": fork.step + 1, "params": json::params(&fork.values)}));
        }
        report.note_cuts(lab.run(setup).cut().is_some());
        report
    }

    /// Adds what a link claims.
    pub(crate) fn with_headline(mut self, headline: Option<Headline>) -> Self {
        self.headline = headline;
        self
    }

    /// Adds something that the reader should know.
    pub(crate) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Says which results are of a run that was stopped before its end.
    fn note_cuts(&mut self, any: bool) {
        let is_cut = |result: &&Json| result["cut"] == json!(true);
        let name = |result: &Json| rows::name(result).and_then(|(_, n)| n.as_str().map(str::to_owned));
        let cut: Vec<&Json> = self.results.iter().filter(is_cut).collect();
        if any || !cut.is_empty() {
            let names: Vec<String> = cut.into_iter().filter_map(name).collect();
            let of = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
            self.notes.push(format!("cut before its end{of}: the figures are of the part that ran"));
        }
    }

    /// Prints it.
    pub(crate) fn print(mut self, format: Format) -> Outcome {
        let line = self.headline.as_ref().map(Headline::line);
        if format == Format::Json {
            return Outcome { stdout: json::document(&self.json()), notes: self.notes };
        }
        let by_step = if self.steps { rows::steps(self.lab, &self.results, format) } else { None };
        if self.steps && by_step.is_none() {
            self.notes.push(format!("{} has no steps; one row for each result", self.lab.id));
        }
        let grid = by_step.unwrap_or_else(|| rows::summary(self.lab, &self.results, format));
        let mut stdout = if format == Format::Csv { grid.csv() } else { grid.aligned() };
        match line {
            Some(line) if format == Format::Table => stdout.push_str(&format!("{line}\n")),
            // In CSV every line is a record.
            Some(line) => self.notes.push(line),
            None => {}
        }
        Outcome { stdout, notes: self.notes }
    }

    fn json(&self) -> Json {
        let mut out = Map::new();
        out.insert("lab".to_owned(), Json::from(self.lab.id));
        out.insert("params".to_owned(), self.params.clone());
        if let Some(fork) = &self.fork {
            out.insert("fork".to_owned(), fork.clone());
        }
        out.insert("results".to_owned(), Json::from(self.results.clone()));
        if let Some(headline) = &self.headline {
            out.insert("headline".to_owned(), headline.json());
        }
        Json::Object(out)
    }
}

/// The summary table of a forked run, under the names that the lab's results have.
fn forked(lab: &LabSpec, setup: &Setup) -> Vec<Json> {
    let plain = (lab.results)(&setup.values, false);
    let key = plain.first().and_then(rows::name).map_or("row".to_owned(), |(key, _)| key);
    let table = lab.table(setup);
    let result = |row: &tokenyard_lab::Row| {
        let mut fields = Map::new();
        fields.insert(key.clone(), Json::from(row.id));
        for (column, cell) in lab.columns.iter().zip(&row.cells) {
            let whole = column.digits == Some(0) && cell.fract() == 0.0 && cell.abs() < 9e15;
            let figure = if whole { Json::from(*cell as i64) } else { Json::from(*cell) };
            fields.insert(column.key.to_owned(), figure);
        }
        Json::Object(fields)
    };
    table.rows.iter().map(result).collect()
}

/// What a fork changes, as `key value`.
fn changed(before: &Values, after: &Values) -> Vec<String> {
    let differs = |i: &usize| before.at(*i) != after.at(*i);
    let text = |i: usize| {
        let spec = after.specs().get(i)?;
        Some(format!("{} {}", spec.key, spec.kind.write(after.at(i)?)))
    };
    (0..after.specs().len()).filter(differs).filter_map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenyard_lab::labs::LABS;

    #[test]
    fn only_the_same_model_can_differ() {
        let headline = |made, is: &str| Headline {
            row: "a",
            columns: vec!["x", "y"],
            was: vec!["1.5".to_owned(), "2".to_owned()],
            is: vec![is.to_owned(), "2".to_owned()],
            made,
            own: 3,
        };
        for (made, is, line, verdict) in [
            (Some(3), "1.5", "same", "same"),
            (Some(2), "1.5", "same", "same"),
            (Some(3), "1.6", "differs: was 1.5 2, is 1.6 2", "differs"),
            (None, "1.6", "differs: was 1.5 2, is 1.6 2", "differs"),
            (Some(2), "1.6", "made with model 2, this is model 3: was 1.5 2, is 1.6 2", "other model"),
            (Some(9), "1.6", "made with model 9, this is model 3: was 1.5 2, is 1.6 2", "other model"),
        ] {
            let headline = headline(made, is);
            assert_eq!(headline.line(), line);
            let json = headline.json();
            assert_eq!((&json["verdict"], &json["model"]), (&json!(verdict), &json!({"was": made, "is": 3})));
        }
    }

    #[test]
    fn a_cut_run_is_named() {
        let lab = LABS[0];
        let mut report = Report::of(lab, &lab.defaults(), false);
        assert_eq!(report.notes, [] as [&str; 0], "the default run is whole");
        report.results = vec![json!({"rule": "a", "cut": true}), json!({"rule": "b", "cut": false})];
        report.note_cuts(false);
        assert!(report.notes[0].contains("cut before its end (a):"), "{:?}", report.notes);
        report.results.clear();
        report.note_cuts(true);
        assert!(report.notes[1].contains("cut before its end:"), "{:?}", report.notes);
    }
}
