//! Many iterations at once: how far a stretch can reach, and what it changes.

use crate::engine::replica::{Out, Replica};
use crate::engine::stretch::{Stretch, times};
use crate::engine::types::Look;
use crate::time::Ps;

impl Replica {
    /// Iterations that only emit one token a decoder, from the one that starts now: up to the
    /// first completion, or to the last iteration that there is room to grow for.
    pub(crate) fn longest_stretch(&mut self) -> u64 {
        let Some((end, ..)) = self.next_to_finish() else { return 1 };
        let most = end - self.n;
        let room = u64::from(self.room());
        let decoders = u64::from(self.decoders.max(1));
        // Room for a block a token is room enough, and needs no division.
        if times(most, decoders) <= room {
            return most;
        }
        let block = u64::from(self.settings.block);
        // The iteration that starts now has its blocks. Each whole round of `block` iterations
        // after it needs one block a decoder.
        let rounds = room / decoders;
        if 1 + rounds.saturating_mul(block) >= most {
            return most;
        }
        let mut left = room - rounds * decoders;
        let mut len = 1 + rounds * block;
        // Whole rounds and the one that starts now: the classes begin with the next one.
        let mut class = self.class;
        while len < most {
            class = class.checked_sub(1).unwrap_or(self.settings.block - 1);
            let needed = u64::from(self.residues.of(class as usize));
            if needed > left {
                break;
            }
            left -= needed;
            len += 1;
        }
        len
    }

    /// Lets every iteration that ends before `at` be over. What ends at the end of the stretch is
    /// left to [`Replica::run`].
    pub(crate) fn catch_up(&mut self, at: Ps, out: &mut Out) {
        let Some(mut stretch) = self.progress else { return };
        let ended = stretch.ended_before(at).min(stretch.len - 1);
        if ended > 0 {
            self.count_gaps(&stretch, ended, out);
            self.advance(&mut stretch, ended);
            self.progress = Some(stretch);
        }
    }

    /// Blocks that running sequences hold after the last boundary before `at`. Unlike
    /// [`Replica::look`] it changes nothing, and so costs little however often it is asked.
    #[inline]
    pub(crate) fn in_use_at(&self, at: Ps) -> u32 {
        let Some(stretch) = &self.progress else { return self.in_use };
        let ended = stretch.ended_before(at).min(stretch.len - 1);
        self.in_use + if ended > 0 { self.grown(ended) } else { 0 }
    }

    /// What [`Replica::look`] says, without a change: for who reads often and has no part in what
    /// is read. Without `blocks` those are as of the start of the stretch in progress, without
    /// `counters` what the engine counts is.
    pub(crate) fn glance(&self, at: Ps, blocks: bool, counters: bool) -> Look {
        let mut look = self.as_of_start();
        let Some(stretch) = self.progress.as_ref().filter(|_| blocks || counters) else { return look };
        let ended = stretch.ended_before(at).min(stretch.len - 1);
        if ended > 0 && blocks {
            look.in_use += self.grown(ended);
            // What there is no room for is evicted.
            look.idle = look.idle.min(self.settings.capacity - look.in_use);
        }
        if ended > 0 && counters {
            look.iterations += ended;
            look.generated += ended * u64::from(self.decoders);
            look.busy = look.busy.saturating_add(stretch.end_of(ended) - stretch.start);
        }
        look
    }

    /// Ends the first `count` iterations of a stretch, none of which is its last, and starts the
    /// one after them.
    pub(crate) fn advance(&mut self, stretch: &mut Stretch, count: u64) {
        if self.changes.is_some() && self.grown(count) > self.free() {
            for _ in 0..count {
                self.advance_by(stretch, 1);
            }
        } else {
            self.advance_by(stretch, count);
        }
    }

    fn advance_by(&mut self, stretch: &mut Stretch, count: u64) {
        let grown = self.grown(count);
        self.pass(count);
        self.kv += count * u64::from(self.decoders);
        self.generated += count * u64::from(self.decoders);
        self.iterations += count;
        let before = stretch.start;
        stretch.skip(count);
        self.busy = self.busy.saturating_add(stretch.start - before);
        self.claim(stretch.start, grown);
    }

    /// Counts decode iterations.
    pub(crate) fn pass(&mut self, count: u64) {
        self.n += count;
        let rest = self.residues.rounds(count).1 as u32;
        let below = self.class < rest;
        self.class = self.class + if below { self.settings.block } else { 0 } - rest;
    }

    /// Blocks claimed at the starts of the `count` iterations after the one in progress. Those that
    /// need one in an iteration are of one class, and the classes of successive ones go down from
    /// the present one.
    #[inline]
    fn grown(&self, count: u64) -> u32 {
        let (rounds, rest) = self.residues.rounds(count);
        (rounds * u64::from(self.decoders)) as u32 + self.residues.below(self.class as usize, rest)
    }

    /// Records the gaps between tokens of the first `count` iterations of a stretch, before they
    /// are counted as done.
    pub(crate) fn count_gaps(&mut self, stretch: &Stretch, count: u64, out: &mut Out) {
        if !stretch.decode || count == 0 {
            return;
        }
        let last = stretch.first.saturating_add(times(stretch.step, count - 1));
        if self.fresh.is_empty() && self.decoded_at == stretch.start {
            // All gaps are whole iterations, and the last is the longest.
            out.gaps.add_series(stretch.first, stretch.step, count, u64::from(self.decoders));
            self.longest.push(self.n + count, last);
            self.decoded_at = stretch.end_of(count);
            return;
        }
        let first_end = stretch.end_of(1);
        let old = u64::from(self.decoders) - self.fresh.len() as u64;
        for slot in self.fresh.drain(..) {
            let seq = &mut self.seqs[slot as usize];
            let gap = first_end - seq.emitted_at().unwrap_or(stretch.start);
            seq.emit(None);
            seq.longest = seq.longest.max(gap);
            out.gaps.add(gap, 1);
        }
        if old > 0 {
            let gap = first_end - self.decoded_at;
            out.gaps.add(gap, old);
            self.longest.push(self.n + 1, gap);
        }
        if count > 1 {
            let second = stretch.first.saturating_add(stretch.step);
            out.gaps.add_series(second, stretch.step, count - 1, u64::from(self.decoders));
            self.longest.push(self.n + count, last);
        }
        self.decoded_at = stretch.end_of(count);
    }
}
