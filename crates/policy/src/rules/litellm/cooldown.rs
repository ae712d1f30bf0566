//! Replicas that are left out for a while because they failed: LiteLLM's router takes them off the
//! list before any strategy sees it.

use tokenyard_det::Digest;
use tokenyard_param::{Kind, ParamSpec, Values};

use super::minute::MINUTE;
use crate::rule::{Ending, Fact};
use crate::rules::{load, param};
use crate::view::{FleetView, ReplicaIx, cell};

/// Seconds that a replica is left out; 0 leaves nobody out.
pub(super) const PARAM: ParamSpec = param::real("cooldown_s", "cool", [0.0, 3_600.0, 5.0, 1.0], 1);

/// The option of [`PARAM`] upstream.
pub(super) const UPSTREAM: &str = "cooldown_time";

/// The older form, instead of rates: failures that are allowed, the next one leaves a replica out. A
/// count is forgotten when a cooldown has passed since its last failure, and is not begun anew by a
/// cooldown. None: by rates.
pub(super) const ALLOWED: ParamSpec = ParamSpec {
    key: "allowed_fails",
    link: "fails",
    kind: Kind::OptInt { min: 0, max: 1_000_000, default: None, step: 1, page: 10 },
};

/// The option of [`ALLOWED`] upstream.
pub(super) const ALLOWED_UPSTREAM: &str = "allowed_fails";

/// Requests of a minute that are enough to judge a replica by a rate of failures above a half, or
/// by failures alone.
const ENOUGH: u32 = 5;
const ENOUGH_FOR_ALL: u32 = 1_000;

/// One replica's minute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Record {
    minute: u64,
    served: u32,
    failed: u32,
    /// Left out up to this time, in picoseconds.
    until: u64,
    /// Failures that count by themselves, and up to when.
    fails: u32,
    expire: u64,
}

/// Who is left out.
#[derive(Clone, Debug)]
pub(super) struct Cooldown {
    time: u64,
    allowed: Option<u32>,
    /// Replicas of the group, as of the latest decision.
    group: ReplicaIx,
    records: Vec<Record>,
    /// The latest time up to which anybody is left out.
    last: u64,
    /// The candidates of the decision that is being made; nothing between decisions.
    scratch: Vec<ReplicaIx>,
}

impl Cooldown {
    pub(super) fn new(values: &Values) -> Self {
        let time = param::seconds(values, "cooldown_s");
        let allowed = values.opt_u32("allowed_fails");
        Self { time, allowed, group: 0, records: Vec::new(), last: 0, scratch: Vec::new() }
    }

    /// The candidates that are not left out, in order. The list is to be given back.
    pub(super) fn left(&mut self, fleet: &FleetView<'_>) -> Vec<ReplicaIx> {
        self.group = fleet.replicas;
        let mut left = std::mem::take(&mut self.scratch);
        if self.last <= fleet.now {
            left.extend_from_slice(fleet.routable);
            return left;
        }
        let out = |replica: &ReplicaIx| cell(&self.records, *replica).until > fleet.now;
        left.extend(fleet.routable.iter().filter(|replica| !out(replica)));
        left
    }

    /// Gives the list back, so that the next decision has its room.
    pub(super) fn done(&mut self, mut left: Vec<ReplicaIx>) {
        left.clear();
        self.scratch = left;
    }

    /// Counts an end, and leaves a replica out where it is due. A group of one is never emptied
    /// for a rate limit or a rate of failures.
    pub(super) fn learn(&mut self, fact: &Fact) {
        let Fact::Ended { by, at, how, .. } = *fact else { return };
        if self.time == 0 {
            return;
        }
        load::room(&mut self.records, by.saturating_add(1));
        let (time, others) = (self.time, self.group > 1);
        let Some(record) = self.records.get_mut(usize::from(by)) else { return };
        if record.minute != at / MINUTE {
            *record = Record { minute: at / MINUTE, served: 0, failed: 0, ..*record };
        }
        match how {
            Ending::Served => record.served += 1,
            Ending::Cancelled => {}
            Ending::Failed | Ending::Limited | Ending::TooLong | Ending::TimedOut => record.failed += 1,
        }
        let all = record.served + record.failed;
        let mostly = 2 * record.failed > all && all >= ENOUGH && others;
        let only = record.served == 0 && all >= ENOUGH_FOR_ALL;
        let due = match how {
            Ending::Limited | Ending::Failed | Ending::TimedOut if self.allowed.is_some() => {
                record.is_one_too_many(self.allowed.unwrap_or(u32::MAX), at, time)
            }
            Ending::Limited if others => true,
            Ending::Limited | Ending::Failed | Ending::TimedOut => mostly || only,
            // What the client did wrong says nothing of the replica.
            Ending::TooLong | Ending::Served | Ending::Cancelled => false,
        };
        if due {
            record.until = at.saturating_add(time);
            self.last = self.last.max(record.until);
        }
    }

    pub(super) fn digest(&self, into: &mut Digest) {
        into.u64(u64::from(self.group));
        into.u64(self.records.len() as u64);
        for record in &self.records {
            into.u64(record.minute);
            into.u32s(&[record.served, record.failed]);
            into.u64(record.until);
            if self.allowed.is_some() {
                into.u32s(&[record.fails]);
                into.u64(record.expire);
            }
        }
    }
}

impl Record {
    /// Counts a failure by itself. Says whether it is one more than is allowed; that one is not
    /// counted.
    fn is_one_too_many(&mut self, allowed: u32, at: u64, time: u64) -> bool {
        if at > self.expire {
            self.fails = 0;
        }
        if self.fails + 1 > allowed {
            return true;
        }
        (self.fails, self.expire) = (self.fails + 1, at.saturating_add(time));
        false
    }
}
