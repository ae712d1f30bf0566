//! The cost of `dynamo-kv`: section 2, from a table, by the pure function and through both rules.

use serde::Deserialize;
use tokenyard_policy::dynamo::{self, Inputs, Params, Role, Selection};
use tokenyard_policy::{Choice, Why};

use crate::cases;
use crate::world::{World, rule};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    block_tokens: u32,
    prompt_tokens: u64,
    #[serde(default)]
    params: Given,
    worker: Vec<Worker>,
    costs: Vec<f64>,
    wins: usize,
}

/// Settings of a case by the letters of the section; those left out are at their defaults.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Given {
    c: Option<f64>,
    d: Option<f64>,
    p: Option<f64>,
    s: Option<f64>,
    r: Option<f64>,
    track_prefill: Option<bool>,
    decode: bool,
    lmetric: bool,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Worker {
    prefill_tokens: u64,
    cached_tokens: u64,
    decode_blocks: u32,
    new_blocks: u32,
    active_requests: u32,
    device: f64,
    host: f64,
    disk: f64,
    shared: u32,
}

impl Given {
    fn params(&self) -> Params {
        let usual = Params::default();
        Params {
            overlap_credit: self.c.unwrap_or(usual.overlap_credit),
            credit_decay: self.d.unwrap_or(usual.credit_decay),
            prefill_scale: self.p.unwrap_or(usual.prefill_scale),
            shared_weight: self.s.unwrap_or(usual.shared_weight),
            request_weight: self.r.unwrap_or(usual.request_weight),
            track_prefill: self.track_prefill.unwrap_or(usual.track_prefill),
            role: if self.decode { Role::Decode } else { Role::Any },
            selection: if self.lmetric { Selection::Lmetric } else { Selection::Cost },
            ..usual
        }
    }

    /// The same as the rules' parameters are written.
    fn written(&self) -> Vec<(&'static str, String)> {
        let numbers = [
            ("overlap_credit", self.c),
            ("credit_decay", self.d),
            ("prefill_scale", self.p),
            ("shared_weight", self.s),
            ("request_weight", self.r),
        ];
        let mut all: Vec<_> =
            numbers.into_iter().filter_map(|(key, v)| Some((key, v?.to_string()))).collect();
        let on = |on: bool| if on { "on" } else { "off" }.to_owned();
        all.extend(self.track_prefill.map(|v| ("track_prefill", on(v))));
        all.push(("role", if self.decode { "decode" } else { "any" }.to_owned()));
        all.push(("selection", if self.lmetric { "lmetric" } else { "cost" }.to_owned()));
        all
    }
}

impl Case {
    fn inputs(&self) -> Vec<Inputs> {
        let least = self.worker.iter().map(|w| w.prefill_tokens).min().unwrap();
        let inputs = self.worker.iter().map(|w| Inputs {
            prompt_tokens: self.prompt_tokens,
            block_tokens: self.block_tokens,
            active_prefill_tokens: w.prefill_tokens,
            least_prefill_tokens: least,
            cached_tokens: w.cached_tokens,
            decode_blocks: w.decode_blocks.into(),
            new_blocks: w.new_blocks.into(),
            active_requests: w.active_requests.into(),
            device: w.device,
            host: w.host,
            disk: w.disk,
            shared_beyond_device: w.shared,
            multiplier: 1.0,
        });
        inputs.collect()
    }

    /// The case as a router sees it; `None` where a tier is in it that routers do not see.
    fn world(&self) -> Option<World> {
        let mut world = World::new(self.worker.len() as u16);
        world.prompt_tokens = self.prompt_tokens as u32;
        world.block_tokens = self.block_tokens;
        for (at, w) in self.worker.iter().enumerate() {
            if w.host > 0.0 || w.disk > 0.0 || w.shared > 0 {
                return None;
            }
            world.prefill_tokens[at] = w.prefill_tokens;
            world.decode_blocks[at] = w.decode_blocks;
            world.new_blocks[at] = w.new_blocks;
            world.active[at] = w.active_requests;
            world.overlap[at] = w.device as u32;
        }
        Some(world)
    }
}

fn cases() -> Vec<Case> {
    let table: Vec<Case> = cases::cases(include_str!("../data/dynamo.toml"));
    assert_eq!(table.len(), 24);
    table
}

#[test]
fn section_2_cases_a_to_h_cost_what_upstream_says() {
    for case in cases() {
        let params = case.params.params();
        let costs: Vec<f64> = case.inputs().iter().map(|i| dynamo::cost(&params, i)).collect();
        assert_eq!(costs, case.costs, "{}", case.name);
        let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
        assert_eq!(costs.iter().position(|c| *c == least), Some(case.wins), "{}", case.name);
    }
}

#[test]
fn section_3_5_both_rules_decide_by_that_cost() {
    let mut seen = 0;
    for case in cases() {
        let Some(mut world) = case.world() else { continue };
        seen += 1;
        let written = case.params.written();
        let given: Vec<_> = written.iter().map(|(key, text)| (*key, text.as_str())).collect();
        for id in ["dynamo-kv", "kv-aware"] {
            let (choice, rows) = world.explained(&mut *rule(id, &given));
            let want = Choice::Send { to: case.wins as u16, why: Why::Cost, tied: 1 };
            assert_eq!(choice, want, "{id}: {}", case.name);
            assert_eq!(rows.iter().map(|r| r.values[5]).collect::<Vec<_>>(), case.costs, "{}", case.name);
        }
    }
    assert_eq!(seen, 20);
}

#[test]
fn section_2_case_i_taints() {
    let worker = |decode_blocks, multiplier| {
        let inputs =
            Inputs { prompt_tokens: 16, block_tokens: 16, decode_blocks, multiplier, ..Inputs::default() };
        dynamo::cost(&Params::default(), &inputs)
    };
    let preferred = [(1, 0.85)];
    let matching = dynamo::taint_multiplier(&preferred, &[7, 1]);
    let other = dynamo::taint_multiplier(&preferred, &[2]);
    assert_eq!(other, 1.0);
    assert!(worker(100, matching) < worker(90, other));
    let avoided = dynamo::taint_multiplier(&[(1, -0.25)], &[1]);
    assert!(worker(90, avoided) > worker(100, 1.0));
    // e^(-tanh 0.85) and its reciprocal, and bounds of e for any weight.
    assert!((matching - 0.501_039_929_091).abs() < 1e-12, "{matching}");
    assert!((dynamo::taint_multiplier(&[(1, -0.85)], &[1]) * matching - 1.0).abs() < 1e-15);
    assert_eq!(dynamo::taint_multiplier(&[(1, 4.0), (2, -4.0), (3, 9.0)], &[1, 2]), 1.0);
    for weight in [1e30, f32::MAX] {
        let floor = dynamo::taint_multiplier(&[(1, weight)], &[1]);
        assert!((floor - 0.367_879_441).abs() < 1e-9);
    }
}

/// Whatever the load projection took off as cached is added again.
#[test]
fn cached_tokens_within_the_prompt_change_nothing() {
    for cached_tokens in [0, 1, 48, 64] {
        let inputs = Inputs {
            prompt_tokens: 64,
            block_tokens: 16,
            active_prefill_tokens: 20,
            cached_tokens,
            ..Inputs::default()
        };
        assert_eq!(dynamo::cost(&Params::default(), &inputs), 5.25);
    }
}

/// A prompt without tokens, as of embeddings, is routed by load, with and without decay.
#[test]
fn an_empty_prompt_costs_its_load() {
    for decay in ["0", "1"] {
        let mut world = World::new(3);
        (world.prompt_tokens, world.blocks) = (0, Vec::new());
        world.prefill_tokens = vec![1_600, 1_600, 1_616];
        world.decode_blocks = vec![50, 50, 0];
        assert_eq!(world.send(&mut *rule("dynamo-kv", &[("credit_decay", decay)])).0, 2);
    }
}
