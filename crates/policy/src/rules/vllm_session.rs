//! `vllm-session`: the owner of the session on a ring of replicas, whatever its load; a request
//! without a session goes where this router has sent the fewest requests of late, and at once to a
//! replica that it has never sent one.

use tokenyard_det::Digest;
use tokenyard_param::{Kind, ParamSpec, Values};

use crate::index::ring::Ring;
use crate::rule::{Age, Ask, By, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::rules::key::{self, Key};
use crate::rules::qps::Qps;
use crate::view::{ReplicaIx, Signals};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "vllm-session",
    params: PARAMS,
    upstream: &["--session-key", "", "", "--request-stats-window"],
    presets: &[],
    terms: &["qps"],
    knowledge: Knowledge::None,
    signals_age: Age::Window { s: 60 },
    source: "vllm-project/production-stack a6c01db0, routers/routing_logic.py, stats/request_stats.py",
    build: |values: &Values| {
        Box::new(Session {
            key: Key::new(values),
            virtual_nodes: values.u32("virtual_nodes"),
            window_s: values.u32("window_s"),
            ring: Ring::default(),
            qps: Qps::over(values.u32("window_s")),
        })
    },
};

/// `blocks` is in KV blocks and read only with the key `blocks`; `virtual_nodes` is for each replica
/// (uhashring's 40 nodes of 4 points); `window_s` is in seconds.
static PARAMS: &[ParamSpec] = &[
    key::KEY,
    key::BLOCKS,
    key::virtual_nodes(160),
    ParamSpec {
        key: "window_s",
        link: "win",
        kind: Kind::Int { min: 1, max: 3_600, default: 60, step: 1, page: 30 },
    },
];

/// The ring holds all replicas, and who is down is passed over: with as many points for each
/// whoever is there, that is upstream's ring without them.
#[derive(Clone, Debug)]
struct Session {
    key: Key,
    virtual_nodes: u32,
    window_s: u32,
    ring: Ring,
    qps: Qps,
}

impl Session {
    fn decide(&mut self, ask: &mut Ask<'_, '_>) -> Option<(ReplicaIx, Why, u32)> {
        let routable = ask.fleet.routable;
        if let Some(hash) = self.key.hash(&ask.request) {
            let up = |replica: ReplicaIx| routable.binary_search(&replica).is_ok();
            let (to, step) = self.ring.owner_after(hash, up)?;
            return Some((to, if step == 0 { Why::Owner } else { Why::Fallback { step } }, 1));
        }
        // Nothing is less than any count, so who has none is first.
        let (to, tied) = self.qps.lowest(ask)?;
        Some((to, Why::Least { by: By::RecentRequests }, tied))
    }
}

impl Rule for Session {
    fn signals(&self) -> Signals {
        self.key.signals()
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        if self.ring.replicas() != fleet.replicas {
            self.ring = Ring::new(fleet.replicas, self.virtual_nodes);
        }
        self.qps.slide(fleet.now);
        if ask.explain.is_on() {
            for &replica in fleet.routable {
                let count = self.qps.of(replica).unwrap_or(0);
                ask.explain.row(replica, &[f64::from(count) / f64::from(self.window_s)]);
            }
        }
        let Some((to, why, tied)) = self.decide(ask) else { return Choice::Nobody };
        self.qps.count(fleet.now, to);
        Choice::Send { to, why, tied }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    /// The ring is a function of the first number and of the settings.
    fn digest(&self, into: &mut Digest) {
        into.u64(u64::from(self.ring.replicas()));
        self.qps.digest(into);
    }
}
