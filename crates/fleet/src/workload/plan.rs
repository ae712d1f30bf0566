//! The calls of one session: a line of turns, then children side by side, then perhaps a summary.

use crate::scenario::workload::{Shape, WorkloadSettings};

/// The shape of every session of a workload. A call's *turn* is its place in the plan: first the
/// turns of the main line, then each child's, then the summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// Calls of the main line, at least 1.
    turns: u32,
    /// Children after the last of them.
    children: u32,
    /// Calls of one child, at least 1.
    child_turns: u32,
    /// Whether one more call follows when all children have ended.
    summary: bool,
    /// Whether a person thinks between two turns of the main line.
    pub(super) person: bool,
}

/// What a call that ended well leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// The call of that turn.
    Next(u32),
    /// The first calls of all children.
    Children,
    /// A child is done.
    ChildDone,
    /// Nothing.
    End,
}

impl Plan {
    pub(super) fn of(settings: &WorkloadSettings) -> Self {
        let line = |turns| Self { turns, children: 0, child_turns: 1, summary: false, person: false };
        if let Some(rollouts) = &settings.rollouts {
            return line(rollouts.turns);
        }
        match settings.shape {
            Shape::None => Self {
                turns: settings.turns,
                children: settings.fan_out,
                child_turns: settings.child_turns,
                summary: false,
                person: true,
            },
            Shape::Chat => line(1),
            Shape::Rag => line(2),
            Shape::ToolAgent => line(12),
            Shape::SubAgents => Self { turns: 1, children: 19, child_turns: 2, summary: true, person: false },
            Shape::LongAgent => line(300),
        }
    }

    /// All calls of a session.
    pub(super) fn calls(&self) -> u32 {
        self.turns + self.children * self.child_turns + u32::from(self.summary)
    }

    /// What follows a call.
    pub(super) fn after(&self, turn: u32) -> After {
        if turn + 1 < self.turns {
            return After::Next(turn + 1);
        }
        if turn < self.turns {
            return if self.children > 0 { After::Children } else { After::End };
        }
        let of_children = turn - self.turns;
        if of_children >= self.children * self.child_turns {
            After::End
        } else if (of_children + 1).is_multiple_of(self.child_turns) {
            After::ChildDone
        } else {
            After::Next(turn + 1)
        }
    }

    /// Whether a turn belongs to a child.
    pub(super) fn is_child(&self, turn: u32) -> bool {
        (self.turns..self.turns + self.children * self.child_turns).contains(&turn)
    }

    /// Turns of the first calls of all children.
    pub(super) fn children(&self) -> impl Iterator<Item = u32> + use<> {
        let plan = *self;
        (0..plan.children).map(move |child| plan.turns + child * plan.child_turns)
    }

    /// Turn of the summary, if there is one.
    pub(super) fn summary(&self) -> Option<u32> {
        self.summary.then(|| self.calls() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_walked_once_from_its_first_call_to_its_last() {
        let plan = Plan { turns: 2, children: 2, child_turns: 3, summary: true, person: true };
        assert_eq!(plan.calls(), 9);
        let all: Vec<After> = (0..9).map(|turn| plan.after(turn)).collect();
        use After::{ChildDone, Children, End, Next};
        assert_eq!(all, [Next(1), Children, Next(3), Next(4), ChildDone, Next(6), Next(7), ChildDone, End]);
        assert_eq!(plan.children().collect::<Vec<_>>(), [2, 5]);
        assert_eq!(plan.summary(), Some(8));
        let child: Vec<bool> = (0..9).map(|turn| plan.is_child(turn)).collect();
        assert_eq!(child, [false, false, true, true, true, true, true, true, false]);
    }
}
