//! Fuzz target `lesson`, see `tokenyard_fuzz::lesson`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tokenyard_fuzz::lesson(bytes));
