//! What one router has made of its replicas so far.

use super::trace::Request;

/// Loads and caches of the replicas behind one router. Never empty.
#[derive(Clone, Debug)]
pub(super) struct Fleet {
    /// Requests assigned so far, per replica.
    pub(super) loads: Vec<u32>,
    /// Prefixes held per replica, the one to be evicted next first.
    pub(super) caches: Vec<Vec<u32>>,
    cache_slots: usize,
}

impl Fleet {
    /// `replicas` idle replicas with empty caches; `replicas` is at least 1.
    pub(super) fn new(replicas: usize, cache_slots: usize) -> Self {
        Self { loads: vec![0; replicas], caches: vec![Vec::new(); replicas], cache_slots }
    }

    /// The replica with the fewest assignments, the lowest index among equals.
    pub(super) fn least_loaded(&self) -> usize {
        // `min_by_key` keeps the first of several minima, which is the published tie rule.
        self.loads.iter().enumerate().min_by_key(|(_, load)| **load).map_or(0, |(i, _)| i)
    }

    /// Largest minus smallest load.
    pub(super) fn gap(&self) -> u32 {
        let most = self.loads.iter().copied().max().unwrap_or(0);
        most - self.loads.iter().copied().min().unwrap_or(0)
    }

    /// Sends a request to a replica and says whether its prefix was there.
    pub(super) fn assign(&mut self, replica: usize, request: &Request) -> bool {
        self.loads[replica] += 1;
        let cache = &mut self.caches[replica];
        let held = cache.iter().position(|prefix| *prefix == request.prefix);
        if let Some(at) = held {
            cache.remove(at);
        } else if cache.len() == self.cache_slots {
            cache.remove(0);
        }
        cache.push(request.prefix);
        held.is_some()
    }
}
