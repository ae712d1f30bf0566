//! The panic boundary: a readable message with the link to report, never a blank page.

use wasm_bindgen::JsCast;

/// Shows the panel `#stopped` with the message and the present address. Installed once, before
/// anything else runs. The panel's words are in the page's file, in every language.
pub fn install() {
    std::panic::set_hook(Box::new(|info| {
        let message = info.to_string();
        web_sys::console::error_1(&message.as_str().into());
        let _ = show(&message);
    }));
}

fn show(message: &str) -> Option<()> {
    let window = web_sys::window()?;
    let document = window.document()?;
    let panel = document.get_element_by_id("stopped")?;
    panel.remove_attribute("hidden").ok()?;
    let lang = document.document_element()?.get_attribute("lang").unwrap_or_default();
    let words = panel.query_selector(&format!("div[lang=\"{lang}\"]")).ok().flatten();
    words.map(|w| w.remove_attribute("hidden"));
    document.get_element_by_id("stopped-message")?.set_text_content(Some(message));
    let link: web_sys::HtmlInputElement = document.get_element_by_id("stopped-link")?.dyn_into().ok()?;
    link.set_value(&window.location().href().ok()?);
    Some(())
}
