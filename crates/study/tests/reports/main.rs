//! Public reports as scenarios: symptom and cure over seeds, and the page about them.

#[cfg(test)]
mod law;
#[cfg(test)]
mod page;
