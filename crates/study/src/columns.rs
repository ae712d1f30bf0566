//! The figures that rules are compared by.

use tokenyard_fleet::metrics::Report;
use tokenyard_lab::Column;

/// Columns of the summary table. Names are at `col.<key>`.
pub const COLUMNS: [Column; 11] = [
    column("served", Some(0), Some(false)),
    column("token_hit_rate", None, Some(false)),
    column("ttft_mean", Some(0), Some(true)),
    column("ttft_p50", Some(0), Some(true)),
    column("ttft_p95", Some(0), Some(true)),
    column("ttft_p99", Some(0), Some(true)),
    column("tpot_p95", Some(1), Some(true)),
    column("slo_attainment", None, Some(false)),
    column("goodput_rps", Some(1), Some(false)),
    column("assigned_spread", Some(0), Some(true)),
    column("differs_fresh", None, Some(true)),
];

/// The column that bands are compared by first.
pub const FIRST: usize = 4;

const fn column(key: &'static str, digits: Option<u8>, smaller_is_better: Option<bool>) -> Column {
    Column { key, digits, smaller_is_better }
}

/// A run's figures, one for each column.
pub(crate) fn cells(report: &Report) -> Vec<f64> {
    use tokenyard_fleet::metrics::Status;
    let regret = &report.regret;
    let differs = if regret.decisions == 0 { 0.0 } else { regret.different as f64 / regret.decisions as f64 };
    vec![
        report.ended.get(&Status::Served).copied().unwrap_or(0) as f64,
        report.token_hit_rate,
        report.ttft.mean,
        report.ttft.p50,
        report.ttft.p95,
        report.ttft.p99,
        report.tpot.p95,
        report.slo_attainment,
        report.goodput_rps,
        report.assigned_spread as f64,
        differs,
    ]
}
