//! A sheet as HTML, to be put into a document of one's own.

use tokenyard_lab::Markup;

use super::part::{About, Part, Room, Span};

/// Places for the symbols of a code, in its groups.
const GROUPS: [usize; 3] = [4, 4, 4];

/// How many lines are drawn for a sentence or two.
const LINES: usize = 2;

/// Writes parts one after the other. `figure` gives the markup of a step's figure, and must escape what
/// it says; it may be empty, then the place is left out.
pub fn write(parts: &[Part], figure: &mut dyn FnMut(usize) -> String) -> String {
    let mut m = Markup::default();
    parts.iter().for_each(|part| one(part, figure, &mut m));
    m.finish()
}

fn one(part: &Part, figure: &mut dyn FnMut(usize) -> String, m: &mut Markup) {
    match part {
        Part::Title(text) => m.text_el("h1", &[], text),
        Part::Heading { text, aside } => m.el("h2", &[], |m| {
            m.text(text);
            m.text(" ");
            m.text_el("small", &[], aside);
        }),
        Part::Paragraph(text) => m.text_el("p", &[], text),
        Part::Items(items) => m.el("ul", &[], |m| {
            for item in items {
                m.el("li", &[], |m| line(item, m));
            }
        }),
        Part::Choices(choices) => m.el("ul", &[("class", "choices")], |m| {
            for choice in choices {
                m.text_el("li", &[], choice);
            }
        }),
        Part::Line { label, spans } => m.el("p", &[("class", "line")], |m| {
            m.text_el("b", &[], label);
            m.text(" ");
            line(spans, m);
        }),
        Part::Blank { label, room } => blank(label, *room, m),
        Part::Table { head, rows } => table(head, rows, m),
        Part::Figure(step) => {
            let picture = figure(*step);
            if !picture.is_empty() {
                m.el("figure", &[], |m| m.ready(&picture));
            }
        }
        Part::Group(About::Step(id), parts) => {
            let id = format!("step-{id}");
            m.el("section", &[("class", "step"), ("id", &id)], |m| {
                parts.iter().for_each(|part| one(part, figure, m));
            });
        }
        Part::Group(about, parts) => m.el("div", &[("class", class(about))], |m| {
            parts.iter().for_each(|part| one(part, figure, m));
        }),
    }
}

fn class(about: &About) -> &'static str {
    match about {
        About::Step(_) => "step",
        About::Question => "question",
        About::Task => "task",
        About::Reveal => "reveal",
        About::Notes => "notes",
        About::Misconception => "misconception",
    }
}

fn line(spans: &[Span], m: &mut Markup) {
    for span in spans {
        match span {
            Span::Text(text) => m.text(text),
            Span::Code(code) => m.text_el("code", &[], code),
        }
    }
}

/// What is drawn to be written on is nothing to be read out.
fn blank(label: &str, room: Room, m: &mut Markup) {
    let classes = match room {
        Room::Short | Room::Code => "blank",
        Room::Lines => "blank of-lines",
    };
    m.el("p", &[("class", classes)], |m| {
        m.text_el("b", &[], label);
        m.text(" ");
        match room {
            Room::Short => m.text_el("span", &[("class", "rule"), ("aria-hidden", "true")], ""),
            Room::Code => m.el("span", &[("class", "cells"), ("aria-hidden", "true")], |m| {
                for symbols in GROUPS {
                    m.el("span", &[], |m| (0..symbols).for_each(|_| m.text_el("i", &[], "")));
                }
            }),
            Room::Lines => {
                for _ in 0..LINES {
                    m.text_el("span", &[("class", "rule"), ("aria-hidden", "true")], "");
                }
            }
        }
    });
}

fn table(head: &[String], rows: &[Vec<String>], m: &mut Markup) {
    m.el("table", &[], |m| {
        m.el("thead", &[], |m| {
            m.el("tr", &[], |m| {
                for cell in head {
                    // A heading that says nothing is none.
                    if cell.is_empty() {
                        m.text_el("td", &[], "");
                    } else {
                        m.text_el("th", &[("scope", "col")], cell);
                    }
                }
            });
        });
        m.el("tbody", &[], |m| {
            for row in rows {
                m.el("tr", &[], |m| row.iter().for_each(|cell| m.text_el("td", &[], cell)));
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever an author writes, it is words in the document and never markup.
    #[test]
    fn nothing_that_is_said_can_become_markup() {
        let evil = "</p><script>x</script>\"'&amp;";
        let text = || evil.to_owned();
        let spans = || vec![Span::Text(text()), Span::Code(text())];
        let parts = [
            Part::Title(text()),
            Part::Heading { text: text(), aside: text() },
            Part::Paragraph(text()),
            Part::Items(vec![spans()]),
            Part::Choices(vec![text()]),
            Part::Line { label: text(), spans: spans() },
            Part::Blank { label: text(), room: Room::Code },
            Part::Table { head: vec![text()], rows: vec![vec![text()]] },
            Part::Group(
                About::Step(text()),
                vec![Part::Group(About::Question, vec![Part::Paragraph(text())])],
            ),
        ];
        let html = write(&parts, &mut |_| String::new());
        assert!(!html.contains("<script") && !html.contains("\"'"), "{html}");
        assert_eq!(html.matches("&lt;/p&gt;&lt;script&gt;").count(), 15);
        // What was opened is closed, in order.
        let mut open: Vec<&str> = Vec::new();
        for tag in html.split('<').skip(1) {
            let name = tag.split(['>', ' ']).next().unwrap();
            match name.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name)),
                None => open.push(name),
            }
        }
        assert!(open.is_empty());
    }

    #[test]
    fn a_figure_has_a_place_where_there_is_one() {
        let write =
            |picture: &str| write(&[Part::Figure(3)], &mut |step| format!("{picture}{}", "!".repeat(step)));
        assert_eq!(write("<svg></svg>"), "<figure><svg></svg>!!!</figure>");
        assert_eq!(super::write(&[Part::Figure(3)], &mut |_| String::new()), "");
    }
}
