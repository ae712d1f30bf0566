use proptest::prelude::*;
use serde_json::{Value as Json, json};
use tokenyard_param::{Kind, Value, Values};

use super::*;

fn problems(text: &str) -> Vec<String> {
    Draft::read(text.as_bytes()).unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn every_problem_is_named_with_field_value_and_what_is_allowed() {
    let text = r#"{"fleet": {"replicas": 0, "blok": 3, "mode": "fast", "kv_blocks": "none", "prefix_cache": 1},
        "workload": {"rate_rps": 1e300, "requests": 99999999999999999999, "requests": 5, "turns": 1.5},
        "limits": 7, "changes": [{"at_s": 1, "kind": "fail"}, 3], "seed": -1, "version": 2, "sed": 1}"#;
    let found = problems(text);
    for expected in [
        "fleet.replicas is 0; allowed: a whole number from 1 to 1024",
        "fleet.blok is unknown; allowed: block, budget, ",
        "fleet.mode is \"fast\"; allowed: chunked, continuous, static",
        "fleet.kv_blocks is \"none\"; allowed: a whole number from 1 to 100000000, or null",
        "fleet.prefix_cache is 1; allowed: true or false",
        "workload.rate_rps is 1e300; allowed: a number from 0.001 to 1000000",
        "workload.requests is 1e20; allowed: ",
        "workload.requests is given twice; allowed: once",
        "workload.turns is 1.5; allowed: a whole number from 1 to 10000",
        "limits is 7; allowed: an object",
        "changes[0].replica is missing; allowed: a whole number from 0 to 1023",
        "changes[1] is 3; allowed: an object",
        "seed is -1; allowed: 0 to 9007199254740991",
        "version is 2; allowed: 1",
        "sed is unknown; allowed: seed, ",
    ] {
        assert!(found.iter().any(|p| p.starts_with(expected)), "{expected}\n{found:#?}");
    }
}

#[test]
fn a_field_that_cannot_be_shown_is_still_named() {
    for text in ["{\"\": 1}", "{\"\\u0007\": 1}"] {
        assert!(problems(text)[0].starts_with("\"\" is unknown; allowed: "), "{text}");
    }
}

#[test]
fn text_that_is_no_json_is_refused_where_it_stops_being_json() {
    let starts = |text: &str, place: &str| {
        let found = problems(text);
        assert!(found.len() == 1 && found[0].starts_with(place), "{text}: {found:?}");
        assert!(found[0].ends_with("; allowed: JSON (RFC 8259)"), "{found:?}");
    };
    starts("{\"seed\": 1,\n }", "line 2, column 2 is trailing comma");
    starts("{\"seed\": NaN}", "line 1, column 10 is expected value");
    starts("{} x", "line 1, column 4 is trailing characters");
    starts("{\"seed\": 1e999}", "line 1, column 14 is number out of range");
    starts(&"[".repeat(100_000), "line 1, column 17 is more than 16 levels");
    assert!(Draft::read(b"{\"seed\xff\": 1}").unwrap_err()[0].to_string().contains("not text at byte 6"));
    assert!(Draft::read(&vec![b' '; MOST_BYTES + 1]).is_err());
    let many = format!("{{{}}}", vec!["\"x\": 1"; 10_000].join(","));
    assert!(problems(&many).len() <= MOST_PROBLEMS);
}

#[test]
fn two_fields_that_do_not_fit_are_both_named() {
    let text = r#"{"workload": {"arrivals": "closed", "compact_tokens": 500},
        "fleet": {"max_seqs": 512, "budget": 256, "block": 1024, "kv_blocks": 100000000, "replicas": 2,
                  "slow_replicas": 3, "failing_replicas": 3},
        "gateway": {"pools": 3, "outlier_most_ejection_s": 29.9}, "limits": {"warm_up_s": 5, "simulated_s": 5},
        "changes": [{"at_s": 0, "replica": 2, "kind": "slow"},
                    {"at_s": 0, "replica": 1, "kind": "fail", "value": 5}]}"#;
    let found = Draft::read(text.as_bytes()).unwrap().build(None).unwrap_err();
    let both = [
        ("workload.concurrency", "workload.arrivals"),
        ("workload.compact_to_tokens", "workload.compact_tokens"),
        ("fleet.max_seqs", "fleet.budget"),
        ("fleet.kv_blocks", "fleet.block"),
        ("fleet.slow_replicas", "fleet.replicas"),
        ("fleet.failing_replicas", "fleet.replicas"),
        ("gateway.outlier_most_ejection_s", "gateway.outlier_ejection_s"),
        ("gateway.pools", "fleet.replicas"),
        ("changes[0].replica", "fleet.replicas"),
        ("changes[0].value", "changes[0].kind"),
        ("changes[1].value", "changes[1].kind"),
        ("limits.warm_up_s", "limits.simulated_s"),
    ];
    for (one, other) in both {
        assert!(found.iter().any(|p| p.path == one && p.allowed.contains(other)), "{one}\n{found:#?}");
    }
    assert_eq!(found.len(), both.len());
}

#[test]
fn a_trace_is_needed_and_its_blocks_must_be_divisible() {
    let draft = Draft::read(br#"{"workload": {"arrivals": "trace", "prompt_shape": "empirical"}}"#).unwrap();
    let paths: Vec<_> = draft.build(None).unwrap_err().into_iter().map(|p| p.path).collect();
    assert_eq!(paths, ["workload.arrivals", "workload.prompt_shape"]);
    let row = crate::trace_file::Row { at: 0, prompt: 1, output: 1, chain: crate::chain::Chain::new() };
    let mut trace = Trace { rows: vec![row], block: Some(512) };
    assert!(draft.build(Some(&trace)).is_ok());
    trace.block = Some(24);
    assert_eq!(draft.build(Some(&trace)).unwrap_err()[0].path, "fleet.block");
}

/// A typed field that forgot its parameter, or reads another's, does not move here.
#[test]
fn every_parameter_moves_the_scenario() {
    let mut base = Draft::default();
    for (section, key, text) in [
        (Section::Workload, "rollouts", "80"),
        (Section::Workload, "arrivals", "closed"),
        (Section::Workload, "concurrency", "16"),
        (Section::Workload, "compact_tokens", "5000"),
        (Section::Fleet, "preset", "ticks"),
        (Section::Gateway, "outlier", "on"),
    ] {
        base.set(&format!("{}.{key}", section.key()), text).unwrap();
    }
    let shown = |draft: &Draft| format!("{:?}", draft.build(None).unwrap());
    for section in Section::ALL {
        for (place, spec) in section.table().iter().enumerate() {
            if ["arrivals", "rollouts"].contains(&spec.key) {
                continue;
            }
            let mut draft = base.clone();
            let other = match (spec.kind, draft.section(section).at(place).unwrap()) {
                (Kind::Switch { .. }, Value::Switch(on)) => Value::Switch(!on),
                (Kind::Choice { options, .. }, Value::Choice(i)) => {
                    Value::Choice((i + 1) % options.len() as u8)
                }
                (Kind::Int { max, .. } | Kind::OptInt { max, .. }, Value::Int(n)) => {
                    Value::Int(if *n < max { n + 1 } else { n - 1 })
                }
                (Kind::OptInt { min, .. }, Value::Nothing) => Value::Int(min),
                (Kind::Real { min, max, .. }, Value::Real(v)) => {
                    Value::Real(if *v == max { (min + max) / 2.0 } else { (v + max.min(v + 2.0)) / 2.0 })
                }
                (kind, value) => panic!("{kind:?} {value:?}"),
            };
            // Options of lengths that need a trace, and replicas that others are compared with.
            if spec.key.ends_with("_shape") && other == Value::Choice(4) {
                continue;
            }
            if ["slow_replicas", "failing_replicas", "pools"].contains(&spec.key) {
                assert!(draft.section_mut(section).set(place, Value::Int(2)));
            } else {
                assert!(draft.section_mut(section).set(place, other), "{}", spec.key);
            }
            assert_ne!(shown(&draft), shown(&base), "{}.{}", section.key(), spec.key);
        }
    }
}

/// Any value that the table of a parameter allows.
fn any_value(kind: Kind) -> BoxedStrategy<Value> {
    match kind {
        Kind::Int { min, max, .. } => (min..=max).prop_map(Value::Int).boxed(),
        Kind::OptInt { min, max, .. } => {
            prop_oneof![Just(Value::Nothing), (min..=max).prop_map(Value::Int)].boxed()
        }
        Kind::Real { min, max, .. } => {
            (0.0..=1.0_f64).prop_map(move |u| Value::Real((min + u * (max - min)).clamp(min, max))).boxed()
        }
        Kind::Switch { .. } => any::<bool>().prop_map(Value::Switch).boxed(),
        Kind::Choice { options, .. } => (0..options.len() as u8).prop_map(Value::Choice).boxed(),
        Kind::Text { .. } => "[ -~äλ]{1,9}".prop_map(Value::Text).boxed(),
    }
}

fn any_values(table: &'static [tokenyard_param::ParamSpec]) -> impl Strategy<Value = Values> {
    table.iter().map(|spec| any_value(spec.kind)).collect::<Vec<_>>().prop_map(move |all| {
        let mut values = Values::defaults(table);
        all.into_iter().enumerate().for_each(|(i, v)| assert!(values.set(i, v)));
        values
    })
}

fn any_draft() -> impl Strategy<Value = Draft> {
    let sections: Vec<_> = Section::ALL.iter().map(|s| any_values(s.table())).collect();
    let rule = proptest::sample::select(tokenyard_policy::rules::RULES);
    let rule = rule.prop_flat_map(|rule| (Just(rule), any_values(rule.params)));
    let changes = proptest::collection::vec(any_values(&change::TABLE), 0..4);
    (0..=MOST_SEED, sections, rule, changes).prop_map(|(seed, sections, (rule, params), changes)| {
        let mut draft = Draft::default();
        (draft.seed, draft.changes) = (seed, changes);
        Section::ALL.into_iter().zip(sections).for_each(|(s, v)| *draft.section_mut(s) = v);
        draft.set_rule(rule);
        *draft.rule_params_mut() = params;
        draft
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn what_is_written_reads_back_equal(draft in any_draft()) {
        let text = draft.write();
        let back = Draft::read(text.as_bytes());
        prop_assert_eq!(back.as_ref().map(Draft::write), Ok(text));
        prop_assert_eq!(back, Ok(draft));
    }

    /// Whatever is put in the place of any field, reader and schema agree about it.
    #[test]
    fn schema_and_reader_agree(draft in any_draft(), at in any::<proptest::sample::Index>(), to in odd()) {
        let mut file: Json = serde_json::from_str(&draft.write()).unwrap();
        prop_assert!(schema_check::accepts(&schema(), &file));
        let mut places = Vec::new();
        pointers(&file, String::new(), &mut places);
        let place = at.get(&places);
        *file.pointer_mut(place).unwrap() = to;
        let read = Draft::read(file.to_string().as_bytes());
        let accepts = schema_check::accepts(&schema(), &file);
        prop_assert_eq!(read.is_ok(), accepts, "{} {:?}", place, read.err());
    }
}

/// Values that some field takes and others do not.
fn odd() -> impl Strategy<Value = Json> {
    const FIXED: [&str; 11] =
        ["null", "true", "\"first\"", "\"none\"", "\"\"", "{}", "[]", "-1", "1.5", "1e300", "{\"x\":1}"];
    let fixed = proptest::sample::select(&FIXED[..]).prop_map(|text| serde_json::from_str(text).unwrap());
    prop_oneof![fixed, (-2_i64..3_000_000).prop_map(Json::from), (0.0..2.0).prop_map(Json::from)]
}

fn pointers(value: &Json, here: String, into: &mut Vec<String>) {
    match value {
        Json::Object(fields) => fields.iter().for_each(|(k, v)| pointers(v, format!("{here}/{k}"), into)),
        Json::Array(items) => {
            items.iter().enumerate().for_each(|(i, v)| pointers(v, format!("{here}/{i}"), into));
        }
        _ => {}
    }
    into.push(here);
}

#[test]
fn fields_are_set_by_path() {
    let mut draft = Draft::default();
    draft.set("fleet.replicas", "9").unwrap();
    draft.set("router.rule", "random").unwrap();
    draft.set("seed", "7").unwrap();
    assert_eq!((draft.section(Section::Fleet).u32("replicas"), draft.seed), (9, 7));
    for (path, text) in
        [("fleet.replicas", "0"), ("fleet.x", "1"), ("x", "1"), ("seed", "-1"), ("router.rule", "?")]
    {
        assert_eq!(draft.set(path, text).unwrap_err().path, path);
    }
    assert_eq!(json!(schema()["properties"]["fleet"]["properties"]["block"]["maximum"]), json!(1_024));
}

/// As much of a JSON Schema checker as [`schema`] uses; a keyword that it does not know fails.
mod schema_check {
    use serde_json::Value as Json;

    pub(super) fn accepts(schema: &Json, value: &Json) -> bool {
        let number = value.as_f64();
        schema.as_object().unwrap().iter().all(|(word, rule)| match word.as_str() {
            "$schema" | "title" | "default" | "then" => true,
            "const" => same(rule, value),
            "enum" => rule.as_array().unwrap().iter().any(|option| same(option, value)),
            "type" => match rule {
                Json::Array(kinds) => kinds.iter().any(|kind| is(kind, value)),
                kind => is(kind, value),
            },
            "minimum" => number.is_none_or(|n| n >= rule.as_f64().unwrap()),
            "maximum" => number.is_none_or(|n| n <= rule.as_f64().unwrap()),
            "minLength" => value.as_str().is_none_or(|t| t.chars().count() as u64 >= rule.as_u64().unwrap()),
            "maxLength" => value.as_str().is_none_or(|t| t.chars().count() as u64 <= rule.as_u64().unwrap()),
            "pattern" => value.as_str().is_none_or(|t| !t.chars().any(char::is_control)),
            "maxItems" => value.as_array().is_none_or(|a| a.len() as u64 <= rule.as_u64().unwrap()),
            "items" => value.as_array().is_none_or(|a| a.iter().all(|item| accepts(rule, item))),
            "required" => value.as_object().is_none_or(|o| {
                rule.as_array().unwrap().iter().all(|key| o.contains_key(key.as_str().unwrap()))
            }),
            "properties" => value.as_object().is_none_or(|o| {
                rule.as_object().unwrap().iter().all(|(k, s)| o.get(k).is_none_or(|v| accepts(s, v)))
            }),
            "additionalProperties" => value.as_object().is_none_or(|o| {
                o.keys().all(|key| schema["properties"].as_object().unwrap().contains_key(key))
            }),
            "allOf" => rule.as_array().unwrap().iter().all(|s| accepts(s, value)),
            "anyOf" => rule.as_array().unwrap().iter().any(|s| accepts(s, value)),
            "not" => !accepts(rule, value),
            "if" => !accepts(rule, value) || accepts(&schema["then"], value),
            other => panic!("unknown keyword {other}"),
        })
    }

    fn same(a: &Json, b: &Json) -> bool {
        a == b || (a.is_number() && a.as_f64() == b.as_f64())
    }

    fn is(kind: &Json, value: &Json) -> bool {
        match kind.as_str().unwrap() {
            "integer" => value.as_f64().is_some_and(|n| n.fract() == 0.0),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "object" => value.is_object(),
            "array" => value.is_array(),
            "null" => value.is_null(),
            other => panic!("unknown type {other}"),
        }
    }
}
