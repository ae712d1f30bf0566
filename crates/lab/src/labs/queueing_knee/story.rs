//! Sentences: the transcript, the key moments, and why a customer waits.

use tokenyard_models::queueing_knee::theory::Ways;
use tokenyard_models::queueing_knee::{Step, curve_cv2};

use super::{Knee, ORDER, TAIL, approximate, cv2, name, style};
use crate::msg::{Arg, Msg, msg};
use crate::run::{Decision, Grid, GridRow, Moment};

/// The sentence of one customer: what it loses to others in each lane.
pub(super) fn say(knee: &Knee, step: u32) -> Msg {
    let waits = ORDER.map(|curve| knee.customer(curve, step).map_or(0.0, |s| s.wait));
    let quiet = waits.iter().all(|w| *w == 0.0);
    let key = match (quiet, knee.sharing()) {
        (true, _) => "say.quiet",
        (false, false) => "say.wait",
        (false, true) => "say.delay",
    };
    msg(key)
        .with("customer", step + 1)
        .with("free", Arg::Fixed(waits[0], 1))
        .with("fixed", Arg::Fixed(waits[1], 1))
        .with("exponential", Arg::Fixed(waits[2], 1))
        .with("tail", Arg::Fixed(waits[3], 1))
        .with("cv2", cv2(knee.params.cv2))
}

/// Key moments: the request that waits longest in the long-tail lane, the first one after it
/// that finds that lane's pool empty, and the last one.
pub(super) fn moments(knee: &Knee) -> Vec<Moment> {
    let steps = &knee.lane(ORDER[TAIL]).steps;
    let lane = || name(&knee.params, ORDER[TAIL]);
    let longest = knee.lane(ORDER[TAIL]).longest().filter(|at| steps[*at].wait > 0.0);
    let peak = longest.map(|at| {
        let cue = msg(if knee.sharing() { "cue.longest-sharing" } else { "cue.longest" });
        let (wait, service) = (Arg::Fixed(steps[at].wait, 1), Arg::Fixed(steps[at].service, 1));
        (at, cue.with("lane", lane()).with("wait", wait).with("service", service))
    });
    let gone = longest.and_then(|from| {
        let at = (from + 1..steps.len()).find(|i| steps[*i].present == 0)?;
        let time = steps[at].arrival - steps[from].arrival;
        Some((at, msg("cue.empty").with("lane", lane()).with("time", Arg::Fixed(time, 0))))
    });
    let end = steps.len().checked_sub(1).map(|at| (at, msg("cue.end").with("n", at + 1)));
    Moment::in_order([peak, gone, end])
}

/// One a lane: why this customer waits, and what would keep the mean wait in the limit.
pub(super) fn decisions(knee: &Knee, step: u32) -> Vec<Decision> {
    let lane = |(at, curve): (usize, &usize)| {
        let customer = knee.customer(*curve, step)?;
        Some(explain(knee, *curve, step, customer, &knee.ways[at]))
    };
    ORDER.iter().enumerate().filter_map(lane).collect()
}

fn explain(knee: &Knee, curve: usize, step: u32, customer: &Step, ways: &Ways) -> Decision {
    let title = msg(if knee.sharing() { "why.title-sharing" } else { "why.title" })
        .with("lane", name(&knee.params, curve))
        .with("customer", step + 1)
        .with("wait", Arg::Fixed(customer.wait, 1));
    // Those still there when it arrives: they are what it waits for.
    let ahead = knee.lane(curve).steps[..step as usize].iter().filter(|s| s.finish > customer.arrival);
    let longest = ahead.map(|s| s.service).fold(0.0, f64::max);
    let found = match (customer.present, knee.sharing()) {
        (0, _) => msg("why.empty"),
        (inside, _) if inside < knee.params.slots => msg("why.found"),
        (_, true) => msg("why.found-sharing"),
        (_, false) if customer.queue == 0 => msg("why.found-busy"),
        (_, false) => msg("why.found-queue"),
    };
    let mut lines = vec![
        found.with("present", customer.present).with("queue", customer.queue),
        msg("why.service").with("service", Arg::Fixed(customer.service, 1)),
    ];
    if customer.present > 0 {
        lines.push(msg("why.longest").with("longest", Arg::Fixed(longest, 1)));
    }
    let key = match (knee.sharing(), approximate(&knee.params, curve)) {
        (true, _) => "why.mean-sharing",
        (false, true) => "why.mean-approximate",
        (false, false) => "why.mean",
    };
    lines.push(
        msg(key)
            .with("wait", Arg::Fixed(ways.wait, 2))
            .with("utilisation", Arg::Fixed(knee.params.utilisation, 2)),
    );
    let keeps = ways.wait <= knee.params.limit;
    lines.push(
        msg(if keeps { "why.keeps" } else { "why.ways" }).with("limit", Arg::Fixed(knee.params.limit, 1)),
    );
    Decision { title, style: style(curve), lines, grid: grid(knee, curve, ways, keeps), answers: false }
}

/// Three ways to keep the limit, each alone; nothing where it is kept.
fn grid(knee: &Knee, curve: usize, ways: &Ways, keeps: bool) -> Grid {
    if keeps {
        return Grid::default();
    }
    let params = &knee.params;
    let none = || Arg::Msg(msg("why.not-enough"));
    let rows = [
        ("why.load", Arg::Fixed(params.utilisation, 3), Arg::Fixed(ways.utilisation, 3)),
        (
            "why.variance",
            Arg::Fixed(curve_cv2(params, curve), 2),
            ways.cv2.map_or_else(none, |v| Arg::Fixed(v, 2)),
        ),
        ("why.slots", Arg::from(params.slots), ways.slots.map_or_else(none, Arg::from)),
    ];
    let row = |(way, now, must)| GridRow {
        cells: vec![Arg::Msg(msg(way)), now, must],
        chosen: false,
        fresh: false,
    };
    Grid { head: ["why.way", "why.now", "why.must"].map(msg).into(), rows: rows.map(row).into() }
}
