//! Labs in their states as a lesson: what "Present" on a lab's page opens, and what anybody can write
//! into an address without writing a file.

use tokenyard_lab::{Msg, Words, msg};
use tokenyard_lesson::{Lesson, MAX_STEPS, Place, Predict, Predicted, Step, Text, code};

use crate::page::Page;
use crate::platform::dom;

/// The lesson of states as `lab=<id>&interval=5;lab=<id>`. Title, question, prediction and reasons
/// of each step are the lab's own.
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
        id: format!("s{}", i + 1),
        line: Default::default(),
        minutes: lab.minutes.into(),
        title: said(&["title"]),
        text: said(&["question"]),
        reveal: Some(said(&["predict.why"])),
        notes: Some(said(&["notes.goal", "notes.minutes", "notes.answer"])),
        predict: Some(Predict { ask: Predicted::Lab, text: None, line: Default::default() }),
        task: None,
        misconceptions: Vec::new(),
        state: Some(place),
    }
}

fn text(page: &Page, of: impl Fn(&Words) -> String) -> Text {
    // A brace in a text of ours is no placeholder.
    let by: Vec<String> = page.languages.iter().map(|(_, words)| of(words).replace('{', "{{")).collect();
    Text { lines: vec![Default::default(); by.len()], by }
}
