//! Why each lane sent the request where it did.

use tokenyard_models::routing_lab::{RequestRecord, Rule};

use super::fleet::{Held, held};
use super::{Race, name, story, style};
use crate::msg::{Arg, Msg, msg};
use crate::run::{Decision, Grid, GridRow};

/// The decision of a lane at a step.
pub(super) fn decision(race: &Race, lane: usize, step: u32) -> Option<Decision> {
    let run = &race.lanes[lane];
    let d = run.decisions().get(step as usize)?;
    let held = held(run, step);
    let read = match run.rule {
        Rule::Random | Rule::RoundRobin => "why.blind",
        Rule::LeastKv => "why.read-blocks",
        Rule::LeastOutstanding | Rule::PowerOfTwo | Rule::PrefixAware => "why.read",
    };
    Some(Decision {
        title: msg("why.title")
            .with("rule", msg(name(run.rule)))
            .with("request", step + 1)
            .with("to", Arg::Replica(d.replica)),
        style: style(run.rule),
        lines: vec![
            story::reason(race, lane, step, &held),
            msg(read).with("tick", d.tick),
            story::cached(race, lane, step, &held),
            fate(race, step, &run.requests()[step as usize]),
        ],
        grid: grid(race, lane, step, &held),
        answers: lane > 0,
    })
}

/// What became of the request.
fn fate(race: &Race, step: u32, record: &RequestRecord) -> Msg {
    let (Some(admitted), Some(ttft)) = (record.admitted, record.ttft) else { return msg("why.never") };
    let wait = admitted - race.requests()[step as usize].arrival;
    let key = match (race.params.prefix_cache, record.cache_hit) {
        (false, _) => "why.fate",
        (true, true) => "why.fate-hit",
        (true, false) => "why.fate-miss",
    };
    msg(key).with("wait", wait).with("ttft", ttft)
}

fn grid(race: &Race, lane: usize, step: u32, held: &[Held]) -> Grid {
    let run = &race.lanes[lane];
    let blocks = run.blocks(step as usize);
    let to = run.decisions()[step as usize].replica;
    let row = |(i, h): (usize, &Held)| {
        let mut cells: Vec<Arg> = vec![Arg::Replica(i as u32), h.outstanding().into(), h.queued.into()];
        cells.extend(blocks.get(i).map(|b| Arg::from(*b)));
        cells.push(families(&h.cache));
        // Every rule read the present state, or none: there is no fresher data to choose by.
        GridRow { cells, chosen: i as u32 == to, fresh: false }
    };
    let mut head = vec![msg("why.replica"), msg("why.outstanding"), msg("why.queued")];
    if !blocks.is_empty() {
        head.push(msg("why.blocks"));
    }
    head.push(msg("why.families"));
    Grid { head, rows: held.iter().enumerate().map(row).collect() }
}

/// Families in a cache, the freshest first.
fn families(cache: &[u32]) -> Arg {
    if cache.is_empty() {
        return Arg::Text("–".to_owned());
    }
    Arg::List(cache.iter().rev().map(|f| Arg::from(f + 1)).collect())
}
