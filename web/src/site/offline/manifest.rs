//! The manifest, which makes the site an application that can be installed, and the icons that it names.

use std::fs;
use std::path::Path;

use serde_json::json;
use tokenyard_figure::Painter;
use tokenyard_lab::Words;

use crate::page::Kind;
use crate::site::document::plain;
use crate::site::{LANGUAGES, SiteError, fail, put, put_bytes};

/// Pixels of the icons' own square; a PNG has a multiple of it.
const ICON: u32 = 32;

/// Writes both, in the site's first language and in its light colours. Without a usable font there are no
/// icons as PNG, and a line says so.
///
/// There is no `id`: it would be read as seen from the origin and not from here, and two copies of the site at
/// one origin would be one application.
///
/// # Errors
/// The first file that cannot be read, painted or written.
pub(super) fn write(out: &Path, project: &Path, words: &Words) -> Result<(), SiteError> {
    let (icon, tokens) = (project.join("public/icon.svg"), project.join("public/styles/tokens.css"));
    let svg = fs::read_to_string(&icon).map_err(|e| fail("reading", &icon, e))?;
    let sheet = fs::read_to_string(&tokens).map_err(|e| fail("reading", &tokens, e))?;
    let paper =
        sheet.split("--paper:").nth(1).and_then(|rest| rest.split(';').next()).unwrap_or_default().trim();
    let mut icons = vec![json!({ "src": "icon.svg", "sizes": "any", "type": "image/svg+xml" })];
    // Systems that cut icons to a shape of their own want the ground up to the edges.
    let whole = svg.replace(" rx=\"7\"", "");
    match Painter::new() {
        Ok(painter) => {
            for (side, purpose, svg) in [(192, "any", &svg), (512, "any", &svg), (512, "maskable", &whole)] {
                let name = format!("icon-{side}-{purpose}.png");
                let png = painter.png(svg, side / ICON).map_err(|e| fail("painting", &out.join(&name), e))?;
                put_bytes(&out.join(&name), &png)?;
                let sizes = format!("{side}x{side}");
                icons.push(json!({ "src": name, "sizes": sizes, "type": "image/png", "purpose": purpose }));
            }
        }
        Err(why) => eprintln!("no icon as PNG: {why}"),
    }
    let manifest = json!({
        "name": words.get("site"),
        "short_name": words.get("site"),
        "description": plain(&Kind::Home.about(words)),
        "lang": LANGUAGES[0],
        "start_url": "index.html",
        "scope": "./",
        "display": "standalone",
        "background_color": paper,
        "theme_color": paper,
        "icons": icons,
    });
    put(&out.join("site.webmanifest"), &format!("{manifest:#}\n"))
}
