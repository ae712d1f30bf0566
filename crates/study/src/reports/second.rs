//! Reports 21 to 40.

use super::{Incident, Left, Measure};

pub(super) const INCIDENTS: &[Incident] = &[
    Incident {
        id: "production-stack-884",
        number: 21,
        source: "vllm-project/production-stack PR#884, PR#1035",
        broken: "rules=vllm-kvaware&workload.prefix=system",
        cured: "rules=kv-aware&workload.prefix=system",
        measure: Measure::LargestShare,
        worse_is_more: true,
    },
    Incident {
        id: "production-stack-9",
        number: 22,
        source: "vllm-project/production-stack#9",
        broken: "rules=kv-aware&workload.zipf=0&workload.output_shape=constant&workload.prompt_shape=constant\
            &fleet.kv_blocks=20000&router.knowledge=events&router.event_outage_from_s=0&router.event_outage_s=8",
        cured: "rules=kv-aware&workload.zipf=0&workload.output_shape=constant&workload.prompt_shape=constant\
            &fleet.kv_blocks=20000&router.knowledge=events",
        measure: Measure::HitRate,
        worse_is_more: false,
    },
    Incident {
        id: "vime-371",
        number: 23,
        source: "vllm-project/vime PR#371",
        broken: "rules=least-outstanding&workload.prefix=none&workload.rate_rps=60&client.attempts=3\
            &gateway.breaker_failures=1&change=1,0,fail&change=1.1,0,restart&change=2,1,fail\
            &change=2.1,1,restart&change=3,2,fail&change=3.1,2,restart",
        cured: "rules=least-outstanding&workload.prefix=none&workload.rate_rps=60&client.attempts=3\
            &change=1,0,fail&change=1.1,0,restart&change=2,1,fail&change=2.1,1,restart&change=3,2,fail\
            &change=3.1,2,restart",
        measure: Measure::PeakOutstanding,
        worse_is_more: true,
    },
    Incident {
        id: "ray-59390",
        number: 24,
        source: "ray-project/ray PR#59390",
        broken: "rules=ray-prefix-affinity&1.imbalanced_threshold=10&workload.zipf=0&workload.rate_rps=48\
            &workload.output_shape=constant&workload.prompt_shape=constant&workload.requests=1000",
        cured: "rules=ray-prefix-affinity&workload.zipf=0&workload.rate_rps=48\
            &workload.output_shape=constant&workload.prompt_shape=constant&workload.requests=1000",
        measure: Measure::HitRate,
        worse_is_more: false,
    },
    Incident {
        id: "ray-61755",
        number: 25,
        source: "ray-project/ray PR#61755",
        broken: "rules=ray-power-of-two&1.max_ongoing_requests=1&workload.prefix=none&workload.rate_rps=2\
            &workload.requests=1500&workload.output_shape=constant&workload.prompt_shape=constant\
            &fleet.max_seqs=1&fleet.replicas=8&router.load=scraped&router.own_dispatches=on\
            &router.scrape_ms=10000",
        cured: "rules=ray-power-of-two&1.max_ongoing_requests=1&workload.prefix=none&workload.rate_rps=2\
            &workload.requests=1500&workload.output_shape=constant&workload.prompt_shape=constant\
            &fleet.max_seqs=1&fleet.replicas=8&router.load=scraped&router.own_dispatches=on",
        measure: Measure::TtftMean,
        worse_is_more: true,
    },
    Incident {
        id: "ray-64224",
        number: 26,
        source: "ray-project/ray PR#64224",
        broken: "rules=pure-kv&workload.prefix=none&router.ties=first",
        cured: "rules=pure-kv&workload.prefix=none&router.ties=random",
        measure: Measure::LargestShare,
        worse_is_more: true,
    },
    Incident {
        id: "litellm-7669",
        number: 28,
        source: "BerriAI/litellm#7669",
        broken: "rules=litellm-usage-based&workload.prefix=none&workload.rate_rps=8&router.rpm=60\
            &client.attempts=8&client.backoff=none&gateway.retry_after_ms=20000&client.honour_retry_after=off",
        cured: "rules=litellm-usage-based&workload.prefix=none&workload.rate_rps=8&router.rpm=60\
            &client.attempts=8&client.backoff=none&gateway.retry_after_ms=20000",
        measure: Measure::Served,
        worse_is_more: false,
    },
    Incident {
        id: "litellm-3646",
        number: 29,
        source: "BerriAI/litellm#3646",
        broken: "rules=litellm-simple-shuffle&1.cooldown_s=60&workload.prefix=none&client.timeout_ms=2000\
            &fleet.slow_replicas=4&fleet.slow_per_mille=10&change=3,0,slow,1000&change=3,1,slow,1000\
            &change=3,2,slow,1000&change=3,3,slow,1000",
        cured: "rules=litellm-simple-shuffle&1.cooldown_s=0&workload.prefix=none&client.timeout_ms=2000\
            &fleet.slow_replicas=4&fleet.slow_per_mille=10&change=3,0,slow,1000&change=3,1,slow,1000\
            &change=3,2,slow,1000&change=3,3,slow,1000",
        measure: Measure::Served,
        worse_is_more: false,
    },
    Incident {
        id: "envoy-11004",
        number: 30,
        source: "envoyproxy/envoy#11004",
        broken: "rules=power-of-two&workload.prefix=none&workload.arrivals=closed&workload.concurrency=2\
            &workload.output_shape=constant&fleet.replicas=2&fleet.max_seqs=1",
        cured: "rules=power-of-two-distinct&1.compare=count&workload.prefix=none&workload.arrivals=closed\
            &workload.concurrency=2&workload.output_shape=constant&fleet.replicas=2&fleet.max_seqs=1",
        measure: Measure::Ttft95,
        worse_is_more: true,
    },
    Incident {
        id: "envoy-44989",
        number: 31,
        source: "envoyproxy/envoy#44989",
        broken: "rules=least-outstanding&workload.prefix=none&workload.rate_rps=4&workload.output_shape=constant\
            &workload.output_mean=64&workload.arrivals=batch&workload.batch_size=16&router.ties=first\
            &router.accounting_gap_ms=300",
        cured: "rules=least-outstanding&workload.prefix=none&workload.rate_rps=4&workload.output_shape=constant\
            &workload.output_mean=64&workload.arrivals=batch&workload.batch_size=16&router.ties=first",
        measure: Measure::LargestShare,
        worse_is_more: true,
    },
    Incident {
        id: "envoy-19437",
        number: 32,
        source: "envoyproxy/envoy#19437",
        broken: "rules=envoy-least-request&1.slow_start_s=120&workload.prefix=none&change=0,0,fail\
            &change=2,0,restart",
        cured: "rules=envoy-least-request&workload.prefix=none&change=0,0,fail&change=2,0,restart",
        measure: Measure::ShareAtFirst,
        worse_is_more: false,
    },
    Incident {
        id: "envoy-3407",
        number: 33,
        source: "envoyproxy/envoy#3407",
        broken: "rules=envoy-least-request&1.bias_forces_weights=on&1.selection=full-scan&workload.prefix=none\
            &workload.rate_rps=40&workload.output_shape=constant&workload.prompt_shape=constant\
            &workload.requests=1000&fleet.slow_replicas=1&fleet.slow_per_mille=100",
        cured: "rules=envoy-least-request&1.selection=full-scan&workload.prefix=none\
            &workload.rate_rps=40&workload.output_shape=constant&workload.prompt_shape=constant\
            &workload.requests=1000&fleet.slow_replicas=1&fleet.slow_per_mille=100",
        measure: Measure::PeakOutstanding,
        worse_is_more: true,
    },
    Incident {
        id: "envoy-29008",
        number: 35,
        source: "envoyproxy/envoy#29008",
        broken: "rules=envoy-least-request&1.slow_start_s=2&workload.prefix=none&workload.output_shape=constant\
            &workload.prompt_shape=constant&change=0,0,fail&change=0,0,slow,100&change=1,0,restart",
        cured: "rules=envoy-least-request&1.slow_start_s=30&workload.prefix=none&workload.output_shape=constant\
            &workload.prompt_shape=constant&change=0,0,fail&change=0,0,slow,100&change=1,0,restart",
        measure: Measure::PeakOutstanding,
        worse_is_more: true,
    },
    Incident {
        id: "aibrix-2128",
        number: 36,
        source: "vllm-project/aibrix#2128, PR#2089, PR#1989",
        broken: "rules=aibrix-prefix-cache&workload.zipf=0&workload.output_shape=constant&router.routers=8",
        cured: "rules=aibrix-prefix-cache&workload.zipf=0&workload.output_shape=constant",
        measure: Measure::HitRate,
        worse_is_more: false,
    },
    Incident {
        id: "smg-2437",
        number: 37,
        source: "smg-project/smg PR#2437",
        broken: "rules=sglang-cache-aware&router.routers=8&workload.prefix=sessions&workload.turns=8\
            &workload.shared_tokens=0&workload.think_s=1&workload.prompt_mean=2000",
        cured: "rules=sglang-cache-aware&router.routers=8&router.share=hash&workload.prefix=sessions\
            &workload.turns=8&workload.shared_tokens=0&workload.think_s=1&workload.prompt_mean=2000",
        measure: Measure::HitRate,
        worse_is_more: false,
    },
    Incident {
        id: "vllm-20962",
        number: 38,
        source: "vllm-project/vllm#20962, vllm-project/production-stack#583",
        broken: "rules=pure-kv&workload.families=8&workload.rate_rps=48",
        cured: "rules=kv-aware&workload.families=8&workload.rate_rps=48",
        measure: Measure::Ttft95,
        worse_is_more: true,
    },
    Incident {
        id: "vllm-router-238",
        number: 39,
        source: "vllm-project/router PR#238",
        broken: "rules=sglang-cache-aware&1.balance_abs=4&workload.zipf=0&workload.output_shape=constant\
            &workload.prompt_shape=constant&workload.rate_rps=16&fleet.slow_replicas=1\
            &fleet.slow_per_mille=100&fleet.kv_blocks=8000",
        cured: "rules=sglang-cache-aware&1.balance_abs=4&1.gate=request&workload.zipf=0\
            &workload.output_shape=constant&workload.prompt_shape=constant&workload.rate_rps=16\
            &fleet.slow_replicas=1&fleet.slow_per_mille=100&fleet.kv_blocks=8000",
        measure: Measure::HitRate,
        worse_is_more: false,
    },
    Incident {
        id: "gaie-1204",
        number: 40,
        source: "kubernetes-sigs/gateway-api-inference-extension#1204, PR#1205",
        broken: "rules=epp&1.kv_weight=0&1.tie_mode=first&workload.prefix=none&workload.rate_rps=4",
        cured: "rules=epp&1.kv_weight=0&workload.prefix=none&workload.rate_rps=4",
        measure: Measure::ShareAtFirst,
        worse_is_more: true,
    },
];

pub(super) const LEFT: &[Left] = &[
    Left { number: 27, source: "BerriAI/litellm PR#40401" },
    Left { number: 34, source: "envoyproxy/envoy#26290" },
];
