//! The stage: in each lane the pool as the present customer finds it, its wait against the
//! limit, and the mean wait so far.

use tokenyard_models::queueing_knee::Step;

use super::{Knee, ORDER, name, style};
use crate::markup::Markup;
use crate::msg::{Arg, msg};
use crate::words::Words;

/// Width of the drawing.
const WIDTH: f64 = 396.0;
/// Diameter of the largest disc.
const HEIGHT: f64 = 24.0;
/// Radius of a request with the mean service time.
const RADIUS: f64 = 4.0;
/// Radius of the smallest one.
const LEAST_RADIUS: f64 = 2.0;
/// Space around a disc.
const GAP: f64 = 3.0;

pub(super) fn draw(knee: &Knee, step: u32, words: &Words) -> String {
    let longest = knee.model.lanes.iter().flat_map(|l| l.steps.iter().map(|s| s.wait));
    let scale = longest.fold(1.2 * knee.params.limit, f64::max);
    let mut m = Markup::default();
    m.el("div", &[("class", "knee-lanes")], |m| {
        for curve in ORDER {
            if let Some(customer) = knee.customer(curve, step) {
                lane(m, knee, curve, customer, scale, words);
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

fn lane(m: &mut Markup, knee: &Knee, curve: usize, customer: &Step, scale: f64, words: &Words) {
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
        pool(m, knee, curve, customer);
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

/// Requests in the pool as discs, in the order of arrival: the area is the service time, so a
/// long one is seen. Full while served, hollow while queued, half full where all share the
/// slots; the one who just came in the accent colour. A crowd is drawn smaller, so that it fits.
fn pool(m: &mut Markup, knee: &Knee, curve: usize, customer: &Step) {
    let steps = knee.lane(curve).steps.iter().take_while(|s| s.arrival <= customer.arrival);
    let inside: Vec<&Step> = steps.filter(|s| s.finish > customer.arrival).collect();
    let crowded = inside.len() > knee.params.slots as usize;
    let radius = |s: &Step| (RADIUS * s.service.sqrt()).clamp(LEAST_RADIUS, 0.5 * HEIGHT);
    let total: f64 = inside.iter().map(|s| 2.0 * radius(s) + GAP).sum();
    let scale = (WIDTH / total).min(1.0);
    let view_box = format!("0 0 {WIDTH} {}", HEIGHT + GAP);
    m.el("svg", &[("class", "knee-pool"), ("viewBox", &view_box), ("aria-hidden", "true")], |m| {
        let mut x = 0.0;
        for (i, step) in inside.iter().enumerate() {
            let new = if i + 1 == inside.len() { " is-new" } else { "" };
            let state = match (knee.sharing(), crowded, step.start > customer.arrival) {
                (true, true, _) => " is-sharing",
                (false, _, true) => " is-waiting",
                _ => "",
            };
            let r = radius(step) * scale;
            let class = format!("customer{new}{state}");
            let (cx, cy) = (fixed(x + r + 0.5 * GAP), fixed(0.5 * (HEIGHT + GAP)));
            m.shape("circle", &[("class", &class), ("cx", &cx), ("cy", &cy), ("r", &fixed(r))]);
            x += (2.0 * radius(step) + GAP) * scale;
        }
    });
}

/// A coordinate, short.
fn fixed(value: f64) -> String {
    tokenyard_det::format::fixed(value, 2)
}

/// The wait as a bar on the scale of the longest wait in any lane, and the limit as a line.
fn bar(m: &mut Markup, wait: f64, limit: f64, scale: f64) {
    let view_box = format!("0 0 {WIDTH} 14");
    m.el("svg", &[("class", "knee-bar"), ("viewBox", &view_box), ("aria-hidden", "true")], |m| {
        rect(m, "wait-track", WIDTH);
        let class = if wait > limit { "wait is-over" } else { "wait" };
        rect(m, class, WIDTH * wait / scale);
        let x = fixed(WIDTH * limit / scale);
        m.shape("line", &[("class", "wait-limit"), ("x1", &x), ("x2", &x), ("y1", "0"), ("y2", "14")]);
    });
}

fn rect(m: &mut Markup, class: &str, width: f64) {
    let width = fixed(width);
    m.shape("rect", &[("class", class), ("x", "0"), ("y", "4"), ("width", &width), ("height", "6")]);
}
