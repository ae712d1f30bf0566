//! What a rule is: how it is declared, what it is asked, what it answers.

use tokenyard_det::Digest;
use tokenyard_param::{ParamSpec, Values};

use crate::draw::Draw;
use crate::explain::Explain;
use crate::view::{FleetView, ReplicaIx, RequestView, Signals};

/// One question to a rule.
#[derive(Debug)]
pub struct Ask<'a, 'b> {
    /// The request.
    pub request: RequestView<'a>,
    /// What the router believes.
    pub fleet: FleetView<'a>,
    /// Chance and ties.
    pub draw: Draw<'b>,
    /// Where score terms go.
    pub explain: &'b mut Explain,
}

/// The quantity by which candidates were compared: the smallest wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Requests sent and not ended, as the router counts them.
    Outstanding,
    /// The same as counters of the rule's own have it, which forget.
    Counted,
    /// Share of the KV blocks in use, as last reported.
    KvUsage,
    /// KV usage of the one with a report, outstanding requests of the one without.
    UsageOrOutstanding,
    /// 1 000 × KV blocks in use + outstanding requests.
    KvBlocks,
    /// (Outstanding requests + 1) × average time to first token.
    PeakCost,
    /// Time that the queue is estimated to take, and a penalty for a full cache.
    QueueTime,
    /// Mean seconds for each output token of past answers.
    SecondsPerToken,
    /// Tokens served in this calendar minute.
    MinuteTokens,
    /// Requests sent within the window of the rule.
    RecentRequests,
    /// Keys with requests in flight.
    Keys,
    /// Seconds that a mean request is expected to take, by means of the engine's whole life.
    ExpectedLatency,
    /// 2 × prompt tokens + generated tokens of a mean request of the engine's whole life.
    MeanTokens,
}

impl By {
    /// All.
    pub const ALL: [Self; 13] = [
        Self::Outstanding,
        Self::Counted,
        Self::KvUsage,
        Self::UsageOrOutstanding,
        Self::KvBlocks,
        Self::PeakCost,
        Self::QueueTime,
        Self::SecondsPerToken,
        Self::MinuteTokens,
        Self::RecentRequests,
        Self::Keys,
        Self::ExpectedLatency,
        Self::MeanTokens,
    ];

    /// Its word.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Outstanding => "outstanding",
            Self::Counted => "counted",
            Self::KvUsage => "kv-usage",
            Self::UsageOrOutstanding => "usage-or-outstanding",
            Self::KvBlocks => "kv-blocks",
            Self::PeakCost => "peak-cost",
            Self::QueueTime => "queue-time",
            Self::SecondsPerToken => "seconds-per-token",
            Self::MinuteTokens => "minute-tokens",
            Self::RecentRequests => "recent-requests",
            Self::Keys => "keys",
            Self::ExpectedLatency => "expected-latency",
            Self::MeanTokens => "mean-tokens",
        }
    }
}

/// Why a rule chose as it did, in data: the page and the command line make sentences of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Why {
    /// There was one candidate only.
    Only,
    /// It was its turn; `cursor` counts decisions.
    Turn {
        /// The counter before this decision.
        cursor: u64,
    },
    /// Drawn from all candidates.
    Drawn,
    /// The smaller of two drawn candidates.
    Sampled {
        /// First and second draw.
        of: [ReplicaIx; 2],
        /// What is compared.
        by: By,
    },
    /// The smallest of more than two drawn candidates.
    SampledOf {
        /// Draws; a candidate may be drawn more than once.
        draws: u32,
        /// What is compared.
        by: By,
    },
    /// The smallest of all that are compared.
    Least {
        /// What is compared.
        by: By,
    },
    /// The owner of the request's key on the ring or in the table.
    Owner,
    /// The owner could not take it: the n-th fallback did.
    Fallback {
        /// 1 for the first fallback.
        step: u16,
    },
    /// Most of the prompt was believed to be there.
    Match {
        /// Matched tokens, or symbols.
        matched: u32,
        /// Out of so many.
        of: u32,
    },
    /// Too little was matched anywhere: the least loaded.
    Miss {
        /// Best match, in tokens or symbols.
        matched: u32,
        /// Out of so many.
        of: u32,
    },
    /// Affinity was given up, because loads were too far apart.
    Imbalanced {
        /// Smallest load.
        min: u32,
        /// Largest load.
        max: u32,
    },
    /// The owner of the prefix may not be chosen now: first candidate instead.
    OwnerGone,
    /// The smallest cost of all.
    Cost,
    /// Drawn with probabilities that fall with cost, or grow with score.
    Softmax,
    /// The largest score of all that were left to score.
    Score,
    /// The longest prefix match.
    Longest {
        /// Blocks matched.
        blocks: u32,
    },
}

/// What a rule answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// Send it there.
    Send {
        /// The replica, one of the routable ones.
        to: ReplicaIx,
        /// The reason.
        why: Why,
        /// Candidates that were equal to it before the tie was broken, itself included.
        tied: u32,
    },
    /// Nobody can take it: there is no routable replica.
    Nobody,
    /// There are candidates, and the rule itself gives the request to none of them, because of a
    /// limit of theirs, a busy threshold or a saturated pool: the client is told so at once (429 or
    /// 503) and may come back.
    Refused,
    /// There are candidates, and the rule lets nobody through to any of them for now, because the
    /// pool is saturated: the request waits at the gateway, and so does everybody behind it.
    Held,
}

/// How an attempt ended, as its router saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With a whole answer.
    Served,
    /// With the replica, which died.
    Failed,
    /// Refused for a rate limit of the replica's (429).
    Limited,
    /// Refused because the prompt can never fit (400).
    TooLong,
    /// Its client or the router had waited long enough (408).
    TimedOut,
    /// Called off, because another attempt was faster.
    Cancelled,
}

/// What a router tells its rule after the fact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fact {
    /// The first token of a request arrived.
    FirstToken {
        /// Who served it.
        by: ReplicaIx,
        /// Time to first token as the router measured it, in picoseconds.
        ttft: u64,
        /// When, in picoseconds.
        at: u64,
    },
    /// An attempt ended, well or not: once for each that was sent.
    Ended {
        /// Who had it.
        by: ReplicaIx,
        /// When, in picoseconds.
        at: u64,
        /// How.
        how: Ending,
        /// Its prompt tokens; 0 if its client had gone.
        input: u32,
        /// Tokens of its answer; 0 unless it was served.
        output: u32,
        /// Time to first token in picoseconds; `None` if there was none.
        ttft: Option<u64>,
        /// From dispatch to end, in picoseconds.
        duration: u64,
    },
    /// A replica is gone: failed, or taken out of the fleet.
    Left(ReplicaIx),
    /// A replica is routable again, with an empty cache.
    Joined(ReplicaIx),
}

/// Where a rule takes its prefix knowledge from when the router does not say otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knowledge {
    /// It has none.
    None,
    /// It keeps a history of its own.
    Own,
    /// KV events from the engines.
    Events,
    /// The engines' caches as they are.
    True,
}

/// How old the numbers are that a rule decides by, with upstream's defaults and its own: the oldest
/// kind where it reads several. The intervals are those that its [`RuleSpec::source`] has in its
/// code. A router around the rule can make them older or fresher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Age {
    /// It reads nothing that can be old: chance, turns, the request itself, what is written down.
    None,
    /// Its own counters and its own memory of what it sent where, right at every moment.
    Current,
    /// Readings of the replicas.
    Polled {
        /// From one to the next, in milliseconds; 0 if they are asked anew for every decision.
        ms: u32,
    },
    /// Events of the replicas, as they arrive.
    Events {
        /// Time for which upstream gathers them before it sends, in milliseconds; 0 if each is sent
        /// at once.
        ms: u32,
    },
    /// Numbers over a window of time, or averages that forget as slowly.
    Window {
        /// Its length in seconds.
        s: u32,
    },
}

/// A routing rule: a pure function of what it is asked and what it has kept.
pub trait Rule: core::fmt::Debug + Send {
    /// Columns it reads.
    fn signals(&self) -> Signals;

    /// Decides. What upstream updates while deciding (cursors, trees) is updated here.
    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice;

    /// Learns what became of requests and replicas.
    fn learn(&mut self, fact: &Fact) {
        let _ = fact;
    }

    /// What [`Rule::choose`] would answer, of which nothing stays but the draws. A rule that keeps
    /// much answers without a copy of it.
    fn would_choose(&self, ask: &mut Ask<'_, '_>) -> Choice {
        self.boxed_clone().choose(ask)
    }

    /// A copy, for snapshots.
    fn boxed_clone(&self) -> Box<dyn Rule>;

    /// Feeds everything it keeps, in a fixed order.
    fn digest(&self, into: &mut Digest);
}

impl Clone for Box<dyn Rule> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

/// Settings of a rule that go by one name; parameters left out are at their defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RulePreset {
    /// Its name, unique within the rule.
    pub name: &'static str,
    /// Where upstream has these settings.
    pub source: &'static str,
    /// Keys of parameters, and their values as a person writes them.
    pub params: &'static [(&'static str, &'static str)],
}

impl RulePreset {
    /// The values of `specs` under this preset. A key or a text that `specs` do not take is left
    /// out, which a test forbids for every preset in the list of rules.
    #[must_use]
    pub fn values(&self, specs: &'static [ParamSpec]) -> Values {
        let mut values = Values::defaults(specs);
        for (key, text) in self.params {
            if let Some(at) = values.position(key)
                && let Some(Ok(value)) = specs.get(at).map(|spec| spec.parse(text))
            {
                values.set(at, value);
            }
        }
        values
    }
}

/// A rule's declaration: everything lists, links, pages and the command line need.
///
/// Every rule decides when the request arrives, before its first token: it is asked once for an
/// attempt, of which it has seen nothing but a [`crate::RequestView`].
#[derive(Debug)]
pub struct RuleSpec {
    /// Its name everywhere: `sglang-cache-aware`.
    pub id: &'static str,
    /// Parameters: name, range, default.
    pub params: &'static [ParamSpec],
    /// For each parameter, the upstream option's name; empty where upstream has none.
    pub upstream: &'static [&'static str],
    /// Named settings: an entry point's defaults, or a configuration that upstream publishes.
    pub presets: &'static [RulePreset],
    /// Names of the score terms it explains itself with, at most [`crate::explain::MOST_TERMS`].
    pub terms: &'static [&'static str],
    /// Where its prefix knowledge comes from by default.
    pub knowledge: Knowledge,
    /// How old its signals are by default.
    pub signals_age: Age,
    /// Upstream project, version and file, or the paper.
    pub source: &'static str,
    /// Makes one from values of `params`, which cannot be out of range.
    pub build: fn(&Values) -> Box<dyn Rule>,
}
