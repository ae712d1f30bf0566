//! Workload, fleet, routers and everything around them: every field of a scenario.

use std::sync::LazyLock;

use leptos::prelude::*;
use tokenyard_fleet::scenario::Section;
use tokenyard_lab::{Arg, msg};
use tokenyard_study::{Study, changes, named::NAMED};

use super::{Fleet, problem};
use crate::shell::shell;
use crate::widgets::knob::{Handle, Setting};
use crate::widgets::live::{flag, live, text};

/// Fields that stand in sight: the question is what moves when these do.
const IN_SIGHT: [(Section, &str); 4] = [
    (Section::Workload, "rate_rps"),
    (Section::Fleet, "replicas"),
    (Section::Router, "load"),
    (Section::Router, "scrape_ms"),
];

/// The page that nobody has touched.
static START: LazyLock<Study> = LazyLock::new(Study::default);

fn handle(fleet: Fleet, section: Section, place: usize) -> Handle {
    let spec = &section.table()[place];
    let value = move || {
        let value = fleet.study.with(|s| s.base.section(section).at(place).cloned());
        value.unwrap_or_else(|| spec.kind.default_value())
    };
    let name = format!("{}.{}", section.key(), spec.key);
    let put = move |value| fleet.change(|study| study.set(section, place, value));
    let handle =
        Handle::new(spec, (format!("param.{name}"), name), Signal::derive(value), Callback::new(put));
    let start = START.base.section(section).at(place).cloned();
    handle.from(start.unwrap_or_else(|| spec.kind.default_value()))
}

/// The named workloads and the fields in sight.
#[component]
pub fn Start(
    /// State of the page.
    fleet: Fleet,
) -> impl IntoView {
    let shell = shell();
    let present =
        Memo::new(move |_| fleet.study.with(|study| NAMED.iter().position(|named| named.is_in(study))));
    let options = NAMED.iter().enumerate().map(|(i, named)| {
        view! {
            <option value=i.to_string() selected=flag(move || present.get() == Some(i))>
                {shell.at(&["named", named.id, "name"])}
            </option>
        }
    });
    let choose = move |typed: String| {
        if let Some(named) = typed.parse::<usize>().ok().and_then(|i| NAMED.get(i)) {
            fleet.change(|study| named.put(study));
        }
    };
    let about = move || match present.get() {
        Some(i) => shell.at(&["named", NAMED[i].id, "text"]).get(),
        None => shell.t("named.own.text").get(),
    };
    let knobs = IN_SIGHT.iter().filter_map(|(section, key)| {
        let place = section.table().iter().position(|spec| spec.key == *key)?;
        Some(view! { <Setting handle=handle(fleet, *section, place) /> })
    });
    view! {
        <section class="card knobs" aria-labelledby="knobs-title">
            <h2 id="knobs-title" class="card-title">{shell.t("knobs.title")}</h2>
            <label class="fl-named">
                {shell.t("named.name")}
                <select on:change:target=move |event| choose(event.target().value())>
                    <option value="" disabled selected=flag(move || present.get().is_none())>{shell.t("named.own.name")}</option>
                    {options.collect_view()}
                </select>
            </label>
            <p class="knob-help">{text(about)}</p>
            {knobs.collect_view()}
            <Seed fleet />
            <div class="knob-actions">
                <button type="button" on:click=move |_| fleet.change(|study| *study = Study::default())>
                    {shell.t("knobs.reset-all")}
                </button>
            </div>
        </section>
    }
    .into_any()
}

/// The seed, to type.
#[component]
fn Seed(fleet: Fleet) -> impl IntoView {
    let shell = shell();
    let wrong = RwSignal::new(None::<tokenyard_fleet::scenario::Problem>);
    let typed = move |text: String| {
        let mut study = fleet.study.get_untracked();
        match study.base.set("seed", text.trim()) {
            Ok(()) => {
                wrong.set(None);
                fleet.change(|now| *now = study);
            }
            Err(problem) => wrong.set(Some(problem)),
        }
    };
    let told =
        move || wrong.get().map_or_else(String::new, |p| shell.now(&problem(p.path, p.given, p.allowed)));
    view! {
        <label class="fl-named">
            {shell.t("seed")}
            <input
                type="text"
                inputmode="numeric"
                class="number"
                autocomplete="off"
                prop:value=text(move || fleet.study.with(|s| s.base.seed.to_string()))
                value=text(move || fleet.study.with_untracked(|s| s.base.seed.to_string()))
                on:change:target=move |event| typed(event.target().value())
            />
        </label>
        <p class="knob-error" role="alert" hidden=flag(move || wrong.get().is_none())>{text(told)}</p>
    }
    .into_any()
}

/// Every field, by section, as in a scenario file. Built when a section is opened.
#[component]
pub fn Sections(
    /// State of the page.
    fleet: Fleet,
) -> impl IntoView {
    let shell = shell();
    let sections = Section::ALL.into_iter().map(|section| view! { <Fields fleet section /> });
    view! {
        <section class="card fl-sections" aria-labelledby="sections-title">
            <h2 id="sections-title" class="card-title">{shell.t("sections.title")}</h2>
            {sections.collect_view()}
            <Changes fleet />
        </section>
    }
    .into_any()
}

#[component]
fn Fields(fleet: Fleet, section: Section) -> impl IntoView {
    let shell = shell();
    let open = RwSignal::new(false);
    let changed = move || {
        let differs = |now: &Study, from: &Study| {
            let (now, from) = (now.base.section(section), from.base.section(section));
            (0..section.table().len()).filter(|place| now.at(*place) != from.at(*place)).count()
        };
        fleet.study.with(|now| differs(now, &START))
    };
    let title = text(move || {
        let name = Arg::Key(format!("section.{}", section.key()));
        shell.now(&msg("sections.section").with("name", name).with("n", changed()))
    });
    let inside = move || {
        open.get().then(|| {
            let all = 0..section.table().len();
            all.map(|place| view! { <Setting handle=handle(fleet, section, place) /> }).collect_view()
        })
    };
    view! {
        <details on:toggle=move |_| open.set(true)>
            <summary>{title}</summary>
            {live(inside)}
        </details>
    }
    .into_any()
}

/// What happens to replicas during a run, a line each.
#[component]
fn Changes(fleet: Fleet) -> impl IntoView {
    let shell = shell();
    let wrong = RwSignal::new(None::<(usize, String)>);
    let shown = move || {
        let lines = fleet.study.with(|s| s.base.changes.iter().map(changes::write).collect::<Vec<_>>());
        lines.join("\n")
    };
    let typed = move |typed: String| {
        let lines = typed.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let mut all = Vec::new();
        for (i, line) in lines {
            match changes::parse(line) {
                Ok(change) => all.push(change),
                Err(allowed) => return wrong.set(Some((i + 1, allowed))),
            }
        }
        wrong.set(None);
        fleet.change(|study| study.base.changes = all);
    };
    let told = move || {
        wrong.get().map_or_else(String::new, |(line, allowed)| {
            shell.now(&msg("changes.bad").with("n", line).with("allowed", allowed))
        })
    };
    view! {
        <details>
            <summary>{shell.t("section.changes")}</summary>
            <label class="fl-changes">
                {shell.t("changes.help")}
                <textarea
                    rows="4"
                    spellcheck="false"
                    autocomplete="off"
                    prop:value=text(shown)
                    on:change:target=move |event| typed(event.target().value())
                ></textarea>
            </label>
            <p class="knob-error" role="alert" hidden=flag(move || wrong.get().is_none())>{text(told)}</p>
        </details>
    }
    .into_any()
}
