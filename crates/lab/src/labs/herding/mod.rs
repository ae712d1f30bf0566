//! `herding`: why does everyone run to one replica? One knob, the age of the copy.

mod figure;
#[cfg(feature = "results")]
mod results;
mod scene;
mod spec;
mod story;

use tokenyard_det::Digest;
use tokenyard_models::herding::{self, Fork, Params, Rule, Run, Summary};

use crate::figure::Figure;
use crate::msg::Msg;
use crate::run::{Decision, LabRun, Moment, Row, Table};
use crate::spec::Setup;
use crate::words::Words;

pub(crate) use spec::LAB;

/// Key of a rule's name.
const fn name(rule: Rule) -> &'static str {
    match rule {
        Rule::LeastOutstanding => "rule.least-outstanding",
        Rule::InFlightAware => "rule.in-flight-aware",
        Rule::PowerOfTwo => "rule.power-of-two",
        Rule::InFlightAwareP2c => "rule.in-flight-aware-p2c",
    }
}

/// Key of a rule's short name, beside its line.
const fn short(rule: Rule) -> &'static str {
    match rule {
        Rule::LeastOutstanding => "short.least-outstanding",
        Rule::InFlightAware => "short.in-flight-aware",
        Rule::PowerOfTwo => "short.power-of-two",
        Rule::InFlightAwareP2c => "short.in-flight-aware-p2c",
    }
}

/// Colour and dash of a rule.
const fn style(rule: Rule) -> u8 {
    match rule {
        Rule::LeastOutstanding => 1,
        Rule::PowerOfTwo => 2,
        Rule::InFlightAware => 3,
        Rule::InFlightAwareP2c => 4,
    }
}

/// The two rules in the lanes.
fn lanes(setup: &Setup) -> [Rule; 2] {
    ["lane_a", "lane_b"].map(|key| Rule::ALL[usize::from(setup.view.choice(key)) % Rule::ALL.len()])
}

fn simulate(setup: &Setup, rule: Rule, forked: bool) -> Run {
    let params = Params::from_values(&setup.values);
    let fork = setup.fork.as_ref().filter(|_| forked);
    let fork = fork.map(|f| Fork { tick: f.step, then: Params::from_values(&f.values) });
    herding::run(&params, rule, fork)
}

fn table(setup: &Setup) -> Table {
    let lanes = lanes(setup);
    let rows = Rule::ALL.map(|rule| {
        let Summary { max_spread, mean_spread, oscillation, concentration } =
            herding::summary(&simulate(setup, rule, true));
        let lane = lanes.iter().position(|l| *l == rule);
        Row {
            id: rule.id(),
            name: crate::msg(name(rule)),
            style: style(rule),
            lane: lane.map(|l| l as u8),
            cells: vec![f64::from(max_spread), mean_spread, oscillation, concentration],
            answers: rule != lanes[0],
        }
    });
    Table { rows: rows.into() }
}

/// What the prediction asks for: the peak skew of the second lane.
fn outcome(setup: &Setup) -> f64 {
    f64::from(herding::summary(&simulate(setup, lanes(setup)[1], true)).max_spread)
}

fn run(setup: &Setup) -> Box<dyn LabRun> {
    let rules = lanes(setup);
    let ghosts = setup.fork.as_ref().map(|f| f.step).map(|_| rules.map(|r| simulate(setup, r, false)));
    Box::new(Duel { lanes: rules.map(|r| simulate(setup, r, true)), ghosts })
}

/// Two rules on the same arrivals.
#[derive(Debug)]
struct Duel {
    lanes: [Run; 2],
    /// The futures without the fork.
    ghosts: Option<[Run; 2]>,
}

impl LabRun for Duel {
    fn steps(&self) -> u32 {
        self.lanes[0].params.horizon
    }

    fn moments(&self) -> Vec<Moment> {
        story::moments(&self.lanes[0])
    }

    fn say(&self, step: u32) -> Msg {
        story::say(&self.lanes[0], step)
    }

    fn scene(&self, step: u32, covered: bool, words: &Words) -> String {
        scene::draw(self, step, covered, words)
    }

    fn figures(&self, step: u32) -> Vec<Figure> {
        vec![figure::skew(self, step)]
    }

    fn decisions(&self, step: u32) -> Vec<Decision> {
        let lane = |i: usize| story::decisions(&self.lanes[i], step, i > 0);
        [lane(0), lane(1)].concat()
    }

    fn digest(&self, into: &mut Digest) {
        self.lanes.iter().for_each(|run| run.digest(into));
    }
}

#[cfg(test)]
mod tests;
