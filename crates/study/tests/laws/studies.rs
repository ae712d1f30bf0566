//! What must stay true of studies.

use proptest::prelude::*;
use tokenyard_fleet::World;
use tokenyard_fleet::metrics::Report;
use tokenyard_fleet::run::run_to_end;
use tokenyard_fleet::scenario::Section;
use tokenyard_lab::catalogue;
use tokenyard_lab::{LabRun, Words};
use tokenyard_param::{Kind, Value};
use tokenyard_study::link::{self, State};
use tokenyard_study::named::NAMED;
use tokenyard_study::{COLUMNS, Lane, LaneRun, MOST_LANES, Study, StudyRun, rules, work};

fn shown(study: &Study) -> StudyRun {
    StudyRun::new(study, work::run(study, None).unwrap())
}

fn state(study: Study) -> State {
    State { study, at: None, version: None, headline: None }
}

/// Any value of a parameter.
fn value(kind: Kind, dice: u64) -> Value {
    let part = |min: f64, max: f64| min + (max - min) * (dice % 1_000) as f64 / 999.0;
    match kind {
        Kind::Int { min, max, .. } => Value::Int(part(min as f64, max as f64) as i64),
        Kind::OptInt { .. } if dice.is_multiple_of(3) => Value::Nothing,
        Kind::OptInt { min, max, .. } => Value::Int(part(min as f64, max as f64) as i64),
        Kind::Real { min, max, .. } => Value::Real(part(min, max)),
        Kind::Switch { .. } => Value::Switch(dice.is_multiple_of(2)),
        Kind::Choice { options, .. } => Value::Choice((dice % options.len() as u64) as u8),
        Kind::Text { .. } => Value::Text("a b&c=d".to_owned()),
    }
}

pub(crate) fn studies() -> impl Strategy<Value = Study> {
    let fields = proptest::collection::vec((0..Section::ALL.len(), any::<u16>(), any::<u64>()), 0..8);
    let lanes = proptest::collection::vec((0..rules().len(), any::<u16>(), any::<u64>()), 1..=MOST_LANES);
    let changes = proptest::collection::vec((0.0..100.0_f64, 0..9_i64), 0..3);
    (fields, lanes, changes, 0..1_000_000_u64).prop_map(|(fields, lanes, changes, seed)| {
        let mut study = Study::default();
        for (section, place, dice) in fields {
            let section = Section::ALL[section];
            let place = usize::from(place) % section.table().len();
            study.set(section, place, value(section.table()[place].kind, dice));
        }
        let lane = |(rule, place, dice): (usize, u16, u64)| {
            let mut lane = Lane::of(rules()[rule]);
            if !lane.rule.params.is_empty() {
                let place = usize::from(place) % lane.rule.params.len();
                lane.params.set(place, value(lane.rule.params[place].kind, dice));
            }
            lane
        };
        assert!(study.set_lanes(lanes.into_iter().map(lane).collect()));
        for (at, replica) in changes {
            let line = format!("{},{replica},slow,{}", (at * 1e3).round() / 1e3, 1 + replica);
            study.base.changes.push(tokenyard_study::changes::parse(&line).unwrap());
        }
        study.base.seed = seed;
        study
    })
}

proptest! {
    #[test]
    fn a_link_restores_what_it_was_made_from(study in studies(), at in proptest::option::of(0..1_000_u32)) {
        let written = link::write(&State { at, ..state(study.clone()) });
        let (read, notices) = link::read(&written);
        prop_assert_eq!(&notices, &[], "{}", written);
        prop_assert_eq!(read.at, at);
        prop_assert_eq!(&read.study, &study, "{}", written);
        prop_assert_eq!(link::write(&read), written);
    }

    #[test]
    fn any_text_leaves_a_study(text in "[ -~]{0,200}") {
        let (read, _) = link::read(&text);
        prop_assert!((1..=MOST_LANES).contains(&read.study.lanes().len()));
        let _ = read.study.problems(None);
    }

    #[test]
    fn cut_numbers_are_no_run(keep in 0..2_000_usize) {
        static ROW: std::sync::OnceLock<Vec<f64>> = std::sync::OnceLock::new();
        let row = ROW.get_or_init(|| {
            let mut study = Study::default();
            study.base.set("workload.requests", "40").unwrap();
            let mut work = work::Work::new(&study, None, work::Ask::Lanes).unwrap();
            loop {
                if let work::Part::Lane(row) = work.slice() {
                    break row;
                }
            }
        });
        prop_assert!(LaneRun::read(row.clone()).is_some());
        if keep < row.len() {
            // Cut between two decisions it is a shorter run, else none; never a panic.
            if let Some(run) = LaneRun::read(row[..keep].to_vec()) {
                prop_assert!((0..run.decisions()).all(|i| run.decision(i).is_some()));
            }
        }
    }
}

#[test]
fn the_start_page_has_an_empty_link() {
    assert_eq!(link::write(&state(Study::default())), "");
    for named in NAMED {
        let mut study = Study::default();
        named.put(&mut study);
        let link = link::write(&state(study));
        assert!(link.len() <= 300, "{}: {} characters", named.id, link.len());
    }
}

#[test]
fn numbers_of_a_hostile_headline_stay_in_it() {
    let (state, notices) = link::read("h=1%26seed=2,50%2525");
    assert_eq!(
        (notices, state.headline.clone()),
        (vec![], Some(["1&seed=2", "50%25"].map(str::to_owned).into()))
    );
    assert_eq!(link::read(&link::write(&state)), (state, vec![]));
}

#[test]
fn figures_are_those_of_the_scenario_alone() {
    let study = Study::default();
    for (i, lane) in work::run(&study, None).unwrap().iter().enumerate() {
        let mut world = World::new(&study.scenario(i, None).unwrap(), None);
        run_to_end(&mut world);
        let report = Report::of(&world);
        let near = |key: &str, want: f64| {
            let place = COLUMNS.iter().position(|c| c.key == key).unwrap();
            assert_eq!(lane.cells()[place], want, "{key}");
        };
        near("token_hit_rate", report.token_hit_rate);
        near("ttft_p95", report.ttft.p95);
        near("tpot_p95", report.tpot.p95);
        near("goodput_rps", report.goodput_rps);
        assert_eq!(u64::from(lane.requests()), report.requests);
        for outcome in world.outcomes().all() {
            let answer = lane.answer(outcome.number).unwrap();
            assert_eq!((answer.prompt, answer.cached), (outcome.prompt, outcome.cached));
            assert_eq!(answer.replica, outcome.replica.map(u32::from));
        }
    }
}

#[test]
fn another_rule_changes_no_arrival_and_no_prompt() {
    let run = shown(&Study::default());
    for request in 0..run.requests() {
        let all = run.sides().iter().map(|side| side.run.answer(request).unwrap());
        let mut all = all.map(|a| (a.arrival_ms, a.prompt, a.output));
        let first = all.next();
        assert!(all.all(|other| Some(other) == first), "request {request}");
    }
}

#[test]
fn partings_are_found_both_ways() {
    let run = shown(&Study::default());
    let all: Vec<u32> = (0..run.requests()).filter(|n| run.parts(*n)).collect();
    assert!(all.len() > 10);
    for pair in all.windows(2) {
        assert_eq!(run.parting(pair[0], true), Some(pair[1]));
        assert_eq!(run.parting(pair[1], false), Some(pair[0]));
    }
    assert_eq!(run.parting(*all.last().unwrap(), true), None);
    assert_eq!(run.parting(u32::MAX, true), None);
}

#[test]
fn twice_the_same_rule_is_numbered() {
    let mut study = Study::default();
    assert!(study.set_lanes(vec![Lane::of(rules()[0]), Lane::of(rules()[1]), Lane::of(rules()[0])]));
    let run = shown(&study);
    let copies: Vec<u32> = run.sides().iter().map(|side| side.copy).collect();
    assert_eq!(copies, [1, 0, 2]);
}

fn words(lang: &str) -> Words {
    let locales = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../locales");
    let all = ["common", "scenario", "rules", "reports", "fleet"]
        .map(|c| catalogue::read(&locales, c, lang).unwrap());
    all.into_iter().flatten().collect()
}

/// A text that shows a key or a place that nobody filled.
fn is_raw(text: &str) -> bool {
    let key = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        word.contains('.')
            && word.split('.').all(|p| !p.is_empty() && p.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
    };
    text.contains('{') || text.split_whitespace().any(key)
}

/// Studies whose runs say everything there is to say: refusals, failures, limits, many replicas.
fn eventful() -> Vec<Study> {
    let sets: [&[(&str, &str)]; 6] = [
        &[],
        &[("gateway.queue_cap", "2"), ("gateway.session_cap", "1"), ("workload.rate_rps", "200")],
        &[("limits.events", "900")],
        &[("limits.simulated_s", "3"), ("workload.rate_rps", "100")],
        &[("fleet.replicas", "24"), ("workload.requests", "200")],
        &[("router.load", "scraped"), ("router.scrape_ms", "800"), ("fleet.kv_blocks", "500")],
    ];
    let mut studies: Vec<Study> = sets
        .iter()
        .map(|set| {
            let mut study = Study::default();
            for (path, text) in *set {
                // A field that is called otherwise some day is left out here.
                let _ = study.base.set(path, text);
            }
            study
        })
        .collect();
    for four in rules().chunks(MOST_LANES) {
        let mut study = Study::default();
        assert!(study.set_lanes(four.iter().map(|rule| Lane::of(rule)).collect()));
        study.base.changes.push(tokenyard_study::changes::parse("2,1,fail").unwrap());
        study.base.changes.push(tokenyard_study::changes::parse("5,1,restart").unwrap());
        studies.push(study);
    }
    studies
}

#[test]
fn everything_that_is_said_has_words() {
    let languages = ["en", "ja"].map(|lang| (lang, words(lang)));
    for study in eventful() {
        let run = shown(&study);
        for (lang, words) in &languages {
            let check = |text: String| assert!(!is_raw(&text), "{lang}: {text}");
            run.moments().iter().for_each(|m| check(words.say(&m.cue)));
            run.cut().into_iter().for_each(|cut| check(words.say(&cut)));
            for step in (0..run.steps()).step_by(7) {
                check(words.say(&run.say(step)));
                for decision in run.decisions(step) {
                    check(words.say(&decision.title));
                    decision.lines.iter().for_each(|line| check(words.say(line)));
                    decision.grid.head.iter().for_each(|head| check(words.say(head)));
                }
                for figure in run.figures(step) {
                    check(words.say(&figure.summary));
                    figure.series.iter().for_each(|s| check(words.say(&s.short)));
                }
                let markup = run.scene(step, false, words) + &run.log(step, 9, words);
                let text: String = markup
                    .split('<')
                    .filter_map(|p| Some(p.split_once('>')?.1))
                    .collect::<Vec<_>>()
                    .join(" ");
                check(text);
            }
        }
    }
}
