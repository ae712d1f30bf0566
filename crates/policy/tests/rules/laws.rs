//! What holds for every rule, at its defaults and with every option of every choice.

use proptest::collection::vec;
use proptest::prelude::*;
use tokenyard_det::Stream;
use tokenyard_param::{Kind, Value, Values};
use tokenyard_policy::explain::MOST_TERMS;
use tokenyard_policy::rules::{RULES, by_id};
use tokenyard_policy::{Choice, Ending, Fact, Rule, RuleSpec, Signals, TieBreak, Why};

use crate::any::any_world;
use crate::world::{SECOND, World, digest};

/// Parameters under which a rule may send to nobody though replicas are routable.
const GATES: [&str; 4] = ["busy_decode_percent", "busy_prefill_tokens", "sheddable", "flow_control"];

/// Settings with every parameter drawn from its ends, its default and small steps; gates stay off.
fn drawn(spec: &'static RuleSpec, seed: u64) -> Values {
    let mut dice = Stream::new(seed, "settings", 0);
    let mut values = Values::defaults(spec.params);
    for (at, param) in spec.params.iter().enumerate().filter(|(_, param)| !GATES.contains(&param.key)) {
        let small = dice.below(6) as i64;
        let value = match (param.kind, dice.below(4)) {
            (Kind::Choice { options, .. }, _) => Value::Choice(dice.below(options.len() as u64) as u8),
            (Kind::Switch { .. }, one) => Value::Switch(one % 2 == 0),
            (Kind::Real { min, .. }, 0) => Value::Real(min),
            (Kind::Real { min, max, .. }, 1) => Value::Real(f64::midpoint(min, max)),
            (Kind::Int { min, max, .. }, 0 | 1) => Value::Int((min + small).min(max)),
            (Kind::OptInt { .. }, 0) => Value::Nothing,
            (Kind::OptInt { min, max, .. }, 1 | 2) => Value::Int((min + small).min(max)),
            (kind, _) => kind.default_value(),
        };
        assert!(values.set(at, value));
    }
    values
}

/// A rule's defaults, its presets, some drawn settings, and its defaults with one choice, switch or
/// number changed.
pub(crate) fn variants(spec: &'static RuleSpec) -> Vec<Values> {
    let mut all = vec![Values::defaults(spec.params)];
    all.extend(spec.presets.iter().map(|preset| preset.values(spec.params)));
    all.extend((0..6).map(|seed| drawn(spec, seed)));
    for (at, param) in spec.params.iter().enumerate() {
        let values: Vec<Value> = match param.kind {
            Kind::Choice { options, .. } => (0..options.len() as u8).map(Value::Choice).collect(),
            Kind::Switch { default } => vec![Value::Switch(!default)],
            Kind::Real { min, max, .. } => vec![Value::Real(min), Value::Real(f64::midpoint(min, max))],
            Kind::Int { min, max, .. } => vec![Value::Int(min), Value::Int(i64::midpoint(min, max))],
            Kind::OptInt { .. } => vec![Value::Nothing],
            Kind::Text { .. } => Vec::new(),
        };
        for value in values {
            let mut changed = Values::defaults(spec.params);
            assert!(changed.set(at, value));
            all.push(changed);
        }
    }
    all
}

fn every_rule() -> impl Iterator<Item = (&'static RuleSpec, Box<dyn Rule>)> {
    RULES.iter().flat_map(|spec| variants(spec).into_iter().map(|values| (*spec, (spec.build)(&values))))
}

/// The world without the columns that the rule did not ask for, filled with other numbers.
fn disturbed(world: &World, signals: Signals) -> World {
    let mut other = world.clone();
    let scramble = |column: &mut Vec<u32>| column.iter_mut().for_each(|v| *v = *v * 31 + 17);
    if !signals.has(Signals::OUTSTANDING) {
        scramble(&mut other.outstanding);
    }
    if !signals.has(Signals::QUEUES) {
        scramble(&mut other.waiting);
        other.running = Vec::new();
    }
    if !signals.has(Signals::KV) {
        scramble(&mut other.kv_used);
        other.kv_blocks = Vec::new();
    }
    if !signals.has(Signals::BOOKS) {
        other.prefill_tokens = Vec::new();
        [&mut other.decode_blocks, &mut other.new_blocks, &mut other.active].into_iter().for_each(scramble);
    }
    if !signals.has(Signals::OVERLAP) {
        other.overlap.reverse();
        scramble(&mut other.overlap);
    }
    if !signals.has(Signals::INDEXED) {
        other.indexed = Vec::new();
    }
    if !signals.has(Signals::BLOCKS) {
        other.blocks = vec![99; 3];
    }
    disturb_reports(&mut other, signals);
    other
}

fn disturb_reports(other: &mut World, signals: Signals) {
    if !signals.has(Signals::CONFIG) {
        other.config.reverse();
    }
    if !signals.has(Signals::AGES) {
        other.age = Vec::new();
    }
    if !signals.has(Signals::REPORTED) {
        other.reported_at.fill(Some(3));
    }
    if !signals.has(Signals::RATES) {
        other.rates = Vec::new();
    }
    if !signals.has(Signals::QUEUED_TOKENS) {
        other.queued_tokens.iter_mut().for_each(|tokens| *tokens = *tokens * 31 + 17);
    }
    if !signals.has(Signals::MEANS) {
        other.means.reverse();
    }
}

/// An attempt that ends in one way or another, as the world's numbers say.
fn ended(by: u16, world: &World) -> Fact {
    let ways = [
        Ending::Served,
        Ending::Failed,
        Ending::Limited,
        Ending::TooLong,
        Ending::TimedOut,
        Ending::Cancelled,
    ];
    let how = ways[world.prompt_tokens as usize % ways.len()];
    let output = if how == Ending::Served { world.prompt_tokens / 2 } else { 0 };
    let ttft = (output > 0).then_some(SECOND / 4);
    Fact::Ended { by, at: world.now, how, input: world.prompt_tokens, output, ttft, duration: SECOND }
}

/// Decides once in each world and, now and then, learns something.
fn live(rule: &mut dyn Rule, worlds: &[World]) -> Vec<Choice> {
    let step = |(at, world): (usize, &World)| {
        let choice = world.clone().choose(rule);
        if let Choice::Send { to, .. } = choice {
            match at % 4 {
                0 => rule.learn(&Fact::FirstToken { by: to, ttft: 1_000, at: world.now }),
                1 => rule.learn(&ended(to, world)),
                2 => rule.learn(&Fact::Left(to)),
                _ => rule.learn(&Fact::Joined(to)),
            }
        }
        choice
    };
    worlds.iter().enumerate().map(step).collect()
}

#[test]
fn declarations_hold_together() {
    let ids: Vec<_> = RULES.iter().map(|s| s.id).collect();
    let all = [
        "random",
        "round-robin",
        "least-outstanding",
        "power-of-two",
        "ray-power-of-two",
        "least-kv",
        "prefix-gap",
        "consistent-hash",
        "ring-hash",
        "maglev",
        "envoy-bounded-load",
        "bounded-load-ring",
        "ray-consistent-hash",
        "vllm-session",
        "vllm-consistent-hash",
        "sglang-manual",
        "sglang-prefix-hash",
        "sglang-cache-aware",
        "dynamo-kv",
        "kv-aware",
        "pure-kv",
    ];
    assert!(all.iter().all(|id| ids.contains(id)), "{ids:?}");
    let mut unique = ids.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), ids.len(), "two rules have one id");
    for spec in RULES {
        assert!(std::ptr::eq(by_id(spec.id).unwrap(), *spec));
        assert_eq!(spec.params.len(), spec.upstream.len(), "{}", spec.id);
        assert!(spec.terms.len() <= MOST_TERMS && !spec.source.is_empty(), "{}", spec.id);
        for (at, param) in spec.params.iter().enumerate() {
            let others = &spec.params[..at];
            assert!(others.iter().all(|o| o.key != param.key && o.link != param.link), "{}", param.key);
            let default = param.kind.default_value();
            let read = param.parse(&param.kind.write(&default));
            assert_eq!(read, Ok(default), "{}: the default is in range", param.key);
        }
    }
    assert!(by_id("none").is_none());
}

/// A preset says what it sets, and nothing that would be lost.
#[test]
fn presets_set_parameters_of_their_rule_within_range() {
    for spec in RULES {
        for (at, preset) in spec.presets.iter().enumerate() {
            assert!(spec.presets[..at].iter().all(|other| other.name != preset.name), "{}", preset.name);
            assert!(!preset.source.is_empty(), "{} {}", spec.id, preset.name);
            let values = preset.values(spec.params);
            for (key, text) in preset.params {
                let at = values.position(key).unwrap_or_else(|| panic!("{} has no {key}", spec.id));
                assert_eq!(values.at(at), spec.params[at].parse(text).ok().as_ref(), "{} {key}", preset.name);
            }
        }
    }
}

#[test]
fn defaults_are_those_of_the_named_upstream() {
    let of = |id| Values::defaults(by_id(id).unwrap().params);
    let sglang = of("sglang-cache-aware");
    assert_eq!([sglang.real("cache_threshold"), sglang.real("balance_rel")], [0.3, 1.5]);
    assert_eq!((sglang.int("balance_abs"), sglang.int("max_tree_size")), (64, 67_108_864));
    assert_eq!(sglang.int("eviction_interval_s"), 60);
    for id in ["dynamo-kv", "kv-aware"] {
        let dynamo = of(id);
        let keys = [
            "overlap_credit",
            "credit_decay",
            "prefill_scale",
            "host_weight",
            "disk_weight",
            "shared_weight",
            "request_weight",
            "temperature",
        ];
        assert_eq!(keys.map(|k| dynamo.real(k)), [1.0, 0.0, 1.0, 0.75, 0.25, 0.0, 0.0, 0.0]);
        assert!(dynamo.switch("track_prefill"));
    }
    assert_eq!(of("consistent-hash").int("virtual_nodes"), 150);
    assert_eq!(of("prefix-gap").opt_u32("gap_threshold"), Some(2));
    let ray = of("ray-prefix-affinity");
    assert_eq!((ray.opt_u32("imbalanced_threshold"), ray.real("match_rate_threshold")), (None, 0.1));
    assert!(!ray.switch("do_eviction"));
    assert_eq!(of("vllm-kvaware").int("threshold_tokens"), 2_000);
    assert_eq!(of("vllm-prefixaware").int("min_match_tokens"), 0);
    let aibrix = of("aibrix-prefix-cache");
    assert_eq!(
        (aibrix.opt_u32("imbalance"), aibrix.int("deviations"), aibrix.int("ttl_min")),
        (Some(8), 1, 20)
    );
    let epp = of("epp");
    assert_eq!(["queue_weight", "kv_weight", "prefix_weight"].map(|k| epp.real(k)), [2.0, 2.0, 3.0]);
    let (blocks, floor) = (epp.int("prefix_block_tokens"), epp.int("prefix_block_floor"));
    assert_eq!((blocks, floor, epp.int("lru_capacity")), (16, 64, 31_250));
    assert_eq!((epp.int("queue_depth"), epp.real("kv_usage"), epp.int("staleness_ms")), (5, 0.8, 200));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_choice_is_routable_and_nobody_means_nobody(worlds in vec(any_world(), 1..12)) {
        for (spec, mut rule) in every_rule() {
            for (choice, world) in live(&mut *rule, &worlds).iter().zip(&worlds) {
                match choice {
                    Choice::Nobody => prop_assert!(world.routable.is_empty(), "{}", spec.id),
                    Choice::Refused | Choice::Held => {
                        prop_assert!(!world.routable.is_empty(), "{}", spec.id);
                    }
                    Choice::Send { to, tied, .. } => {
                        prop_assert!(world.routable.contains(to), "{}: {choice:?}", spec.id);
                        prop_assert!((1..=world.routable.len() as u32).contains(tied), "{}", spec.id);
                    }
                }
            }
        }
    }

    #[test]
    fn a_clone_lives_the_same_life(worlds in vec(any_world(), 1..12), at in 0_usize..12) {
        for (spec, mut rule) in every_rule() {
            let (before, after) = worlds.split_at(at.min(worlds.len()));
            live(&mut *rule, before);
            let mut copy = rule.clone();
            prop_assert_eq!(digest(&*copy), digest(&*rule), "{}", spec.id);
            prop_assert_eq!(live(&mut *copy, after), live(&mut *rule, after), "{}", spec.id);
            prop_assert_eq!(digest(&*copy), digest(&*rule), "{}", spec.id);
        }
    }

    #[test]
    fn a_column_not_asked_for_moves_nothing(worlds in vec(any_world(), 1..8)) {
        for (spec, mut rule) in every_rule() {
            let signals = rule.signals();
            let others: Vec<World> = worlds.iter().map(|w| disturbed(w, signals)).collect();
            let mut twin = rule.clone();
            prop_assert_eq!(live(&mut *rule, &worlds), live(&mut *twin, &others), "{}", spec.id);
            prop_assert_eq!(digest(&*rule), digest(&*twin), "{}", spec.id);
        }
    }

    /// All that a rule keeps is in its `Debug` form; scratch memory is not.
    #[test]
    fn a_digest_changes_exactly_when_what_is_kept_does(worlds in vec(any_world(), 1..8)) {
        for (spec, mut rule) in every_rule() {
            for world in &worlds {
                let before = (format!("{rule:?}"), digest(&*rule));
                live(&mut *rule, core::slice::from_ref(world));
                let after = (format!("{rule:?}"), digest(&*rule));
                prop_assert_eq!(before.0 == after.0, before.1 == after.1, "{}: {:?}", spec.id, before.0);
            }
        }
    }

    #[test]
    fn explaining_changes_nothing_and_names_every_candidate(worlds in vec(any_world(), 1..8)) {
        for (spec, mut rule) in every_rule() {
            let mut twin = rule.clone();
            for world in &worlds {
                let choice = world.clone().choose(&mut *rule);
                let (explained, rows) = world.clone().explained(&mut *twin);
                prop_assert_eq!(choice, explained, "{}", spec.id);
                let drawn = matches!(choice, Choice::Nobody) || spec.terms.is_empty();
                let want = if drawn { Vec::new() } else { world.routable.clone() };
                prop_assert_eq!(rows.iter().map(|r| r.replica).collect::<Vec<_>>(), want, "{}", spec.id);
                for row in rows {
                    prop_assert!(row.values.iter().all(|v| v.is_finite()));
                    prop_assert!(row.values[spec.terms.len()..].iter().all(|v| *v == 0.0));
                }
            }
            prop_assert_eq!(digest(&*rule), digest(&*twin), "{}", spec.id);
        }
    }

    /// Where there is one smallest, who wins among equals is no question.
    #[test]
    fn the_tie_setting_decides_ties_only(world in any_world()) {
        for (spec, rule) in every_rule() {
            let ask = |ties| World { ties, ..world.clone() }.choose(&mut *rule.clone());
            let [upstream, first, last] = [TieBreak::Upstream, TieBreak::First, TieBreak::Last].map(ask);
            // Who wins a tie may be over a limit, so a refusal says nothing of the others.
            if matches!(first, Choice::Send { tied: 1, .. } | Choice::Nobody) {
                prop_assert_eq!((first, first), (upstream, last), "{}", spec.id);
            } else if let (Choice::Send { to: a, why, tied }, Choice::Send { to: b, .. }) = (first, last)
                && matches!(why, Why::Least { .. } | Why::Cost | Why::Score)
            {
                prop_assert!(a < b && tied > 1, "{}", spec.id);
            }
        }
    }
}
