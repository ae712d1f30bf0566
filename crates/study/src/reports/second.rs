//! Reports 21 to 40.

use super::{Incident, Left};

pub(super) const INCIDENTS: &[Incident] = &[];

pub(super) const LEFT: &[Left] = &[];
