//! Three forms of the same results, the list of labs, help, and the digests.

use serde_json::Value as Json;
use tokenyard_lab::labs::LABS;
use tokenyard_lab::{digest, link};

use crate::program::{csv, line, run};

#[test]
fn every_lab_prints_every_parameter_and_result_in_json() {
    for lab in LABS {
        for steps in [false, true] {
            let mut args = vec!["lab", lab.id, "--format", "json"];
            args.extend(steps.then_some("--steps"));
            let json = run(&args).json();
            assert_eq!(json.as_object().unwrap().keys().collect::<Vec<_>>(), ["lab", "params", "results"]);
            let keys: Vec<&str> = lab.params.iter().map(|spec| spec.key).collect();
            assert_eq!(json["params"].as_object().unwrap().keys().collect::<Vec<_>>(), keys);
            let results = (lab.results)(&lab.defaults().values, steps);
            assert!(!results.is_empty());
            assert_eq!(json["results"], Json::from(results), "{}", lab.id);
        }
    }
}

#[test]
fn csv_has_one_exact_record_for_each_result() {
    for lab in LABS {
        let records = csv(&run(&["lab", lab.id, "--format=csv"]).ok());
        let results = (lab.results)(&lab.defaults().values, false);
        assert_eq!(records.len(), results.len() + 1, "{}", lab.id);
        assert!(records.iter().all(|r| r.len() == records[0].len()));
        for (record, result) in records[1..].iter().zip(&results) {
            for (head, field) in records[0].iter().zip(record) {
                exact(field, &result[head], &format!("{} {head}", lab.id));
            }
            let fields = result.as_object().unwrap().iter().filter(|(_, v)| !v.is_array() && !v.is_object());
            assert!(fields.map(|(k, _)| k).all(|k| records[0].contains(k)));
        }
    }
}

fn exact(field: &str, value: &Json, place: &str) {
    match value {
        Json::Number(number) => assert_eq!(field.parse::<f64>().ok(), number.as_f64(), "{place}"),
        Json::String(text) => assert_eq!(field, text, "{place}"),
        Json::Bool(on) => assert_eq!(field, on.to_string(), "{place}"),
        Json::Null => assert!(["", "none"].contains(&field), "{place}: {field}"),
        Json::Array(items) if items.iter().any(Json::is_string) => {
            let texts: Vec<String> = items.iter().map(|v| v.as_str().unwrap_or("none").to_owned()).collect();
            assert_eq!(field, texts.join(" "), "{place}");
        }
        Json::Array(items) => {
            let fields: Vec<&str> = field.split(' ').filter(|f| !f.is_empty()).collect();
            assert_eq!(fields.len(), items.len(), "{place}");
            fields.iter().zip(items).for_each(|(f, v)| exact(f, v, place));
        }
        Json::Object(_) => panic!("{place} is no single value"),
    }
}

#[test]
fn with_steps_there_is_one_record_for_each_step_under_its_rule() {
    for lab in LABS {
        let records = csv(&run(&["lab", lab.id, "--steps", "--format=csv"]).ok());
        let results = (lab.results)(&lab.defaults().values, true);
        let steps = results.iter().map(|r| r["steps"].as_array().map_or(0, Vec::len)).sum::<usize>();
        assert_eq!(records.len() - 1, if steps > 0 { steps } else { results.len() }, "{}", lab.id);
        let named = ["rule", "mode"].into_iter().find(|key| results[0].get(*key).is_some());
        if let Some(key) = named.filter(|_| steps > 0) {
            assert_eq!(records[0][..2], [key, "step"], "{}", lab.id);
            let first = results.iter().find(|r| r["steps"].is_array()).unwrap();
            assert_eq!(records[1][..2], [first[key].as_str().unwrap(), "1"]);
        }
    }
}

#[test]
fn a_table_shows_the_published_digits_and_lines_up() {
    let text = line("lab herding").ok();
    let rows: Vec<Vec<&str>> = text.lines().map(|l| l.split_whitespace().collect()).collect();
    assert_eq!(rows[1], ["least-outstanding", "21", "12.0", "1.19", "64%"]);
    assert_eq!(rows[4], ["in-flight-aware-p2c", "10", "4.4", "0.96", "23%"]);
    let widths: Vec<usize> = text.lines().map(str::len).collect();
    assert!(widths.iter().all(|w| *w == widths[0]), "{text}");
    for lab in LABS {
        for args in [&["lab", lab.id][..], &["lab", lab.id, "--steps"]] {
            let text = run(args).ok();
            assert!(text.lines().count() > 1 && text.lines().all(|l| l.trim_end() == l), "{}", lab.id);
        }
    }
}

#[test]
fn a_step_of_herding_is_the_published_one_in_csv() {
    let records = csv(&line("lab herding --steps --format csv").ok());
    let head = "rule,step,true_loads,views,routers,probes,scraped,placements,spread";
    assert_eq!(records[0].join(","), head);
    let first = [
        "least-outstanding",
        "1",
        "0 2 0 0 0",
        "0 0 0 0 0; 0 0 0 0 0",
        "0 1",
        "none none",
        "0 1 2 3",
        "1 1",
        "2",
    ];
    assert_eq!(records[1], first);
    assert_eq!(records.len(), 1 + 4 * 90);
}

#[test]
fn labs_lists_every_parameter_with_its_range_and_default() {
    let records = csv(&line("labs --format csv").ok());
    let json = line("labs --format json").json();
    let table = line("labs").ok();
    let mut at = 1;
    for (lab, listed) in LABS.iter().zip(json["labs"].as_array().unwrap()) {
        assert_eq!(listed["lab"], lab.id);
        assert_eq!(listed["params"].as_array().unwrap().len(), lab.params.len());
        for (spec, listed) in lab.params.iter().zip(listed["params"].as_array().unwrap()) {
            let default = spec.kind.write(&spec.kind.default_value());
            let expect = [lab.id, &format!("--{}", spec.flag()), &spec.kind.allowed(), &default];
            assert_eq!(records[at], expect);
            assert!(table.lines().any(|l| expect.iter().all(|part| l.contains(part))), "{expect:?}");
            assert_eq!(listed["key"], spec.key);
            assert!(listed.get("default").is_some() && listed["kind"].is_string());
            at += 1;
        }
    }
    assert_eq!(records.len(), at);
    assert_eq!(json["labs"].as_array().unwrap().len(), LABS.len());
}

#[test]
fn help_and_version_go_to_stdout() {
    for args in ["help", "--help", "-h", "lab --help", "digest -h"] {
        let text = line(args).ok();
        assert!(text.contains("tokenyard lab <id>") && LABS.iter().all(|l| text.contains(l.id)), "{args}");
    }
    for lab in LABS {
        let text = run(&["help", lab.id]).ok();
        assert!(lab.params.iter().all(|spec| text.contains(&format!("--{}", spec.flag()))));
        assert_eq!(run(&["lab", lab.id, "--help"]).ok(), text);
    }
    assert_eq!(line("--version").ok(), format!("tokenyard {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn digests_are_those_of_the_suite() {
    let text = line("digest").ok();
    assert_eq!(text.lines().count() as u32, digest::count());
    assert_eq!(line("digest --count").ok(), format!("{}\n", digest::count()));
    for (index, row) in (0..).zip(text.lines()) {
        let (lab, _) = digest::scenario(index).unwrap();
        let digest = row.rsplit(' ').next().unwrap();
        assert_eq!(row, format!("{index} {} {digest}", lab.id));
        assert_eq!(digest.len(), 16);
        if index % 17 == 0 {
            assert_eq!(u64::from_str_radix(digest, 16), Ok(digest::run(index)));
        }
    }
}

#[test]
fn the_same_input_prints_the_same_bytes() {
    for lab in LABS {
        let address = format!("labs/{}/#{}", lab.id, link::write(lab, &link::State::fresh(lab)));
        for args in [&["lab", lab.id, "--steps", "--format=json"][..], &["lab", lab.id], &["link", &address]]
        {
            assert_eq!(run(args), run(args));
        }
        assert_eq!(run(&["lab", lab.id]), run(&["link", &address]), "a link without settings is the lab");
    }
}
