//! Rules of the tree, as tests: length, words, dependencies and reference data.

mod dependencies;
mod oracle;
mod source;
mod words;
