//! What to paste where: one state of a lab as an address, a frame, an element, a picture, and in the
//! forms that other people's tools want. `docs/embedding.md` says what each of them supports.

use tokenyard_lab::LabSpec;

use crate::frame::Ui;

/// Where a lab is to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A link.
    Link,
    /// A frame in any HTML.
    Iframe,
    /// The custom element, for pages one owns.
    Element,
    /// A picture that leads to the lab: for READMEs, mail, anything without frames.
    Markdown,
    /// A Hugo shortcode.
    Hugo,
    /// MDX, as Docusaurus and others read it.
    Mdx,
    /// mdBook.
    MdBook,
    /// MkDocs.
    MkDocs,
    /// reStructuredText, as Sphinx reads it.
    Rst,
    /// WordPress.
    WordPress,
    /// A slide of reveal.js.
    Reveal,
    /// A slide of Slidev.
    Slidev,
    /// A Jupyter notebook.
    Jupyter,
}

impl Place {
    /// All of them, in the order of the list.
    pub const ALL: [Self; 13] = [
        Self::Link,
        Self::Iframe,
        Self::Element,
        Self::Markdown,
        Self::Hugo,
        Self::Mdx,
        Self::MdBook,
        Self::MkDocs,
        Self::Rst,
        Self::WordPress,
        Self::Reveal,
        Self::Slidev,
        Self::Jupyter,
    ];

    /// Names it.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Iframe => "iframe",
            Self::Element => "element",
            Self::Markdown => "markdown",
            Self::Hugo => "hugo",
            Self::Mdx => "mdx",
            Self::MdBook => "mdbook",
            Self::MkDocs => "mkdocs",
            Self::Rst => "rst",
            Self::WordPress => "wordpress",
            Self::Reveal => "reveal",
            Self::Slidev => "slidev",
            Self::Jupyter => "jupyter",
        }
    }

    /// Whether it needs more than one file of the site: its script, or a picture.
    #[must_use]
    pub fn needs_folder(self) -> bool {
        matches!(self, Self::Element | Self::Markdown | Self::Hugo)
    }

    /// Its name as its makers write it, or the key of a word of the reader's language.
    pub fn name(self) -> Result<&'static str, &'static str> {
        match self {
            Self::Link => Err("share.place.link"),
            Self::Iframe => Err("share.place.iframe"),
            Self::Element => Err("share.place.element"),
            Self::Markdown => Err("share.place.markdown"),
            Self::Hugo => Ok("Hugo"),
            Self::Mdx => Ok("MDX, Docusaurus"),
            Self::MdBook => Ok("mdBook"),
            Self::MkDocs => Ok("MkDocs"),
            Self::Rst => Ok("Sphinx (reStructuredText)"),
            Self::WordPress => Ok("WordPress"),
            Self::Reveal => Ok("reveal.js"),
            Self::Slidev => Ok("Slidev"),
            Self::Jupyter => Ok("Jupyter"),
        }
    }

    /// Key of what it supports.
    #[must_use]
    pub fn note(self) -> &'static str {
        match self {
            Self::Link => "share.note.link",
            Self::Iframe => "share.note.iframe",
            Self::Element => "share.note.element",
            Self::Markdown => "share.note.markdown",
            Self::Hugo => "share.note.hugo",
            Self::Mdx => "share.note.mdx",
            Self::MdBook => "share.note.mdbook",
            Self::MkDocs => "share.note.mkdocs",
            Self::Rst => "share.note.rst",
            Self::WordPress => "share.note.wordpress",
            Self::Reveal => "share.note.reveal",
            Self::Slidev => "share.note.slidev",
            Self::Jupyter => "share.note.jupyter",
        }
    }
}

/// Where the lab's files are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Site {
    /// Address of a site's root, with its last slash. May be relative.
    Folder(String),
    /// Address of a single file that is page and embed at once.
    File(String),
}

/// One state of a lab, and how it is to look.
#[derive(Clone, Debug)]
pub struct Embedding {
    /// Where its files are.
    pub site: Site,
    /// The lab.
    pub lab: &'static LabSpec,
    /// Its title in the reader's language.
    pub title: String,
    /// How much of it.
    pub ui: Ui,
    /// `light`, `dark`, or as the page around.
    pub theme: Option<&'static str>,
    /// Language, if it is not to be the reader's own.
    pub lang: Option<String>,
    /// The state, as in a fragment.
    pub state: String,
}

/// Height of a frame until it has told its own, CSS pixels.
#[must_use]
pub fn height(ui: Ui) -> u32 {
    match ui {
        Ui::Full => 900,
        Ui::Lab => 720,
        Ui::Player => 480,
        Ui::Figure => 640,
    }
}

impl Embedding {
    /// Address of the lab's own page.
    #[must_use]
    pub fn page(&self) -> String {
        match &self.site {
            Site::Folder(site) => format!("{site}labs/{}/{}", self.lab.id, self.fragment()),
            Site::File(file) => format!("{file}{}", self.fragment()),
        }
    }

    /// Address of the frame.
    #[must_use]
    pub fn frame(&self) -> String {
        let mut query = format!("?ui={}", self.ui.id());
        for (key, value) in [("theme", self.theme), ("lang", self.lang.as_deref())] {
            if let Some(value) = value {
                query = format!("{query}&{key}={value}");
            }
        }
        match &self.site {
            Site::Folder(site) => format!("{site}embed/{}/{query}{}", self.lab.id, self.fragment()),
            Site::File(file) => format!("{file}{query}{}", self.fragment()),
        }
    }

    fn fragment(&self) -> String {
        match &self.site {
            Site::File(_) if self.state.is_empty() => format!("#lab={}", self.lab.id),
            Site::File(_) => format!("#lab={}&{}", self.lab.id, self.state),
            Site::Folder(_) if self.state.is_empty() => String::new(),
            Site::Folder(_) => format!("#{}", self.state),
        }
    }

    /// The site's root. A single file has none; see [`Place::needs_folder`].
    fn root(&self) -> &str {
        match &self.site {
            Site::Folder(site) => site,
            Site::File(_) => "",
        }
    }

    /// What is pasted into a place.
    #[must_use]
    pub fn snippet(&self, place: Place) -> String {
        let (frame, page, title, height) = (self.frame(), self.page(), self.title.as_str(), height(self.ui));
        let (html_frame, html_page, html_title) = (html(&frame), html(&page), html(title));
        let wide = |rest: &str| {
            format!(
                "<iframe src=\"{html_frame}\" title=\"{html_title}\" width=\"100%\" height=\"{height}\"{rest}"
            )
        };
        let html_iframe = || wide(&format!(" loading=\"lazy\" style=\"{STYLE}\" {ALLOW}></iframe>"));
        match place {
            Place::Link => page,
            Place::Iframe | Place::MkDocs => {
                format!("{}\n<p><a href=\"{html_page}\">{html_title}</a></p>", html_iframe())
            }
            // A blank line around HTML keeps Markdown from reading into it.
            Place::MdBook => format!("{}\n\n[{title}]({page})", html_iframe()),
            Place::Element => self.element(),
            Place::Markdown => {
                format!("[![{title}]({}figures/{}-light.png)]({page})", self.root(), self.lab.id)
            }
            // Hugo's own syntax, no HTML: its template escapes.
            Place::Hugo => {
                format!(
                    "{{{{< tokenyard-lab lab=\"{}\"{} />}}}}",
                    self.lab.id,
                    self.attributes(str::to_owned)
                )
            }
            Place::Mdx => wide(
                " loading=\"lazy\" style={{border: 0, colorScheme: 'light dark'}} allow=\"fullscreen; \
                 clipboard-write\" referrerPolicy=\"no-referrer\" />",
            ),
            Place::Rst => format!(".. raw:: html\n\n   {}\n\n`{title} <{page}>`__", html_iframe()),
            // Its editor takes the address of a page that says how it is embedded.
            Place::WordPress => format!("<!-- wp:html -->\n{}\n<!-- /wp:html -->", html_iframe()),
            Place::Reveal => format!(
                "<section>\n  <iframe data-src=\"{html_frame}\" title=\"{html_title}\" width=\"960\" height=\"640\" \
                 style=\"{STYLE}\" {ALLOW}></iframe>\n</section>"
            ),
            Place::Slidev => format!("---\nlayout: iframe\nurl: {frame}\n---"),
            Place::Jupyter => {
                format!(
                    "from IPython.display import IFrame\nIFrame({}, width=\"100%\", height={height})",
                    python(&frame)
                )
            }
        }
    }

    fn element(&self) -> String {
        format!(
            "<script src=\"{}element.js\" defer></script>\n<tokenyard-lab lab=\"{}\"{}><a href=\"{}\">{}</a></tokenyard-lab>",
            html(self.root()),
            self.lab.id,
            self.attributes(html),
            html(&self.page()),
            html(&self.title)
        )
    }

    /// The attributes that element and shortcode share.
    fn attributes(&self, escape: fn(&str) -> String) -> String {
        let ui = (self.ui != Ui::Lab).then(|| self.ui.id().to_owned());
        let state = (!self.state.is_empty()).then(|| self.state.clone());
        let theme = self.theme.map(str::to_owned);
        let all = [("ui", ui), ("theme", theme), ("lang", self.lang.clone()), ("state", state)];
        let given =
            all.into_iter().filter_map(|(key, value)| Some(format!(" {key}=\"{}\"", escape(&value?))));
        given.collect()
    }
}

const STYLE: &str = "border:0;color-scheme:light dark";
const ALLOW: &str = "allow=\"fullscreen; clipboard-write\" referrerpolicy=\"no-referrer\"";

fn html(text: &str) -> String {
    let mut out = String::new();
    tokenyard_lab::markup::escape(text, &mut out);
    out
}

/// A Python string literal: addresses hold neither backslashes nor line ends.
fn python(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "%22"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenyard_lab::labs::LABS;
    use tokenyard_lab::link;

    fn embedding(ui: Ui, state: &str) -> Embedding {
        let site = Site::Folder("https://example.org/yard/".to_owned());
        let title = "Everyone \"trusts\" & <waits>".to_owned();
        Embedding {
            site,
            lab: LABS[0],
            title,
            ui,
            theme: Some("dark"),
            lang: Some("xx".to_owned()),
            state: state.to_owned(),
        }
    }

    #[test]
    fn every_snippet_carries_the_whole_state() {
        for lab in LABS {
            let state = link::write(
                lab,
                &link::State { setup: lab.with(lab.presets[0].set), ..link::State::fresh(lab) },
            );
            for place in Place::ALL {
                let e = Embedding { lab, ..embedding(Ui::Lab, &state) };
                let text = e.snippet(place).replace("&amp;", "&");
                assert!(text.contains(&state) && text.contains(lab.id), "{place:?}: {text}");
            }
        }
    }

    #[test]
    fn a_shortcode_is_closed_and_is_no_html() {
        let e = Embedding { theme: None, lang: None, ..embedding(Ui::Lab, "interval=5&seed=7") };
        let wanted = format!("{{{{< tokenyard-lab lab=\"{}\" state=\"interval=5&seed=7\" />}}}}", LABS[0].id);
        assert_eq!(e.snippet(Place::Hugo), wanted);
    }

    #[test]
    fn titles_cannot_break_out() {
        for place in Place::ALL {
            let text = embedding(Ui::Full, "").snippet(place);
            let is_html = matches!(place, Place::Iframe | Place::Element | Place::WordPress | Place::Reveal);
            assert!(!is_html || !text.contains("<waits>"), "{place:?}: {text}");
        }
    }

    #[test]
    fn the_address_of_a_frame_is_what_it_reads() {
        let e = embedding(Ui::Player, "interval=5");
        assert_eq!(
            e.frame(),
            format!("https://example.org/yard/embed/{}/?ui=player&theme=dark&lang=xx#interval=5", LABS[0].id)
        );
        assert_eq!(e.page(), format!("https://example.org/yard/labs/{}/#interval=5", LABS[0].id));
        let file = Embedding {
            site: Site::File("file:///x.html".to_owned()),
            ..embedding(Ui::Player, "interval=5")
        };
        assert_eq!(
            file.frame(),
            format!("file:///x.html?ui=player&theme=dark&lang=xx#lab={}&interval=5", LABS[0].id)
        );
        assert_eq!(file.page(), format!("file:///x.html#lab={}&interval=5", LABS[0].id));
        let plain = Embedding { theme: None, lang: None, ..embedding(Ui::Lab, "") };
        assert_eq!(plain.frame(), format!("https://example.org/yard/embed/{}/?ui=lab", LABS[0].id));
        assert!(plain.snippet(Place::Element).contains(&format!("<tokenyard-lab lab=\"{}\"><a", LABS[0].id)));
    }
}
