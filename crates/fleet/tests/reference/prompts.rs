//! Random sequences that share prefixes. An id always has the same blocks before it.

use tokenyard_fleet::chain::{Chain, Run};
use tokenyard_fleet::engine::types::Sequence;

use super::dice::Dice;
use super::settings::Lengths;

/// All sequences so far, and the ids not used yet.
pub(crate) struct Prompts {
    block: u32,
    lengths: Lengths,
    fresh: u64,
    past: Vec<Sequence>,
}

impl Prompts {
    pub(crate) fn new(block: u32, lengths: Lengths) -> Self {
        Self { block, lengths, fresh: 1, past: Vec::new() }
    }

    /// A new sequence: fresh, of a family, a duplicate, part of another, or the turn after it.
    /// `said` tells how many tokens of another's output the turn after it can know.
    pub(crate) fn draw(&mut self, dice: &mut Dice, id: u32, said: impl Fn(&Sequence) -> u32) -> Sequence {
        let (prompt, mut chain) = self.draw_prompt(dice, said);
        if dice.percent(10) {
            chain = chain.cut(dice.between(0, chain.blocks()));
        }
        let output = dice.mostly_small(self.lengths.output);
        let full = prompt / self.block;
        let generated = self.take(((prompt + output) / self.block - full).max(1)).first;
        let sequence = Sequence { id, prompt, output, chain, generated };
        self.past.push(sequence.clone());
        sequence
    }

    /// A chain to ask about: one of the past, at times with what was generated after it.
    pub(crate) fn draw_question(&self, dice: &mut Dice) -> Chain {
        match self.draw_past(dice) {
            None => Chain::new(),
            Some(past) if dice.percent(50) => past.chain.clone(),
            Some(past) => self.with_generated(past, past.output),
        }
    }

    fn draw_past(&self, dice: &mut Dice) -> Option<&Sequence> {
        let recent = self.past.len().min(if dice.percent(70) { 4 } else { 40 });
        let back = dice.below(recent as u64) as usize;
        self.past.len().checked_sub(1 + back).map(|place| &self.past[place])
    }

    fn draw_prompt(&mut self, dice: &mut Dice, said: impl Fn(&Sequence) -> u32) -> (u32, Chain) {
        let more = dice.mostly_small(self.lengths.prompt);
        let kind = dice.below(100);
        let past = self.draw_past(dice).filter(|past| past.prompt <= 2 * self.lengths.prompt);
        match past {
            Some(past) if kind < 35 => {
                let said = said(past);
                let output = if dice.percent(70) { said } else { dice.between(0, said) };
                let shared = self.with_generated(past, output);
                self.extend(&shared, past.prompt + output + more - 1)
            }
            Some(past) if kind < 60 => {
                let most = past.chain.blocks().min(past.prompt / self.block);
                let shared = past.chain.cut(dice.between(0, most));
                self.extend(&shared, shared.blocks() * self.block + more)
            }
            Some(past) if kind < 70 => (past.prompt, past.chain.clone()),
            // The chain stays as it is, so it may name more blocks than the prompt has.
            Some(past) if kind < 80 => (dice.between(1, past.prompt), past.chain.clone()),
            _ => self.extend(&Chain::new(), more),
        }
    }

    /// The chain of a sequence and the blocks it fills with its first `output` tokens. Without them
    /// if the chain ends before the prompt does.
    fn with_generated(&self, past: &Sequence, output: u32) -> Chain {
        let full = past.prompt / self.block;
        let mut chain = past.chain.cut(full);
        if chain.blocks() == full {
            let len = (past.prompt + output) / self.block - full;
            chain.push(Run { first: past.generated, len });
        }
        chain
    }

    /// A prompt of a chain and as many fresh blocks as its length needs.
    fn extend(&mut self, shared: &Chain, prompt: u32) -> (u32, Chain) {
        let unit = if self.lengths.in_step { self.block } else { 1 };
        let prompt = prompt.max(1).next_multiple_of(unit);
        let mut chain = shared.cut(prompt / self.block);
        let rest = self.take(prompt / self.block - chain.blocks());
        chain.push(rest);
        (prompt, chain)
    }

    fn take(&mut self, len: u32) -> Run {
        let first = self.fresh;
        self.fresh += u64::from(len);
        Run { first, len }
    }
}
