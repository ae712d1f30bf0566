use tokenyard_det::{format, stat};
use tokenyard_models::batching::SlotState;

use super::*;
use crate::luck::SEEDS;
use crate::spec::solved;

fn with(set: &[(&str, &str)], seed: u32) -> Table {
    table(&LAB.with(set).with_seed(seed))
}

fn seeds() -> std::ops::Range<u32> {
    LAB.luck.0..LAB.luck.0 + SEEDS
}

/// Column of one row over the 200 seeds.
fn column(row: &str, column: usize) -> Vec<f64> {
    seeds().map(|seed| with(&[], seed).cell(row, column).unwrap()).collect()
}

#[test]
fn the_summary_table_is_the_published_one_whatever_is_in_view() {
    for mode in Mode::ALL {
        let table = with(&[("mode", mode.id())], 0);
        let printed: Vec<_> = table
            .rows
            .iter()
            .map(|r| {
                (
                    r.id,
                    format::fixed(r.cells[0], 0),
                    format::fixed(r.cells[1], 0),
                    format::percent(r.cells[2]),
                )
            })
            .collect();
        let row = |id, a: &str, b: &str, c: &str| (id, a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(
            printed,
            [
                row("static", "25", "6", "57"),
                row("continuous", "19", "8", "91"),
                row("chunked", "14", "1", "93")
            ]
        );
        assert_eq!(table.headline().unwrap().id, mode.id());
        assert!(table.rows.iter().all(|r| r.answers != (r.id == mode.id())));
    }
}

#[test]
fn with_three_slots_every_order_keeps_the_order_of_iterations_and_not_that_of_fill() {
    let mut beaten = 0;
    for slots in ["1", "2", "3", "4", "5", "6", "7", "8"] {
        for seed in seeds() {
            let rows = with(&[("slots", slots)], seed).rows;
            let [fixed, continuous, chunked] = [0, 1, 2].map(|i| rows[i].cells[0]);
            assert!(chunked <= continuous && chunked <= fixed, "{slots} slots, seed {seed}");
            assert!(slots != "3" || continuous <= fixed, "seed {seed}");
            beaten += u32::from(slots == "2" && fixed < continuous);
        }
    }
    assert!(beaten > SEEDS / 4, "with two slots static often drains first: {beaten}");
    let (continuous, chunked) = (column("continuous", 2), column("chunked", 2));
    let ahead = continuous.iter().zip(&chunked).filter(|(a, b)| b > a).count();
    assert_eq!(ahead, 46, "the luck note says so");
    for mut fill in [continuous, chunked] {
        stat::sort(&mut fill);
        assert_eq!(format::percent(stat::quantile(&fill, 0.5).unwrap()), "87");
    }
}

#[test]
fn filled_slots_and_silent_iterations_go_apart_in_most_orders() {
    let (fixed, continuous) = (column("static", 1), column("continuous", 1));
    assert!(continuous.iter().zip(&fixed).filter(|(c, s)| c > s).count() > 160);
    assert!(column("continuous", 2).iter().zip(column("static", 2)).all(|(c, s)| *c > s));
    assert_eq!(outcome(&LAB.defaults()).to_bits(), 0.0_f64.to_bits());
    assert_eq!(outcome(&LAB.with(&[("mode", "static")])).to_bits(), 2.0_f64.to_bits());
    assert_eq!(outcome(&LAB.with(&[("slots", "1")])).to_bits(), 1.0_f64.to_bits());
}

#[test]
fn the_lines_count_every_token_and_are_flat_where_the_table_says() {
    let figure = &run(&LAB.defaults()).figures(2)[0];
    assert_eq!(figure.cursor, Some(3.0));
    assert_eq!(figure.series.iter().map(|s| s.answers).collect::<Vec<_>>(), [false, true, true]);
    let table = table(&LAB.defaults());
    for (series, id) in figure.series.iter().zip(["continuous", "static", "chunked"]) {
        let flat = series.points.windows(2).filter(|w| w[0].1 == w[1].1).count();
        assert_eq!(Some(flat as f64), table.cell(id, 1));
        let drain = table.cell(id, 0).unwrap();
        assert_eq!(series.points.last(), Some(&(drain, 29.0)));
    }
}

#[test]
fn the_page_opens_where_most_jobs_stall() {
    let steps = |mode: &str| -> Vec<(u32, &str)> {
        let run = run(&LAB.with(&[("mode", mode)]));
        run.moments().iter().map(|m| (m.step, m.cue.key)).collect()
    };
    assert_eq!(steps("continuous"), [(2, "cue.stall"), (4, "cue.full"), (7, "cue.again"), (15, "cue.tail")]);
    assert_eq!(steps("static"), [(1, "cue.held"), (10, "cue.stall"), (11, "cue.full"), (19, "cue.tail")]);
    assert_eq!(steps("chunked"), [(1, "cue.both"), (5, "cue.full"), (13, "cue.tail")]);
}

#[test]
fn no_iteration_has_empty_slots_only_so_every_sentence_has_somebody_in_it() {
    for seed in 0..720 {
        for slots in ["1", "3", "8"] {
            let params = Params::from_values(&LAB.with(&[("slots", slots)]).with_seed(seed).values);
            for mode in Mode::ALL {
                let run = batching::run(&params, mode);
                assert!(run.iterations.iter().all(|i| i.slots.iter().any(|s| s.job.is_some())));
                assert!(story::moments(&run).len() <= 5);
            }
        }
    }
}

#[test]
fn every_lost_slot_and_every_admission_can_be_asked_why() {
    let params = Params::from_values(&LAB.defaults().values);
    for mode in Mode::ALL {
        let run = batching::run(&params, mode);
        let (mut admitted, mut stalled) = (0, 0);
        for (step, iteration) in run.iterations.iter().enumerate() {
            let all = why::decisions(&run, step as u32, false);
            admitted += all.iter().filter(|d| d.title.key == "why.title-admit").count();
            stalled += all.iter().filter(|d| d.title.key == "why.title-stall").count();
            let idle = iteration.slots.iter().filter(|s| s.state == SlotState::Idle).count();
            assert_eq!(all.iter().filter(|d| d.title.key != "why.title-admit").count(), idle);
        }
        assert_eq!((admitted, stalled as u32), (6, run.jobs.iter().map(|j| j.stalled).sum()));
    }
}

#[test]
fn covered_charts_show_no_job_and_no_silent_iteration() {
    let words = Words::default();
    let run = run(&LAB.defaults());
    let (open, covered) = (run.scene(24, false, &words), run.scene(24, true, &words));
    let parts = |scene: &str| scene.split("<section").skip(1).map(str::to_owned).collect::<Vec<_>>();
    let jobs = |part: &str| part.split("slot-legend").next().unwrap().matches("cell-job").count();
    let silent = |part: &str| part.split("slot-legend").next().unwrap().matches("is-zero").count();
    let (open, covered) = (parts(&open), parts(&covered));
    assert_eq!(open.iter().map(|p| silent(p)).collect::<Vec<_>>(), [6, 8, 1]);
    assert_eq!(covered.iter().map(|p| silent(p)).collect::<Vec<_>>(), [0, 8, 0]);
    assert_eq!((jobs(&covered[0]), jobs(&covered[2])), (0, 0));
    assert_eq!(jobs(&covered[1]), jobs(&open[1]));
    assert!(open.iter().all(|p| !p.contains("style=")));
}

#[test]
fn the_flip_preset_makes_all_modes_one_in_every_order() {
    let flip = LAB.presets.iter().find(|p| p.flip).unwrap();
    for seed in 0..=SEEDS {
        let rows = with(flip.set, seed).rows;
        assert!(rows.iter().all(|r| r.cells == rows[0].cells), "seed {seed}");
    }
    let two = with(LAB.presets.iter().find(|p| p.key == "two").unwrap().set, 0);
    let fill = |row| format::percent(two.cell(row, 2).unwrap());
    assert_eq!((fill("chunked"), fill("continuous")), ("89".to_owned(), "98".to_owned()));
    assert!(two.cell("chunked", 0) < two.cell("continuous", 0));
}

#[test]
fn challenges_can_be_solved_and_not_by_breaking_their_rules() {
    let [room, alike] = LAB.challenges else { panic!() };
    for slots in 1..=8_u32 {
        let text = slots.to_string();
        let setup = LAB.with(&[("slots", &text), ("mode", "chunked")]);
        assert_eq!(solved(&LAB, room, &setup), slots == 4);
        assert_eq!(solved(&LAB, alike, &setup), slots == 1);
        assert!(!solved(&LAB, room, &setup.with_seed(5)));
    }
    assert_eq!(with(&[("slots", "1")], 0).cell("static", 0), Some(39.0));
}

#[cfg(feature = "results")]
#[test]
fn the_results_are_the_rows_of_the_oracle() {
    use serde_json::Value as Json;
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/article_batching.json");
    let oracle: Json = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let rows = oracle["runs"].as_array().unwrap();
    assert!(!rows.is_empty());
    for row in rows {
        let setup = LAB.with(&[("slots", &row["input"]["slots"].to_string())]);
        let mut expect = row["expect"].clone();
        let iterations = expect.as_object_mut().unwrap().remove("iterations").unwrap();
        for steps in [false, true] {
            let results = (LAB.results)(&setup.values, steps);
            let mut result = results.into_iter().find(|r| r["mode"] == expect["mode"]).unwrap();
            let listed = result.as_object_mut().unwrap().remove("steps");
            assert_eq!(listed, steps.then(|| iterations.clone()), "{}", row["input"]);
            let (fill, wanted) = (result["slot_fill"].take(), expect["slot_fill"].as_f64().unwrap());
            assert!((fill.as_f64().unwrap() - wanted).abs() <= 1e-9 * wanted);
            result["slot_fill"] = expect["slot_fill"].clone();
            assert_eq!(result, expect);
        }
    }
}
