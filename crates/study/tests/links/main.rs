//! What links of the fleet page promise: those of every release open, the model changes with its
//! number, lengths hold, forms are those of the labs' links.

#[cfg(test)]
mod forms;
#[cfg(test)]
#[path = "../../../lab/tests/links/golden.rs"]
mod golden;
#[cfg(test)]
mod lengths;
#[cfg(test)]
mod releases;
