//! Routing rules against published cases and against laws that hold for all of them.
//!
//! Cases of the routers' descriptions are named by section and position from 1.

mod cache_aware;
mod dynamo_cost;
mod dynamo_pick;
mod gates;
mod hash;
mod laws;
mod loads;
mod player;
mod world;
