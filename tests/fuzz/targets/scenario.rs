//! Fuzz target `scenario`, see `tokenyard_fuzz::scenario`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tokenyard_fuzz::scenario(bytes));
