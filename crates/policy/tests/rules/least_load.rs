//! `smg-least-load`: section 1.4.

use tokenyard_policy::{By, Rates, Rule, Why};

use crate::world::{SECOND, World, rule};

/// Replicas that report so many queued tokens, so many tokens a second, and usage in percent.
fn reporting(replicas: &[(u64, f64, u32)]) -> World {
    let mut world = World::new(replicas.len() as u16);
    world.reported_at.fill(Some(0));
    world.kv_blocks.fill(100);
    for (r, (queued, generated, used)) in replicas.iter().enumerate() {
        world.queued_tokens[r] = *queued;
        world.rates[r] = Rates { generated: *generated, ..Rates::default() };
        world.kv_used[r] = *used;
    }
    world
}

fn scores(world: &mut World, rule: &mut dyn Rule) -> Vec<f64> {
    world.explained(rule).1.iter().map(|row| row.values[4]).collect()
}

fn close(got: &[f64], want: &[f64]) {
    assert_eq!(got.len(), want.len());
    assert!(got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-9), "{got:?}, not {want:?}");
}

#[test]
fn case_1_4_1_a_full_cache_may_be_better_than_a_long_queue() {
    let mut world = reporting(&[(4_000, 2_000.0, 50), (0, 2_000.0, 90)]);
    close(&scores(&mut world, &mut *rule("smg-least-load", &[])), &[2.15, 1.35]);
    assert_eq!(world.send(&mut *rule("smg-least-load", &[])), (1, Why::Least { by: By::QueueTime }));
}

#[test]
fn case_1_4_2_what_was_sent_since_the_poll_counts() {
    let mut world = reporting(&[(0, 2_000.0, 20), (0, 2_000.0, 20)]);
    let mut rule = rule("smg-least-load", &[]);
    world.prompt_tokens = 3_000;
    assert_eq!(world.send(&mut *rule), (0, Why::Least { by: By::QueueTime }));
    world.prompt_tokens = 10;
    close(&scores(&mut world.clone(), &mut *rule.clone()), &[1.5375, 0.0375]);
    assert_eq!(world.send(&mut *rule).0, 1);
    // A new report knows of it.
    world.reported_at.fill(Some(10 * SECOND));
    close(&scores(&mut world, &mut *rule), &[0.0375, 0.0375]);
}

#[test]
fn an_engine_without_a_throughput_has_the_default_one() {
    let mut world = reporting(&[(4_000, 0.0, 0), (4_000, 1_000.0, 0)]);
    close(&scores(&mut world, &mut *rule("smg-least-load", &[])), &[2.0, 4.0]);
}

#[test]
fn without_a_report_requests_count_as_tokens_at_the_peers_throughput() {
    let mut world = reporting(&[(0, 1_000.0, 0), (0, 3_000.0, 0), (0, 0.0, 0), (9, 9.0, 9)]);
    world.reported_at[3] = None;
    world.outstanding = vec![9, 9, 9, 5];
    // The mean of those above 0 is 2 000.
    let got = scores(&mut world, &mut *rule("smg-least-load", &[]));
    close(&got, &[0.0, 0.0, 0.0, 5.0 * 1_024.0 / 2_000.0]);
    world.rates.fill(Rates::default());
    close(&scores(&mut world, &mut *rule("smg-least-load", &[]))[3..], &[5.0 * 1_024.0 / 2_000.0]);
    world.reported_at.fill(None);
    close(&scores(&mut world, &mut *rule("smg-least-load", &[])), &[9.0, 9.0, 9.0, 5.0]);
}

#[test]
fn a_full_cache_is_bad_and_not_infinitely_so() {
    let mut world = reporting(&[(0, 2_000.0, 100)]);
    close(&scores(&mut world, &mut *rule("smg-least-load", &[])), &[0.15 * 0.999 / (1.0 - 0.999)]);
}

#[test]
fn the_only_candidate_is_not_charged_unless_the_setting_says_so() {
    for (uncounted, next) in [("on", 0), ("off", 1)] {
        let mut world = reporting(&[(0, 2_000.0, 0), (0, 2_000.0, 0)]);
        let mut rule = rule("smg-least-load", &[("only_uncounted", uncounted)]);
        world.prompt_tokens = 5_000;
        world.routable = vec![0];
        assert_eq!(world.send(&mut *rule), (0, Why::Only));
        world.routable = vec![0, 1];
        assert_eq!(world.send(&mut *rule).0, next, "{uncounted}");
    }
}

#[test]
fn a_request_of_unknown_length_counts_as_1024_tokens() {
    let mut world = reporting(&[(0, 2_000.0, 0), (1_500, 2_000.0, 0)]);
    let mut rule = rule("smg-least-load", &[("tokens", "unknown")]);
    world.prompt_tokens = 1;
    let sent: Vec<_> = (0..3).map(|_| world.send(&mut *rule).0).collect();
    assert_eq!(sent, [0, 0, 1]);
}
