//! The fleet page: what it shows is what the same study gives natively.

use std::time::Duration;

use serde_json::{Value, json};
use tokenyard_browser_tests::{By, Engine, Failure, Outcome, Tab, axe};
use tokenyard_fleet::trace_file;
use tokenyard_lab::{LabRun, Words, msg};
use tokenyard_study::link::{self, State};
use tokenyard_study::reports::INCIDENTS;
use tokenyard_study::{COLUMNS, Lane, MOST_LANES, Study, StudyRun, rules, work};

use crate::journeys::bench::{FLEET, SOON, collapsed, expect, figure, open, text_of, words};

/// How long a study may take on a busy machine.
pub(crate) const LONG: Duration = Duration::from_secs(60);

pub(crate) fn run_of(study: &Study, trace: Option<trace_file::Trace>) -> Result<StudyRun, Failure> {
    let lanes = work::run(study, trace).map_err(|problems| Failure::new(format!("{problems:?}")))?;
    Ok(StudyRun::new(study, lanes))
}

/// The summary as the page shows it: a list per figure, its key first, one text a rule.
pub(crate) const TABLE: &str = "[...document.querySelectorAll('table.fl-summary tbody tr')].map(row =>
    [row.dataset.column, ...[...row.querySelectorAll('.fl-now')].map(cell => cell.textContent)])";

pub(crate) fn table(run: &StudyRun, words: &Words) -> Value {
    let rows = run.table().rows;
    let row = |(at, column): (usize, &tokenyard_lab::Column)| {
        let cells = rows.iter().map(|row| figure(words, column, row.cells[at]));
        std::iter::once(column.key.to_owned()).chain(cells).collect::<Vec<_>>()
    };
    json!(COLUMNS.iter().enumerate().map(row).collect::<Vec<_>>())
}

/// Waits until the page shows what a study gives, at a request.
async fn expect_study(tab: &Tab, run: &StudyRun, words: &Words, request: u32) -> Outcome {
    let idle = "document.querySelector('.fl-busy').hidden";
    tab.wait_until("the run is over", idle, LONG).await?;
    expect(tab, "the table", TABLE, table(run, words)).await?;
    let say = collapsed(&words.say(&run.say(request)));
    expect(tab, "the sentence", &text_of(".stage .say"), say).await?;
    let current = "document.querySelector('.fl-log [aria-current]').dataset.request";
    expect(tab, "the log's place", current, request.to_string()).await
}

fn opening(run: &StudyRun) -> u32 {
    run.moments().first().map_or(0, |moment| moment.step)
}

pub(crate) async fn open_fleet(tab: &mut Tab, fragment: &str) -> Result<Words, Failure> {
    open(tab, &if fragment.is_empty() { FLEET.to_owned() } else { format!("{FLEET}#{fragment}") }).await?;
    words(tab, FLEET, "en")
}

pub(crate) async fn opens_with_every_lane(tab: &mut Tab) -> Outcome {
    let run = run_of(&Study::default(), None)?;
    let words = open_fleet(tab, "").await?;
    expect_study(tab, &run, &words, opening(&run)).await?;
    let lanes = "[...document.querySelectorAll('.fl-lanes .lane')].map(lane => lane.ariaLabel)";
    let names: Vec<String> = run.sides().iter().map(|side| words.say(&side.name())).collect();
    expect(tab, "the lanes", lanes, json!(names)).await?;
    let pods = "document.querySelectorAll('.fl-lanes .pod').length";
    expect(tab, "the replicas", pods, 16).await?;
    let busy = "document.querySelectorAll('.chart').length";
    expect(tab, "the charts", busy, 3).await?;
    tab.expect_clean().await
}

/// Sets a field through its own control.
async fn set(tab: &Tab, name: &str, text: &str) -> Outcome {
    let script = "const [name, text] = arguments;
        const knob = document.querySelector(`[data-knob=\"${name}\"]`);
        const field = knob.querySelector('input[type=text]');
        field.value = text;
        field.dispatchEvent(new Event('change', { bubbles: true }));";
    tab.eval(script, vec![json!(name), json!(text)]).await.map(drop)
}

pub(crate) async fn a_setting_runs_it_again(tab: &mut Tab) -> Outcome {
    let words = open_fleet(tab, "").await?;
    let mut study = Study::default();
    set(tab, "workload.rate_rps", "12.5").await?;
    set(tab, "fleet.replicas", "6").await?;
    for (path, text) in [("workload.rate_rps", "12.5"), ("fleet.replicas", "6")] {
        study.base.set(path, text).map_err(|problem| Failure::new(problem.to_string()))?;
    }
    let run = run_of(&study, None)?;
    expect(tab, "the table", TABLE, table(&run, &words)).await?;
    let fragment =
        "location.hash.includes('workload.rate_rps=12.5') && location.hash.includes('fleet.replicas=6')";
    tab.wait_until("the address follows", fragment, SOON).await?;
    // What is not allowed is told beside the field and changes nothing.
    set(tab, "fleet.replicas", "5000").await?;
    let told = "document.querySelector('[data-knob=\"fleet.replicas\"] .knob-error').textContent";
    tab.wait_until("the refusal", &format!("{told}.includes('5000') && {told}.includes('1,024')"), SOON)
        .await?;
    expect(tab, "the table stays", TABLE, table(&run, &words)).await?;
    tab.expect_clean().await
}

pub(crate) async fn rules_are_picked(tab: &mut Tab) -> Outcome {
    let words = open_fleet(tab, "").await?;
    let mut study = Study::default();
    // Every rule once, four at a time.
    for four in rules().chunks(MOST_LANES) {
        let lanes: Vec<Lane> = four.iter().map(|rule| Lane::of(rule)).collect();
        let mut with_old = study.lanes().to_vec();
        for (i, lane) in lanes.iter().enumerate() {
            tab.choose(&*format!(".fl-rule.style-{} select", i + 1), lane.rule.id).await?;
            with_old[i] = lane.clone();
        }
        assert!(study.set_lanes(with_old));
        let run = run_of(&study, None)?;
        tab.wait_until("the run is over", "document.querySelector('.fl-busy').hidden", LONG).await?;
        expect(tab, "the table", TABLE, table(&run, &words)).await?;
    }
    // Lanes go until one is left.
    for _ in 1..MOST_LANES {
        tab.choose(".fl-rule.style-1 select", "").await?;
        study.set_rule(0, None);
        // It shows the rule that has moved up.
        let shown = "document.querySelector('.fl-rule.style-1 select').value";
        expect(tab, "the first list", shown, study.lanes()[0].rule.id).await?;
        // One picker more than rules: the one that adds.
        let pickers = "document.querySelectorAll('.fl-rule select').length";
        expect(tab, "the pickers", pickers, study.lanes().len() + 1).await?;
    }
    expect(tab, "one lane", TABLE, table(&run_of(&study, None)?, &words)).await?;
    tab.expect_clean().await
}

pub(crate) async fn the_log_goes_to_a_request(tab: &mut Tab) -> Outcome {
    let run = run_of(&Study::default(), None)?;
    let words = open_fleet(tab, "at=120").await?;
    expect_study(tab, &run, &words, 120).await?;
    tab.click(".fl-log button[data-request='122']").await?;
    expect_study(tab, &run, &words, 122).await?;
    // Its decisions stand in "why": one for each lane, with what was believed and what was true.
    let decisions = run.decisions(122);
    let titles = "[...document.querySelectorAll('.why-pick option')].map(o => o.textContent)";
    let wanted: Vec<String> = decisions.iter().map(|d| words.say(&d.title)).collect();
    expect(tab, "the decisions", titles, json!(wanted)).await?;
    let grid = "[...document.querySelectorAll('.why-grid tbody tr')].map(r => [...r.cells].slice(0, -1).map(c => c.textContent))";
    let rows = |at: usize| {
        let row = |row: &tokenyard_lab::GridRow| row.cells.iter().map(|c| words.arg(c)).collect::<Vec<_>>();
        json!(decisions[at].grid.rows.iter().map(row).collect::<Vec<_>>())
    };
    expect(tab, "the candidates", grid, rows(0)).await?;
    tab.choose(".why-pick", "3").await?;
    expect(tab, "another lane's", grid, rows(3)).await?;
    // By number, and by the buttons from parting to parting.
    tab.fill(".fl-log-head input", "300").await?;
    tab.keys("Tab").await?;
    expect_study(tab, &run, &words, 300).await?;
    let next = run.parting(300, true).ok_or("no parting after 300")?;
    tab.click(By::Text(words.get("parting.on"))).await?;
    expect_study(tab, &run, &words, next).await?;
    let before = run.parting(next, false).ok_or("no parting before")?;
    tab.click(By::Text(words.get("parting.back"))).await?;
    expect_study(tab, &run, &words, before).await?;
    tab.click(By::Text(words.get("parting.first"))).await?;
    let first = if run.parts(0) { 0 } else { run.parting(0, true).ok_or("no parting")? };
    expect_study(tab, &run, &words, first).await?;
    tab.expect_clean().await
}

pub(crate) async fn a_link_brings_it_back(tab: &mut Tab) -> Outcome {
    let mut study = Study::default();
    let picked = ["random", "dynamo-kv"].iter().filter_map(|id| rules().iter().find(|r| r.id == *id));
    assert!(study.set_lanes(picked.map(|rule| Lane::of(rule)).collect()));
    for (path, text) in [("seed", "77"), ("router.load", "scraped"), ("router.scrape_ms", "400")] {
        study.base.set(path, text).map_err(|problem| Failure::new(problem.to_string()))?;
    }
    let run = run_of(&study, None)?;
    let headline = Some(run.headline());
    let state = State { study, at: Some(33), version: Some(link::MODEL_VERSION), headline };
    let words = open_fleet(tab, &link::write(&state)).await?;
    expect_study(tab, &run, &words, 33).await?;
    expect(tab, "the same numbers", &text_of(".notices"), words.get("link.same")).await?;
    // What cannot be used is told, and the rest is used.
    let broken = "rules=random,nothing&fleet.replicas=0&nonsense=1&at=999999&h=1,2&v=1";
    let words = open_fleet(tab, broken).await?;
    let told = "document.querySelector('.notices').textContent";
    for part in ["nothing", "fleet.replicas", "nonsense", "999,999"] {
        tab.wait_until(part, &format!("{told}.includes('{part}')"), LONG).await?;
    }
    let mut random = Study::default();
    let lane = rules().iter().find(|rule| rule.id == "random").map(|rule| Lane::of(rule));
    assert!(random.set_lanes(lane.into_iter().collect()));
    expect(tab, "the rest", TABLE, table(&run_of(&random, None)?, &words)).await?;
    tab.expect_clean().await
}

pub(crate) async fn what_does_not_fit_is_told(tab: &mut Tab) -> Outcome {
    let words = open_fleet(tab, "workload.requests=9000000").await?;
    let mut study = Study::default();
    study.base.set("workload.requests", "9000000").map_err(|problem| Failure::new(problem.to_string()))?;
    let problem = &study.problems(None)[0];
    let line = msg("problem")
        .with("path", problem.path.clone())
        .with("given", problem.given.clone())
        .with("allowed", problem.allowed.clone());
    expect(tab, "the problem", &text_of(".notices"), collapsed(&words.say(&line))).await?;
    tab.click(By::Text(words.get("knobs.reset-all"))).await?;
    let run = run_of(&Study::default(), None)?;
    expect(tab, "it runs again", TABLE, table(&run, &words)).await?;
    expect(tab, "nothing is wrong", "document.querySelector('.notices').hidden", true).await?;
    tab.expect_clean().await
}

/// Puts a file into the page's own file field.
pub(crate) async fn put_file(tab: &Tab, name: &str, content: &str) -> Outcome {
    let script = "const [name, content] = arguments;
        const field = document.querySelector('.fl-file input');
        const box = new DataTransfer();
        box.items.add(new File([content], name));
        field.files = box.files;
        field.dispatchEvent(new Event('change', { bubbles: true }));";
    tab.eval(script, vec![json!(name), json!(content)]).await.map(drop)
}

/// A trace of sixty requests in Mooncake's form, half of them sharing their first blocks.
pub(crate) fn trace() -> String {
    let line = |i: u32| {
        let (at, length, out) = (i * 150, 1_536 + i % 7 * 100, 20 + i % 11);
        let ids = [i % 2, 100 + i, 200 + i, 300 + i, 400 + i].map(|id| id.to_string());
        let blocks = length.div_ceil(512) as usize;
        let ids = ids[..blocks].join(", ");
        format!(
            "{{\"timestamp\": {at}, \"input_length\": {length}, \"output_length\": {out}, \"hash_ids\": [{ids}]}}\n"
        )
    };
    (0..60).map(line).collect()
}

pub(crate) async fn a_trace_is_replayed_and_stays_here(tab: &mut Tab) -> Outcome {
    let words = open_fleet(tab, "fleet.block=512").await?;
    tab.wait_until("the run is over", "document.querySelector('.fl-busy').hidden", LONG).await?;
    tab.site().clear_requests();
    put_file(tab, "requests.jsonl", &trace()).await?;
    let mut study = Study::default();
    for (path, text) in [("fleet.block", "512"), ("workload.arrivals", "trace")] {
        study.base.set(path, text).map_err(|problem| Failure::new(problem.to_string()))?;
    }
    let read = trace_file::read(trace().as_bytes()).map_err(|problem| Failure::new(problem.to_string()))?;
    let run = run_of(&study, Some(read))?;
    assert_eq!(run.requests(), 60);
    expect(tab, "the table", TABLE, table(&run, &words)).await?;
    let open = msg("file.open").with("name", "requests.jsonl".to_owned());
    expect(tab, "its name", &text_of(".fl-file-open span"), words.say(&open)).await?;
    // A broken file is told with its line, and what was shown stays.
    put_file(tab, "broken.jsonl", "{\"timestamp\": 1}\n").await?;
    tab.wait_until("the line", "document.querySelector('.notices').textContent.includes('line 1')", LONG)
        .await?;
    expect(tab, "the table stays", TABLE, table(&run, &words)).await?;
    tab.click(By::Text(words.get("file.close"))).await?;
    study = Study::default();
    study.base.set("fleet.block", "512").map_err(|problem| Failure::new(problem.to_string()))?;
    expect(tab, "without it", TABLE, table(&run_of(&study, None)?, &words)).await?;
    // A scenario file brings its settings and its rule.
    let text = "{\"version\": 1, \"seed\": 5, \"router\": {\"rule\": \"pure-kv\"}, \"workload\": {\"requests\": 50}}";
    put_file(tab, "mine.json", text).await?;
    let draft = tokenyard_fleet::scenario::Draft::read(text.as_bytes());
    let study = Study::of_draft(draft.map_err(|problems| Failure::new(format!("{problems:?}")))?);
    expect(tab, "the scenario", TABLE, table(&run_of(&study, None)?, &words)).await?;
    assert_eq!(tab.site().requests(), Vec::new(), "a file never leaves the tab");
    tab.expect_clean().await
}

pub(crate) async fn a_long_run_is_cancelled(tab: &mut Tab) -> Outcome {
    let dear = "rules=vllm-prefixaware,epp,aibrix-prefix-cache,sglang-cache-aware&workload.requests=31000";
    open_fleet(tab, dear).await?;
    // A long run shows how far it is and can be stopped.
    tab.wait_until("it is at work", "!document.querySelector('.fl-busy').hidden", SOON).await?;
    tab.click(".fl-busy button").await?;
    expect(tab, "it stopped", "document.querySelector('.fl-busy').hidden", true).await?;
    let lanes = tab.value("document.querySelectorAll('table.fl-summary thead th[data-row]').length").await?;
    assert!(
        lanes.as_u64().is_some_and(|lanes| lanes < 4),
        "only lanes that were done are shown, not {lanes}"
    );
    tab.expect_clean().await
}

pub(crate) async fn it_is_reached_and_left_by_links(tab: &mut Tab) -> Outcome {
    open(tab, "index.html").await?;
    let words = words(tab, FLEET, "en")?;
    tab.click(By::Text(words.get("nav.fleet"))).await?;
    tab.wait_until("the fleet page", "document.documentElement.dataset.page === 'fleet'", SOON).await?;
    tab.wait_until("its application", "document.documentElement.dataset.ready === 'true'", LONG).await?;
    // From here the labs are in place.
    tab.eval("window.same = true", Vec::new()).await?;
    tab.click(".sections li:first-child a").await?;
    tab.wait_until("a lab", "document.documentElement.dataset.page.startsWith('labs/')", SOON).await?;
    expect(tab, "the same document", "window.same === true", true).await?;
    tab.back().await?;
    tab.wait_until("back", "document.documentElement.dataset.page === 'fleet'", SOON).await?;
    tab.expect_clean().await
}

pub(crate) async fn breaks_like_production_did(tab: &mut Tab) -> Outcome {
    let words = open_fleet(tab, "").await?;
    tab.click(".fl-incidents-card summary").await?;
    let count = INCIDENTS.iter().map(|half| half.len()).sum::<usize>();
    expect(tab, "every report", "document.querySelectorAll('.fl-incidents li').length", count).await?;
    let incident = INCIDENTS[0].first().ok_or("no report")?;
    let name = words.get(&format!("report.{}.name", incident.id)).to_owned();
    for (key, fragment) in
        [("incidents.broken-name", incident.broken), ("incidents.cured-name", incident.cured)]
    {
        let button = words.fill_key(key, &[("name", tokenyard_lab::Arg::Text(name.clone()))]);
        tab.click(&*format!(".fl-incidents button[aria-label={}]", json!(button))).await?;
        let run = run_of(&link::read(fragment).0.study, None)?;
        tab.wait_until("the run is over", "document.querySelector('.fl-busy').hidden", LONG).await?;
        expect(tab, key, TABLE, table(&run, &words)).await?;
    }
    tab.expect_clean().await
}

pub(crate) async fn axe_and_every_fold(tab: &mut Tab) -> Outcome {
    let langs: &[&str] = if tab.engine() == Engine::Chromium { &["en", "ja"] } else { &["en"] };
    for lang in langs {
        open(tab, &format!("{FLEET}?lang={lang}")).await?;
        tab.wait_until("the run is over", "document.querySelector('.fl-busy').hidden", LONG).await?;
        tab.eval(
            "document.querySelectorAll('details:not([open]) > summary').forEach(s => s.click())",
            Vec::new(),
        )
        .await?;
        let fields = "document.querySelectorAll('.fl-sections [data-knob]').length > 100";
        tab.wait_until("every field", fields, SOON).await?;
        let raw = "[...document.querySelectorAll('main *')].filter(n => n.children.length === 0)
            .map(n => n.textContent.trim()).filter(t => /^[a-z]+(\\.[a-z_0-9-]+)+$/.test(t))";
        expect(tab, "no key is on screen", raw, json!([])).await?;
        axe(tab, &tokenyard_browser_tests::AxeOptions::default()).await?.expect_clean(20)?;
    }
    tab.expect_clean().await
}
