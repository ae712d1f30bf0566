//! What is kept of a lesson when its reader goes away: a text of lines in the browser's own storage, by
//! lesson. Nothing of it leaves the browser, and where storage is refused nothing is kept.

use super::address::View;
use super::course::{Guess, Kept};
use crate::platform::store;

/// What was kept of a lesson; a fresh beginning without.
#[must_use]
pub fn load(view: View, lesson: &str) -> Kept {
    if cfg!(feature = "ssr") {
        return Kept::default();
    }
    store::get(&key(view, lesson)).map(|text| read(&text)).unwrap_or_default()
}

/// Keeps it; a lesson that was only looked at leaves nothing.
pub fn save(view: View, lesson: &str, kept: &Kept) {
    if cfg!(feature = "ssr") {
        return;
    }
    let text = write(kept);
    store::set(&key(view, lesson), (!text.is_empty()).then_some(text.as_str()));
}

/// The text of a lesson's file that was opened here before.
#[must_use]
pub fn file(lesson: &str) -> Option<String> {
    if cfg!(feature = "ssr") { None } else { store::get(&format!("own.{lesson}")) }
}

/// Keeps the text of a lesson's file, so that a page that is loaded anew has it still.
pub fn keep_file(lesson: &str, text: &str) {
    store::set(&format!("own.{lesson}"), Some(text));
}

/// Who presents a lesson may learn it in another tab.
fn key(view: View, lesson: &str) -> String {
    let view = match view {
        View::Learn => "lesson",
        View::Present => "present",
    };
    format!("{view}.{lesson}")
}

/// One line for each thing: its name, the step it belongs to, its value.
fn write(kept: &Kept) -> String {
    let mut lines = Vec::new();
    let mut line = |name: &str, of: &str, value: String| lines.push(format!("{name}\t{of}\t{value}"));
    if kept.step > 0 {
        line("step", "", kept.step.to_string());
    }
    if kept.shown > 0 {
        line("shown", "", kept.shown.to_string());
    }
    if let Some(began) = kept.began {
        line("began", "", began.to_string());
    }
    for (step, guess) in &kept.guesses {
        line("guess", step, format!("{} {}", guess.index, guess.chance));
    }
    for (step, codes) in kept.codes.iter().filter(|(_, codes)| !codes.is_empty()) {
        line("codes", step, codes.join(" "));
    }
    for (step, state) in &kept.states {
        line("state", step, state.clone());
    }
    for (step, (changes, passes)) in &kept.finished {
        let passes = passes.map_or("-".to_owned(), |passes| passes.to_string());
        line("finished", step, format!("{changes} {passes}"));
    }
    lines.join("\n")
}

/// Reads what [`write`] wrote. A line that says nothing, of another version perhaps, is passed over.
fn read(text: &str) -> Kept {
    let mut kept = Kept::default();
    for line in text.lines() {
        let mut parts = line.splitn(3, '\t');
        if let (Some(name), Some(of), Some(value)) = (parts.next(), parts.next(), parts.next()) {
            let _ = take(&mut kept, name, of, value);
        }
    }
    kept
}

fn take(kept: &mut Kept, name: &str, of: &str, value: &str) -> Option<()> {
    let pair = || value.split_once(' ');
    let step = || of.to_owned();
    match name {
        "step" => kept.step = value.parse().ok()?,
        "shown" => kept.shown = value.parse().ok()?,
        "began" => kept.began = Some(value.parse().ok()?),
        "guess" => {
            let (index, chance) = pair()?;
            kept.guesses.insert(step(), Guess { index: index.parse().ok()?, chance: chance.parse().ok()? });
        }
        "codes" => {
            kept.codes.insert(step(), value.split(' ').map(str::to_owned).collect());
        }
        "state" => {
            kept.states.insert(step(), value.to_owned());
        }
        "finished" => {
            let (changes, passes) = pair()?;
            let passes = if passes == "-" { None } else { Some(passes.parse().ok()?) };
            kept.finished.insert(step(), (changes.parse().ok()?, passes));
        }
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back() {
        let step = || "guess".to_owned();
        let kept = Kept {
            step: 3,
            shown: 2,
            began: Some(1_700_000_000_000),
            guesses: [(step(), Guess { index: 7, chance: u32::MAX })].into(),
            codes: [(step(), vec!["4K7P-9TQX-2MZD".to_owned(), "0000-0000-0000".to_owned()])].into(),
            states: [(step(), "interval=5&h=1".to_owned()), ("other".to_owned(), String::new())].into(),
            finished: [(step(), (2, Some(197))), ("pinned".to_owned(), (1, None))].into(),
        };
        assert_eq!(read(&write(&kept)), kept);
        assert_eq!(write(&Kept::default()), "");
    }

    #[test]
    fn what_says_nothing_is_passed_over() {
        for text in ["", "step", "step\t\tx", "guess\ta\t1", "finished\ta\t1 x", "new\ta\tb", "\t\t\n\n"] {
            assert_eq!(read(text), Kept::default(), "{text:?}");
        }
    }
}
