//! Every page in the browser, with the fleet simulator.

use tokenyard_web::{app, page, start, study};

tokenyard_web::job_exports!(study::rows, study::attach);
tokenyard_web::digest_exports!();

fn main() {
    start::start(page::Program::All, app::all, study::rows, study::attach);
}
