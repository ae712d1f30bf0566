//! Runs journeys and prints the outcome in the manner of `cargo test`.

mod arguments;
mod panics;
mod report;
mod run;

use std::collections::VecDeque;
use std::future::poll_fn;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::task::Poll;

use tokio::signal::unix::{SignalKind, signal};

use crate::{ALL, Engine, Failure, Journey};
use arguments::{Arguments, reported};
use report::{Report, say};
use run::Turn;

/// Browsers at work at the same time: one uses a core, and machines of two cores are common.
const AT_ONCE: usize = 2;

/// Journeys that share a browser. Engines keep something of every page they have shown, WebKit so much that
/// pages late in a long run no longer start.
const PER_SESSION: usize = 30;

/// Journeys that may be run again. A machine under load, or an engine that loses an event, stops one or two of
/// five hundred; more at a time have a cause that should be looked for.
const DOUBTS: usize = 3;

/// Journeys that one browser runs.
type Load<'a> = (Engine, Vec<&'a Journey>);

/// The `main` of a test binary: reads the command line, runs what it asks for, and fails if any
/// journey failed or if it names none.
#[must_use]
pub fn main(journeys: &[Journey]) -> ExitCode {
    let arguments = match Arguments::read(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(mistake) => {
            say(&format!("error: {mistake}"));
            return ExitCode::from(2);
        }
    };
    let pairs: Vec<(Engine, &Journey)> = ALL
        .iter()
        .flat_map(|&engine| journeys.iter().map(move |journey| (engine, journey)))
        .filter(|(engine, journey)| journey.engines.contains(engine))
        .collect();
    let wanted: Vec<_> = pairs.iter().filter(|(engine, journey)| arguments.wants(*engine, journey)).collect();
    if arguments.list {
        wanted.iter().for_each(|(engine, journey)| say(&format!("{}: test", reported(*engine, journey))));
        return ExitCode::SUCCESS;
    }
    panics::keep();
    if let Err(failure) = end_on_interrupt() {
        say(&format!("error: {failure}"));
        return ExitCode::FAILURE;
    }
    let report = Report::begin(wanted.len());
    let waiting = Mutex::new(loads(&wanted));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| work(&waiting, &report));
        }
    });
    again(&report);
    crate::driver::end_all();
    if report.end(pairs.len() - wanted.len()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The journeys in loads, the engines in turn.
fn loads<'a>(wanted: &[&(Engine, &'a Journey)]) -> VecDeque<Load<'a>> {
    let mut loads = Vec::new();
    for engine in ALL {
        let own: Vec<&Journey> = wanted.iter().filter(|pair| pair.0 == *engine).map(|pair| pair.1).collect();
        loads.extend(own.chunks(PER_SESSION).enumerate().map(|(turn, some)| (turn, *engine, some.to_vec())));
    }
    loads.sort_by_key(|(turn, ..)| *turn);
    loads.into_iter().map(|(_, engine, journeys)| (engine, journeys)).collect()
}

/// Runs what is in doubt once more, one after the other with nothing beside it, if it is little enough.
fn again(report: &Report<'_>) {
    let doubts = report.doubts();
    let few = doubts.len() <= DOUBTS;
    for doubt in doubts {
        if !few {
            report.failed(&reported(doubt.engine, doubt.journey), doubt.failure);
            continue;
        }
        report.again(&doubt);
        run_load(&(doubt.engine, vec![doubt.journey]), report, Turn::Second);
    }
}

/// Takes loads from the queue until it is empty.
fn work<'a>(waiting: &Mutex<VecDeque<Load<'a>>>, report: &Report<'a>) {
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    while let Some(load) = next() {
        run_load(&load, report, Turn::First);
    }
}

fn run_load<'a>((engine, journeys): &Load<'a>, report: &Report<'a>, turn: Turn) {
    match runtime() {
        Ok(runtime) => runtime.block_on(run::run(*engine, journeys, report, turn)),
        Err(failure) => report.failed(engine.name(), failure),
    }
}

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?)
}

/// Waits for the terminal's interrupt or a request to end.
async fn interrupted() -> std::io::Result<()> {
    let mut end = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    poll_fn(|context| match (end.poll_recv(context), interrupt.poll_recv(context)) {
        (Poll::Pending, Poll::Pending) => Poll::Pending,
        _ => Poll::Ready(()),
    })
    .await;
    Ok(())
}

/// Browsers run in process groups of their own, which the terminal does not interrupt: so this does.
fn end_on_interrupt() -> Result<(), Failure> {
    let runtime = runtime()?;
    std::thread::spawn(move || {
        if runtime.block_on(interrupted()).is_ok() {
            crate::driver::end_all();
            std::process::exit(130);
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_journey_is_in_one_load_and_engines_take_turns() {
        let run: crate::Run = |_| Box::pin(async { Ok(()) });
        let one = Journey {
            name: "a",
            engines: ALL,
            site: crate::Site::Fixtures,
            run,
            limit: std::time::Duration::ZERO,
        };
        let journeys = vec![one; 2 * PER_SESSION + 1];
        let pairs: Vec<(Engine, &Journey)> =
            ALL.iter().flat_map(|&engine| journeys.iter().map(move |journey| (engine, journey))).collect();
        let loads = loads(&pairs.iter().collect::<Vec<_>>());
        let sizes: Vec<(Engine, usize)> = loads.iter().map(|(engine, some)| (*engine, some.len())).collect();
        let turn = |size: usize| ALL.iter().map(move |&engine| (engine, size));
        let wanted: Vec<_> = [PER_SESSION, PER_SESSION, 1].into_iter().flat_map(turn).collect();
        assert_eq!(sizes, wanted);
    }
}
