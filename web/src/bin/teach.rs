//! Home, labs and lessons in the browser.

use tokenyard_web::{app, job, page, start};

tokenyard_web::job_exports!(job::of_labs, job::no_file);

fn main() {
    start::start(page::Program::Teach, app::teach, job::of_labs, job::no_file);
}
