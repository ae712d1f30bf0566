//! The stage: in each lane the tree of layers with the path of the present call, and under it
//! the strip of calls that one click has become.

use tokenyard_models::retries::{Call, Verdict};

use super::{Click, Lane};
use crate::markup::Markup;
use crate::msg::{Arg, msg};
use crate::words::Words;

/// Calls in one row of the strip.
const ROW: usize = 36;
/// Width of one call in the drawing.
const PITCH: usize = 10;
/// Beyond this many calls the strip is a bar, because cells would be too small to count.
const MOST_CELLS: u64 = 288;

pub(super) fn draw(click: &Click, step: u32, covered: bool, words: &Words) -> String {
    let mut m = Markup::default();
    m.el("div", &[("class", "retry-lanes")], |m| {
        for (i, lane) in click.lanes.iter().enumerate() {
            draw_lane(m, click, lane, step as usize, covered && i > 0, words);
        }
    });
    m.finish()
}

fn draw_lane(m: &mut Markup, click: &Click, lane: &Lane, step: usize, covered: bool, words: &Words) {
    let title = words.say(&lane.variant.name(&click.params));
    let class = format!("retry-lane style-{}", lane.variant.style());
    let at = step.min(lane.click.calls.len().saturating_sub(1));
    let call = lane.click.calls.get(at).filter(|_| !covered);
    m.el("section", &[("class", &class), ("aria-label", &title)], |m| {
        m.el("div", &[("class", "retry-head")], |m| {
            m.text_el("h3", &[("class", "retry-title")], &title);
            let figure = figure(click, lane, step, covered);
            m.text_el("span", &[("class", "retry-figure")], &words.say(&figure));
        });
        m.el("ol", &[("class", "retry-layers")], |m| {
            for layer in 0..lane.plan.attempts().len() {
                draw_layer(m, click, lane, layer, call, words);
            }
        });
        if covered {
            return;
        }
        strip(m, click, lane, at);
        let both = msg("scene.both")
            .with("sum", lane.expected.sum)
            .with("worst", Arg::Int(i64::try_from(lane.expected.worst).unwrap_or(i64::MAX)))
            .with("failure", Arg::Fixed(click.params.failure, 2))
            .with("expected", Arg::Fixed(lane.expected.calls, 2));
        m.text_el("p", &[("class", "retry-both")], &words.say(&both));
    });
}

/// Which call it is; whether the click is over.
fn figure(click: &Click, lane: &Lane, step: usize, covered: bool) -> crate::Msg {
    let (recorded, total) = (lane.click.calls.len(), lane.click.total);
    let key = match (covered, step + 1 < recorded || lane.click.cut(), lane.click.succeeded) {
        (true, ..) => "scene.covered",
        (false, true, _) if click.outage => "scene.call-of",
        (false, true, _) => "scene.call",
        (false, false, true) => "scene.returned",
        (false, false, false) => "scene.failed",
    };
    msg(key).with("call", (step + 1).min(recorded)).with("total", total)
}

fn draw_layer(m: &mut Markup, click: &Click, lane: &Lane, layer: usize, call: Option<&Call>, words: &Words) {
    let verdict = call.map_or(Verdict::NotAsked, |c| c.verdicts[layer]);
    let state = match verdict {
        Verdict::NotAsked => "",
        Verdict::Returned => " is-returned",
        Verdict::Retry => " is-retrying",
        Verdict::Exhausted | Verdict::Refused => " is-spent",
    };
    let of = lane.plan.attempts()[layer];
    let at = call.map_or(0, |c| u32::from(c.path[layer]));
    m.el("li", &[("class", &format!("retry-layer depth-{layer}{state}"))], |m| {
        m.text_el("span", &[("class", "retry-name")], &click.layer(layer));
        let view_box = format!("0 0 {} 12", 10 * PITCH);
        m.el("svg", &[("class", "retry-attempts"), ("viewBox", &view_box), ("aria-hidden", "true")], |m| {
            for i in 1..=of {
                let class = match i.cmp(&at) {
                    std::cmp::Ordering::Less => "attempt is-done",
                    std::cmp::Ordering::Equal => "attempt is-now",
                    std::cmp::Ordering::Greater => "attempt",
                };
                let x = ((i as usize - 1) * PITCH + 1).to_string();
                m.shape(
                    "rect",
                    &[("class", class), ("x", &x), ("y", "2"), ("width", "8"), ("height", "8"), ("rx", "2")],
                );
            }
        });
        let count = match call {
            Some(_) => msg("scene.attempt").with("n", at).with("of", of),
            None => msg("scene.attempts").with("of", of),
        };
        m.text_el("span", &[("class", "retry-count")], &words.say(&count));
        if call.is_some() {
            let worst = i64::try_from(lane.expected.layers[layer].worst).unwrap_or(i64::MAX);
            let product = words.say(&msg("scene.product").with("n", Arg::Int(worst)));
            m.text_el("span", &[("class", "retry-product")], &product);
        }
    });
}

/// One cell a call, in the groups that the innermost layer makes of them; in an outage without a
/// budget the calls to come are known and drawn hollow.
fn strip(m: &mut Markup, click: &Click, lane: &Lane, at: usize) {
    let certain = click.outage && !lane.variant.budget;
    let cells = if certain { lane.expected.worst } else { lane.click.calls.len() as u64 };
    if cells > MOST_CELLS || lane.click.cut() {
        return bar(m, (at + 1) as f64 / f64::from(lane.click.total.max(1)));
    }
    let cells = if certain { cells as usize } else { at + 1 };
    let inner = lane.plan.attempts().last().copied().unwrap_or(1).max(1) as usize;
    let row = ROW / inner * inner;
    let height = cells.div_ceil(row) * PITCH;
    let view_box = format!("0 0 {} {height}", ROW * PITCH + ROW);
    m.el("svg", &[("class", "retry-strip"), ("viewBox", &view_box), ("aria-hidden", "true")], |m| {
        for i in 0..cells {
            let class = match (i.cmp(&at), lane.click.calls.get(i).is_some_and(|c| c.failed)) {
                (std::cmp::Ordering::Less, _) => "call is-done",
                (std::cmp::Ordering::Equal, true) => "call is-now",
                (std::cmp::Ordering::Equal, false) => "call is-now is-answer",
                (std::cmp::Ordering::Greater, _) => "call",
            };
            // A gap after each group, as wide as fits when every group is a single call.
            let gap = if inner > 1 { i % row / inner * 2 } else { 0 };
            let x = (i % row * PITCH + gap + 5).to_string();
            let y = (i / row * PITCH + 5).to_string();
            m.shape("circle", &[("class", class), ("cx", &x), ("cy", &y), ("r", "3.4")]);
        }
    });
}

fn bar(m: &mut Markup, share: f64) {
    let width = (ROW * PITCH) as f64;
    let view_box = format!("0 0 {width} 12");
    m.el("svg", &[("class", "retry-strip"), ("viewBox", &view_box), ("aria-hidden", "true")], |m| {
        let rect = |m: &mut Markup, class: &str, width: f64| {
            let width = width.to_string();
            let attrs =
                [("class", class), ("x", "0"), ("y", "2"), ("width", &*width), ("height", "8"), ("rx", "2")];
            m.shape("rect", &attrs);
        };
        rect(m, "call-track", width);
        rect(m, "call-bar", width * share.clamp(0.0, 1.0));
    });
}
