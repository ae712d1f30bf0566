//! How other places show a page before anybody opens it: social cards and oEmbed.
//!
//! Both want whole addresses, which only `--site-url` knows. Without it the tags are left out; the
//! oEmbed files are written all the same, with relative addresses, and say so.

use serde_json::{Value, json};
use tokenyard_lab::{Markup, Words};

use super::{SiteError, document::plain};
use crate::frame::Ui;
use crate::page::{Kind, Page};
use crate::tools::place::{Embedding, Place, Site, height};

/// Width that a frame is offered with, CSS pixels.
const WIDTH: u32 = 800;

/// The address of the site's root, checked: http or https, with a last slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteUrl(String);

impl SiteUrl {
    /// Reads an address; a missing last slash is put there.
    ///
    /// # Errors
    /// Names the option, the value and what is allowed.
    pub fn parse(text: &str) -> Result<Self, SiteError> {
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        let is_good = rest.is_some_and(|rest| {
            !rest.is_empty()
                && !rest.starts_with('/')
                && rest.bytes().all(|b| b.is_ascii_graphic() && !b"?#\"'<>&\\".contains(&b))
        });
        if !is_good {
            let allowed = "http:// or https://, a host and a path, without ? and #";
            return Err(SiteError(format!("--site-url is {text:?}; allowed: {allowed}")));
        }
        Ok(Self(format!("{}/", text.trim_end_matches('/'))))
    }

    /// A file's address. Pages are called by their folder.
    #[must_use]
    pub fn of(&self, file: &str) -> String {
        format!("{}{}", self.0, file.strip_suffix("index.html").unwrap_or(file))
    }
}

/// Names the pictures of a page, if it has any: those of its lab, or of its preset.
pub(super) fn figure(kind: &Kind) -> Option<String> {
    match kind {
        Kind::Lab(lab) => Some(lab.id.to_owned()),
        Kind::Preset(lab, preset) => Some(format!("{}-{}", lab.id, preset.key)),
        _ => None,
    }
}

/// The tags of a page's head. None for embeds, which are nobody's destination.
pub(super) fn tags(page: &Page, site: Option<&SiteUrl>) -> String {
    let (Some(site), false) = (site, page.kind.is_embed()) else {
        return String::new();
    };
    let words = &page.languages[0].1;
    let (title, about) = (page.kind.title(words), plain(&page.kind.about(words)));
    let mut m = Markup::default();
    let address = site.of(&page.kind.file());
    link(&mut m, &[("rel", "canonical"), ("href", &address)]);
    let mut all = vec![
        ("og:type", "website".to_owned()),
        ("og:site_name", words.at(&["site"])),
        ("og:title", title.clone()),
        ("og:description", about),
        ("og:url", address),
    ];
    if let Some(name) = figure(&page.kind) {
        all.push(("og:image", site.of(&format!("figures/{name}-light.png"))));
        all.push(("og:image:alt", title.clone()));
        all.push(("twitter:card", "summary_large_image".to_owned()));
    }
    for (name, value) in &all {
        let key = if name.starts_with("og:") { "property" } else { "name" };
        m.el("meta", &[(key, name), ("content", value)], |_| {});
    }
    if let Some(file) = oembed_file(&page.kind) {
        let kind = "application/json+oembed";
        link(&mut m, &[("rel", "alternate"), ("type", kind), ("href", &site.of(&file)), ("title", &title)]);
    }
    m.finish().replace("</meta>", "\n").replace("</link>", "\n")
}

fn link(m: &mut Markup, attributes: &[(&str, &str)]) {
    m.el("link", attributes, |_| {});
}

/// The oEmbed file of a page, if it has one: beside the page's own.
pub(super) fn oembed_file(kind: &Kind) -> Option<String> {
    figure(kind).map(|_| kind.file().replace("index.html", "oembed.json"))
}

/// The oEmbed answer for a page of a lab.
pub(super) fn oembed(kind: &Kind, words: &Words, site: Option<&SiteUrl>) -> Option<String> {
    let (lab, name) = (kind.lab()?, figure(kind)?);
    // Without an address of the site: as seen from the file itself.
    let root = site.map_or_else(|| kind.root(), |site| site.of(""));
    let embedding = Embedding {
        site: Site::Folder(root.clone()),
        lab,
        title: kind.title(words),
        ui: Ui::Lab,
        theme: None,
        lang: None,
        state: kind.state(),
    };
    let mut answer = json!({
        "version": "1.0",
        "type": "rich",
        "provider_name": words.at(&["site"]),
        "provider_url": root,
        "title": embedding.title,
        "html": embedding.snippet(Place::Iframe),
        "width": WIDTH,
        "height": height(embedding.ui),
        "thumbnail_url": format!("{root}figures/{name}-light.png"),
        "cache_age": 86_400,
    });
    if site.is_none() {
        answer["relative"] =
            Value::from("addresses are relative to this file: the site was built without --site-url");
    }
    Some(format!("{answer:#}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_sites_are_checked() {
        for good in ["https://example.org", "http://localhost:8080/a/b", "https://example.org/yard/"] {
            let site = SiteUrl::parse(good).unwrap();
            assert!(
                site.of("p/x/index.html").ends_with("/p/x/") && !site.of("a").contains("//a"),
                "{site:?}"
            );
        }
        for bad in [
            "",
            "example.org",
            "ftp://example.org",
            "https://",
            "https:///x",
            "https://a/?b",
            "https://a/#b",
            "https://a/ b",
            "https://a\"b",
        ] {
            let error = SiteUrl::parse(bad).unwrap_err().to_string();
            assert!(error.contains("--site-url") && error.contains("https://"), "{error}");
        }
    }
}
