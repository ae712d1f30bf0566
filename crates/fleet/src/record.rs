//! Records of routing decisions: what was believed, what was true, what was chosen and why.

use tokenyard_policy::explain::MOST_TERMS;
use tokenyard_policy::{ReplicaIx, Why};

use crate::time::Ps;

/// One candidate of a decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Who.
    pub replica: ReplicaIx,
    /// Requests the router believed there.
    pub believed_outstanding: u32,
    /// Leading blocks of the prompt it believed cached.
    pub believed_overlap: u32,
    /// How old its reading of the load was; 0 if fresh.
    pub age: Ps,
    /// Attempts that were there.
    pub outstanding: u32,
    /// Leading blocks that were cached.
    pub overlap: u32,
    /// The rule's score terms, in the order of its declaration, if it scored the candidate.
    pub terms: Option<[f64; MOST_TERMS]>,
}

/// One routing decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// When.
    pub at: Ps,
    /// Number of the request.
    pub request: u32,
    /// Who decided.
    pub router: u16,
    /// Who was chosen.
    pub to: ReplicaIx,
    /// Why.
    pub why: Why,
    /// Candidates that were equal before the tie was broken.
    pub tied: u32,
    /// What the same rule, with the same chance, would have chosen on fresh and true data.
    pub fresh: Option<ReplicaIx>,
    /// Every candidate, in the order of the list.
    pub rows: Vec<Candidate>,
}

/// What a decision lost against the same rule on fresh data. Negative where stale data was lucky.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Regret {
    /// Attempts more at the chosen replica than at the other one.
    pub outstanding: i64,
    /// Cached blocks less.
    pub blocks: i64,
}

impl Decision {
    /// The row of a candidate.
    #[must_use]
    pub fn row(&self, replica: ReplicaIx) -> Option<&Candidate> {
        self.rows.iter().find(|row| row.replica == replica)
    }

    /// Regret against fresh data; `None` where there is no counterfactual.
    #[must_use]
    pub fn regret(&self) -> Option<Regret> {
        let (chosen, fresh) = (self.row(self.to)?, self.row(self.fresh?)?);
        Some(Regret {
            outstanding: i64::from(chosen.outstanding) - i64::from(fresh.outstanding),
            blocks: i64::from(fresh.overlap) - i64::from(chosen.overlap),
        })
    }
}
