//! `aibrix-vtc-basic`: light users to the first replicas of the list, heavy ones to the last, and
//! away from busy ones. It places by usage; nothing is queued or put off, as a virtual token
//! counter would do.

use tokenyard_det::Digest;
use tokenyard_param::{ParamSpec, Values};

use crate::draw::OwnTie;
use crate::rule::{Age, Ask, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::rules::param;
use crate::view::{FleetView, ReplicaIx, Signals, cell};

/// The declaration.
pub(in crate::rules) static SPEC: RuleSpec = RuleSpec {
    id: "aibrix-vtc-basic",
    params: PARAMS,
    upstream: &[
        "AIBRIX_ROUTER_VTC_BASIC_INPUT_TOKEN_WEIGHT",
        "AIBRIX_ROUTER_VTC_BASIC_OUTPUT_TOKEN_WEIGHT",
        "AIBRIX_ROUTER_VTC_BASIC_FAIRNESS_WEIGHT",
        "AIBRIX_ROUTER_VTC_BASIC_UTILIZATION_WEIGHT",
        "AIBRIX_ROUTER_VTC_BASIC_MAX_POD_LOAD",
        "AIBRIX_ROUTER_VTC_TOKEN_TRACKER_WINDOW_SIZE",
        "",
        "",
        "",
    ],
    presets: &[],
    terms: &["user_tokens", "fairness", "utilisation", "noise", "score"],
    knowledge: Knowledge::None,
    signals_age: Age::Window { s: 300 },
    source: "vllm-project/aibrix e3e10f9e, pkg/plugins/gateway/algorithms/vtc",
    build: |values: &Values| {
        Box::new(VtcBasic {
            settings: Settings {
                input: values.real("input_weight"),
                output: values.real("output_weight"),
                fairness: values.real("fairness_weight"),
                utilisation: values.real("utilisation_weight"),
                most_running: values.real("max_replica_load"),
                window: param::seconds(values, "window_s"),
                chars_per_token: values.real("chars_per_token"),
                noise: values.real("noise"),
                forgets_all: values.choice("forgets") == 1,
            },
            users: Vec::new(),
            scores: Vec::new(),
        })
    },
};

/// Weights have no unit; `max_replica_load` is in running requests; the window is in seconds and is
/// kept in minutes. `noise` is the largest random number added to a score. Upstream takes a token
/// for four characters, whatever a model's token is: `chars_per_token` is the model's.
/// Upstream looks at the window of the user who asks only, so one who stays away counts among the
/// least and the most for ever; with `forgets` at `all` everybody's window moves.
static PARAMS: &[ParamSpec] = &[
    param::real("input_weight", "in", [0.0, 100.0, 1.0, 0.1], 2),
    param::real("output_weight", "out", [0.0, 100.0, 2.0, 0.1], 2),
    param::real("fairness_weight", "fair", [0.0, 100.0, 1.0, 0.1], 2),
    param::real("utilisation_weight", "util", [0.0, 100.0, 1.0, 0.1], 2),
    param::real("max_replica_load", "load", [1.0, 65_536.0, 100.0, 1.0], 0),
    param::real("window_s", "win", [60.0, 86_400.0, 300.0, 60.0], 0),
    param::real("chars_per_token", "cpt", [0.1, 100.0, 4.0, 0.1], 2),
    param::real("noise", "noise", [0.0, 10.0, 0.1, 0.01], 2),
    param::choice("forgets", "forget", &["own", "all"]),
];

const MINUTE: u64 = 60_000_000_000_000;

/// Upstream's estimate: characters of a token, and output tokens for each of the input.
const GUESSED_CHARS: f64 = 4.0;
const GUESSED_OUTPUT: f64 = 1.5;

/// Smallest size of a bucket, and what stands for the users' least and most while there is nobody.
const LEAST_BUCKET: f64 = 1_000.0;
const NO_USERS: (f64, f64) = (1_000.0, 8_000.0);

#[derive(Clone, Copy, Debug)]
struct Settings {
    input: f64,
    output: f64,
    fairness: f64,
    utilisation: f64,
    most_running: f64,
    /// In picoseconds.
    window: u64,
    chars_per_token: f64,
    noise: f64,
    forgets_all: bool,
}

/// A user's tokens by the minute in which they were counted, ascending; never empty.
#[derive(Clone, Debug)]
struct User {
    name: u32,
    minutes: Vec<(u64, f64)>,
    /// All of them, the oldest first.
    sum: f64,
}

impl User {
    fn add_up(&mut self) {
        self.sum = self.minutes.iter().map(|(_, tokens)| tokens).sum();
    }

    /// Forgets minutes that began before a time; says whether any are left.
    fn forget(&mut self, before: u64) -> bool {
        let old =
            self.minutes.iter().take_while(|(minute, _)| minute.saturating_mul(MINUTE) < before).count();
        if old > 0 {
            self.minutes.drain(..old);
            self.add_up();
        }
        !self.minutes.is_empty()
    }

    fn charge(&mut self, minute: u64, tokens: f64) {
        match self.minutes.binary_search_by_key(&minute, |(minute, _)| *minute) {
            Ok(at) => self.minutes[at].1 += tokens,
            Err(at) => self.minutes.insert(at, (minute, tokens)),
        }
        self.add_up();
    }
}

/// The users by name, and the scores of the decision
/// that is being made.
#[derive(Clone, Debug)]
struct VtcBasic {
    settings: Settings,
    users: Vec<User>,
    scores: Vec<f64>,
}

impl VtcBasic {
    fn place(&self, user: u32) -> Result<usize, usize> {
        self.users.binary_search_by_key(&user, |user| user.name)
    }

    /// Forgets minutes that began before the window.
    fn forget(&mut self, user: u32, now: u64) {
        let first = now.saturating_sub(self.settings.window);
        if self.settings.forgets_all {
            self.users.retain_mut(|user| user.forget(first));
        } else if let Ok(at) = self.place(user)
            && !self.users[at].forget(first)
        {
            self.users.remove(at);
        }
    }

    fn tokens_of(&self, user: u32) -> f64 {
        self.place(user).map_or(0.0, |at| self.users[at].sum)
    }

    /// How many tokens are one step along the list of replicas.
    fn bucket(&self) -> f64 {
        let (min, max) = self
            .users
            .iter()
            .map(|user| user.sum)
            .fold(None, |ends: Option<(f64, f64)>, tokens| {
                Some(ends.map_or((tokens, tokens), |(min, max)| (min.min(tokens), max.max(tokens))))
            })
            .unwrap_or(NO_USERS);
        f64::midpoint(min, max).max(LEAST_BUCKET)
    }

    /// The parts of one candidate's score.
    fn terms(&self, fleet: &FleetView<'_>, at: usize, replica: ReplicaIx, norm: f64) -> [f64; 2] {
        let running = f64::from(cell(fleet.running, replica));
        [(at as f64 - norm).abs(), (running / self.settings.most_running).min(1.0)]
    }

    fn charge(&mut self, user: u32, prompt_tokens: u32, now: u64) {
        let chars = f64::from(prompt_tokens) * self.settings.chars_per_token;
        let input = (chars / GUESSED_CHARS).ceil();
        let output = (input * GUESSED_OUTPUT).ceil();
        let tokens = input * self.settings.input + output * self.settings.output;
        let minute = now / MINUTE;
        match self.place(user) {
            Ok(at) => self.users[at].charge(minute, tokens),
            Err(at) => {
                let new = User { name: user, minutes: vec![(minute, tokens)], sum: tokens };
                self.users.insert(at, new);
            }
        }
    }
}

impl Rule for VtcBasic {
    fn signals(&self) -> Signals {
        Signals::QUEUES
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let (fleet, user) = (ask.fleet, ask.request.tenant);
        self.forget(user, fleet.now);
        let user_tokens = self.tokens_of(user);
        let last = fleet.routable.len().saturating_sub(1) as f64;
        let norm = (user_tokens / self.bucket()).min(last);
        let settings = self.settings;
        let mut scores = std::mem::take(&mut self.scores);
        let (stream, explain) = (&mut *ask.draw.stream, &mut *ask.explain);
        let explains = explain.is_on();
        scores.extend(fleet.routable.iter().enumerate().map(|(at, &replica)| {
            let [fairness, utilisation] = self.terms(&fleet, at, replica, norm);
            let noise = stream.unit() * settings.noise;
            let score = settings.fairness * fairness + settings.utilisation * utilisation + noise;
            if explains {
                explain.row(replica, &[user_tokens, fairness, utilisation, noise, score]);
            }
            score
        }));
        let picked = ask.draw.smallest_score(fleet.routable, OwnTie::First, &scores);
        scores.clear();
        self.scores = scores;
        let Some((to, tied)) = picked else { return Choice::Nobody };
        self.charge(user, ask.request.prompt_tokens, fleet.now);
        Choice::Send { to, why: Why::Cost, tied }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, into: &mut Digest) {
        into.u64(self.users.len() as u64);
        for user in &self.users {
            into.u64(u64::from(user.name));
            into.u64(user.minutes.len() as u64);
            for (minute, tokens) in &user.minutes {
                into.u64(*minute);
                into.f64(*tokens);
            }
        }
    }
}
