//! Tasks checked by outcome: bounds on figures of the summary table, and what may be changed to
//! reach them. A lab's own challenges and the tasks of lessons are checked here.

use crate::luck::SEEDS;
use crate::run::Table;
use crate::spec::{Challenge, LabSpec, Setup};

/// Of [`SEEDS`] seeds, as many must hold before a result counts as more than luck.
pub const ENOUGH: u32 = SEEDS - SEEDS / 20;
/// Of [`SEEDS`] seeds, at most so many may hold where nothing was changed.
pub const LUCKY: u32 = SEEDS / 100;

/// A bound on one figure of the summary table.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// Row identifier, or the row of the lane in view.
    pub row: Option<String>,
    /// Position of the column; one that does not exist never holds.
    pub column: usize,
    /// At most the bound, or at least.
    pub at_most: bool,
    /// The bound.
    pub bound: f64,
}

/// What must hold, and what may be changed to reach it.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Where it starts.
    pub start: Setup,
    /// Keys of parameters and views that must stay as they are at the start.
    pub keep: Vec<&'static str>,
    /// How many parameters of the model may differ from the start. What stands in the lanes is
    /// no parameter of the model.
    pub max_changes: u8,
    /// Whether the seed is no setting of the task: then it may be anything, and the outcome is
    /// to be tried with many of them.
    pub any_seed: bool,
    /// What must hold, all of it.
    pub bounds: Vec<Bound>,
}

/// What was changed since the start of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Keys of the parameters that count.
    pub counted: Vec<&'static str>,
    /// Keys of what had to stay and did not.
    pub moved: Vec<&'static str>,
    /// More parameters changed than may.
    pub too_many: bool,
    /// The run changes half way, which no task allows.
    pub forked: bool,
}

impl Changes {
    /// Whether a task may be solved this way.
    #[must_use]
    pub fn allowed(&self) -> bool {
        self.moved.is_empty() && !self.too_many && !self.forked
    }
}

impl Bound {
    /// The figure in a table; `None` if there is no such row or column.
    #[must_use]
    pub fn figure(&self, table: &Table) -> Option<f64> {
        match &self.row {
            Some(row) => table.cell(row, self.column),
            None => table.headline()?.cells.get(self.column).copied(),
        }
    }

    /// Whether it holds in a table. A figure that is missing or no number never holds.
    #[must_use]
    pub fn holds(&self, table: &Table) -> bool {
        self.figure(table).is_some_and(|figure| self.allows(figure))
    }

    /// Whether it holds for a figure.
    #[must_use]
    pub fn allows(&self, figure: f64) -> bool {
        if self.at_most { figure <= self.bound } else { figure >= self.bound }
    }
}

impl Task {
    /// A lab's own challenge. A column that does not exist is a mistake that the list's tests find.
    #[must_use]
    pub fn of(lab: &LabSpec, challenge: &Challenge) -> Self {
        let column = |key: &str| lab.columns.iter().position(|c| c.key == key).unwrap_or(usize::MAX);
        Self {
            start: lab.with(challenge.start),
            keep: challenge.keep.to_vec(),
            max_changes: challenge.max_changes,
            any_seed: false,
            bounds: (challenge.goals.iter())
                .map(|goal| Bound {
                    row: Some(goal.row.to_owned()),
                    column: column(goal.column),
                    at_most: goal.at_most,
                    bound: goal.bound,
                })
                .collect(),
        }
    }

    /// What a set-up changes. Cost: a comparison of settings; nothing is run.
    #[must_use]
    pub fn changes(&self, lab: &LabSpec, setup: &Setup) -> Changes {
        let (mut changes, start) = (Changes::default(), &self.start);
        for (i, spec) in lab.params.iter().enumerate() {
            let free = self.any_seed && spec.key == "seed";
            if !free && start.values.at(i) != setup.values.at(i) {
                changes.counted.push(spec.key);
            }
        }
        let views = (0..lab.views.len()).filter(|i| start.view.at(*i) != setup.view.at(*i));
        let differing = changes.counted.iter().copied().chain(views.map(|i| lab.views[i].key));
        changes.moved = differing.filter(|key| self.keep.contains(key)).collect();
        changes.too_many = changes.counted.len() > usize::from(self.max_changes);
        changes.forked = setup.fork.is_some();
        changes
    }

    /// Whether every bound holds for the set-up's own seed. Cost: one table.
    #[must_use]
    pub fn met(&self, lab: &LabSpec, setup: &Setup) -> bool {
        let table = lab.table(setup);
        self.bounds.iter().all(|bound| bound.holds(&table))
    }

    /// In how many samples of a set-up every bound holds: each is the cells of a table, row by row, and
    /// `table` one of those tables, whose rows all of them have. Nothing is run.
    #[must_use]
    pub fn count(&self, table: &Table, samples: &[Vec<f64>]) -> u32 {
        let columns = table.rows.first().map_or(0, |row| row.cells.len());
        let at = |bound: &Bound| {
            let id = bound.row.as_deref().or_else(|| table.headline().map(|head| head.id))?;
            let row = table.rows.iter().position(|row| row.id == id)?;
            (bound.column < columns).then_some(row * columns + bound.column)
        };
        let places: Vec<Option<usize>> = self.bounds.iter().map(at).collect();
        let holds = |sample: &&Vec<f64>| {
            self.bounds.iter().zip(&places).all(|(bound, at)| {
                at.and_then(|at| sample.get(at)).is_some_and(|figure| bound.allows(*figure))
            })
        };
        u32::try_from(samples.iter().filter(holds).count()).unwrap_or(SEEDS)
    }

    /// Whether a set-up solves it for its own seed. Cost: one table, or none if too much changed.
    #[must_use]
    pub fn solved(&self, lab: &LabSpec, setup: &Setup) -> bool {
        self.changes(lab, setup).allowed() && self.met(lab, setup)
    }

    /// In how many of the [`SEEDS`] seeds of "is it luck?" every bound holds, whatever was
    /// changed. Cost: as many tables; a worker asks [`Task::met`] seed by seed instead.
    #[must_use]
    pub fn passes(&self, lab: &LabSpec, setup: &Setup) -> u32 {
        let seeds = lab.luck.0..lab.luck.0.saturating_add(SEEDS);
        let met = seeds.filter(|seed| self.met(lab, &setup.clone().with_seed(*seed)));
        u32::try_from(met.count()).unwrap_or(SEEDS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labs::LABS;

    #[test]
    fn a_bound_without_a_row_is_about_the_lane_in_view() {
        for lab in LABS {
            let table = lab.table(&lab.defaults());
            let head = table.headline().unwrap();
            let of = |row: Option<&str>, at_most, bound| Bound {
                row: row.map(str::to_owned),
                column: 0,
                at_most,
                bound,
            };
            assert!(
                of(None, true, head.cells[0]).holds(&table) && of(None, false, head.cells[0]).holds(&table)
            );
            assert_eq!(of(None, true, 0.0).figure(&table), of(Some(head.id), true, 0.0).figure(&table));
            assert!(!of(Some("no-such-row"), true, f64::MAX).holds(&table));
            assert!(!Bound { column: 99, ..of(None, true, f64::MAX) }.holds(&table));
        }
    }

    #[test]
    fn what_counts_as_a_change_is_the_model_and_the_seed_only_if_it_is_fixed() {
        for lab in LABS {
            let start = lab.defaults();
            let task = |any_seed| Task {
                start: start.clone(),
                keep: lab.views.iter().map(|v| v.key).collect(),
                max_changes: 0,
                any_seed,
                bounds: Vec::new(),
            };
            assert!(task(false).solved(lab, &start) && task(false).changes(lab, &start).allowed());
            let reseeded = start.clone().with_seed(77);
            assert_eq!(task(false).changes(lab, &reseeded).counted, ["seed"]);
            assert!(!task(false).solved(lab, &reseeded) && task(true).solved(lab, &reseeded));
            let mut lanes = start.clone();
            for (i, view) in lab.views.iter().enumerate() {
                lanes.view.set(i, tokenyard_param::Value::Choice(1));
                let moved = task(true).changes(lab, &lanes).moved;
                assert_eq!(moved.contains(&view.key), lanes.view.at(i) != start.view.at(i), "{}", view.key);
            }
            assert!(task(true).changes(lab, &lanes).counted.is_empty());
            assert_eq!(task(true).passes(lab, &start), SEEDS);
            // Counting in samples is trying seed by seed.
            let seeds = lab.luck.0..lab.luck.0 + SEEDS;
            let samples: Vec<Vec<f64>> = seeds.map(|seed| crate::luck::sample(lab, &start, seed)).collect();
            let table = lab.table(&start);
            let middle = table.headline().unwrap().cells[0];
            for (at_most, row) in [(true, None), (false, Some(table.rows[0].id.to_owned()))] {
                let bounds = vec![Bound { row, column: 0, at_most, bound: middle }];
                let bounded = Task { bounds, ..task(true) };
                assert_eq!(bounded.count(&table, &samples), bounded.passes(lab, &start), "{}", lab.id);
            }
            let nowhere = Bound { row: None, column: 99, at_most: true, bound: f64::MAX };
            assert_eq!(Task { bounds: vec![nowhere], ..task(true) }.count(&table, &samples), 0);
        }
    }
}
