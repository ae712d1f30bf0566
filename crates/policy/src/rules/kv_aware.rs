//! `kv-aware`: the cost of `dynamo-kv` with events that are true. Ray Serve's KV-aware router
//! embeds Dynamo's, and so does this one.

use crate::rule::{Age, Knowledge, RuleSpec};
use crate::rules::dynamo_kv;

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "kv-aware",
    params: dynamo_kv::PARAMS,
    upstream: dynamo_kv::UPSTREAM,
    presets: dynamo_kv::PRESETS,
    terms: dynamo_kv::TERMS,
    knowledge: Knowledge::True,
    signals_age: Age::Events { ms: 0 },
    source: "ray-project/ray, python/ray/llm routing_policies 16a17a74, over dynamo-kv's cost",
    build: dynamo_kv::build,
};
