//! Entry points for a worker: plain bytes and numbers, no glue.
//!
//! A worker is handed the page's own compiled module and instantiates it with stubs for every
//! import, because nothing below calls any. See `platform/worker.rs` for the other side.
#![expect(unsafe_code, reason = "a worker passes text through the module's memory; this is the only place")]

use tokenyard_lab::{digest, labs, link, luck};

/// Samples one seed of a job. The job is `<lab id>#<fragment>`; the answer is a number of
/// figures followed by them, and starts with −1 if the job cannot be read.
#[must_use]
pub fn sample(job: &str, seed: u32) -> Vec<f64> {
    let Some((id, fragment)) = job.split_once('#') else {
        return vec![-1.0];
    };
    let Some(lab) = labs::by_id(id) else {
        return vec![-1.0];
    };
    let (state, _) = link::read(lab, fragment);
    let figures = luck::sample(lab, &state.setup, seed);
    std::iter::once(figures.len() as f64).chain(figures).collect()
}

/// Reserves `len` bytes for a job's text and gives their address. Freed by [`ty_sample`].
#[unsafe(no_mangle)]
pub extern "C" fn ty_alloc(len: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; len].into_boxed_slice()).cast()
}

/// [`sample`] for text at an address from [`ty_alloc`]; gives the address of the answer, which
/// stays valid until the next call.
///
/// # Safety
/// `job` and `len` must come from one call of [`ty_alloc`], and be used once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ty_sample(job: *mut u8, len: usize, seed: u32) -> *const f64 {
    static ANSWER: std::sync::Mutex<Vec<f64>> = std::sync::Mutex::new(Vec::new());
    // SAFETY: the caller passes back what `ty_alloc` made, once.
    let bytes = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(job, len)) };
    let text = String::from_utf8_lossy(&bytes);
    let mut answer = ANSWER.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    *answer = sample(&text, seed);
    answer.as_ptr()
}

/// Number of scenarios of the digest suite.
#[unsafe(no_mangle)]
pub extern "C" fn ty_digest_count() -> u32 {
    digest::count()
}

/// High 32 bits of a scenario's digest. Halves, because numbers of 64 bits do not cross into
/// every engine's numbers.
#[unsafe(no_mangle)]
pub extern "C" fn ty_digest_high(index: u32) -> u32 {
    (digest::run(index) >> 32) as u32
}

/// Low 32 bits of a scenario's digest.
#[unsafe(no_mangle)]
pub extern "C" fn ty_digest_low(index: u32) -> u32 {
    digest::run(index) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_a_lab_and_a_fragment() {
        for lab in labs::LABS {
            let answer = sample(&format!("{}#", lab.id), lab.luck.0);
            let table = lab.table(&lab.defaults().with_seed(lab.luck.0));
            let cells: Vec<f64> = table.rows.into_iter().flat_map(|r| r.cells).collect();
            assert_eq!((answer[0], &answer[1..]), (cells.len() as f64, &cells[..]));
        }
        assert_eq!(sample("nothing#", 1), [-1.0]);
        assert_eq!(sample("", 1), [-1.0]);
    }
}
