//! Studies of the fleet page as jobs: what a worker computes, and how its rows are read.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokenyard_fleet::scenario::Problem;
use tokenyard_study::link::{self, State};
use tokenyard_study::work::{Part, Work};
use tokenyard_study::{LaneRun, Study};

use crate::job::{self, Answer};

const PREFIX: &str = "study:";
/// First numbers of the rows of lanes.
const PROGRESS: f64 = 0.0;
const LANE: f64 = 1.0;
const PROBLEM: f64 = 2.0;

/// The job under way in this instance, and how many of its rows there are; no work is left once its
/// problems are told.
static WORK: Mutex<Option<(String, u32, Option<Work>)>> = Mutex::new(None);
/// The file that goes with the next job.
static FILE: Mutex<Option<Arc<Vec<u8>>>> = Mutex::new(None);

fn locked<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes a trace file for the next job.
pub fn attach(file: Vec<u8>) {
    *locked(&FILE) = Some(Arc::new(file));
}

/// The text of a job: the lanes of a study (`seeds` 0), or the summary of so many seeds. `file`
/// numbers the trace that goes with it, 0 being none.
#[must_use]
pub fn text(study: &Study, seeds: u32, file: u32) -> String {
    let state = State { study: study.clone(), at: None, version: None, headline: None };
    format!("{PREFIX}{seeds}:{file}#{}", link::write(&state))
}

/// Rows of every job of this program.
#[must_use]
pub fn rows(job: &str, number: u32) -> Answer {
    match job.strip_prefix(PREFIX) {
        Some(study) => of_study(job, study, number).unwrap_or(Answer::Unreadable),
        None => job::of_labs(job, number),
    }
}

/// `None` for a job that cannot be read.
fn of_study(job: &str, study: &str, number: u32) -> Option<Answer> {
    let (head, fragment) = study.split_once('#')?;
    let (seeds, file) = head.split_once(':')?;
    let (seeds, file) = (seeds.parse::<u32>().ok()?, file.parse::<u32>().ok()?);
    let mut under_way = locked(&WORK);
    if under_way.as_ref().is_none_or(|(text, next, _)| text != job || *next != number) {
        let trace = locked(&FILE).clone().filter(|_| file > 0);
        if number > 0 {
            return None;
        }
        match Work::read(fragment, trace.as_ref().map(|bytes| &bytes[..]), seeds) {
            Ok(work) => *under_way = Some((job.to_owned(), 0, Some(work))),
            Err(problems) => {
                *under_way = Some((job.to_owned(), 1, None));
                return Some(Answer::Row(problem(&problems)));
            }
        }
    }
    let (_, next, work) = under_way.as_mut()?;
    let Some(work) = work else { return Some(Answer::End) };
    *next += 1;
    let tagged = |tag: f64, rest: Vec<f64>| Answer::Row(std::iter::once(tag).chain(rest).collect());
    Some(match work.slice() {
        Part::Done => {
            *under_way = None;
            Answer::End
        }
        Part::Progress { .. } if seeds > 0 => Answer::Row(Vec::new()),
        Part::Progress { lane, ended } => tagged(PROGRESS, vec![f64::from(lane), f64::from(ended)]),
        Part::Lane(numbers) => tagged(LANE, numbers),
        Part::Seed(cells) => Answer::Row(cells),
    })
}

/// Problems as numbers: the bytes of their fields, each ended by a 0.
fn problem(problems: &[Problem]) -> Vec<f64> {
    let fields = problems.iter().flat_map(|p| [&p.path, &p.given, &p.allowed]);
    let bytes = fields.flat_map(|text| text.bytes().filter(|b| *b != 0).chain([0]));
    std::iter::once(PROBLEM).chain(bytes.map(f64::from)).collect()
}

/// A row of a study's lanes, read.
#[derive(Debug)]
pub enum News {
    /// So many requests have ended, over all lanes.
    Ended(u32),
    /// The next lane is done.
    Lane(LaneRun),
    /// The study cannot be run.
    Problems(Vec<Problem>),
}

/// Reads a row; `None` if it is none.
#[must_use]
pub fn news(mut row: Vec<f64>) -> Option<News> {
    let tag = *row.first()?;
    if tag == PROGRESS {
        return Some(News::Ended(*row.get(2)? as u32));
    }
    row.remove(0);
    if tag == LANE {
        return LaneRun::read(row).map(News::Lane);
    }
    let bytes: Vec<u8> = row.into_iter().map(|b| b as u8).collect();
    let fields: Vec<String> =
        bytes.split(|b| *b == 0).map(|f| String::from_utf8_lossy(f).into_owned()).collect();
    let problem = |f: &[String]| Problem { path: f[0].clone(), given: f[1].clone(), allowed: f[2].clone() };
    Some(News::Problems(fields.chunks_exact(3).map(problem).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Jobs of one instance share what is under way, so the tests take turns.
    static TURN: Mutex<()> = Mutex::new(());

    fn all(job: &str) -> Vec<Vec<f64>> {
        let mut out = Vec::new();
        for number in 0.. {
            match rows(job, number) {
                Answer::Row(row) => out.push(row),
                Answer::End => return out,
                Answer::Unreadable => panic!("{job}"),
            }
        }
        out
    }

    #[test]
    fn a_job_gives_what_the_study_gives() {
        let _turn = locked(&TURN);
        let study = Study::default();
        let native = tokenyard_study::work::run(&study, None).unwrap();
        let lanes: Vec<LaneRun> = all(&text(&study, 0, 0))
            .into_iter()
            .filter_map(|row| match news(row) {
                Some(News::Lane(lane)) => Some(lane),
                Some(News::Ended(_)) => None,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(lanes, native);
    }

    #[test]
    fn seeds_are_summaries_and_the_first_is_the_present_one() {
        let _turn = locked(&TURN);
        let study = Study::default();
        let cells: Vec<f64> = tokenyard_study::work::run(&study, None)
            .unwrap()
            .iter()
            .flat_map(|l| l.cells().to_vec())
            .collect();
        let seeds: Vec<Vec<f64>> =
            all(&text(&study, 3, 0)).into_iter().filter(|row| !row.is_empty()).collect();
        assert_eq!((seeds.len(), &seeds[0]), (3, &cells));
        assert_ne!(seeds[1], cells);
    }

    #[test]
    fn what_is_wrong_with_a_trace_arrives_in_words() {
        let _turn = locked(&TURN);
        attach(b"{\"timestamp\": 1, \"input_length\": \"\xe3\x81\x82\"}\n".to_vec());
        let mut study = Study::default();
        study.base.set("workload.arrivals", "trace").unwrap();
        let rows = all(&text(&study, 0, 1));
        let Some(News::Problems(problems)) = news(rows[0].clone()) else { panic!("{rows:?}") };
        assert!(problems[0].path.contains("line 1"), "{problems:?}");
        assert_eq!(rows.len(), 1);
    }

    #[test]
    fn a_row_out_of_order_is_refused() {
        let _turn = locked(&TURN);
        let job = text(&Study::default(), 0, 0);
        assert!(matches!(rows(&job, 0), Answer::Row(_)));
        assert_eq!(rows(&job, 7), Answer::Unreadable);
        assert_eq!(rows("study:x#", 0), Answer::Unreadable);
    }
}
