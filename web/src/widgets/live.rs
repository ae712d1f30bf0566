//! Parts of a view that change, with one type for all of them.
//!
//! Every closure in a view has a type of its own, and the framework's machinery is compiled once
//! for each. Text goes through `Signal<String>`, lists and tables that nobody can press through
//! [`drawn`], and everything else through [`live`], which keeps the module a third smaller.

use leptos::prelude::*;
use tokenyard_lab::Markup;

/// A part of the view that is drawn anew when what it reads changes.
pub fn live<V: IntoView + 'static>(part: impl Fn() -> V + Send + 'static) -> AnyView {
    erased(Box::new(move || part().into_any()))
}

fn erased(part: Box<dyn Fn() -> AnyView + Send>) -> AnyView {
    (move || part()).into_any()
}

/// Text that changes.
pub fn text(text: impl Fn() -> String + Send + Sync + 'static) -> Signal<String> {
    Signal::derive(text)
}

/// A condition that changes.
pub fn flag(holds: impl Fn() -> bool + Send + Sync + 'static) -> Signal<bool> {
    Signal::derive(holds)
}

/// Does `work` now and whenever what it reads changes; it is told whether it is the first time.
pub fn follow(work: impl FnMut(bool) + 'static) {
    followed(Box::new(work));
}

fn followed(mut work: Box<dyn FnMut(bool)>) {
    Effect::new(move |before: Option<()>| work(before.is_none()));
}

/// A box that shows [`Markup`]. When that changes, only the nodes that differ do.
pub fn drawn(class: &'static str, markup: impl Fn() -> String + Send + Sync + 'static) -> AnyView {
    draw(class, text(markup))
}

fn draw(class: &'static str, markup: Signal<String>) -> AnyView {
    let node = NodeRef::<leptos::html::Div>::new();
    let first = markup.get_untracked();
    let mut shown = first.clone();
    follow(move |_| {
        let new = markup.get();
        if let Some(node) = node.get_untracked()
            && crate::platform::patch::patch(&node, &shown, &new).is_none()
        {
            // Somebody else changed the box.
            node.set_inner_html(&new);
        }
        shown = new;
    });
    view! { <div class=class node_ref=node inner_html=first></div> }.into_any()
}

/// A list of lines, for [`drawn`]: `tag` is `ul` or `ol`.
pub fn list(tag: &str, lines: impl Iterator<Item = String>) -> String {
    let mut m = Markup::default();
    m.el(tag, &[], |m| lines.for_each(|line| m.text_el("li", &[], &line)));
    m.finish()
}
