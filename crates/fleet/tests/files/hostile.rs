//! Any bytes at all: an answer or an error, never a panic, and nothing half read.

use proptest::prelude::*;
use proptest::sample::Index;
use tokenyard_fleet::Workload;
use tokenyard_fleet::scenario::{Draft, MOST_PROBLEMS, Section};
use tokenyard_fleet::trace_file::{Trace, azure, mooncake, read};
use tokenyard_fleet::workload::{GENERATED, MOST_TOKENS};
use tokenyard_param::{Kind, Value};

const MOONCAKE: &str = concat!(
    "{\"timestamp\": 0, \"input_length\": 1600, \"output_length\": 500, \"hash_ids\": [0, 1, 2, 3]}\n",
    "{\"timestamp\": 3000, \"input_length\": 1100, \"output_length\": 9, \"hash_ids\": [0, 1, 7]}\n",
    "{\"timestamp\": 3000, \"input_length\": 512, \"output_length\": 1, \"hash_ids\": [18446744073709551615]}\n",
);
const AZURE: &str = concat!(
    "TIMESTAMP,ContextTokens,GeneratedTokens\n",
    "2023-11-16 18:15:46.6805900,374,44\n",
    "2023-11-16 18:15:50.9951690,396,109\n",
);

/// One change of a file.
#[derive(Clone, Debug)]
enum Edit {
    Byte(Index, u8),
    Drop(Index, usize),
    Insert(Index, &'static str),
    Repeat(Index, Index),
    Cut(Index),
}

fn edit() -> impl Strategy<Value = Edit> {
    const BITS: [&str; 22] = [
        "0",
        "9",
        "-",
        ".",
        "e",
        "e999",
        "99999999999999999999",
        "null",
        "true",
        "\"",
        "\\",
        "\\ud800",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\n",
        "\u{feff}",
        "\u{0}",
        "1e-400",
    ];
    prop_oneof![
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Edit::Byte(at, byte)),
        (any::<Index>(), 1..20_usize).prop_map(|(at, n)| Edit::Drop(at, n)),
        (any::<Index>(), proptest::sample::select(&BITS[..])).prop_map(|(at, bit)| Edit::Insert(at, bit)),
        (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Edit::Repeat(a, b)),
        any::<Index>().prop_map(Edit::Cut),
    ]
}

fn edited(text: &str, edits: Vec<Edit>) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for edit in edits {
        let place = |at: Index| at.index(bytes.len() + 1);
        match edit {
            Edit::Byte(at, byte) => {
                let at = place(at).saturating_sub(1);
                bytes.iter_mut().skip(at).take(1).for_each(|b| *b = byte);
            }
            Edit::Drop(at, n) => {
                let at = place(at);
                bytes.drain(at..(at + n).min(bytes.len()));
            }
            Edit::Insert(at, bit) => {
                let at = place(at);
                bytes.splice(at..at, bit.bytes());
            }
            Edit::Repeat(a, b) => {
                let (a, b) = (place(a), place(b));
                let part = bytes[a.min(b)..a.max(b)].to_vec();
                bytes.splice(a..a, part);
            }
            Edit::Cut(at) => bytes.truncate(place(at)),
        }
    }
    bytes
}

/// What every trace keeps, however it was made.
fn sound(trace: &Trace) {
    assert!(!trace.rows.is_empty() && trace.rows[0].at == 0);
    assert!(trace.rows.windows(2).all(|w| w[0].at <= w[1].at));
    for row in &trace.rows {
        assert!((1..=MOST_TOKENS).contains(&row.prompt) && (1..=MOST_TOKENS).contains(&row.output));
        assert!(row.chain.blocks() <= trace.block.map_or(0, |block| row.prompt / block));
    }
}

fn scenario(bytes: &[u8]) {
    match Draft::read(bytes) {
        Ok(draft) => {
            let text = draft.write();
            assert_eq!(Draft::read(text.as_bytes()), Ok(draft.clone()));
            let _ = draft.build(None);
        }
        Err(problems) => {
            assert!(!problems.is_empty() && problems.len() <= MOST_PROBLEMS);
            assert!(problems.iter().all(|p| p.to_string().len() < 2_000));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        scenario(&bytes);
        for trace in [read(&bytes[..]), mooncake(&bytes[..]), azure(&bytes[..])] {
            prop_assert!(trace.is_err());
        }
    }

    #[test]
    fn edited_scenarios(edits in proptest::collection::vec(edit(), 1..6)) {
        let mut draft = Draft::default();
        draft.set("workload.arrivals", "batch").unwrap();
        scenario(&edited(&draft.write(), edits));
    }

    #[test]
    fn edited_traces(edits in proptest::collection::vec(edit(), 1..6), which in any::<bool>()) {
        let bytes = edited(if which { MOONCAKE } else { AZURE }, edits);
        match read(&bytes[..]) {
            Ok(trace) => sound(&trace),
            Err(problem) => prop_assert!(problem.to_string().len() < 1_000, "{}", problem),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Every parameter at one end of its range or at its default: whatever can be built can be run.
    #[test]
    fn extreme_scenarios(ends in proptest::collection::vec(0..5_u8, 200), ok in any::<bool>()) {
        let mut draft = Draft::default();
        let mut ends = ends.into_iter();
        for section in Section::ALL {
            for (place, spec) in section.table().iter().enumerate() {
                let end = ends.next().unwrap_or(0);
                let value = match (spec.kind, end) {
                    (Kind::Int { min, .. } | Kind::OptInt { min, .. }, 1) => Value::Int(min),
                    (Kind::Int { max, .. } | Kind::OptInt { max, .. }, 2) => Value::Int(max),
                    (Kind::Real { min, .. }, 1) => Value::Real(min),
                    (Kind::Real { max, .. }, 2) => Value::Real(max),
                    (Kind::Choice { options, .. }, end) => Value::Choice(end % options.len() as u8),
                    (Kind::Switch { .. }, end) => Value::Switch(end == 1),
                    _ => continue,
                };
                prop_assert!(draft.section_mut(section).set(place, value));
            }
        }
        // A million members of a table for each case would only take time.
        for key in ["families", "concurrency"] {
            let values = draft.section_mut(Section::Workload);
            let place = values.position(key).unwrap();
            prop_assert!(values.set(place, Value::Int(values.int(key).clamp(1, 1_000))));
        }
        let trace = read(MOONCAKE.as_bytes()).unwrap();
        let Ok(scenario) = draft.build(Some(&trace)) else { return Ok(()) };
        let mut workload = Workload::new(&scenario, Some(trace));
        for i in 0..60 {
            let Some(request) = workload.take() else { break };
            workload.ended(&request, ok || i % 3 > 0, request.arrival.saturating_add(1), GENERATED + (i << 24));
        }
    }
}
