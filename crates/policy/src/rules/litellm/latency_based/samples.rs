//! Lists of samples, in seconds for each token.

use tokenyard_det::Digest;
use tokenyard_param::Values;

use crate::rules::{load, param};
use crate::view::ReplicaIx;

/// One replica's lists: of whole answers, and of first tokens.
#[derive(Clone, Debug, Default, PartialEq)]
struct Lists {
    whole: Vec<f64>,
    first: Vec<f64>,
    /// The mean that is compared, 0 without samples.
    mean: f64,
}

impl Lists {
    /// Upstream divides also the sum of first tokens by the number of whole answers.
    fn average(&mut self, streaming: bool) {
        let list = if streaming && !self.first.is_empty() { &self.first } else { &self.whole };
        let count = self.whole.len();
        self.mean = if count == 0 { 0.0 } else { tokenyard_det::stat::sum(list) / count as f64 };
    }
}

/// All lists: one entry of a cache, so they expire together.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    streaming: bool,
    most: usize,
    sliding: bool,
    keeps_zero: bool,
    ttl: u64,
    /// When the lists expire, in picoseconds; `None` while there are none.
    expires: Option<u64>,
    lists: Vec<Lists>,
}

impl Samples {
    pub(super) fn new(values: &Values) -> Self {
        Self {
            streaming: values.switch("streaming"),
            most: values.u32("list_size").max(1) as usize,
            sliding: values.choice("window") == 1,
            keeps_zero: values.switch("first_zero"),
            ttl: param::seconds(values, "ttl_s"),
            expires: None,
            lists: Vec::new(),
        }
    }

    /// Lets the lists expire; `true` if they just did.
    pub(super) fn expire(&mut self, now: u64) -> bool {
        let expired = self.expires.is_some_and(|at| now > at);
        if expired {
            self.lists.clear();
            self.expires = None;
        }
        expired
    }

    /// Looks at the candidates of a decision. One without samples gets a 0, which is kept if there
    /// are any lists at all to keep it in.
    pub(super) fn meet(&mut self, now: u64, candidates: &[ReplicaIx]) {
        self.expire(now);
        if !self.keeps_zero || self.expires.is_none() {
            return;
        }
        // Candidates ascend.
        load::room(&mut self.lists, candidates.last().map_or(0, |last| last.saturating_add(1)));
        for replica in candidates {
            if let Some(lists) = self.lists.get_mut(usize::from(*replica))
                && lists.whole.is_empty()
            {
                lists.whole.push(0.0);
                lists.average(self.streaming);
            }
        }
    }

    /// The mean that is compared, 0 without samples.
    pub(super) fn mean(&self, replica: ReplicaIx) -> f64 {
        self.lists.get(usize::from(replica)).map_or(0.0, |lists| lists.mean)
    }

    pub(super) fn count(&self, replica: ReplicaIx) -> usize {
        self.lists.get(usize::from(replica)).map_or(0, |lists| lists.whole.len())
    }

    pub(super) fn add(&mut self, replica: ReplicaIx, now: u64, whole: f64, first: Option<f64>) {
        self.expire(now);
        self.expires.get_or_insert(now.saturating_add(self.ttl));
        load::room(&mut self.lists, replica.saturating_add(1));
        let (most, sliding) = (self.most, self.sliding);
        let push = |list: &mut Vec<f64>, sample: f64| {
            if list.len() >= most {
                if sliding {
                    list.remove(0);
                } else {
                    list.truncate(most - 1);
                }
            }
            list.push(sample);
        };
        if let Some(lists) = self.lists.get_mut(usize::from(replica)) {
            push(&mut lists.whole, whole);
            first.into_iter().for_each(|first| push(&mut lists.first, first));
            lists.average(self.streaming);
        }
    }

    pub(super) fn digest(&self, into: &mut Digest) {
        into.u64(u64::from(self.expires.is_some()));
        into.u64(self.expires.unwrap_or(0));
        into.u64(self.lists.len() as u64);
        for list in self.lists.iter().flat_map(|lists| [&lists.whole, &lists.first]) {
            into.u64(list.len() as u64);
            list.iter().for_each(|sample| into.f64(*sample));
        }
    }
}
