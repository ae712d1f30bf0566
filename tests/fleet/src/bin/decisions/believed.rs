//! A fleet as a router believes it, and prompts that come to it.
//!
//! Counts rise when the rule sends and fall a while later, prefix knowledge follows what was sent
//! where. No engine runs: a rule's time does not depend on whether its numbers came from one, and an
//! engine's own time would hide it.

use std::collections::VecDeque;

use tokenyard_det::Stream;
use tokenyard_policy::index::fewest::Fewest;
use tokenyard_policy::{Ending, Fact, FleetView, Means, Rates, ReplicaConfig, ReplicaIx, RequestView};

/// Tokens of a KV block.
const BLOCK: u32 = 16;
/// Families of prompts, and the tokens that prompts of one family share.
const FAMILIES: u64 = 200;
const SHARED: u32 = 512;
/// Requests of one replica in flight, and of those the ones that wait for their first token.
const IN_FLIGHT: usize = 40;
const BEFORE_FIRST: usize = 4;
/// Requests of one replica in a second.
const RATE: u64 = 16;
/// KV blocks of one replica.
const KV_BLOCKS: u32 = 8_192;
/// A family's prompt is in a replica's cache for so many requests of one replica.
const CACHED_FOR: u64 = 100;

const PS_PER_S: u64 = 1_000_000_000_000;

/// A request on its way.
#[derive(Clone, Debug)]
pub(crate) struct Prompt {
    number: u64,
    tokens: u32,
    family: u32,
    session: u32,
    tenant: u32,
    blocks: Vec<u64>,
    /// By replica.
    overlap: Vec<u32>,
    new_blocks: Vec<u32>,
}

/// Where a request was sent.
#[derive(Clone, Copy, Debug)]
struct Sent {
    to: ReplicaIx,
    tokens: u32,
    uncached: u32,
}

/// The fleet.
#[derive(Debug)]
pub(crate) struct Believed {
    replicas: ReplicaIx,
    stream: Stream,
    /// Requests so far.
    number: u64,
    /// Cumulated shares of the families by Zipf's law.
    shares: Vec<f64>,
    routable: Vec<ReplicaIx>,
    outstanding: Vec<u32>,
    fewest: Fewest,
    waiting: Vec<u32>,
    running: Vec<u32>,
    kv_used: Vec<u32>,
    kv_blocks: Vec<u32>,
    prefill_tokens: Vec<u64>,
    indexed: Vec<u32>,
    seen_at: Vec<u64>,
    age: Vec<u64>,
    reported_at: Vec<Option<u64>>,
    rates: Vec<Rates>,
    queued_tokens: Vec<u64>,
    means: Vec<Means>,
    config: Vec<ReplicaConfig>,
    /// By family and replica: the last request, counted from 1, that left its prompt there.
    left: Vec<u64>,
    waits: VecDeque<Sent>,
    runs: VecDeque<Sent>,
}

/// What an engine that has finished so many requests reports of them; no two are equal.
fn means(requests: u64) -> Means {
    let part = requests as f64 / 1e3;
    Means {
        requests,
        queue_s: part,
        prefill_s: 0.1 + part,
        decode_s: 5.0 - part,
        prompt_tokens: 1_024.0 + part,
        generated_tokens: 200.0 + part,
    }
}

impl Believed {
    pub(crate) fn new(replicas: ReplicaIx) -> Self {
        let n = usize::from(replicas);
        let mut sum = 0.0;
        let shares: Vec<f64> = (1..=FAMILIES)
            .map(|rank| {
                sum += 1.0 / rank as f64;
                sum
            })
            .collect();
        Self {
            replicas,
            stream: Stream::new(1, "decisions", u64::from(replicas)),
            number: 0,
            shares,
            routable: (0..replicas).collect(),
            outstanding: vec![0; n],
            fewest: Fewest::new(&vec![0; n]),
            waiting: vec![0; n],
            running: vec![0; n],
            kv_used: vec![0; n],
            kv_blocks: vec![KV_BLOCKS; n],
            prefill_tokens: vec![0; n],
            indexed: vec![KV_BLOCKS / 2; n],
            seen_at: vec![0; n],
            age: vec![u64::MAX; n],
            reported_at: vec![Some(0); n],
            rates: vec![Rates::default(); n],
            queued_tokens: vec![0; n],
            means: (1..=n as u64).map(means).collect(),
            config: vec![ReplicaConfig::default(); n],
            left: vec![0; n * FAMILIES as usize],
            waits: VecDeque::new(),
            runs: VecDeque::new(),
        }
    }

    /// Time of a request in picoseconds.
    fn time(&self, number: u64) -> u64 {
        number * (PS_PER_S / RATE) / u64::from(self.replicas)
    }

    /// A prompt with its columns filled.
    pub(crate) fn prompt(&mut self) -> Prompt {
        let at = self.stream.unit() * self.shares.last().copied().unwrap_or(1.0);
        let family = self.shares.partition_point(|share| *share < at).min(FAMILIES as usize - 1);
        let own = (self.stream.exponential() * 512.0) as u32;
        let (tokens, number) = (SHARED + own.max(1), self.number);
        self.number += 1;
        let shared = SHARED / BLOCK;
        let id = |at: u32| match at < shared {
            true => ((family as u64) << 32) | u64::from(at),
            false => ((number + FAMILIES) << 32) | u64::from(at),
        };
        // As the simulator names blocks: those of one text follow each other.
        let blocks = (0..tokens / BLOCK).map(id).collect();
        let cached = CACHED_FOR * u64::from(self.replicas);
        let left = &self.left[family * usize::from(self.replicas)..][..usize::from(self.replicas)];
        let held = |last: &u64| *last > 0 && number < last + cached;
        let overlap: Vec<u32> = left.iter().map(|last| if held(last) { shared } else { 0 }).collect();
        let new_blocks = overlap.iter().map(|overlap| tokens.div_ceil(BLOCK) - overlap).collect();
        let session = self.stream.below(1_000 * u64::from(self.replicas)) as u32;
        let tenant = self.stream.below(64) as u32;
        Prompt { number, tokens, family: family as u32, session, tenant, blocks, overlap, new_blocks }
    }

    /// What a rule is shown of it, and of the fleet.
    pub(crate) fn views<'a>(&'a self, prompt: &'a Prompt) -> (RequestView<'a>, FleetView<'a>) {
        let request = RequestView {
            number: prompt.number,
            prompt_tokens: prompt.tokens,
            block_tokens: BLOCK,
            blocks: &prompt.blocks,
            family: Some(prompt.family),
            session: Some(prompt.session),
            tenant: prompt.tenant,
        };
        let fleet = FleetView {
            now: self.time(prompt.number),
            routable: &self.routable,
            replicas: self.replicas,
            outstanding: &self.outstanding,
            fewest: Some(&self.fewest),
            waiting: &self.waiting,
            running: &self.running,
            kv_used: &self.kv_used,
            kv_blocks: &self.kv_blocks,
            prefill_tokens: &self.prefill_tokens,
            decode_blocks: &self.kv_used,
            new_blocks: &prompt.new_blocks,
            active: &self.outstanding,
            overlap: &prompt.overlap,
            indexed: &self.indexed,
            seen_at: &self.seen_at,
            config: &self.config,
            age: &self.age,
            reported_at: &self.reported_at,
            rates: &self.rates,
            queued_tokens: &self.queued_tokens,
            means: &self.means,
        };
        (request, fleet)
    }

    /// A prompt was sent; what has come to an end meanwhile is added to the facts.
    pub(crate) fn sent(&mut self, prompt: &Prompt, to: ReplicaIx, facts: &mut Vec<Fact>) {
        let (r, n) = (usize::from(to), usize::from(self.replicas));
        let uncached = prompt.tokens - prompt.overlap[r] * BLOCK;
        self.left[prompt.family as usize * n + r] = prompt.number + 1;
        self.outstanding[r] += 1;
        self.fewest.set(to, self.outstanding[r]);
        self.kv_used[r] += prompt.tokens.div_ceil(BLOCK);
        self.prefill_tokens[r] += u64::from(uncached);
        self.waits.push_back(Sent { to, tokens: prompt.tokens, uncached });
        let at = self.time(prompt.number);
        let ttft = self.time(BEFORE_FIRST as u64 * n as u64);
        if self.waits.len() > BEFORE_FIRST * n
            && let Some(sent) = self.waits.pop_front()
        {
            self.prefill_tokens[usize::from(sent.to)] -= u64::from(sent.uncached);
            facts.push(Fact::FirstToken { by: sent.to, ttft, at });
            self.runs.push_back(sent);
        }
        if self.runs.len() > (IN_FLIGHT - BEFORE_FIRST) * n
            && let Some(Sent { to: by, tokens: input, .. }) = self.runs.pop_front()
        {
            self.outstanding[usize::from(by)] -= 1;
            self.fewest.set(by, self.outstanding[usize::from(by)]);
            self.kv_used[usize::from(by)] -= input.div_ceil(BLOCK);
            let duration = self.time((IN_FLIGHT * n) as u64);
            let (how, output, ttft) = (Ending::Served, 256, Some(ttft));
            facts.push(Fact::Ended { by, at, how, input, output, ttft, duration });
        }
        self.report(at);
    }

    /// Engines report what is true every second.
    fn report(&mut self, now: u64) {
        let second = now / PS_PER_S * PS_PER_S;
        if self.reported_at.first() == Some(&Some(second)) {
            return;
        }
        for (r, outstanding) in self.outstanding.iter().enumerate() {
            self.waiting[r] = outstanding.saturating_sub(IN_FLIGHT as u32);
            self.running[r] = outstanding - self.waiting[r];
            self.queued_tokens[r] = u64::from(self.waiting[r]) * 1_024;
            (self.reported_at[r], self.seen_at[r]) = (Some(second), second);
            let generated = 30.0 * f64::from(self.running[r]);
            self.rates[r] = Rates { generated, finished: generated / 256.0, failed: 0.0, busy: 0.9 };
        }
    }
}
