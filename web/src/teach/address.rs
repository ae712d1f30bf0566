//! Addresses of lessons: `lesson=tour&step=2&view=present`, a whole short lesson (`text=…`), or labs in
//! their states (`states=lab=<id>&interval=5;lab=<id>`), which stand last because they have `&` too.

use tokenyard_lab::{Arg, Msg, msg};
use tokenyard_lesson::{Lesson, link, read, shipped, shorten};

use super::{keep, sequence};
use crate::page::Page;

/// Where a lesson comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// One that ships, by its identifier.
    Shipped(String),
    /// One in the address, as [`link::to_link`] writes it.
    Text(String),
    /// Labs in their states, each a step.
    States(String),
    /// A file that the reader opened, by its identifier: it is kept in this browser, and nobody else can open
    /// its address.
    Own(String),
}

/// Who looks at it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// A learner, alone.
    #[default]
    Learn,
    /// A class.
    Present,
}

/// What an address of the page asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// The lesson; the list of lessons without one.
    pub origin: Option<Origin>,
    /// The step, from 0; where the reader left it without one.
    pub step: Option<usize>,
    /// Who looks at it.
    pub view: View,
}

impl Address {
    /// Reads a fragment, and says what of it cannot be used.
    #[must_use]
    pub fn read(fragment: &str) -> (Self, Vec<Msg>) {
        let (mut address, mut notices, mut rest) = (Self::default(), Vec::new(), fragment);
        while !rest.is_empty() {
            if let Some(states) = rest.strip_prefix("states=") {
                address.origin = Some(Origin::States(states.to_owned()));
                break;
            }
            let (part, after) = rest.split_once('&').unwrap_or((rest, ""));
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            if !address.take(key, value) {
                let given = msg("teach.address").with("part", shorten(part));
                notices.push(given.with("allowed", "lesson, text, own, states, step, view".to_owned()));
            }
            rest = after;
        }
        (address, notices)
    }

    /// Takes a part over; `false` if it means nothing.
    fn take(&mut self, key: &str, value: &str) -> bool {
        match (key, value) {
            ("lesson", id) if !id.is_empty() => self.origin = Some(Origin::Shipped(id.to_owned())),
            ("own", id) if !id.is_empty() => self.origin = Some(Origin::Own(id.to_owned())),
            ("text", text) if !text.is_empty() => self.origin = Some(Origin::Text(text.to_owned())),
            ("view", "present") => self.view = View::Present,
            ("step", number) => match number.parse::<usize>() {
                Ok(number) if number > 0 => self.step = Some(number - 1),
                _ => return false,
            },
            _ => return false,
        }
        true
    }

    /// The fragment; empty for the list.
    #[must_use]
    pub fn write(&self) -> String {
        let step = self.step.filter(|step| *step > 0).map(|step| format!("step={}", step + 1));
        let view = (self.view == View::Present).then(|| "view=present".to_owned());
        let (first, last) = match &self.origin {
            None => return String::new(),
            Some(Origin::Shipped(id)) => (Some(format!("lesson={id}")), None),
            Some(Origin::Text(text)) => (Some(format!("text={text}")), None),
            Some(Origin::States(states)) => (None, Some(format!("states={states}"))),
            Some(Origin::Own(id)) => (Some(format!("own={id}")), None),
        };
        let parts: Vec<String> = [first, step, view, last].into_iter().flatten().collect();
        parts.join("&")
    }
}

/// The lesson of an origin in the words of a page, or everything that is wrong with it.
///
/// # Errors
/// The reasons, each a message of the page's catalogues.
pub fn lesson(origin: &Origin, page: &Page) -> Result<Lesson, Vec<Msg>> {
    let said = |faults: Vec<tokenyard_lesson::Fault>| faults.iter().map(|fault| fault.msg()).collect();
    match origin {
        Origin::Shipped(id) => match shipped::file(id) {
            Some(text) => read(text).map_err(said),
            None => Err(vec![msg("teach.unknown").with("id", shorten(id)).with("allowed", ids())]),
        },
        Origin::Text(text) => link::from_link(text).map_err(|broken| match broken {
            link::Broken::Long(n) => vec![msg("teach.long").with("n", n).with("most", link::MAX_CHARS)],
            link::Broken::Garbled => vec![msg("teach.garbled")],
            link::Broken::Faults(faults) => said(faults),
        }),
        Origin::States(states) => sequence::lesson(states, page),
        Origin::Own(id) => match keep::file(id) {
            Some(text) => read(&text).map_err(said),
            None => Err(vec![msg("teach.gone").with("id", shorten(id))]),
        },
    }
}

fn ids() -> Arg {
    let ids: Vec<String> = shipped::FILES.iter().filter_map(|text| Some(read(text).ok()?.id)).collect();
    Arg::Text(ids.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_they_were_written() {
        let origins = [
            Origin::Shipped("tour".to_owned()),
            Origin::Text("Zm9ybWF0".to_owned()),
            Origin::Own("mine".to_owned()),
            Origin::States("lab=one&interval=5;lab=two".to_owned()),
        ];
        for origin in origins {
            for (step, view) in [(None, View::Learn), (Some(3), View::Present), (Some(1), View::Learn)] {
                let address = Address { origin: Some(origin.clone()), step, view };
                assert_eq!(Address::read(&address.write()), (address, Vec::new()));
            }
        }
        assert_eq!(Address::read(""), (Address::default(), Vec::new()));
        assert_eq!(Address::default().write(), "");
    }

    #[test]
    fn what_means_nothing_is_said() {
        for (fragment, wrong) in [
            ("lesson=tour&step=0", 1),
            ("lesson=tour&view=other&colour=red", 2),
            ("step=x&lesson=", 2),
            ("%%%", 1),
            ("lesson=tour&&", 1),
        ] {
            assert_eq!(Address::read(fragment).1.len(), wrong, "{fragment}");
        }
    }

    #[test]
    fn a_lesson_that_does_not_ship_names_those_that_do() {
        let page = Page {
            kind: crate::page::Kind::Teach,
            root: String::new(),
            single: false,
            languages: Vec::new(),
        };
        let why = lesson(&Origin::Shipped("none".to_owned()), &page).unwrap_err();
        assert!(format!("{why:?}").contains("tour, locality, defend"));
        for text in shipped::FILES {
            let read = read(text).unwrap();
            assert_eq!(lesson(&Origin::Shipped(read.id.clone()), &page), Ok(read));
        }
    }
}
