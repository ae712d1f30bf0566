//! Defaults are those of the named upstream: sections 1.4, 1.5, 6, 7 and 8.3.

use tokenyard_param::Values;
use tokenyard_policy::rules::by_id;

fn of(id: &str) -> Values {
    Values::defaults(by_id(id).unwrap().params)
}

#[test]
fn sections_1_4_and_1_5() {
    let bucket = of("sglang-bucket");
    assert_eq!(bucket.int("balance_abs"), 32);
    assert_eq!([bucket.real("balance_rel"), bucket.real("adjust_interval_s")], [1.0001, 5.0]);
    assert!(of("smg-least-load").switch("only_uncounted"));
}

#[test]
fn section_6() {
    let least = of("envoy-least-request");
    assert_eq!((least.int("choice_count"), least.choice("selection")), (2, 0));
    let keys =
        ["active_request_bias", "slow_start_s", "slow_start_aggression", "slow_start_min_weight_percent"];
    assert_eq!(keys.map(|key| least.real(key)), [1.0, 0.0, 1.0, 10.0]);
    let orca = of("envoy-cswrr");
    let keys = ["error_utilization_penalty", "blackout_s", "expiry_s", "update_s"];
    assert_eq!(keys.map(|key| orca.real(key)), [0.0, 10.0, 180.0, 1.0]);
}

#[test]
fn section_7() {
    for strategy in ["simple-shuffle", "least-busy", "usage-based", "latency-based", "cost-based"] {
        assert_eq!(of(&format!("litellm-{strategy}")).real("cooldown_s"), 5.0);
    }
    assert_eq!(of("litellm-least-busy").opt_u32("counter_ttl_s"), Some(600));
    let latency = of("litellm-latency-based");
    assert_eq!((latency.int("list_size"), latency.real("buffer"), latency.real("ttl_s")), (10, 0.0, 3_600.0));
}

#[test]
fn section_8_3() {
    let vtc = of("aibrix-vtc-basic");
    let keys = ["input_weight", "output_weight", "fairness_weight", "utilisation_weight", "noise"];
    assert_eq!(keys.map(|key| vtc.real(key)), [1.0, 2.0, 1.0, 1.0, 0.1]);
    assert_eq!([vtc.real("window_s"), vtc.real("max_replica_load")], [300.0, 100.0]);
}
