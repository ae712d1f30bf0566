//! Native speed of every case: name and requests a second, best of three.
#![expect(clippy::disallowed_methods, reason = "a bench reads the clock")]

fn main() {
    let requests = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(100_000);
    for case in tokenyard_fleet_proof::CASES {
        let rate = |_| {
            let start = std::time::Instant::now();
            let ended = case.run(requests);
            f64::from(ended) / start.elapsed().as_secs_f64()
        };
        let best = (0..3).map(rate).fold(0.0, f64::max);
        println!("{}\t{best:.0}", case.name);
    }
}
