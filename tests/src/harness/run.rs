//! Some journeys of one engine, one after the other in one session.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use super::arguments::reported;
use super::panics;
use super::report::{Report, say};
use crate::driver::{Session, StartError};
use crate::{Engine, Failure, Journey, Outcome, Site, Stopwatch, Tab, hosts};

/// Which time a journey runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Beside others.
    First,
    /// By itself, because it had failed beside others.
    Second,
}

impl Turn {
    /// What tells its artifacts from those of the first.
    fn suffix(self) -> &'static str {
        match self {
            Self::First => "",
            Self::Second => "-again",
        }
    }
}

/// A browser that takes longer to start, or to open an empty page, has crashed.
const START_LIMIT: Duration = Duration::from_secs(60);
const PREPARE_LIMIT: Duration = Duration::from_secs(20);

/// After a failure, a browser that takes longer to save its state is gone.
const ANSWER_LIMIT: Duration = Duration::from_secs(20);

/// Runs `journeys` in `engine` and reports each.
pub(super) async fn run<'a>(engine: Engine, journeys: &[&'a Journey], report: &Report<'a>, turn: Turn) {
    let mut session = None;
    for (place, journey) in journeys.iter().enumerate() {
        let name = reported(engine, journey);
        let Some(root) = root(journey.site) else {
            match journey.site {
                // Its generator lies on another machine: where that cannot be reached is no failure.
                Site::Host(host) => {
                    let reason = format!("{host} is not built: cargo xtask test --hosts");
                    say(&format!("SKIPPED: {name}: {reason}"));
                    report.ignored(&name, &reason);
                }
                _ => absent(report, &name, "the site is not built: cargo xtask dist"),
            }
            continue;
        };
        let time = Stopwatch::start();
        let outcome = match started(engine, &mut session).await {
            Ok(current) => travel(current, journey, root, turn).await,
            Err(StartError::Missing(missing)) => {
                let reason = format!("{} is not installed: {}", missing.program, missing.remedy);
                say(&format!("\n!!! {engine} IS SKIPPED: {reason}\n"));
                journeys[place..]
                    .iter()
                    .for_each(|journey| absent(report, &reported(engine, journey), &reason));
                return;
            }
            Err(StartError::Failed(failure)) => Err(failure.during(&format!("starting {engine}"))),
        };
        match outcome {
            Ok(()) => report.passed(&name, time),
            Err(failure) => {
                report.stopped(engine, journey, failure, turn);
                // What a failed journey leaves behind must not reach the next one.
                end(session.take()).await;
            }
        }
    }
    end(session).await;
}

/// The engine that runs, or a new one.
async fn started(engine: Engine, session: &mut Option<Arc<Session>>) -> Result<Arc<Session>, StartError> {
    if let Some(current) = session {
        return Ok(Arc::clone(current));
    }
    let start = tokio::time::timeout(START_LIMIT, Session::start(engine)).await;
    let new = Arc::new(start.unwrap_or_else(|_| Err(StartError::Failed("it does not answer".into())))?);
    *session = Some(Arc::clone(&new));
    Ok(new)
}

/// The future's result, or a failure if it takes longer than `limit`.
async fn limited<T>(limit: Duration, future: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let late = || Err(Failure::new(format!("the browser does not answer within {} s", limit.as_secs())));
    tokio::time::timeout(limit, future).await.unwrap_or_else(|_| late())
}

async fn end(session: Option<Arc<Session>>) {
    if let Some(session) = session.and_then(Arc::into_inner) {
        session.end().await;
    }
}

/// One journey: an error, a panic or too much time fail it and save what the page looked like.
async fn travel(session: Arc<Session>, journey: &Journey, root: PathBuf, turn: Turn) -> Outcome {
    let name = format!("{}{}", journey.name.replace("::", "-"), turn.suffix());
    let artifacts = base().join("artifacts").join(session.engine.name()).join(name);
    if artifacts.is_dir() {
        std::fs::remove_dir_all(&artifacts)?;
    }
    let mut tab = limited(PREPARE_LIMIT, Tab::new(session, root, artifacts)).await?;
    let outcome = match tokio::time::timeout(journey.limit, caught((journey.run)(&mut tab))).await {
        Ok(outcome) => outcome,
        Err(_) => Err(format!("the journey took longer than {} s", journey.limit.as_secs()).into()),
    };
    let Err(failure) = outcome else { return Ok(()) };
    let saved = limited(ANSWER_LIMIT, tab.save_state()).await;
    let place = tab.artifacts().display();
    Err(Failure::new(match saved {
        Ok(()) => format!("{failure}\nsee {place}"),
        Err(error) => format!("{failure}\nsee {place}, incomplete: {error}"),
    }))
}

/// The outcome of a journey, a panic being a failure with its message and place.
async fn caught(journey: impl Future<Output = Outcome>) -> Outcome {
    let mut journey = pin!(journey);
    poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| journey.as_mut().poll(context))) {
        Ok(poll) => poll,
        Err(_) => Poll::Ready(Err(Failure::new(panics::take()))),
    })
    .await
}

/// Something needed is not there: loudly ignored on a person's machine, a failure in CI.
fn absent(report: &Report<'_>, name: &str, reason: &str) {
    if std::env::var("CI").is_ok_and(|value| value == "true") {
        report.failed(name, Failure::new(reason));
    } else {
        report.ignored(name, reason);
    }
}

/// The folder of this crate.
fn base() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn root(site: Site) -> Option<PathBuf> {
    let folder = match site {
        Site::Host(name) => hosts::built(name)?.folder,
        Site::Fixtures => base().join("fixtures"),
        Site::Dist => {
            std::env::var_os("TOKENYARD_DIST").map_or_else(|| base().join("../dist"), PathBuf::from)
        }
    };
    folder.join("index.html").is_file().then_some(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(journey: impl Future<Output = Outcome>) -> Outcome {
        panics::keep();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(caught(journey))
    }

    #[test]
    fn a_panic_is_a_failure_that_names_its_place() {
        let failure = outcome(async { panic!("the knob is gone") }).unwrap_err().to_string();
        assert!(failure.contains("the knob is gone") && failure.contains("run.rs"), "{failure}");
    }

    #[test]
    fn an_error_stays_itself_and_a_pass_stays_a_pass() {
        assert_eq!(outcome(async { Err("no".into()) }), Err(Failure::new("no")));
        assert_eq!(outcome(async { Ok(()) }), Ok(()));
    }
}
