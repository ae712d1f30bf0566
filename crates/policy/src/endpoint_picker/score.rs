//! Scorers. Each fills one score for each candidate.

/// `queue-scorer` and `running-requests-scorer`: the share of the distance between the largest and
/// the smallest count that lies above it; 1 for all where all are equal. The distance itself is
/// lost: 0 against 1 scores like 0 against 400.
pub fn spread(counts: &[u32], into: &mut Vec<f64>) {
    into.clear();
    let (Some(min), Some(max)) = (counts.iter().min(), counts.iter().max()) else { return };
    let ends = [f64::from(*min), f64::from(*max)];
    into.extend(counts.iter().map(|count| below(f64::from(*count), ends)));
}

/// How far a number lies below the larger end, as a share of the distance of both: 1 at the smaller end,
/// 0 at the larger, and 1 where both are the same.
#[must_use]
pub fn below(number: f64, [min, max]: [f64; 2]) -> f64 {
    if max > min { (max - number) / (max - min) } else { 1.0 }
}

/// `kv-cache-utilization-scorer`: the unused share of the KV cache.
#[must_use]
pub fn free(usage: f64) -> f64 {
    1.0 - usage
}

/// `load-aware-scorer`: 0.5 with an empty queue, and down to 0 at `threshold` waiting requests.
/// It never exceeds 0.5.
#[must_use]
pub fn load_aware(waiting: u32, threshold: u32) -> f64 {
    if waiting == 0 {
        return 0.5;
    }
    let threshold = f64::from(threshold.max(1));
    0.5 * (1.0 - f64::from(waiting).min(threshold) / threshold)
}

/// `active-request-scorer`: 1 up to `idle` requests; above, the distance to the busiest as a share
/// of the busiest, times `most`. The busiest has 0, also where all are equally busy.
pub fn active(counts: &[u32], idle: u32, most: f64, into: &mut Vec<f64>) {
    into.clear();
    let max = counts.iter().copied().max().unwrap_or(0);
    let one = |count: &u32| {
        if *count <= idle { 1.0 } else { f64::from(max - count) / f64::from(max) * most }
    };
    into.extend(counts.iter().map(one));
}

/// `token-load-scorer`: the free share of `threshold` tokens after this request, never below 0.
#[must_use]
pub fn token_load(in_flight: u64, uncached: u64, threshold: u64) -> f64 {
    1.0 - (in_flight.saturating_add(uncached) as f64 / threshold.max(1) as f64).min(1.0)
}

/// `prefix-cache-scorer`: the matched share of the chunks; with a `length_weight`, mixed with the
/// square of the matched length over `scale` tokens. 0 for a prompt without chunks.
#[must_use]
pub fn prefix(matched: u32, total: u32, chunk_tokens: u32, length_weight: f64, scale: u32) -> f64 {
    if total == 0 {
        return 0.0;
    }
    let share = f64::from(matched) / f64::from(total);
    let length = f64::from(matched) * f64::from(chunk_tokens) / f64::from(scale.max(1));
    let length = length.min(1.0);
    length_weight * (length * length) + (1.0 - length_weight) * share
}

/// `no-hit-lru-scorer` for a request that nobody has anything of: candidates that never had such a
/// request come first, in their order, then those whose last one is longest ago. `place` is a
/// candidate's place among all that ever had one, the oldest first; those that are no candidates
/// now count too.
pub fn cold(place: &[Option<usize>], into: &mut Vec<f64>) {
    into.clear();
    if place.len() == 1 {
        into.push(1.0);
        return;
    }
    let never = place.iter().filter(|p| p.is_none()).count();
    let last = place.len().saturating_sub(1).max(1) as f64;
    let mut fresh = 0;
    for p in place {
        let rank = match p {
            Some(place) => never + place,
            None => {
                fresh += 1;
                fresh - 1
            }
        };
        into.push((1.0 - rank as f64 / last).max(0.0));
    }
}
