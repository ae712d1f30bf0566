//! Brings a part of the document from one piece of markup to the next, changing only what differs.
//!
//! Both pieces are [`tokenyard_lab::Markup`]: every element is closed, every `<` and `>` that is
//! no tag is escaped. So the texts alone say what differs, nodes that stay are left alone (a step
//! of the player moves a few dots and numbers), and the browser lays out little.

use web_sys::{Element, Node};

/// A node at the start of a piece of markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct First<'a> {
    /// The node, all of it.
    whole: &'a str,
    /// What is between `<` and `>`; empty for text.
    open: &'a str,
    /// What the element holds.
    inner: &'a str,
    /// What follows the node.
    rest: &'a str,
}

impl<'a> First<'a> {
    /// `None` at the end of the markup, and for markup that is none.
    fn of(markup: &'a str) -> Option<Self> {
        if markup.is_empty() {
            return None;
        }
        if !markup.starts_with('<') {
            let end = markup.find('<').unwrap_or(markup.len());
            return Some(Self { whole: &markup[..end], open: "", inner: "", rest: &markup[end..] });
        }
        let from = markup.find('>')? + 1;
        let (mut depth, mut at) = (1_u32, from);
        loop {
            let tag = at + markup[at..].find('<')?;
            let end = tag + markup[tag..].find('>')? + 1;
            depth = if markup[tag..].starts_with("</") { depth - 1 } else { depth + 1 };
            if depth == 0 {
                let (whole, rest) = markup.split_at(end);
                return Some(Self { whole, open: &markup[1..from - 1], inner: &markup[from..tag], rest });
            }
            at = end;
        }
    }

    fn tag(&self) -> &'a str {
        self.open.split(' ').next().unwrap_or_default()
    }

    /// Names and values of the attributes, values as they are written.
    fn attributes(&self) -> Vec<(&'a str, &'a str)> {
        let mut out = Vec::new();
        let mut rest = &self.open[self.tag().len()..];
        while let Some((name, after)) = rest.split_once("=\"") {
            let Some((value, more)) = after.split_once('"') else { break };
            out.push((name.trim_start(), value));
            rest = more;
        }
        out
    }
}

/// Text as it is meant.
fn plain(text: &str) -> String {
    let mut out = text.to_owned();
    // The ampersand last, so that what it escapes is not read twice.
    for (from, to) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")] {
        if out.contains(from) {
            out = out.replace(from, to);
        }
    }
    out
}

/// Makes the children of `parent`, which are those of `old`, those of `new`. `None` if they are
/// not those of `old`; some may be changed then.
pub fn patch(parent: &Element, mut old: &str, mut new: &str) -> Option<()> {
    let mut child = parent.first_child();
    while old != new {
        let (Some(was), Some(now)) = (First::of(old), First::of(new)) else {
            return replace_rest(parent, child, new);
        };
        let node = child?;
        if was.whole != now.whole {
            if was.tag() != now.tag() {
                return replace_rest(parent, Some(node), new);
            }
            change(&node, &was, &now)?;
        }
        child = node.next_sibling();
        (old, new) = (was.rest, now.rest);
    }
    Some(())
}

/// Takes away a node and all that follow it, and puts markup in their place.
fn replace_rest(parent: &Element, mut from: Option<Node>, markup: &str) -> Option<()> {
    while let Some(node) = from {
        from = node.next_sibling();
        parent.remove_child(&node).ok()?;
    }
    parent.insert_adjacent_html("beforeend", markup).ok()
}

/// A node of the same tag, or text for text.
fn change(node: &Node, was: &First<'_>, now: &First<'_>) -> Option<()> {
    use wasm_bindgen::JsCast;
    if now.open.is_empty() {
        node.set_node_value(Some(&plain(now.whole)));
        return Some(());
    }
    let element = node.dyn_ref::<Element>()?;
    if was.open != now.open {
        let (before, after) = (was.attributes(), now.attributes());
        for (name, value) in &after {
            if !before.contains(&(name, value)) {
                element.set_attribute(name, &plain(value)).ok()?;
            }
        }
        for (name, _) in before {
            if !after.iter().any(|(kept, _)| *kept == name) {
                element.remove_attribute(name).ok()?;
            }
        }
    }
    patch(element, was.inner, now.inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenyard_lab::Markup;

    #[test]
    fn markup_comes_apart_as_it_was_put_together() {
        let mut m = Markup::default();
        m.text("a < b");
        m.el("ul", &[("class", "x y"), ("title", "\"1 > 0\" & more")], |m| {
            m.text_el("li", &[], "one");
            m.el("li", &[], |m| m.text_el("ul", &[], "two"));
        });
        m.text_el("p", &[], "");
        let all = m.finish();
        let text = First::of(&all).unwrap();
        assert_eq!((text.tag(), &*plain(text.whole)), ("", "a < b"));
        let list = First::of(text.rest).unwrap();
        let attributes: Vec<(&str, String)> =
            list.attributes().into_iter().map(|(name, value)| (name, plain(value))).collect();
        let wanted = [("class", "x y".to_owned()), ("title", "\"1 > 0\" & more".to_owned())];
        assert_eq!((list.tag(), &*attributes), ("ul", &wanted[..]));
        let one = First::of(list.inner).unwrap();
        assert_eq!((one.inner, First::of(one.rest).unwrap().inner), ("one", "<ul>two</ul>"));
        let last = First::of(list.rest).unwrap();
        assert_eq!((last.whole, last.inner, First::of(last.rest)), ("<p></p>", "", None));
    }

    #[test]
    fn what_is_no_markup_has_no_first_node() {
        for broken in ["<p", "<p>", "<p><b></b>", ""] {
            assert_eq!(First::of(broken), None, "{broken}");
        }
    }

    #[test]
    fn what_was_escaped_twice_is_read_once() {
        assert_eq!(plain("&amp;lt; &lt;&amp;&quot;"), "&lt; <&\"");
    }
}
