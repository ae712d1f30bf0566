//! Reports 1 to 20.

use super::{Incident, Left, Measure};

pub(super) const INCIDENTS: &[Incident] = &[
    Incident {
        id: "sglang-14305",
        number: 1,
        source: "sgl-project/sglang PR#14305, #14532",
        broken: "rules=sglang-cache-aware&1.miss_target=smallest-tree&workload.prefix=none&\
             workload.output_shape=constant&fleet.slow_replicas=1&fleet.slow_per_mille=150&\
             workload.rate_rps=48",
        cured: "rules=sglang-cache-aware&workload.prefix=none&workload.output_shape=constant&\
             fleet.slow_replicas=1&fleet.slow_per_mille=150&workload.rate_rps=48",
        measure: Measure::PeakOutstanding,
        worse_is_more: true,
    },
    Incident {
        id: "sglang-15473",
        number: 2,
        source: "sgl-project/sglang PR#15473",
        broken: "rules=sglang-cache-aware&1.variant=in-tree&router.accounting_gap_ms=60000&\
             workload.prefix=none&fleet.replicas=2",
        cured: "rules=sglang-cache-aware&1.variant=in-tree&workload.prefix=none&fleet.replicas=2",
        measure: Measure::ShareAtFirst,
        worse_is_more: true,
    },
    Incident {
        id: "vllm-router-179",
        number: 3,
        source: "vllm-project/router#179",
        broken: "rules=sglang-cache-aware&1.variant=in-tree&router.accounting_gap_ms=60000&\
             workload.prefix=system&workload.arrivals=closed&workload.concurrency=480&\
             workload.requests=960&workload.shared_tokens=1000&fleet.replicas=8",
        cured: "rules=sglang-cache-aware&1.variant=in-tree&workload.prefix=system&\
             workload.arrivals=closed&workload.concurrency=480&workload.requests=960&\
             workload.shared_tokens=1000&fleet.replicas=8",
        measure: Measure::PeakOutstanding,
        worse_is_more: true,
    },
    Incident {
        id: "smg-1714",
        number: 4,
        source: "smg-project/smg PR#1714, sgl-project/sglang#27547",
        broken: "rules=sglang-cache-aware&1.variant=in-tree&router.accounting_gap_ms=20000&\
             workload.prefix=none&workload.prompt_mean=8000&workload.prompt_shape=constant&\
             workload.output_mean=1&workload.output_shape=constant&workload.rate_rps=8&\
             workload.requests=200",
        cured: "rules=sglang-cache-aware&router.accounting_gap_ms=20000&workload.prefix=none&\
             workload.prompt_mean=8000&workload.prompt_shape=constant&workload.output_mean=1&\
             workload.output_shape=constant&workload.rate_rps=8&workload.requests=200",
        measure: Measure::ShareAtFirst,
        worse_is_more: true,
    },
    Incident {
        id: "sglang-32195",
        number: 5,
        source: "sgl-project/sglang PR#32195",
        broken: "rules=sglang-cache-aware&1.balance_abs=2&1.balance_rel=1&\
             workload.output_shape=constant",
        cured: "rules=sglang-cache-aware&1.balance_rel=1&workload.output_shape=constant",
        measure: Measure::HitRate,
        worse_is_more: false,
    },
    Incident {
        id: "sglang-39464",
        number: 7,
        source: "sgl-project/sglang PR#39464",
        broken: "rules=round-robin&gateway.breaker_failures=3&fleet.replicas=1&workload.prefix=none&\
             workload.rate_rps=8&workload.requests=200&gateway.line_cap=0&change=5,0,restart",
        cured: "rules=round-robin&fleet.replicas=1&workload.prefix=none&workload.rate_rps=8&\
             workload.requests=200&gateway.line_cap=0&change=5,0,restart",
        measure: Measure::Served,
        worse_is_more: false,
    },
    Incident {
        id: "nemo-rl-3613",
        number: 8,
        source: "NVIDIA-NeMo/RL PR#3613",
        broken: "rules=sglang-cache-aware&workload.prefix=system&workload.prompt_mean=4000&\
             workload.output_mean=8&client.attempts=3&client.backoff=none&change=2,0,restart&\
             change=2.3,0,restart&change=2.6,0,restart&change=2.9,0,restart&change=3.2,0,restart&\
             change=3.5,0,restart",
        cured: "rules=sglang-cache-aware&gateway.breaker_failures=3&workload.prefix=system&\
             workload.prompt_mean=4000&workload.output_mean=8&client.attempts=3&\
             client.backoff=none&change=2,0,restart&change=2.3,0,restart&change=2.6,0,restart&\
             change=2.9,0,restart&change=3.2,0,restart&change=3.5,0,restart",
        measure: Measure::Served,
        worse_is_more: false,
    },
    Incident {
        id: "dynamo-589",
        number: 9,
        source: "ai-dynamo/dynamo#589",
        broken: "rules=least-outstanding&router.routers=16&router.load=scraped&router.scrape_ms=1000&\
             workload.prefix=none&fleet.replicas=8&workload.rate_rps=64",
        cured: "rules=least-outstanding&router.own_dispatches=on&router.peer_sharing_ms=5&\
             router.routers=16&router.load=scraped&router.scrape_ms=1000&workload.prefix=none&\
             fleet.replicas=8&workload.rate_rps=64",
        measure: Measure::PeakOutstanding,
        worse_is_more: true,
    },
    Incident {
        id: "dynamo-12300",
        number: 10,
        source: "ai-dynamo/dynamo#12300",
        broken: "rules=dynamo-kv&workload.families=2&workload.rate_rps=60&\
             workload.output_shape=constant&workload.output_mean=200&workload.prompt_mean=64",
        cured: "rules=dynamo-kv&1.request_weight=50&workload.families=2&workload.rate_rps=60&\
             workload.output_shape=constant&workload.output_mean=200&workload.prompt_mean=64",
        measure: Measure::LargestShare,
        worse_is_more: true,
    },
    Incident {
        id: "infera-103",
        number: 12,
        source: "AMD-AGI/Infera PR#103",
        broken: "rules=least-outstanding&router.accounting_gap_ms=100&workload.prefix=none&\
             fleet.replicas=2&workload.arrivals=batch&workload.batch_size=448&\
             workload.requests=448",
        cured: "rules=least-outstanding&workload.prefix=none&fleet.replicas=2&\
             workload.arrivals=batch&workload.batch_size=448&workload.requests=448",
        measure: Measure::LargestShare,
        worse_is_more: true,
    },
    Incident {
        id: "infera-82",
        number: 13,
        source: "AMD-AGI/Infera PR#82",
        broken: "rules=least-outstanding&workload.prefix=none&workload.output_mean=256&\
             workload.requests=200&change=1,0,restart&change=1.6,0,restart&change=2.2,0,restart&\
             change=2.8,0,restart&change=3.4,0,restart&change=4,0,restart&change=4.6,0,restart",
        cured: "rules=least-outstanding&gateway.breaker_failures=3&workload.prefix=none&\
             workload.output_mean=256&workload.requests=200&change=1,0,restart&\
             change=1.6,0,restart&change=2.2,0,restart&change=2.8,0,restart&change=3.4,0,restart&\
             change=4,0,restart&change=4.6,0,restart",
        measure: Measure::Served,
        worse_is_more: false,
    },
    Incident {
        id: "llm-d-346",
        number: 14,
        source: "llm-d/llm-d-router#346",
        broken: "rules=epp&router.scrape_ms=50&workload.prefix=none&workload.arrivals=batch&\
             workload.batch_size=50",
        cured: "rules=epp&1.active_weight=4&router.scrape_ms=50&workload.prefix=none&\
             workload.arrivals=batch&workload.batch_size=50",
        measure: Measure::Ttft95,
        worse_is_more: true,
    },
    Incident {
        id: "gaie-971",
        number: 15,
        source: "kubernetes-sigs/gateway-api-inference-extension#971",
        broken: "rules=dynamo-kv&router.knowledge=history&workload.prefix=sessions&workload.turns=8&\
             workload.output_mean=600&workload.prompt_mean=64&workload.shared_tokens=0&\
             workload.growth_tokens=32&workload.rate_rps=16&workload.requests=600",
        cured: "rules=dynamo-kv&workload.prefix=sessions&workload.turns=8&workload.output_mean=600&\
             workload.prompt_mean=64&workload.shared_tokens=0&workload.growth_tokens=32&\
             workload.rate_rps=16&workload.requests=600",
        measure: Measure::UnseenBlocks,
        worse_is_more: true,
    },
    Incident {
        id: "aibrix-933",
        number: 18,
        source: "vllm-project/aibrix PR#933",
        broken: "rules=aibrix-prefix-cache&router.load=scraped&router.scrape_ms=2000&\
             workload.prefix=system&workload.rate_rps=64&workload.output_shape=constant&\
             workload.prompt_shape=constant&workload.requests=600",
        cured: "rules=aibrix-prefix-cache&router.scrape_ms=2000&workload.prefix=system&\
             workload.rate_rps=64&workload.output_shape=constant&workload.prompt_shape=constant&\
             workload.requests=600",
        measure: Measure::TpotP95,
        worse_is_more: true,
    },
];

pub(super) const LEFT: &[Left] = &[
    Left { number: 6, source: "sgl-project/sglang#25811" },
    Left { number: 11, source: "ai-dynamo/dynamo PR#9688, #9655" },
    Left { number: 16, source: "kubernetes-sigs/gateway-api-inference-extension PR#2391" },
    Left { number: 17, source: "llm-d #1047" },
    Left { number: 19, source: "vllm-project/aibrix#917" },
    Left { number: 20, source: "vllm-project/aibrix#1178" },
];
