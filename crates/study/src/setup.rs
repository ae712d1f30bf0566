//! What a study is made from: a scenario without its rule, and up to four rules.

use tokenyard_fleet::Scenario;
use tokenyard_fleet::scenario::{Draft, Problem, Section};
use tokenyard_fleet::trace_file::Trace;
use tokenyard_param::{Value, Values};
use tokenyard_policy::RuleSpec;
use tokenyard_policy::rules::{RULES, by_id};

/// Most rules side by side.
pub const MOST_LANES: usize = 4;

/// Most candidates of all recorded decisions, over all lanes. Each takes about 60 bytes in the tab.
pub const MOST_CANDIDATES: u64 = 500_000;

/// The workload of a page that nobody has touched: forty prompts of 6 000 shared tokens on a
/// fleet whose caches hold about half of them, so that locality and balance pull apart.
const START: [(&str, &str); 11] = [
    ("workload.requests", "400"),
    ("workload.rate_rps", "32"),
    ("workload.prefix", "families"),
    ("workload.families", "40"),
    ("workload.shared_tokens", "6000"),
    ("workload.prompt_mean", "512"),
    ("workload.output_mean", "128"),
    ("fleet.replicas", "4"),
    ("fleet.preset", "llama-3.1-8b-h100"),
    ("fleet.kv_blocks", "6000"),
    ("slo.ttft_ms", "500"),
];

/// The rules of that page, with what differs from their defaults.
const START_LANES: [(&str, &[(&str, &str)]); 4] = [
    ("least-outstanding", &[]),
    ("consistent-hash", &[("key", "prefix")]),
    ("prefix-gap", &[]),
    ("dynamo-kv", &[]),
];

/// A rule and its parameters.
#[derive(Clone, Debug)]
pub struct Lane {
    /// The rule.
    pub rule: &'static RuleSpec,
    /// Its parameters, in range.
    pub params: Values,
}

impl PartialEq for Lane {
    fn eq(&self, other: &Self) -> bool {
        self.rule.id == other.rule.id && self.params == other.params
    }
}

impl Lane {
    /// A rule with its defaults.
    #[must_use]
    pub fn of(rule: &'static RuleSpec) -> Self {
        Self { rule, params: Values::defaults(rule.params) }
    }
}

/// A study: never without a lane, never with more than [`MOST_LANES`].
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// The scenario; its own rule is not looked at.
    pub base: Draft,
    lanes: Vec<Lane>,
}

impl Default for Study {
    fn default() -> Self {
        let mut base = Draft::default();
        apply(&mut base, &START);
        let lanes = START_LANES.iter().filter_map(|(id, set)| {
            let mut lane = Lane::of(by_id(id)?);
            for (key, text) in *set {
                let place = lane.params.position(key)?;
                let value = lane.params.specs()[place].parse(text).ok()?;
                lane.params.set(place, value);
            }
            Some(lane)
        });
        Self { base, lanes: lanes.collect() }
    }
}

/// Sets fields that are known to be right; a test reads every list that is applied.
pub(crate) fn apply(draft: &mut Draft, set: &[(&str, &str)]) {
    for (path, text) in set {
        let done = draft.set(path, text);
        debug_assert_eq!(done, Ok(()), "{path}");
    }
}

impl Study {
    /// The study of a scenario file: its rule is the only lane.
    #[must_use]
    pub fn of_draft(base: Draft) -> Self {
        let lane = Lane { rule: base.rule(), params: base.rule_params().clone() };
        Self { base, lanes: vec![lane] }
    }

    /// The lanes, from the first.
    #[must_use]
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// Replaces the lanes; `false` and nothing changed if there are none or too many.
    pub fn set_lanes(&mut self, lanes: Vec<Lane>) -> bool {
        let fits = (1..=MOST_LANES).contains(&lanes.len());
        if fits {
            self.lanes = lanes;
        }
        fits
    }

    /// Puts a rule with its defaults into a lane; none takes the lane away, one behind the last
    /// adds it.
    pub fn set_rule(&mut self, lane: usize, rule: Option<&'static RuleSpec>) {
        match rule {
            Some(rule) if lane < self.lanes.len() => self.lanes[lane] = Lane::of(rule),
            Some(rule) if lane < MOST_LANES => self.lanes.push(Lane::of(rule)),
            None if self.lanes.len() > 1 && lane < self.lanes.len() => drop(self.lanes.remove(lane)),
            _ => {}
        }
    }

    /// Sets a parameter of a lane's rule.
    pub fn set_rule_param(&mut self, lane: usize, place: usize, value: Value) {
        if let Some(lane) = self.lanes.get_mut(lane) {
            lane.params.set(place, value);
        }
    }

    /// Sets a field of the scenario.
    pub fn set(&mut self, section: Section, place: usize, value: Value) {
        self.base.section_mut(section).set(place, value);
    }

    /// The scenario of one lane as it was said.
    #[must_use]
    pub fn draft(&self, lane: usize) -> Draft {
        let mut draft = self.base.clone();
        if let Some(lane) = self.lanes.get(lane) {
            draft.set_rule(lane.rule);
            *draft.rule_params_mut() = lane.params.clone();
        }
        draft
    }

    /// The scenario of one lane.
    ///
    /// # Errors
    /// Fields that do not fit each other, and a run that is too long to be recorded in a tab.
    pub fn scenario(&self, lane: usize, trace: Option<&Trace>) -> Result<Scenario, Vec<Problem>> {
        let scenario = self.draft(lane).build(trace)?;
        self.check_size(&scenario, trace).map_err(|problem| vec![problem])?;
        Ok(scenario)
    }

    /// What keeps the study from being run; empty if nothing does.
    #[must_use]
    pub fn problems(&self, trace: Option<&Trace>) -> Vec<Problem> {
        self.scenario(0, trace).err().unwrap_or_default()
    }

    fn check_size(&self, scenario: &Scenario, trace: Option<&Trace>) -> Result<(), Problem> {
        let requests = match trace {
            Some(trace) => trace.rows.len() as u64,
            None => scenario.workload.requests.into(),
        };
        let each = u64::from(scenario.fleet.replicas) * self.lanes.len() as u64;
        if requests * each <= MOST_CANDIDATES {
            return Ok(());
        }
        let (path, most) = ("workload.requests".to_owned(), MOST_CANDIDATES / each);
        let allowed = format!("at most {most} with so many replicas and rules on this page");
        Err(Problem { path, given: requests.to_string(), allowed })
    }

    /// Letters of the rules of all lanes for links: ids with commas between them.
    pub(crate) fn rule_ids(&self) -> String {
        self.lanes.iter().map(|lane| lane.rule.id).collect::<Vec<_>>().join(",")
    }
}

/// Every rule, as the picker lists them.
#[must_use]
pub fn rules() -> &'static [&'static RuleSpec] {
    RULES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_a_study_that_runs() {
        let study = Study::default();
        assert_eq!(study.lanes().len(), START_LANES.len());
        assert_eq!(study.problems(None), []);
        let defaults = Draft::default();
        for (path, _) in START {
            let (section, key) = path.split_once('.').unwrap();
            let section = Section::ALL.into_iter().find(|s| s.key() == section).unwrap();
            let at = |draft: &Draft| draft.section(section).get(key).cloned();
            assert!(at(&study.base).is_some(), "{path}");
            assert!(
                path == "fleet.replicas" || path == "fleet.preset" || at(&study.base) != at(&defaults),
                "{path}"
            );
        }
    }

    #[test]
    fn a_study_has_one_to_four_lanes() {
        let mut study = Study::default();
        assert!(!study.set_lanes(Vec::new()));
        assert!(!study.set_lanes(vec![Lane::of(RULES[0]); MOST_LANES + 1]));
        for _ in 0..9 {
            study.set_rule(0, None);
        }
        assert_eq!(study.lanes().len(), 1);
        for _ in 0..9 {
            study.set_rule(MOST_LANES - 1, Some(RULES[1]));
        }
        assert_eq!(study.lanes().len(), MOST_LANES);
    }

    #[test]
    fn a_run_too_long_for_a_tab_is_refused_with_what_is_allowed() {
        let mut study = Study::default();
        apply(&mut study.base, &[("workload.requests", "31250")]);
        assert_eq!(study.problems(None), []);
        apply(&mut study.base, &[("workload.requests", "31251")]);
        let problems = study.problems(None);
        assert_eq!((problems[0].path.as_str(), problems[0].given.as_str()), ("workload.requests", "31251"));
        assert!(problems[0].allowed.contains("31250"), "{problems:?}");
    }
}
