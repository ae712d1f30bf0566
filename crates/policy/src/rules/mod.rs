//! The rules, one file each, and the one list of them.

use crate::rule::RuleSpec;

mod aibrix;
mod bounded_load_ring;
mod consistent_hash;
mod dynamo_kv;
mod envoy;
mod envoy_bounded_load;
mod envoy_turns;
mod epp;
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
mod qps;
mod random;
mod ray_consistent_hash;
mod ray_power_of_two;
mod ray_prefix_affinity;
mod ring_hash;
mod round_robin;
mod sglang_bucket;
mod sglang_cache_aware;
mod sglang_manual;
mod sglang_prefix_hash;
mod smg_least_load;
mod vllm_consistent_hash;
mod vllm_kvaware;
mod vllm_prefixaware;
mod vllm_session;
mod weighted_round_robin;

/// Every rule, in the order in which lists show them: rules that every balancer has, then those of
/// one project after another.
pub static RULES: &[&RuleSpec] = &[
    &random::SPEC,
    &round_robin::SPEC,
    &weighted_round_robin::SPEC,
    &least_outstanding::SPEC,
    &power_of_two::SPEC,
    &power_of_two_distinct::SPEC,
    &least_kv::SPEC,
    &peak_ewma::SPEC,
    &prefix_gap::SPEC,
    &consistent_hash::SPEC,
    &bounded_load_ring::SPEC,
    &envoy_turns::least_request::SPEC,
    &envoy_turns::cswrr::SPEC,
    &ring_hash::SPEC,
    &maglev::SPEC,
    &envoy_bounded_load::SPEC,
    &sglang_cache_aware::SPEC,
    &sglang_prefix_hash::SPEC,
    &sglang_bucket::SPEC,
    &sglang_manual::SPEC,
    &smg_least_load::SPEC,
    &dynamo_kv::SPEC,
    &kv_aware::SPEC,
    &pure_kv::SPEC,
    &ray_power_of_two::SPEC,
    &ray_prefix_affinity::SPEC,
    &ray_consistent_hash::SPEC,
    &vllm_prefixaware::SPEC,
    &vllm_kvaware::SPEC,
    &vllm_session::SPEC,
    &vllm_consistent_hash::SPEC,
    &epp::SPEC,
    &aibrix::prefix_cache::SPEC,
    &aibrix::vtc_basic::SPEC,
    &aibrix::least_latency::SPEC,
    &aibrix::throughput::SPEC,
    &aibrix::multi_strategy::SPEC,
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
