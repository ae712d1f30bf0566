//! Fuzz target `mooncake`, see `tokenyard_fuzz::mooncake`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tokenyard_fuzz::mooncake(bytes));
