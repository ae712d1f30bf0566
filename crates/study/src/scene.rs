//! The stage: one lane a rule, one row a replica; and the log of decisions.

use tokenyard_lab::words::replica_letter;
use tokenyard_lab::{Arg, Markup, Words, msg};

use crate::lane::{Candidate, Choice};
use crate::run::{Side, StudyRun};

/// Up to so many replicas each has a row of its own; beyond, a lane is a strip of columns.
const MOST_ROWS: usize = 12;
/// Width of a row's picture.
const WIDE: f64 = 300.0;

pub(crate) fn draw(run: &StudyRun, step: u32, words: &Words) -> String {
    let mut m = Markup::default();
    if run.sides.is_empty() {
        m.text_el("p", &[("class", "fl-arrival")], words.get("say.nothing"));
        return m.finish();
    }
    arrival(&mut m, run, step, words);
    let shown: Vec<Option<Choice<'_>>> = run.sides.iter().map(|side| run.shown(side, step)).collect();
    let loads = shown.iter().flatten().flat_map(Choice::candidates).map(|c| c.outstanding.max(c.believed));
    let scale = f64::from(loads.max().unwrap_or(0).max(8) + 1);
    m.el("div", &[("class", "lanes fl-lanes")], |m| {
        for (side, choice) in run.sides.iter().zip(&shown) {
            lane(m, &Lane { run, side, step, scale }, choice.as_ref(), words);
        }
    });
    legend(&mut m, words);
    m.finish()
}

fn arrival(m: &mut Markup, run: &StudyRun, step: u32, words: &Words) {
    let answer = run.sides.iter().find_map(|side| side.run.answer(step));
    let text = msg("scene.arrival")
        .with("n", step)
        .with("s", Arg::Fixed(run.arrival_ms(step) / 1e3, 2))
        .with("tokens", answer.map_or(0, |a| a.prompt));
    m.text_el("p", &[("class", "fl-arrival")], &words.say(&text));
}

struct Lane<'a> {
    run: &'a StudyRun,
    side: &'a Side,
    step: u32,
    scale: f64,
}

fn lane(m: &mut Markup, lane: &Lane<'_>, choice: Option<&Choice<'_>>, words: &Words) {
    let title = words.say(&lane.side.name());
    let class = format!("lane style-{}", lane.side.style);
    m.el("section", &[("class", &class), ("aria-label", &title)], |m| {
        m.el("div", &[("class", "lane-head")], |m| {
            m.text_el("h3", &[("class", "lane-name")], &title);
            let answer = lane.side.run.answer(lane.step).filter(|_| lane.side.run.first(lane.step).is_some());
            let text = answer.map_or_else(
                || words.get("scene.unrouted").to_owned(),
                |a| words.say(&crate::story::outcome(&a)),
            );
            m.text_el("span", &[("class", "lane-figure")], &text);
        });
        let Some(choice) = choice else {
            return;
        };
        let target = lane.side.run.first(lane.step).map(|c| c.to);
        let candidates: Vec<Candidate<'_>> = choice.candidates().collect();
        if candidates.len() > MOST_ROWS {
            strip(m, lane, &candidates, target, words);
        } else {
            m.el("ol", &[("class", "pods fl-pods")], |m| {
                candidates.iter().for_each(|c| pod(m, lane, c, target == Some(c.replica), words));
            });
        }
    });
}

/// A replica: requests there, as the router believed (dashes), and how much of the prompt it holds.
fn pod(m: &mut Markup, lane: &Lane<'_>, c: &Candidate<'_>, is_target: bool, words: &Words) {
    m.el("li", &[("class", if is_target { "pod is-target" } else { "pod" })], |m| {
        m.text_el("span", &[("class", "pod-name")], &replica_letter(c.replica));
        let view_box = format!("0 0 {WIDE} 16");
        let attrs = [
            ("class", "fl-bar"),
            ("viewBox", &*view_box),
            ("preserveAspectRatio", "none"),
            ("aria-hidden", "true"),
        ];
        m.el("svg", &attrs, |m| {
            let x = |n: u32| f64::from(n) / lane.scale * WIDE;
            let rect = |m: &mut Markup, class: &str, from: f64, wide: f64, (y, high): (&str, &str)| {
                let (from, wide) = (from.to_string(), wide.to_string());
                m.shape(
                    "rect",
                    &[("class", class), ("x", &from), ("y", y), ("width", &wide), ("height", high)],
                );
            };
            rect(m, "fl-load", 0.0, x(c.outstanding), ("1", "9"));
            if is_target {
                rect(m, "fl-new", x(c.outstanding), x(1), ("1", "9"));
            }
            let end = x(c.believed).to_string();
            m.shape("line", &[("class", "fl-belief"), ("x1", "0"), ("x2", &end), ("y1", "14"), ("y2", "14")]);
        });
        let load = c.outstanding + u32::from(is_target);
        m.text_el("span", &[("class", "pod-load")], &load.to_string());
        let held = held(lane, c, words);
        m.text_el("span", &[("class", if c.blocks > 0 { "fl-held is-held" } else { "fl-held" })], &held);
    });
}

/// The share of the prompt that is in a replica's cache.
fn held(lane: &Lane<'_>, c: &Candidate<'_>, words: &Words) -> String {
    let prompt = lane.side.run.answer(lane.step).map_or(0, |a| a.prompt);
    let share = match prompt {
        0 => 0.0,
        prompt => (f64::from(c.blocks) * f64::from(lane.run.block) / f64::from(prompt)).min(1.0),
    };
    words.say(&msg("scene.held").with("share", Arg::Percent(share)))
}

/// Many replicas: columns side by side, and the extremes in words.
fn strip(m: &mut Markup, lane: &Lane<'_>, all: &[Candidate<'_>], target: Option<u32>, words: &Words) {
    let each = WIDE / all.len() as f64;
    let view_box = format!("0 0 {WIDE} 64");
    let attrs = [
        ("class", "fl-strip"),
        ("viewBox", &*view_box),
        ("preserveAspectRatio", "none"),
        ("aria-hidden", "true"),
    ];
    m.el("svg", &attrs, |m| {
        for (i, c) in all.iter().enumerate() {
            let high = f64::from(c.outstanding) / lane.scale * 60.0;
            let class = match (target == Some(c.replica), c.blocks > 0) {
                (true, _) => "fl-load is-target",
                (_, true) => "fl-load is-held",
                _ => "fl-load",
            };
            let (x, y) = ((i as f64 * each).to_string(), (62.0 - high).to_string());
            let (wide, high) = ((each * 0.8).to_string(), (high + 2.0).to_string());
            m.shape("rect", &[("class", class), ("x", &x), ("y", &y), ("width", &wide), ("height", &high)]);
        }
    });
    let by = |c: &&Candidate<'_>| c.outstanding;
    if let (Some(most), Some(least)) = (all.iter().max_by_key(by), all.iter().min_by_key(by)) {
        let text = msg("scene.strip")
            .with("n", all.len())
            .with("busiest", Arg::Replica(most.replica))
            .with("most", most.outstanding)
            .with("idlest", Arg::Replica(least.replica))
            .with("least", least.outstanding)
            .with("holders", all.iter().filter(|c| c.blocks > 0).count());
        m.text_el("p", &[("class", "fl-strip-text")], &words.say(&text));
    }
}

fn legend(m: &mut Markup, words: &Words) {
    m.el("ul", &[("class", "legend fl-legend")], |m| {
        for (class, key) in [
            ("fl-sign is-load", "scene.legend-load"),
            ("fl-sign is-new", "scene.legend-new"),
            ("fl-sign is-belief", "scene.legend-belief"),
        ] {
            m.el("li", &[], |m| {
                m.el("span", &[("class", class), ("aria-hidden", "true")], |_| {});
                m.text_el("span", &[], words.get(key));
            });
        }
        m.text_el("li", &[], words.get("scene.legend-held"));
    });
}

/// Requests around a step: where each lane sent them, the wait, the hit.
pub(crate) fn log(run: &StudyRun, step: u32, rows: u32, words: &Words) -> String {
    let last = run.requests();
    let from = step.saturating_sub(rows / 2).min(last.saturating_sub(rows));
    let mut m = Markup::default();
    m.el("table", &[("class", "fl-log")], |m| {
        m.el("thead", &[], |m| {
            m.el("tr", &[], |m| {
                for key in ["log.request", "log.time", "log.prompt"] {
                    m.text_el("th", &[("scope", "col")], words.get(key));
                }
                for side in &run.sides {
                    let class = format!("style-{}", side.style);
                    m.text_el("th", &[("scope", "col"), ("class", &class)], &words.say(&side.short()));
                }
            });
        });
        m.el("tbody", &[], |m| {
            (from..(from + rows).min(last)).for_each(|request| log_row(m, run, request, step, words));
        });
    });
    m.finish()
}

fn log_row(m: &mut Markup, run: &StudyRun, request: u32, step: u32, words: &Words) {
    let mut class = String::new();
    if request == step {
        class.push_str("is-here");
    }
    if run.parts(request) {
        class.push_str(" is-parting");
    }
    let number = request.to_string();
    let mut attrs = vec![("class", class.as_str()), ("data-request", number.as_str())];
    if request == step {
        attrs.push(("aria-current", "true"));
    }
    m.el("tr", &attrs, |m| {
        m.el("th", &[("scope", "row")], |m| {
            m.text_el("button", &[("type", "button"), ("data-request", &number)], &number);
        });
        let fixed = |v: f64, digits: u8| words.arg(&Arg::Fixed(v, digits));
        m.text_el("td", &[], &fixed(run.arrival_ms(request) / 1e3, 2));
        let answer = run.sides.iter().find_map(|side| side.run.answer(request));
        m.text_el("td", &[], &words.arg(&Arg::Int(answer.map_or(0, |a| i64::from(a.prompt)))));
        for side in &run.sides {
            m.text_el("td", &[], &words.say(&log_cell(side, request)));
        }
    });
}

fn log_cell(side: &Side, request: u32) -> tokenyard_lab::Msg {
    let (Some(choice), Some(answer)) = (side.run.first(request), side.run.answer(request)) else {
        return msg("log.unrouted");
    };
    let to = Arg::Replica(answer.replica.unwrap_or(choice.to));
    if answer.ending != Some(0) {
        return msg("log.ended").with("to", to).with("how", crate::story::outcome(&answer));
    }
    let hit = f64::from(answer.cached) / f64::from(answer.prompt.max(1));
    msg("log.served")
        .with("to", to)
        .with("ttft", Arg::Fixed(answer.ttft_ms, 0))
        .with("hit", Arg::Percent(hit))
}
