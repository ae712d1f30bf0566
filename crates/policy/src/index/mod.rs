//! Structures that several rules share. Trees are generic over their symbol: the published text
//! cases run on characters, the simulator on KV blocks.

pub mod chunk;
pub mod edf;
pub mod expiry;
pub mod fewest;
pub mod holders;
pub mod layered;
mod log;
pub mod maglev;
pub mod members;
mod pages;
pub mod radix;
pub mod recency;
pub mod ring;
mod sets;
pub mod table;
pub mod trie;
