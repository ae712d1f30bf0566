//! What concerns two fields at once.

use tokenyard_param::Value;

use super::draft::{Draft, Section};
use super::fleet::kv_blocks;
use super::problem::{MOST_PROBLEMS, Problem};
use super::workload::{Arrivals, LengthShape};
use crate::trace_file::Trace;

/// Everything that does not fit, in the order of the file, at most [`MOST_PROBLEMS`].
pub(super) fn problems(draft: &Draft, trace: Option<&Trace>) -> Vec<Problem> {
    let mut found = Vec::new();
    workload(draft, trace, &mut found);
    fleet(draft, &mut found);
    changes(draft, &mut found);
    let limits = draft.section(Section::Limits);
    if limits.real("warm_up_s") >= limits.real("simulated_s") {
        let allowed = format!("less than limits.simulated_s, which is {}", limits.real("simulated_s"));
        found.push(Problem::new("limits.warm_up_s", limits.real("warm_up_s").to_string(), allowed));
    }
    found.truncate(MOST_PROBLEMS);
    found
}

fn workload(draft: &Draft, trace: Option<&Trace>, found: &mut Vec<Problem>) {
    let v = draft.section(Section::Workload);
    let arrivals = Arrivals::of(v, "arrivals");
    if arrivals == Arrivals::Closed && v.opt_u32("concurrency").is_none() {
        let allowed = "a number, because workload.arrivals is closed";
        found.push(Problem::new("workload.concurrency", "null", allowed));
    }
    if v.opt_u32("rollouts").is_some() && arrivals != Arrivals::Closed {
        let given = Arrivals::OPTIONS[usize::from(v.choice("arrivals"))];
        let allowed = "closed, because workload.rollouts is set";
        found.push(Problem::new("workload.arrivals", format!("\"{given}\""), allowed));
    }
    if trace.is_none_or(|trace| trace.rows.is_empty()) {
        let needs = "anything else without a trace of at least one request beside the scenario";
        if arrivals == Arrivals::Trace {
            found.push(Problem::new("workload.arrivals", "\"trace\"", needs));
        }
        for key in ["prompt_shape", "output_shape"] {
            if LengthShape::of(v, key) == LengthShape::Empirical {
                found.push(Problem::new(&format!("workload.{key}"), "\"empirical\"", needs));
            }
        }
    }
    let block = draft.section(Section::Fleet).u32("block");
    if let Some(of_trace) = trace.and_then(|t| t.block)
        && arrivals == Arrivals::Trace
        && of_trace % block.max(1) != 0
    {
        let allowed = format!("a divisor of {of_trace}, the block size of the trace in workload.arrivals");
        found.push(Problem::new("fleet.block", block.to_string(), allowed));
    }
    if let (Some(limit), to) = (v.opt_u32("compact_tokens"), v.u32("compact_to_tokens"))
        && to >= limit
    {
        let allowed = format!("less than workload.compact_tokens, which is {limit}");
        found.push(Problem::new("workload.compact_to_tokens", to.to_string(), allowed));
    }
}

fn fleet(draft: &Draft, found: &mut Vec<Problem>) {
    let v = draft.section(Section::Fleet);
    let (seqs, budget) = (v.u32("max_seqs"), v.u32("budget"));
    if seqs > budget {
        let allowed = format!("at most fleet.budget, which is {budget}");
        found.push(Problem::new("fleet.max_seqs", seqs.to_string(), allowed));
    }
    let (block, blocks) = (u64::from(v.u32("block")), u64::from(kv_blocks(v)));
    if block * blocks > u64::from(u32::MAX) {
        let allowed = format!("at most {} with fleet.block {block}", u64::from(u32::MAX) / block);
        found.push(Problem::new("fleet.kv_blocks", blocks.to_string(), allowed));
    }
    let replicas = v.u32("replicas");
    for (key, path) in
        [("slow_replicas", "fleet.slow_replicas"), ("failing_replicas", "fleet.failing_replicas")]
    {
        let some = v.u32(key);
        if some > replicas {
            let allowed = format!("at most fleet.replicas, which is {replicas}");
            found.push(Problem::new(path, some.to_string(), allowed));
        }
    }
    gateway(draft, replicas, found);
}

fn gateway(draft: &Draft, replicas: u32, found: &mut Vec<Problem>) {
    let v = draft.section(Section::Gateway);
    let (first, most) = (v.real("outlier_ejection_s"), v.real("outlier_most_ejection_s"));
    if most < first {
        let allowed = format!("at least gateway.outlier_ejection_s, which is {first}");
        found.push(Problem::new("gateway.outlier_most_ejection_s", most.to_string(), allowed));
    }
    let pools = v.u32("pools");
    if pools > replicas {
        let allowed = format!("at most fleet.replicas, which is {replicas}");
        found.push(Problem::new("gateway.pools", pools.to_string(), allowed));
    }
}

fn changes(draft: &Draft, found: &mut Vec<Problem>) {
    let replicas = draft.section(Section::Fleet).u32("replicas");
    for (i, v) in draft.changes.iter().enumerate() {
        let replica = v.u32("replica");
        if replica >= replicas {
            let allowed = format!("less than fleet.replicas, which is {replicas}");
            found.push(Problem::new(&format!("changes[{i}].replica"), replica.to_string(), allowed));
        }
        let slow = super::change::KindName::of(v, "kind") == super::change::KindName::Slow;
        match v.get("value") {
            Some(Value::Int(n)) if !slow => {
                let allowed = format!("null unless changes[{i}].kind is slow");
                found.push(Problem::new(&format!("changes[{i}].value"), n.to_string(), allowed));
            }
            Some(Value::Nothing) if slow => {
                let allowed = format!("a speed in per mille, because changes[{i}].kind is slow");
                found.push(Problem::new(&format!("changes[{i}].value"), "null", allowed));
            }
            _ => {}
        }
    }
}
