//! `routing-lab`: same arrivals, another rule, what moves? The knob is the rule itself.

mod figure;
mod fleet;
#[cfg(feature = "results")]
mod results;
mod scene;
mod spec;
mod story;
mod why;

use tokenyard_det::Digest;
use tokenyard_models::routing_lab::{self as model, Params, Request, Rule, Run, Summary, Workload};

use crate::figure::Figure;
use crate::msg::{Msg, msg};
use crate::run::{Decision, LabRun, Moment, Row, Table};
use crate::spec::Setup;
use crate::words::Words;

pub(crate) use spec::LAB;

/// Key of a rule's name.
const fn name(rule: Rule) -> &'static str {
    match rule {
        Rule::Random => "rule.random",
        Rule::RoundRobin => "rule.round-robin",
        Rule::LeastOutstanding => "rule.least-outstanding",
        Rule::PowerOfTwo => "rule.power-of-two",
        Rule::LeastKv => "rule.least-kv",
        Rule::PrefixAware => "rule.prefix-aware",
    }
}

/// Key of a rule's short name, beside its line.
const fn short(rule: Rule) -> &'static str {
    match rule {
        Rule::Random => "short.random",
        Rule::RoundRobin => "short.round-robin",
        Rule::LeastOutstanding => "short.least-outstanding",
        Rule::PowerOfTwo => "short.power-of-two",
        Rule::LeastKv => "short.least-kv",
        Rule::PrefixAware => "short.prefix-aware",
    }
}

/// Colour and dash of a rule.
const fn style(rule: Rule) -> u8 {
    match rule {
        Rule::LeastOutstanding => 1,
        Rule::PrefixAware => 2,
        Rule::RoundRobin => 3,
        Rule::PowerOfTwo => 4,
        Rule::LeastKv => 5,
        Rule::Random => 6,
    }
}

/// The rule chosen for one of the first two lanes.
fn rule_of(setup: &Setup, lane: &str) -> Rule {
    Rule::ALL[usize::from(setup.view.choice(lane)) % Rule::ALL.len()]
}

/// The rules in the lanes, one to four; a rule asked for twice stands in its first lane only.
fn lanes(setup: &Setup) -> Vec<Rule> {
    // The last two lanes may be empty: their first option is none.
    let more = ["lane_c", "lane_d"].map(|lane| usize::from(setup.view.choice(lane)).checked_sub(1));
    let more = more.into_iter().flatten().filter_map(|i| Rule::ALL.get(i).copied());
    let mut rules: Vec<Rule> = Vec::new();
    for rule in ["lane_a", "lane_b"].map(|lane| rule_of(setup, lane)).into_iter().chain(more) {
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    rules
}

fn table(setup: &Setup) -> Table {
    let params = Params::from_values(&setup.values);
    let workload = Workload::generate(&params);
    let lanes = lanes(setup);
    let rows = Rule::ALL.map(|rule| {
        let s: Summary = model::summarise(&params, &workload, rule);
        let spread = f64::from(s.assigned_spread);
        Row {
            id: rule.id(),
            name: msg(name(rule)),
            style: style(rule),
            lane: lanes.iter().position(|l| *l == rule).map(|l| l as u8),
            cells: vec![s.ttft_p95, s.slo_attainment, s.cache_hit_rate, spread, s.output_tokens_per_tick],
            answers: rule != lanes[0],
        }
    });
    Table { rows: rows.into() }
}

/// Cache sufficiency of a rule as a share.
fn sufficiency(setup: &Setup, rule: Rule) -> f64 {
    let params = Params::from_values(&setup.values);
    model::summarise(&params, &Workload::generate(&params), rule).cache_hit_rate
}

/// What the prediction asks for: the cache sufficiency of the second lane, in whole percent as
/// the table prints it.
fn outcome(setup: &Setup) -> f64 {
    (100.0 * sufficiency(setup, rule_of(setup, "lane_b")) + 0.5).floor()
}

fn run(setup: &Setup) -> Box<dyn LabRun> {
    let params = Params::from_values(&setup.values);
    let workload = Workload::generate(&params);
    let lanes = lanes(setup).into_iter().map(|rule| model::run(&params, &workload, rule)).collect();
    Box::new(Race { params, workload, lanes })
}

/// Up to four rules on the same arrivals. A step is an arrival.
#[derive(Debug)]
struct Race {
    params: Params,
    workload: Workload,
    /// At least one.
    lanes: Vec<Run>,
}

impl Race {
    fn requests(&self) -> &[Request] {
        self.workload.requests()
    }
}

impl LabRun for Race {
    fn steps(&self) -> u32 {
        (self.lanes[0].decisions().len() as u32).max(1)
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

    fn figures(&self, step: u32) -> Vec<Figure> {
        vec![figure::fullest(self, step), figure::ttft(self, step)]
    }

    fn decisions(&self, step: u32) -> Vec<Decision> {
        (0..self.lanes.len()).filter_map(|lane| why::decision(self, lane, step)).collect()
    }

    fn cut(&self) -> Option<Msg> {
        story::cut(self)
    }

    /// All six rules, whichever are in view: the lanes are a choice of the reader, and a digest
    /// stands for the parameters alone.
    fn digest(&self, into: &mut Digest) {
        for rule in Rule::ALL {
            match self.lanes.iter().find(|run| run.rule == rule) {
                Some(run) => run.digest(into),
                None => model::run(&self.params, &self.workload, rule).digest(into),
            }
        }
    }
}

#[cfg(test)]
mod tests;
