//! What must be true of a replica between events, and its state in one number.

use crate::engine::replica::Replica;

impl Replica {
    /// Feeds what the state is made of.
    pub(crate) fn digest(&self, into: &mut tokenyard_det::Digest) {
        for number in [self.n, self.kv, self.iterations, self.busy, self.admissions, self.prefill_left] {
            into.u64(number);
        }
        into.u32s(&[self.in_use, self.cache.idle(), self.decoders, self.waiting()]);
        into.u64(self.next().unwrap_or(u64::MAX));
    }

    /// Checks what must be true between events: blocks are conserved, nobody idles with work.
    ///
    /// # Errors
    /// What is not, in words.
    pub fn laws(&self) -> Result<(), String> {
        let (used, idle, all) = (self.in_use, self.cache.idle(), self.settings.capacity);
        if u64::from(used) + u64::from(idle) > u64::from(all) {
            return Err(format!("{used} blocks in use and {idle} idle of {all}"));
        }
        if self.running() > self.settings.max_seqs {
            return Err(format!("{} run, at most {} may", self.running(), self.settings.max_seqs));
        }
        if self.outstanding() > 0 && self.next().is_none() {
            return Err(format!("idle with {} sequences", self.outstanding()));
        }
        Ok(())
    }
}
