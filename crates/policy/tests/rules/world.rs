//! A fleet as a router believes it, in columns that a test may set.

use tokenyard_det::{Digest, Stream};
use tokenyard_param::Values;
use tokenyard_policy::explain::Terms;
use tokenyard_policy::rules::by_id;
use tokenyard_policy::{
    Ask, Choice, Draw, Ending, Explain, Fact, FleetView, Means, Rates, ReplicaConfig, ReplicaIx, RequestView,
    Rule, RuleSpec, TieBreak, Why,
};

/// Everything a rule may be shown.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) now: u64,
    pub(crate) replicas: ReplicaIx,
    pub(crate) routable: Vec<ReplicaIx>,
    pub(crate) outstanding: Vec<u32>,
    pub(crate) waiting: Vec<u32>,
    pub(crate) running: Vec<u32>,
    pub(crate) kv_used: Vec<u32>,
    pub(crate) kv_blocks: Vec<u32>,
    pub(crate) prefill_tokens: Vec<u64>,
    pub(crate) decode_blocks: Vec<u32>,
    pub(crate) new_blocks: Vec<u32>,
    pub(crate) active: Vec<u32>,
    pub(crate) overlap: Vec<u32>,
    pub(crate) indexed: Vec<u32>,
    pub(crate) config: Vec<ReplicaConfig>,
    pub(crate) age: Vec<u64>,
    pub(crate) reported_at: Vec<Option<u64>>,
    pub(crate) rates: Vec<Rates>,
    pub(crate) queued_tokens: Vec<u64>,
    pub(crate) means: Vec<Means>,
    pub(crate) prompt_tokens: u32,
    pub(crate) block_tokens: u32,
    pub(crate) blocks: Vec<u64>,
    pub(crate) family: Option<u32>,
    pub(crate) session: Option<u32>,
    pub(crate) tenant: u32,
    pub(crate) number: u64,
    pub(crate) stream: Stream,
    pub(crate) ties: TieBreak,
}

impl World {
    /// `replicas` idle, empty, routable replicas and a prompt of one block of 16 tokens.
    pub(crate) fn new(replicas: ReplicaIx) -> Self {
        let zeros = || vec![0; usize::from(replicas)];
        Self {
            now: 0,
            replicas,
            routable: (0..replicas).collect(),
            outstanding: zeros(),
            waiting: zeros(),
            running: zeros(),
            kv_used: zeros(),
            kv_blocks: zeros(),
            prefill_tokens: vec![0; usize::from(replicas)],
            decode_blocks: zeros(),
            new_blocks: zeros(),
            active: zeros(),
            overlap: zeros(),
            indexed: zeros(),
            config: vec![ReplicaConfig::default(); usize::from(replicas)],
            age: vec![u64::MAX; usize::from(replicas)],
            reported_at: vec![None; usize::from(replicas)],
            rates: vec![Rates::default(); usize::from(replicas)],
            queued_tokens: vec![0; usize::from(replicas)],
            means: vec![Means::default(); usize::from(replicas)],
            prompt_tokens: 16,
            block_tokens: 16,
            blocks: vec![1],
            family: None,
            session: None,
            tenant: 0,
            number: 0,
            stream: Stream::new(1, "test", 0),
            ties: TieBreak::Upstream,
        }
    }

    /// The prompt is a text: every character a block of one token.
    pub(crate) fn say(&mut self, text: &str) {
        self.blocks = text.chars().map(u64::from).collect();
        self.block_tokens = 1;
        self.prompt_tokens = self.blocks.len() as u32;
    }

    /// As [`World::say`] with chained ids, as the simulator's are: an id stands for all before it.
    pub(crate) fn say_chained(&mut self, text: &str) {
        self.say(text);
        let chained = self.blocks.iter().scan(1_u64, |id, block| {
            *id = id.wrapping_mul(1_000_003).wrapping_add(*block);
            Some(*id)
        });
        self.blocks = chained.collect();
    }

    /// What the rule chooses now, with its terms.
    pub(crate) fn explained(&mut self, rule: &mut dyn Rule) -> (Choice, Vec<Terms>) {
        let mut explain = Explain::on();
        let choice = self.ask(rule, &mut explain);
        (choice, explain.rows().to_vec())
    }

    /// What the rule chooses now.
    pub(crate) fn choose(&mut self, rule: &mut dyn Rule) -> Choice {
        self.ask(rule, &mut Explain::off())
    }

    /// As [`World::choose`], where somebody must be chosen.
    pub(crate) fn send(&mut self, rule: &mut dyn Rule) -> (ReplicaIx, Why) {
        match self.choose(rule) {
            Choice::Send { to, why, .. } => (to, why),
            other => panic!("{other:?}"),
        }
    }

    /// What the rule would choose now, without learning from it.
    pub(crate) fn would_choose(&mut self, rule: &dyn Rule) -> Choice {
        self.ask_with(&mut Explain::off(), |ask| rule.would_choose(ask))
    }

    fn ask(&mut self, rule: &mut dyn Rule, explain: &mut Explain) -> Choice {
        self.ask_with(explain, |ask| rule.choose(ask))
    }

    fn ask_with(&mut self, explain: &mut Explain, answer: impl FnOnce(&mut Ask<'_, '_>) -> Choice) -> Choice {
        let request = RequestView {
            number: self.number,
            prompt_tokens: self.prompt_tokens,
            block_tokens: self.block_tokens,
            blocks: &self.blocks,
            family: self.family,
            session: self.session,
            tenant: self.tenant,
        };
        let fleet = FleetView {
            now: self.now,
            routable: &self.routable,
            replicas: self.replicas,
            outstanding: &self.outstanding,
            fewest: None,
            waiting: &self.waiting,
            running: &self.running,
            kv_used: &self.kv_used,
            kv_blocks: &self.kv_blocks,
            prefill_tokens: &self.prefill_tokens,
            decode_blocks: &self.decode_blocks,
            new_blocks: &self.new_blocks,
            active: &self.active,
            overlap: &self.overlap,
            indexed: &self.indexed,
            seen_at: &[],
            config: &self.config,
            age: &self.age,
            reported_at: &self.reported_at,
            rates: &self.rates,
            queued_tokens: &self.queued_tokens,
            means: &self.means,
        };
        let draw = Draw { stream: &mut self.stream, ties: self.ties };
        answer(&mut Ask { request, fleet, draw, explain })
    }
}

/// A rule by id, with some parameters written as a person writes them.
pub(crate) fn rule(id: &str, params: &[(&str, &str)]) -> Box<dyn Rule> {
    let spec = by_id(id).unwrap();
    (spec.build)(&values(spec, params))
}

/// Parameters of a rule.
pub(crate) fn values(spec: &RuleSpec, params: &[(&str, &str)]) -> Values {
    let mut values = Values::defaults(spec.params);
    for (key, text) in params {
        let at = values.position(key).unwrap_or_else(|| panic!("{} has no {key}", spec.id));
        assert!(values.set(at, spec.params[at].parse(text).unwrap()));
    }
    values
}

/// One second in picoseconds.
pub(crate) const SECOND: u64 = 1_000_000_000_000;

/// An attempt that ended in some way at a second, with tokens in and out, after so many seconds.
pub(crate) fn ended(by: ReplicaIx, second: u64, how: Ending, tokens: [u32; 2], duration: f64) -> Fact {
    let [input, output] = tokens;
    let duration = (duration * SECOND as f64) as u64;
    let ttft = (output > 0).then_some(duration / 2);
    Fact::Ended { by, at: second * SECOND, how, input, output, ttft, duration }
}

/// The digest of what a rule keeps.
pub(crate) fn digest(rule: &dyn Rule) -> u64 {
    let mut digest = Digest::default();
    rule.digest(&mut digest);
    digest.finish()
}
