use tokenyard_models::prefix_affinity::{self, Params, Reason};

use super::*;
use crate::luck::SEEDS;
use crate::spec::solved;

fn printed(table: &Table) -> Vec<Vec<f64>> {
    table.rows.iter().map(|r| r.cells.clone()).collect()
}

fn with(setup: &[(&str, &str)], seed: u32) -> Table {
    table(&LAB.with(setup).with_seed(seed))
}

#[test]
fn the_summary_table_is_the_published_one() {
    let table = table(&LAB.defaults());
    assert_eq!(table.rows.iter().map(|r| r.id).collect::<Vec<_>>(), ["baseline", "aware"]);
    assert_eq!(printed(&table), [[4.0, 29_180.0, 0.0, 4.0], [6.0, 21_180.0, 2.0, 5.0]]);
    assert_eq!(table.headline().unwrap().id, "aware");
}

#[test]
fn the_curves_are_the_published_ones() {
    let run = run(&LAB.defaults());
    let figures = run.figures(6);
    let ys = |f: usize, s: usize| figures[f].series[s].points.iter().map(|p| p.1).collect::<Vec<_>>();
    assert_eq!(ys(1, 0), [4.0, 4.0, 6.0, 6.0, 8.0, 9.0, 9.0]);
    assert_eq!(ys(1, 1), [4.0, 5.0, 5.0, 5.0, 7.0, 8.0, 8.0]);
    assert_eq!(ys(2, 0), [29.18, 29.18, 21.18, 21.98, 15.58, 11.58, 11.58]);
    assert_eq!((figures[0].cursor, figures[1].cursor), (Some(7.0), Some(2.0)));
    let never = super::run(&LAB.with(LAB.prediction.reveal)).figures(0);
    assert_eq!(never[1].cursor, Some(6.0));
    let far = super::run(&LAB.with(&[("load_gap_threshold", "64")])).figures(0);
    assert_eq!(far[1].cursor, Some(5.0));
}

#[test]
fn every_axis_names_no_threshold_last_and_numbers_no_place_twice() {
    for replicas in ["1", "2", "3", "8", "16"] {
        for seed in 0..20 {
            let setup = LAB.with(&[("replicas", replicas)]).with_seed(seed);
            let axis = &run(&setup).figures(0)[1].x;
            assert!(axis.ticks.windows(2).all(|w| w[0] < w[1]), "{:?}", axis.ticks);
            let (last, (at, name)) = (axis.ticks.last(), axis.named.last().unwrap());
            assert_eq!((last, name.key, *at), (Some(&axis.max), "axis.none", axis.max));
        }
    }
}

#[test]
fn the_page_opens_on_the_first_escape_and_tells_its_price() {
    let run = run(&LAB.defaults());
    let steps: Vec<(u32, &str)> = run.moments().iter().map(|m| (m.step, m.cue.key)).collect();
    assert_eq!(steps, [(6, "cue.escape"), (7, "cue.bystander"), (9, "cue.lost")]);
    let never = super::run(&LAB.with(LAB.prediction.reveal));
    let steps: Vec<(u32, &str)> = never.moments().iter().map(|m| (m.step, m.cue.key)).collect();
    assert_eq!(steps, [(4, "cue.apart"), (11, "cue.widest")]);
}

#[test]
fn the_answer_is_covered_exactly_where_the_aware_lane_would_give_it() {
    let words = Words::default();
    for (set, hidden) in [(&[][..], false), (LAB.prediction.reveal, true)] {
        let setup = LAB.with(set);
        let run = run(&setup);
        assert_eq!(run.scene(5, true, &words) != run.scene(5, false, &words), hidden);
        assert_eq!(table(&setup).rows[1].answers, hidden);
        assert!(run.figures(0)[1].series[1].answers);
    }
    assert_eq!(outcome(&LAB.defaults()).to_bits(), 8.0_f64.to_bits());
    assert_eq!(with(LAB.prediction.reveal, 0).cell("aware", 3), Some(8.0));
}

#[test]
fn the_presets_do_what_their_words_say() {
    let preset = |key: &str| LAB.presets.iter().find(|p| p.key == key).unwrap().set;
    assert_eq!(printed(&with(preset("never"), 0))[1], [9.0, 11_580.0, 0.0, 8.0]);
    assert_eq!(printed(&with(preset("three"), 0))[1][..3], [6.0, 21_980.0, 2.0]);
    let three = prefix_affinity::run(&Params { load_gap_threshold: Some(3), ..Params::default() });
    let escapes = three.steps.iter().filter(|s| s.reason == Reason::LoadImbalance);
    let home: Vec<_> = escapes.map(|s| (s.aware_hit, s.owner_before == Some(s.aware))).collect();
    assert_eq!(home, [(true, true), (false, false)]);
    assert!(with(preset("room"), 0).cell("baseline", 0) > with(&[], 0).cell("baseline", 0));
    let gains: Vec<f64> = (0..=SEEDS).map(|seed| gain(preset("lost"), seed)).collect();
    assert!(gains[0] < 0.0, "flips in the published order");
    let (worse, same) =
        (gains[1..].iter().filter(|g| **g < 0.0).count(), gains[1..].iter().filter(|g| **g == 0.0).count());
    assert_eq!((worse, same), (31, 77));
}

/// Tokens of prefill that the aware router saves.
fn gain(set: &[(&str, &str)], seed: u32) -> f64 {
    let table = with(set, seed);
    table.cell("baseline", 1).unwrap() - table.cell("aware", 1).unwrap()
}

#[test]
fn the_luck_note_and_the_notes_count_right() {
    let at = |t: &str, seed| gain(&[("load_gap_threshold", t)], seed);
    let seeds = LAB.luck.0..LAB.luck.0 + SEEDS;
    assert_eq!(seeds.clone().filter(|s| at("2", *s) < 0.0).count(), 10);
    assert_eq!(seeds.clone().filter(|s| at("3", *s) < at("2", *s)).count(), 40);
    assert_eq!(seeds.clone().filter(|s| at("3", *s) > at("2", *s)).count(), 65);
    let run = |seed| prefix_affinity::run(&Params { seed, ..Params::default() });
    let mut saved: Vec<f64> = seeds.clone().map(|s| run(s).saved_share()).collect();
    tokenyard_det::stat::sort(&mut saved);
    let median = tokenyard_det::stat::quantile(&saved, 0.5).unwrap();
    assert_eq!(tokenyard_det::format::percent(median), "29");
    let bends = |seed| {
        let curve = prefix_affinity::curve(&Params { seed, ..Params::default() });
        curve.windows(2).any(|w| w[1].prefill > w[0].prefill)
    };
    assert!(seeds.filter(|s| bends(*s)).count() > 100);
}

#[test]
fn challenges_can_be_solved_and_not_by_breaking_their_rules() {
    let [trade, both] = LAB.challenges else { panic!() };
    let solves = |c, set: &[(&str, &str)]| solved(&LAB, c, &LAB.with(set));
    for threshold in 0..=100_u32 {
        let text = threshold.to_string();
        assert_eq!(solves(trade, &[("load_gap_threshold", &*text)]), threshold == 4);
        assert!(!solves(both, &[("load_gap_threshold", &*text)]));
    }
    assert!(!solves(trade, &[("replicas", "4")]));
    assert!(solves(both, &[("load_gap_threshold", "3"), ("cache_slots", "2")]));
    assert!(!solves(both, &[("cache_slots", "3")]));
    assert!(!solves(both, &[("replicas", "4")]));
}

#[test]
fn what_full_knowledge_would_choose_holds_the_prefix_wherever_anybody_does() {
    for seed in 0..40 {
        let run = prefix_affinity::run(&Params { seed, ..Params::default() });
        for (i, step) in run.steps.iter().enumerate() {
            let aware = &story::decisions(&run, i as u32)[0];
            let fresh: Vec<usize> = (0..3).filter(|r| aware.grid.rows[*r].fresh).collect();
            let [only] = fresh[..] else { panic!("{fresh:?}") };
            let holders = Router::Aware.side(step).holders(step.prefix);
            if step.reason == Reason::Affinity && !holders.is_empty() {
                assert!(holders.contains(&only));
            }
            assert!(step.reason != Reason::LoadImbalance || only == step.least_loaded);
        }
    }
}

#[cfg(feature = "results")]
#[test]
fn the_results_are_the_rows_of_the_oracle() {
    use serde_json::{Value as Json, json};
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/article_prefix.json");
    let oracle: Json = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let rows = oracle["runs"].as_array().unwrap();
    assert!(!rows.is_empty());
    for row in rows {
        let text = |key: &str| match &row["input"][key] {
            Json::Null => "none".to_owned(),
            number => number.to_string(),
        };
        let keys = ["replicas", "cache_slots", "load_gap_threshold"];
        let set = keys.map(|key| (key, text(key)));
        let setup = LAB.with(&set.each_ref().map(|(key, value)| (*key, value.as_str())));
        let [result] = &(LAB.results)(&setup.values, true)[..] else { panic!() };
        assert_eq!(result["steps"], row["steps"], "{}", row["input"]);
        let last = row["steps"].as_array().unwrap().last().unwrap();
        let [brief] = &(LAB.results)(&setup.values, false)[..] else { panic!() };
        let count = |key: &str, value: Json| {
            row["steps"].as_array().unwrap().iter().filter(|s| s[key] == value).count()
        };
        assert_eq!(
            *brief,
            json!({
                "baseline_hits": count("baseline_hit", json!(true)),
                "aware_hits": count("aware_hit", json!(true)),
                "cumulative_baseline": last["cumulative_baseline"],
                "cumulative_aware": last["cumulative_aware"],
                "escapes": count("reason", json!("load-imbalance")),
                "aware_loads": last["aware_loads"],
            })
        );
    }
}
