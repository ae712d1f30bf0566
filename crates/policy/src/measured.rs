//! What a decision of each rule costs, as it was measured.
//!
//! The figures stand in `measured.csv` beside `src`. The bench `decisions` writes them, and says how
//! they are made; they tell rules apart, and are no promise for another machine.

/// Columns: rule, nanoseconds with 16 replicas, nanoseconds with 256. Lines that begin with `#` say
/// when and where.
const TABLE: &str = include_str!("../measured.csv");

/// Time of one decision, in nanoseconds: choosing, and learning what became of it. What the router
/// around a rule does to know the fleet is not in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Among 16 replicas.
    pub at_16: u32,
    /// Among 256 replicas.
    pub at_256: u32,
}

/// All rows, in the order of the list of rules: name of a rule, and its cost.
pub fn rows() -> impl Iterator<Item = (&'static str, Cost)> {
    TABLE.lines().filter_map(|line| {
        let mut cells = line.split(',');
        let (id, at_16, at_256) = (cells.next()?, cells.next()?.parse(), cells.next()?.parse());
        Some((id, Cost { at_16: at_16.ok()?, at_256: at_256.ok()? }))
    })
}

/// The cost of one rule; `None` for a rule that was not measured, which a test forbids for every
/// rule in the list.
#[must_use]
pub fn cost(id: &str) -> Option<Cost> {
    rows().find(|(rule, _)| *rule == id).map(|(_, cost)| cost)
}

/// The day of the measurement: `2026-11-30`.
#[must_use]
pub fn date() -> &'static str {
    setting().0
}

/// The machine in words: `one core of a 2-core virtual machine`.
#[must_use]
pub fn machine() -> &'static str {
    setting().1
}

fn setting() -> (&'static str, &'static str) {
    let line = TABLE.lines().find_map(|line| line.strip_prefix("# "));
    line.and_then(|line| line.split_once(", ")).unwrap_or_default()
}
