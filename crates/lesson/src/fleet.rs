//! The fleet page beside a step: `fleet = "#workload.rate_rps=32"`, as "Copy link" gives it.
//!
//! Reading a lesson takes no simulator, so what the settings mean is looked at by whoever has one: the
//! command line with [`faults`], and the fleet page itself, which says what it cannot use.

use tokenyard_lab::link::{MAX_CHARS, Notice};
use tokenyard_lab::{Msg, msg};

use crate::fault::Fault;
use crate::model::Lesson;
use crate::place;

/// What a step of an address shows the fleet page with: `fleet`, or `fleet&` and a state.
pub const NAME: &str = "fleet";

/// Reads a state; whatever stands before the `#` is passed over, so that an address can be pasted whole.
///
/// # Errors
/// It has no `#`, is too long for a link, or holds what no link holds.
pub fn read(text: &str) -> Result<String, Msg> {
    let plain = |b: u8| b.is_ascii_graphic() && !matches!(b, b'"' | b'\\' | b'<' | b'>' | b'`' | b'#');
    match text.split_once('#') {
        Some((_, fragment)) if fragment.len() <= MAX_CHARS && fragment.bytes().all(plain) => {
            Ok(fragment.to_owned())
        }
        _ => Err(msg("fault.fleet").with("most", MAX_CHARS)),
    }
}

/// What the settings of a lesson's fleets have that `notices` cannot use. `version` is the fleet's model.
pub fn faults(lesson: &Lesson, notices: impl Fn(&str) -> Vec<Notice>, version: u32) -> Vec<Fault> {
    let mut faults = Vec::new();
    for step in &lesson.steps {
        let Some(fleet) = &step.fleet else { continue };
        let why = |notice: &Notice| match notice {
            Notice::Unknown(key) => msg("fault.fleet-unknown").with("key", key.clone()),
            other => place::why(other, "", version),
        };
        faults.extend(notices(&fleet.fragment).iter().map(|notice| Fault {
            line: fleet.line,
            field: format!("{}.fleet", step.id),
            given: crate::shorten(&fleet.fragment),
            why: why(notice),
        }));
    }
    faults
}
