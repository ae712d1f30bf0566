//! What routers believe: stale scrapes, own dispatches, peers, the accounting gap, prefix knowledge.

use tokenyard_fleet::World;
use tokenyard_fleet::metrics::Report;

use crate::{crowd, ran, stream};

/// How many of eight requests at one instant went to the busiest of four replicas.
fn most(fields: &[(&str, &str)]) -> usize {
    let four = [("fleet.replicas", "4"), ("router.ties", "first")];
    let world = ran(&crowd(&[&four[..], fields].concat()));
    let at_once = world.decisions().iter().take(8).map(|d| usize::from(d.to));
    let mut sent = [0; 4];
    at_once.for_each(|to| sent[to] += 1);
    sent.into_iter().max().unwrap_or(0)
}

#[test]
fn between_two_scrapes_everybody_goes_to_one_replica() {
    let scraped = ("router.load", "scraped");
    assert_eq!(most(&[]), 2, "own counts spread");
    assert_eq!(most(&[scraped]), 2, "fresh ones too");
    let stale = [scraped, ("router.scrape_ms", "1000")];
    assert_eq!(most(&stale), 8);
    let own = [scraped, ("router.scrape_ms", "1000"), ("router.own_dispatches", "on")];
    assert_eq!(most(&own), 2);
}

#[test]
fn two_routers_see_half_each_unless_they_share() {
    let two = ("router.routers", "2");
    // Each spreads its own four; both begin with the first replica.
    assert_eq!(most(&[two]), 2);
    let blind = [two, ("fleet.replicas", "8")];
    let sharing = [two, ("fleet.replicas", "8"), ("router.peer_sharing_ms", "0")];
    let first = |fields: &[(&str, &str)]| {
        let world = ran(&crowd(&[&[("router.ties", "first")][..], fields].concat()));
        world.decisions().iter().take(8).map(|d| d.to).collect::<Vec<_>>()
    };
    assert_eq!(first(&blind), [0, 0, 1, 1, 2, 2, 3, 3]);
    assert_eq!(first(&sharing), [0, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn a_pick_that_is_counted_late_is_not_seen_by_the_next() {
    assert_eq!(most(&[("router.accounting_gap_ms", "5")]), 8);
}

/// Means of blocks believed and not there, and there and not believed, at the chosen replica.
fn errors(fields: &[(&str, &str)]) -> (f64, f64) {
    let base = [
        ("workload.prefix", "families"),
        ("workload.families", "60"),
        ("fleet.kv_blocks", "1200"),
        ("workload.output_mean", "40"),
        ("router.rule", "dynamo-kv"),
        ("workload.requests", "1500"),
    ];
    let world: World = ran(&stream(&[&base[..], fields].concat()));
    let regret = Report::of(&world).regret;
    (regret.false_hits, regret.false_misses)
}

#[test]
fn knowledge_is_wrong_in_the_way_it_must_be() {
    assert_eq!(errors(&[("router.knowledge", "true")]), (0.0, 0.0));
    let (hits, misses) = errors(&[("router.knowledge", "none")]);
    assert!(hits == 0.0 && misses > 1.0, "{hits} {misses}");
    let (hits, _) = errors(&[("router.knowledge", "history")]);
    assert!(hits > 0.5, "a history never sees an eviction: {hits}");
    let (late_hits, late_misses) =
        errors(&[("router.knowledge", "events"), ("router.event_delay_ms", "2000")]);
    assert!(late_hits > 0.0 && late_misses > 0.1, "{late_hits} {late_misses}");
    let (soon_hits, soon_misses) = errors(&[("router.knowledge", "events"), ("router.event_delay_ms", "1")]);
    assert!(soon_misses < late_misses && soon_hits <= late_hits, "{soon_hits} {soon_misses}");
    let (_, lost) = errors(&[("router.knowledge", "events"), ("router.event_loss", "0.5")]);
    assert!(lost > 0.5, "{lost}");
    let cut = [
        ("router.knowledge", "events"),
        ("router.event_outage_from_s", "10"),
        ("router.event_outage_s", "20"),
    ];
    let (_, missing) = errors(&cut);
    assert!(missing > 0.5, "{missing}");
}

/// Requests that arrive within the delay of events are helped by what the router predicts itself.
#[test]
fn predicted_entries_close_the_window_of_late_events() {
    let late = [("router.knowledge", "events"), ("router.event_delay_ms", "2000")];
    let (_, without) = errors(&late);
    let (_, with) = errors(&[&late[..], &[("router.predicted_ttl_s", "5")]].concat());
    assert!(with * 2.0 < without, "{with} against {without}");
}

/// A record says what the router went by, and how old that was.
#[test]
fn records_show_the_belief_that_decided() {
    let fresh = ran(&stream(&[("router.load", "scraped"), ("router.own_dispatches", "on")]));
    let rows = fresh.decisions().iter().flat_map(|d| &d.rows);
    assert!(rows.into_iter().all(|row| row.age == 0 && row.believed_outstanding == row.outstanding));
    let stale = ran(&stream(&[("router.load", "scraped"), ("router.scrape_ms", "1000")]));
    for decision in stale.decisions() {
        let since = decision.at % tokenyard_fleet::time::SECOND;
        assert!(decision.rows.iter().all(|row| row.age == since), "{decision:?}");
    }
    let least = |d: &tokenyard_fleet::record::Decision| d.rows.iter().map(|r| r.believed_outstanding).min();
    let went_by = |d: &&std::sync::Arc<tokenyard_fleet::record::Decision>| {
        d.row(d.to).map(|row| row.believed_outstanding) == least(d)
    };
    for world in [&fresh, &stale] {
        assert_eq!(world.decisions().iter().filter(went_by).count(), world.decisions().len());
    }
}
