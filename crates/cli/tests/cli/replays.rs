//! `replay`: recorded traces, right and wrong ones.

use std::io::Write as _;
use std::path::PathBuf;

use serde_json::Value as Json;
use tokenyard_fleet::metrics::Report;
use tokenyard_fleet::run::run_to_end;
use tokenyard_fleet::scenario::Draft;
use tokenyard_fleet::{World, trace_file};

use crate::fleet::{TestFile, same};
use crate::program::{Ran, csv, run};

/// A file of the folder with reference data. Where that is absent the test is skipped with a line
/// that `cargo xtask test` counts, or fails if `TOKENYARD_REQUIRE_SHARED` is 1.
fn shared(path: &str, test: &str) -> Option<PathBuf> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("TOKENYARD_SHARED").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder.join(path));
    }
    let required = std::env::var_os("TOKENYARD_REQUIRE_SHARED").is_some_and(|value| value == "1");
    assert!(!required, "{test}: the shared folder is absent and TOKENYARD_REQUIRE_SHARED is 1");
    // Straight to the stream: the test harness hides what `eprintln!` prints in a passing test.
    let line = format!("SKIPPED: {test}: no shared folder beside the checkout (or in TOKENYARD_SHARED)\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
    None
}

const MOONCAKE: &str = r#"{"timestamp": 0, "input_length": 1100, "output_length": 20, "hash_ids": [0, 1, 2]}
{"timestamp": 0, "input_length": 1500, "output_length": 9, "hash_ids": [0, 1, 3]}
{"timestamp": 3000, "input_length": 1024, "output_length": 5, "hash_ids": [0, 1]}
{"timestamp": 6000, "input_length": 600, "output_length": 1, "hash_ids": [0, 4]}
"#;

const AZURE: &str = "TIMESTAMP,ContextTokens,GeneratedTokens\r
2023-11-16 18:17:03.9799600,4808,10\r
2023-11-16 18:17:04.0319600,3180,8\r
2023-11-16 18:17:04.0781490,110,27\r
";

fn replay(path: &str, rule: &str, block: &str, more: &[&str]) -> Ran {
    let fleet = ["--replicas=2", "--kv-blocks=4096", "--format=json"];
    let given = ["replay", "--trace", path, "--rule", rule, "--block-size", block];
    run(&[&given[..], &fleet, more].concat())
}

/// The library's own replay.
fn library(trace: &[u8], fields: &[(&str, &str)]) -> Report {
    let trace = trace_file::read(trace).unwrap();
    let mut draft = Draft::default();
    for (path, value) in [("workload.arrivals", "trace"), ("fleet.kv_blocks", "4096")].iter().chain(fields) {
        draft.set(path, value).unwrap();
    }
    let mut world = World::new(&draft.build(Some(&trace)).unwrap(), Some(trace));
    run_to_end(&mut world);
    Report::of(&world)
}

#[test]
fn a_replay_is_the_librarys() {
    let file = TestFile::new("mooncake.jsonl", MOONCAKE.as_bytes());
    // The first two arrive together and find nothing. The third one's prompt is two whole blocks,
    // of which the last is computed again; the fourth shares one.
    for (block, cached) in [("512", 512 + 512), ("64", 1_024 - 64 + 512)] {
        let json = replay(file.path(), "pure-kv", block, &[]).json();
        let fields = [("router.rule", "pure-kv"), ("fleet.replicas", "2"), ("fleet.block", block)];
        same(&json["results"][0], "pure-kv", &library(MOONCAKE.as_bytes(), &fields));
        let rate = f64::from(cached) / f64::from(1_100 + 1_500 + 1_024 + 600);
        assert_eq!(json["results"][0]["token_hit_rate"].as_f64(), Some(rate), "{block}");
        assert_eq!(json["results"][0]["requests"], 4);
    }
    let file = TestFile::new("azure.csv", AZURE.as_bytes());
    let ran = replay(file.path(), "round-robin", "16", &["--preset=ticks", "--seed=7", "--speed=2.5"]);
    assert!(ran.stderr.contains("preset ticks;") && ran.stderr.contains("records no content"));
    let fields = [("router.rule", "round-robin"), ("fleet.replicas", "2"), ("fleet.preset", "ticks")];
    let further = [("seed", "7"), ("workload.trace_speed", "2.5")];
    same(
        &ran.json()["results"][0],
        "round-robin",
        &library(AZURE.as_bytes(), &[&fields[..], &further].concat()),
    );
}

#[test]
fn quantised_times_can_be_spread() {
    let file = TestFile::new("spread.jsonl", MOONCAKE.as_bytes());
    let digest =
        |more: &[&str]| replay(file.path(), "random", "512", more).json()["results"][0]["digest"].clone();
    assert_eq!(digest(&[]), digest(&["--spread-ms=0"]));
    assert_ne!(digest(&[]), digest(&["--spread-ms=1000"]));
    assert_eq!(digest(&["--spread-ms=1000"]), digest(&["--spread-ms=1000"]));
    let spread = library(
        MOONCAKE.as_bytes(),
        &[("fleet.replicas", "2"), ("fleet.block", "512"), ("workload.trace_spread_ms", "1000")],
    );
    assert_eq!(digest(&["--spread-ms=1000"]), format!("{:016x}", spread.digest));
}

#[test]
fn a_scenario_replays_a_trace_beside_it() {
    let trace = TestFile::new("beside.jsonl", MOONCAKE.as_bytes());
    let text = r#"{"version": 1, "workload": {"arrivals": "trace"}, "router": {"rule": "least-kv"},
        "fleet": {"replicas": 2, "block": 512, "kv_blocks": 4096}}"#;
    let scenario = TestFile::new("beside.json", text.as_bytes());
    let of_run = run(&["run", scenario.path(), "--trace", trace.path(), "--format=json"]).json();
    assert_eq!(of_run, replay(trace.path(), "least-kv", "512", &[]).json());
    let explained = ["explain", scenario.path(), "--trace", trace.path(), "--request=3", "--format=json"];
    assert_eq!(run(&explained).json()["timeline"]["prompt_tokens"], 600);
}

#[test]
fn options_of_a_replay_are_refused_by_name_value_and_range() {
    let file = TestFile::new("replay_options.jsonl", MOONCAKE.as_bytes());
    let all = ["--rule=random", "--replicas=2", "--kv-blocks=64", "--block-size=512"];
    let refused = |change: &str| {
        let name = change.split('=').next().unwrap();
        let kept = all.iter().copied().filter(|option| option.split('=').next() != Some(name));
        let mut args = vec!["replay", "--trace", file.path()];
        args.extend(kept);
        args.extend(change.contains('=').then_some(change));
        run(&args).refused()
    };
    let cases: &[(&str, &[&str])] = &[
        ("--rule", &["replay needs --rule"]),
        ("--replicas", &["replay needs --replicas"]),
        ("--kv-blocks", &["replay needs --kv-blocks"]),
        ("--block-size", &["replay needs --block-size"]),
        ("--rule=best", &["--rule is best", "round-robin"]),
        ("--replicas=0", &["--replicas is 0; allowed: 1 to 1024"]),
        ("--replicas=", &["--replicas is empty; allowed: 1 to 1024"]),
        ("--kv-blocks=1e9", &["--kv-blocks is 1e9; allowed: 1 to 100000000"]),
        (
            "--block-size=100",
            &["--block-size is 100; allowed: a divisor of 512, the block size of the trace"],
        ),
        ("--block-size=1024", &["--block-size is 1024; allowed: a divisor of 512"]),
        ("--block-size=2048", &["--block-size is 2048; allowed: 1 to 1024"]),
        ("--preset=gpu", &["--preset is gpu", "llama-3.1-8b-h100"]),
        ("--seed=-5", &["--seed is -5; allowed: 0 to 9007199254740991"]),
        ("--spread-ms=60001", &["--spread-ms is 60001; allowed: 0 to 60000"]),
        ("--speed=0", &["--speed is 0; allowed: 0.001 to 1000"]),
        ("--trace-format=json", &["--trace-format is json; allowed: mooncake, azure-2023"]),
        ("--trace-format=azure-2023", &["line 1, the header"]),
        ("--workers=4", &["replay has no option --workers"]),
    ];
    for (change, parts) in cases {
        let message = refused(change);
        assert!(parts.iter().all(|part| message.contains(part)), "{change}: {message}");
    }
    let none =
        run(&["replay", "--rule=random", "--replicas=2", "--kv-blocks=64", "--block-size=512"]).refused();
    assert!(none.contains("replay needs --trace"), "{none}");
}

/// Every beginning of a trace is either a whole trace or refused with line and field.
#[test]
fn truncated_traces_are_refused_with_line_and_field() {
    for (name, whole, step) in [("cut.jsonl", MOONCAKE, 13), ("cut.csv", AZURE, 7)] {
        for end in (0..whole.len()).step_by(step) {
            let file = TestFile::new(name, &whole.as_bytes()[..end]);
            let ran = replay(file.path(), "random", "512", &[]);
            match trace_file::read(&whole.as_bytes()[..end]) {
                Ok(trace) => assert_eq!(ran.json()["results"][0]["requests"], trace.rows.len()),
                Err(problem) => {
                    let message = ran.refused();
                    assert!(message.contains(&problem.to_string()), "{message}");
                    assert!(message.contains("line ") || message.contains("the file"), "{message}");
                }
            }
        }
    }
}

#[test]
fn hostile_traces_are_refused_with_a_short_message() {
    let row = |timestamp: &str, input: &str, ids: &str| {
        format!(
            "{{\"timestamp\": {timestamp}, \"input_length\": {input}, \"output_length\": 1, \"hash_ids\": [{ids}]}}\n"
        )
    };
    let hostile: Vec<Vec<u8>> = vec![
        Vec::new(),
        b"\n\n\n".to_vec(),
        b"\xff\xfe\x00\x01".to_vec(),
        b"{".repeat(3 << 20),
        vec![b'x'; 3 << 20],
        vec![0; 3 << 20],
        b"TIMESTAMP,ContextTokens,GeneratedTokens\n\x1b[2J,1,1\n".to_vec(),
        b"TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03,0,1\n".to_vec(),
        b"TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03,1,99999999999999999999\n".to_vec(),
        row("-1", "5", "").into_bytes(),
        row("1e400", "5", "").into_bytes(),
        row("0", "0", "").into_bytes(),
        row("0", "4294967296", "").into_bytes(),
        row("0", "5", "1, 2, 3, 4, 5").into_bytes(),
        row("0", "600", "1.5, -2").into_bytes(),
        row("0", "5", &"1,".repeat(600_000)).into_bytes(),
    ];
    for (i, content) in hostile.iter().enumerate() {
        let file = TestFile::new("hostile.trace", content);
        let message = replay(file.path(), "random", "512", &[]).refused();
        assert!(message.len() < 1_000, "{i}: {} bytes", message.len());
        assert!(message.chars().all(|c| c == '\n' || !c.is_control()), "{i}: {message:?}");
        assert!(message.contains("allowed: "), "{i}: {message}");
    }
}

/// Both whole Mooncake traces and Azure's two: every request is replayed, and what the library
/// finds in the caches is what is printed, in every form.
#[test]
fn shared_traces_are_replayed_whole() {
    let test = "shared_traces_are_replayed_whole";
    for (path, requests, block) in [
        ("traces/mooncake_conversation.jsonl", 12_031, "512"),
        ("traces/mooncake_synthetic.jsonl", 3_993, "512"),
        ("traces/azure2023_code_first2000.csv", 2_000, "16"),
        ("traces/azure2023_conv_first2000.csv", 2_000, "16"),
    ] {
        let Some(file) = shared(path, test) else { return };
        let file_text = file.to_str().unwrap();
        let result = replay(file_text, "round-robin", block, &[]).json()["results"][0].clone();
        assert_eq!(result["requests"], requests, "{path}");
        let fields = [("router.rule", "round-robin"), ("fleet.replicas", "2"), ("fleet.block", block)];
        same(&result, "round-robin", &library(&std::fs::read(&file).unwrap(), &fields));
        let found = result["token_hit_rate"].as_f64().unwrap();
        assert_eq!(found > 0.0, block == "512", "{path}: {found}");
        let args = ["replay", "--rule=round-robin", "--replicas=2", "--kv-blocks=4096", "--format=csv"];
        let records = csv(&run(&[&args[..], &["--trace", file_text, "--block-size", block]].concat()).ok());
        let at = records[0].iter().position(|head| head == "token_hit_rate").unwrap();
        assert_eq!(Json::from(records[1][at].parse::<f64>().unwrap()), result["token_hit_rate"]);
    }
}
