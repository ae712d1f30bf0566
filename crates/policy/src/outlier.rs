//! Envoy's outlier detection: hosts that answer with errors are ejected for a while, by failures in
//! a row, by a success rate far below the others', or by a share of failures.
//!
//! A failure is what Envoy sees as a 5xx: an answer with an error, or a host that was lost. Anything
//! else that comes from a host is a success, refusals for a limit (429) or for the request itself
//! (400) included. What a client called off is neither.
//!
//! Source: envoyproxy/envoy, `source/common/upstream/outlier_detection_impl.cc` at 00c7146d, with
//! the defaults of its documents. Left out: gateway failures in a row, which are these failures here
//! and are not enforced upstream; errors of local origin; jitter, 0 upstream; active health checks.

use tokenyard_det::Digest;

use crate::view::ReplicaIx;

/// What ejects whom, and for how long. Times are in picoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutlierSettings {
    /// Failures in a row that eject; none: they do not.
    pub consecutive: Option<u32>,
    /// From one sweep to the next: rates are judged and ejections end at sweeps only.
    pub interval: u64,
    /// The first ejection; the n-th of a host that keeps failing takes n times as long.
    pub ejection: u64,
    /// The longest ejection.
    pub most_ejection: u64,
    /// Most ejected hosts at once, in percent of all.
    pub most_percent: u32,
    /// Whether one host may be ejected whatever the percentage: in older builds always, in newer
    /// ones if `always_eject_one_host` says so.
    pub at_least_one: bool,
    /// Standard deviations below the mean from which a success rate ejects; none: it does not.
    pub deviations: Option<f64>,
    /// Requests in an interval that make a host's success rate count.
    pub volume: u32,
    /// Share of failures in percent that ejects; none: it does not.
    pub failure_percent: Option<u32>,
    /// Requests in an interval that make a host's share of failures count.
    pub failure_volume: u32,
    /// Hosts with enough requests without which no rate is judged.
    pub hosts: u32,
}

/// One host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Host {
    /// Failures in a row.
    in_a_row: u32,
    /// Successes and requests since the last sweep.
    succeeded: u32,
    all: u32,
    /// Since when it is ejected.
    ejected: Option<u64>,
    /// When its last ejection ended.
    back: Option<u64>,
    /// Length of the next ejection, in those of [`OutlierSettings::ejection`] less one.
    backoff: u32,
}

/// Who is ejected, and what is counted of everybody.
#[derive(Clone, Debug)]
pub struct Outliers {
    settings: OutlierSettings,
    hosts: Vec<Host>,
    /// Ejected ones.
    out: u32,
}

/// Mean of success rates in percent, and the rate below which a host is an outlier. `None` for no
/// rates.
#[must_use]
pub fn success_rate_threshold(rates: &[f64], deviations: f64) -> Option<(f64, f64)> {
    if rates.is_empty() {
        return None;
    }
    let count = rates.len() as f64;
    let mean = rates.iter().sum::<f64>() / count;
    let variance = rates.iter().map(|rate| (rate - mean) * (rate - mean)).sum::<f64>() / count;
    Some((mean, mean - deviations * variance.sqrt()))
}

impl Outliers {
    /// So many hosts of which nothing is known.
    #[must_use]
    pub fn new(settings: OutlierSettings, hosts: u32) -> Self {
        Self { settings, hosts: vec![Host::default(); hosts as usize], out: 0 }
    }

    /// Whether a host is ejected.
    #[must_use]
    pub fn is_out(&self, host: ReplicaIx) -> bool {
        self.hosts.get(usize::from(host)).is_some_and(|host| host.ejected.is_some())
    }

    /// How many are.
    #[must_use]
    pub fn out(&self) -> u32 {
        self.out
    }

    /// An answer of a host, at `now`. Says whether the host is ejected for it.
    ///
    /// Failures in a row count anew after an ejection, also after one that the percentage forbade.
    pub fn answered(&mut self, host: ReplicaIx, failed: bool, now: u64) -> bool {
        let at = usize::from(host);
        let Some(entry) = self.hosts.get_mut(at) else { return false };
        entry.all = entry.all.saturating_add(1);
        if !failed {
            entry.succeeded = entry.succeeded.saturating_add(1);
            entry.in_a_row = 0;
            return false;
        }
        entry.in_a_row = entry.in_a_row.saturating_add(1);
        if Some(entry.in_a_row) != self.settings.consecutive || entry.ejected.is_some() {
            return false;
        }
        entry.in_a_row = 0;
        self.eject(at, now)
    }

    /// A sweep, one interval after the last: ejections that have lasted long enough end, rates of
    /// the interval are judged, and who has behaved for an interval is forgiven one ejection.
    /// Gives how many were ejected.
    pub fn sweep(&mut self, now: u64) -> u32 {
        let settings = self.settings;
        for host in &mut self.hosts {
            let lasts = settings.ejection.saturating_mul(u64::from(host.backoff)).min(settings.most_ejection);
            if host.ejected.is_some_and(|since| now.saturating_sub(since) >= lasts) {
                *host = Host { in_a_row: 0, ejected: None, back: Some(now), ..*host };
                self.out -= 1;
            }
        }
        let ejected = self.judge(now);
        for host in &mut self.hosts {
            (host.succeeded, host.all) = (0, 0);
            let calm = host.back.is_some_and(|back| now.saturating_sub(back) >= settings.interval);
            if host.ejected.is_none() && calm {
                host.backoff = host.backoff.saturating_sub(1);
            }
        }
        ejected
    }

    /// Judges rates over the interval, of hosts that are not ejected, in their order.
    fn judge(&mut self, now: u64) -> u32 {
        let rated = |least: u32| -> Vec<(usize, f64)> {
            let enough = |host: &Host| host.ejected.is_none() && host.all >= least.max(1);
            let rate = |host: &Host| f64::from(host.succeeded) * 100.0 / f64::from(host.all);
            let hosts = self.hosts.iter().enumerate().filter(|(_, host)| enough(host));
            hosts.map(|(at, host)| (at, rate(host))).collect()
        };
        let (by_rate, by_share) = (rated(self.settings.volume), rated(self.settings.failure_volume));
        let least = self.settings.hosts as usize;
        let mut due: Vec<usize> = Vec::new();
        if let Some(deviations) = self.settings.deviations.filter(|_| by_rate.len() >= least) {
            let rates: Vec<f64> = by_rate.iter().map(|(_, rate)| *rate).collect();
            let threshold = success_rate_threshold(&rates, deviations).map_or(0.0, |(_, below)| below);
            due.extend(by_rate.iter().filter(|(_, rate)| *rate < threshold).map(|(at, _)| *at));
        }
        if let Some(most) = self.settings.failure_percent.filter(|_| by_share.len() >= least) {
            due.extend(
                by_share.iter().filter(|(_, rate)| 100.0 - rate >= f64::from(most)).map(|(at, _)| *at),
            );
        }
        due.into_iter().map(|at| u32::from(self.eject(at, now))).sum()
    }

    /// Ejects a host unless too many are out already. Says whether it did.
    fn eject(&mut self, at: usize, now: u64) -> bool {
        let settings = self.settings;
        // The host itself counts, so that 10 percent of nine hosts are nobody.
        let percent = 100.0 * f64::from(self.out + 1) / self.hosts.len().max(1) as f64;
        let room = percent <= f64::from(settings.most_percent) || (settings.at_least_one && self.out == 0);
        let Some(host) = self.hosts.get_mut(at).filter(|host| room && host.ejected.is_none()) else {
            return false;
        };
        host.ejected = Some(now);
        let longest = settings.most_ejection.saturating_add(settings.ejection);
        if settings.ejection.saturating_mul(u64::from(host.backoff)) < longest {
            host.backoff += 1;
        }
        self.out += 1;
        true
    }

    /// Feeds everything that is kept, in a fixed order.
    pub fn digest(&self, into: &mut Digest) {
        for host in &self.hosts {
            into.u32s(&[host.in_a_row, host.succeeded, host.all, host.backoff]);
            into.u64(host.ejected.unwrap_or(u64::MAX));
            into.u64(host.back.unwrap_or(u64::MAX));
        }
    }
}
