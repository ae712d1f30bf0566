//! `litellm-latency-based`: the lowest mean seconds for each token of an answer, over a list of samples
//! that stops moving when it is full.

use tokenyard_det::Digest;
use tokenyard_param::{ParamSpec, Values};

use self::samples::Samples;
use super::cooldown::{self, Cooldown};
use super::minute::Minutes;
use crate::draw::OwnTie;
use crate::rule::{Age, Ask, By, Choice, Ending, Fact, Knowledge, Rule, RuleSpec, Why};
use crate::rules::param;
use crate::view::{ReplicaIx, Signals};

mod samples;

/// The declaration.
pub(in crate::rules) static SPEC: RuleSpec = RuleSpec {
    id: "litellm-latency-based",
    params: PARAMS,
    upstream: &[
        "stream",
        "lowest_latency_buffer",
        "max_latency_list_size",
        "ttl",
        "",
        "",
        cooldown::UPSTREAM,
        cooldown::ALLOWED_UPSTREAM,
    ],
    presets: &[],
    terms: &["seconds_a_token", "samples", "fits"],
    knowledge: Knowledge::None,
    signals_age: Age::Window { s: 3_600 },
    source: "BerriAI/litellm, router_strategy/lowest_latency.py",
    build: |values: &Values| {
        Box::new(LatencyBased {
            streaming: values.switch("streaming"),
            buffer: values.real("buffer"),
            samples: Samples::new(values),
            minutes: Minutes::default(),
            cooldown: Cooldown::new(values),
        })
    },
};

/// `streaming` compares times to first token, which are divided by the tokens of the answer too.
/// `buffer` is a share of the lowest mean: whoever is within it may be drawn. The list is of so many
/// samples and lives `ttl_s` seconds from its first one on. Upstream keeps the oldest samples of a
/// full list and writes over the last: `window` at `stuck`; at `sliding` the oldest goes. It also
/// leaves the 0 in the list with which it met a replica without samples: `first_zero`.
static PARAMS: &[ParamSpec] = &[
    param::switch("streaming", "stream", false),
    param::real("buffer", "buf", [0.0, 100.0, 0.0, 0.05], 2),
    param::int("list_size", "n", [1, 1_000, 10], 10),
    param::real("ttl_s", "ttl", [1.0, 86_400.0, 3_600.0, 60.0], 0),
    param::choice("window", "win", &["stuck", "sliding"]),
    param::switch("first_zero", "zero", true),
    cooldown::PARAM,
    cooldown::ALLOWED,
];

const PS_PER_S: f64 = crate::rules::param::PS_PER_S as f64;

/// Seconds for each token that stand for a timeout.
const TIMEOUT: f64 = 1_000.0;

#[derive(Clone, Debug)]
struct LatencyBased {
    streaming: bool,
    buffer: f64,
    samples: Samples,
    minutes: Minutes,
    cooldown: Cooldown,
}

impl LatencyBased {
    /// Samples and the minute's counts are one entry of a cache: they expire together.
    fn expire(&mut self, now: u64) {
        if self.samples.expire(now) {
            self.minutes = Minutes::default();
        }
    }

    /// The most that a mean within the buffer of the lowest may be.
    fn most(&self, left: &[ReplicaIx]) -> f64 {
        let means = left.iter().map(|replica| self.samples.mean(*replica));
        let lowest = means.fold(f64::INFINITY, f64::min);
        lowest + self.buffer * lowest
    }
}

impl Rule for LatencyBased {
    fn signals(&self) -> Signals {
        Signals::CONFIG
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let (fleet, prompt) = (ask.fleet, ask.request.prompt_tokens);
        let mut left = self.cooldown.left(&fleet);
        self.expire(fleet.now);
        self.samples.meet(fleet.now, &left);
        let minute = self.minutes.of(fleet.now);
        let fits = |replica| minute.fits(replica, prompt, fleet.config);
        if ask.explain.is_on() {
            for &replica in fleet.routable {
                let mean = self.samples.mean(replica);
                let count = self.samples.count(replica) as f64;
                ask.explain.row(replica, &[mean, count, f64::from(u8::from(fits(replica)))]);
            }
        }
        left.retain(|replica| fits(*replica));
        let most = self.most(&left);
        let mut within = left.iter().filter(|replica| self.samples.mean(**replica) <= most);
        let tied = within.clone().count() as u32;
        let to = within.nth(ask.draw.among(tied, OwnTie::Random) as usize).copied();
        self.cooldown.done(left);
        match to {
            Some(to) => Choice::Send { to, why: Why::Least { by: By::SecondsPerToken }, tied },
            None if fleet.routable.is_empty() => Choice::Nobody,
            None => Choice::Refused,
        }
    }

    fn learn(&mut self, fact: &Fact) {
        self.cooldown.learn(fact);
        let Fact::Ended { by, at, how, input, output, ttft, duration } = *fact else { return };
        self.expire(at);
        match how {
            Ending::Served => {
                let tokens = f64::from(output.max(1));
                let seconds = |time: u64| time as f64 / PS_PER_S / tokens;
                let first = ttft.filter(|_| self.streaming).map(seconds);
                self.samples.add(by, at, seconds(duration), first);
                self.minutes.add(by, at, u64::from(input) + u64::from(output), 1);
            }
            Ending::TimedOut => self.samples.add(by, at, TIMEOUT, None),
            Ending::Failed | Ending::Limited | Ending::TooLong | Ending::Cancelled => {}
        }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, into: &mut Digest) {
        self.samples.digest(into);
        self.minutes.digest(into);
        self.cooldown.digest(into);
    }
}
