//! The stage: the twelve requests, and under each router what its replicas hold and carry.

use tokenyard_models::prefix_affinity::{REQUESTS, Reason, Step};

use super::Duel;
use super::side::{Router, Side};
use crate::markup::Markup;
use crate::msg::msg;
use crate::words::{Words, replica_letter};

/// Width of one request in the drawing of a load.
const PITCH: usize = 12;

/// More cache slots than the trace has prefixes stay empty, so they are not drawn.
const PREFIXES: usize = 3;

/// Draws a step; `covered` hides the aware router's lane.
pub(super) fn draw(duel: &Duel, step: u32, covered: bool, words: &Words) -> String {
    let mut m = Markup::default();
    m.el("div", &[("class", "affinity-stage")], |m| {
        if let Some(s) = duel.run.steps.get(step as usize) {
            request(m, s, step, words);
            m.el("div", &[("class", "affinity-lanes")], |m| {
                for router in Router::LANES {
                    let covered = covered && router == Router::Aware;
                    lane(m, duel, router, step, covered, words);
                }
            });
        }
    });
    m.finish()
}

/// The request on its way: its prefix and what comes after it.
fn request(m: &mut Markup, s: &Step, step: u32, words: &Words) {
    m.el("p", &[("class", "affinity-request")], |m| {
        let class = prefix_class("prefix-chip", s.prefix);
        m.text_el("span", &[("class", &class), ("aria-hidden", "true")], &s.prefix.to_string());
        let text = msg("scene.request")
            .with("request", step + 1)
            .with("prefix", s.prefix)
            .with("shared", s.prefix_tokens)
            .with("fresh", s.fresh_tokens);
        m.text_el("span", &[], &words.say(&text));
    });
}

fn prefix_class(class: &str, prefix: u32) -> String {
    // Styles 1 and 2 are the routers'.
    format!("{class} style-{}", 3 + (prefix.max(1) - 1) % 4)
}

fn lane(m: &mut Markup, duel: &Duel, router: Router, step: u32, covered: bool, words: &Words) {
    let title = words.get(router.name()).to_owned();
    let class = format!("affinity-lane style-{}", router.style());
    m.el("section", &[("class", &class), ("aria-label", &title)], |m| {
        m.el("div", &[("class", "affinity-head")], |m| {
            m.text_el("h3", &[("class", "affinity-name")], &title);
            let seen = &duel.run.steps[..=step as usize];
            let hits = seen.iter().filter(|s| router.side(s).hit).count();
            let tokens: u32 = seen.iter().map(|s| router.side(s).prefill).sum();
            let sum = msg("scene.sum").with("hits", hits).with("tokens", tokens);
            let text = if covered { words.get("scene.covered").to_owned() } else { words.say(&sum) };
            m.text_el("span", &[("class", "affinity-figure")], &text);
        });
        strip(m, duel, router, step, covered, words);
        let s = &duel.run.steps[step as usize];
        m.el("ol", &[("class", "affinity-pods")], |m| {
            for replica in 0..s.aware_loads.len() {
                pod(m, duel, &router.side(s), replica, covered, words);
            }
        });
    });
}

/// All twelve requests: hits solid, misses hollow, escapes under a bar, what is to come pale.
fn strip(m: &mut Markup, duel: &Duel, router: Router, step: u32, covered: bool, words: &Words) {
    let label = words.say(&msg("scene.strip").with("n", REQUESTS));
    m.el("div", &[("class", "affinity-strip"), ("role", "img"), ("aria-label", &label)], |m| {
        for (i, s) in duel.run.steps.iter().enumerate() {
            let mut class = prefix_class("affinity-mark", s.prefix);
            let escape = router == Router::Aware && s.reason == Reason::LoadImbalance;
            if i > step as usize || covered {
                class.push_str(" is-next");
            } else {
                class.push_str(if router.side(s).hit { " is-hit" } else { " is-miss" });
                class.push_str(if escape { " is-escape" } else { "" });
            }
            class.push_str(if i == step as usize { " is-now" } else { "" });
            m.text_el("span", &[("class", &class)], &s.prefix.to_string());
        }
    });
}

fn pod(m: &mut Markup, duel: &Duel, side: &Side<'_>, replica: usize, covered: bool, words: &Words) {
    let target = !covered && side.replica == replica;
    m.el("li", &[("class", if target { "affinity-pod is-target" } else { "affinity-pod" })], |m| {
        let letter = replica_letter(u32::try_from(replica).unwrap_or(0));
        m.text_el("span", &[("class", "affinity-pod-name")], &letter);
        cache(m, duel, side, replica, covered, words);
        let load = if covered { 0 } else { side.loads[replica] as usize };
        dots(m, load, target);
        let text = if covered { "·".to_owned() } else { load.to_string() };
        m.text_el("span", &[("class", "affinity-load")], &text);
        if target {
            let key = if side.hit { "scene.hit" } else { "scene.miss" };
            let class = if side.hit { "affinity-result is-hit" } else { "affinity-result is-miss" };
            m.text_el("span", &[("class", class)], &words.say(&msg(key).with("tokens", side.prefill)));
        }
    });
}

/// What the replica holds after the request, the prefix of the request framed, and after it,
/// struck through, the prefix that had to make room.
fn cache(m: &mut Markup, duel: &Duel, side: &Side<'_>, replica: usize, covered: bool, words: &Words) {
    let held: &[u32] = if covered { &[] } else { &side.caches[replica] };
    let target = !covered && side.replica == replica;
    let slots = (duel.params.cache_slots as usize).min(PREFIXES);
    m.el("span", &[("class", "affinity-cache")], |m| {
        if held.is_empty() {
            m.text_el("span", &[("class", "visually-hidden")], words.get("scene.empty"));
        }
        for (i, prefix) in held.iter().enumerate() {
            let newest = target && i + 1 == held.len();
            let class = prefix_class("prefix-chip", *prefix) + if newest { " is-new" } else { "" };
            m.text_el("span", &[("class", &class)], &prefix.to_string());
        }
        for _ in held.len()..slots {
            m.el("span", &[("class", "prefix-chip is-empty"), ("aria-hidden", "true")], |_| {});
        }
        if let Some(gone) = side.evicted().filter(|_| target) {
            let attrs = [("class", "prefix-gone"), ("aria-hidden", "true")];
            m.text_el("span", &attrs, &gone.to_string());
        }
    });
}

/// Requests assigned so far, the newest in the accent colour.
fn dots(m: &mut Markup, load: usize, target: bool) {
    let view_box = format!("0 0 {} 12", REQUESTS * PITCH);
    let attrs = [("class", "affinity-dots"), ("viewBox", &*view_box), ("aria-hidden", "true")];
    m.el("svg", &attrs, |m| {
        for i in 0..load {
            let x = (i * PITCH + PITCH / 2).to_string();
            let newest = target && i + 1 == load;
            let class = if newest { "affinity-dot is-new" } else { "affinity-dot" };
            m.shape("circle", &[("class", class), ("cx", &x), ("cy", "6"), ("r", "4.5")]);
        }
    });
}
