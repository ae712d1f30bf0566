//! What links promise: those of every release open, models change with their number, lengths hold.

#[cfg(test)]
mod golden;
#[cfg(test)]
mod lengths;
#[cfg(test)]
mod models;
#[cfg(test)]
mod releases;
#[cfg(test)]
mod said;
#[cfg(test)]
mod states;
