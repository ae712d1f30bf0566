//! The rules, one file each, and the one list of them.

use crate::rule::RuleSpec;

mod aibrix_vtc_basic;
mod bounded_load_ring;
mod consistent_hash;
mod dynamo_kv;
mod envoy;
mod envoy_bounded_load;
mod envoy_turns;
mod key;
mod kv_aware;
mod least_kv;
mod least_outstanding;
mod litellm;
mod load;
mod maglev;
mod param;
mod peak_ewma;
mod power_of_two;
mod power_of_two_distinct;
mod prefix_gap;
mod pure_kv;
mod random;
mod ray_consistent_hash;
mod ray_power_of_two;
mod ring_hash;
mod round_robin;
mod sglang_bucket;
mod sglang_cache_aware;
mod sglang_manual;
mod sglang_prefix_hash;
mod smg_least_load;
mod vllm_consistent_hash;
mod vllm_session;
mod weighted_round_robin;

/// Every rule, in the order in which lists show them.
pub static RULES: &[&RuleSpec] = &[
    &random::SPEC,
    &round_robin::SPEC,
    &least_outstanding::SPEC,
    &power_of_two::SPEC,
    &ray_power_of_two::SPEC,
    &least_kv::SPEC,
    &prefix_gap::SPEC,
    &consistent_hash::SPEC,
    &ring_hash::SPEC,
    &maglev::SPEC,
    &envoy_bounded_load::SPEC,
    &bounded_load_ring::SPEC,
    &ray_consistent_hash::SPEC,
    &vllm_session::SPEC,
    &vllm_consistent_hash::SPEC,
    &sglang_manual::SPEC,
    &sglang_prefix_hash::SPEC,
    &sglang_cache_aware::SPEC,
    &dynamo_kv::SPEC,
    &kv_aware::SPEC,
    &pure_kv::SPEC,
    &weighted_round_robin::SPEC,
    &power_of_two_distinct::SPEC,
    &peak_ewma::SPEC,
    &smg_least_load::SPEC,
    &envoy_turns::least_request::SPEC,
    &envoy_turns::cswrr::SPEC,
    &sglang_bucket::SPEC,
    &aibrix_vtc_basic::SPEC,
    &litellm::simple_shuffle::SPEC,
    &litellm::least_busy::SPEC,
    &litellm::usage_based::SPEC,
    &litellm::latency_based::SPEC,
    &litellm::cost_based::SPEC,
];

/// The rule of that id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static RuleSpec> {
    RULES.iter().copied().find(|spec| spec.id == id)
}
