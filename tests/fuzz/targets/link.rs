//! Fuzz target `link`, see `tokenyard_fuzz::link`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tokenyard_fuzz::link(bytes));
