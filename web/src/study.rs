//! Studies of the fleet page as jobs: what a worker computes, and how its rows are read.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokenyard_fleet::scenario::Problem;
use tokenyard_fleet::trace_file::{self, Trace};
use tokenyard_study::link::{self, State};
use tokenyard_study::sweep::{self, Sweep};
use tokenyard_study::work::{self, Ask, Work};
use tokenyard_study::{LaneRun, Study};

use crate::job::{self, Answer};

const STUDY: &str = "study:";
const SWEEP: &str = "sweep:";
const BARE: &str = "bare:";
/// First numbers of the rows of lanes, and of what keeps any job from being done.
const PROGRESS: f64 = 0.0;
const LANE: f64 = 1.0;
const PROBLEM: f64 = -1.0;
/// Jobs that one instance has under way at most: on a page without workers the run, the seeds and
/// both shares of a sweep take turns.
const MOST_JOBS: usize = 4;

/// Work of either kind.
#[derive(Debug)]
enum Busy {
    /// Lanes, or the summary of many seeds.
    Study(Work, u32),
    /// A share of a sweep.
    Sweep(Sweep),
    /// Its problems are told.
    Refused,
}

/// A job under way: its text, the number of its next row, and its work.
type UnderWay = (String, u32, Busy);

/// The jobs under way in this instance, the oldest first.
static WORK: Mutex<Vec<UnderWay>> = Mutex::new(Vec::new());

/// A trace file as it came, and as it was read when it was first wanted.
struct File {
    number: u32,
    bytes: Vec<u8>,
    read: Option<Result<Arc<Trace>, Problem>>,
}

/// The file that this instance keeps: jobs name it by its number, so it travels once.
static FILE: Mutex<Option<File>> = Mutex::new(None);

fn locked<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes a trace file under its number, in the place of the one before.
pub fn attach(number: u32, bytes: Vec<u8>) {
    let mut kept = locked(&FILE);
    // Several jobs of a page without workers bring the same one.
    if kept.as_ref().is_none_or(|file| file.number != number) {
        *kept = Some(File { number, bytes, read: None });
    }
}

/// The trace of a number; none for 0.
fn trace(number: u32) -> Result<Option<Arc<Trace>>, Vec<Problem>> {
    let mut kept = locked(&FILE);
    let Some(file) = kept.as_mut().filter(|file| number > 0 && file.number == number) else {
        return Ok(None);
    };
    let bytes = std::mem::take(&mut file.bytes);
    let read = file.read.get_or_insert_with(|| trace_file::read(&bytes[..]).map(Arc::new));
    read.clone().map(Some).map_err(|problem| vec![problem])
}

/// The text of a job: the lanes of a study (`seeds` 0), or the summary of so many seeds. `file`
/// numbers the trace that goes with it, 0 being none.
#[must_use]
pub fn text(study: &Study, seeds: u32, file: u32) -> String {
    format!("{STUDY}{seeds}:{file}#{}", fragment(study))
}

/// The text of a job: one of `of` shares of a study's sweep.
#[must_use]
pub fn sweep_text(study: &Study, (which, of): (u32, u32), file: u32) -> String {
    format!("{SWEEP}{which}/{of}:{file}#{}", fragment(study))
}

fn fragment(study: &Study) -> String {
    link::write(&State { study: study.clone(), at: None, version: None, headline: None })
}

/// The text of a job: the lanes of a study without their decisions, which nobody can ask "why?".
#[must_use]
pub fn bare_text(study: &Study, file: u32) -> String {
    format!("{BARE}{file}#{}", fragment(study))
}

/// Rows of every job of this program.
#[must_use]
pub fn rows(job: &str, number: u32) -> Answer {
    if [STUDY, SWEEP, BARE].iter().any(|kind| job.starts_with(kind)) {
        next_row(job, number).unwrap_or(Answer::Unreadable)
    } else {
        job::of_labs(job, number)
    }
}

/// Begins a job; `None` if it cannot be read.
fn begin(job: &str) -> Option<Result<Busy, Vec<Problem>>> {
    let (head, fragment) = job.split_once('#')?;
    // A study may be longer than a link that somebody shares.
    let study = || link::read_all(fragment).0.study;
    if let Some(head) = head.strip_prefix(SWEEP) {
        let (share, file) = head.split_once(':')?;
        let (which, of) = share.split_once('/')?;
        let (share, file) = ((which.parse().ok()?, of.parse().ok()?), file.parse().ok()?);
        return Some(trace(file).and_then(|trace| Sweep::new(&study(), trace, share)).map(Busy::Sweep));
    }
    if let Some(file) = head.strip_prefix(BARE) {
        let work = trace(file.parse().ok()?).and_then(|trace| Work::new(&study(), trace, Ask::Bare));
        return Some(work.map(|work| Busy::Study(work, 0)));
    }
    let (seeds, file) = head.strip_prefix(STUDY)?.split_once(':')?;
    let (seeds, file) = (seeds.parse().ok()?, file.parse().ok()?);
    let ask = if seeds == 0 { Ask::Lanes } else { Ask::Seeds(seeds) };
    let work = trace(file).and_then(|trace| Work::new(&study(), trace, ask));
    Some(work.map(|work| Busy::Study(work, seeds)))
}

/// `None` for a job that cannot be read, and for a row out of order.
fn next_row(job: &str, number: u32) -> Option<Answer> {
    let mut all = locked(&WORK);
    if number == 0 {
        all.retain(|(text, ..)| text != job);
        if all.len() == MOST_JOBS {
            all.remove(0);
        }
        let (busy, first) = match begin(job)? {
            Ok(busy) => (busy, None),
            Err(problems) => (Busy::Refused, Some(problem(&problems))),
        };
        all.push((job.to_owned(), u32::from(first.is_some()), busy));
        if let Some(row) = first {
            return Some(Answer::Row(row));
        }
    }
    let place = all.iter().position(|(text, next, _)| text == job && *next == number)?;
    let (_, next, busy) = &mut all[place];
    *next += 1;
    let answer = slice(busy);
    if answer == Answer::End {
        all.remove(place);
    }
    Some(answer)
}

fn slice(busy: &mut Busy) -> Answer {
    let tagged = |tag: f64, rest: Vec<f64>| Answer::Row(std::iter::once(tag).chain(rest).collect());
    match busy {
        Busy::Refused => Answer::End,
        Busy::Sweep(sweep) => match sweep.slice() {
            sweep::Part::Done => Answer::End,
            sweep::Part::Progress => Answer::Row(Vec::new()),
            sweep::Part::Item(row) => Answer::Row(row),
        },
        Busy::Study(work, seeds) => match work.slice() {
            work::Part::Done => Answer::End,
            work::Part::Progress { .. } if *seeds > 0 => Answer::Row(Vec::new()),
            work::Part::Progress { lane, ended } => tagged(PROGRESS, vec![f64::from(lane), f64::from(ended)]),
            work::Part::Lane(numbers) => tagged(LANE, numbers),
            work::Part::Seed(cells) => Answer::Row(cells),
        },
    }
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
        attach(1, b"{\"timestamp\": 1, \"input_length\": \"\xe3\x81\x82\"}\n".to_vec());
        let mut study = Study::default();
        study.base.set("workload.arrivals", "trace").unwrap();
        let rows = all(&text(&study, 0, 1));
        let Some(News::Problems(problems)) = news(rows[0].clone()) else { panic!("{rows:?}") };
        assert!(problems[0].path.contains("line 1"), "{problems:?}");
        assert_eq!(rows.len(), 1);
    }

    /// Such a study travels in a job, though not in a link.
    #[test]
    fn a_job_says_all_of_a_study_that_is_too_long_for_a_link() {
        let _turn = locked(&TURN);
        let mut study = Study::default();
        study.set_rule(0, None);
        study.base.set("workload.requests", "40").unwrap();
        for at in 0..200 {
            let change = tokenyard_study::changes::parse(&format!("{at},1,slow,500"));
            study.base.changes.push(change.unwrap());
        }
        let state = State { study: study.clone(), at: None, version: None, headline: None };
        assert!(link::share(&state).is_err());
        let native = tokenyard_study::work::run(&study, None).unwrap();
        let lanes = all(&text(&study, 0, 0)).into_iter().filter_map(|row| match news(row) {
            Some(News::Lane(lane)) => Some(lane),
            _ => None,
        });
        assert_eq!(lanes.collect::<Vec<_>>(), native);
    }

    #[test]
    fn a_row_out_of_order_is_refused() {
        let _turn = locked(&TURN);
        let job = text(&Study::default(), 0, 0);
        assert!(matches!(rows(&job, 0), Answer::Row(_)));
        assert_eq!(rows(&job, 7), Answer::Unreadable);
        for broken in ["study:x#", "sweep:0:0#", "sweep:0/x:0#", "study:"] {
            assert_eq!(rows(broken, 0), Answer::Unreadable, "{broken}");
        }
    }

    /// On a page without workers several jobs take turns in one instance.
    #[test]
    fn jobs_that_take_turns_give_what_each_gives_alone() {
        let _turn = locked(&TURN);
        let mut study = Study::default();
        study.base.set("workload.requests", "40").unwrap();
        let jobs = [text(&study, 2, 0), sweep_text(&study, (0, 2), 0), sweep_text(&study, (1, 2), 0)];
        let alone = jobs.each_ref().map(|job| all(job));
        let mut turns: [Vec<Vec<f64>>; 3] = Default::default();
        let mut ended = [false; 3];
        for number in 0.. {
            for (i, job) in jobs.iter().enumerate().filter(|(i, _)| !ended[*i]).collect::<Vec<_>>() {
                match rows(job, number) {
                    Answer::Row(row) => turns[i].push(row),
                    other => ended[i] = other == Answer::End,
                }
            }
            if ended == [true; 3] {
                break;
            }
        }
        assert_eq!(turns, alone);
        let items =
            |rows: &[Vec<f64>]| rows.iter().filter_map(|row| row.first().copied()).collect::<Vec<_>>();
        let mut both = [items(&alone[1]), items(&alone[2])].concat();
        both.sort_by(f64::total_cmp);
        assert_eq!(both, (0..sweep::ITEMS).map(f64::from).collect::<Vec<_>>());
    }

    #[test]
    fn a_trace_is_kept_under_its_number() {
        let _turn = locked(&TURN);
        let line = |at: u32| {
            let ids = (0..2 + at % 2).map(|i| (at + i).to_string()).collect::<Vec<_>>().join(", ");
            format!(
                "{{\"timestamp\": {at}, \"input_length\": {}, \"output_length\": 9, \"hash_ids\": [{ids}]}}\n",
                1024 + at % 2
            )
        };
        let file: String = (0..20).map(|i| line(i * 50)).collect();
        let mut study = Study::default();
        study.base.set("workload.arrivals", "trace").unwrap();
        study.base.set("fleet.block", "512").unwrap();
        attach(7, file.into_bytes());
        let first = all(&text(&study, 0, 7));
        assert_eq!(first.iter().filter(|row| row[0] == LANE).count(), study.lanes().len());
        // Nobody attaches it again, and another number is another file.
        assert_eq!(all(&text(&study, 0, 7)), first);
        assert_eq!(all(&text(&study, 0, 8))[0][0], PROBLEM);
    }
}
