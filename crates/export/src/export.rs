//! The kinds of files.

use tokenyard_figure::{DrawError, Theme};
use tokenyard_lab::LabSpec;
use tokenyard_lab::link::State;

use crate::answers::{Answers, Source};
use crate::{document, name, series, table, transcript};

/// What is made of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// The summary table: one row for each variant.
    TableCsv,
    /// Every point of every series of every chart: one row each.
    SeriesCsv,
    /// Everything but the transcript, with the link.
    Json,
    /// The transcript with the table, for people.
    Markdown,
    /// The figure, in light colours.
    Svg,
    /// The figure, in dark colours.
    SvgDark,
}

impl Export {
    /// All kinds, in the order in which they are offered.
    pub const ALL: [Self; 6] =
        [Self::TableCsv, Self::SeriesCsv, Self::Json, Self::Markdown, Self::Svg, Self::SvgDark];

    /// Names the kind, on the command line and in words.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::TableCsv => "table.csv",
            Self::SeriesCsv => "series.csv",
            Self::Json => "json",
            Self::Markdown => "markdown",
            Self::Svg => "svg",
            Self::SvgDark => "svg-dark",
        }
    }

    /// Media type, for who serves or saves the file.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::TableCsv | Self::SeriesCsv => "text/csv;charset=utf-8;header=present",
            Self::Json => "application/json",
            Self::Markdown => "text/markdown;charset=utf-8",
            Self::Svg | Self::SvgDark => "image/svg+xml",
        }
    }

    /// Name of the file: `tokenyard-herding-table+interval=5+seed=7.csv`. It has what differs from the
    /// defaults, so files of two states do not overwrite each other, and a CSV, which holds numbers and
    /// nothing else, can be reopened. A state with more settings than fit ends in `+more`.
    #[must_use]
    pub fn file_name(self, lab: &LabSpec, state: &State) -> String {
        let (part, ending) = self.ends();
        format!("{}{part}{}{ending}", name::begin(lab), name::settings(lab, state))
    }

    /// What stands behind the lab in a file's name, and what ends it.
    fn ends(self) -> (&'static str, &'static str) {
        match self {
            Self::TableCsv => (name::TABLE, ".csv"),
            Self::SeriesCsv => (name::SERIES, ".csv"),
            Self::Json => ("", ".json"),
            Self::Markdown => ("", ".md"),
            Self::Svg => ("", ".svg"),
            Self::SvgDark => (name::DARK, ".svg"),
        }
    }
}

/// Makes a file. Cost: one run of the lab and one table; a figure and a transcript, two of each.
///
/// # Errors
/// A figure, as [`tokenyard_figure::svg`]; nothing else can fail.
pub fn write(export: Export, source: &Source) -> Result<String, DrawError> {
    Ok(match export {
        Export::TableCsv => table::csv(&Answers::of(source)),
        Export::SeriesCsv => series::csv(&Answers::of(source)),
        Export::Json => document::json(&Answers::of(source)),
        Export::Markdown => transcript::markdown(&Answers::of(source)),
        Export::Svg => figure(source, Theme::Light)?,
        Export::SvgDark => figure(source, Theme::Dark)?,
    })
}

fn figure(source: &Source, theme: Theme) -> Result<String, DrawError> {
    let shot = source.shot();
    let address = source.site.map(|_| source.address(&shot.carried()));
    shot.svg(theme, address.as_deref())
}
