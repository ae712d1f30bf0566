//! A stand-in for the fleet: every request is served on its own, in a time of the test's choosing.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tokenyard_fleet::scenario::Draft;
use tokenyard_fleet::time::Ps;
use tokenyard_fleet::workload::GENERATED;
use tokenyard_fleet::{Request, Scenario, Workload};

/// The scenario of a list of `path=value` settings.
pub(crate) fn scenario(settings: &[(&str, &str)]) -> Scenario {
    let mut draft = Draft::default();
    settings.iter().for_each(|(path, value)| draft.set(path, value).unwrap());
    draft.build(None).unwrap()
}

/// How a request fares.
pub(crate) struct Fate {
    pub(crate) time: Ps,
    pub(crate) ok: bool,
}

/// One request, and what became of it.
pub(crate) struct Served {
    pub(crate) request: Request,
    pub(crate) ended: Ps,
    pub(crate) ok: bool,
    /// First id of its answer's blocks.
    pub(crate) generated: u64,
}

/// Plays a workload to its end; results in the order of arrival.
pub(crate) fn play(mut workload: Workload, mut fate: impl FnMut(&Request) -> Fate) -> Vec<Served> {
    let mut served: Vec<Served> = Vec::new();
    let mut running: BinaryHeap<Reverse<(Ps, usize)>> = BinaryHeap::new();
    loop {
        let end = running.peek().map(|Reverse((at, _))| *at);
        match (workload.next_arrival(), end) {
            (None, None) => return served,
            (Some(arrival), end) if end.is_none_or(|end| arrival <= end) => {
                let request = workload.take().unwrap();
                assert_eq!(request.arrival, arrival);
                let Fate { time, ok } = fate(&request);
                let ended = arrival.saturating_add(time);
                running.push(Reverse((ended, served.len())));
                let generated = GENERATED + ((served.len() as u64) << 24);
                served.push(Served { request, ended, ok, generated });
            }
            _ => {
                let Reverse((at, i)) = running.pop().unwrap();
                let done = &served[i];
                workload.ended(&done.request, done.ok, at, done.generated);
            }
        }
    }
}

/// Everybody is served in a second.
pub(crate) fn in_a_second(_: &Request) -> Fate {
    Fate { time: tokenyard_fleet::time::SECOND, ok: true }
}
