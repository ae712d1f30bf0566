//! What must be true of a run at any moment.

use super::{State, World};

/// A law that does not hold, with what was counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken(pub String);

impl World {
    /// The laws that cost little: looked at after every event in debug builds.
    pub(super) fn quick_laws(&self) -> Result<(), Broken> {
        let arrived = u64::from(self.outcomes.len()) + self.live.len() as u64;
        if arrived != self.arrived {
            return Err(Broken(format!(
                "{} ended and {} in the system, but {} arrived",
                self.outcomes.len(),
                self.live.len(),
                self.arrived
            )));
        }
        Ok(())
    }

    /// Every law: conservation of requests, attempts and blocks, and that no replica that is up
    /// idles with work in its line.
    ///
    /// # Errors
    /// The first law that is broken.
    pub fn laws(&self) -> Result<(), Broken> {
        self.quick_laws()?;
        let inside: u32 = self.replicas.iter().map(|r| r.outstanding()).sum();
        let counted: u32 = self.outstanding.iter().sum();
        let attempts = self.attempts.len() as u32;
        if inside != attempts || counted != attempts {
            return Err(Broken(format!("{attempts} attempts, {counted} counted, {inside} in engines")));
        }
        for (r, replica) in self.replicas.iter().enumerate() {
            replica.laws().map_err(|law| Broken(format!("replica {r}: {law}")))?;
            if self.states[r] == State::Down && replica.outstanding() > 0 {
                return Err(Broken(format!("replica {r} is down and has work")));
            }
        }
        let waiting = self.live.iter().filter(|(_, live)| live.in_line).count();
        if waiting != self.line_length as usize {
            return Err(Broken(format!("{waiting} wait, {} counted", self.line_length)));
        }
        Ok(())
    }
}
