//! Labs in their states as a lesson: what "Present" on a lab's page opens, and what anybody can write
//! into an address without writing a file.

use tokenyard_lab::{Msg, Words, msg};
use tokenyard_lesson::{Fleet, Lesson, MAX_STEPS, Place, Predict, Predicted, Step, Text, code, fleet};

use crate::page::Page;
use crate::platform::dom;

/// The lesson of states as `lab=<id>&interval=5;lab=<id>;fleet&workload.rate_rps=8`. Title, question,
/// prediction and reasons of each step are the lab's own; the fleet page asks nothing.
///
/// # Errors
/// Everything in the states that cannot be used as it stands.
pub fn lesson(states: &str, page: &Page) -> Result<Lesson, Vec<Msg>> {
    let parts: Vec<&str> = states.split(';').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() || parts.len() > MAX_STEPS {
        return Err(vec![msg("teach.states").with("n", parts.len()).with("most", MAX_STEPS)]);
    }
    let (mut steps, mut faults) = (Vec::new(), Vec::new());
    for (i, part) in parts.iter().enumerate() {
        if let Some(fragment) = fleet_state(part) {
            match fleet::read(&format!("#{fragment}")) {
                Ok(fragment) => steps.push(fleet_step(i, fragment, page)),
                Err(why) => faults.push(msg("teach.state").with("n", i + 1).with("why", why)),
            }
            continue;
        }
        match Place::read(&format!("#{part}")) {
            Ok(place) => steps.push(step(i, place, page)),
            Err(why) => {
                faults.extend(
                    why.iter().map(|why| msg("teach.state").with("n", i + 1).with("why", why.clone())),
                );
            }
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let languages = page.languages.iter().map(|(code, _)| code.clone()).collect();
    let title = match &steps[..] {
        [one] => one.title.clone(),
        _ => text(page, |words| words.at(&["teach.sequence"])),
    };
    Ok(Lesson {
        // Whoever has the same states has the same questions, and nobody else has.
        id: format!("labs-{:04x}", code::subject(states)),
        minutes: steps.iter().map(|step| step.minutes).sum(),
        line: Default::default(),
        languages,
        about: title.clone(),
        goal: title.clone(),
        title,
        steps,
    })
}

fn step(i: usize, place: Place, page: &Page) -> Step {
    let lab = place.lab;
    // Read once: the words of all labs are one long text.
    let page = dom::lab_page(page, lab).unwrap_or_else(|| page.clone());
    let said = |keys: &[&str]| {
        text(&page, |words| keys.iter().map(|key| words.at(&[key])).collect::<Vec<_>>().join("\n\n"))
    };
    Step {
        reveal: Some(said(&["predict.why"])),
        notes: Some(said(&["notes.goal", "notes.minutes", "notes.answer"])),
        predict: Some(Predict { ask: Predicted::Lab, text: None, line: Default::default() }),
        state: Some(place),
        ..plain(i, lab.minutes.into(), said(&["title"]), said(&["question"]))
    }
}

/// A step with words alone.
fn plain(i: usize, minutes: u32, title: Text, text: Text) -> Step {
    Step {
        id: format!("s{}", i + 1),
        line: Default::default(),
        minutes,
        title,
        text,
        reveal: None,
        notes: None,
        predict: None,
        task: None,
        misconceptions: Vec::new(),
        state: None,
        fleet: None,
    }
}

/// The fleet page's state in a part of an address, if it is of that page: `fleet` or `fleet&…`.
fn fleet_state(part: &str) -> Option<&str> {
    let rest = part.strip_prefix(fleet::NAME)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('&') }
}

/// Minutes that are planned for a state of the fleet page.
const FLEET_MINUTES: u32 = 10;

fn fleet_step(i: usize, fragment: String, page: &Page) -> Step {
    let said = |key: &str| text(page, |words| words.at(&[key]));
    Step {
        fleet: Some(Fleet { fragment, line: Default::default() }),
        ..plain(i, FLEET_MINUTES, said("teach.fleet"), said("teach.fleet-text"))
    }
}

fn text(page: &Page, of: impl Fn(&Words) -> String) -> Text {
    // A brace in a text of ours is no placeholder.
    let by: Vec<String> = page.languages.iter().map(|(_, words)| of(words).replace('{', "{{")).collect();
    Text { lines: vec![Default::default(); by.len()], by }
}
