//! Scratch: world speed.
#![allow(clippy::disallowed_methods, missing_docs, clippy::unwrap_used)]
use tokenyard_fleet::{Scenario, World};
use tokenyard_fleet::world::Step;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let json = std::fs::read(&a[1]).unwrap();
    let sc = Scenario::read(&json, None).unwrap();
    let start = std::time::Instant::now();
    let mut w = World::new(&sc, None);
    if a.len() > 2 { w.record(); }
    while let Step::Did(_) = w.step() {}
    let s = start.elapsed().as_secs_f64();
    println!("{:.0} req/s  {} events  digest {:016x}", f64::from(w.outcomes().len()) / s, w.events(), w.digest());
    println!("{:?}", w.laws());
    let r = tokenyard_fleet::metrics::Report::of(&w);
    println!("hit {:.3} ttft {:?} tpot {:?} util {:?} assigned {:?} regret {:?} cv {}", r.token_hit_rate, r.ttft, r.tpot, r.utilisation, r.assigned, r.regret, r.block_cv);
}
