//! `queueing-knee`: how busy may a pool be? One knob, how much service times vary; lanes differ
//! in that alone and share their arrivals.

mod figure;
mod points;
#[cfg(feature = "results")]
mod results;
mod scene;
mod spec;
mod story;

use tokenyard_det::Digest;
use tokenyard_models::queueing_knee::theory::{Pool, Ways};
use tokenyard_models::queueing_knee::{self, Discipline, FREE, Lane, Params, Step, TRACED, curve_cv2, trace};

use crate::figure::Figure;
use crate::msg::{Arg, Msg, msg};
use crate::run::{Decision, LabRun, Moment, Row, Table};
use crate::spec::Setup;
use crate::words::Words;

pub(crate) use spec::LAB;

/// Curves of the model in the order of lanes and rows: the reader's own one first.
const ORDER: [usize; 4] = [FREE, 0, 1, 2];

/// Position of the long tail, CV² 4, in [`ORDER`]: the prediction asks about it.
const TAIL: usize = 3;

/// Identifier of a curve.
const fn id(curve: usize) -> &'static str {
    match curve {
        0 => "fixed",
        1 => "exponential",
        2 => "long-tail",
        _ => "free",
    }
}

fn name(params: &Params, curve: usize) -> Msg {
    let key = match curve {
        0 => "variant.fixed",
        1 => "variant.exponential",
        2 => "variant.long-tail",
        _ => "variant.free",
    };
    msg(key).with("cv2", cv2(curve_cv2(params, curve)))
}

/// A CV² with as many decimals as it needs, at most two.
fn cv2(value: f64) -> Arg {
    let digits = [0_u8, 1].into_iter().find(|d| {
        let scale = [1.0, 10.0][usize::from(*d)];
        (value * scale).round() == value * scale
    });
    Arg::Fixed(value, digits.unwrap_or(2))
}

/// Beside its line.
fn short(params: &Params, curve: usize) -> Msg {
    msg("short.cv2").with("cv2", cv2(curve_cv2(params, curve)))
}

/// Colour and dash of a curve.
const fn style(curve: usize) -> u8 {
    match curve {
        0 => 3,
        1 => 4,
        2 => 2,
        _ => 1,
    }
}

/// Whether a curve would answer the prediction: the long tail, and a free curve next to it.
fn answers(params: &Params, curve: usize) -> bool {
    curve == ORDER[TAIL] || curve == FREE && (params.cv2 - 4.0).abs() < 0.5
}

/// Whether the closed form is an approximation here: several slots in order of arrival, and
/// service times that are not exponential.
fn approximate(params: &Params, curve: usize) -> bool {
    params.slots > 1 && params.discipline == Discipline::Fifo && curve_cv2(params, curve) != 1.0
}

fn table(setup: &Setup) -> Table {
    let params = Params::from_values(&setup.values);
    let pool = Pool::of(&params);
    let row = |(lane, curve): (usize, &usize)| {
        let cv2 = curve_cv2(&params, *curve);
        let wait = pool.wait(params.utilisation, cv2);
        // Little's law: arrivals per service time, times the stay.
        let inside = params.utilisation * f64::from(pool.slots) * (1.0 + wait);
        let traced = trace::lane(&params, *curve).steps.last().map_or(0.0, |s| s.mean_so_far);
        Row {
            id: id(*curve),
            name: name(&params, *curve),
            style: style(*curve),
            lane: u8::try_from(lane).ok(),
            cells: vec![pool.crossing(params.limit, cv2), wait, inside, traced],
            answers: answers(&params, *curve),
        }
    };
    Table { rows: ORDER.iter().enumerate().map(row).collect() }
}

/// What the prediction asks for: the utilisation at which the long tail meets the limit, in
/// whole percent.
fn outcome(setup: &Setup) -> f64 {
    let params = Params::from_values(&setup.values);
    let crossing = Pool::of(&params).crossing(params.limit, curve_cv2(&params, ORDER[TAIL]));
    (100.0 * crossing + 0.5).floor()
}

fn run(setup: &Setup) -> Box<dyn LabRun> {
    let params = Params::from_values(&setup.values);
    let model = queueing_knee::run(&params);
    let pool = Pool::of(&params);
    let ways = ORDER.map(|c| pool.ways(params.utilisation, curve_cv2(&params, c), params.limit));
    Box::new(Knee { params, model, ways })
}

/// The first customers under every distribution, and the closed form.
#[derive(Debug)]
struct Knee {
    params: Params,
    model: queueing_knee::Run,
    /// In the order of [`ORDER`].
    ways: [Ways; 4],
}

impl Knee {
    fn lane(&self, curve: usize) -> &Lane {
        &self.model.lanes[curve.min(FREE)]
    }

    /// Customer `step` of a curve; past the end the last one.
    fn customer(&self, curve: usize, step: u32) -> Option<&Step> {
        let steps = &self.lane(curve).steps;
        steps.get((step as usize).min(steps.len().saturating_sub(1)))
    }

    fn sharing(&self) -> bool {
        self.params.discipline == Discipline::ProcessorSharing
    }
}

impl LabRun for Knee {
    fn steps(&self) -> u32 {
        TRACED as u32
    }

    fn moments(&self) -> Vec<Moment> {
        story::moments(self)
    }

    fn say(&self, step: u32) -> Msg {
        story::say(self, step)
    }

    fn scene(&self, step: u32, _covered: bool, words: &Words) -> String {
        // The prediction asks about a utilisation that no lane shows: nothing to cover here.
        scene::draw(self, step, words)
    }

    fn figures(&self, step: u32) -> Vec<Figure> {
        vec![figure::waits(self, step), figure::knee(self)]
    }

    fn decisions(&self, step: u32) -> Vec<Decision> {
        story::decisions(self, step)
    }

    fn digest(&self, into: &mut Digest) {
        self.model.digest(into);
        // One simulated run, so that the proof covers the points too.
        into.f64(queueing_knee::simulate_run(&self.params, FREE, 3, 0));
    }
}

#[cfg(test)]
mod tests;
