//! Fuzz target `azure`, see `tokenyard_fuzz::azure`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tokenyard_fuzz::azure(bytes));
