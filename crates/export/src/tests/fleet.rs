//! What the fleet simulator's own readers take is known for what it is.

use proptest::prelude::*;
use serde_json::{Map, Value};
use tokenyard_fleet::scenario::Draft;
use tokenyard_fleet::trace_file;

use crate::{Opened, TraceForm, read, trace};

/// What the readers say of any bytes, against what is known here.
fn check(bytes: &[u8]) {
    let is_trace = trace_file::read(bytes).is_ok();
    let opened = read(bytes, None);
    if is_trace {
        let form = if trace_file::azure(bytes).is_ok() { TraceForm::Azure2023 } else { TraceForm::Mooncake };
        assert_eq!((opened, trace(bytes)), (Ok(Opened::Trace(form)), Some(form)));
    } else if Draft::read(bytes).is_ok() {
        let text = std::str::from_utf8(bytes).unwrap();
        assert_eq!(opened, Ok(Opened::Scenario(text.trim_start())));
    }
}

/// A line of Mooncake's with its fields in some order.
fn line(order: &[usize], at: u64) -> String {
    let fields = [
        format!("\"timestamp\": {at}"),
        "\"input_length\": 1000".to_owned(),
        "\"output_length\": 5".to_owned(),
        "\"hash_ids\": [1, 2]".to_owned(),
    ];
    let fields: Vec<&str> = order.iter().map(|i| fields[*i].as_str()).collect();
    format!("{{{}}}", fields.join(", "))
}

proptest! {
    #[test]
    fn mooncake_lines_are_a_trace_in_any_order_of_fields(
        order in Just(vec![0, 1, 2, 3]).prop_shuffle(),
        before in "(\u{feff})?[ \n]{0,5}",
        lines in 1..4_u64,
        end in "(\r)?\n",
    ) {
        let body: String = (0..lines).map(|at| line(&order, at) + &end).collect();
        let bytes = (before + &body).into_bytes();
        prop_assert!(trace_file::read(&bytes[..]).is_ok());
        check(&bytes);
    }

    #[test]
    fn part_of_a_scenario_is_a_scenario(keep in proptest::collection::vec(any::<bool>(), 10)) {
        let whole: Map<String, Value> = serde_json::from_str(&Draft::default().write()).unwrap();
        let part = whole.into_iter().zip(keep).filter(|(_, keep)| *keep).map(|(field, _)| field);
        let text = Value::Object(part.collect()).to_string();
        prop_assert!(Draft::read(text.as_bytes()).is_ok());
        check(text.as_bytes());
    }

    #[test]
    fn whatever_a_reader_takes_is_known(text in "[ \n]{0,2}(\\{\"(seed|version|timestamp|hash_ids|\\\\u0073eed)\": ?[0-9]{1,2}\\}|\\{\\}|TIMESTAMP,ContextTokens,GeneratedTokens)\r?\n?(2023-11-16 18:15:46\\.68,[0-9]{1,3},[0-9]{1,2}\n){0,2}") {
        check(text.as_bytes());
    }
}

#[test]
fn azure_lines_are_a_trace() {
    let text = "TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:15:46.68,374,44\r\n";
    assert!(trace_file::read(text.as_bytes()).is_ok());
    check(text.as_bytes());
}

/// What begins like a trace is left to its reader, which says which line is wrong; asking for the first
/// line only gives the same answer.
#[test]
fn a_trace_with_a_mistake_is_left_to_its_reader() {
    for bytes in [
        &b"{\"timestamp\": 0, \"input_length\": [\x9a]}\n"[..],
        b"{\"hash_ids\"",
        b"\xef\xbb\xbf\n{\"timestamp\":",
    ] {
        assert!(trace_file::read(bytes).is_err());
        assert_eq!(read(bytes, None), Ok(Opened::Trace(TraceForm::Mooncake)));
        assert_eq!(trace(bytes), Some(TraceForm::Mooncake));
    }
}

/// What means to be a scenario is one, so that its reader can say what is wrong.
#[test]
fn a_scenario_with_a_mistake_is_left_to_its_reader() {
    for text in ["{\"fleet\": {\"replicas\": 0}}", "{\"fleett\": 1, \"workload\": {}}", "{\"workload\": {"] {
        assert!(Draft::read(text.as_bytes()).is_err());
        assert_eq!(read(text.as_bytes(), None), Ok(Opened::Scenario(text)));
    }
}
