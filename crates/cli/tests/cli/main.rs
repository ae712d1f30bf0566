//! The command line as its users meet it: every test runs the program.
//!
//! Test files are compiled for tests only; saying so lets their helpers unwrap as tests may.

#[cfg(test)]
mod explains;
#[cfg(test)]
mod exports;
#[cfg(test)]
mod figures;
#[cfg(test)]
mod fleet;
#[cfg(test)]
mod forks;
#[cfg(test)]
mod formats;
#[cfg(all(test, unix))]
mod hostile;
#[cfg(test)]
mod lessons;
#[cfg(test)]
mod links;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod program;
#[cfg(test)]
mod ranges;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod replays;
