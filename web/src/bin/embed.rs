//! The embed of one lab in the browser. The build makes it once for each lab, which it names in
//! `TOKENYARD_LAB`; without that it is the first one, so that this program is checked like the others.

use tokenyard_lab::{LabSpec, labs};
use tokenyard_web::job::{self, Answer};
use tokenyard_web::start;

const ID: &str = match option_env!("TOKENYARD_LAB") {
    Some(id) => id,
    None => labs::IDS[0],
};

static LABS: &[&LabSpec] = &[labs::named(ID)];

fn rows(job: &str, number: u32) -> Answer {
    job::of(LABS, job, number)
}

tokenyard_web::job_exports!(rows, job::no_file);

fn main() {
    start::embed(LABS, rows);
}
