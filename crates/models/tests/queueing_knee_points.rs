//! Simulated points against the closed form, in joint 99.9% bands, for three seeds named in
//! advance.

use tokenyard_det::{Digest, Mulberry32, math};
use tokenyard_models::queueing_knee::points::{ALL_RUNS, all_points, digest_points, place, simulate_both};
use tokenyard_models::queueing_knee::service::Service;
use tokenyard_models::queueing_knee::student::{two_sided_quantile, two_sided_tail};
use tokenyard_models::queueing_knee::theory::Pool;
use tokenyard_models::queueing_knee::{Discipline, FREE, GRID, Params, Point, RUNS, points, simulate_run};

/// The seed sets: each is a seed from which all streams of a set of points derive.
const SEEDS: [u32; 3] = [1, 2026, 4_294_967_295];

fn both(params: &Params) -> (Vec<Point>, Vec<Point>) {
    let means: Vec<_> = (0..ALL_RUNS)
        .map(|position| {
            let (curve, point, run) = place(position);
            simulate_both(params, curve, point, run)
        })
        .collect();
    let raw: Vec<f64> = means.iter().map(|m| m.raw).collect();
    let corrected: Vec<f64> = means.iter().map(|m| m.corrected).collect();
    (points(params, &raw), points(params, &corrected))
}

#[test]
fn all_points_lie_in_their_joint_bands() {
    for seed in SEEDS {
        let (raw, corrected) = both(&Params { seed, ..Params::default() });
        assert_eq!(corrected.len(), 4 * GRID.len());
        for (r, c) in raw.iter().zip(&corrected) {
            assert!(!c.rare && c.holds(c.closed_form), "seed {seed}: {c:?}");
            // The plain means say the same, less sharply: the correction did not make it so.
            assert!(r.holds(r.closed_form), "seed {seed}, uncorrected: {r:?}");
            // The whole width, not the half, is under 15% of the value.
            assert!(2.0 * c.half < 0.15 * c.mean, "seed {seed}: {c:?}");
        }
    }
    assert_eq!(GRID[GRID.len() - 1], 0.9);
}

#[test]
fn a_wrong_cv2_lies_outside() {
    let pool = Pool { slots: 1, discipline: Discipline::Fifo };
    for seed in SEEDS {
        // Against the wrong formula: points of CV² 4 against 3 and 5, of 1 against 1.25, 0 against 0.2.
        let params = Params { seed, cv2: 3.0, ..Params::default() };
        let (_, corrected) = both(&params);
        for point in &corrected {
            let wrong: &[f64] = [&[0.2][..], &[0.75, 1.25], &[3.0, 5.0], &[2.0, 4.0]][point.curve];
            for cv2 in wrong {
                assert!(!point.holds(pool.wait(point.utilisation, *cv2)), "seed {seed} {cv2}: {point:?}");
            }
        }
        // And the wrong simulation against the right formula: the free curve simulates 3, not 4.
        let free: Vec<&Point> = corrected.iter().filter(|p| p.curve == FREE).collect();
        assert!(free.iter().all(|p| p.mean < 0.9 * pool.wait(p.utilisation, 4.0)));
    }
}

#[test]
fn free_values_of_cv2_are_matched_too() {
    for cv2 in [0.01, 0.25, 0.6] {
        let (_, corrected) = both(&Params { cv2, ..Params::default() });
        assert!(corrected.iter().filter(|p| p.curve == FREE).all(|p| p.holds(p.closed_form)));
    }
}

#[test]
fn several_slots_are_exact_for_exponential_service() {
    for slots in [4, 12] {
        let (_, corrected) = both(&Params { slots, ..Params::default() });
        let exponential: Vec<_> = corrected.iter().filter(|p| p.curve == 1 && !p.rare).collect();
        assert!(exponential.len() >= 4);
        assert!(exponential.iter().all(|p| p.holds(p.closed_form)), "{exponential:?}");
        // Elsewhere the formula is an approximation: near in a busy pool.
        for p in corrected.iter().filter(|p| p.utilisation >= 0.85) {
            assert!((p.mean / p.closed_form - 1.0).abs() < 0.3, "{p:?}");
        }
    }
}

#[test]
fn processor_sharing_is_insensitive_in_the_simulation() {
    for slots in [1, 4] {
        let discipline = Discipline::ProcessorSharing;
        let (raw, corrected) = both(&Params { discipline, slots, ..Params::default() });
        for p in raw.iter().chain(&corrected).filter(|p| p.utilisation >= 0.5 && !p.rare) {
            assert!(p.holds(p.closed_form), "{slots}: {p:?}");
        }
    }
}

#[test]
fn runs_are_chunks_in_any_order() {
    let params = Params { seed: 99, ..Params::default() };
    let all = all_points(&params);
    let backwards: Vec<f64> = (0..ALL_RUNS)
        .rev()
        .map(|position| {
            let (curve, point, run) = place(position);
            simulate_run(&params, curve, point, run)
        })
        .collect();
    let means: Vec<f64> = backwards.into_iter().rev().collect();
    let digest = |points: &[Point]| {
        let mut digest = Digest::default();
        digest_points(points, &mut digest);
        digest.finish()
    };
    assert_eq!(digest(&points(&params, &means)), digest(&all));
    // Progress: whole points only, and the same ones.
    assert_eq!(points(&params, &means[..3 * RUNS + 7]), all[..3]);
    assert!(points(&params, &[]).is_empty());
}

#[test]
fn many_slots_at_low_load_say_that_waits_are_rare() {
    let points = all_points(&Params { slots: 64, ..Params::default() });
    assert!(points.iter().filter(|p| p.utilisation <= 0.5).all(|p| p.rare));
    assert!(points.iter().all(|p| p.mean.is_finite() && p.half.is_finite()));
}

#[test]
fn service_times_have_mean_one_and_their_cv2() {
    for cv2 in [0.0, 0.3, 1.0, 1.0001, 4.0, 10.0] {
        let s = Service::with_cv2(cv2);
        let (p, q) = (s.short_share, 1.0 - s.short_share);
        let varying = p * s.short + q * s.long;
        let variance = 2.0 * (p * s.short * s.short + q * s.long * s.long) - varying * varying;
        assert!((s.fixed + varying - 1.0).abs() < 1e-12, "{s:?}");
        assert!((variance - cv2).abs() < 1e-9, "{s:?}");
        let (mut sizes, mut phases) = (Mulberry32::new(5), Mulberry32::new(6));
        let n = 2_000_000;
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..n {
            let x = s.draw(&mut sizes, &mut phases);
            sum += x;
            squares += (x - 1.0) * (x - 1.0);
        }
        let error = 5.0 * (cv2 / f64::from(n)).sqrt() + 1e-12;
        assert!((sum / f64::from(n) - 1.0).abs() < error, "mean of {cv2}");
        assert!((squares / f64::from(n) - cv2).abs() <= 0.03 * cv2 + 1e-20, "CV² {cv2}");
    }
}

#[test]
fn student_quantiles_match_the_tables() {
    let table =
        [(0.05, 19, 2.0930), (0.01, 19, 2.8609), (0.001, 19, 3.8834), (0.05, 1, 12.7062), (0.05, 3, 3.1824)];
    for (tail, degrees, t) in table {
        assert!((two_sided_quantile(tail, degrees) - t).abs() < 5e-5, "{tail} {degrees}");
        assert!((two_sided_tail(t, degrees) / tail - 1.0).abs() < 1e-4);
    }
    // One degree is the Cauchy distribution.
    let cauchy = 1.0 - 2.0 * math::atan(3.0) / std::f64::consts::PI;
    assert!((two_sided_tail(3.0, 1) - cauchy).abs() < 1e-15);
}
