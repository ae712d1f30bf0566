//! Long work as numbered rows of numbers, and its entry points for a worker: plain bytes and
//! numbers, no glue.
//!
//! A worker is handed the page's own compiled module and instantiates it with stubs for every
//! import, because nothing below calls any. See `platform/worker.rs` for the other side. What a
//! module can do is said by its program, with [`crate::job_exports`].

use std::sync::OnceLock;

pub use tokenyard_lab::digest;
use tokenyard_lab::link::State;
use tokenyard_lab::{LabSpec, Setup, labs, link, luck, sweep};

/// One row of a job.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The row.
    Row(Vec<f64>),
    /// There is no such row, and none after it.
    End,
    /// The job cannot be read.
    Unreadable,
}

/// Computes a row of a job. Rows of one job are asked for in order.
pub type Rows = fn(job: &str, number: u32) -> Answer;

/// Keeps a file under a number, by which jobs name it.
pub type Attach = fn(number: u32, file: Vec<u8>);

static ON_PAGE: OnceLock<(Rows, Attach)> = OnceLock::new();

/// Says once, when the page starts, who computes rows on the page itself.
pub fn install(rows: Rows, attach: Attach) {
    let _ = ON_PAGE.set((rows, attach));
}

/// Keeps a file for jobs on the page.
pub fn take_file(number: u32, file: Vec<u8>) {
    if let Some((_, attach)) = ON_PAGE.get() {
        attach(number, file);
    }
}

/// A row, computed on the page.
#[must_use]
pub fn row(job: &str, number: u32) -> Answer {
    ON_PAGE.get().map_or(Answer::Unreadable, |(rows, _)| rows(job, number))
}

/// An answer as the worker reads it: how many numbers follow, and they; −1 alone for a job that
/// cannot be read, −2 alone at its end.
#[must_use]
pub fn encode(answer: Answer) -> Vec<f64> {
    match answer {
        Answer::Row(row) => std::iter::once(row.len() as f64).chain(row).collect(),
        Answer::End => vec![-2.0],
        Answer::Unreadable => vec![-1.0],
    }
}

/// What a job asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The summary table of one seed.
    Luck,
    /// One item of the lab's sweep.
    Sweep,
}

impl Kind {
    const ALL: [(Self, &'static str); 2] = [(Self::Luck, "luck"), (Self::Sweep, "sweep")];

    fn id(self) -> &'static str {
        Self::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, id)| id)
    }
}

/// The text of a job: `<kind>:<lab id>#<fragment>`, everything a worker needs to know.
#[must_use]
pub fn text(kind: Kind, lab: &LabSpec, setup: &Setup) -> String {
    let state = State { setup: setup.clone(), ..State::fresh(lab) };
    format!("{}:{}#{}", kind.id(), lab.id, link::write(lab, &state))
}

/// Rows of the labs' jobs, by seed or by item.
#[must_use]
pub fn of_labs(job: &str, number: u32) -> Answer {
    of(labs::LABS, job, number)
}

/// The same for a program that has only these labs.
#[must_use]
pub fn of(labs: &[&'static LabSpec], job: &str, number: u32) -> Answer {
    lab_row(labs, job, number).map_or(Answer::Unreadable, Answer::Row)
}

fn lab_row(labs: &[&'static LabSpec], job: &str, number: u32) -> Option<Vec<f64>> {
    let (kind, rest) = job.split_once(':')?;
    let (id, fragment) = rest.split_once('#')?;
    let (kind, _) = Kind::ALL.iter().find(|(_, name)| *name == kind)?;
    let lab = labs::find(labs, id)?;
    let (state, _) = link::read(lab, fragment);
    Some(match kind {
        Kind::Luck => luck::sample(lab, &state.setup, number),
        Kind::Sweep => sweep::sample(lab, &state.setup, number),
    })
}

/// The entry points that a worker calls, for a program whose jobs `$rows` computes. `$attach` keeps
/// a file under a number.
#[macro_export]
macro_rules! job_exports {
    ($rows:path, $attach:path) => {
        /// Reserves `len` bytes and gives their address. Freed by the call that they are passed to.
        #[unsafe(no_mangle)]
        pub extern "C" fn ty_alloc(len: usize) -> *mut u8 {
            Box::into_raw(vec![0_u8; len].into_boxed_slice()).cast()
        }

        /// Keeps a file under the number by which jobs name it.
        ///
        /// # Safety
        /// `file` and `len` must come from one call of [`ty_alloc`], and be used once.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn ty_attach(file: *mut u8, len: usize, number: u32) {
            // SAFETY: the caller passes back what `ty_alloc` made, once.
            let bytes = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(file, len)) };
            $attach(number, bytes.into_vec());
        }

        /// A row of the job whose text is at an address from [`ty_alloc`]; gives the address of the
        /// encoded answer, which stays valid until the next call.
        ///
        /// # Safety
        /// `job` and `len` must come from one call of [`ty_alloc`], and be used once.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn ty_sample(job: *mut u8, len: usize, number: u32) -> *const f64 {
            static ANSWER: std::sync::Mutex<Vec<f64>> = std::sync::Mutex::new(Vec::new());
            // SAFETY: the caller passes back what `ty_alloc` made, once.
            let bytes = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(job, len)) };
            let text = String::from_utf8_lossy(&bytes);
            let mut answer = ANSWER.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            *answer = $crate::job::encode($rows(&text, number));
            answer.as_ptr()
        }
    };
}

/// The digest suite of the labs, for a program that has them all.
#[macro_export]
macro_rules! digest_exports {
    () => {
        /// Number of scenarios of the labs' digest suite.
        #[unsafe(no_mangle)]
        pub extern "C" fn ty_digest_count() -> u32 {
            $crate::job::digest::count()
        }

        /// High 32 bits of a scenario's digest. Halves, because numbers of 64 bits do not cross into
        /// every engine's numbers.
        #[unsafe(no_mangle)]
        pub extern "C" fn ty_digest_high(index: u32) -> u32 {
            ($crate::job::digest::run(index) >> 32) as u32
        }

        /// Low 32 bits of a scenario's digest.
        #[unsafe(no_mangle)]
        pub extern "C" fn ty_digest_low(index: u32) -> u32 {
            $crate::job::digest::run(index) as u32
        }
    };
}

/// For a program whose jobs need no file.
pub fn no_file(_: u32, _: Vec<u8>) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_a_kind_a_lab_and_a_fragment() {
        for lab in labs::LABS {
            let setup = lab.defaults();
            let answer = encode(of_labs(&text(Kind::Luck, lab, &setup), lab.luck.0));
            let table = lab.table(&setup.clone().with_seed(lab.luck.0));
            let cells: Vec<f64> = table.rows.into_iter().flat_map(|r| r.cells).collect();
            assert_eq!((answer[0], &answer[1..]), (cells.len() as f64, &cells[..]), "{}", lab.id);
            let item = encode(of_labs(&text(Kind::Sweep, lab, &setup), 0));
            assert_eq!(item[1..], sweep::sample(lab, &setup, 0), "{}", lab.id);
        }
        for broken in ["luck:nothing#", "", "luck:", "other:nothing#", "nothing#"] {
            assert_eq!(encode(of_labs(broken, 1)), [-1.0], "{broken}");
        }
    }

    #[test]
    fn a_job_carries_settings_and_fork() {
        for lab in labs::LABS.iter().filter(|l| l.forks()) {
            let (state, notices) = link::read(lab, "fork=31&then.interval=1");
            assert!(notices.is_empty());
            let text = text(Kind::Luck, lab, &state.setup);
            assert!(text.ends_with("fork=31&then.interval=1"), "{text}");
        }
    }
}
