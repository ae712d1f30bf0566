//! Home and labs in the browser.

use tokenyard_web::{app, job, page, start};

tokenyard_web::job_exports!(job::of_labs, job::no_file);
tokenyard_web::digest_exports!();

fn main() {
    start::start(page::Program::Labs, app::labs, job::of_labs, job::no_file);
}
