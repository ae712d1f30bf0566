//! Every journey in every engine, as one test binary without libtest: see `README.md`.

mod journeys;

fn main() -> std::process::ExitCode {
    tokenyard_browser_tests::main(&journeys::all())
}
