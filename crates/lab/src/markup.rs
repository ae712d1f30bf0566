//! HTML and SVG as text, escaped by construction.
//!
//! Scenes are drawn with it: the same function gives the first frame natively, into the page's
//! file, and every later frame in the browser. There are no `style` attributes, which the
//! page's policy forbids: geometry is in attributes, colour in classes.

/// A growing piece of markup.
#[derive(Debug, Default)]
pub struct Markup {
    out: String,
}

impl Markup {
    /// The markup so far.
    #[must_use]
    pub fn finish(self) -> String {
        self.out
    }

    /// An element with attributes and children.
    pub fn el(&mut self, tag: &str, attrs: &[(&str, &str)], children: impl FnOnce(&mut Self)) {
        self.open(tag, attrs);
        children(self);
        self.out.push_str("</");
        self.out.push_str(tag);
        self.out.push('>');
    }

    /// An element with text in it.
    pub fn text_el(&mut self, tag: &str, attrs: &[(&str, &str)], text: &str) {
        self.el(tag, attrs, |m| m.text(text));
    }

    /// An SVG element without children.
    pub fn shape(&mut self, tag: &str, attrs: &[(&str, &str)]) {
        self.el(tag, attrs, |_| {});
    }

    /// Text.
    pub fn text(&mut self, text: &str) {
        escape(text, &mut self.out);
    }

    /// Markup that is finished: what a drawing function or another [`Markup`] gave. Never anybody's words.
    pub fn ready(&mut self, markup: &str) {
        self.out.push_str(markup);
    }

    fn open(&mut self, tag: &str, attrs: &[(&str, &str)]) {
        self.out.push('<');
        self.out.push_str(tag);
        for (name, value) in attrs {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            escape(value, &mut self.out);
            self.out.push('"');
        }
        self.out.push('>');
    }
}

/// Escapes text for element content and double-quoted attributes.
pub fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_attributes_cannot_break_out() {
        let mut m = Markup::default();
        m.el("p", &[("title", "\"><script>")], |m| m.text("<b>&"));
        assert_eq!(m.finish(), "<p title=\"&quot;&gt;&lt;script&gt;\">&lt;b&gt;&amp;</p>");
    }
}
