//! What links are promised: those of every release open in every shape of address, and what a newer
//! version made explains itself.

use std::path::Path;

use serde_json::json;
use tokenyard_browser_tests::{By, Failure, Outcome, Tab};
use tokenyard_lab::labs::LABS;
use tokenyard_lab::link::{self, FORMS};
use tokenyard_lab::{Arg, LabSpec, Msg, msg};
use tokenyard_study::link as fleet;
use tokenyard_study::{Study, changes};

use crate::journeys::bench::{
    SOON, english, expect, expect_step, expect_table, open, open_lab, text_of, words,
};
use crate::journeys::fleet::{LONG, TABLE, open_fleet, run_of, table};

/// Lines of the notices.
const NOTICES: &str = "[...document.querySelectorAll('.notices li')].map(line => line.textContent)";

/// The file that has all labs in it.
const SINGLE: &str = "single/tokenyard.html";

/// Golden lines of every release of a crate's links.
fn golden(name: &str) -> Result<Vec<String>, Failure> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../crates/{name}/tests/golden/links"));
    let list = std::fs::read_to_string(folder.join("releases.txt"))?;
    let mut lines = Vec::new();
    for version in list.lines().filter_map(|line| line.split(' ').next()) {
        let text = std::fs::read_to_string(folder.join(format!("{version}.txt")))?;
        lines.extend(text.lines().map(str::to_owned));
    }
    Ok(lines)
}

/// A golden address as a path of the site that is served.
fn path(address: &str) -> String {
    let (place, fragment) = address.split_once('#').unwrap_or((address, ""));
    if place.is_empty() || place.starts_with("tokenyard.html") {
        let query = place.split_once('?').map_or(String::new(), |(_, query)| format!("?{query}"));
        return format!("{SINGLE}{query}#{fragment}");
    }
    let start = ["labs/", "embed/", "p/", "fleet/"].iter().find_map(|word| place.find(word)).unwrap_or(0);
    let (file, query) = place[start..].split_once('?').map_or((&place[start..], None), |(f, q)| (f, Some(q)));
    let file = format!("{}/index.html", file.trim_end_matches("index.html").trim_end_matches('/'));
    let query = query.map_or(String::new(), |query| format!("?{query}"));
    if fragment.is_empty() { format!("{file}{query}") } else { format!("{file}{query}#{fragment}") }
}

/// One line of a lab for each shape of an address, and its first and last states.
fn of_each_shape(lines: &[String], lab: &LabSpec) -> Vec<String> {
    let ours = |start: &str| {
        let starts = [format!("{start}/{}/", lab.id), format!("{start}/{}-", lab.id)];
        lines.iter().filter(move |line| starts.iter().any(|s| line.starts_with(s))).collect::<Vec<_>>()
    };
    let mut found: Vec<&String> = Vec::new();
    for start in ["labs", "embed", "p"] {
        let all = ours(start);
        found.extend(all.first());
        found.extend(all.last());
    }
    let single = |line: &&String| line.contains(&format!("#lab={}&", lab.id));
    found.extend(lines.iter().filter(single));
    let carried =
        |line: &&String| line.starts_with("tokenyard ") && line.contains(&format!("labs/{}/", lab.id));
    found.extend(lines.iter().filter(carried));
    found.into_iter().cloned().collect()
}

pub(crate) async fn golden_links_open_in_every_shape(tab: &mut Tab) -> Outcome {
    let lines = golden("lab")?;
    for (at, lab) in LABS.iter().copied().enumerate() {
        let words = english(tab, lab)?;
        // Every shape for a third of the labs: each page that is opened anew takes its time.
        let shapes = of_each_shape(&lines, lab).into_iter().enumerate();
        for (_, line) in shapes.filter(|(shape, _)| (shape + at) % 3 == 0) {
            // Where an address says its state itself, what it stands for is behind it.
            let (address, said) = match line.rsplit_once("/ ") {
                Some((address, behind)) => (format!("{address}/"), behind.to_owned()),
                None => (line.clone(), line.split_once('#').map_or("", |(_, f)| f).to_owned()),
            };
            let (_, said) = said.split_once(&format!("lab={}&", lab.id)).unwrap_or(("", &said));
            let (state, notices) = link::read(lab, said);
            assert_eq!(notices, [], "{line}");
            open(tab, &path(&address)).await.map_err(|failure| failure.during(&line))?;
            let same = if address.contains('#') { json!([words.get("link.same")]) } else { json!([]) };
            // A still picture of a lab has no notices, and a player alone no table.
            if !address.contains("ui=figure") && state.version == Some(lab.model_version) {
                expect(tab, &line, NOTICES, same).await?;
            }
            if address.starts_with("labs/") || address.starts_with("p/") {
                let opening = lab.run(&state.setup).moments().first().map_or(0, |moment| moment.step);
                let step = state.step.unwrap_or(opening);
                expect_step(tab, lab, &state.setup, &words, step).await.map_err(|f| f.during(&line))?;
            }
            if state.guess.is_some() && address.starts_with("labs/") {
                expect_table(tab, lab, &state.setup, &words).await.map_err(|f| f.during(&line))?;
            }
        }
    }
    tab.expect_clean().await
}

pub(crate) async fn golden_links_of_the_fleet_page_open(tab: &mut Tab) -> Outcome {
    let all = golden("study")?;
    for line in all.iter().step_by(20).chain(all.last()) {
        let fragment = line.split_once('#').map_or("", |(_, fragment)| fragment);
        let (state, _) = fleet::read(fragment);
        open(tab, &path(line)).await.map_err(|failure| failure.during(line))?;
        let words =
            words(tab, crate::journeys::bench::FLEET, if line.contains("lang=ja") { "ja" } else { "en" })?;
        tab.wait_until("the run is over", "document.querySelector('.fl-busy').hidden", LONG).await?;
        expect(tab, line, TABLE, table(&run_of(&state.study, None)?, &words)).await?;
        if state.version == Some(fleet::MODEL_VERSION) {
            expect(tab, line, NOTICES, json!([words.get("link.same")])).await?;
        }
    }
    tab.expect_clean().await
}

/// What is told of a link of form 9 and model 99 whose figures were others.
fn newer(own: u32, now: &[String]) -> [Msg; 3] {
    let list = |all: &[String]| Arg::List(all.iter().map(|one| Arg::Text(one.clone())).collect());
    let was = ["1", "2", "3", "4"].map(str::to_owned);
    [
        msg("link.newer-form").with("n", 9_u32).with("own", FORMS.present()),
        msg("link.newer").with("n", 99_u32).with("own", own),
        msg("link.moved").with("was", list(&was)).with("now", list(now)),
    ]
}

pub(crate) async fn what_a_newer_version_made_explains_itself(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        let words = english(tab, lab)?;
        let setup = lab.with(lab.presets[0].set);
        let known = link::write(lab, &link::State { setup: setup.clone(), ..link::State::fresh(lab) });
        open_lab(tab, lab, &format!("f=9&{known}&v=99&h=1,2,3,4")).await?;
        let now = link::headline(&lab.table(&setup));
        let told = newer(lab.model_version, &now).map(|message| words.say(&message));
        expect(tab, lab.id, NOTICES, json!(told)).await?;
        let opening = lab.run(&setup).moments().first().map_or(0, |moment| moment.step);
        expect_step(tab, lab, &setup, &words, opening).await?;
    }
    let words = open_fleet(tab, "f=9&seed=77&v=99&h=1,2,3,4").await?;
    let mut study = Study::default();
    study.base.seed = 77;
    let run = run_of(&study, None)?;
    tab.wait_until("the run is over", "document.querySelector('.fl-busy').hidden", LONG).await?;
    let told = newer(fleet::MODEL_VERSION, &run.headline()).map(|message| words.say(&message));
    expect(tab, "the fleet page", NOTICES, json!(told)).await?;
    expect(tab, "what is understood", TABLE, table(&run, &words)).await?;
    tab.expect_clean().await
}

/// Too many changes for a link: the page says so, runs all of them, and offers the file.
pub(crate) async fn what_is_too_long_for_a_link_is_a_file(tab: &mut Tab) -> Outcome {
    let mut study = Study::default();
    study.set_rule(3, None);
    for at in 0..200 {
        let line = format!("{at},{},slow,{}", at % 4, 300 + at);
        study.base.changes.push(changes::parse(&line).map_err(Failure::new)?);
    }
    let words = open_fleet(tab, "rules=least-outstanding").await?;
    tab.wait_until("the run is over", "document.querySelector('.fl-busy').hidden", LONG).await?;
    let before = tab.value("location.hash").await?;
    let file = study.draft(0).write();
    crate::journeys::fleet::put_file(tab, "scenario.json", &file).await?;
    let opened = Study::of_draft(study.draft(0));
    let run = run_of(&opened, None)?;
    expect(tab, "every change counts", TABLE, table(&run, &words)).await?;
    let told = format!("{}.includes('1,800')", text_of(".notices"));
    tab.wait_until("the address stays", &told, SOON).await?;
    expect(tab, "as it was", "location.hash", before).await?;
    tab.click(By::Text(words.get("nav.share"))).await?;
    tab.wait_until("it is not copied", &format!("{}.includes('1,800')", text_of(".share-said")), SOON)
        .await?;
    expect(tab, "the file is offered", "document.querySelector('.share-file').hidden", false).await?;
    tab.click(By::Text(words.get("knobs.reset-all"))).await?;
    expect(tab, "and no longer", "document.querySelector('.share-file').hidden", true).await?;
    expect(tab, "nothing is wrong", "document.querySelector('.notices').hidden", true).await?;
    tab.expect_clean().await
}
