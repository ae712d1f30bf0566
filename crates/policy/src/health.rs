//! Envoy's priority levels: how much traffic each gets by the health of its hosts, and which of them
//! are in panic, where health is ignored.
//!
//! Source: envoyproxy/envoy, `source/extensions/load_balancing_policies/common/load_balancer_impl.cc`
//! (`recalculatePerPriorityState`, `recalculatePerPriorityPanic`, `recalculateLoadInTotalPanic`),
//! without degraded hosts and weights.

/// Hosts of one level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// Those that may be chosen.
    pub healthy: u32,
    /// All of them.
    pub hosts: u32,
}

/// What one level gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Its part of the traffic in whole percent; those of all levels are 100 together.
    pub percent: u32,
    /// Whether its traffic goes to all of its hosts, healthy or not.
    pub panics: bool,
}

/// Effective health of a level in whole percent: the share of healthy hosts times the
/// overprovisioning factor (140 is 1.4), cut to 100. 0 without hosts.
#[must_use]
pub fn effective(level: Level, overprovisioning: u32) -> u32 {
    let product = u64::from(overprovisioning) * u64::from(level.healthy);
    product.checked_div(u64::from(level.hosts)).map_or(0, |health| health.min(100) as u32)
}

/// Whether so few hosts of a level are healthy that health is ignored: strictly less than
/// `threshold` percent. A level without hosts is in panic at any threshold above 0.
#[must_use]
pub fn panics(level: Level, threshold: u32) -> bool {
    let percent =
        if level.hosts == 0 { 0.0 } else { 100.0 * f64::from(level.healthy) / f64::from(level.hosts) };
    percent < f64::from(threshold.min(100))
}

/// Gives out `100` in the order of levels, each its part of `total`; what is left over by rounding
/// goes to the first level that has anything.
fn distribute(parts: &[u32], total: u64, into: &mut [Share]) {
    let mut left = 100;
    for (share, part) in into.iter_mut().zip(parts) {
        let own = (u64::from(*part) * 100).checked_div(total).unwrap_or(0);
        share.percent = left.min(own as u32);
        left -= share.percent;
    }
    let first = parts.iter().position(|part| *part > 0).unwrap_or(0);
    if let Some(share) = into.get_mut(first) {
        share.percent += left;
    }
}

/// What every level gets, the most important first.
///
/// A level takes what its effective health is good for and passes the rest on. Where all together
/// are good for 100 nobody panics. Where they are not, loads are stretched to 100, and levels below
/// the threshold panic; if all do, traffic goes by numbers of hosts. The threshold 0 is no panic.
///
/// The documents round the stretched loads (effective health 7 and 91 make "7% and 93%"); the code
/// cuts them and gives what is missing to the first level, 8 and 92.
#[must_use]
pub fn shares(levels: &[Level], overprovisioning: u32, threshold: u32) -> Vec<Share> {
    let mut shares = vec![Share::default(); levels.len()];
    let health: Vec<u32> = levels.iter().map(|level| effective(*level, overprovisioning)).collect();
    let total = health.iter().map(|health| u64::from(*health)).sum::<u64>().min(100);
    distribute(&health, total, &mut shares);
    if total == 100 {
        return shares;
    }
    for (share, level) in shares.iter_mut().zip(levels) {
        share.panics = panics(*level, threshold);
    }
    if shares.iter().all(|share| share.panics) {
        let hosts: Vec<u32> = levels.iter().map(|level| level.hosts).collect();
        distribute(&hosts, hosts.iter().map(|hosts| u64::from(*hosts)).sum(), &mut shares);
    }
    shares
}

/// The level of a draw from 1 to 100: the first with which the shares add up to it.
#[must_use]
pub fn level_of(shares: &[Share], draw: u32) -> usize {
    let mut sum = 0;
    let reached = shares.iter().position(|share| {
        sum += share.percent;
        draw <= sum
    });
    reached.unwrap_or(0)
}
