//! What stays true of the batching player over its whole parameter space.

use proptest::prelude::*;
use tokenyard_det::Digest;
use tokenyard_models::batching::{
    Cause, JOB_COUNT, JOBS, JobReport, Mode, PARAMS, Params, Run, Slot, SlotState, jobs, run,
};
use tokenyard_param::{Kind, ParamSpec, Value, Values};

fn params() -> impl Strategy<Value = Params> {
    let seed = prop_oneof![1 => Just(0), 3 => 1_u32..=200, 2 => any::<u32>()];
    let mode = proptest::sample::select(&Mode::ALL[..]);
    (seed, 1_u32..=8, mode).prop_map(|(seed, slots, mode)| Params { seed, slots, mode })
}

fn run_of(params: &Params) -> Run {
    run(params, params.mode)
}

fn digest(run: &Run) -> u64 {
    let mut digest = Digest::default();
    run.digest(&mut digest);
    digest.finish()
}

fn count(slots: &[Slot], wanted: SlotState) -> usize {
    slots.iter().filter(|slot| slot.state == wanted).count()
}

/// Iterations in which a job is seen in a slot in a given state.
fn seen(run: &Run, id: char, state: SlotState) -> Vec<u32> {
    let is = |slot: &Slot| slot.job == Some(id) && slot.state == state;
    (0_u32..).zip(&run.iterations).filter(|(_, i)| i.slots.iter().any(is)).map(|(at, _)| at).collect()
}

/// The columns of a Gantt chart for one job: prefill, then decode, without going back.
fn check_order(run: &Run, job: &JobReport) -> Result<(), TestCaseError> {
    let prefill = seen(run, job.id, SlotState::Prefill);
    let decode = seen(run, job.id, SlotState::Decode);
    prop_assert_eq!(prefill.len(), job.prefill_chunks as usize);
    prop_assert_eq!(decode.len(), job.decode_steps as usize);
    prop_assert!(prefill.last() < decode.first());
    prop_assert_eq!(Some(&job.admitted), prefill.first());
    prop_assert_eq!(Some(&job.first_token), decode.first());
    prop_assert_eq!(Some(&job.finished), decode.last());
    Ok(())
}

proptest! {
    #[test]
    fn every_job_is_served_exactly_once(params in params()) {
        let run = run_of(&params);
        let mut done = run.iterations.last().unwrap().completed.clone();
        done.sort_unstable();
        prop_assert_eq!(done, JOBS.map(|job| job.id));
        for (job, given) in run.jobs.iter().zip(jobs(params.seed)) {
            prop_assert_eq!((job.id, job.arrival), (given.id, given.arrival));
            prop_assert_eq!((job.prefill_chunks, job.decode_steps), (given.prefill_chunks, given.decode_steps));
            check_order(&run, job)?;
            for (at, iteration) in (0_u32..).zip(&run.iterations) {
                let held: Vec<usize> = (0..iteration.slots.len())
                    .filter(|slot| iteration.slots[*slot].job == Some(job.id))
                    .collect();
                let inside = (job.admitted..=job.finished).contains(&at);
                prop_assert_eq!(held, if inside { vec![job.slot] } else { Vec::new() });
                let waits = iteration.waiting.contains(&job.id);
                prop_assert_eq!(waits, (job.arrival..job.admitted).contains(&at));
                prop_assert_eq!(iteration.completed.contains(&job.id), at >= job.finished);
            }
        }
    }

    #[test]
    fn time_from_arrival_to_end_is_all_accounted_for(params in params()) {
        let run = run_of(&params);
        for job in &run.jobs {
            let total = job.finished + 1 - job.arrival;
            prop_assert_eq!(total, job.waited + job.stalled + job.prefill_chunks + job.decode_steps);
            prop_assert_eq!(job.waited, job.admitted - job.arrival);
            prop_assert_eq!(job.stalled as usize, seen(&run, job.id, SlotState::Idle).len());
            prop_assert_eq!(job.ttft, job.first_token + 1 - job.arrival);
            prop_assert!(job.ttft > job.prefill_chunks);
            let free = |slot: &Slot| slot.job.is_none();
            let held_back = run.iterations.iter()
                .filter(|i| i.waiting.contains(&job.id) && i.slots.iter().any(free)).count();
            prop_assert_eq!(job.held_back as usize, held_back);
        }
    }

    #[test]
    fn tokens_are_decode_steps(params in params()) {
        let run = run_of(&params);
        for iteration in &run.iterations {
            prop_assert_eq!(iteration.tokens as usize, count(&iteration.slots, SlotState::Decode));
            prop_assert!(iteration.tokens <= params.slots);
        }
        let decode_steps: u32 = JOBS.iter().map(|job| job.decode_steps).sum();
        prop_assert_eq!(run.total_tokens, decode_steps);
        prop_assert_eq!(run.iterations.iter().map(|i| i.tokens).sum::<u32>(), decode_steps);
        let silent = run.iterations.iter().filter(|i| i.tokens == 0).count();
        prop_assert_eq!(run.zero_output_iterations as usize, silent);
    }

    #[test]
    fn slots_are_kept_and_fill_counts_the_occupied(params in params()) {
        let run = run_of(&params);
        let mut occupied = 0;
        for iteration in &run.iterations {
            prop_assert_eq!(iteration.slots.len(), params.slots as usize);
            occupied += iteration.slots.iter().filter(|slot| slot.job.is_some()).count();
            for slot in &iteration.slots {
                prop_assert!(slot.job.is_some() || slot.state == SlotState::Idle);
            }
        }
        let all = run.iterations.len() * params.slots as usize;
        prop_assert_eq!(run.slot_fill, occupied as f64 / all as f64);
        prop_assert!(run.slot_fill > 0.0 && run.slot_fill <= 1.0);
    }

    #[test]
    fn iterations_are_few(params in params()) {
        let run = run_of(&params);
        let work: u32 = JOBS.iter().map(|job| job.prefill_chunks + job.decode_steps).sum();
        let last = JOBS.iter().map(|job| job.arrival).max().unwrap();
        prop_assert_eq!(run.iterations_to_drain as usize, run.iterations.len());
        prop_assert!(run.iterations_to_drain <= last + work);
        prop_assert!(run.iterations_to_drain >= work.div_ceil(params.slots));
        prop_assert_eq!(run.iterations_to_drain, run.jobs.iter().map(|j| j.finished).max().unwrap() + 1);
    }

    #[test]
    fn static_admits_only_when_all_are_free(params in params()) {
        let run = run(&params, Mode::Static);
        for job in &run.jobs {
            let before = job.admitted;
            let others = run.jobs.iter().filter(|o| o.admitted < before);
            prop_assert!(others.clone().all(|o| o.finished < before), "{} joined a batch", job.id);
        }
    }

    #[test]
    fn the_other_modes_never_leave_a_slot_empty_while_someone_waits(params in params()) {
        for mode in [Mode::Continuous, Mode::Chunked] {
            for iteration in &run(&params, mode).iterations {
                let empty = iteration.slots.iter().any(|slot| slot.job.is_none());
                prop_assert!(!empty || iteration.waiting.is_empty());
            }
        }
    }

    #[test]
    fn chunked_never_stalls(params in params()) {
        let run = run(&params, Mode::Chunked);
        for iteration in &run.iterations {
            prop_assert!(iteration.stalls.is_empty());
            prop_assert!(iteration.slots.iter().all(|s| s.job.is_none() || s.state != SlotState::Idle));
        }
        prop_assert!(run.jobs.iter().all(|job| job.stalled == 0 && job.held_back == 0));
    }

    #[test]
    fn without_chunks_an_iteration_is_prefill_or_decode(params in params()) {
        for mode in [Mode::Static, Mode::Continuous] {
            for iteration in &run(&params, mode).iterations {
                let prefill = count(&iteration.slots, SlotState::Prefill);
                prop_assert!(prefill == 0 || iteration.tokens == 0);
                let stalled = |s: &Slot| s.job.is_some() && s.state == SlotState::Idle;
                prop_assert!(prefill > 0 || !iteration.slots.iter().any(stalled));
            }
        }
    }

    #[test]
    fn first_come_first_served(params in params()) {
        let run = run_of(&params);
        for pair in run.jobs.windows(2) {
            prop_assert!(pair[0].arrival <= pair[1].arrival);
            let place = |job: &JobReport| (job.admitted, job.slot);
            prop_assert!(place(&pair[0]) < place(&pair[1]));
        }
    }

    #[test]
    fn every_lost_slot_iteration_is_blamed_once(params in params()) {
        let run = run_of(&params);
        for iteration in &run.iterations {
            let mut stalls = iteration.stalls.iter();
            for (at, slot) in iteration.slots.iter().enumerate() {
                let (cause, culprit): (_, fn(&Slot) -> bool) = match slot.job {
                    Some(_) if slot.state == SlotState::Idle => (Cause::Prefill, |s| s.state == SlotState::Prefill),
                    None if !iteration.waiting.is_empty() => (Cause::StaticBatch, |s| s.job.is_some()),
                    _ => continue,
                };
                let by: Vec<char> =
                    iteration.slots.iter().filter(|s| culprit(s)).map(|s| s.job.unwrap()).collect();
                let stall = stalls.next().unwrap();
                prop_assert_eq!((stall.slot, stall.job, stall.cause), (at, slot.job, cause));
                prop_assert!(!by.is_empty());
                prop_assert_eq!(&stall.by, &by);
                prop_assert!(cause == Cause::Prefill || params.mode == Mode::Static);
            }
            prop_assert!(stalls.next().is_none());
        }
    }

    #[test]
    fn one_slot_makes_all_modes_equal(params in params()) {
        let params = Params { slots: 1, ..params };
        let [a, b, c] = Mode::ALL.map(|mode| run(&params, mode));
        prop_assert_eq!((&a.iterations, &a.jobs), (&b.iterations, &b.jobs));
        prop_assert_eq!((&a.iterations, &a.jobs), (&c.iterations, &c.jobs));
        prop_assert_eq!(a.slot_fill, 1.0);
    }

    #[test]
    fn same_settings_same_digest_and_the_mode_of_the_knob_is_not_read(params in params()) {
        for mode in Mode::ALL {
            let a = run(&params, mode);
            prop_assert_eq!(a.mode, mode);
            prop_assert_eq!(digest(&a), digest(&run(&Params { mode, ..params.clone() }, mode)));
        }
    }

    #[test]
    fn slots_out_of_range_act_like_the_nearest_end(seed in any::<u32>(), slots in any::<u32>()) {
        let wild = Params { seed, slots, ..Params::default() };
        let tame = Params { slots: slots.clamp(1, 8), ..wild.clone() };
        for mode in Mode::ALL {
            prop_assert_eq!(run(&wild, mode), run(&tame, mode));
        }
    }

    #[test]
    fn every_seed_permutes_the_jobs_over_the_same_arrivals(seed in any::<u32>()) {
        let mut all = jobs(seed);
        prop_assert_eq!(all.map(|job| job.arrival), JOBS.map(|job| job.arrival));
        all.sort_unstable_by_key(|job| job.id);
        let needs = |job: tokenyard_models::batching::Job| (job.id, job.prefill_chunks, job.decode_steps);
        prop_assert_eq!(all.map(needs), JOBS.map(needs));
    }
}

#[test]
fn zero_slots_do_not_fail() {
    for mode in Mode::ALL {
        assert_eq!(run(&Params { slots: 0, ..Params::default() }, mode).jobs.len(), JOB_COUNT);
    }
}

#[test]
fn the_digest_sees_every_kind_of_field() {
    let run = run(&Params::default(), Mode::Static);
    let changes: [fn(&mut Run); 14] = [
        |r| r.mode = Mode::Chunked,
        |r| r.iterations[1].slots[0].job = None,
        |r| r.iterations[1].slots[0].state = SlotState::Idle,
        |r| r.iterations[1].waiting.clear(),
        |r| r.iterations[9].completed.clear(),
        |r| r.iterations[1].tokens += 1,
        |r| r.iterations[1].stalls[0].cause = Cause::StaticBatch,
        |r| r.iterations[1].stalls[0].by.clear(),
        |r| r.iterations[1].stalls[0].job = None,
        |r| r.jobs[0].ttft += 1,
        |r| r.jobs[0].held_back += 1,
        |r| r.jobs[0].slot += 1,
        |r| r.total_tokens += 1,
        |r| r.slot_fill += 0.1,
    ];
    for (i, change) in changes.iter().enumerate() {
        let mut other = run.clone();
        change(&mut other);
        assert_ne!(digest(&run), digest(&other), "change {i}");
    }
}

#[test]
fn different_orders_give_different_runs() {
    let digests = |seed: u32| Mode::ALL.map(|mode| digest(&run(&Params { seed, ..Params::default() }, mode)));
    for (a, b) in digests(0).into_iter().zip(digests(1)) {
        assert_ne!(a, b);
    }
}

#[test]
fn the_table_and_the_struct_agree() {
    assert_eq!(Params::from_values(&Values::defaults(&PARAMS)), Params::default());
    let mut values = Values::defaults(&PARAMS);
    for (key, text) in [("seed", "4294967295"), ("slots", "8")] {
        let at = values.position(key).unwrap();
        let value = PARAMS[at].parse(text).unwrap();
        assert!(values.set(at, value));
    }
    for mode in Mode::ALL {
        let at = values.position("mode").unwrap();
        let value = PARAMS[at].parse(mode.id()).unwrap();
        assert!(values.set(at, value));
        assert_eq!(Params::from_values(&values), Params { seed: u32::MAX, slots: 8, mode });
    }
    assert_eq!(values.get("slots"), Some(&Value::Int(8)));
}

#[test]
fn steps_and_pages_fit_their_ranges() {
    let numbers = PARAMS.iter().filter_map(|ParamSpec { key, kind, .. }| match *kind {
        Kind::Int { min, max, step, page, .. } => Some((*key, max - min, step, page)),
        _ => None,
    });
    let checked: Vec<&str> = numbers
        .map(|(key, range, step, page)| {
            assert!(0 < step && step < page && page <= range, "{key}");
            key
        })
        .collect();
    assert_eq!(checked, ["slots", "seed"]);
}
