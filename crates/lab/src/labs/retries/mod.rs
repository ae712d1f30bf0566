//! `retries`: how many calls is one click? One knob, the attempts of a layer; the second lane
//! differs from the first in one setting, who may retry.

mod figure;
#[cfg(feature = "results")]
mod results;
mod scene;
mod spec;
mod story;
mod variant;

use tokenyard_det::Digest;
use tokenyard_models::retries::{Expectation, Params, Plan, Walk, walk};

use crate::figure::Figure;
use crate::msg::{Msg, msg};
use crate::run::{Decision, LabRun, Moment, Row, Table};
use crate::spec::Setup;
use crate::words::Words;

pub(crate) use spec::LAB;
use variant::{VARIANTS, Variant};

/// Points of the curve over the failure probability: 0, 0.01, …, 1.
const CURVE_POINTS: u32 = 101;

/// Whether the click in the lanes is one in an outage: every upstream call fails.
fn in_outage(setup: &Setup) -> bool {
    setup.view.choice("click") == 0
}

fn table(setup: &Setup) -> Table {
    let params = Params::from_values(&setup.values);
    let lanes = Variant::lanes(&params);
    let row = |variant: Variant| {
        let plan = variant.plan(&params);
        let Expectation { worst, calls, success, outage_calls, .. } = plan.expect(params.failure);
        // The luck of one click: the only figure here that the seed moves.
        let click = walk(&plan, params.failure, params.seed).total;
        Row {
            id: variant.id(),
            name: variant.name(&params),
            style: variant.style(),
            lane: lanes.iter().position(|l| *l == variant).map(|l| l as u8),
            cells: vec![worst as f64, outage_calls, calls, success, f64::from(click)],
            answers: variant.answers(&params),
        }
    };
    Table { rows: VARIANTS.map(row).into() }
}

/// What the prediction asks for: the most calls that one click makes in the second lane.
fn outcome(setup: &Setup) -> f64 {
    let params = Params::from_values(&setup.values);
    Variant::lanes(&params)[1].plan(&params).expect(params.failure).worst as f64
}

fn run(setup: &Setup) -> Box<dyn LabRun> {
    let params = Params::from_values(&setup.values);
    let outage = in_outage(setup);
    let failure = if outage { 1.0 } else { params.failure };
    let lanes = Variant::lanes(&params).map(|variant| {
        let plan = variant.plan(&params);
        let click = walk(&plan, failure, params.seed);
        Lane { variant, expected: plan.expect(params.failure), played: plan.expect(failure), click, plan }
    });
    let curves = VARIANTS.map(|variant| {
        let plan = variant.plan(&params);
        let at = |i| f64::from(i) / f64::from(CURVE_POINTS - 1);
        (0..CURVE_POINTS).map(|i| (at(i), plan.expect(at(i)).calls)).collect()
    });
    Box::new(Click { params, outage, lanes, curves })
}

/// One lane: a plan and a click played under it.
#[derive(Debug)]
struct Lane {
    variant: Variant,
    plan: Plan,
    /// At the failure probability that is set.
    expected: Expectation,
    /// At the failure probability of the click that is played: 1 in an outage.
    played: Expectation,
    click: Walk,
}

/// The same click under two plans.
#[derive(Debug)]
struct Click {
    params: Params,
    outage: bool,
    lanes: [Lane; 2],
    /// Expected calls over the failure probability, in the order of [`VARIANTS`].
    curves: [Vec<(f64, f64)>; 4],
}

impl Click {
    /// What the reader calls a layer, 0 outermost.
    fn layer(&self, index: usize) -> String {
        self.params.layers.get(index).map_or_else(String::new, |l| l.name.clone())
    }
}

impl LabRun for Click {
    /// The recorded calls of the first lane; the second one is usually done long before or goes
    /// on long after.
    fn steps(&self) -> u32 {
        self.lanes[0].click.calls.len().max(1) as u32
    }

    fn moments(&self) -> Vec<Moment> {
        story::moments(self)
    }

    fn say(&self, step: u32) -> Msg {
        story::say(self, step)
    }

    fn scene(&self, step: u32, covered: bool, words: &Words) -> String {
        scene::draw(self, step, covered, words)
    }

    fn figures(&self, _step: u32) -> Vec<Figure> {
        vec![figure::expected(self), figure::product(self)]
    }

    fn decisions(&self, step: u32) -> Vec<Decision> {
        story::decisions(self, step)
    }

    fn cut(&self) -> Option<Msg> {
        let click = &self.lanes[0].click;
        let shown = click.calls.len();
        click.cut().then(|| msg("cut").with("shown", shown).with("total", click.total))
    }

    fn digest(&self, into: &mut Digest) {
        for layer in &self.params.layers {
            into.bytes(layer.name.as_bytes());
        }
        for lane in &self.lanes {
            lane.expected.digest(into);
            lane.click.digest(into);
        }
        for (at, calls) in self.curves.iter().flatten() {
            into.f64(*at);
            into.f64(*calls);
        }
    }
}

#[cfg(test)]
mod tests;
