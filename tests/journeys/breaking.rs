//! Many seeds and many loads on the fleet page: bands in the table, and where rules break.

use serde_json::json;
use tokenyard_browser_tests::{By, Failure, Outcome, Tab};
use tokenyard_lab::luck::spread;
use tokenyard_lab::{Arg, Figure, Words, msg};
use tokenyard_study::sweep::{ITEMS, Part, Sweep, figures};
use tokenyard_study::{COLUMNS, Study, link, work};

use crate::journeys::bench::{SOON, collapsed, expect, figure, luck_button, text_of};
use crate::journeys::fleet::{LONG, TABLE, open_fleet, run_of, table};

/// Seeds that the page compares with.
const SEEDS: u32 = 50;

/// Every figure's band over the seeds, as the page writes it, with its mark.
fn bands(study: &Study, words: &Words) -> Result<Vec<Vec<String>>, Failure> {
    let run = run_of(study, None)?;
    let mut work = work::Work::new(study, None, work::Ask::Seeds(SEEDS))
        .map_err(|problems| Failure::new(format!("{problems:?}")))?;
    let mut seeds = Vec::new();
    loop {
        match work.slice() {
            work::Part::Seed(cells) => seeds.push(cells),
            work::Part::Done => break,
            work::Part::Progress { .. } | work::Part::Lane(_) => {}
        }
    }
    let rows = run.table().rows;
    let cell = |lane: usize, at: usize| {
        let value = rows[lane].cells[at];
        let band = spread(&seeds, lane * COLUMNS.len() + at, value)?;
        let text = |v: f64| Arg::Text(figure(words, &COLUMNS[at], v));
        let told = msg("table.band").with("median", text(band.median));
        let told = words.say(&told.with("low", text(band.low)).with("high", text(band.high)));
        Some(match value {
            v if v > band.high => format!("{} {told}", words.get("table.above")),
            v if v < band.low => format!("{} {told}", words.get("table.below")),
            _ => told,
        })
    };
    let row = |at: usize| (0..rows.len()).filter_map(|lane| cell(lane, at)).collect();
    Ok((0..COLUMNS.len()).map(row).collect())
}

pub(crate) async fn seeds_stand_in_the_table(tab: &mut Tab) -> Outcome {
    let fragment = "workload.requests=40&rules=least-outstanding,consistent-hash,dynamo-kv&seed=3";
    let words = open_fleet(tab, fragment).await?;
    let study = link::read(fragment).0.study;
    expect(tab, "the table", TABLE, table(&run_of(&study, None)?, &words)).await?;
    tab.click(By::Text(&luck_button(&words, SEEDS))).await?;
    tab.wait_until("bands", "document.querySelectorAll('.luck .band').length === 3", LONG).await?;
    let shown = "[...document.querySelectorAll('table.fl-summary tbody tr')].map(row => [...row.cells].slice(1)
        .map(cell => [...cell.querySelectorAll('.fl-out, .fl-band')].map(part => part.textContent).join(' ')))";
    let wanted = bands(&study, &words)?;
    let outside = wanted.iter().flatten().filter(|text| text.contains('▲') || text.contains('▼')).count();
    expect(tab, "every figure's band", shown, json!(wanted)).await?;
    let told = msg("table.bands").with("from", "3".to_owned()).with("to", "52".to_owned());
    let told = words.say(&told.with("n", outside).with("of", 3 * COLUMNS.len()));
    expect(tab, "how many lie outside", &text_of(".fl-bands-note"), collapsed(&told)).await?;
    // Another seed has bands of its own, which nobody has asked for yet.
    tab.click(By::Text(words.get("luck.new"))).await?;
    tab.wait_until("no bands", "document.querySelectorAll('.fl-band').length === 0", LONG).await?;
    expect(tab, "no word of them", "document.querySelector('.fl-bands-note').hidden", true).await?;
    tab.expect_clean().await
}

/// Both charts of a whole sweep, computed here.
fn swept(study: &Study) -> Result<[Figure; 2], Failure> {
    let mut sweep =
        Sweep::new(study, None, (0, 1)).map_err(|problems| Failure::new(format!("{problems:?}")))?;
    let mut rows = Vec::new();
    loop {
        match sweep.slice() {
            Part::Item(row) => rows.push(row),
            Part::Done => return Ok(figures(study, &rows)),
            Part::Progress => {}
        }
    }
}

const BAR: &str = ".fl-breaking .task";

pub(crate) async fn rules_break_where_the_simulator_says(tab: &mut Tab) -> Outcome {
    let fragment = "workload.requests=40&rules=least-outstanding,dynamo-kv&fleet.replicas=2";
    let words = open_fleet(tab, fragment).await?;
    let start = words.fill_key("breaking.run", &[("n", ITEMS.into())]);
    tab.click(By::Text(&start)).await?;
    let done = format!(
        "!document.querySelector('{BAR} button').hidden
        && document.querySelectorAll('.fl-breaking .chart').length === 2"
    );
    tab.wait_until("the sweep is over", &done, LONG).await?;
    let wanted = swept(&link::read(fragment).0.study)?;
    for (at, figure) in wanted.iter().enumerate() {
        let chart = format!(".fl-breaking .chart:nth-of-type({})", at + 1);
        let said = collapsed(&words.say(&figure.summary));
        expect(tab, "what it says", &text_of(&format!("{chart} .chart-summary")), said).await?;
        tab.click(&*format!("{chart} .twin-box summary")).await?;
        let digits = usize::from(figure.y.digits + 1);
        let number = |v: Option<f64>| v.map_or("–".to_owned(), |v| words.arg(&Arg::Fixed(v, digits as u8)));
        let row = |(x, values): (f64, Vec<Option<f64>>)| {
            let mark = figure.x.mark(x, figure.x.digits, &words);
            std::iter::once(mark).chain(values.into_iter().map(number)).collect::<Vec<_>>()
        };
        let twin = figure.twin(40).into_iter().map(row).collect::<Vec<_>>();
        assert_eq!(twin.len(), 20, "a row for each load");
        let shown = format!(
            "[...document.querySelectorAll('{chart} .twin tbody tr')]
            .map(row => [...row.cells].map(cell => cell.textContent))"
        );
        expect(tab, "its table", &shown, json!(twin)).await?;
    }
    // What was found belongs to the settings that it was found for.
    tab.click(By::Text(words.get("knobs.reset-all"))).await?;
    tab.wait_until("it is gone", "document.querySelectorAll('.fl-breaking .chart').length === 0", SOON)
        .await?;
    tab.expect_clean().await
}

pub(crate) async fn a_sweep_is_drawn_as_it_arrives_and_cancelled(tab: &mut Tab) -> Outcome {
    let words = open_fleet(tab, "workload.requests=1000").await?;
    let start = words.fill_key("breaking.run", &[("n", ITEMS.into())]);
    tab.click(By::Text(&start)).await?;
    let early = format!(
        "!document.querySelector('{BAR} .task-progress').hidden
        && document.querySelectorAll('.fl-breaking .chart').length === 2
        && document.querySelector('{BAR} progress').value > 0"
    );
    tab.wait_until("charts while it is at work", &early, LONG).await?;
    tab.click(&*format!("{BAR} > button:not([hidden])")).await?;
    let stopped = format!("document.querySelector('{BAR} .task-progress').hidden");
    expect(tab, "it stopped", &stopped, true).await?;
    let count = format!("document.querySelector('{BAR} progress').value");
    let rows = tab.value(&count).await?;
    assert!(rows.as_f64().is_some_and(|rows| rows < f64::from(ITEMS)), "{rows} rows are not all");
    expect(tab, "what was there stays", "document.querySelectorAll('.fl-breaking .chart').length", 2).await?;
    a_moment(tab).await?;
    expect(tab, "no row comes after", &count, rows).await?;
    tab.expect_clean().await
}

/// Long enough for a worker to post what it had.
async fn a_moment(tab: &Tab) -> Outcome {
    let script = "const done = arguments[arguments.length - 1]; setTimeout(() => done(true), 300);";
    tab.client().execute_async(script, Vec::new()).await?;
    Ok(())
}
