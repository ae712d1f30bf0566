//! A finished study as a run that a page can look into at any step.
//!
//! A step is a request: request 12 of every lane is the same request, whatever became of it, so one
//! cursor stands for all lanes. What a lane shows is the moment at which its router first decided
//! about that request.

use tokenyard_det::Digest;
use tokenyard_lab::{Arg, Decision, Figure, LabRun, Moment, Msg, Row, Table, Words, msg};

use crate::lane::{Choice, LaneRun};
use crate::setup::Study;
use crate::{figures, reasons, scene, story};

/// One lane with its names.
#[derive(Clone, Debug)]
pub struct Side {
    /// Id of the rule.
    pub rule: &'static str,
    /// Names of the rule's terms.
    pub terms: &'static [&'static str],
    /// Where the same rule stands in two lanes: which of them this is, from 1; else 0.
    pub copy: u32,
    /// 1 to 4: colour, dash and marker.
    pub style: u8,
    /// The run.
    pub run: LaneRun,
}

impl Side {
    /// The rule's name.
    #[must_use]
    pub fn name(&self) -> Msg {
        self.label().name()
    }

    /// A name that fits beside a line.
    #[must_use]
    pub fn short(&self) -> Msg {
        self.label().short()
    }

    fn label(&self) -> Label {
        Label { rule: self.rule, copy: self.copy, style: self.style }
    }
}

/// What a lane is called, with or without a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// Id of the rule.
    pub rule: &'static str,
    /// Where the same rule stands in two lanes: which of them this is, from 1; else 0.
    pub copy: u32,
    /// 1 to 4: colour, dash and marker.
    pub style: u8,
}

impl Label {
    /// The rule's name.
    #[must_use]
    pub fn name(&self) -> Msg {
        self.called("name")
    }

    /// A name that fits beside a line.
    #[must_use]
    pub fn short(&self) -> Msg {
        self.called("short")
    }

    fn called(&self, form: &str) -> Msg {
        let name = Arg::Key(format!("rule.{}.{form}", self.rule));
        match self.copy {
            0 => msg("lane.name").with("name", name),
            n => msg("lane.numbered").with("name", name).with("n", n),
        }
    }
}

/// What the lanes of a study are called.
#[must_use]
pub fn labels(study: &Study) -> Vec<Label> {
    let lanes = study.lanes();
    let copies =
        |of: &str, among: &[crate::Lane]| among.iter().filter(|lane| lane.rule.id == of).count() as u32;
    let label = |(i, lane): (usize, &crate::Lane)| {
        let rule = lane.rule.id;
        let copy = if copies(rule, lanes) > 1 { copies(rule, &lanes[..=i]) } else { 0 };
        Label { rule, copy, style: i as u8 + 1 }
    };
    lanes.iter().enumerate().map(label).collect()
}

/// All lanes of a study. There may be none: then nothing has been run yet.
#[derive(Clone, Debug)]
pub struct StudyRun {
    pub(crate) sides: Vec<Side>,
    /// Tokens of a block.
    pub(crate) block: u32,
    pub(crate) slo_ttft_ms: f64,
    moments: Vec<Moment>,
    /// The charts, without a cursor: a step moves that and nothing else.
    figures: Vec<Figure>,
}

/// A study that has not been run.
impl Default for StudyRun {
    fn default() -> Self {
        Self::new(&Study::default(), Vec::new())
    }
}

impl StudyRun {
    /// Puts the runs of a study's lanes side by side; lanes without a run are left out.
    #[must_use]
    pub fn new(study: &Study, runs: Vec<LaneRun>) -> Self {
        let lanes = study.lanes();
        let side = |((label, lane), run): ((Label, &crate::Lane), LaneRun)| Side {
            rule: label.rule,
            terms: lane.rule.terms,
            copy: label.copy,
            style: label.style,
            run,
        };
        let sides: Vec<Side> = labels(study).into_iter().zip(lanes).zip(runs).map(side).collect();
        let fleet = study.base.section(tokenyard_fleet::scenario::Section::Fleet);
        let slo = study.base.section(tokenyard_fleet::scenario::Section::Slo);
        let mut run = Self {
            sides,
            block: fleet.u32("block"),
            slo_ttft_ms: f64::from(slo.u32("ttft_ms")),
            moments: Vec::new(),
            figures: Vec::new(),
        };
        run.moments = story::moments(&run);
        run.figures = figures::all(&run);
        run
    }

    /// The lanes.
    #[must_use]
    pub fn sides(&self) -> &[Side] {
        &self.sides
    }

    /// Requests of the lane that has most.
    #[must_use]
    pub fn requests(&self) -> u32 {
        self.sides.iter().map(|side| side.run.requests()).max().unwrap_or(0)
    }

    /// The next request after (or the last before) `step` that two lanes send to different
    /// replicas.
    #[must_use]
    pub fn parting(&self, step: u32, forward: bool) -> Option<u32> {
        let mut all: Box<dyn Iterator<Item = u32>> = match forward {
            true => Box::new(step.saturating_add(1)..self.requests()),
            false => Box::new((0..step.min(self.requests())).rev()),
        };
        all.find(|request| self.parts(*request))
    }

    /// Whether two lanes sent a request to different replicas at first.
    #[must_use]
    pub fn parts(&self, request: u32) -> bool {
        let mut all = self.sides.iter().filter_map(|side| side.run.first(request).map(|choice| choice.to));
        let first = all.next();
        all.any(|to| Some(to) != first)
    }

    /// When a request arrived, in ms, in the first lane that knows.
    pub(crate) fn arrival_ms(&self, request: u32) -> f64 {
        self.sides.iter().find_map(|side| side.run.answer(request)).map_or(0.0, |a| a.arrival_ms)
    }

    /// The decision that a lane shows at a step: the first one about the request, or the last one
    /// before it arrived where no router decided about it.
    pub(crate) fn shown<'a>(&self, side: &'a Side, step: u32) -> Option<Choice<'a>> {
        side.run.first(step).or_else(|| (0..step).rev().find_map(|earlier| side.run.first(earlier)))
    }

    /// Headline numbers for a link: P95 of TTFT of each lane, three digits.
    #[must_use]
    pub fn headline(&self) -> Vec<String> {
        let ttft = self.sides.iter().map(|side| side.run.cells()[crate::columns::FIRST]);
        ttft.map(|ms| tokenyard_det::format::significant(ms, 3)).collect()
    }

    /// The summary table: one row a lane.
    #[must_use]
    pub fn table(&self) -> Table {
        let row = |(i, side): (usize, &Side)| Row {
            id: side.rule,
            name: side.name(),
            style: side.style,
            lane: Some(i as u8),
            cells: side.run.cells().to_vec(),
            answers: false,
        };
        Table { rows: self.sides.iter().enumerate().map(row).collect() }
    }

    /// The decision log around a step, `rows` requests of it.
    #[must_use]
    pub fn log(&self, step: u32, rows: u32, words: &Words) -> String {
        scene::log(self, step, rows, words)
    }
}

impl LabRun for StudyRun {
    fn steps(&self) -> u32 {
        self.requests().max(1)
    }

    fn moments(&self) -> Vec<Moment> {
        self.moments.clone()
    }

    fn say(&self, step: u32) -> Msg {
        story::say(self, step)
    }

    fn scene(&self, step: u32, _covered: bool, words: &Words) -> String {
        scene::draw(self, step, words)
    }

    fn figures(&self, step: u32) -> Vec<Figure> {
        let at = self.arrival_ms(step) / 1e3;
        let cursor = |f: &Figure| Figure { cursor: Some(at.min(f.x.max)), ..f.clone() };
        self.figures.iter().map(cursor).collect()
    }

    fn decisions(&self, step: u32) -> Vec<Decision> {
        self.sides.iter().flat_map(|side| reasons::of(self, side, step)).collect()
    }

    fn cut(&self) -> Option<Msg> {
        let cut = self.sides.iter().find(|side| side.run.end() != "drained")?;
        let why = Arg::Key(format!("end.{}", cut.run.end()));
        Some(msg("cut").with("rule", cut.name()).with("why", why).with("n", cut.run.unfinished()))
    }

    fn digest(&self, into: &mut Digest) {
        for side in &self.sides {
            side.run.cells().iter().for_each(|cell| into.f64(*cell));
            into.u64(side.run.decisions() as u64);
        }
    }
}
