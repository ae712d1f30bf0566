//! Tokens and requests of a calendar minute, by replica, and limits on them.

use tokenyard_det::Digest;

use crate::rules::load;
use crate::view::{ReplicaConfig, ReplicaIx};

/// A minute in picoseconds.
pub(super) const MINUTE: u64 = 60_000_000_000_000;

/// What was used in a minute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Used {
    minute: u64,
    pub(super) tokens: u64,
    pub(super) requests: u64,
}

impl Used {
    /// Whether one more request of so many prompt tokens stays within both limits.
    pub(super) fn fits(self, prompt_tokens: u32, config: &ReplicaConfig) -> bool {
        self.fits_tokens(prompt_tokens, config) && self.fits_requests(config)
    }

    pub(super) fn fits_tokens(self, prompt_tokens: u32, config: &ReplicaConfig) -> bool {
        config.tpm.is_none_or(|most| self.tokens + u64::from(prompt_tokens) <= u64::from(most))
    }

    pub(super) fn fits_requests(self, config: &ReplicaConfig) -> bool {
        config.rpm.is_none_or(|most| self.requests < u64::from(most))
    }
}

/// The counters. Each minute begins with nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Minutes {
    used: Vec<Used>,
}

impl Minutes {
    /// The minute of a time.
    pub(super) fn of(&self, now: u64) -> Minute<'_> {
        Minute { used: &self.used, number: now / MINUTE }
    }

    pub(super) fn add(&mut self, replica: ReplicaIx, now: u64, tokens: u64, requests: u64) {
        let number = now / MINUTE;
        load::room(&mut self.used, replica.saturating_add(1));
        if let Some(used) = self.used.get_mut(usize::from(replica)) {
            if used.minute != number {
                *used = Used { minute: number, ..Used::default() };
            }
            used.tokens += tokens;
            used.requests += requests;
        }
    }

    pub(super) fn digest(&self, into: &mut Digest) {
        into.u64(self.used.len() as u64);
        for used in &self.used {
            [used.minute, used.tokens, used.requests].into_iter().for_each(|number| into.u64(number));
        }
    }
}

/// One minute's counters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Minute<'a> {
    used: &'a [Used],
    number: u64,
}

impl Minute<'_> {
    /// What a replica has used.
    pub(super) fn at(&self, replica: ReplicaIx) -> Used {
        match self.used.get(usize::from(replica)) {
            Some(used) if used.minute == self.number => *used,
            _ => Used::default(),
        }
    }

    /// Tokens that a replica has used.
    pub(super) fn tokens(&self, replica: ReplicaIx) -> u64 {
        let used = self.used.get(usize::from(replica));
        used.filter(|used| used.minute == self.number).map_or(0, |used| used.tokens)
    }

    /// Whether one more request stays within the limits that are written down of a replica.
    pub(super) fn fits(&self, replica: ReplicaIx, prompt: u32, config: &[ReplicaConfig]) -> bool {
        // Read in place: most replicas have no limits, and nothing else of them counts then.
        let Some(config) = config.get(usize::from(replica)) else { return true };
        let none = config.tpm.is_none() && config.rpm.is_none();
        none || self.at(replica).fits(prompt, config)
    }
}
