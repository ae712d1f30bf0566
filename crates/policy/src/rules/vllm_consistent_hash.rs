//! `vllm-consistent-hash`: the owner of the request's key on a ring of all replicas, whatever its
//! load; where the owner is down, the first replica in the list that is up.

use tokenyard_det::Digest;
use tokenyard_param::{Kind, ParamSpec, Values};
use xxhash_rust::xxh3::xxh3_64;

use crate::index::ring::Ring;
use crate::rule::{Age, Ask, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::rules::key;
use crate::view::{ReplicaIx, RequestView, Signals};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "vllm-consistent-hash",
    params: PARAMS,
    upstream: &["X-Session-ID, session_params.session_id", "X-Tenant-ID", "X-Request-ID", "", ""],
    presets: &[],
    terms: &[],
    knowledge: Knowledge::None,
    signals_age: Age::None,
    source: "vllm-project/router, src/policies/consistent_hash.rs",
    build: |values: &Values| {
        Box::new(VllmConsistentHash {
            session: match values.choice("session") {
                0 => SessionIn::Header,
                1 => SessionIn::Body,
                _ => SessionIn::Nowhere,
            },
            tenant: values.switch("tenant_header"),
            request: values.switch("request_id_header"),
            virtual_nodes: values.u32("virtual_nodes"),
            orphans: if values.choice("orphans") == 0 { Orphans::First } else { Orphans::Clockwise },
            ring: Ring::default(),
        })
    },
};

/// What clients send, in the order in which it is looked for: a session in a header, a tenant in a
/// header, a request id in a header, a session in the body; what has none of them is hashed as a
/// whole. A request id that is sent comes before a session in the body, and every turn of the session
/// goes elsewhere. `virtual_nodes` is for each replica. `orphans` is who takes the keys of a replica
/// that is down: the first in the list, as upstream, one for all; or the next clockwise.
static PARAMS: &[ParamSpec] = &[
    ParamSpec {
        key: "session",
        link: "ses",
        kind: Kind::Choice { options: &["header", "body", "none"], default: 0 },
    },
    ParamSpec { key: "tenant_header", link: "ten", kind: Kind::Switch { default: false } },
    ParamSpec { key: "request_id_header", link: "rid", kind: Kind::Switch { default: false } },
    key::virtual_nodes(160),
    ParamSpec {
        key: "orphans",
        link: "orp",
        kind: Kind::Choice { options: &["first", "clockwise"], default: 0 },
    },
];

/// Where clients put the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SessionIn {
    Header,
    Body,
    Nowhere,
}

/// Who takes the keys of a replica that is down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Orphans {
    First,
    Clockwise,
}

/// The ring holds all replicas, up or down.
#[derive(Clone, Debug)]
struct VllmConsistentHash {
    session: SessionIn,
    tenant: bool,
    request: bool,
    virtual_nodes: u32,
    orphans: Orphans,
    ring: Ring,
}

impl VllmConsistentHash {
    fn hash(&self, request: &RequestView<'_>) -> u64 {
        let session = |place| {
            let session = request.session.filter(|_| self.session == place);
            session.map(|session| key::hash_of("session", u64::from(session)))
        };
        let tenant = || self.tenant.then(|| key::hash_of("tenant", u64::from(request.tenant)));
        let number = || self.request.then(|| key::hash_of("request", request.number));
        let named = session(SessionIn::Header).or_else(tenant).or_else(number);
        named.or_else(|| session(SessionIn::Body)).unwrap_or_else(|| {
            // The whole prompt: ids are chained, and the length tells tails apart that have none.
            let last = request.blocks.last().copied().unwrap_or(0);
            let body = [last.to_le_bytes(), u64::from(request.prompt_tokens).to_le_bytes()];
            xxh3_64(&body.concat())
        })
    }
}

impl Rule for VllmConsistentHash {
    fn signals(&self) -> Signals {
        Signals::BLOCKS
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        if self.ring.replicas() != fleet.replicas {
            self.ring = Ring::new(fleet.replicas, self.virtual_nodes);
        }
        let hash = self.hash(&ask.request);
        let up = |replica: ReplicaIx| fleet.routable.binary_search(&replica).is_ok();
        if self.orphans == Orphans::Clockwise {
            return key::walked(self.ring.owner(hash, up));
        }
        let Some(&first) = fleet.routable.first() else { return Choice::Nobody };
        match self.ring.owner(hash, |_| true) {
            Some((to, _)) if up(to) => key::walked(Some((to, 0))),
            _ => Choice::Send { to: first, why: Why::OwnerGone, tied: 1 },
        }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    /// The ring is a function of this number and of the settings.
    fn digest(&self, into: &mut Digest) {
        into.u64(u64::from(self.ring.replicas()));
    }
}
