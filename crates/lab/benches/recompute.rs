//! One recomputation of the routing lab, natively: the workload and the summary of all six rules,
//! as the page computes it for every value of a dragged slider.
//!
//! Prints `bench <name> <value>`, which `cargo xtask bench` reads.

use std::hint::black_box;
use std::time::{Duration, Instant};

use tokenyard_lab::{labs, luck};

/// Rounds before measuring, so that memory and branches have settled.
const WARM_UP: usize = 50;
/// Rounds measured.
const ROUNDS: usize = 1_000;

/// Now. Nothing but the printed duration depends on it.
#[expect(clippy::disallowed_methods, reason = "a bench measures time; no result depends on it")]
fn now() -> Instant {
    Instant::now()
}

fn main() {
    let Some(lab) = labs::by_id("routing-lab") else {
        eprintln!("there is no routing-lab");
        return;
    };
    let (setup, seed) = (lab.defaults(), lab.luck.0);
    let round = || {
        let start = now();
        black_box(luck::sample(lab, black_box(&setup), black_box(seed)));
        start.elapsed()
    };
    for _ in 0..WARM_UP {
        round();
    }
    let mut times: Vec<Duration> = (0..ROUNDS).map(|_| round()).collect();
    times.sort_unstable();
    println!("bench recompute.native.ms {:.4}", times[ROUNDS / 2].as_secs_f64() * 1e3);
}
