//! One request: what a client asks for, before anybody has served it.

use crate::chain::Chain;
use crate::time::Ps;

/// A request as the workload makes it. Retries and hedges are attempts of one request.
///
/// What its end is told by stands first: of the many in a fleet, those that end were last looked at
/// long ago, and each cache line is waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Request {
    /// When it arrives at the gateway.
    pub arrival: Ps,
    /// Number in the run, from 0, in the order in which [`crate::workload::Workload::take`] hands
    /// requests out.
    pub number: u32,
    /// Session, where requests belong to sessions.
    pub session: Option<u32>,
    /// Place in its session's line of calls, from 0; 0 without sessions.
    pub turn: u32,
    /// Prompt tokens, at least 1.
    pub prompt: u32,
    /// Output tokens, at least 1. No router may read it.
    pub output: u32,
    /// The prompt's full blocks, root first. May be shorter than `prompt / block`; the rest then
    /// can never be hit.
    pub chain: Chain,
    /// Time after which nobody wants the answer any more.
    pub deadline: Option<Ps>,
    /// Tenant, 0 where there is one only.
    pub tenant: u32,
    /// For children and for the summary of their answers: the request that fanned out.
    pub parent: Option<u32>,
    /// Family of prompts with one shared prefix, where the workload has families.
    pub family: Option<u32>,
    /// 0 is ordinary; a larger number is more important.
    pub priority: u8,
}
