//! Failure, start-up, blackout, slow start, drain.

use tokenyard_fleet::World;
use tokenyard_fleet::metrics::Status;
use tokenyard_fleet::scenario::ChangeKind;
use tokenyard_fleet::time::{MILLI, SECOND};
use tokenyard_fleet::world::{End, Step};

use crate::{at_ms, count, crowd, ran, sent_to, stream};

/// Seconds after a restart at 4 s until something is sent to replica 0.
fn back_after(fields: &[(&str, &str)]) -> f64 {
    let mut scenario = stream(fields);
    at_ms(&mut scenario, 4_000, 0, ChangeKind::Restart);
    let world = ran(&scenario);
    let first = sent_to(&world, 0).into_iter().find(|at| *at >= 4 * SECOND).unwrap();
    (first - 4 * SECOND) as f64 / SECOND as f64
}

#[test]
fn a_replica_comes_back_after_start_up_and_blackout() {
    assert!(back_after(&[]) < 0.2);
    let up = [("fleet.start_up_s", "3")];
    assert!((3.0..3.2).contains(&back_after(&up)));
    let dark = [("fleet.start_up_s", "3"), ("fleet.blackout_s", "2")];
    assert!((5.0..5.2).contains(&back_after(&dark)));
}

#[test]
fn slow_start_sends_little_at_first() {
    let share = |fields: &[(&str, &str)]| {
        let mut scenario = stream(fields);
        at_ms(&mut scenario, 4_000, 0, ChangeKind::Restart);
        let world = ran(&scenario);
        let soon = |at: &u64| (4 * SECOND..6 * SECOND).contains(at);
        sent_to(&world, 0).iter().filter(|at| soon(at)).count()
    };
    let (fast, slow) = (share(&[]), share(&[("fleet.slow_start_s", "20")]));
    assert!(slow * 2 < fast, "a stampede of {fast} against {slow}");
}

#[test]
fn a_drained_replica_finishes_what_it_has_and_gets_nothing() {
    let mut scenario = stream(&[]);
    at_ms(&mut scenario, 4_000, 1, ChangeKind::Drain);
    let world = ran(&scenario);
    assert!(!sent_to(&world, 1).iter().any(|at| *at >= 4 * SECOND));
    assert_eq!(count(&world, Status::Served), 600);
}

#[test]
fn a_fleet_that_never_comes_back_is_told_apart_from_one_that_is_done() {
    let arrival = ran(&crowd(&[])).outcomes().all()[0].arrival / MILLI;
    let mut scenario = crowd(&[]);
    at_ms(&mut scenario, arrival + 50, 0, ChangeKind::Fail);
    at_ms(&mut scenario, arrival + 50, 1, ChangeKind::Fail);
    let mut world = World::new(&scenario, None);
    let end = loop {
        if let Step::Ended(end) = world.step() {
            break end;
        }
    };
    assert_eq!((end, count(&world, Status::Failed)), (End::Drained, 8), "nobody tries again");
    let mut scenario = crowd(&[("client.attempts", "2"), ("client.backoff", "none")]);
    at_ms(&mut scenario, arrival + 50, 0, ChangeKind::Fail);
    at_ms(&mut scenario, arrival + 50, 1, ChangeKind::Fail);
    let mut world = World::new(&scenario, None);
    let end = loop {
        if let Step::Ended(end) = world.step() {
            break end;
        }
    };
    assert_eq!((end, world.in_system()), (End::Stuck, 8), "they wait for nobody");
}

#[test]
fn limits_stop_a_run_and_say_which() {
    let mut scenario = stream(&[("limits.events", "500")]);
    let mut world = World::new(&scenario, None);
    while let Step::Did(_) = world.step() {}
    assert_eq!((world.step(), world.events()), (Step::Ended(End::Events), 500));
    scenario = stream(&[("limits.simulated_s", "3")]);
    let mut world = World::new(&scenario, None);
    while let Step::Did(at) = world.step() {
        assert!(at <= 3 * SECOND);
    }
    assert_eq!(world.step(), Step::Ended(End::Time));
}
