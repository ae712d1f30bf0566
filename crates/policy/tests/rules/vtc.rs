//! `aibrix-vtc-basic`: section 8.3.

use tokenyard_policy::{Rule, Why};

use crate::world::{SECOND, World, rule};

const EQUAL: [(&str, &str); 2] = [("input_weight", "1"), ("output_weight", "1")];

/// A rule whose tenant 0 has sent prompts of these lengths, without noise.
fn used(params: &[(&str, &str)], prompts: &[u32]) -> (World, Box<dyn Rule>) {
    let params = [&EQUAL[..], &[("noise", "0")], params].concat();
    let (mut world, mut rule) = (World::new(3), rule("aibrix-vtc-basic", &params));
    for tokens in prompts {
        world.prompt_tokens = *tokens;
        world.send(&mut *rule);
    }
    (world, rule)
}

/// Tokens of the tenant of the world, then the candidates' scores.
fn scored(world: &mut World, rule: &dyn Rule) -> (f64, Vec<f64>) {
    let (_, rows) = world.explained(&mut *rule.boxed_clone());
    (rows[0].values[0], rows.iter().map(|row| row.values[4]).collect())
}

/// 12 characters are 3 tokens, and 5 are expected back.
#[test]
fn case_8_3_1_twelve_characters_count_as_eight_tokens() {
    let (mut world, rule) = used(&[], &[3]);
    assert_eq!(scored(&mut world, &*rule).0, 8.0);
    // The real weights: 3 + 2 x 5.
    let (mut world, rule) = used(&[("output_weight", "2")], &[3]);
    assert_eq!(scored(&mut world, &*rule).0, 13.0);
    // A token of the model may have other than four characters.
    let (mut world, rule) = used(&[("chars_per_token", "6")], &[2]);
    assert_eq!(scored(&mut world, &*rule).0, 8.0);
}

#[test]
fn case_8_3_2_one_user_of_2250_tokens_goes_to_the_second_replica() {
    // 900 tokens and 1 350 expected.
    let (mut world, mut rule) = used(&[], &[900]);
    world.running = vec![80, 40, 10];
    let (tokens, scores) = scored(&mut world, &*rule);
    assert_eq!(tokens, 2_250.0);
    let want = [1.8, 0.4, 1.1];
    assert!(scores.iter().zip(want).all(|(got, want)| (got - want).abs() < 1e-12), "{scores:?}");
    assert_eq!(world.send(&mut *rule), (1, Why::Cost));
}

#[test]
fn light_users_go_to_the_first_replicas_and_heavy_ones_to_the_last() {
    let (mut world, mut rule) = used(&[], &[4_000]);
    world.tenant = 1;
    world.prompt_tokens = 4;
    assert_eq!(world.send(&mut *rule).0, 0);
    world.tenant = 0;
    // 10 000 tokens over a bucket of (10 + 10 000) / 2: two steps along the list.
    let (_, scores) = scored(&mut world, &*rule);
    assert!(scores[1] < scores[0] && scores[2] < 0.01, "{scores:?}");
    world.running = vec![0, 0, 500];
    let (_, scores) = scored(&mut world, &*rule);
    assert!((scores[2] - 1.0).abs() < 0.01, "a replica is no busier than busy: {scores:?}");
}

/// What counts is a place in the list of those that are routable now.
#[test]
fn the_outcome_depends_on_the_list() {
    let (mut world, mut rule) = used(&[], &[4_000]);
    world.routable = vec![1, 2];
    assert_eq!(world.send(&mut *rule).0, 2);
}

#[test]
fn a_minute_is_forgotten_when_it_began_before_the_window() {
    let (mut world, rule) = used(&[], &[900]);
    for (seconds, tokens) in [(300, 2_250.0), (301, 0.0)] {
        world.now = seconds * SECOND;
        assert_eq!(scored(&mut world, &*rule).0, tokens, "{seconds}");
    }
}

/// A light user who went away makes heavy ones look heavier, for ever or for the window.
#[test]
fn who_stays_away_counts_until_everybody_is_forgotten() {
    for (forgets, norm) in [("own", 16_000.0 / 8_008.0), ("all", 1.0)] {
        let (mut world, mut rule) = used(&[("forgets", forgets)], &[6]);
        world.tenant = 1;
        world.now = 301 * SECOND;
        world.prompt_tokens = 6_400;
        world.send(&mut *rule);
        // 16 000 tokens of tenant 1, and 15 of tenant 0, or nobody else.
        let (_, rows) = world.explained(&mut *rule.boxed_clone());
        assert!((rows[0].values[1] - norm).abs() < 1e-3, "{forgets}: {}", rows[0].values[1]);
    }
}

/// Up to a tenth of a score is chance, so equals are shared out.
#[test]
fn noise_breaks_ties_and_small_differences() {
    let mut world = World::new(2);
    let mut rule = rule("aibrix-vtc-basic", &[("fairness_weight", "0"), ("max_replica_load", "100")]);
    let mut hits = |running: [u32; 2]| {
        world.running = running.to_vec();
        (0..2_000).filter(|_| world.send(&mut *rule).0 == 0).count()
    };
    assert!((920..1_080).contains(&hits([0, 0])));
    // 5 more requests are 0.05: chance makes up for it one time in eight.
    assert!((200..300).contains(&hits([5, 0])));
    assert_eq!(hits([10, 0]), 0);
}
