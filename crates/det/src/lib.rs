//! Same bits everywhere: the only crate that may name a transcendental function, a random
//! generator or a digest. It depends on `libm` and `rand_chacha` and nothing else.
//!
//! Everything here gives the same result natively and in WebAssembly; the digest suite of
//! `tokenyard-lab` proves it over the models built on top.

pub mod digest;
pub mod format;
pub mod math;
pub mod rng;
pub mod stat;
pub mod stream;

pub use digest::Digest;
pub use rng::Mulberry32;
pub use stream::Stream;
