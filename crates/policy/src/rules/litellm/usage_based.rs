//! `litellm-usage-based`: the fewest tokens served in this calendar minute, among replicas that the
//! prompt keeps within their limit.

use tokenyard_det::Digest;
use tokenyard_param::{ParamSpec, Values};

use super::cooldown::{self, Cooldown};
use super::minute::{Minutes, Used};
use crate::draw::OwnTie;
use crate::rule::{Age, Ask, By, Choice, Ending, Fact, Knowledge, Rule, RulePreset, RuleSpec, Why};
use crate::rules::param;
use crate::view::{ReplicaConfig, ReplicaIx, Signals, cell};

/// The declaration.
pub(in crate::rules) static SPEC: RuleSpec = RuleSpec {
    id: "litellm-usage-based",
    params: PARAMS,
    upstream: &["", cooldown::UPSTREAM, cooldown::ALLOWED_UPSTREAM],
    presets: PRESETS,
    terms: &["tokens", "requests", "fits"],
    knowledge: Knowledge::None,
    signals_age: Age::Window { s: 60 },
    source: "BerriAI/litellm, router_strategy/lowest_tpm_rpm_v2.py",
    build: |values: &Values| {
        Box::new(UsageBased {
            rpm_check: values.choice("rpm_check"),
            minutes: Minutes::default(),
            cooldown: Cooldown::new(values),
        })
    },
};

/// As upstream is described, selection looks requests a minute up under a name that nothing is stored
/// under, so the limit never keeps a replica out; a check just before the call refuses the request
/// then, though others are free: `late`. In releases 1.80.0 to 1.110.2, those that were compared, the
/// name is right and a replica is kept out one request short of its limit: `short`. `selection` is
/// what was meant. [`PRESETS`] name the three.
static PARAMS: &[ParamSpec] =
    &[param::choice("rpm_check", "rpm", &["late", "selection", "short"]), cooldown::PARAM, cooldown::ALLOWED];

static PRESETS: &[RulePreset] = &[
    RulePreset {
        name: "releases",
        source: "releases 1.80.0, 1.83.0, 1.94.0 and 1.110.2: selection finds the requests of this minute \
                 and keeps a replica out one short of its limit",
        params: &[("rpm_check", "short")],
    },
    RulePreset {
        name: "lookup-without-suffix",
        source: "the default here, seen in no release that was compared: selection looks requests up under a \
                 name without its suffix and finds none; the check before the call refuses",
        params: &[("rpm_check", "late")],
    },
    RulePreset {
        name: "as-meant",
        source: "no release: selection keeps a replica out at its limit of requests a minute",
        params: &[("rpm_check", "selection")],
    },
];

#[derive(Clone, Debug)]
struct UsageBased {
    rpm_check: u8,
    /// Tokens count when a request has been served, requests when they are sent.
    minutes: Minutes,
    cooldown: Cooldown,
}

/// Whether selection keeps a replica that has used so much, under a setting of `rpm_check`.
fn fits(rpm_check: u8, used: impl Fn() -> Used, prompt: u32, config: &ReplicaConfig) -> bool {
    if config.tpm.is_none() && config.rpm.is_none() {
        return true;
    }
    let used = used();
    let requests = match rpm_check {
        0 => true,
        1 => used.fits_requests(config),
        // Who was sent nothing in this minute is not looked up.
        _ => used.requests == 0 || config.rpm.is_none_or(|most| used.requests + 1 < u64::from(most)),
    };
    requests && used.fits_tokens(prompt, config)
}

impl Rule for UsageBased {
    fn signals(&self) -> Signals {
        Signals::CONFIG
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let (fleet, prompt) = (ask.fleet, ask.request.prompt_tokens);
        let mut left = self.cooldown.left(&fleet);
        let (minute, check) = (self.minutes.of(fleet.now), self.rpm_check);
        let fits = |replica: ReplicaIx| {
            let config = fleet.config.get(usize::from(replica));
            config.is_none_or(|config| fits(check, || minute.at(replica), prompt, config))
        };
        if ask.explain.is_on() {
            for &replica in fleet.routable {
                let (used, fits) = (minute.at(replica), f64::from(u8::from(fits(replica))));
                ask.explain.row(replica, &[used.tokens as f64, used.requests as f64, fits]);
            }
        }
        left.retain(|replica| fits(*replica));
        let picked = ask.draw.smallest(&left, OwnTie::Random, |replica| minute.tokens(replica));
        self.cooldown.done(left);
        let Some((to, tied)) = picked else {
            return if fleet.routable.is_empty() { Choice::Nobody } else { Choice::Refused };
        };
        if !minute.at(to).fits_requests(&cell(fleet.config, to)) {
            return Choice::Refused;
        }
        self.minutes.add(to, fleet.now, 0, 1);
        Choice::Send { to, why: Why::Least { by: By::MinuteTokens }, tied }
    }

    fn learn(&mut self, fact: &Fact) {
        self.cooldown.learn(fact);
        if let Fact::Ended { by, at, how: Ending::Served, input, output, .. } = *fact {
            self.minutes.add(by, at, u64::from(input) + u64::from(output), 0);
        }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, into: &mut Digest) {
        self.minutes.digest(into);
        self.cooldown.digest(into);
    }
}
