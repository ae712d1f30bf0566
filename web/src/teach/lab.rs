//! The lab of a step, with the lab's own words, in the state in which its reader left it.

use leptos::context::Provider;
use leptos::prelude::*;
use tokenyard_lab::{LabSpec, link};
use tokenyard_lesson::Place;

use super::course::Course;
use crate::frame::Shape;
use crate::pages::bar::Notices;
use crate::pages::lab::{Figures, Stage, outcome, pause_out_of_sight, player_start};
use crate::shell::Shell;
use crate::state::Lab;
use crate::widgets::knob::Knobs;
use crate::widgets::live::follow;
use crate::widgets::luck::{self, Luck};
use crate::widgets::player::Announcer;
use crate::widgets::predict::Predict;
use crate::widgets::table::Summary;
use crate::widgets::why::Why;

/// The shell in which a lab speaks its own words.
#[must_use]
pub fn shell_of(course: Course, lab: &'static LabSpec) -> Shell {
    let (page, lang) = (RwSignal::new(course.page_of(lab)), course.shell.lang);
    let words = Memo::new(move |_| page.with(|page| lang.with(|lang| page.words(lang))));
    Shell { page, words, shape: StoredValue::new((Shape::whole(), Vec::new())), ..course.shell }
}

/// Opens the lab of a step in the state in which it was left, or in the step's own.
#[must_use]
pub fn open(course: Course, id: &str, place: &Place) -> Lab {
    let own = link::write(place.lab, &place.state);
    let left = course.kept.with_untracked(|kept| kept.states.get(id).cloned());
    let lab = Lab::open(place.lab, left.as_deref().unwrap_or(&own));
    let id = id.to_owned();
    follow(move |first| {
        lab.track();
        if first || lab.playing.get() {
            return;
        }
        let (now, id) = (lab.link(false), id.clone());
        let is_own = now == own;
        course.kept.update(|kept| match is_own {
            true => drop(kept.states.remove(&id)),
            false => drop(kept.states.insert(id, now)),
        });
    });
    lab
}

/// Back to the state of the step.
pub fn reset(lab: Lab, place: &Place) {
    let revealed = lab.revealed.get_untracked();
    lab.load(&link::write(place.lab, &place.state));
    lab.revealed.set(revealed);
}

/// The lab's own question, in its own words.
#[component]
pub fn StepQuestion(
    /// The lesson.
    course: Course,
    /// The lab in its state.
    lab: Lab,
) -> impl IntoView {
    let shell = shell_of(course, lab.spec);
    view! { <Provider value=shell><Predict lab start=player_start(lab) /></Provider> }.into_any()
}

/// The lab of a step. What answers the step's question is covered until somebody answers or reveals it.
#[component]
pub fn StepLab(
    /// The lesson.
    course: Course,
    /// The lab in its state.
    lab: Lab,
) -> impl IntoView {
    let shell = shell_of(course, lab.spec);
    pause_out_of_sight(lab.play);
    view! {
        <Provider value=shell>
            <section class="lab teach-lab" aria-label=shell.t("title")>
                <Notices lab />
                <div class="embed-grid has-rail">
                    <div class="embed-stage"><Stage lab /></div>
                    <div class="embed-rail">
                        <Knobs lab />
                        {lab.spec.has_seed().then(|| view! { <Luck panel=luck::of_lab(lab) /> })}
                        <Why play=lab.play />
                    </div>
                    <div class="embed-more"><Summary lab /><Figures lab /></div>
                </div>
                <Announcer play=lab.play headline=outcome(lab) />
            </section>
        </Provider>
    }
    .into_any()
}
