//! Luck, why, challenges, presets, simulated points: what stands beside and under the stage.

use serde_json::json;
use tokenyard_browser_tests::{By, Failure, Outcome, Tab};
use tokenyard_lab::labs::LABS;
use tokenyard_lab::luck::{SEEDS, sample, spread};
use tokenyard_lab::{Arg, LabSpec, Setup, Words, msg, spec};
use tokenyard_param::Kind;

use crate::journeys::bench::{
    SOON, collapsed, english, expect, expect_step, expect_table, figure, guessed, herding, luck_button,
    open_lab, set_param, text_of,
};

/// The sentence of every band for a column, from 200 seeds sampled here.
fn bands(lab: &LabSpec, setup: &Setup, words: &Words, column: usize) -> Vec<String> {
    let samples: Vec<Vec<f64>> = (0..SEEDS).map(|i| sample(lab, setup, lab.luck.0 + i)).collect();
    let table = lab.table(setup);
    let of = |(i, row): (usize, &tokenyard_lab::Row)| {
        let spread = spread(&samples, i * lab.columns.len() + column, row.cells[column])?;
        let text = |value: f64| Arg::Text(figure(words, &lab.columns[column], value));
        let band = msg("luck.band")
            .with("name", row.name.clone())
            .with("median", text(spread.median))
            .with("low", text(spread.low))
            .with("high", text(spread.high))
            .with("present", text(row.cells[column]))
            .with("rank", Arg::Fixed(spread.rank * 100.0, 0));
        Some(words.say(&band))
    };
    table.rows.iter().enumerate().filter_map(of).collect()
}

const BANDS: &str = "[...document.querySelectorAll('.band-text')].map(band => band.textContent)";

pub(crate) async fn luck_compares_200_seeds(tab: &mut Tab) -> Outcome {
    for lab in LABS.iter().filter(|lab| lab.has_seed()) {
        let (setup, words) = (lab.defaults(), english(tab, lab)?);
        open_lab(tab, lab, &guessed(lab)).await?;
        tab.site().clear_requests();
        let record = "window.progress = []; new MutationObserver(() => window.progress.push(
                document.querySelector('.luck progress').value)).observe(
                document.querySelector('.luck'), { subtree: true, childList: true, characterData: true });";
        tab.eval(record, Vec::new()).await?;
        tab.click(By::Text(&luck_button(&words, SEEDS))).await?;
        tab.wait_until("the bands are there", "document.querySelector('.band-text')", SOON * 2).await?;
        expect(tab, lab.id, BANDS, json!(bands(lab, &setup, &words, lab.luck.1))).await?;
        let other = (lab.luck.1 + 1) % lab.columns.len();
        tab.choose(".luck-metric select", &other.to_string()).await?;
        expect(tab, lab.id, BANDS, json!(bands(lab, &setup, &words, other))).await?;
        let progress = tab.value("window.progress").await?;
        assert!(progress.as_array().is_some_and(|p| p.len() > 1), "{}: progress {progress}", lab.id);
        // Another setting, another distribution: the bands go.
        let spec = lab.params.iter().find(|p| p.key != "seed").ok_or("a lab with a seed only")?;
        if let Kind::Int { max, .. } = spec.kind {
            set_param(tab, lab, spec.key, &max.to_string()).await?;
            expect(tab, "the bands are gone", BANDS, json!([])).await?;
        }
        assert_eq!(tab.site().requests(), Vec::new(), "{}: the worker asks for nothing", lab.id);
    }
    tab.expect_clean().await
}

/// The worker's script has an address of its own until the worker has it, and works on without it.
pub(crate) async fn the_workers_script_is_forgotten(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let words = english(tab, lab)?;
    open_lab(tab, lab, &guessed(lab)).await?;
    let hear = "window.made = []; window.gone = [];
        const { createObjectURL, revokeObjectURL } = URL;
        URL.createObjectURL = what => { const url = createObjectURL.call(URL, what); made.push(url); return url; };
        URL.revokeObjectURL = url => { gone.push(url); revokeObjectURL.call(URL, url); };";
    tab.eval(hear, Vec::new()).await?;
    for seed in ["7", "8"] {
        set_param(tab, lab, "seed", seed).await?;
        set_param(tab, lab, "routers", seed).await?;
        expect(tab, "no bands yet", BANDS, json!([])).await?;
        tab.click(By::Text(&luck_button(&words, SEEDS))).await?;
        tab.wait_until("the bands are there", "document.querySelector('.band-text')", SOON).await?;
        expect(tab, "one script, forgotten", "[made.length, gone.join() === made.join()]", json!([1, true]))
            .await?;
    }
    let dead = "fetch(made[0]).then(() => false, () => true)";
    let script = format!("const done = arguments[arguments.length - 1]; {dead}.then(done);");
    assert_eq!(tab.client().execute_async(&script, Vec::new()).await?, true, "the address leads nowhere");
    Ok(())
}

pub(crate) async fn luck_can_be_cancelled(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let words = english(tab, lab)?;
    open_lab(tab, lab, &guessed(lab)).await?;
    // Both in one turn of the page: how fast the worker is must not matter.
    let script = "const [run, cancel] = arguments, done = arguments[arguments.length - 1];
        const named = name => [...document.querySelectorAll('.luck button')].find(b => b.textContent === name);
        named(run).click();
        setTimeout(() => { named(cancel).click(); done(true); }, 0);";
    let names = vec![json!(luck_button(&words, SEEDS)), json!(words.get("luck.cancel"))];
    tab.client().execute_async(script, names).await?;
    tab.find(By::Text(&luck_button(&words, SEEDS))).await?;
    tab.idle(std::time::Duration::from_millis(800)).await;
    assert_eq!(tab.value(BANDS).await?, json!([]), "what is cancelled does not finish");
    tab.click(By::Text(&luck_button(&words, SEEDS))).await?;
    tab.wait_until("it can be started again", "document.querySelector('.band-text')", SOON).await
}

pub(crate) async fn simulated_points_arrive(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        let Some(sweep) = &lab.sweep else { continue };
        let (setup, words) = (lab.defaults(), english(tab, lab)?);
        open_lab(tab, lab, &guessed(lab)).await?;
        tab.click(By::Text(words.get("sweep.run"))).await?;
        let rows = tokenyard_lab::sweep::all(lab, &setup);
        let names: Vec<String> = (sweep.series)(&setup, &rows).iter().map(|s| words.say(&s.name)).collect();
        assert!(!names.is_empty(), "{}: points", lab.id);
        let at = lab.run(&setup).figures(0).iter().position(|f| f.id == sweep.figure).unwrap_or(0);
        let chart = format!("document.querySelectorAll('.chart')[{at}]");
        tab.eval(&format!("{chart}.querySelector('.twin-box summary').click()"), Vec::new()).await?;
        let shown = format!("[...{chart}.querySelectorAll('.twin thead th')].map(th => th.textContent)");
        let all = format!("{}.every(name => {shown}.includes(name))", json!(names));
        tab.wait_until("the points are in the chart's table", &all, SOON * 3).await?;
        tab.find(By::Text(words.get("sweep.run"))).await?;
    }
    tab.expect_clean().await
}

const LINES: &str = "[...document.querySelectorAll('.why-lines li')].map(line => line.textContent)";
const CHOSEN: &str = "[...document.querySelectorAll('.why-grid .is-chosen')].map(row =>
    [row.querySelector('th').textContent, row.querySelector('.why-mark').textContent])";

pub(crate) async fn why_answers_for_every_decision(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        let (setup, words) = (lab.defaults(), english(tab, lab)?);
        let run = lab.run(&setup);
        let step = run.moments().first().map_or(0, |moment| moment.step);
        open_lab(tab, lab, &guessed(lab)).await?;
        expect_step(tab, lab, &setup, &words, step).await?;
        let decisions = run.decisions(step);
        assert!(!decisions.is_empty(), "{}: a key moment without a decision", lab.id);
        for (i, decision) in decisions.iter().enumerate().take(4) {
            tab.choose(".why-pick", &i.to_string()).await?;
            let lines: Vec<String> = decision.lines.iter().map(|line| words.say(line)).collect();
            expect(tab, lab.id, LINES, json!(lines)).await?;
            let mark = |row: &tokenyard_lab::GridRow| {
                let fresh = row.fresh.then(|| words.get("why.fresh-mark"));
                let marks: Vec<&str> = std::iter::once(words.get("why.chosen")).chain(fresh).collect();
                [row.cells.first().map(|c| words.arg(c)).unwrap_or_default(), marks.join(" · ")]
            };
            let chosen: Vec<_> = decision.grid.rows.iter().filter(|r| r.chosen).map(mark).collect();
            expect(tab, lab.id, CHOSEN, json!(chosen)).await?;
        }
    }
    tab.expect_clean().await
}

/// Values worth trying for a parameter, as link text.
fn candidates(kind: &Kind) -> Vec<String> {
    // Small values matter most; the rest of a wide range is sampled.
    let spread = |min: i64, max: i64| {
        let stride = usize::try_from((max - min) / 12).unwrap_or(1).max(1);
        let near = min..=(min + 8).min(max);
        near.chain((min..=max).step_by(stride)).map(|v| v.to_string()).collect::<Vec<_>>()
    };
    match *kind {
        Kind::Int { min, max, .. } => spread(min, max),
        Kind::OptInt { min, max, .. } => [vec!["none".to_owned()], spread(min, max)].concat(),
        Kind::Real { min, max, digits, .. } => (0..=10)
            .map(|i| format!("{:.*}", usize::from(digits), min + (max - min) * f64::from(i) / 10.0))
            .collect(),
        Kind::Switch { .. } => vec!["on".to_owned(), "off".to_owned()],
        Kind::Choice { options, .. } => options.iter().map(|o| (*o).to_owned()).collect(),
        Kind::Text { .. } => Vec::new(),
    }
}

/// Settings that solve a challenge with one change, or with two: found by trying.
fn solution(lab: &LabSpec, challenge: &spec::Challenge) -> Option<Vec<(&'static str, String)>> {
    let free: Vec<(&'static str, String)> = lab
        .params
        .iter()
        .filter(|p| !challenge.keep.contains(&p.key) && p.key != "count")
        .flat_map(|p| candidates(&p.kind).into_iter().map(|text| (p.key, text)))
        .collect();
    let solves = |set: &[&(&'static str, String)]| {
        let mut setup = lab.with(challenge.start);
        setup.apply(&set.iter().map(|(key, text)| (*key, text.as_str())).collect::<Vec<_>>());
        spec::solved(lab, challenge, &setup)
    };
    if let Some(one) = free.iter().find(|one| solves(&[one])) {
        return Some(vec![one.clone()]);
    }
    let pairs = free.iter().enumerate().flat_map(|(i, a)| free[i + 1..].iter().map(move |b| (a, b)));
    let two = pairs.filter(|(a, b)| a.0 != b.0).find(|(a, b)| challenge.max_changes > 1 && solves(&[a, b]));
    two.map(|(a, b)| vec![a.clone(), b.clone()])
}

pub(crate) async fn challenges_tick_themselves(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        let words = english(tab, lab)?;
        open_lab(tab, lab, "").await?;
        let mut tried = 0;
        for (i, challenge) in lab.challenges.iter().enumerate() {
            let Some(set) = solution(lab, challenge) else { continue };
            tried += 1;
            let item = format!(".challenges > li:nth-child({})", i + 1);
            let state = text_of(&format!("{item} [role=status]"));
            expect(tab, "free play is not judged", &state, "").await?;
            tab.click(format!("{item} .challenge-row button").as_str()).await?;
            expect(tab, "it starts unsolved", &state, words.get("lab.open")).await?;
            for (key, text) in &set {
                set_param(tab, lab, key, text).await?;
            }
            expect(tab, &format!("{}: {set:?}", lab.id), &state, words.get("lab.solved")).await?;
            let done = words.at(&["challenge", challenge.key, "done"]);
            tab.find(By::Text(&collapsed(&done))).await?;
        }
        if tried == 0 {
            return Err(Failure::new(format!("{}: no challenge was solved by trying", lab.id)));
        }
    }
    tab.expect_clean().await
}

pub(crate) async fn presets_set_everything(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        let words = english(tab, lab)?;
        open_lab(tab, lab, "").await?;
        for (i, preset) in lab.presets.iter().enumerate() {
            let item = format!(".presets > li:nth-child({})", i + 1);
            tab.click(format!("{item} button").as_str()).await?;
            let setup = lab.with(preset.set);
            let doing = format!("{} {}", lab.id, preset.key);
            expect_table(tab, lab, &setup, &words).await.map_err(|failure| failure.during(&doing))?;
            let flips = format!("!!document.querySelector({})", json!(format!("{item} .flip")));
            assert_eq!(tab.value(&flips).await?, preset.flip, "{doing}");
        }
        assert!(lab.presets.iter().any(|preset| preset.flip), "{}: where does it flip?", lab.id);
    }
    tab.expect_clean().await
}
