//! `maglev`: the owner of the request's key in a Maglev table of the healthy replicas, whatever
//! its load. More even than a ring; when a replica leaves, a few keys move among the others too.

use tokenyard_det::Digest;
use tokenyard_param::{ParamSpec, Values};

use crate::rule::{Age, Ask, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::rules::envoy::{self, Owners};
use crate::rules::key::{self, Key};
use crate::view::Signals;

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "maglev",
    params: PARAMS,
    upstream: &["hash_policy", "", "table_size"],
    presets: &[],
    terms: &[],
    knowledge: Knowledge::None,
    signals_age: Age::None,
    source: "envoyproxy/envoy, source/extensions/load_balancing_policies/maglev/maglev_lb.cc; \
             Eisenbud et al., NSDI 2016",
    build: |values: &Values| Box::new(MaglevRule { key: Key::new(values), owners: Owners::maglev(values) }),
};

/// `blocks` is in KV blocks and read only with the key `blocks`; `table_size` is in slots.
static PARAMS: &[ParamSpec] = &[key::KEY, key::BLOCKS, envoy::TABLE_SIZE];

/// Keeps nothing but its last table.
#[derive(Clone, Debug)]
struct MaglevRule {
    key: Key,
    owners: Owners,
}

impl Rule for MaglevRule {
    fn signals(&self) -> Signals {
        self.key.signals()
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let (hash, keyed) = envoy::hash(self.key, ask);
        let why = if keyed { Why::Owner } else { Why::Drawn };
        let owner = self.owners.owner(ask.fleet.routable, hash);
        owner.map_or(Choice::Nobody, |to| Choice::Send { to, why, tied: 1 })
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, _into: &mut Digest) {}
}
