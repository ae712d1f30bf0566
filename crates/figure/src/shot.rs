//! One state, computed once: everything that a figure says.

use tokenyard_chart::DrawError;
use tokenyard_lab::link::State;
use tokenyard_lab::{Arg, Figure, LabSpec, Msg, Table, Words, msg, sweep};

use crate::carried::Carried;
use crate::page::{self, Theme};
use crate::settings;

/// Most charts in a figure: it should be seen whole on a screen.
const CHARTS: usize = 2;

/// What stands between two facts, in every language.
pub(crate) const BETWEEN: &str = " · ";

/// A state with its run's answers, in words. Make one where a page needs picture, caption and
/// alternative text together.
#[derive(Debug)]
pub struct Shot<'a> {
    pub(crate) lab: &'a LabSpec,
    pub(crate) words: &'a Words,
    state: &'a State,
    step: u32,
    steps: u32,
    /// The first charts at the step.
    pub(crate) figures: Vec<Figure>,
    say: Msg,
    cut: Option<Msg>,
    /// The whole run, every variant.
    pub(crate) table: Table,
}

impl<'a> Shot<'a> {
    /// Runs a state. A step past the end is the last one. Cost: one run of the lab and one table.
    #[must_use]
    pub fn new(lab: &'a LabSpec, state: &'a State, words: &'a Words) -> Self {
        Self::swept(lab, state, words, &[])
    }

    /// The same with the answers of the lab's sweep over the chart that shows them: the rows of its first
    /// items, in order.
    #[must_use]
    pub fn swept(lab: &'a LabSpec, state: &'a State, words: &'a Words, sweep: &[Vec<f64>]) -> Self {
        let run = lab.run(&state.setup);
        let steps = run.steps();
        let opening = || run.moments().first().map_or(0, |moment| moment.step);
        let step = state.step.unwrap_or_else(opening).min(steps.saturating_sub(1));
        let mut figures = sweep::figures(lab, &state.setup, run.as_ref(), step, sweep);
        figures.truncate(CHARTS);
        let (say, cut) = (run.say(step), run.cut());
        Self { lab, words, state, step, steps, figures, say, cut, table: lab.table(&state.setup) }
    }

    /// The figure; see [`crate::svg`].
    ///
    /// # Errors
    /// As [`tokenyard_chart::draw`].
    pub fn svg(&self, theme: Theme, address: Option<&str>) -> Result<String, DrawError> {
        page::document(self, theme, address)
    }

    /// What the figure carries.
    #[must_use]
    pub fn carried(&self) -> Carried {
        Carried::with(self.lab, self.state, &self.table)
    }

    /// Alternative text; see [`crate::alt`].
    #[must_use]
    pub fn alt(&self) -> String {
        let summary = self.figures.first().map(|figure| self.words.say(&figure.summary));
        let alt = msg("shot.alt").with("title", self.title()).with("summary", summary.unwrap_or_default());
        self.words.say(&alt).trim().to_owned()
    }

    /// Caption; see [`crate::caption`].
    #[must_use]
    pub fn caption(&self, address: Option<&str>) -> String {
        let charts = self.figures.iter().map(|figure| Arg::Text(self.chart(figure))).collect();
        let what = msg("shot.caption").with("title", self.title()).with("charts", Arg::List(charts));
        let mut text = self.words.say(&what.with("facts", self.facts()));
        if let Some(address) = address {
            text.push(' ');
            text.push_str(address);
        }
        text
    }

    /// The lab's title.
    pub(crate) fn title(&self) -> String {
        self.words.at(&["title"])
    }

    /// Name of a chart.
    pub(crate) fn chart(&self, figure: &Figure) -> String {
        self.words.at(&["figure", figure.id, "caption"])
    }

    /// The sentence of the step.
    pub(crate) fn sentence(&self) -> String {
        self.words.say(&self.say)
    }

    /// What the whole figure shows, in sentences.
    pub(crate) fn description(&self) -> String {
        let more = self.figures.iter().skip(1).map(|figure| self.words.say(&figure.summary));
        let all: Vec<String> = [self.alt()].into_iter().chain(more).chain([self.sentence()]).collect();
        all.join(" ")
    }

    /// From what the figure was computed, in one line.
    pub(crate) fn facts(&self) -> String {
        self.told().join(BETWEEN)
    }

    /// From what the figure was computed: step, what differs from the default, seed, model, and that
    /// the run was cut, if it was. One short text each, without a full stop.
    #[must_use]
    pub fn told(&self) -> Vec<String> {
        let (words, setup) = (self.words, &self.state.setup);
        let fresh = self.lab.defaults();
        let at = msg("player.position").with("at", self.step + 1).with("of", self.steps);
        let mut facts = vec![msg("shot.step").with("position", at)];
        let changed = settings::changed(&setup.values, &fresh.values, words);
        let forked = setup.fork.as_ref().map(|fork| {
            let then = settings::changed(&fork.values, &setup.values, words);
            let then = then.into_iter().map(Arg::Msg).collect();
            msg("shot.fork").with("n", fork.step + 1).with("changes", Arg::List(then))
        });
        if *setup == fresh {
            facts.push(msg("shot.defaults"));
        }
        facts.extend(changed);
        facts.extend(settings::changed(&setup.view, &fresh.view, words));
        facts.extend(forked);
        if self.lab.has_seed() {
            // As in a link: a seed is a name, not a quantity, and has no separators.
            let seed = setup.values.position("seed").and_then(|i| setup.values.at(i));
            let seed = seed.and_then(tokenyard_param::Value::number).unwrap_or_default();
            let seed = Arg::Text(tokenyard_det::format::fixed(seed, 0));
            facts.push(msg("luck.seed").with("n", seed));
        }
        facts.push(msg("shot.model").with("n", self.lab.model_version));
        let mut text: Vec<String> = facts.iter().map(|fact| words.say(fact)).collect();
        text.extend(self.cut.iter().map(|cut| words.say(cut)));
        text
    }
}
