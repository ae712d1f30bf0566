//! Scratch: engine alone, workload B, round robin.
#![allow(clippy::disallowed_methods, missing_docs)]
use tokenyard_det::{Stream, math};
use tokenyard_fleet::chain::{Chain, Run};
use tokenyard_fleet::engine::cost::Cost;
use tokenyard_fleet::engine::types::*;
use tokenyard_fleet::engine::{Out, Replica};

fn main() {
    let rate: f64 = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(150.0);
    let cache = std::env::args().nth(2).is_some();
    let settings = EngineSettings {
        block: 16, capacity: 403_900 / 16, max_seqs: 256, budget: 2048, mode: Mode::Chunked,
        prefix_cache: cache, cache_generated: true, long_prefill: None, order: Order::First,
        cost: Cost::from_ms(1.12, [3.240, 3.341, 0.01965, 0.006589, 4.173e-5, 7.741e-7]),
    };
    let mut replicas: Vec<Replica> = (0..8).map(|_| Replica::new(&settings)).collect();
    let mut s = Stream::new(1, "x", 0);
    let sigma = math::ln(2.0).sqrt();
    let start = std::time::Instant::now();
    let mut at = 0u64;
    let mut out = Out::default();
    let (mut events, mut boundaries, mut ft) = (0usize, 0usize, 0u64);
    let n = 100_000u32;
    let mut fresh = 1_000_000u64;
    for i in 0..n {
        at += (s.exponential() / rate * 1e12) as u64;
        let mut len = |m: f64| (m * math::exp(sigma * s.normal() - sigma * sigma / 2.0)).round().max(1.0) as u32;
        let (mut prompt, output) = (len(1024.0), len(256.0));
        let mut chain = Chain::new();
        if cache {
            prompt += 512;
            let fam = s.below(200);
            chain.push(Run { first: fam * 32, len: 32 });
            chain.push(Run { first: fresh, len: prompt / 16 - 32 });
            fresh += u64::from(prompt / 16);
        }
        loop {
            let due = replicas.iter().enumerate().filter_map(|(i, r)| r.next().map(|t| (t, i))).min();
            match due {
                Some((t, i)) if t < at => { replicas[i].run(&mut out); boundaries += 1; }
                _ => break,
            }
            events += out.events.len();
            ft += out.events.iter().filter(|e| e.what == Happened::FirstToken).count() as u64;
            out.events.clear();
        }
        let seq = Sequence { id: i, prompt, output, chain, generated: (1 << 63) | u64::from(i) << 20 };
        replicas[i as usize % 8].enqueue(at, seq, &mut out);
    }
    let secs = start.elapsed().as_secs_f64();
    println!("{:.0} req/s, {boundaries} boundaries, {events} events, first tokens {ft}, outstanding {}, gaps {} p50 {:?} p99 {:?}",
        f64::from(n) / secs, replicas.iter().map(Replica::outstanding).sum::<u32>(), out.gaps.total(), out.gaps.quantile(0.5), out.gaps.quantile(0.99));
}
