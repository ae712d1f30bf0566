//! Routing rules against published cases and against laws that hold for all of them.
//!
//! Cases of the routers' descriptions are named by section and position from 1. Test files are
//! compiled for tests only; saying so lets their helpers unwrap as tests may.

#[cfg(test)]
mod aibrix;
#[cfg(test)]
mod aibrix_means;
#[cfg(test)]
mod any;
#[cfg(test)]
mod asked;
#[cfg(test)]
mod bounded;
#[cfg(test)]
mod bucket;
#[cfg(test)]
mod cache_aware;
#[cfg(test)]
mod cases;
#[cfg(test)]
mod counters;
#[cfg(test)]
mod declared;
#[cfg(test)]
mod defaults;
#[cfg(test)]
mod disaggregate;
#[cfg(test)]
mod dynamo_cost;
#[cfg(test)]
mod dynamo_index;
#[cfg(test)]
mod dynamo_pick;
#[cfg(test)]
mod endpoint_picker;
#[cfg(test)]
mod entry_points;
#[cfg(test)]
mod envoy;
#[cfg(test)]
mod epp;
#[cfg(test)]
mod gates;
#[cfg(test)]
mod hash;
#[cfg(test)]
mod health;
#[cfg(test)]
mod indexes;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod least_load;
#[cfg(test)]
mod litellm;
#[cfg(test)]
mod loads;
#[cfg(test)]
mod manual;
#[cfg(test)]
mod orca;
#[cfg(test)]
mod player;
#[cfg(test)]
mod prefix_hash;
#[cfg(test)]
mod ray;
#[cfg(test)]
mod ray_prefix;
#[cfg(test)]
mod sampled;
#[cfg(test)]
mod tables;
#[cfg(test)]
mod upstream;
#[cfg(test)]
mod vllm;
#[cfg(test)]
mod vllm_routers;
#[cfg(test)]
mod vtc;
#[cfg(test)]
mod weighted;
#[cfg(test)]
mod world;
