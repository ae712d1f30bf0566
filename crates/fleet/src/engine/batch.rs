//! What happens at a boundary: one iteration is settled, the next is put together.

use crate::engine::cost::Batch;
use crate::engine::replica::{Out, Replica, Slot};
use crate::engine::seq::{Seq, Stage};
use crate::engine::stretch::{Stretch, times};
use crate::engine::types::{EngineEvent, Happened, Mode};
use crate::time::Ps;

impl Replica {
    /// Handles the boundary at [`Replica::next`]; does nothing while idle.
    pub fn run(&mut self, out: &mut Out) {
        let Some(at) = self.next() else { return };
        self.wake = None;
        if let Some(mut stretch) = self.progress.take() {
            self.count_gaps(&stretch, stretch.len, out);
            if stretch.len > 1 {
                let all_but_the_last = stretch.len - 1;
                self.advance(&mut stretch, all_but_the_last);
            }
            self.settle(at, &stretch, out);
        }
        self.leave_aborted(at, out);
        match self.settings.mode {
            Mode::Chunked => self.mixed(at, out),
            Mode::Continuous | Mode::Static => self.whole(at, out),
        }
    }

    /// Ends the last iteration of a stretch: publishes blocks, emits tokens, lets sequences go.
    fn settle(&mut self, at: Ps, stretch: &Stretch, out: &mut Out) {
        if stretch.decode {
            self.pass(1);
            self.kv += u64::from(self.decoders);
            self.generated += u64::from(self.decoders);
        }
        self.iterations += 1;
        self.busy = self.busy.saturating_add(stretch.first);
        if self.prefills.is_empty() {
            self.end_decoders(at, stretch, None, out);
            return;
        }
        self.prefilling = self.prefilling.saturating_add(stretch.first);
        let mut done = std::mem::take(&mut out.prefilled);
        let mut still = std::mem::take(&mut self.prefills);
        still.retain(|&slot| {
            let more = self.add_chunk(at, slot);
            if !more {
                done.push(slot);
            }
            more
        });
        self.prefills = still;
        // Sequences in prefill and decoders that emit now, in order of admission.
        for slot in done.drain(..) {
            self.end_decoders(at, stretch, Some(self.seqs[slot as usize].admitted), out);
            self.emit_first(at, slot, out);
        }
        self.end_decoders(at, stretch, None, out);
        out.prefilled = done;
    }

    /// Lets the decoders go that have emitted their last token, in order of admission; only those
    /// admitted before `until`, if that is given.
    #[inline]
    fn end_decoders(&mut self, at: Ps, stretch: &Stretch, until: Option<u32>, out: &mut Out) {
        if stretch.decode && self.finishes.first() <= self.n {
            self.end_those_done(at, until, out);
        }
    }

    fn end_those_done(&mut self, at: Ps, until: Option<u32>, out: &mut Out) {
        while let Some((end, admitted, slot)) = self.next_to_finish() {
            if end != self.n || until.is_some_and(|until| admitted >= until) {
                return;
            }
            self.finishes.pop();
            self.end_decoder(at, slot, out);
        }
    }

    /// The decoder that ends first; entries of those that left early are dropped.
    pub(crate) fn next_to_finish(&mut self) -> Option<(u64, u32, Slot)> {
        while self.left_early > 0 {
            let (end, admitted, slot) = self.finishes.peek()?;
            let seq = &self.seqs[slot as usize];
            if seq.stage == Stage::Decode && seq.admitted == admitted {
                return Some((end, admitted, slot));
            }
            self.finishes.pop();
            self.left_early -= 1;
        }
        self.finishes.peek()
    }

    /// Adds the chunk of a sequence in prefill to its KV cache. Says whether more is to come.
    fn add_chunk(&mut self, at: Ps, slot: Slot) -> bool {
        let seq = &mut self.seqs[slot as usize];
        seq.done += seq.chunk;
        self.prefill_left -= u64::from(seq.chunk);
        seq.chunk = 0;
        let (done, more) = (seq.done, seq.done < seq.target);
        if self.settings.prefix_cache {
            self.publish(at, slot, self.publishable(slot, done));
        }
        more
    }

    /// A prefill is complete: one token is out, and the sequence decodes from now on.
    fn emit_first(&mut self, at: Ps, slot: Slot, out: &mut Out) {
        let seq = &mut self.seqs[slot as usize];
        let id = seq.id;
        if seq.emitted == 0 {
            out.events.push(EngineEvent { at, id, what: Happened::FirstToken });
        } else if let Some(before) = seq.emitted_at() {
            out.gaps.add(at - before, 1);
            seq.longest = seq.longest.max(at - before);
        }
        seq.emitted += 1;
        self.generated += 1;
        seq.emit(Some(at));
        if seq.emitted == seq.output {
            let (kv, longest_gap) = (seq.target, seq.longest);
            self.release(at, slot, kv, kv.div_ceil(self.settings.block));
            self.forget(slot);
            out.events.push(EngineEvent { at, id, what: Happened::Finished { longest_gap } });
            return;
        }
        seq.stage = Stage::Decode;
        seq.joined = self.n;
        self.finishes.push(seq.last(), seq.admitted, slot);
        let kv = seq.target;
        self.kv += u64::from(kv);
        self.decoders += 1;
        self.fresh.push(slot);
        let residue = self.residue(kv);
        self.residues.add(residue);
    }

    fn end_decoder(&mut self, at: Ps, slot: Slot, out: &mut Out) {
        let longest_gap = self.longest_gap(slot);
        self.drop_decoder(at, slot);
        let id = self.seqs[slot as usize].id;
        self.forget(slot);
        out.events.push(EngineEvent { at, id, what: Happened::Finished { longest_gap } });
    }

    /// Longest gap of a decoder up to now.
    fn longest_gap(&self, slot: Slot) -> Ps {
        let seq = &self.seqs[slot as usize];
        seq.longest.max(self.longest.since(seq.joined + 2))
    }

    /// Takes a decoder out of the batch, with its blocks. Its growth for the coming iteration
    /// has not been claimed.
    fn drop_decoder(&mut self, at: Ps, slot: Slot) {
        let kv = self.seqs[slot as usize].kv(self.n);
        let residue = self.residue(kv);
        self.residues.remove(residue);
        self.decoders -= 1;
        self.kv -= u64::from(kv);
        self.fresh.retain(|other| *other != slot);
        self.release(at, slot, kv, kv.div_ceil(self.settings.block));
        if self.decoders == 0 {
            self.longest.clear();
        }
    }

    fn leave_aborted(&mut self, at: Ps, out: &mut Out) {
        for slot in std::mem::take(&mut self.aborts) {
            let seq = &self.seqs[slot as usize];
            if !seq.abort {
                continue;
            }
            let id = seq.id;
            match seq.stage {
                Stage::Decode => {
                    self.left_early += 1;
                    self.drop_decoder(at, slot);
                }
                Stage::Prefill => self.drop_prefill(at, slot),
                // It finished in the iteration that has just ended.
                Stage::Gone | Stage::Waiting => continue,
            }
            self.forget(slot);
            out.events.push(EngineEvent { at, id, what: Happened::Aborted });
        }
    }

    fn drop_prefill(&mut self, at: Ps, slot: Slot) {
        let Seq { done, target, .. } = self.seqs[slot as usize];
        self.prefills.retain(|other| *other != slot);
        self.prefill_left -= u64::from(target - done);
        self.release(at, slot, done, target.div_ceil(self.settings.block));
    }

    /// Class of a decoder that now has `kv` tokens, by the iterations in which it needs a block.
    fn residue(&self, kv: u32) -> usize {
        let block = self.settings.block;
        let residue = kv % block + self.class;
        (if residue < block { residue } else { residue - block }) as usize
    }

    /// Claims the blocks that decoders need for their next token, preempting where there is no
    /// room. Says whether it had to.
    fn grow(&mut self, at: Ps, out: &mut Out) -> bool {
        let needed = self.residues.of(self.class as usize);
        if needed <= self.room() {
            self.claim(at, needed);
            return false;
        }
        let block = self.settings.block;
        let mut needy = self.slots(|s| s.stage == Stage::Decode && s.kv(self.n).is_multiple_of(block));
        needy.sort_unstable_by_key(|slot| self.seqs[*slot as usize].admitted);
        for slot in needy {
            while self.seqs[slot as usize].stage == Stage::Decode && self.room() == 0 {
                self.preempt_latest(at, out);
            }
            if self.seqs[slot as usize].stage == Stage::Decode {
                self.claim(at, 1);
            }
        }
        true
    }

    /// Sends the most recently admitted running sequence back to the front of the line. Sequences
    /// grow in order of admission, so it cannot have grown for the coming iteration yet.
    fn preempt_latest(&mut self, at: Ps, out: &mut Out) {
        let running = self.slots(|s| matches!(s.stage, Stage::Prefill | Stage::Decode));
        let Some(slot) = running.into_iter().max_by_key(|slot| self.seqs[*slot as usize].admitted) else {
            return;
        };
        let seq = &self.seqs[slot as usize];
        let id = seq.id;
        if seq.stage == Stage::Decode {
            let longest = self.longest_gap(slot);
            let latest = seq.emitted_at().unwrap_or(self.decoded_at);
            self.left_early += 1;
            self.drop_decoder(at, slot);
            let n = self.n;
            let seq = &mut self.seqs[slot as usize];
            seq.emitted = seq.output - (seq.last() - n) as u32;
            seq.longest = longest;
            seq.emit(Some(latest));
        } else {
            self.drop_prefill(at, slot);
        }
        let seq = &mut self.seqs[slot as usize];
        seq.stage = Stage::Waiting;
        self.waiting_tokens += u64::from(seq.prompt + seq.emitted);
        self.returned.push_front(slot);
        out.events.push(EngineEvent { at, id, what: Happened::Preempted });
    }

    /// The next iteration of mode `chunked`.
    fn mixed(&mut self, at: Ps, out: &mut Out) {
        let preempted = self.grow(at, out);
        let mut batch = Batch::default();
        let mut left = self.settings.budget - self.decoders;
        for i in 0..self.prefills.len() {
            let slot = self.prefills[i];
            self.chunk(slot, &mut left, &mut batch);
        }
        while !preempted && left > 0 && self.waiting() > 0 && self.running() < self.settings.max_seqs {
            let Some(slot) = self.admit(at, None, out) else { break };
            self.chunk(slot, &mut left, &mut batch);
        }
        self.start(at, batch, true, preempted);
    }

    /// The next iteration of the modes that prefill whole prompts.
    fn whole(&mut self, at: Ps, out: &mut Out) {
        let is_static = self.settings.mode == Mode::Static;
        if self.running() == 0 {
            self.filling = true;
        }
        let mut batch = Batch::default();
        let mut left = self.settings.budget;
        while (self.filling || !is_static) && self.running() < self.settings.max_seqs {
            let most = if batch.prefill == 0 { None } else { Some(left) };
            let Some(slot) = self.admit(at, most, out) else { break };
            let seq = &mut self.seqs[slot as usize];
            let mut whole = seq.target - seq.done;
            left = left.saturating_sub(whole);
            self.chunk(slot, &mut whole, &mut batch);
        }
        if batch.prefill > 0 {
            self.start(at, batch, false, false);
        } else {
            self.filling = false;
            let preempted = self.grow(at, out);
            self.start(at, batch, true, preempted);
        }
    }

    /// Gives a sequence in prefill its share of the tokens that are left.
    fn chunk(&mut self, slot: Slot, left: &mut u32, batch: &mut Batch) {
        let cap = self.settings.long_prefill.filter(|_| !self.whole_prompts()).unwrap_or(u32::MAX);
        let seq = &mut self.seqs[slot as usize];
        seq.chunk = (seq.target - seq.done).min(cap).min(*left);
        *left -= seq.chunk;
        batch.prefill += u64::from(seq.chunk);
        batch.pairs += u64::from(seq.chunk) * (2 * u64::from(seq.done) + u64::from(seq.chunk));
    }

    /// Admits the head of the line if it fits, and if it has no more than `most` tokens to
    /// compute.
    fn admit(&mut self, at: Ps, most: Option<u32>, out: &mut Out) -> Option<Slot> {
        let order = self.settings.order;
        let (target, named) = match self.returned.front() {
            Some(&slot) => self.asks(slot),
            None => self.line.head(order).map(|(waiting, named)| (waiting.prompt, named))?,
        };
        let block = self.settings.block;
        let found = self.found(target, named);
        let computed = target - found.blocks * block;
        let claim = target.div_ceil(block) - found.blocks;
        if most.is_some_and(|most| computed > most) || claim + found.idle > self.room() {
            return None;
        }
        let slot = match self.returned.pop_front() {
            Some(slot) => slot,
            None => {
                let head = self.line.take(order)?;
                self.seat(head)
            }
        };
        if found.blocks > 0 {
            let named = &mut self.named[slot as usize];
            named.deepest = self.cache.acquire(named.ids(0, found.blocks), found.blocks);
            named.path = found.blocks;
        }
        self.in_use += found.idle;
        self.claim(at, claim);
        let admitted = self.next_number();
        let seq = &mut self.seqs[slot as usize];
        seq.stage = Stage::Prefill;
        (seq.admitted, seq.target, seq.done) = (admitted, target, target - computed);
        self.prefill_left += u64::from(computed);
        self.waiting_tokens -= u64::from(target);
        self.prefills.push(slot);
        let what = Happened::Admitted { cached: target - computed, computed };
        out.events.push(EngineEvent { at, id: seq.id, what });
        Some(slot)
    }

    /// Number of a new admission. Those that run are numbered anew when 32 bits are used up.
    fn next_number(&mut self) -> u32 {
        self.admissions += 1;
        if let Ok(number) = u32::try_from(self.admissions - self.numbered_from) {
            return number;
        }
        let mut running = self.slots(|s| matches!(s.stage, Stage::Prefill | Stage::Decode));
        running.sort_unstable_by_key(|slot| self.seqs[*slot as usize].admitted);
        self.numbered_from = self.admissions - running.len() as u64 - 1;
        self.finishes.clear();
        self.left_early = 0;
        for (number, &slot) in running.iter().enumerate() {
            let seq = &mut self.seqs[slot as usize];
            seq.admitted = number as u32 + 1;
            if seq.stage == Stage::Decode {
                self.finishes.push(seq.last(), seq.admitted, slot);
            }
        }
        running.len() as u32 + 1
    }

    /// Starts the next iteration, and as many like it as can follow without a look.
    fn start(&mut self, at: Ps, batch: Batch, decode: bool, look_again: bool) {
        if self.running() == 0 {
            return;
        }
        let decode = decode && self.decoders > 0;
        let (decoders, kv) =
            if decode { (u64::from(self.decoders), self.kv + u64::from(self.decoders)) } else { (0, 0) };
        let first = self.cost.iteration(Batch { decode: decoders, kv, ..batch });
        let step = times(self.cost.d, decoders);
        let single = look_again || !decode || !self.prefills.is_empty();
        let len = if single { 1 } else { self.longest_stretch() };
        self.progress = Some(Stretch::new(at, first, step, len, decode));
    }
}
