//! The score terms of one decision, written down only when somebody asks.

use crate::view::ReplicaIx;

/// Most terms a rule may show for one candidate.
pub const MOST_TERMS: usize = 6;

/// One candidate's terms, in the order of the rule's [`crate::RuleSpec::terms`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// The candidate.
    pub replica: ReplicaIx,
    /// The terms; those beyond the rule's own number are 0.
    pub values: [f64; MOST_TERMS],
}

/// Collects terms when on; costs one branch a candidate when off.
#[derive(Clone, Debug, Default)]
pub struct Explain {
    on: bool,
    rows: Vec<Terms>,
}

impl Explain {
    /// A collector that keeps nothing.
    #[must_use]
    pub fn off() -> Self {
        Self::default()
    }

    /// A collector that keeps every row.
    #[must_use]
    pub fn on() -> Self {
        Self { on: true, rows: Vec::new() }
    }

    /// Whether rows are kept: a rule asks before it makes expensive ones.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// Keeps one candidate's terms; more than [`MOST_TERMS`] are cut, which a test of every rule
    /// forbids.
    pub fn row(&mut self, replica: ReplicaIx, terms: &[f64]) {
        if self.on {
            let mut values = [0.0; MOST_TERMS];
            for (slot, term) in values.iter_mut().zip(terms) {
                *slot = *term;
            }
            self.rows.push(Terms { replica, values });
        }
    }

    /// The rows of the decision, in the order of scoring.
    #[must_use]
    pub fn rows(&self) -> &[Terms] {
        &self.rows
    }

    /// Forgets the rows, before the next decision.
    pub fn clear(&mut self) {
        self.rows.clear();
    }
}
