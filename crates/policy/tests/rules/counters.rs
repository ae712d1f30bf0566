//! The virtual token counter: the real VTC of section 8.3. How it orders the gateway's line is in
//! `crates/fleet/tests/around/health.rs`.

use tokenyard_policy::vtc::Vtc;

/// Counters as they are after so many prompt tokens.
fn with(counters: &[(u32, u32)]) -> Vtc {
    let mut vtc = Vtc::default();
    counters.iter().for_each(|(client, tokens)| vtc.admitted(*client, *tokens));
    vtc
}

#[test]
fn section_8_3_case_4_who_was_idle_is_lifted_to_the_least_of_those_who_wait() {
    let mut vtc = with(&[(0, 1_000), (1, 0)]);
    vtc.arrived(1, [0].into_iter());
    assert_eq!(vtc.counter(1), 1_000);
    // Several wait: to the smallest of theirs, and nobody is ever lowered.
    let mut vtc = with(&[(0, 1_000), (1, 400), (2, 700)]);
    vtc.arrived(3, [0, 2].into_iter());
    assert_eq!(vtc.counter(3), 700);
    vtc.arrived(0, [1, 2].into_iter());
    assert_eq!(vtc.counter(0), 1_000);
    vtc.arrived(1, [].into_iter());
    assert_eq!(vtc.counter(1), 400, "nobody waits");
}

#[test]
fn section_8_3_case_5_a_prompt_is_charged_when_it_goes() {
    let mut vtc = with(&[(0, 100), (1, 120)]);
    let waiting = [0, 1];
    assert_eq!(vtc.next(waiting.into_iter()), Some(0));
    vtc.admitted(0, 50);
    assert_eq!((vtc.counter(0), vtc.next(waiting.into_iter())), (150, Some(1)));
    vtc.generated(1, 15);
    assert_eq!((vtc.counter(1), vtc.next(waiting.into_iter())), (150, Some(0)), "the first among equals");
    assert_eq!(vtc.next([1].into_iter()), Some(1), "who does not wait is not next");
    assert_eq!(vtc.next([].into_iter()), None);
}
