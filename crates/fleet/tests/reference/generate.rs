//! Random scenarios. A reference engine runs along, so that calls can be made at boundaries and
//! about sequences that are inside.

use std::collections::BTreeSet;

use tokenyard_fleet::engine::types::{EngineEvent, Happened, Sequence};
use tokenyard_fleet::time::Ps;

use super::dice::Dice;
use super::prompts::Prompts;
use super::scenario::{Op, Scenario};
use super::settings::{Lengths, draw_lengths, draw_settings, pace};
use super::{Engine, Reference};

/// The scenario of a seed. A prompt contains what others have generated at most up to the token they
/// have just emitted.
pub(crate) fn scenario(seed: u64) -> Scenario {
    write(seed, false)
}

/// A scenario in which prompts contain what others are still going to generate: no client can send
/// them, but the page says what happens.
pub(crate) fn foreseeing(seed: u64) -> Scenario {
    write(seed, true)
}

fn write(seed: u64, foresees: bool) -> Scenario {
    let mut dice = Dice::new(seed);
    let lengths = draw_lengths(&mut dice);
    let settings = draw_settings(&mut dice, lengths);
    let mut author = Author::new(Reference::new(&settings), lengths, dice);
    author.foresees = foresees;
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
    in_step: bool,
    fails: bool,
    foresees: bool,
    ids: u32,
    finished: BTreeSet<u32>,
}

impl Author {
    fn new(engine: Reference, lengths: Lengths, mut dice: Dice) -> Self {
        let settings = &engine.settings;
        let prompts = Prompts::new(settings.block, lengths);
        let pace = pace(settings, lengths);
        let calm = dice.pick(&[1, 2, 4, 20]);
        let fails = dice.percent(40);
        Self {
            dice,
            engine,
            prompts,
            now: 0,
            pace,
            calm,
            in_step: lengths.in_step,
            fails,
            foresees: false,
            ids: 0,
            finished: BTreeSet::new(),
        }
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
            self.run();
        }
    }

    fn run(&mut self) {
        let mut out: Vec<EngineEvent> = Vec::new();
        self.engine.run(&mut out);
        out.retain(|event| matches!(event.what, Happened::Finished { .. }));
        self.finished.extend(out.iter().map(|event| event.id));
    }

    fn draw_sequence(&mut self) -> Sequence {
        let (engine, finished, foresees) = (&self.engine, &self.finished, self.foresees);
        let said = |past: &Sequence| match engine.emitted(past.id) {
            _ if foresees || finished.contains(&past.id) => past.output,
            inside => inside.unwrap_or(0),
        };
        let sequence = self.prompts.draw(&mut self.dice, self.ids, said);
        self.ids += 1;
        sequence
    }

    /// The time of the next call: now, at a boundary, beside one, or some time later.
    fn draw_time(&mut self) -> Ps {
        if self.dice.percent(if self.in_step { 70 } else { 25 }) {
            return self.now;
        }
        let how = self.dice.below(75);
        if how < 40 {
            for _ in 0..self.dice.below(2 * self.calm) {
                let next = self.engine.next();
                self.run();
                // The boundary is behind, so the call has to come after it.
                self.now = next.map_or(self.now, |next| next + 1);
            }
            let next = self.engine.next().unwrap_or(self.now).max(self.now);
            return match how {
                0..=25 => next,
                26..=32 => next + 1,
                _ => next.saturating_sub(1).max(self.now),
            };
        }
        self.now + self.dice.below(2 * self.calm * self.pace + 2)
    }

    fn draw_op(&mut self) -> Op {
        match self.dice.below(100) {
            0..=54 => Op::Enqueue(self.draw_sequence()),
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
