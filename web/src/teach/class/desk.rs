//! What came to the presenter: the room, and what was not counted. Pasted, typed and scanned codes all
//! go through here.

use std::collections::VecDeque;

use leptos::prelude::*;
use tokenyard_lab::{Arg, Msg, msg};
use tokenyard_lesson::code::{Rejected, Room, Why};

/// Lines that a list shows; of the others it says how many there are.
pub(super) const SHOWN: usize = 50;

/// What was not counted, newest first. The same text with the same reason is one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Log {
    lines: VecDeque<(Rejected, u32)>,
    rest: u32,
}

impl Log {
    /// Puts a refused code in front.
    pub(super) fn add(&mut self, rejected: Rejected) {
        let before = self.lines.iter().position(|(line, _)| *line == rejected);
        let times = before.and_then(|at| self.lines.remove(at)).map_or(0, |(_, times)| times);
        self.lines.push_front((rejected, times + 1));
        if self.lines.len() > SHOWN {
            self.lines.pop_back();
            self.rest += 1;
        }
    }

    /// The newest lines, with how often each came.
    pub(super) fn lines(&self) -> impl Iterator<Item = &(Rejected, u32)> {
        self.lines.iter()
    }

    /// Older lines that are not kept.
    pub(super) fn rest(&self) -> u32 {
        self.rest
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}

/// What one text brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Took {
    /// Codes that were counted.
    pub(super) counted: usize,
    /// Codes that had been counted before.
    pub(super) again: usize,
    /// Codes that do not count.
    pub(super) wrong: usize,
    /// Why not, if it was a single code.
    pub(super) why: Option<Rejected>,
}

impl Took {
    /// Puts everything that looks like a code into the room; what was refused comes back with it.
    pub(super) fn from(room: &mut Room, text: &str) -> (Self, Vec<Rejected>) {
        let before = room.learners();
        let rejected = room.add(text);
        let again = rejected.iter().filter(|r| r.why == Why::Repeated).count();
        let counted = room.learners() - before;
        let single = counted == 0 && rejected.len() == 1;
        let why = rejected.first().filter(|_| single).cloned();
        (Self { counted, again, wrong: rejected.len() - again, why }, rejected)
    }

    /// Whether anything looked like a code.
    pub(super) fn any(&self) -> bool {
        self.counted + self.again + self.wrong > 0
    }

    /// Whether it is worth looking at again as it was typed: nothing counted, and something was mistyped.
    pub(super) fn is_slip(&self) -> bool {
        self.counted == 0 && self.wrong > 0
    }

    /// It in words, as sentences.
    pub(super) fn say(&self) -> Vec<Msg> {
        if let Some(why) = &self.why {
            return vec![refusal(why)];
        }
        if !self.any() {
            return vec![msg("class.none-found")];
        }
        let counted = msg("class.counted").with("n", self.counted);
        let again = (self.again > 0).then(|| msg("class.counted-before").with("n", self.again));
        let wrong = (self.wrong > 0).then(|| msg("class.not-counted").with("n", self.wrong));
        [Some(counted), again, wrong].into_iter().flatten().collect()
    }
}

/// A refused code and its reason.
pub(super) fn refusal(rejected: &Rejected) -> Msg {
    let why = Arg::Msg(rejected.why.msg());
    match rejected.text.as_str() {
        "" => msg("class.refused-text").with("why", why),
        text => msg("class.refused").with("text", Arg::Text(text.to_owned())).with("why", why),
    }
}

/// The presenter's desk. Handles only, so it is `Copy`.
#[derive(Clone, Copy, Debug)]
pub struct Desk {
    /// Guesses that count.
    pub(super) room: RwSignal<Room>,
    /// What does not count.
    pub(super) wrong: RwSignal<Log>,
    /// What was counted before.
    pub(super) again: RwSignal<Log>,
}

impl Desk {
    pub(super) fn new(room: RwSignal<Room>) -> Self {
        Self { room, wrong: RwSignal::new(Log::default()), again: RwSignal::new(Log::default()) }
    }

    /// Takes a text and says what it brought.
    pub(super) fn take(self, given: &str) -> Took {
        let mut room = self.room.get_untracked();
        let (took, rejected) = Took::from(&mut room, given);
        if took.any() {
            self.room.set(room);
        }
        // Newest first, and within one text in its order.
        for one in rejected.into_iter().rev() {
            let log = if one.why == Why::Repeated { self.again } else { self.wrong };
            log.update(|log| log.add(one));
        }
        took
    }

    /// Forgets everything.
    pub(super) fn clear(self) {
        self.room.update(Room::clear);
        self.wrong.set(Log::default());
        self.again.set(Log::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenyard_lab::labs::LABS;
    use tokenyard_lesson::Question;
    use tokenyard_lesson::code::{Slip, guess};

    fn rejected(i: usize) -> Rejected {
        Rejected { text: format!("{i}"), why: Why::Slip(Slip::Several) }
    }

    #[test]
    fn a_list_keeps_the_newest_lines_and_counts_the_others() {
        let mut log = Log::default();
        (0..70).for_each(|i| log.add(rejected(i)));
        assert_eq!((log.lines().count(), log.rest()), (SHOWN, 20));
        assert!(log.lines().map(|(line, _)| line.text.clone()).eq((20..70).rev().map(|i| i.to_string())));
        log.add(rejected(30));
        assert_eq!((log.lines().count(), log.rest()), (SHOWN, 20));
        assert_eq!(log.lines().next(), Some(&(rejected(30), 2)));
        assert_eq!(log.lines().map(|(_, times)| times).sum::<u32>() + log.rest(), 71);
    }

    #[test]
    fn what_a_text_brought_is_said() {
        let question = Question::of_lab(LABS[0], &LABS[0].defaults());
        let one = guess(&question, 1, 7).unwrap().write();
        let two = guess(&question, 1, 8).unwrap().write();
        let mut room = Room::of(question, &[]);
        let keys = |took: &Took| took.say().iter().map(|m| m.key).collect::<Vec<_>>();
        let (took, _) = Took::from(&mut room, &format!("{one} and {two}"));
        assert_eq!((took.counted, keys(&took)), (2, vec!["class.counted"]));
        let (took, _) = Took::from(&mut room, &one);
        assert_eq!((took.again, took.is_slip(), keys(&took)), (1, false, vec!["class.refused"]));
        let (took, refused) = Took::from(&mut room, &format!("{one} {two} {}", &two[..13]));
        assert_eq!((took.again, took.wrong, refused.len(), took.is_slip()), (2, 1, 3, true));
        assert_eq!(keys(&took), ["class.counted", "class.counted-before", "class.not-counted"]);
        let (took, _) = Took::from(&mut room, "good morning");
        assert_eq!(keys(&took), ["class.none-found"]);
    }
}
