//! A lesson under way: where it is, what is shown, and what was said so far.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::prelude::*;
use tokenyard_lab::{LabSpec, Words};
use tokenyard_lesson::{Facts, Lesson, Question, Step, Text, code, prose};

use super::address::{Address, Origin, View};
use super::keep;
use super::numbers::Numbers;
use crate::page::{Kind, Page};
use crate::platform::{dom, nav};
use crate::shell::Shell;
use crate::widgets::live::follow;

/// A learner's own guess: its number among the guesses of the question, and the random bits of its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guess {
    /// Number of the guess, from 0.
    pub index: u32,
    /// Drawn once, so that the code stays the same.
    pub chance: u32,
}

/// What is kept of a lesson when its reader goes away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// The step, from 0.
    pub step: usize,
    /// How many beats of it are shown.
    pub shown: usize,
    /// When the class began, milliseconds of the clock on the wall.
    pub began: Option<u64>,
    /// Guesses by step.
    pub guesses: BTreeMap<String, Guess>,
    /// Codes of the class by step.
    pub codes: BTreeMap<String, Vec<String>>,
    /// States in which labs were left, by step.
    pub states: BTreeMap<String, String>,
    /// Steps whose task was finished: settings changed, and seeds that passed.
    pub finished: BTreeMap<String, (u8, Option<u32>)>,
}

/// A lesson under way. Handles only, so it is `Copy`.
#[derive(Clone, Copy)]
pub struct Course {
    /// The page's state.
    pub shell: Shell,
    lesson: StoredValue<Arc<Lesson>>,
    origin: StoredValue<Origin>,
    /// Who looks at it.
    pub view: View,
    /// What is kept.
    pub kept: RwSignal<Kept>,
    /// The step, from 0; a part of what is kept.
    pub step: Memo<usize>,
    /// Beats of it that are shown.
    pub shown: Memo<usize>,
    /// The 200 seeds that texts and tasks are about.
    pub numbers: Numbers,
    pages: StoredValue<BTreeMap<&'static str, Page>>,
}

/// How learners get to a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// By this address.
    Address(String),
    /// The address leads to this machine and to no other.
    Here,
    /// No address leads to it: the lesson is from a file, or the page is on a disk.
    File,
}

impl Way {
    /// By an address without its fragment, and that fragment.
    fn from(file: String, fragment: &str) -> Self {
        let Some(("http" | "https", rest)) = file.split_once("://") else { return Self::File };
        let host = rest.split('/').next().unwrap_or_default();
        let name = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()));
        let name = name.map_or(host, |(name, _)| name);
        let of_loop = |name: &str| name.parse::<std::net::Ipv4Addr>().is_ok_and(|ip| ip.is_loopback());
        let here = name == "localhost" || name.ends_with(".localhost") || name == "[::1]" || of_loop(name);
        if here { Self::Here } else { Self::Address(format!("{file}#{fragment}")) }
    }
}

impl Course {
    /// Opens a lesson where the address says, or where its reader left it.
    #[must_use]
    pub fn open(shell: Shell, lesson: Lesson, address: &Address) -> Self {
        let id = lesson.id.clone();
        let mut kept = keep::load(address.view, &id);
        let last = lesson.steps.len().saturating_sub(1);
        if let Some(step) = address.step.filter(|step| step.min(&last) != &kept.step) {
            (kept.step, kept.shown) = (step.min(last), 0);
        }
        kept.step = kept.step.min(last);
        let kept = RwSignal::new(kept);
        let course = Self {
            shell,
            lesson: StoredValue::new(Arc::new(lesson)),
            origin: StoredValue::new(address.origin.clone().unwrap_or(Origin::Shipped(id))),
            view: address.view,
            kept,
            step: Memo::new(move |_| kept.with(|kept| kept.step)),
            shown: Memo::new(move |_| kept.with(|kept| kept.shown)),
            numbers: Numbers::none(),
            pages: StoredValue::new(BTreeMap::new()),
        };
        follow(move |_| kept.with(|kept| keep::save(course.view, &course.lesson().id, kept)));
        follow(move |_| nav::replace_fragment(&course.address().write()));
        course
    }

    /// The lesson.
    #[must_use]
    pub fn lesson(self) -> Arc<Lesson> {
        self.lesson.get_value()
    }

    /// The address of where it is. Followed.
    #[must_use]
    pub fn address(self) -> Address {
        let origin = Some(self.origin.get_value());
        Address { origin, step: Some(self.step.get()), view: self.view }
    }

    /// How learners get to a step on their own machines.
    #[must_use]
    pub fn for_learners(self, step: usize) -> Way {
        let origin = self.origin.get_value();
        if matches!(origin, Origin::Own(_)) {
            return Way::File;
        }
        let address = Address { origin: Some(origin), step: Some(step), view: View::Learn };
        let page = self.shell.page.get_untracked();
        let href = page.link(&Kind::Teach, &address.write());
        let (file, fragment) = href.split_once('#').unwrap_or((&href, ""));
        let file = if file.is_empty() { nav::address() } else { nav::absolute(file) };
        Way::from(file, fragment)
    }

    /// Something of the present step. Followed.
    pub fn here<T>(self, of: impl FnOnce(&Step) -> T) -> Option<T> {
        let step = self.step.get();
        self.lesson.with_value(|lesson| lesson.steps.get(step).map(of))
    }

    /// Goes to a step, with so many beats shown.
    pub fn go(self, step: usize, shown: usize) {
        let last = self.lesson.with_value(|lesson| lesson.steps.len().saturating_sub(1));
        self.kept.update(|kept| (kept.step, kept.shown) = (step.min(last), shown));
    }

    /// The lesson's language that is nearest to the reader's. Followed.
    #[must_use]
    pub fn language(self) -> usize {
        let code = self.shell.lang.get();
        self.lesson.with_value(|lesson| lesson.language(&code))
    }

    /// The page of a lab, with its words. A file that lacks them says keys instead.
    #[must_use]
    pub fn page_of(self, lab: &'static LabSpec) -> Page {
        if let Some(page) = self.pages.with_value(|pages| pages.get(lab.id).cloned()) {
            return page;
        }
        let own = self.shell.page.get_untracked();
        let page = dom::lab_page(&own, lab).unwrap_or(own);
        self.pages.update_value(|pages| {
            pages.insert(lab.id, page.clone());
        });
        page
    }

    /// Words of a lab in the reader's language; the page's own without a lab. Followed.
    #[must_use]
    pub fn words_of(self, lab: Option<&'static LabSpec>) -> Arc<Words> {
        match lab {
            Some(lab) => self.page_of(lab).words(&self.shell.lang.get()),
            None => self.shell.words.get(),
        }
    }

    /// Works with the numbers of the lesson. Followed.
    pub fn facts<T>(self, of: impl FnOnce(&mut Facts<'_>) -> T) -> T {
        let (lesson, numbers) = (self.lesson(), self.numbers);
        let source = |lab: &'static LabSpec, setup: &_| numbers.get(lab, setup);
        of(&mut Facts::with(&lesson, &source))
    }

    /// A text of a step with its numbers. Followed.
    #[must_use]
    pub fn text(self, step: usize, text: &Text) -> String {
        let lesson = self.lesson();
        let place = lesson.steps.get(step).and_then(|step| step.state.as_ref());
        let words = self.words_of(place.map(|place| place.lab));
        self.facts(|facts| facts.fill(text.at(self.language()), &words))
    }

    /// The same as markup, block by block. Followed.
    #[must_use]
    pub fn blocks(self, step: usize, text: &Text) -> Vec<String> {
        prose::blocks(&self.text(step, text)).iter().map(block).collect()
    }

    /// What the present step asks, if it asks anything. Followed.
    #[must_use]
    pub fn question(self) -> Option<Question> {
        Question::of_step(&self.lesson(), self.step.get())
    }

    /// What is right in the present step's question, once it is known. Followed.
    #[must_use]
    pub fn outcome(self) -> Option<f64> {
        let step = self.step.get();
        self.facts(|facts| facts.outcome(step))
    }

    /// Whether the learner guessed at a step. Followed.
    #[must_use]
    pub fn has_guess(self, step: usize) -> bool {
        let id = self.lesson.with_value(|lesson| lesson.steps.get(step).map(|step| step.id.clone()));
        id.is_some_and(|id| self.kept.with(|kept| kept.guesses.contains_key(&id)))
    }

    /// The learner's guess of the present step. Followed.
    #[must_use]
    pub fn guess(self) -> Option<Guess> {
        let id = self.here(|step| step.id.clone())?;
        self.kept.with(|kept| kept.guesses.get(&id).copied())
    }

    /// The code of that guess. Followed.
    #[must_use]
    pub fn code(self) -> Option<code::Code> {
        let (question, guess) = (self.question()?, self.guess()?);
        code::guess(&question, guess.index, guess.chance)
    }

    /// Takes the learner's guess of the present step: a number of the question's own.
    pub fn take_guess(self, value: f64) {
        let step = self.step.get_untracked();
        let question = untrack(|| self.question());
        let index = question.and_then(|question| question.index(value));
        let id = self.lesson.with_value(|lesson| lesson.steps.get(step).map(|step| step.id.clone()));
        let mut bits = [0_u8; 4];
        let drawn = getrandom::fill(&mut bits).is_ok();
        let (Some(index), Some(id), true) = (index, id, drawn) else {
            return;
        };
        let guess = Guess { index, chance: u32::from_le_bytes(bits) };
        self.kept.update(|kept| {
            // The same guess again keeps its code: it is one learner.
            let same = kept.guesses.get(&id).filter(|old| old.index == index).copied();
            kept.guesses.insert(id, same.unwrap_or(guess));
        });
    }
}

fn block(block: &prose::Block) -> String {
    let mut m = tokenyard_lab::Markup::default();
    match block {
        prose::Block::Paragraph(text) => m.text_el("p", &[], text),
        prose::Block::Items(items) => {
            m.el("ul", &[], |m| items.iter().for_each(|item| m.text_el("li", &[], item)));
        }
    }
    m.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_this_machine_is_for_nobody_else() {
        for file in [
            "http://127.0.0.1:8080/teach/",
            "http://localhost/",
            "https://a.localhost:1/x",
            "http://[::1]:80/",
        ] {
            assert_eq!(Way::from(file.to_owned(), "lesson=tour"), Way::Here, "{file}");
        }
        for file in [
            "https://example.org/teach/",
            "http://[::2]/",
            "http://192.168.0.7:8080/",
            "http://127.example.org/",
        ] {
            let way = Way::Address(format!("{file}#lesson=tour"));
            assert_eq!(Way::from(file.to_owned(), "lesson=tour"), way, "{file}");
        }
        assert_eq!(Way::from("file:///media/stick/tokenyard.html".to_owned(), "teach"), Way::File);
    }
}
