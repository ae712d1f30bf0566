//! A run's figures under the names that files and tables give them.

use serde_json::{Map, Value as Json, json};
use tokenyard_fleet::metrics::{Quantiles, Report, Status};

use super::measure::{self, Measured};

/// One result: fields in the order in which they are printed.
pub(super) type Fields = Map<String, Json>;

/// Ways to end, in the order of [`Status`], and their words.
const ENDINGS: [Status; 7] = [
    Status::Served,
    Status::Rejected,
    Status::Refused,
    Status::TimedOut,
    Status::Failed,
    Status::Dropped,
    Status::TooLong,
];

/// The word for how a request ended.
pub(super) fn status(status: Status) -> &'static str {
    match status {
        Status::Served => "served",
        Status::Rejected => "rejected",
        Status::Refused => "refused",
        Status::TimedOut => "timed_out",
        Status::Failed => "failed",
        Status::Dropped => "dropped",
        Status::TooLong => "too_long",
    }
}

/// Everything a run is measured by, the rule first, what it was run with last.
pub(super) fn of(run: &Measured) -> Fields {
    let report = &run.report;
    let mut out = Map::new();
    let mut put = |key: &str, value: Json| drop(out.insert(key.to_owned(), value));
    put("rule", Json::from(run.rule));
    put("requests", Json::from(report.requests));
    put("token_hit_rate", Json::from(report.token_hit_rate));
    for (key, times) in times(report) {
        put(key, quantiles(times));
    }
    let [p50, p95, p99] = report.gap_ms;
    put("gap_ms", json!({"p50": p50, "p95": p95, "p99": p99}));
    for ending in ENDINGS {
        let count = report.ended.get(&ending).copied().unwrap_or(0);
        put(status(ending), Json::from(count));
    }
    rates(report, &mut put);
    put("assigned", Json::from(report.assigned.clone()));
    put("assigned_spread", Json::from(report.assigned_spread));
    put("utilisation", Json::from(report.utilisation.clone()));
    put("prefill_share", Json::from(report.prefill_share.clone()));
    counts(report, &mut put);
    if run.regret {
        let regret = &report.regret;
        put(
            "regret",
            json!({
                "decisions": regret.decisions,
                "different": regret.different,
                "outstanding": regret.outstanding,
                "blocks": regret.blocks,
                "believed_not_cached_blocks": regret.false_hits,
                "cached_not_believed_blocks": regret.false_misses,
            }),
        );
    }
    put("end", Json::from(measure::end(run.end)));
    put("preset", Json::from(run.preset.id));
    put("seed", Json::from(run.seed));
    put("events", Json::from(report.events));
    put("digest", Json::from(format!("{:016x}", report.digest)));
    out
}

fn times(report: &Report) -> [(&'static str, &Quantiles); 8] {
    [
        ("ttft_ms", &report.ttft),
        ("tpot_ms", &report.tpot),
        ("e2e_ms", &report.e2e),
        ("queue_ms", &report.queue),
        ("prefill_ms", &report.prefill),
        ("longest_gap_ms", &report.longest_gap),
        ("normalised_ms", &report.normalised),
        ("session_ms", &report.session),
    ]
}

fn quantiles(q: &Quantiles) -> Json {
    json!({"mean": q.mean, "p50": q.p50, "p90": q.p90, "p95": q.p95, "p99": q.p99, "max": q.max})
}

fn rates(report: &Report, put: &mut impl FnMut(&str, Json)) {
    put("slo_attainment", Json::from(report.slo_attainment));
    put("goodput_rps", Json::from(report.goodput_rps));
    put("duration_s", Json::from(report.duration_s));
    put("served_rps", Json::from(report.served_rps));
    put("output_tps", Json::from(report.output_tps));
    put("block_cv", Json::from(report.block_cv));
    put("jain", Json::from(report.jain));
    put("amplification", Json::from(report.amplification));
}

fn counts(report: &Report, put: &mut impl FnMut(&str, Json)) {
    put("preemptions", Json::from(report.preemptions));
    put("recomputed_tokens", Json::from(report.recomputed_tokens));
    put("wasted_tokens", Json::from(report.wasted_tokens));
    let names = ["retries", "refused_retries", "hedges", "gateway_refusals", "breaker_opens"];
    for (name, count) in names.into_iter().zip(report.client) {
        put(name, Json::from(count));
    }
}

/// The same fields without nesting: `ttft_ms.p50`.
pub(super) fn flat(fields: &Fields) -> Vec<(String, &Json)> {
    let mut out = Vec::new();
    flatten("", fields, &mut out);
    out
}

fn flatten<'a>(before: &str, fields: &'a Fields, out: &mut Vec<(String, &'a Json)>) {
    for (key, value) in fields {
        let path = format!("{before}{key}");
        match value {
            Json::Object(inner) => flatten(&format!("{path}."), inner, out),
            leaf => out.push((path, leaf)),
        }
    }
}
