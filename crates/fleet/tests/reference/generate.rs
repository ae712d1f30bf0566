//! Random scenarios. A reference engine runs along, so that calls can be made at boundaries and
//! about sequences that are inside.

use tokenyard_fleet::time::Ps;

use super::dice::Dice;
use super::prompts::Prompts;
use super::scenario::{Op, Scenario};
use super::settings::{Lengths, draw_lengths, draw_settings, pace};
use super::{Engine, Reference};

/// The scenario of a seed.
pub(crate) fn scenario(seed: u64) -> Scenario {
    let mut dice = Dice::new(seed);
    let lengths = draw_lengths(&mut dice);
    let settings = draw_settings(&mut dice, lengths);
    let mut author = Author::new(Reference::new(&settings), lengths, dice);
    let count = author.dice.between(1, if lengths.is_long() { 12 } else { 60 });
    let ops: Vec<_> = (0..count).map(|_| author.draw()).collect();
    let end = author.dice.percent(15).then(|| author.draw_time());
    Scenario { seed, settings, ops, end }
}

struct Author {
    dice: Dice,
    engine: Reference,
    prompts: Prompts,
    now: Ps,
    /// About one iteration.
    pace: Ps,
    /// How many iterations pass between two calls, about.
    calm: u64,
    fails: bool,
    ids: u32,
}

impl Author {
    fn new(engine: Reference, lengths: Lengths, mut dice: Dice) -> Self {
        let settings = &engine.settings;
        let prompts = Prompts::new(settings.block, lengths);
        let pace = pace(settings, lengths);
        let calm = dice.pick(&[1, 2, 4, 20]);
        let fails = dice.percent(40);
        Self { dice, engine, prompts, now: 0, pace, calm, fails, ids: 0 }
    }

    fn draw(&mut self) -> (Ps, Op) {
        self.now = self.draw_time();
        self.catch_up();
        let op = self.draw_op();
        op.call(&mut self.engine, self.now, &mut Vec::new());
        (self.now, op)
    }

    /// Handles every boundary before now.
    fn catch_up(&mut self) {
        while self.engine.next().is_some_and(|next| next < self.now) {
            self.engine.run(&mut Vec::new());
        }
    }

    /// The time of the next call: now, at a boundary, beside one, or some time later.
    fn draw_time(&mut self) -> Ps {
        let how = self.dice.below(100);
        if how < 25 {
            return self.now;
        }
        if how < 65 {
            for _ in 0..self.dice.below(2 * self.calm) {
                let next = self.engine.next();
                self.engine.run(&mut Vec::new());
                // The boundary is behind, so the call has to come after it.
                self.now = next.map_or(self.now, |next| next + 1);
            }
            let next = self.engine.next().unwrap_or(self.now).max(self.now);
            return match how {
                25..=50 => next,
                51..=57 => next + 1,
                _ => next.saturating_sub(1).max(self.now),
            };
        }
        self.now + self.dice.below(2 * self.calm * self.pace + 2)
    }

    fn draw_op(&mut self) -> Op {
        match self.dice.below(100) {
            0..=54 => {
                let sequence = self.prompts.draw(&mut self.dice, self.ids);
                self.ids += 1;
                Op::Enqueue(sequence)
            }
            55..=64 => Op::Abort(self.draw_id()),
            65..=67 if self.fails => Op::Fail,
            68..=71 => Op::Speed(self.dice.pick(&[1_000, 1_000, 500, 333, 1_500, 2_000, 997, 0])),
            72..=83 => Op::Hits(self.prompts.draw_question(&mut self.dice)),
            _ => Op::Look,
        }
    }

    /// Somebody inside, somebody who was, or somebody who never came.
    fn draw_id(&mut self) -> u32 {
        let known = self.engine.known();
        match self.dice.below(100) {
            0..=64 if !known.is_empty() => self.dice.pick(&known),
            0..=84 => self.dice.between(0, self.ids),
            _ => self.ids + 1_000,
        }
    }
}
