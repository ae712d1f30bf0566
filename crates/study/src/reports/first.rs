//! Reports 1 to 20.

use super::{Incident, Left, Measure};

pub(super) const INCIDENTS: &[Incident] = &[Incident {
    id: "vllm-router-179",
    number: 3,
    source: "vllm-project/router#179",
    broken: "rules=sglang-cache-aware&1.variant=in-tree&workload.prefix=system&\
             workload.arrivals=closed&workload.concurrency=480&workload.requests=960&\
             workload.shared_tokens=1000&fleet.replicas=8&router.accounting_gap_ms=60000",
    cured: "rules=sglang-cache-aware&1.variant=in-tree&workload.prefix=system&\
            workload.arrivals=closed&workload.concurrency=480&workload.requests=960&\
            workload.shared_tokens=1000&fleet.replicas=8",
    measure: Measure::PeakOutstanding,
    worse_is_more: true,
}];

pub(super) const LEFT: &[Left] = &[];
