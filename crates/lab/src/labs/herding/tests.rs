use super::*;
use crate::spec::solved;

#[test]
fn the_summary_table_is_the_published_one() {
    let table = table(&LAB.defaults());
    let printed: Vec<Vec<String>> = table
        .rows
        .iter()
        .map(|r| {
            let [a, b, c, d] = r.cells[..] else { panic!() };
            use tokenyard_det::format::{fixed, percent};
            vec![fixed(a, 0), fixed(b, 1), fixed(c, 2), percent(d)]
        })
        .collect();
    assert_eq!(
        printed,
        [
            ["21", "12.0", "1.19", "64"],
            ["20", "9.1", "1.29", "48"],
            ["9", "5.2", "0.80", "21"],
            ["10", "4.4", "0.96", "23"]
        ]
    );
}

#[test]
fn the_page_opens_on_the_first_tick_over_half_the_peak() {
    let run = run(&LAB.defaults());
    let first = &run.moments()[0];
    let duel = simulate(&LAB.defaults(), Rule::LeastOutstanding, true);
    assert_eq!(first.cue.key, "cue.half");
    assert!(duel.ticks[..first.step as usize].iter().all(|t| 2 * t.skew <= 21));
    assert!(2 * duel.ticks[first.step as usize].skew > 21);
}

#[test]
fn the_flip_preset_flips_over_many_seeds() {
    let mean = |preset: &[(&str, &str)], row: &str| {
        let all = (9000..9050).map(|seed| table(&LAB.with(preset).with_seed(seed)).cell(row, 1).unwrap());
        all.sum::<f64>() / 50.0
    };
    let flip = LAB.presets.iter().find(|p| p.flip).unwrap();
    assert!(mean(&[], "least-outstanding") > 1.5 * mean(&[], "power-of-two"));
    assert!(1.5 * mean(flip.set, "least-outstanding") < mean(flip.set, "power-of-two"));
}

#[test]
fn challenges_can_be_solved_and_not_by_breaking_their_rules() {
    let half = &LAB.challenges[0];
    assert!(solved(&LAB, half, &LAB.with(&[("stagger", "on")])));
    assert!(solved(&LAB, half, &LAB.with(&[("scrape_interval", "3")])));
    assert!(!solved(&LAB, half, &LAB.with(&[("arrivals_per_tick", "1")])));
    assert!(!solved(&LAB, half, &LAB.with(&[("stagger", "on"), ("routers", "5")])));
    let own = &LAB.challenges[1];
    assert!(solved(&LAB, own, &LAB.with(&[("routers", "1")])));
    assert!(!solved(&LAB, own, &LAB.with(&[("scrape_interval", "1")])));
}

#[test]
fn a_fork_keeps_the_old_future_as_a_ghost() {
    let mut setup = LAB.defaults();
    let then = LAB.with(&[("scrape_interval", "1")]).values;
    setup.fork = Some(crate::spec::Fork { step: 30, values: then });
    let figure = &run(&setup).figures(0)[0];
    assert_eq!(figure.series.iter().filter(|s| s.ghost).count(), 2);
    let (now, old) = (&figure.series[0].points, &figure.series[2].points);
    assert_eq!(now[..30], old[..30]);
    assert_ne!(now[30..], old[30..]);
}

#[test]
fn the_covered_scene_says_nothing_about_the_second_lane() {
    let run = run(&LAB.defaults());
    let words = Words::default();
    let (open, covered) = (run.scene(20, false, &words), run.scene(20, true, &words));
    assert!(open.len() > covered.len());
    let second = covered.split("style-2").nth(1).unwrap();
    assert!(!second.split("routers").next().unwrap().contains("circle"));
}
