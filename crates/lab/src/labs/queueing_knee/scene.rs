//! The stage: in each lane the pool as the present customer finds it, its wait against the
//! limit, and the mean wait so far.

use tokenyard_models::queueing_knee::Step;

use super::{Knee, ORDER, name, style};
use crate::markup::Markup;
use crate::msg::{Arg, msg};
use crate::words::Words;

/// Width of one customer in the drawing.
const PITCH: u32 = 11;
/// Beyond this many customers a pool is a bar, because dots would be too small to count.
const MOST_DOTS: u32 = 36;

pub(super) fn draw(knee: &Knee, step: u32, words: &Words) -> String {
    let longest = knee.model.lanes.iter().flat_map(|l| l.steps.iter().map(|s| s.wait));
    let scale = longest.fold(1.2 * knee.params.limit, f64::max);
    let most = knee.model.lanes.iter().flat_map(|l| l.steps.iter().map(|s| s.present + 1)).max();
    let mut m = Markup::default();
    m.el("div", &[("class", "knee-lanes")], |m| {
        for curve in ORDER {
            if let Some(customer) = knee.customer(curve, step) {
                lane(m, knee, curve, customer, (scale, most.unwrap_or(1)), words);
            }
        }
    });
    let little = msg("scene.little")
        .with("inside", knee.params.little_concurrency)
        .with("time", Arg::Fixed(knee.params.little_time, 1))
        .with("capacity", Arg::Fixed(knee.model.capacity, 1));
    m.text_el("p", &[("class", "knee-little")], &words.say(&little));
    m.finish()
}

fn lane(
    m: &mut Markup,
    knee: &Knee,
    curve: usize,
    customer: &Step,
    (scale, most): (f64, u32),
    words: &Words,
) {
    let title = words.say(&name(&knee.params, curve));
    let class = format!("knee-lane style-{}", style(curve));
    let over = customer.wait > knee.params.limit;
    m.el("section", &[("class", &class), ("aria-label", &title)], |m| {
        m.el("div", &[("class", "knee-head")], |m| {
            m.text_el("h3", &[("class", "knee-title")], &title);
            let mean = msg("scene.mean").with("mean", Arg::Fixed(customer.mean_so_far, 1));
            m.text_el("span", &[("class", "knee-mean")], &words.say(&mean));
        });
        let inside = customer.present + 1;
        let served = inside.min(knee.params.slots.max(1));
        pool(m, served, inside, most);
        bar(m, customer.wait, knee.params.limit, scale);
        let state = match (knee.sharing(), inside > served) {
            (true, true) => msg("scene.shared"),
            (false, true) => msg("scene.queued"),
            (_, false) => msg("scene.served"),
        };
        let state = state.with("inside", inside).with("served", served).with("queued", inside - served);
        let wait = msg(if knee.sharing() { "scene.delay" } else { "scene.wait" });
        let wait = wait.with("wait", Arg::Fixed(customer.wait, 1));
        m.el("p", &[("class", "knee-state")], |m| {
            m.text_el("span", &[], &words.say(&state));
            m.text_el("strong", &[("class", if over { "is-over" } else { "" })], &words.say(&wait));
        });
    });
}

/// Customers in the pool as dots: those with a slot full, those beyond the slots as rings, the
/// one who just came in the accent colour.
fn pool(m: &mut Markup, served: u32, inside: u32, most: u32) {
    let view_box = format!("0 0 {} 12", MOST_DOTS * PITCH);
    m.el("svg", &[("class", "knee-pool"), ("viewBox", &view_box), ("aria-hidden", "true")], |m| {
        if most > MOST_DOTS {
            let unit = f64::from(MOST_DOTS * PITCH) / f64::from(most);
            rect(m, "customers", 0.0, f64::from(served) * unit, 2.0);
            rect(m, "customers is-waiting", f64::from(served) * unit, f64::from(inside - served) * unit, 2.0);
            return;
        }
        for i in 0..inside {
            let class = match (i + 1 == inside, i < served) {
                (true, true) => "customer is-new",
                (true, false) => "customer is-new is-waiting",
                (false, true) => "customer",
                (false, false) => "customer is-waiting",
            };
            let x = (f64::from(i * PITCH) + 5.5).to_string();
            m.shape("circle", &[("class", class), ("cx", &x), ("cy", "6"), ("r", "4")]);
        }
    });
}

/// The wait as a bar on the scale of the longest wait in any lane, and the limit as a line.
fn bar(m: &mut Markup, wait: f64, limit: f64, scale: f64) {
    let width = f64::from(MOST_DOTS * PITCH);
    let view_box = format!("0 0 {width} 14");
    m.el("svg", &[("class", "knee-bar"), ("viewBox", &view_box), ("aria-hidden", "true")], |m| {
        rect(m, "wait-track", 0.0, width, 4.0);
        let class = if wait > limit { "wait is-over" } else { "wait" };
        rect(m, class, 0.0, width * wait / scale, 4.0);
        let x = (width * limit / scale).to_string();
        m.shape("line", &[("class", "wait-limit"), ("x1", &x), ("x2", &x), ("y1", "0"), ("y2", "14")]);
    });
}

fn rect(m: &mut Markup, class: &str, x: f64, width: f64, y: f64) {
    let (x, width, y) = (x.to_string(), width.to_string(), y.to_string());
    m.shape("rect", &[("class", class), ("x", &x), ("y", &y), ("width", &width), ("height", "6")]);
}
