//! The stage: replicas with what they hold, and under each what the deciding router believes.

use tokenyard_models::herding::Run;

use super::{Duel, name, story, style};
use crate::dots::{self, FEWEST, PITCH};
use crate::markup::Markup;
use crate::msg::{Msg, msg};
use crate::words::{Words, replica_letter};

pub(super) fn draw(duel: &Duel, step: u32, covered: bool, words: &Words) -> String {
    let scale = duel.lanes.iter().map(tallest).max().unwrap_or(0).max(FEWEST);
    let mut m = Markup::default();
    m.el("div", &[("class", "lanes")], |m| {
        for (i, run) in duel.lanes.iter().enumerate() {
            lane(m, run, step, covered && i > 0, scale, words);
        }
    });
    routers(&mut m, &duel.lanes[0], step, words);
    m.finish()
}

/// The most that any replica holds or is believed to hold.
fn tallest(run: &Run) -> u32 {
    let seen = run.ticks.iter().flat_map(|t| t.decisions.iter().flat_map(|d| &d.view).chain(&t.loads));
    seen.max().copied().unwrap_or(0)
}

fn lane(m: &mut Markup, run: &Run, step: u32, covered: bool, scale: u32, words: &Words) {
    let title = words.get(name(run.rule)).to_owned();
    let class = format!("lane style-{}", style(run.rule));
    let tick = &run.ticks[step as usize];
    m.el("section", &[("class", &class), ("aria-label", &title)], |m| {
        m.el("div", &[("class", "lane-head")], |m| {
            m.text_el("h3", &[("class", "lane-name")], &title);
            let skew = msg("scene.skew").with("n", tick.skew);
            let text = if covered { words.get("scene.covered").to_owned() } else { words.say(&skew) };
            m.text_el("span", &[("class", "lane-figure")], &text);
        });
        let class = if covered { "pods is-covered" } else { "pods" };
        m.el("ol", &[("class", class)], |m| {
            for replica in 0..tick.loads.len() as u32 {
                pod(m, run, step, replica, covered, scale);
            }
        });
    });
}

fn pod(m: &mut Markup, run: &Run, step: u32, replica: u32, covered: bool, scale: u32) {
    let tick = &run.ticks[step as usize];
    let load = if covered { 0 } else { tick.loads[replica as usize] };
    let new = tick.decisions.iter().filter(|d| d.placed == replica).count() as u32;
    let cue = story::cue(tick);
    let believed = cue.map_or(0, |d| if covered { 0 } else { d.view[replica as usize] });
    let target = !covered && cue.is_some_and(|d| d.placed == replica);
    m.el("li", &[("class", if target { "pod is-target" } else { "pod" })], |m| {
        m.text_el("span", &[("class", "pod-name")], &replica_letter(replica));
        let view_box = format!("0 0 {} 20", scale * PITCH);
        let attrs = [("class", "pod-dots"), ("viewBox", &*view_box), ("aria-hidden", "true")];
        m.el("svg", &attrs, |m| {
            let new = new.min(load);
            dots::row(m, &[(load - new, "request"), (new, "request is-new")], scale);
            if believed > 0 {
                let end = (believed * PITCH).to_string();
                m.shape(
                    "line",
                    &[("class", "belief"), ("x1", "0"), ("x2", &end), ("y1", "16"), ("y2", "16")],
                );
            }
        });
        let text = if covered { "·".to_owned() } else { load.to_string() };
        m.text_el("span", &[("class", "pod-load")], &text);
    });
}

fn routers(m: &mut Markup, run: &Run, step: u32, words: &Words) {
    let cue = story::cue(&run.ticks[step as usize]);
    m.el("ul", &[("class", "routers"), ("aria-label", words.get("scene.routers"))], |m| {
        for router in 0..run.params.routers {
            let (view, age) = run.belief(router, step);
            let deciding = cue.filter(|d| d.router == router);
            let class = if deciding.is_some() { "router is-deciding" } else { "router" };
            let head: Msg = match deciding {
                Some(_) => msg("scene.deciding").with("router", router + 1),
                None => msg("scene.router").with("router", router + 1).with("age", age),
            };
            // A deciding router shows what it read, before its own dispatch of this tick.
            let numbers: Vec<String> =
                deciding.map_or(&view, |d| &d.view).iter().map(ToString::to_string).collect();
            m.el("li", &[("class", class)], |m| {
                m.text_el("span", &[("class", "router-head")], &words.say(&head));
                m.text_el("span", &[("class", "router-view")], &numbers.join(" "));
                if let Some(d) = deciding {
                    let sends = msg("scene.sends").with("to", crate::Arg::Replica(d.placed));
                    m.text_el("span", &[("class", "router-sends")], &words.say(&sends));
                }
            });
        }
    });
}
