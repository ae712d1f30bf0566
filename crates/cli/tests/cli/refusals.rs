//! What the fleet's commands refuse: a reason with name, value and range, exit code 2, and nothing
//! on stdout.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::fleet::{SCENARIO, TestFile};
use crate::program::{Ran, run};

/// Runs the program with something on standard input.
fn piped(args: &[&str], input: &[u8]) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tokenyard"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses early does not read everything.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn says(ran: Ran, parts: &[&str]) {
    let message = ran.refused();
    assert!(parts.iter().all(|part| message.contains(part)), "{parts:?} in {message}");
    assert!(message.len() < 4_000, "{} bytes", message.len());
    assert!(message.chars().all(|c| c == '\n' || !c.is_control()), "{message:?}");
}

#[test]
fn options_are_refused_by_name_value_and_range() {
    let file = TestFile::new("options.json", SCENARIO.as_bytes());
    let path = file.path();
    let cases: &[(&[&str], &[&str])] = &[
        (&["run"], &["run needs a scenario"]),
        (&["run", "no such file.json"], &["no such file.json", "cannot be read"]),
        (&["run", "/"], &["cannot be read"]),
        (&["run", path, path], &["run has no use for"]),
        (&["run", path, "--rule=random"], &["run has no option --rule"]),
        (&["run", path, "--format=xml"], &["--format is xml", "table, json, csv"]),
        (&["run", path, "--set"], &["--set has no value"]),
        (&["run", path, "--set="], &["--set is empty"]),
        (&["run", path, "--set=seed"], &["--set is seed", "path=value"]),
        (&["run", path, "--set=fleet.replicas=0"], &["fleet.replicas is 0; allowed: 1 to 1024", "--set"]),
        (&["run", path, "--set=fleet.replica=1"], &["fleet.replica is unknown", "replicas"]),
        (&["run", path, "--set=seed=-1"], &["seed is -1; allowed: 0 to 9007199254740991"]),
        (&["run", path, "--trace=none.csv"], &["--trace is none.csv", "cannot be read"]),
        (&["run", path, "--trace-format=mooncake"], &["--trace-format is mooncake", "without --trace"]),
        (&["run", "-", "--trace", "-"], &["--trace is -", "one of them"]),
        (&["compare", path], &["compare needs --rules"]),
        (&["compare", path, "--rules"], &["--rules has no value"]),
        (&["compare", path, "--rules="], &["--rules is empty", "round-robin"]),
        (&["compare", path, "--rules=random,least-outstandin"], &["did you mean least-outstanding?"]),
        (&["compare", path, "--rules=random,random"], &["--rules has random twice"]),
        (&["compare", path, "--rules=random", "--seeds=0"], &["seeds is 0; allowed: 1 to 200"]),
        (&["compare", path, "--rules=random", "--seeds=201"], &["seeds is 201; allowed: 1 to 200"]),
        (
            &["compare", path, "--rules=random", "--seeds=2", "--set=seed=9007199254740991"],
            &["seed is 9007199254740991 with --seeds 2", "9007199254740990"],
        ),
        (&["explain", path], &["explain needs --request"]),
        (&["explain", path, "--request=-1"], &["request is -1; allowed: 0 to 4294967295"]),
        (&["explain", path, "--request=x"], &["request is x"]),
        (&["rules", "cache"], &["the rule is cache", "sglang-cache-aware"]),
        (&["rules", "--seed=1"], &["rules has no option --seed"]),
        (&["schema", "x"], &["schema has no use for x"]),
    ];
    for (args, parts) in cases {
        says(run(args), parts);
    }
}

#[test]
fn a_scenario_is_refused_by_path_value_and_range() {
    let cases: &[(&str, &[&str])] = &[
        ("", &["line 1, column", "EOF", "allowed: JSON"]),
        ("{\"version\": 1", &["line 1, column", "EOF", "allowed: JSON"]),
        ("[]", &["the file is a list; allowed: an object"]),
        ("{\"version\": 2}", &["version is 2; allowed: 1"]),
        ("{\"fleet\": {\"replicas\": 0}}", &["fleet.replicas is 0", "from 1 to 1024"]),
        ("{\"fleet\": {\"replicas\": 1, \"replicas\": 1}}", &["fleet.replicas is given twice"]),
        ("{\"flet\": {}}", &["flet is unknown", "fleet"]),
        ("{\"router\": {\"rule\": \"fastest\"}}", &["router.rule is \"fastest\"", "round-robin"]),
        ("{\"router\": {\"rule_params\": {\"x\": 1}}}", &["router.rule_params.x is unknown"]),
        ("{\"workload\": {\"arrivals\": \"trace\"}}", &["workload.arrivals is \"trace\"", "--trace"]),
        ("{\"workload\": {\"arrivals\": \"closed\"}}", &["workload.concurrency is null"]),
        ("{\"fleet\": {\"max_seqs\": 9, \"budget\": 8}}", &["fleet.max_seqs is 9", "fleet.budget"]),
    ];
    for (text, parts) in cases {
        says(piped(&["run", "-"], text.as_bytes()), parts);
        says(piped(&["run", "-"], text.as_bytes()), &["standard input: "]);
    }
    says(piped(&["run", "-"], b"\xff\xfe"), &["UTF-8"]);
    says(piped(&["run", "-"], &b"[".repeat(5_000_000)), &["at most 4194304 bytes"]);
    says(piped(&["run", "-"], &b"[".repeat(100_000)), &["more than 16 levels"]);
    let many: String = (0..300).map(|i| format!("\"\\u001b[2Jx{i}\":1,")).collect();
    says(piped(&["run", "-"], format!("{{{many}\"y\":1}}").as_bytes()), &["and ", " more"]);
}

#[test]
fn a_scenario_can_come_from_standard_input() {
    let file = TestFile::new("stdin.json", SCENARIO.as_bytes());
    let ran = piped(&["run", "-", "--format=json"], SCENARIO.as_bytes());
    assert_eq!(ran.ok(), run(&["run", file.path(), "--format=json"]).ok());
}

/// Whatever is wrong with the last rule is said before the first one runs.
#[test]
fn nothing_is_half_done() {
    let file = TestFile::new("half.json", SCENARIO.as_bytes());
    let ran = run(&["compare", file.path(), "--rules=random,nobody", "--progress"]);
    assert!(!ran.stderr.contains("progress"), "{}", ran.stderr);
    says(ran, &["nobody"]);
    let many = ["run", file.path(), "--regret", "--set", "workload.requests=10000000,fleet.replicas=1024"];
    says(run(&many), &["--regret is given for 10000000 requests and 1024 replicas", "8000000"]);
}
