//! `prefix-affinity`: when should affinity give up? One knob, the load gap at which it does.

mod figure;
#[cfg(feature = "results")]
mod results;
mod scene;
mod side;
mod spec;
mod story;

use tokenyard_det::Digest;
use tokenyard_models::prefix_affinity::{self, CurvePoint, Params, Run};

use crate::figure::Figure;
use crate::msg::{Msg, msg};
use crate::run::{Decision, LabRun, Moment, Row, Table};
use crate::spec::Setup;
use crate::words::Words;
use side::Router;

pub(crate) use spec::LAB;

fn table(setup: &Setup) -> Table {
    let run = prefix_affinity::run(&Params::from_values(&setup.values));
    let cells = |router: Router| {
        let (hits, prefill, escapes, loads) = router.totals(&run);
        let fullest = loads.iter().max().copied().unwrap_or(0);
        [hits, prefill, escapes, fullest].map(f64::from).into()
    };
    let rows = [Router::Baseline, Router::Aware].map(|router| Row {
        id: router.id(),
        name: msg(router.name()),
        style: router.style(),
        lane: Some(router.lane()),
        cells: cells(router),
        answers: router == Router::Aware && answers(&run),
    });
    Table { rows: rows.into() }
}

/// Whether the aware lane of a run is the answer to the prediction: it never gave affinity up.
fn answers(run: &Run) -> bool {
    run.escapes == 0
}

/// What the prediction asks for: the load of the fullest replica if affinity is never given up.
fn outcome(setup: &Setup) -> f64 {
    let params = Params { load_gap_threshold: None, ..Params::from_values(&setup.values) };
    f64::from(prefix_affinity::run(&params).aware_loads.into_iter().max().unwrap_or(0))
}

fn run(setup: &Setup) -> Box<dyn LabRun> {
    let params = Params::from_values(&setup.values);
    Box::new(Duel { run: prefix_affinity::run(&params), curve: prefix_affinity::curve(&params), params })
}

/// Both routers on the same requests, and what the aware one does at every other threshold.
#[derive(Debug)]
struct Duel {
    params: Params,
    run: Run,
    curve: Vec<CurvePoint>,
}

impl LabRun for Duel {
    fn steps(&self) -> u32 {
        self.run.steps.len() as u32
    }

    fn moments(&self) -> Vec<Moment> {
        story::moments(&self.run)
    }

    fn say(&self, step: u32) -> Msg {
        story::say(&self.run, step)
    }

    fn scene(&self, step: u32, covered: bool, words: &Words) -> String {
        scene::draw(self, step, covered && answers(&self.run), words)
    }

    fn figures(&self, step: u32) -> Vec<Figure> {
        vec![figure::prefill(self, step), figure::trade(self), figure::cost(self)]
    }

    fn decisions(&self, step: u32) -> Vec<Decision> {
        story::decisions(&self.run, step)
    }

    fn digest(&self, into: &mut Digest) {
        self.run.digest(into);
    }
}

#[cfg(test)]
mod tests;
