//! The fleet simulator.
