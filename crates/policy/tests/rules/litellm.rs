//! LiteLLM's strategies: section 7.

use tokenyard_policy::{By, Choice, Ending, Fact, ReplicaConfig, Rule, Why};

use crate::world::{SECOND, World, ended, rule};

/// Replicas of which this is written down.
fn written(configs: &[ReplicaConfig]) -> World {
    let mut world = World::new(configs.len() as u16);
    world.config = configs.to_vec();
    world
}

fn spread(world: &mut World, rule: &mut dyn Rule, decisions: usize) -> Vec<usize> {
    let sent: Vec<u16> = (0..decisions).map(|_| world.send(rule).0).collect();
    (0..world.replicas).map(|r| sent.iter().filter(|to| **to == r).count()).collect()
}

const NONE: ReplicaConfig = ReplicaConfig { weight: None, price: None, tpm: None, rpm: None };

fn weight(weight: u32) -> ReplicaConfig {
    ReplicaConfig { weight: Some(weight), ..NONE }
}

fn limits(tpm: Option<u32>, rpm: Option<u32>) -> ReplicaConfig {
    ReplicaConfig { tpm, rpm, ..NONE }
}

#[test]
fn case_7_1_weights_of_nine_and_one_share_ninety_and_ten() {
    let mut world = written(&[weight(9_000), weight(1_000)]);
    let sent = spread(&mut world, &mut *rule("litellm-simple-shuffle", &[]), 10_000);
    assert!((8_900..9_100).contains(&sent[0]), "{sent:?}");
    // Loads are not looked at, and what is missing after the first is 0.
    world = written(&[weight(9_000), NONE]);
    world.outstanding = vec![1_000, 0];
    assert_eq!(spread(&mut world, &mut *rule("litellm-simple-shuffle", &[]), 100), [100, 0]);
}

#[test]
fn case_7_2_the_first_decides_what_is_drawn_by() {
    let mut world = written(&[NONE, limits(None, Some(99))]);
    let sent = spread(&mut world, &mut *rule("litellm-simple-shuffle", &[]), 4_000);
    assert!((1_870..2_130).contains(&sent[0]), "{sent:?}");
    // Requests a minute come before tokens a minute; a weight before both.
    let first = limits(Some(1), Some(3));
    for (configs, share) in [
        ([first, limits(Some(99), Some(1))], 0.75),
        ([limits(Some(1), None), limits(Some(3), Some(9))], 0.25),
        ([ReplicaConfig { weight: Some(1_000), ..first }, weight(1_000)], 0.5),
    ] {
        let sent = spread(&mut written(&configs), &mut *rule("litellm-simple-shuffle", &[]), 8_000);
        assert!((sent[0] as f64 / 8_000.0 - share).abs() < 0.02, "{configs:?}: {sent:?}");
    }
}

/// A rule that has seen A answer at 25 ms a token and B at 30.
fn two_seen(params: &[(&str, &str)]) -> Box<dyn Rule> {
    let mut rule = rule("litellm-latency-based", params);
    rule.learn(&ended(0, 1, Ending::Served, [100, 40], 1.0));
    rule.learn(&ended(1, 1, Ending::Served, [100, 40], 1.2));
    rule
}

#[test]
fn case_7_3_the_lowest_mean_or_anybody_within_the_buffer_and_the_unseen_first() {
    let mut world = World::new(2);
    world.now = 2 * SECOND;
    assert_eq!(spread(&mut world, &mut *two_seen(&[]), 100), [100, 0]);
    let sent = spread(&mut world, &mut *two_seen(&[("buffer", "0.25")]), 2_000);
    assert!((900..1_100).contains(&sent[0]), "{sent:?}");
    assert_eq!(spread(&mut world, &mut *two_seen(&[("buffer", "0.19")]), 100), [100, 0]);
    let mut world = World::new(3);
    world.now = 2 * SECOND;
    assert_eq!(spread(&mut world, &mut *two_seen(&[("buffer", "0.25")]), 100), [0, 0, 100]);
}

/// A has used 900 of 1 000 tokens, B 500; 600 more fit nowhere.
#[test]
fn case_7_4_a_prompt_that_fits_nowhere_is_refused() {
    let mut world = written(&[limits(Some(1_000), None); 2]);
    let mut rule = rule("litellm-usage-based", &[]);
    rule.learn(&ended(0, 1, Ending::Served, [800, 100], 1.0));
    rule.learn(&ended(1, 1, Ending::Served, [300, 200], 1.0));
    (world.now, world.prompt_tokens) = (5 * SECOND, 600);
    assert_eq!(world.choose(&mut *rule), Choice::Refused);
    for (tokens, to) in [(500, 1), (100, 1)] {
        world.prompt_tokens = tokens;
        assert_eq!(world.send(&mut *rule), (to, Why::Least { by: By::MinuteTokens }));
    }
    // The minute is the calendar's.
    (world.now, world.prompt_tokens) = (60 * SECOND, 600);
    assert!(matches!(world.choose(&mut *rule), Choice::Send { tied: 2, .. }));
    world.routable.clear();
    assert_eq!(world.choose(&mut *rule), Choice::Nobody);
}

/// A is out for 5 s, and the others have half as much again.
#[test]
fn case_7_5_a_rate_limit_leaves_a_replica_out_for_five_seconds() {
    let mut world = World::new(3);
    let mut rule = rule("litellm-simple-shuffle", &[]);
    let mut sent = |rule: &mut dyn Rule, second: u64| {
        world.now = second * SECOND;
        spread(&mut world, rule, 6_000)
    };
    assert!(sent(&mut *rule, 0).iter().all(|n| (1_880..2_120).contains(n)));
    rule.learn(&ended(0, 10, Ending::Limited, [100, 0], 0.1));
    let left = sent(&mut *rule, 14);
    assert!(left[0] == 0 && left[1..].iter().all(|n| (2_850..3_150).contains(n)), "{left:?}");
    assert!(sent(&mut *rule, 15)[0] > 1_800);
}

#[test]
fn a_half_of_five_failures_cools_and_what_the_client_did_wrong_does_not() {
    let out = |fleet: u16, ways: &[Ending]| {
        let (mut world, mut rule) = (World::new(fleet), rule("litellm-simple-shuffle", &[]));
        world.choose(&mut *rule);
        ways.iter().for_each(|how| rule.learn(&ended(0, 10, *how, [9, 9], 1.0)));
        world.now = 12 * SECOND;
        world.routable = vec![0];
        world.choose(&mut *rule) == Choice::Refused
    };
    use Ending::{Cancelled, Failed, Limited, Served, TimedOut, TooLong};
    assert!(!out(2, &[Failed; 4]), "too few to judge");
    assert!(out(2, &[Failed; 5]) && out(2, &[Served, Served, TimedOut, TimedOut, TimedOut]));
    assert!(!out(2, &[Served, Served, Served, TimedOut, TimedOut]));
    assert!(!out(2, &[TooLong; 9]) && !out(2, &[Cancelled; 9]));
    assert!(out(2, &[Limited]) && !out(1, &[Limited]), "a group of one is not emptied");
    assert!(!out(1, &[Failed; 999]) && out(1, &[Failed; 1_000]));
}

/// Fails + 1 over what is allowed; a count lives as long as a cooldown from its last failure on, and
/// the failure that is too many does not count.
#[test]
fn section_7_the_older_form_allows_so_many_failures() {
    let out_at = |allowed: &str, failures: &[(u64, Ending)], second: u64| {
        let mut world = World::new(2);
        let mut rule = rule("litellm-simple-shuffle", &[("allowed_fails", allowed)]);
        world.choose(&mut *rule);
        failures.iter().for_each(|(at, how)| rule.learn(&ended(0, *at, *how, [9, 0], 0.1)));
        world.now = second * SECOND;
        world.routable = vec![0];
        world.choose(&mut *rule) == Choice::Refused
    };
    use Ending::{Failed, Limited, TimedOut, TooLong};
    let three = [(10, Failed), (11, TimedOut), (12, Limited)];
    assert!(out_at("2", &three, 13) && !out_at("3", &three, 13));
    assert!(out_at("0", &[(10, Limited)], 11) && !out_at("1", &[(10, Limited)], 11));
    assert!(!out_at("0", &[(10, TooLong)], 11), "what the client did wrong");
    // 5 s after the last failure the count is gone, a moment earlier it is not.
    assert!(out_at("2", &[(10, Failed), (15, Failed), (20, Failed)], 21));
    assert!(!out_at("2", &[(10, Failed), (15, Failed), (21, Failed)], 22));
    // It stays at what is allowed, so the first failure after a cooldown is too many again.
    assert!(out_at("1", &[(10, Failed), (11, Failed), (15, Failed)], 19));
}

#[test]
fn every_strategy_refuses_when_everybody_cools() {
    for strategy in ["simple-shuffle", "least-busy", "usage-based", "latency-based", "cost-based"] {
        let id = format!("litellm-{strategy}");
        let (mut world, mut rule) = (World::new(2), rule(&id, &[]));
        world.send(&mut *rule);
        let limited = |by| ended(by, 1, Ending::Limited, [9, 0], 0.1);
        [0, 1].into_iter().for_each(|by| rule.learn(&limited(by)));
        world.now = SECOND;
        assert_eq!(world.choose(&mut *rule), Choice::Refused, "{id}");
        world.now = 6 * SECOND;
        assert!(matches!(world.choose(&mut *rule), Choice::Send { .. }), "{id}");
    }
}

#[test]
fn least_busy_looks_also_at_who_may_not_be_chosen() {
    let mut world = World::new(3);
    world.outstanding = vec![4, 2, 3];
    for (among, want) in [("counted", Why::Drawn), ("candidates", Why::Least { by: By::Counted })] {
        let mut rule = rule("litellm-least-busy", &[("among", among)]);
        assert_eq!(world.send(&mut *rule), (1, Why::Least { by: By::Counted }));
        let mut without = World { routable: vec![0, 2], ..world.clone() };
        assert_eq!(without.send(&mut *rule).1, want, "{among}");
    }
    // One that never was a candidate is not counted.
    world.routable = vec![0, 2];
    assert_eq!(world.send(&mut *rule("litellm-least-busy", &[])), (2, Why::Least { by: By::Counted }));
}

/// Requests that outlive the counter are counted off and not on, so whoever had most of them looks
/// idle below nothing: all goes there (report 27).
#[test]
fn least_busy_herds_after_its_counter_has_expired() {
    for (ttl, herd) in [("600", true), ("none", false)] {
        let mut world = World::new(4);
        let mut rule = rule("litellm-least-busy", &[("counter_ttl_s", ttl)]);
        world.outstanding = vec![10, 12, 40, 11];
        assert_eq!(world.send(&mut *rule).0, 0);
        world.now = 601 * SECOND;
        // One of replica 2's ends just before the next decision.
        rule.learn(&ended(2, 601, Ending::Served, [9, 9], 1.0));
        world.outstanding = vec![11, 12, 39, 11];
        world.send(&mut *rule);
        // Everything that was in flight has ended; each sends one at a time.
        world.outstanding = vec![0; 4];
        let mut sent = [0; 4];
        for _ in 0..40 {
            let (to, _) = world.send(&mut *rule);
            world.outstanding[usize::from(to)] += 1;
            sent[usize::from(to)] += 1;
        }
        if herd {
            assert!(sent[2] >= 30, "{sent:?}");
        } else {
            assert_eq!(sent, [10; 4]);
        }
    }
}

/// The limit on requests is meant for the selection, and strikes after it.
#[test]
fn a_late_check_refuses_though_others_are_free() {
    for (check, third) in [("late", None), ("selection", Some(1))] {
        let mut world = written(&[limits(None, Some(2)), NONE]);
        let mut rule = rule("litellm-usage-based", &[("rpm_check", check)]);
        // Replica 1 has served tokens in this minute, so replica 0 is the lowest.
        rule.learn(&ended(1, 1, Ending::Served, [9, 9], 1.0));
        world.now = 2 * SECOND;
        assert_eq!([(); 2].map(|()| world.send(&mut *rule).0), [0, 0]);
        let choice = world.choose(&mut *rule);
        match third {
            None => assert_eq!(choice, Choice::Refused),
            Some(want) => assert!(matches!(choice, Choice::Send { to, .. } if to == want), "{choice:?}"),
        }
    }
}

/// The mean that is compared after samples of whole seconds a token.
fn mean(params: &[(&str, &str)], samples: &[u32]) -> f64 {
    let mut rule = rule("litellm-latency-based", params);
    let served = |seconds: &u32| ended(0, 1, Ending::Served, [9, 1], f64::from(*seconds));
    samples.iter().for_each(|seconds| rule.learn(&served(seconds)));
    let mut world = World::new(1);
    world.now = 2 * SECOND;
    world.explained(&mut *rule).1[0].values[0]
}

#[test]
fn a_full_list_keeps_its_oldest_samples_and_writes_over_the_last() {
    let (slow, fast) = ([50; 10], [1; 30]);
    let samples = [&slow[..], &fast[..]].concat();
    assert!((mean(&[], &samples) - (9.0 * 50.0 + 1.0) / 10.0).abs() < 1e-9);
    assert!((mean(&[("window", "sliding")], &samples) - 1.0).abs() < 1e-9);
    assert!((mean(&[("list_size", "1")], &samples) - 1.0).abs() < 1e-9);
}

#[test]
fn a_timeout_counts_as_a_thousand_seconds_a_token() {
    let mut rule = two_seen(&[]);
    rule.learn(&ended(0, 2, Ending::TimedOut, [9, 0], 30.0));
    let mut world = World::new(2);
    world.now = 3 * SECOND;
    let (choice, rows) = world.explained(&mut *rule);
    assert!((rows[0].values[0] - (0.025 + 1_000.0) / 2.0).abs() < 1e-9);
    assert_eq!(choice, Choice::Send { to: 1, why: Why::Least { by: By::SecondsPerToken }, tied: 1 });
    rule.learn(&ended(1, 2, Ending::Failed, [9, 0], 30.0));
    assert_eq!(world.send(&mut *rule).0, 1, "only timeouts count");
}

/// A replica that was met without samples keeps the 0 it was met with.
#[test]
fn the_first_zero_stays_in_the_list() {
    for (zero, want) in [("on", 2.0), ("off", 4.0)] {
        let mut rule = rule("litellm-latency-based", &[("first_zero", zero)]);
        rule.learn(&ended(0, 1, Ending::Served, [9, 1], 3.0));
        let mut world = World::new(2);
        world.now = 2 * SECOND;
        assert_eq!(world.send(&mut *rule).0, 1);
        rule.learn(&ended(1, 3, Ending::Served, [9, 1], 4.0));
        world.now = 4 * SECOND;
        assert_eq!(world.explained(&mut *rule).1[1].values[0], want, "{zero}");
    }
    // Before there are any lists it is not kept: both are met, and one answers.
    let mut rule = rule("litellm-latency-based", &[]);
    let mut world = World::new(2);
    world.send(&mut *rule);
    rule.learn(&ended(0, 1, Ending::Served, [9, 1], 3.0));
    assert_eq!(world.explained(&mut *rule).1[0].values[0], 3.0);
}

#[test]
fn streaming_compares_first_tokens_divided_like_whole_answers() {
    // Half of 1.0 s over 40 tokens, and half of 1.2.
    let mut world = World::new(2);
    world.now = 2 * SECOND;
    let (_, rows) = world.explained(&mut *two_seen(&[("streaming", "on")]));
    let got = [rows[0].values[0], rows[1].values[0]];
    assert!((got[0] - 0.0125).abs() < 1e-12 && (got[1] - 0.015).abs() < 1e-12, "{got:?}");
}

#[test]
fn lists_expire_together_an_hour_after_the_first_sample() {
    let (mut world, mut rule) = (World::new(2), two_seen(&[]));
    rule.learn(&ended(0, 3_000, Ending::Served, [9, 1], 500.0));
    world.now = 3_601 * SECOND;
    assert_eq!(world.send(&mut *rule.boxed_clone()).0, 1);
    world.now = 3_602 * SECOND;
    let (choice, _) = world.explained(&mut *rule);
    assert!(matches!(choice, Choice::Send { tied: 2, .. }), "{choice:?}");
}

fn priced(price: Option<u32>) -> ReplicaConfig {
    ReplicaConfig { price, ..NONE }
}

#[test]
fn the_cheapest_is_taken_and_an_unknown_price_is_ten_a_token() {
    let cases = [
        ([Some(300), Some(100), Some(200)], 1),
        ([Some(100), Some(100), Some(200)], 0),
        ([None, Some(999_999), Some(1_000_000)], 1),
        ([None, None, None], 0),
    ];
    for (prices, to) in cases {
        let mut world = written(&prices.map(priced));
        assert_eq!(world.send(&mut *rule("litellm-cost-based", &[])), (to, Why::Cost), "{prices:?}");
    }
}

#[test]
fn limits_send_to_the_next_cheapest_and_then_to_nobody() {
    let one = ReplicaConfig { price: Some(1), tpm: Some(100), ..NONE };
    let two = ReplicaConfig { price: Some(2), rpm: Some(1), ..NONE };
    let (mut world, mut rule) = (written(&[one, two]), rule("litellm-cost-based", &[]));
    world.prompt_tokens = 60;
    assert_eq!(world.send(&mut *rule).0, 0);
    rule.learn(&ended(0, 1, Ending::Served, [60, 10], 1.0));
    world.now = 2 * SECOND;
    assert_eq!(world.send(&mut *rule).0, 1);
    rule.learn(&ended(1, 2, Ending::Served, [60, 10], 1.0));
    assert_eq!(world.choose(&mut *rule), Choice::Refused);
    let first = Fact::FirstToken { by: 0, ttft: 1, at: 1 };
    rule.learn(&first);
    world.now = 60 * SECOND;
    assert_eq!(world.send(&mut *rule).0, 0);
}

#[test]
fn the_cheapest_of_equals_is_the_first_that_was_served_and_a_price_of_nothing_is_unknown() {
    let price = |price| ReplicaConfig { price: Some(price), ..NONE };
    let (mut world, mut rule) = (written(&[price(0), price(4), price(4)]), rule("litellm-cost-based", &[]));
    assert_eq!(world.send(&mut *rule), (1, Why::Cost));
    rule.learn(&ended(2, 1, Ending::Served, [9, 9], 1.0));
    world.now = 2 * SECOND;
    assert_eq!(world.send(&mut *rule), (2, Why::Cost));
    // After 600 s the order is forgotten.
    world.now = 602 * SECOND;
    assert_eq!(world.send(&mut *rule), (1, Why::Cost));
}

#[test]
fn counts_of_the_minute_expire_with_the_samples() {
    let mut world = written(&[limits(None, Some(1))]);
    let mut rule = rule("litellm-latency-based", &[("ttl_s", "10")]);
    rule.learn(&ended(0, 1, Ending::Served, [9, 9], 1.0));
    world.now = 11 * SECOND;
    assert_eq!(world.choose(&mut *rule), Choice::Refused);
    world.now = 12 * SECOND;
    assert_eq!(world.send(&mut *rule).0, 0);
}

#[test]
fn the_least_busy_of_equals_is_the_first_that_was_counted() {
    let (mut world, mut rule) = (World::new(3), rule("litellm-least-busy", &[]));
    world.routable = vec![1, 2];
    assert_eq!(world.send(&mut *rule).0, 1);
    world.routable = vec![0, 1, 2];
    // Nobody is in flight any more.
    assert_eq!(world.send(&mut *rule).0, 1);
}

#[test]
fn the_short_check_leaves_a_replica_out_one_request_before_its_limit() {
    for (most, sent) in [(1, 1), (2, 1), (3, 2)] {
        let mut world = written(&[limits(None, Some(most))]);
        let mut rule = rule("litellm-usage-based", &[("rpm_check", "short")]);
        for _ in 0..sent {
            assert_eq!(world.send(&mut *rule).0, 0, "{most}");
        }
        assert_eq!(world.choose(&mut *rule), Choice::Refused, "{most}");
    }
}
