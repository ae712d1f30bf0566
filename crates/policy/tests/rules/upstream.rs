//! Our rules against vectors that upstream's own code answered: `tests/conformance/python`, which
//! says how they are made and which version they are of.
//!
//! For every decision the set of whom upstream might have chosen is in the file. Ours is found by
//! asking copies of the rule with many streams; then the rule goes on as the copy that chose whom
//! upstream chose.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::Value;
use tokenyard_det::Stream;
use tokenyard_policy::{Choice, Ending, Fact, ReplicaConfig, ReplicaIx, Rule, TieBreak};

use crate::world::{World, rule};

/// An eighth of a second in picoseconds.
const EIGHTH: u64 = 125_000_000_000;
const MS: u64 = 1_000_000_000;

/// One file of vectors.
#[derive(Debug, Deserialize)]
pub(crate) struct File {
    rule: String,
    package: String,
    /// Decisions in all.
    states: usize,
    pub(crate) episodes: Vec<Episode>,
}

/// One fleet, and what happened to it.
#[derive(Debug, Deserialize)]
pub(crate) struct Episode {
    pub(crate) replicas: ReplicaIx,
    /// Weight, price, tokens and requests a minute of each replica.
    #[serde(default)]
    config: Vec<[Option<u32>; 4]>,
    #[serde(default)]
    params: serde_json::Map<String, Value>,
    pub(crate) steps: Vec<Vec<Value>>,
}

impl Episode {
    pub(crate) fn rule(&self, id: &str, more: &[(&str, &str)]) -> Box<dyn Rule> {
        let given = self.params.iter().map(|(key, text)| (key.as_str(), text.as_str().unwrap()));
        rule(id, &given.chain(more.iter().copied()).collect::<Vec<_>>())
    }

    fn world(&self) -> World {
        let mut world = World::new(self.replicas);
        for (config, [weight, price, tpm, rpm]) in world.config.iter_mut().zip(&self.config) {
            *config = ReplicaConfig { weight: *weight, price: *price, tpm: *tpm, rpm: *rpm };
        }
        world
    }
}

/// The vectors of a rule, and that they are all there.
pub(crate) fn file(id: &str) -> File {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/conformance/python/data");
    let text = std::fs::read_to_string(format!("{folder}/{id}.json")).unwrap();
    let file: File = serde_json::from_str(&text).unwrap();
    let decisions = file.episodes.iter().flat_map(|e| &e.steps).filter(|step| step[0] == "d").count();
    assert_eq!((file.rule.as_str(), file.states), (id, decisions));
    assert!(file.states >= 1_000 && file.package.contains(' '), "{} of {}", file.states, file.package);
    file
}

pub(crate) fn number(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

pub(crate) fn replicas(value: &Value) -> Vec<ReplicaIx> {
    value.as_array().unwrap().iter().map(|r| number(r) as ReplicaIx).collect()
}

/// What a rule may do now, by copies of it.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    pub(crate) sends: BTreeSet<ReplicaIx>,
    pub(crate) refuses: bool,
    /// The copy that sent it where it was asked to, or refused it where that is asked for.
    next: Option<Box<dyn Rule>>,
}

/// Asks `draws` copies, each with its own stream.
pub(crate) fn ask(rule: &dyn Rule, world: &mut World, draws: u64, to: Option<ReplicaIx>) -> Asked {
    let mut asked = Asked::default();
    for draw in 0..draws {
        let mut copy = rule.boxed_clone();
        world.stream = Stream::new(draw, "upstream", 0);
        let sent = match world.choose(&mut *copy) {
            Choice::Send { to, .. } => Some(to),
            Choice::Refused | Choice::Held | Choice::Nobody => None,
        };
        asked.sends.extend(sent);
        asked.refuses |= sent.is_none();
        if sent == to {
            asked.next.get_or_insert(copy);
        }
    }
    asked
}

/// Goes on as the copy that did as upstream did.
pub(crate) fn go_on(rule: &mut Box<dyn Rule>, asked: Asked, at: &str) {
    *rule = asked.next.unwrap_or_else(|| panic!("{at}: never as upstream"));
}

fn ended(step: &[Value]) -> Fact {
    let how = match step[3].as_str().unwrap() {
        "served" => Ending::Served,
        "failed" => Ending::Failed,
        "timed-out" => Ending::TimedOut,
        other => panic!("{other}"),
    };
    let served = how == Ending::Served;
    Fact::Ended {
        by: number(&step[2]) as ReplicaIx,
        at: number(&step[1]) * EIGHTH,
        how,
        input: number(&step[4]) as u32,
        output: if served { number(&step[5]) as u32 } else { 0 },
        ttft: served.then(|| number(&step[6]) * MS),
        duration: number(&step[7]) * MS,
    }
}

/// Every decision of a LiteLLM rule that learns. `fair`: ties are drawn, so the setting around the
/// rule reaches both ends of upstream's list.
fn litellm(id: &str, fair: bool, settings: &[(&str, &str)]) {
    let file = file(id);
    let (mut ties, mut refusals) = (0, 0);
    for (e, episode) in file.episodes.iter().enumerate() {
        let mut world = episode.world();
        let mut rule = episode.rule(id, &[&[("cooldown_s", "0")], settings].concat());
        for (s, step) in episode.steps.iter().enumerate() {
            let at = format!("{id}, {}, episode {e} step {s}: {step:?}", file.package);
            if step[0] == "e" {
                world.outstanding[number(&step[2]) as usize] -= 1;
                rule.learn(&ended(step));
                continue;
            }
            world.now = number(&step[1]) * EIGHTH;
            world.routable = replicas(&step[2]);
            world.prompt_tokens = number(&step[3]) as u32;
            let (of, refused) = (replicas(&step[4]), replicas(&step[5]));
            let to = step[6].as_u64().map(|to| to as ReplicaIx);
            let asked = ask(&*rule, &mut world, if of.len() + refused.len() < 2 { 4 } else { 80 }, to);
            assert!(asked.sends.iter().eq(&of), "{at}: {:?}", asked.sends);
            assert_eq!(asked.refuses, of.is_empty() || !refused.is_empty(), "{at}");
            ties += u32::from(of.len() > 1);
            refusals += u32::from(of.is_empty());
            if fair && refused.is_empty() && !of.is_empty() {
                for (ties, end) in [(TieBreak::First, of.first()), (TieBreak::Last, of.last())] {
                    world.ties = ties;
                    assert!(ask(&*rule, &mut world, 1, None).sends.iter().eq(end), "{at}: {ties:?}");
                }
                world.ties = TieBreak::Upstream;
            }
            go_on(&mut rule, asked, &at);
            if let Some(to) = to {
                world.outstanding[usize::from(to)] += 1;
            }
        }
    }
    println!("{id}: {} decisions, {ties} drawn, {refusals} refused", file.states);
    assert!(!fair || ties > 300);
}

#[test]
fn litellm_usage_based_is_as_upstream() {
    let presets = tokenyard_policy::rules::by_id("litellm-usage-based").unwrap().presets;
    let releases = presets.iter().find(|preset| preset.name == "releases").unwrap();
    litellm("litellm-usage-based", true, releases.params);
}

#[test]
fn litellm_latency_based_is_as_upstream() {
    litellm("litellm-latency-based", true, &[]);
}

#[test]
fn litellm_cost_based_is_as_upstream() {
    litellm("litellm-cost-based", false, &[]);
}

#[test]
fn litellm_least_busy_is_as_upstream() {
    litellm("litellm-least-busy", false, &[]);
}

/// The weights that are drawn by are the same shares.
#[test]
fn litellm_simple_shuffle_draws_by_upstreams_weights() {
    let file = file("litellm-simple-shuffle");
    for episode in &file.episodes {
        let (mut world, step) = (episode.world(), &episode.steps[0]);
        world.routable = replicas(&step[2]);
        let rows = world.explained(&mut *episode.rule("litellm-simple-shuffle", &[])).1;
        let weights: Vec<f64> = rows.iter().map(|row| row.values[0]).collect();
        let sum: f64 = weights.iter().sum();
        let upstream: Vec<f64> = step[3].as_array().unwrap().iter().map(|w| w.as_f64().unwrap()).collect();
        assert_eq!(weights.len(), upstream.len());
        // Shares of whole numbers: they differ in their last bits only, by what they were divided by.
        let near = weights.iter().zip(&upstream).all(|(ours, theirs)| (ours / sum - theirs).abs() < 1e-15);
        assert!(near, "{episode:?}");
    }
}

/// A decision without a memory: who may be chosen, at these queues, and whom upstream may choose.
#[test]
fn ray_power_of_two_reaches_whom_upstream_reaches() {
    let file = file("ray-power-of-two");
    for episode in &file.episodes {
        let (mut world, step) = (episode.world(), &episode.steps[0]);
        (world.routable, world.outstanding) = (replicas(&step[2]), numbers(&step[3]));
        let asked = ask(&*episode.rule("ray-power-of-two", &[]), &mut world, 400, None);
        assert!(asked.sends.iter().eq(&replicas(&step[4])), "{episode:?}: {:?}", asked.sends);
    }
}

/// Texts as blocks of one character. Who of a group with equal queues is first hangs on the order of
/// a set upstream, so all of them are in the file: here too, where ties are drawn.
#[test]
fn ray_prefix_affinity_is_as_upstream() {
    let file = file("ray-prefix-affinity");
    let mut several = 0;
    for (e, episode) in file.episodes.iter().enumerate() {
        let mut world = episode.world();
        world.ties = TieBreak::Random;
        let mut rule = episode.rule("ray-prefix-affinity", &[]);
        for (s, step) in episode.steps.iter().enumerate() {
            let at = format!("{}, {:?}, episode {e} step {s}: {step:?}", file.package, episode.params);
            world.now = number(&step[1]) * EIGHTH;
            world.say(step[2].as_str().unwrap());
            world.outstanding = numbers(&step[3]);
            let (of, to) = (replicas(&step[4]), number(&step[5]) as ReplicaIx);
            let asked = ask(&*rule, &mut world, if of.len() == 1 { 8 } else { 100 }, Some(to));
            assert!(asked.sends.iter().eq(&of), "{at}: {:?}", asked.sends);
            several += u32::from(of.len() > 1);
            go_on(&mut rule, asked, &at);
        }
    }
    assert!(several > 300, "{several}");
}

fn numbers(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|n| number(n) as u32).collect()
}
