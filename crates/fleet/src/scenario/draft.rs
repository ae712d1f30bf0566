//! A scenario as it was said: one value for every parameter, each in its own range.
//!
//! Pages and the command line change drafts; [`Draft::build`] checks what concerns two fields at
//! once and makes the [`Scenario`] that a run reads.

use tokenyard_param::{ParamSpec, Values};
use tokenyard_policy::RuleSpec;

use super::problem::Problem;
use super::{
    Change, ClientSettings, FleetSettings, GatewaySettings, Limits, RouterSettings, Scenario, Slo,
    WorkloadSettings, checks, client, fleet, gateway, limits, router, workload,
};
use crate::trace_file::Trace;

/// The rule of a scenario that names none.
pub static DEFAULT_RULE: &RuleSpec = tokenyard_policy::rules::RULES[0];

/// Largest seed: every whole number up to it is exact in JSON readers that use doubles.
pub const MOST_SEED: u64 = (1 << 53) - 1;

/// The sections of a scenario file that are plain tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the file's fields")]
pub enum Section {
    Workload,
    Fleet,
    Router,
    Client,
    Gateway,
    Limits,
    Slo,
}

impl Section {
    /// All, in the order of a written file.
    pub const ALL: [Self; 7] =
        [Self::Workload, Self::Fleet, Self::Router, Self::Client, Self::Gateway, Self::Limits, Self::Slo];

    /// The field's name.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Workload => "workload",
            Self::Fleet => "fleet",
            Self::Router => "router",
            Self::Client => "client",
            Self::Gateway => "gateway",
            Self::Limits => "limits",
            Self::Slo => "slo",
        }
    }

    /// Its parameters.
    #[must_use]
    pub fn table(self) -> &'static [ParamSpec] {
        match self {
            Self::Workload => &workload::TABLE,
            Self::Fleet => &fleet::TABLE,
            Self::Router => &router::TABLE,
            Self::Client => &client::TABLE,
            Self::Gateway => &gateway::TABLE,
            Self::Limits => &limits::LIMITS,
            Self::Slo => &limits::SLO,
        }
    }
}

/// A scenario as it was said.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Seed of every random stream, at most [`MOST_SEED`].
    pub seed: u64,
    /// Values of [`super::change::TABLE`], in the order of the file.
    pub changes: Vec<Values>,
    sections: [Values; Section::ALL.len()],
    rule: &'static RuleSpec,
    rule_params: Values,
}

impl PartialEq for Draft {
    fn eq(&self, other: &Self) -> bool {
        self.seed == other.seed
            && self.changes == other.changes
            && self.sections == other.sections
            && self.rule.id == other.rule.id
            && self.rule_params == other.rule_params
    }
}

impl Default for Draft {
    /// Everything at its default, seed 1.
    fn default() -> Self {
        Self {
            seed: 1,
            changes: Vec::new(),
            sections: Section::ALL.map(|section| Values::defaults(section.table())),
            rule: DEFAULT_RULE,
            rule_params: Values::defaults(DEFAULT_RULE.params),
        }
    }
}

impl Draft {
    /// Values of a section.
    #[must_use]
    pub fn section(&self, section: Section) -> &Values {
        &self.sections[section as usize]
    }

    /// Values of a section, to change.
    pub fn section_mut(&mut self, section: Section) -> &mut Values {
        &mut self.sections[section as usize]
    }

    /// The rule.
    #[must_use]
    pub fn rule(&self) -> &'static RuleSpec {
        self.rule
    }

    /// Takes another rule, its parameters at their defaults.
    pub fn set_rule(&mut self, rule: &'static RuleSpec) {
        self.rule = rule;
        self.rule_params = Values::defaults(rule.params);
    }

    /// Parameters of the rule.
    #[must_use]
    pub fn rule_params(&self) -> &Values {
        &self.rule_params
    }

    /// Parameters of the rule, to change.
    pub fn rule_params_mut(&mut self) -> &mut Values {
        &mut self.rule_params
    }

    /// Sets one field from text, by a path like `fleet.replicas` or `router.rule_params.c`, as a
    /// command line gives it.
    ///
    /// # Errors
    /// What is wrong with the path or the value.
    pub fn set(&mut self, path: &str, text: &str) -> Result<(), Problem> {
        if path == "seed" {
            let seed = text.parse().ok().filter(|seed| *seed <= MOST_SEED);
            self.seed = seed.ok_or_else(|| {
                Problem::new(path, super::problem::shorten(text), format!("0 to {MOST_SEED}"))
            })?;
            return Ok(());
        }
        if path == "router.rule" {
            let rule = tokenyard_policy::rules::by_id(text).ok_or_else(|| {
                Problem::new(path, super::problem::shorten(text), super::schema::rule_ids().join(", "))
            })?;
            self.set_rule(rule);
            return Ok(());
        }
        let (values, key) = match path.strip_prefix("router.rule_params.") {
            Some(key) => (&mut self.rule_params, key),
            None => {
                let found = path.split_once('.').and_then(|(head, key)| {
                    Section::ALL.into_iter().find(|s| s.key() == head).map(|section| (section, key))
                });
                let Some((section, key)) = found else {
                    return Err(super::read::unknown_field(path, &Section::ALL.map(Section::key)));
                };
                (self.section_mut(section), key)
            }
        };
        let Some(place) = values.position(key) else {
            let known: Vec<_> = values.specs().iter().map(|spec| spec.key).collect();
            return Err(super::read::unknown_field(path, &known));
        };
        let value = values.specs()[place].parse(text);
        let value = value.map_err(|e| Problem::new(path, e.given, e.allowed))?;
        values.set(place, value);
        Ok(())
    }

    /// The scenario, if every two fields fit each other. `trace` is the one that the run will have
    /// beside the scenario.
    ///
    /// # Errors
    /// Every pair of fields that does not fit.
    pub fn build(&self, trace: Option<&Trace>) -> Result<Scenario, Vec<Problem>> {
        let problems = checks::problems(self, trace);
        if !problems.is_empty() {
            return Err(problems);
        }
        let mut changes: Vec<Change> = self.changes.iter().map(Change::of).collect();
        changes.sort_by_key(|change| change.at);
        Ok(Scenario {
            seed: self.seed,
            workload: WorkloadSettings::of(self.section(Section::Workload)),
            fleet: FleetSettings::of(self.section(Section::Fleet)),
            router: RouterSettings::of(self.section(Section::Router), self.rule, &self.rule_params),
            client: ClientSettings::of(self.section(Section::Client)),
            gateway: GatewaySettings::of(self.section(Section::Gateway)),
            changes,
            limits: Limits::of(self.section(Section::Limits)),
            slo: Slo::of(self.section(Section::Slo)),
        })
    }
}
