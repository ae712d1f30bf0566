//! `explain` says what the recording of the library says.

use serde_json::Value as Json;
use tokenyard_fleet::Recording;
use tokenyard_fleet::scenario::Scenario;
use tokenyard_fleet::time::in_ms;

use crate::fleet::{SCENARIO, TestFile};
use crate::program::{csv, run};

fn recording() -> Recording {
    Recording::of(&Scenario::read(SCENARIO.as_bytes(), None).unwrap(), None)
}

fn explained(file: &TestFile, request: u32) -> Json {
    run(&["explain", file.path(), "--request", &request.to_string(), "--format=json"]).json()
}

#[test]
fn a_request_has_the_decisions_and_the_end_of_the_recording() {
    let file = TestFile::new("explain.json", SCENARIO.as_bytes());
    let recording = recording();
    let mut differing = 0;
    for request in (0..120).step_by(17) {
        let json = explained(&file, request);
        let decisions = recording.decisions().iter().filter(|d| d.request == request);
        let printed = json["decisions"].as_array().unwrap();
        assert!(!printed.is_empty());
        assert_eq!(decisions.clone().count(), printed.len());
        for (decision, printed) in decisions.zip(printed) {
            assert_eq!(printed["at_ms"].as_f64(), Some(in_ms(decision.at)));
            assert_eq!((&printed["to"], &printed["tied"]), (&decision.to.into(), &decision.tied.into()));
            assert_eq!(printed["fresh"], Json::from(decision.fresh));
            assert_eq!(printed["regret"]["blocks"].as_i64(), decision.regret().map(|r| r.blocks));
            assert!(
                printed["reason"]
                    .as_str()
                    .unwrap()
                    .to_lowercase()
                    .contains(&format!("replica {}", decision.to))
            );
            for (row, printed) in decision.rows.iter().zip(printed["candidates"].as_array().unwrap()) {
                assert_eq!(printed["replica"], row.replica);
                assert_eq!(printed["chosen"], row.replica == decision.to);
                assert_eq!(printed["believed_outstanding"], row.believed_outstanding);
                assert_eq!(printed["outstanding"], row.outstanding);
                assert_eq!(printed["age_ms"].as_f64(), Some(in_ms(row.age)));
                assert_eq!(printed["believed_overlap"], row.believed_overlap);
                assert_eq!(printed["overlap"], row.overlap);
                assert_eq!(printed["term.cost"].as_f64(), row.terms.map(|terms| terms[5]));
            }
            differing += u32::from(decision.fresh != Some(decision.to));
        }
        let outcome = recording.last().outcomes().all().iter().find(|o| o.number == request).unwrap();
        let timeline = &json["timeline"];
        let arrival = outcome.arrival;
        assert_eq!(timeline["arrival_ms"].as_f64(), Some(in_ms(arrival)));
        assert_eq!(timeline["admitted_ms"].as_f64(), Some(in_ms(arrival + outcome.queue)));
        assert_eq!(timeline["first_token_ms"].as_f64(), Some(in_ms(arrival + outcome.ttft)));
        assert_eq!(timeline["end_ms"].as_f64(), Some(in_ms(arrival + outcome.e2e)));
        assert_eq!(timeline["cached_tokens"], outcome.cached);
        assert_eq!(timeline["replica"], Json::from(outcome.replica));
    }
    assert!(differing > 0, "counts are stale here, so some choices differ on fresh data");
}

#[test]
fn the_forms_of_an_explanation_agree() {
    let file = TestFile::new("explain_forms.json", SCENARIO.as_bytes());
    let json = explained(&file, 20);
    let args = |format| ["explain", file.path(), "--request=20", "--format", format];
    let records = csv(&run(&args("csv")).ok());
    let table = run(&args("table")).ok();
    let decision = &json["decisions"][0];
    assert!(table.contains(decision["reason"].as_str().unwrap()), "{table}");
    let candidates = decision["candidates"].as_array().unwrap();
    assert_eq!(records.len() - 1, candidates.len() * json["decisions"].as_array().unwrap().len());
    for (record, candidate) in records[1..].iter().zip(candidates) {
        for (key, value) in candidate.as_object().unwrap() {
            let at = records[0].iter().position(|head| head == key).unwrap();
            assert_eq!(record[at], value.to_string(), "{key}");
        }
    }
}

/// Every rule has a reason that names who was chosen, and meets the same request.
#[test]
fn every_rule_explains_itself() {
    let file = TestFile::new("explain_rules.json", SCENARIO.as_bytes());
    let mut requests = Vec::new();
    for rule in tokenyard_policy::rules::RULES {
        let set = format!("router.rule={},workload.turns=1", rule.id);
        let json = run(&["explain", file.path(), "--request=60", "--format=json", "--set", &set]).json();
        let decision = &json["decisions"][0];
        let timeline = &json["timeline"];
        requests.push(["arrival_ms", "prompt_tokens", "output_tokens"].map(|key| timeline[key].to_string()));
        let reason = decision["reason"].as_str().unwrap();
        let names = reason.to_lowercase().contains(&format!("replica {}", decision["to"]));
        assert!(names && reason.ends_with('.'), "{}: {reason}", rule.id);
        assert!(
            !reason.contains(['{', '}']) && !reason.contains("why.") && !reason.contains("by."),
            "{reason}"
        );
        let chosen = decision["candidates"].as_array().unwrap().iter().filter(|c| c["chosen"] == true);
        assert_eq!(chosen.count(), 1);
        for term in rule.terms {
            assert!(decision["candidates"][0].get(format!("term.{term}")).is_some(), "{} {term}", rule.id);
        }
    }
    requests.dedup();
    assert_eq!(requests.len(), 1, "{requests:?}");
}

#[test]
fn a_request_that_the_run_does_not_reach_or_finish_is_told_apart() {
    let file = TestFile::new("explain_cut.json", SCENARIO.as_bytes());
    let message = run(&["explain", file.path(), "--request=120"]).refused();
    assert!(message.contains("request is 120; allowed: 0 to 119"), "{message}");
    let cut = ["explain", file.path(), "--request=0", "--format=json", "--set", "limits.events=3"];
    let json = run(&cut).json();
    assert_eq!(json["timeline"]["status"], "not ended");
    assert!(json["timeline"]["end_ms"].is_null());
    assert_eq!(json["decisions"].as_array().unwrap().len(), 1);
}
