//! How far long work is, on stderr.

use std::io::{IsTerminal as _, Write as _};

use tokenyard_fleet::run::Progress as Reached;
use tokenyard_fleet::time::in_s;

use crate::args::Args;
use crate::refusal::Refusal;

/// Events between two looks: some tenths of a second of work.
pub(super) const EVERY: u64 = 1 << 19;

/// Where progress goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Nowhere.
    Silent,
    /// Over itself in one line of a terminal.
    OneLine,
    /// Line by line.
    Lines,
}

impl Progress {
    /// Takes `--progress`: lines; without it one line where stderr is a terminal, else nothing.
    pub(super) fn take(args: &mut Args) -> Result<Self, Refusal> {
        Ok(match (args.switch("progress")?, std::io::stderr().is_terminal()) {
            (true, _) => Self::Lines,
            (false, true) => Self::OneLine,
            (false, false) => Self::Silent,
        })
    }

    /// Says how far a run is. A stderr that is closed is no reason to stop.
    pub(super) fn tell(self, whose: &str, reached: Reached) {
        let Reached { ended, events, now } = reached;
        let text =
            format!("progress: {whose}: {ended} requests, {events} events, {:.1} s simulated", in_s(now));
        let mut stderr = std::io::stderr().lock();
        let _ = match self {
            Self::Silent => Ok(()),
            Self::OneLine => write!(stderr, "\r\x1b[K{text}").and_then(|()| stderr.flush()),
            Self::Lines => writeln!(stderr, "{text}"),
        };
    }

    /// Gives the terminal's line back.
    pub(super) fn clear(self) {
        if self == Self::OneLine {
            let mut stderr = std::io::stderr().lock();
            let _ = write!(stderr, "\r\x1b[K").and_then(|()| stderr.flush());
        }
    }
}
