//! Statistics of whole traces, to the digits that the validation page prints.

use std::collections::BTreeSet;

use tokenyard_det::stat;
use tokenyard_fleet::scenario::Draft;
use tokenyard_fleet::time::{SECOND, in_s};
use tokenyard_fleet::trace_file::{Row, Trace, read};
use tokenyard_fleet::{Request, Workload};

use crate::shared::file_or_skip;

/// Mean, median, 95th percentile (whole tokens) and coefficient of variation (hundredths).
type Printed = (f64, f64, f64, f64);

fn printed(rows: &[Row], of: fn(&Row) -> u32) -> Printed {
    let mut values: Vec<f64> = rows.iter().map(|row| f64::from(of(row))).collect();
    let whole = |x: Option<f64>| (x.unwrap() + 0.5).floor();
    let (mean, cv) = (whole(stat::mean(&values)), (stat::cv(&values).unwrap() * 100.0).round() / 100.0);
    stat::sort(&mut values);
    (mean, whole(stat::quantile(&values, 0.5)), whole(stat::quantile(&values, 0.95)), cv)
}

struct Expected {
    file: &'static str,
    first: Option<usize>,
    input: Printed,
    output: Printed,
    /// Requests a second, and CV of the gaps with as many decimals as are printed.
    rate: f64,
    cv: Option<(f64, f64)>,
    hit: Option<f64>,
}

/// Full prompt tokens found in a cache that forgets nothing, over all prompt tokens.
fn infinite_cache(trace: &Trace) -> f64 {
    let (mut seen, mut hit, mut all) = (BTreeSet::new(), 0, 0);
    for row in &trace.rows {
        hit += u64::from(trace.block.unwrap())
            * row.chain.ids().take_while(|id| seen.contains(id)).count() as u64;
        all += u64::from(row.prompt);
        seen.extend(row.chain.ids());
    }
    hit as f64 / all as f64
}

fn check(expected: &Expected) {
    let Some(bytes) = file_or_skip(&format!("traces/{}", expected.file), "trace statistics") else { return };
    let mut trace = read(&bytes[..]).unwrap();
    trace.rows.truncate(expected.first.unwrap_or(usize::MAX));
    let rows = &trace.rows;
    assert_eq!(printed(rows, |row| row.prompt), expected.input, "{}", expected.file);
    assert_eq!(printed(rows, |row| row.output), expected.output, "{}", expected.file);
    assert_eq!(rows[0].at, 0);
    let rate = rows.len() as f64 / in_s(rows[rows.len() - 1].at);
    assert_eq!((rate * 100.0).round() / 100.0, expected.rate, "{}", expected.file);
    if let Some((cv, tens)) = expected.cv {
        let gaps: Vec<f64> = rows.windows(2).map(|w| in_s(w[1].at - w[0].at)).collect();
        assert_eq!((stat::cv(&gaps).unwrap() * tens).round() / tens, cv, "{}", expected.file);
    }
    // The page counted partial last blocks too, which we cannot hit: less than 0.1 points.
    if let Some(hit) = expected.hit {
        let ours = infinite_cache(&trace);
        assert!((ours - hit).abs() < 0.001, "{}: {ours}", expected.file);
    }
}

const CONVERSATION: &str = "mooncake_conversation.jsonl";
const SYNTHETIC: &str = "mooncake_synthetic.jsonl";

#[test]
fn whole_mooncake_traces() {
    check(&Expected {
        file: CONVERSATION,
        first: None,
        input: (12_035.0, 6_909.0, 39_551.0, 1.31),
        output: (343.0, 350.0, 698.0, 0.73),
        rate: 3.40,
        cv: Some((3.03, 100.0)),
        hit: Some(0.374),
    });
    check(&Expected {
        file: SYNTHETIC,
        first: None,
        input: (15_325.0, 11_587.0, 48_905.0, 1.20),
        output: (149.0, 69.0, 519.0, 1.19),
        rate: 3.91,
        cv: Some((1.01, 100.0)),
        hit: Some(0.651),
    });
}

#[test]
fn the_first_two_thousand() {
    let first = Some(2_000);
    check(&Expected {
        file: CONVERSATION,
        first,
        input: (13_721.0, 7_965.0, 47_626.0, 1.32),
        output: (352.0, 363.0, 689.0, 0.71),
        rate: 2.99,
        cv: None,
        hit: Some(0.294),
    });
    check(&Expected {
        file: SYNTHETIC,
        first,
        input: (12_366.0, 4_174.0, 41_930.0, 1.25),
        // The mean is 191.4755; the page prints 192, which is that rounded twice.
        output: (191.0, 153.0, 574.0, 0.99),
        rate: 3.75,
        cv: None,
        hit: Some(0.336),
    });
    check(&Expected {
        file: "azure2023_conv_first2000.csv",
        first,
        input: (1_105.0, 1_032.0, 4_079.0, 0.89),
        output: (265.0, 239.0, 498.0, 0.65),
        rate: 4.71,
        cv: Some((1.14, 100.0)),
        hit: None,
    });
    check(&Expected {
        file: "azure2023_code_first2000.csv",
        first,
        input: (1_987.0, 1_339.0, 6_606.0, 0.97),
        output: (30.0, 13.0, 91.0, 2.54),
        rate: 2.34,
        cv: Some((13.3, 10.0)),
        hit: None,
    });
}

fn replay(trace: &Trace, settings: &[(&str, &str)]) -> Vec<Request> {
    let mut draft = Draft::default();
    draft.set("workload.arrivals", "trace").unwrap();
    settings.iter().for_each(|(path, value)| draft.set(path, value).unwrap());
    let scenario = draft.build(Some(trace)).unwrap();
    let mut workload = Workload::new(&scenario, Some(trace.clone()));
    std::iter::from_fn(|| workload.take()).collect()
}

/// Every request of the conversation trace begins with one block, and its times are rounded to 3 s.
#[test]
fn the_conversation_trace_replayed() {
    let Some(bytes) = file_or_skip(&format!("traces/{CONVERSATION}"), "trace replay") else { return };
    let trace = read(&bytes[..]).unwrap();
    let plain = replay(&trace, &[("fleet.block", "512")]);
    assert_eq!(plain.len(), 12_031);
    assert!(plain.iter().zip(&trace.rows).all(|(r, row)| r.chain == row.chain && r.arrival == row.at));
    assert!(plain.iter().all(|r| r.chain.ids().next() == Some(0)));

    let spread = replay(&trace, &[("workload.trace_spread_ms", "3000"), ("fleet.block", "16")]);
    assert_eq!(spread[0].arrival, 0);
    let late = |i: usize| spread[i].arrival as i128 - plain[i].arrival as i128;
    assert!((0..12_031).all(|i| late(i).unsigned_abs() < u128::from(3 * SECOND)));
    let gaps: Vec<f64> = spread.windows(2).map(|w| in_s(w[1].arrival - w[0].arrival)).collect();
    // Spread, the artefact of rounding is gone: arrivals are about as regular as Poisson's.
    assert!((0.9..1.1).contains(&stat::cv(&gaps).unwrap()), "{:?}", stat::cv(&gaps));
    // A block of 512 is 32 of 16; what two prompts share is the same.
    let shared =
        |all: &[Request]| all[7].chain.ids().zip(all[9].chain.ids()).take_while(|(a, b)| a == b).count();
    assert_eq!(shared(&spread), 32 * shared(&plain));
    assert!(spread.iter().zip(&plain).all(|(a, b)| a.chain.blocks() == 32 * b.chain.blocks()));

    let fast = replay(&trace, &[("workload.trace_speed", "2.5"), ("fleet.block", "512")]);
    assert!(fast.iter().zip(&plain).all(|(f, p)| f.arrival == p.arrival * 2 / 5));
}
