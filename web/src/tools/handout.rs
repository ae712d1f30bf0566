//! A state as one sheet of paper, A4 or Letter: the question to guess at, a line to fold at, the
//! figure, what to try next, room for notes, the link.
//!
//! It is put at the end of the document, unseen, and is all that is printed while it is there; the
//! style sheet keeps it to one page.

use tokenyard_export::Source;
use tokenyard_figure::Theme;
use tokenyard_lab::{Ask, Markup};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AddEventListenerOptions, HtmlImageElement, Url};

use crate::platform::{dom, save};

/// How many settings worth a visit stand on a sheet: what is left of it beside the largest figure.
const NEXT: usize = 3;

/// Prints the sheet. `None` where the browser cannot draw or print it.
pub async fn print(source: &Source<'_>) -> Option<()> {
    take_away();
    let shot = source.shot();
    let svg = shot.svg(Theme::Light, None).ok()?;
    let url = Url::create_object_url_with_blob(&save::blob(&svg.into(), "image/svg+xml")?).ok()?;
    let sheet = sheet(source, &source.address(&shot.carried()));
    let image = put(&sheet, &url, &shot.alt())?;
    let drawn = JsFuture::from(image.decode()).await;
    let _ = Url::revoke_object_url(&url);
    drawn.ok()?;
    // The page's own print stays as it is afterwards.
    let after = Closure::once_into_js(take_away);
    let options = AddEventListenerOptions::new();
    options.set_once(true);
    let window = web_sys::window()?;
    let after = after.unchecked_ref();
    window
        .add_event_listener_with_callback_and_add_event_listener_options("afterprint", after, &options)
        .ok()?;
    window.print().ok()
}

fn put(sheet: &str, url: &str, alt: &str) -> Option<HtmlImageElement> {
    let document = dom::document()?;
    let place = document.create_element("section").ok()?;
    place.set_class_name("handout");
    place.set_attribute("lang", &document.document_element()?.get_attribute("lang")?).ok()?;
    place.set_inner_html(sheet);
    let image: HtmlImageElement = place.query_selector("img").ok()??.dyn_into().ok()?;
    image.set_alt(alt);
    image.set_src(url);
    document.body()?.append_child(&place).ok()?;
    dom::root_attribute("data-prints", Some("handout"));
    Some(image)
}

/// Takes a sheet away that was there.
fn take_away() {
    dom::root_attribute("data-prints", None);
    let old = dom::document().and_then(|document| document.query_selector(".handout").ok().flatten());
    if let Some(old) = old {
        old.remove();
    }
}

/// The sheet as markup, all but the picture's source and its alternative text.
fn sheet(source: &Source, address: &str) -> String {
    let Source { lab, state, words, .. } = *source;
    let mut m = Markup::default();
    m.el("header", &[], |m| {
        m.text_el("p", &[("class", "handout-site")], &words.at(&["site"]));
        m.text_el("h1", &[], &words.at(&["title"]));
    });
    m.el("div", &[("class", "handout-guess")], |m| {
        m.text_el("h2", &[], &words.at(&["sheet.guess"]));
        m.text_el("p", &[], &words.say(&(lab.prediction.question)(&state.setup)));
        m.el("p", &[("class", "handout-answers")], |m| match lab.prediction.ask {
            Ask::Choice(options) => {
                for i in 0..options {
                    m.text_el("span", &[], &format!("☐ {}", words.at(&["predict.option", &i.to_string()])));
                }
            }
            Ask::Number { .. } => {
                m.text_el("span", &[("class", "handout-line")], "");
                m.text_el("span", &[], &words.at(&["predict.unit"]));
            }
        });
    });
    m.text_el("p", &[("class", "handout-fold")], &words.at(&["sheet.fold"]));
    m.el("figure", &[], |m| m.shape("img", &[]));
    m.el("div", &[("class", "handout-next")], |m| {
        m.text_el("h2", &[], &words.at(&["sheet.next"]));
        m.el("ul", &[], |m| {
            for preset in lab.presets.iter().take(NEXT) {
                let name = words.at(&["preset", preset.key, "name"]);
                m.el("li", &[], |m| {
                    m.text_el("b", &[], &name);
                    m.text(" ");
                    m.text(&words.at(&["preset", preset.key, "text"]));
                });
            }
        });
    });
    m.el("div", &[("class", "handout-notes")], |m| m.text_el("h2", &[], &words.at(&["sheet.notes"])));
    m.text_el("footer", &[], address);
    m.finish()
}
