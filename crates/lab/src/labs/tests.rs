//! What every lab must have, whatever it is about.

use tokenyard_param::Kind;

use super::*;
use crate::figure::Figure;
use crate::spec::Ask;
use crate::words::Words;

#[test]
fn identifiers_and_keys_are_unique_and_plain() {
    for (i, lab) in LABS.iter().enumerate() {
        assert!(LABS[..i].iter().all(|l| l.id != lab.id));
        assert!(lab.id.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'));
        let all: Vec<_> = lab.params.iter().chain(lab.views).collect();
        for (j, spec) in all.iter().enumerate() {
            assert!(all[..j].iter().all(|s| s.key != spec.key && s.link != spec.link), "{}", spec.key);
            assert!(!["step", "fork", "guess", "v", "h", "lab"].contains(&spec.link), "{}", spec.link);
        }
        let keys: Vec<_> = lab.knobs.iter().map(|k| k.key).collect();
        assert_eq!(keys, lab.params.iter().map(|p| p.key).collect::<Vec<_>>(), "{}", lab.id);
        assert!((1..=3).contains(&lab.visible), "{}", lab.id);
    }
    assert!(LABS.windows(2).all(|w| w[0].section <= w[1].section), "reading order");
    assert_eq!(LABS.iter().filter(|l| l.on_home).count(), 1);
}

#[test]
fn a_lab_can_be_named_in_a_constant() {
    for (lab, id) in LABS.iter().zip(IDS) {
        assert_eq!(lab.id, id);
        assert!(std::ptr::eq(named(id), *lab));
    }
}

#[test]
fn every_number_has_steps_between_nothing_and_its_range() {
    for spec in LABS.iter().flat_map(|l| l.params) {
        let (step, page, range) = match spec.kind {
            Kind::Int { min, max, step, page, .. } | Kind::OptInt { min, max, step, page, .. } => {
                (step as f64, page as f64, (max - min) as f64)
            }
            Kind::Real { min, max, step, page, .. } => (step, page, max - min),
            _ => continue,
        };
        assert!(0.0 < step && step < page && page <= range, "{}", spec.key);
    }
}

#[test]
fn the_default_run_shows_something_and_lasts_at_most_twenty_seconds() {
    for lab in LABS {
        let run = lab.run(&lab.defaults());
        let moments = run.moments();
        assert!((1..=5).contains(&moments.len()), "{}: {moments:?}", lab.id);
        assert!(
            moments.windows(2).all(|w| w[0].step < w[1].step) && moments.iter().all(|m| m.step < run.steps())
        );
        let ms = run.steps() * lab.step_ms + 1500 * moments.len() as u32;
        assert!(ms <= 20_000, "{}: {ms} ms", lab.id);
    }
}

#[test]
fn every_step_can_be_shown() {
    let words = Words::default();
    for lab in LABS {
        let run = lab.run(&lab.defaults());
        for step in 0..run.steps() {
            assert!(!run.scene(step, step % 2 == 0, &words).is_empty());
            assert!(!run.say(step).key.is_empty());
            for figure in run.figures(step) {
                check(&figure);
            }
            for d in run.decisions(step) {
                assert!(d.grid.rows.iter().all(|r| r.cells.len() == d.grid.head.len()));
            }
        }
    }
}

fn check(figure: &Figure) {
    for series in &figure.series {
        assert!((1..=6).contains(&series.style));
        assert!(series.points.windows(2).all(|w| w[0].0 <= w[1].0));
        let inside = |p: &(f64, f64)| p.0 >= figure.x.min && p.0 <= figure.x.max && p.1 >= figure.y.min;
        assert!(series.points.iter().all(inside), "{}", figure.id);
        assert!(series.band.is_empty() || series.band.len() == series.points.len());
    }
}

#[test]
fn tables_fit_their_columns_and_one_row_leads() {
    for lab in LABS {
        let table = lab.table(&lab.defaults());
        assert!(table.rows.iter().all(|r| r.cells.len() == lab.columns.len()), "{}", lab.id);
        assert!(!table.headline().unwrap().answers || table.rows.len() == 1, "{}", lab.id);
        assert!(lab.luck.1 < lab.columns.len());
    }
}

#[test]
fn sweeps_draw_on_a_chart_of_the_lab_and_can_stop_after_any_item() {
    for lab in LABS {
        let setup = lab.defaults();
        let run = lab.run(&setup);
        let Some(sweep) = lab.sweep else {
            assert!(crate::sweep::sample(lab, &setup, 0).is_empty());
            continue;
        };
        let at = run.figures(0).iter().position(|f| f.id == sweep.figure).unwrap();
        let lines =
            |rows: &[Vec<f64>]| crate::sweep::figures(lab, &setup, run.as_ref(), 0, rows).swap_remove(at);
        assert_eq!(lines(&[]), run.figures(0)[at], "{}", lab.id);
        let rows: Vec<Vec<f64>> = (0..sweep.items.min(45)).map(|i| (sweep.item)(&setup, i)).collect();
        assert_eq!(rows[7], crate::sweep::sample(lab, &setup, 7), "items do not depend on each other");
        let points = |rows| lines(rows).series.iter().map(|s| s.points.len()).sum::<usize>();
        let counts: Vec<usize> = (0..=rows.len()).map(|n| points(&rows[..n])).collect();
        assert!(counts.windows(2).all(|w| w[0] <= w[1]) && counts[0] < counts[rows.len()], "{counts:?}");
        check(&lines(&rows));
        assert!(crate::sweep::sample(lab, &setup, sweep.items).is_empty());
    }
}

#[test]
fn predictions_have_an_answer_in_their_range() {
    for lab in LABS {
        let setup = lab.defaults();
        let outcome = (lab.prediction.outcome)(&setup);
        match lab.prediction.ask {
            Ask::Number { min, max, start, .. } => {
                assert!((min..=max).contains(&outcome) && (min..=max).contains(&start), "{}", lab.id);
            }
            Ask::Choice(n) => assert!(outcome.fract() == 0.0 && outcome < f64::from(n), "{}", lab.id),
        }
        assert_eq!(setup.clone().apply(lab.prediction.reveal), lab.prediction.reveal.len());
    }
}

#[test]
fn presets_and_challenges_name_real_settings_rows_and_columns() {
    for lab in LABS {
        assert!(lab.presets.iter().any(|p| p.flip), "{} needs a preset that flips it", lab.id);
        assert!(!lab.challenges.is_empty());
        for set in lab.presets.iter().map(|p| p.set).chain(lab.challenges.iter().map(|c| c.start)) {
            assert_eq!(lab.defaults().apply(set), set.len(), "{}: {set:?}", lab.id);
        }
        for challenge in lab.challenges {
            let start = lab.with(challenge.start);
            assert!(!crate::spec::solved(lab, challenge, &start), "{} is done at the start", challenge.key);
            let table = lab.table(&start);
            for goal in challenge.goals {
                assert!(table.rows.iter().any(|r| r.id == goal.row), "{}", goal.row);
                assert!(lab.columns.iter().any(|c| c.key == goal.column), "{}", goal.column);
            }
            assert!(challenge.keep.iter().all(|k| lab.params.iter().any(|p| p.key == *k)));
        }
    }
}
