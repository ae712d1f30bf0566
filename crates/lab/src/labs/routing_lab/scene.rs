//! The stage: one lane a rule, one row a replica, with its queue, its batch and its cache.

use tokenyard_models::routing_lab::Run;

use super::fleet::{self, Held};
use super::{Race, name, style};
use crate::dots::{self, PITCH};
use crate::markup::Markup;
use crate::msg::{Arg, msg};
use crate::words::{Words, replica_letter};

/// Rows are never scaled up beyond this many requests, a full batch by default.
const FEWEST: u32 = 12;

/// States of a request from the batch to the queue: class and words.
const STATES: [(&str, &str); 4] = [
    ("request is-running", "scene.running"),
    ("request is-prefill", "scene.prefilling"),
    ("request is-queued", "scene.queued"),
    ("request is-queued is-new", "scene.new"),
];

pub(super) fn draw(race: &Race, step: u32, covered: bool, words: &Words) -> String {
    let heights = race.lanes.iter().flat_map(fleet::fullest);
    let scale = heights.max().unwrap_or(0).max(FEWEST);
    let mut m = Markup::default();
    arrival(&mut m, race, step, words);
    m.el("div", &[("class", "lanes rl-lanes")], |m| {
        for (i, run) in race.lanes.iter().enumerate() {
            lane(m, &Lane { race, run, step, covered: covered && i > 0, scale }, words);
        }
    });
    legend(&mut m, words);
    m.finish()
}

/// The clock and the request that every lane places in this step.
fn arrival(m: &mut Markup, race: &Race, step: u32, words: &Words) {
    let Some(request) = race.requests().get(step as usize) else { return };
    let text = msg("scene.arrival")
        .with("tick", request.arrival)
        .with("n", step + 1)
        .with("of", race.lanes[0].decisions().len())
        .with("tokens", request.prompt_tokens)
        .with("prefix", request.prefix_tokens)
        .with("family", request.prefix_id + 1);
    m.text_el("p", &[("class", "rl-arrival")], &words.say(&text));
}

/// One lane at one step.
struct Lane<'a> {
    race: &'a Race,
    run: &'a Run,
    step: u32,
    covered: bool,
    scale: u32,
}

impl Lane<'_> {
    /// Where the step's request goes; nowhere under a cover.
    fn target(&self) -> Option<u32> {
        let decision = self.run.decisions().get(self.step as usize);
        decision.filter(|_| !self.covered).map(|d| d.replica)
    }
}

fn lane(m: &mut Markup, lane: &Lane<'_>, words: &Words) {
    let title = words.get(name(lane.run.rule)).to_owned();
    let class = format!("lane style-{}", style(lane.run.rule));
    let held = fleet::held(lane.run, lane.step);
    m.el("section", &[("class", &class), ("aria-label", &title)], |m| {
        m.el("div", &[("class", "lane-head")], |m| {
            m.text_el("h3", &[("class", "lane-name")], &title);
            let most = held.iter().enumerate().map(|(i, h)| with_arrival(lane, i, h)).max();
            let fullest = msg("scene.fullest").with("n", most.unwrap_or(0));
            let text = if lane.covered { words.get("scene.covered").to_owned() } else { words.say(&fullest) };
            m.text_el("span", &[("class", "lane-figure")], &text);
        });
        let class = if lane.covered { "pods rl-pods is-covered" } else { "pods rl-pods" };
        m.el("ol", &[("class", class)], |m| {
            held.iter().enumerate().for_each(|(i, h)| pod(m, lane, i as u32, h, words));
        });
        totals(m, lane, words);
    });
}

/// Outstanding requests with the step's own.
fn with_arrival(lane: &Lane<'_>, replica: usize, held: &Held) -> u32 {
    held.outstanding() + u32::from(lane.target() == Some(replica as u32))
}

fn pod(m: &mut Markup, lane: &Lane<'_>, replica: u32, held: &Held, words: &Words) {
    let target = lane.target() == Some(replica);
    m.el("li", &[("class", if target { "pod is-target" } else { "pod" })], |m| {
        m.text_el("span", &[("class", "pod-name")], &replica_letter(replica));
        let view_box = format!("0 0 {} 14", lane.scale * PITCH);
        let attrs = [
            ("class", "pod-dots"),
            ("viewBox", &*view_box),
            ("preserveAspectRatio", "xMinYMid"),
            ("aria-hidden", "true"),
        ];
        m.el("svg", &attrs, |m| {
            if !lane.covered {
                let counts = [held.running, held.prefilling, held.queued, u32::from(target)];
                let parts: Vec<(u32, &str)> = counts.into_iter().zip(STATES.map(|s| s.0)).collect();
                dots::row(m, &parts, lane.scale);
            }
        });
        let load = with_arrival(lane, replica as usize, held);
        let text = if lane.covered { "·".to_owned() } else { load.to_string() };
        m.text_el("span", &[("class", "pod-load")], &text);
        cache(m, lane, held, words);
    });
}

/// The families in a replica's cache, the freshest first; the one asked for stands out.
fn cache(m: &mut Markup, lane: &Lane<'_>, held: &Held, words: &Words) {
    if lane.covered || !lane.race.params.prefix_cache {
        return;
    }
    let asked = lane.race.requests()[lane.step as usize].prefix_id;
    m.el("ul", &[("class", "rl-cache"), ("aria-label", words.get("scene.cache"))], |m| {
        for family in held.cache.iter().rev() {
            let class = if *family == asked { "rl-chip is-asked" } else { "rl-chip" };
            m.text_el("li", &[("class", class)], &(family + 1).to_string());
        }
    });
}

/// What each replica did over the whole run.
fn totals(m: &mut Markup, lane: &Lane<'_>, words: &Words) {
    m.el("table", &[("class", "rl-totals")], |m| {
        m.text_el("caption", &[], words.get("scene.totals"));
        m.el("thead", &[], |m| {
            m.el("tr", &[], |m| {
                for key in ["scene.replica", "scene.assigned", "scene.utilisation", "scene.prefill-share"] {
                    m.text_el("th", &[("scope", "col")], words.get(key));
                }
            });
        });
        m.el("tbody", &[], |m| {
            for (i, replica) in lane.run.replicas.iter().enumerate() {
                let cells = [
                    replica.assigned.into(),
                    Arg::Percent(replica.utilisation),
                    Arg::Percent(replica.prefill_share),
                ];
                m.el("tr", &[], |m| {
                    m.text_el("th", &[("scope", "row")], &replica_letter(i as u32));
                    for cell in cells {
                        let text = if lane.covered { "·".to_owned() } else { words.arg(&cell) };
                        m.text_el("td", &[], &text);
                    }
                });
            }
        });
    });
}

fn legend(m: &mut Markup, words: &Words) {
    m.el("ul", &[("class", "rl-legend")], |m| {
        for (class, key) in STATES {
            m.el("li", &[], |m| {
                let attrs = [("class", "rl-sign"), ("viewBox", "0 0 11 14"), ("aria-hidden", "true")];
                m.el("svg", &attrs, |m| dots::row(m, &[(1, class)], 1));
                m.text_el("span", &[], words.get(key));
            });
        }
        m.el("li", &[], |m| {
            m.text_el("span", &[("class", "rl-chip"), ("aria-hidden", "true")], "3");
            m.text_el("span", &[], words.get("scene.chip"));
        });
    });
}
