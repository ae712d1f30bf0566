//! `batching`: where do slots and decode idle? One knob, the mode in view; all three are drawn.

mod figure;
#[cfg(feature = "results")]
mod results;
mod scene;
mod spec;
mod story;
mod why;

use tokenyard_det::Digest;
use tokenyard_models::batching::{self, Mode, Params, Run};

use crate::figure::Figure;
use crate::msg::Msg;
use crate::run::{Decision, LabRun, Moment, Row, Table};
use crate::spec::Setup;
use crate::words::Words;

pub(crate) use spec::LAB;

/// Key of a mode's name: the knob's own words.
const fn name(mode: Mode) -> &'static str {
    match mode {
        Mode::Static => "param.mode.static",
        Mode::Continuous => "param.mode.continuous",
        Mode::Chunked => "param.mode.chunked",
    }
}

/// Key of a mode's short name, beside its line.
const fn short(mode: Mode) -> &'static str {
    match mode {
        Mode::Static => "short.static",
        Mode::Continuous => "short.continuous",
        Mode::Chunked => "short.chunked",
    }
}

/// Colour and dash of a mode in charts and table; in the scene colours are jobs.
const fn style(mode: Mode) -> u8 {
    mode as u8 + 1
}

/// The modes in the order of the lanes: the one in view, then the others.
fn lanes(view: Mode) -> [Mode; 3] {
    match view {
        Mode::Static => Mode::ALL,
        Mode::Continuous => [Mode::Continuous, Mode::Static, Mode::Chunked],
        Mode::Chunked => [Mode::Chunked, Mode::Static, Mode::Continuous],
    }
}

/// The mode that the prediction asks about: the other end of the question that admission asks.
const fn hidden(view: Mode) -> Mode {
    match view {
        Mode::Static | Mode::Chunked => Mode::Continuous,
        Mode::Continuous => Mode::Static,
    }
}

fn table(setup: &Setup) -> Table {
    let params = Params::from_values(&setup.values);
    let lanes = lanes(params.mode);
    let rows = Mode::ALL.map(|mode| {
        let run = batching::run(&params, mode);
        let (drain, zero) = (f64::from(run.iterations_to_drain), f64::from(run.zero_output_iterations));
        Row {
            id: mode.id(),
            name: crate::msg(name(mode)),
            style: style(mode),
            lane: lanes.iter().position(|l| *l == mode).map(|l| l as u8),
            cells: vec![drain, zero, run.slot_fill],
            answers: mode != params.mode,
        }
    });
    Table { rows: rows.into() }
}

/// What the prediction asks for: whether the other mode has fewer iterations without output (0),
/// as many (1) or more (2).
fn outcome(setup: &Setup) -> f64 {
    let params = Params::from_values(&setup.values);
    let zero = |mode: Mode| batching::run(&params, mode).zero_output_iterations;
    match zero(hidden(params.mode)).cmp(&zero(params.mode)) {
        std::cmp::Ordering::Less => 0.0,
        std::cmp::Ordering::Equal => 1.0,
        std::cmp::Ordering::Greater => 2.0,
    }
}

fn run(setup: &Setup) -> Box<dyn LabRun> {
    let params = Params::from_values(&setup.values);
    Box::new(Trio { view: params.mode, runs: Mode::ALL.map(|mode| batching::run(&params, mode)) })
}

/// The three modes on the same jobs.
#[derive(Debug)]
struct Trio {
    view: Mode,
    /// In the order of [`Mode::ALL`].
    runs: [Run; 3],
}

impl Trio {
    fn of(&self, mode: Mode) -> &Run {
        &self.runs[mode as usize]
    }

    fn in_view(&self) -> &Run {
        self.of(self.view)
    }

    /// Iterations of the longest run; the shorter ones stand still after their end.
    fn length(&self) -> u32 {
        self.runs.iter().map(|r| r.iterations_to_drain).max().unwrap_or(0)
    }
}

impl LabRun for Trio {
    fn steps(&self) -> u32 {
        self.length()
    }

    fn moments(&self) -> Vec<Moment> {
        story::moments(self.in_view())
    }

    fn say(&self, step: u32) -> Msg {
        story::say(self.in_view(), step)
    }

    fn scene(&self, step: u32, covered: bool, words: &Words) -> String {
        scene::draw(self, step, covered, words)
    }

    fn figures(&self, step: u32) -> Vec<Figure> {
        vec![figure::tokens(self, step)]
    }

    fn decisions(&self, step: u32) -> Vec<Decision> {
        lanes(self.view).iter().flat_map(|m| why::decisions(self.of(*m), step, *m != self.view)).collect()
    }

    fn digest(&self, into: &mut Digest) {
        lanes(self.view).iter().for_each(|mode| self.of(*mode).digest(into));
    }
}

#[cfg(test)]
mod tests;
