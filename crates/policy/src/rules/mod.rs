//! The rules, one file each, and the one list of them.

use crate::rule::RuleSpec;

mod aibrix_prefix_cache;
mod consistent_hash;
mod dynamo_kv;
mod epp;
mod kv_aware;
mod least_kv;
mod least_outstanding;
mod load;
mod power_of_two;
mod prefix_gap;
mod pure_kv;
mod qps;
mod random;
mod ray_prefix_affinity;
mod round_robin;
mod sglang_cache_aware;
mod vllm_kvaware;
mod vllm_prefixaware;

/// Every rule, in the order in which lists show them.
pub static RULES: &[&RuleSpec] = &[
    &random::SPEC,
    &round_robin::SPEC,
    &least_outstanding::SPEC,
    &power_of_two::SPEC,
    &least_kv::SPEC,
    &prefix_gap::SPEC,
    &consistent_hash::SPEC,
    &sglang_cache_aware::SPEC,
    &dynamo_kv::SPEC,
    &kv_aware::SPEC,
    &pure_kv::SPEC,
    &ray_prefix_affinity::SPEC,
    &vllm_prefixaware::SPEC,
    &vllm_kvaware::SPEC,
    &aibrix_prefix_cache::SPEC,
    &epp::SPEC,
];

/// The rule of that id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static RuleSpec> {
    RULES.iter().copied().find(|spec| spec.id == id)
}
