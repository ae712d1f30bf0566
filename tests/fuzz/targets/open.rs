//! Fuzz target `open`, see `tokenyard_fuzz::open`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tokenyard_fuzz::open(bytes));
