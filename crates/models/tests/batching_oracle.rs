//! The batching player against the published article: every oracle row, every printed number.

use serde_json::{Value, json};
use tokenyard_det::format::percent;
use tokenyard_models::batching::{Iteration, JOBS, Mode, Params, jobs, run};

fn oracle() -> serde_json::Result<Value> {
    serde_json::from_str(include_str!("../../../tests/data/article_batching.json"))
}

fn row(iteration: &Iteration) -> Value {
    let slots: Vec<Value> = iteration.slots.iter().map(|s| json!([s.job, s.state.id()])).collect();
    json!({
        "slots": slots,
        "waiting": iteration.waiting,
        "completed": iteration.completed,
        "tokens": iteration.tokens,
    })
}

#[test]
fn every_oracle_row_is_equal() {
    let oracle = oracle().unwrap();
    let runs = oracle["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 15);
    for expected in runs {
        let (input, expect) = (&expected["input"], &expected["expect"]);
        let mode = Mode::ALL.into_iter().find(|m| input["mode"] == m.id()).unwrap();
        let slots = u32::try_from(input["slots"].as_u64().unwrap()).unwrap();
        let run = run(&Params { slots, ..Params::default() }, mode);
        let wanted = expect["iterations"].as_array().unwrap();
        assert_eq!(run.iterations.len(), wanted.len(), "{input}");
        for (i, (got, want)) in run.iterations.iter().zip(wanted).enumerate() {
            assert_eq!(&row(got), want, "{input}, iteration {i}");
        }
        assert_eq!(expect["mode"], run.mode.id());
        assert_eq!(expect["iterations_to_drain"], run.iterations_to_drain, "{input}");
        assert_eq!(expect["zero_output_iterations"], run.zero_output_iterations, "{input}");
        assert_eq!(expect["total_tokens"], run.total_tokens, "{input}");
        let fill = expect["slot_fill"].as_f64().unwrap();
        assert!((run.slot_fill - fill).abs() <= 1e-9 * fill, "{input}: {} for {fill}", run.slot_fill);
    }
}

#[test]
fn the_jobs_are_the_published_ones() {
    let rows: Vec<Value> =
        JOBS.iter().map(|j| json!([j.id, j.arrival, j.prefill_chunks, j.decode_steps])).collect();
    assert_eq!(Value::from(rows), oracle().unwrap()["jobs"]);
}

#[test]
fn the_default_run_prints_what_the_article_prints() {
    let printed = |mode: Mode| {
        let run = run(&Params::default(), mode);
        format!("{}-{}-{}%", run.iterations_to_drain, run.zero_output_iterations, percent(run.slot_fill))
    };
    assert_eq!(Mode::ALL.map(printed), ["25-6-57%", "19-8-91%", "14-1-93%"]);
}

/// Read off the published iterations by hand: where each letter first says `decode`, and last.
#[test]
fn times_to_first_token_are_those_of_the_published_iterations() {
    let times = |mode: Mode| -> Vec<(char, u32, u32)> {
        run(&Params::default(), mode).jobs.iter().map(|j| (j.id, j.ttft, j.finished)).collect()
    };
    let of = |rows: [(u32, u32); 6]| -> Vec<(char, u32, u32)> {
        ('A'..='F').zip(rows).map(|(id, (ttft, finished))| (id, ttft, finished)).collect()
    };
    assert_eq!(times(Mode::Static), of([(3, 7), (3, 4), (11, 14), (10, 18), (8, 13), (15, 24)]));
    assert_eq!(times(Mode::Continuous), of([(5, 12), (5, 6), (4, 8), (7, 18), (8, 14), (9, 18)]));
    assert_eq!(times(Mode::Chunked), of([(3, 7), (2, 3), (4, 7), (4, 12), (7, 12), (4, 13)]));
}

#[test]
fn blame_names_the_prefill_or_the_batch() {
    let of = |mode: Mode, at: usize| -> Vec<(usize, Option<char>, &'static str, String)> {
        let run = run(&Params::default(), mode);
        let stalls = run.iterations[at].stalls.iter();
        stalls.map(|s| (s.slot, s.job, s.cause.id(), s.by.iter().collect())).collect()
    };
    // B could decode, but A is in prefill; C waits for the batch although slot 2 is empty.
    let both = [(1, Some('B'), "prefill", "A".to_owned()), (2, None, "static-batch", "AB".to_owned())];
    assert_eq!(of(Mode::Static, 1), both);
    assert_eq!(of(Mode::Static, 9), [(1, Some('D'), "prefill", "CE".to_owned())]);
    // Slot 2 is empty at first, but nobody waits.
    assert_eq!(of(Mode::Static, 0), []);
    let two = [(0, Some('A'), "prefill", "C".to_owned()), (1, Some('B'), "prefill", "C".to_owned())];
    assert_eq!(of(Mode::Continuous, 2), two);
    // Nothing waits any more: the empty slots of the tail are nobody's fault.
    assert_eq!(of(Mode::Continuous, 18), []);
}

/// Orders computed with a separate implementation of the documented loop.
#[test]
fn shuffled_jobs_are_the_documented_ones() {
    let letters = |seed: u32| jobs(seed).map(|job| job.id).iter().collect::<String>();
    assert_eq!(letters(0), "ABCDEF");
    assert_eq!(letters(1), "EBFCAD");
    assert_eq!(letters(2), "ACDFBE");
    assert_eq!(letters(200), "ACEFDB");
    assert_eq!(letters(u32::MAX), "EBDCAF");
}
