//! Figures of every lab: what they hold, that it fits, that they are the same each time, and that
//! what they carry comes back.

mod carries;
mod document;
mod hostile;
mod laws;
mod shown;
mod states;
