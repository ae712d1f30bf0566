//! What rules declare of themselves: how old their signals are, and what a decision costs.

use tokenyard_param::Values;
use tokenyard_policy::rules::{RULES, by_id};
use tokenyard_policy::{Age, Knowledge, RuleSpec, Signals, measured};

fn reads(rule: &RuleSpec) -> Signals {
    (rule.build)(&Values::defaults(rule.params)).signals()
}

#[test]
fn every_rule_was_measured_and_nothing_else() {
    let measured: Vec<&str> = measured::rows().map(|(id, _)| id).collect();
    let rules: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
    assert_eq!(measured, rules, "UPDATE='date, machine' cargo run --release --bin decisions");
    for (id, cost) in measured::rows() {
        assert!(cost.at_16 > 0 && cost.at_256 > 0, "{id}: {cost:?}");
        assert_eq!(measured::cost(id), Some(cost));
    }
    assert_eq!(measured::cost("nobody"), None);
    let numbers: Vec<usize> = measured::date().split('-').map(str::len).collect();
    assert_eq!(numbers, [4, 2, 2], "{}", measured::date());
    assert!(measured::machine().contains(' '), "in words: {}", measured::machine());
}

/// What an engine reports has an age, and so has every load and what is known of prefixes.
#[test]
fn ages_fit_what_rules_read() {
    let engines = [Signals::QUEUES, Signals::KV, Signals::RATES, Signals::QUEUED_TOKENS, Signals::OVERLAP];
    let engines = engines.into_iter().fold(Signals::REPORTED, Signals::and);
    let old = engines.and(Signals::OUTSTANDING).and(Signals::BOOKS);
    for rule in RULES {
        let (reads, age) = (reads(rule), rule.signals_age);
        let told = !matches!(age, Age::None | Age::Current);
        assert!(told || !reads.any(engines), "{} reads engines and is {age:?}", rule.id);
        assert!(age != Age::None || !reads.any(old), "{} reads what can be old", rule.id);
        assert!(age != Age::None || rule.knowledge == Knowledge::None, "{} knows prefixes", rule.id);
        let events = matches!(age, Age::Events { .. });
        assert!(events || rule.knowledge != Knowledge::Events, "{} knows by events", rule.id);
    }
}

/// A window is as long as the parameter says that upstream has for it.
#[test]
fn windows_are_as_long_as_their_parameters() {
    let with_parameter = [
        ("sglang-bucket", "adjust_interval_s"),
        ("peak-ewma", "decay_s"),
        ("aibrix-vtc-basic", "window_s"),
        ("litellm-latency-based", "ttl_s"),
    ];
    for (id, key) in with_parameter {
        let rule = by_id(id).unwrap();
        let Age::Window { s } = rule.signals_age else { panic!("{id}: {:?}", rule.signals_age) };
        assert_eq!(f64::from(s), Values::defaults(rule.params).real(key), "{id}");
    }
    let session = by_id("vllm-session").unwrap();
    assert_eq!(session.signals_age, Age::Window { s: Values::defaults(session.params).u32("window_s") });
    // Sections 1.1, 1.3, 1.4, 3.1, 5 and 6.3: polls, the life of a cached length, weight updates.
    for (id, ms) in [
        ("power-of-two-distinct", 10_000),
        ("smg-least-load", 10_000),
        ("ray-power-of-two", 10_000),
        ("epp", 50),
        ("envoy-cswrr", 1_000),
    ] {
        assert_eq!(by_id(id).unwrap().signals_age, Age::Polled { ms }, "{id}");
    }
}
