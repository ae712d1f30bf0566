//! The six routing rules, and why each of them decided as it did.

use tokenyard_det::Mulberry32;

use super::{Params, Request};

/// A routing rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// One uniform draw.
    Random,
    /// A cursor that goes around.
    RoundRobin,
    /// Fewest outstanding requests.
    LeastOutstanding,
    /// The lighter of two draws with replacement, the first unless the second is strictly lighter.
    PowerOfTwo,
    /// Fewest KV blocks in use, then fewest outstanding.
    LeastKv,
    /// The replica that last got the prefix, unless the fleet is imbalanced.
    PrefixAware,
}

impl Rule {
    /// All rules, in the order of the published table.
    pub const ALL: [Self; 6] = [
        Self::Random,
        Self::RoundRobin,
        Self::LeastOutstanding,
        Self::PowerOfTwo,
        Self::LeastKv,
        Self::PrefixAware,
    ];

    /// The published identifier; its length is part of the rule's random seed.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::RoundRobin => "round-robin",
            Self::LeastOutstanding => "least-outstanding",
            Self::PowerOfTwo => "power-of-two",
            Self::LeastKv => "least-kv",
            Self::PrefixAware => "prefix-aware",
        }
    }

    /// Whether the rule reads the load of a replica.
    pub(super) const fn reads_load(self) -> bool {
        !matches!(self, Self::Random | Self::RoundRobin)
    }
}

/// Why prefix-aware did not follow the owner. Checked in this order; the first that holds counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// Both imbalance thresholds were exceeded.
    Imbalanced,
    /// The prefix family has been routed nowhere yet.
    NoOwner,
    /// The prefix is too small a share of the prompt.
    SmallPrefix,
}

/// What a rule saw and did. Loads of all replicas are beside it in the run's record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// Random: the draw in [0, 1) that fell on the replica.
    Draw {
        /// The draw.
        draw: f64,
    },
    /// Round-robin: how many requests went before.
    Cursor {
        /// Value of the cursor before it moved on.
        cursor: u32,
    },
    /// Least outstanding: the lowest load, the first of `ties` replicas that have it.
    Least {
        /// Outstanding requests of the chosen replica.
        load: u32,
        /// Replicas with this load, itself included.
        ties: u32,
    },
    /// Two choices: both probes and what they said.
    Probes {
        /// First replica probed.
        first: u32,
        /// Second replica probed, maybe the same.
        second: u32,
        /// Outstanding requests of the first.
        first_load: u32,
        /// Outstanding requests of the second.
        second_load: u32,
    },
    /// Least KV: the lowest score, 1000 · blocks in use + outstanding.
    Score {
        /// Score of the chosen replica.
        score: u64,
    },
    /// Prefix-aware.
    Prefix {
        /// Owner of the prefix family before this request.
        owner: Option<u32>,
        /// Prefix tokens over prompt tokens.
        share: f64,
        /// Most outstanding requests of any replica.
        max: u32,
        /// Fewest outstanding requests of any replica.
        min: u32,
        /// Why the owner was not followed; `None` when it was.
        fallback: Option<Fallback>,
    },
}

/// The state a rule carries from request to request.
pub(super) struct Chooser {
    rule: Rule,
    rng: Mulberry32,
    cursor: u32,
    owners: Vec<Option<u32>>,
}

impl Chooser {
    /// A rule before its first request. The random stream depends on the number of requests and
    /// on the length of the rule's identifier.
    pub(super) fn new(rule: Rule, requests: &[Request]) -> Self {
        let families = requests.iter().map(|r| r.prefix_id as usize + 1).max().unwrap_or(0);
        let seed = 0x5EED ^ requests.len() as u32 ^ rule.id().len() as u32;
        let owners = if rule == Rule::PrefixAware { vec![None; families] } else { Vec::new() };
        Self { rule, rng: Mulberry32::new(seed), cursor: 0, owners }
    }

    /// Picks among `replicas`. `loads` is outstanding per replica, read by all rules but random
    /// and round-robin; `blocks` is KV blocks in use per replica, read by least-kv alone.
    pub(super) fn choose(
        &mut self,
        request: &Request,
        replicas: u32,
        loads: &[u32],
        blocks: &[u32],
        params: &Params,
    ) -> (u32, Reason) {
        match self.rule {
            Rule::Random => {
                let draw = self.rng.draw();
                ((draw * f64::from(replicas)) as u32, Reason::Draw { draw })
            }
            Rule::RoundRobin => {
                let cursor = self.cursor;
                self.cursor += 1;
                (cursor % replicas, Reason::Cursor { cursor })
            }
            Rule::LeastOutstanding => {
                let (at, load) = least(loads.iter().copied());
                let ties = loads.iter().filter(|l| **l == load).count() as u32;
                (at, Reason::Least { load, ties })
            }
            Rule::PowerOfTwo => {
                let first = self.rng.uniform_int(replicas);
                let second = self.rng.uniform_int(replicas);
                let (first_load, second_load) = (loads[first as usize], loads[second as usize]);
                let chosen = if second_load < first_load { second } else { first };
                (chosen, Reason::Probes { first, second, first_load, second_load })
            }
            Rule::LeastKv => {
                let scores = blocks.iter().zip(loads).map(|(b, l)| 1_000 * u64::from(*b) + u64::from(*l));
                let (at, score) = least(scores);
                (at, Reason::Score { score })
            }
            Rule::PrefixAware => self.follow_prefix(request, loads, params),
        }
    }

    fn follow_prefix(&mut self, request: &Request, loads: &[u32], params: &Params) -> (u32, Reason) {
        let (max, min) = loads.iter().fold((0, u32::MAX), |(max, min), l| (max.max(*l), min.min(*l)));
        let imbalanced = max - min > params.balance_abs_threshold
            && f64::from(max) > f64::from(min) * params.balance_rel_threshold;
        let share = f64::from(request.prefix_tokens) / f64::from(request.prompt_tokens);
        let slot = &mut self.owners[request.prefix_id as usize];
        let owner = *slot;
        let (chosen, fallback) = match owner {
            _ if imbalanced => (None, Some(Fallback::Imbalanced)),
            None => (None, Some(Fallback::NoOwner)),
            Some(_) if share <= params.cache_threshold => (None, Some(Fallback::SmallPrefix)),
            Some(owner) => (Some(owner), None),
        };
        let chosen = chosen.unwrap_or_else(|| least(loads.iter().copied()).0);
        *slot = Some(chosen);
        (chosen, Reason::Prefix { owner, share, max, min, fallback })
    }
}

/// Position and value of the first minimum; position 0 and the default of nothing.
fn least<T: Copy + PartialOrd + Default>(values: impl Iterator<Item = T>) -> (u32, T) {
    let mut best: Option<(u32, T)> = None;
    for (at, value) in values.enumerate() {
        if best.is_none_or(|(_, low)| value < low) {
            best = Some((at as u32, value));
        }
    }
    best.unwrap_or_default()
}
