//! A state taken along: table and series, transcript, figure, a sheet of paper. Made in this tab.

use js_sys::Uint8Array;
use leptos::prelude::*;
use leptos::task::spawn_local;
use tokenyard_export::{Export, Source, write};
use tokenyard_lab::link::{self, State};
use tokenyard_lab::{LabSpec, msg};
use wasm_bindgen::JsValue;

use super::{handout, png};
use crate::platform::{nav, save};
use crate::shell::shell;
use crate::widgets::live::{flag, text};

/// What a button makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Made {
    /// A file that the command line makes too, byte by byte.
    Text(Export),
    /// A figure, drawn by this browser.
    Png(Export),
    /// The handout, printed.
    Handout,
}

impl Made {
    /// All of them with the keys of their names, in the order of the buttons.
    const ALL: [(Self, &'static str); 9] = [
        (Self::Text(Export::TableCsv), "export.table"),
        (Self::Text(Export::SeriesCsv), "export.series"),
        (Self::Text(Export::Json), "export.json"),
        (Self::Text(Export::Markdown), "export.markdown"),
        (Self::Text(Export::Svg), "export.svg"),
        (Self::Text(Export::SvgDark), "export.svg-dark"),
        (Self::Png(Export::Svg), "export.png"),
        (Self::Png(Export::SvgDark), "export.png-dark"),
        (Self::Handout, "export.handout"),
    ];
}

/// One button for each thing that can be made, and what became of the last one.
#[component]
pub fn Exports(
    /// The lab.
    lab: &'static LabSpec,
    /// The state, as its link has it.
    fragment: String,
    /// Answers of the lab's sweep so far.
    sweep: Vec<Vec<f64>>,
) -> impl IntoView {
    let shell = shell();
    // A link of the page's own: nothing in it can be unusable.
    let state = StoredValue::new((link::read(lab, &fragment).0, sweep));
    let said = RwSignal::new(String::new());
    let make = move |made: Made| {
        said.set(String::new());
        spawn_local(async move {
            let (state, sweep) = state.get_value();
            let words = shell.words.get_untracked();
            let site = shell.page.with_untracked(|page| (!page.single).then(|| nav::absolute(&page.root)));
            let source = Source { lab, state: &state, words: &words, site: site.as_deref(), sweep: &sweep };
            let done = make(&source, made).await;
            said.set(words.say(&match done {
                Some(name) if name.is_empty() => return,
                Some(name) => msg("export.saved").with("name", name),
                None => msg("export.failed"),
            }));
        });
    };
    let buttons = Made::ALL.map(|(made, key)| {
        view! { <li><button type="button" data-export=id(made) on:click=move |_| make(made)>{shell.t(key)}</button></li> }
    });
    view! {
        <h3>{shell.t("export.title")}</h3>
        <ul class="export-list">{buttons.collect_view()}</ul>
        <p class="note">{shell.t("export.note")}</p>
        <p role="status" hidden=flag(move || said.with(String::is_empty))>{text(move || said.get())}</p>
    }
    .into_any()
}

/// Names the thing in the document.
fn id(made: Made) -> &'static str {
    match made {
        Made::Text(export) => export.id(),
        Made::Png(Export::SvgDark) => "png-dark",
        Made::Png(_) => "png",
        Made::Handout => "handout",
    }
}

/// Makes it and hands it to the browser; the name of the file, none of a print. `None` where the
/// browser refuses.
async fn make(source: &Source<'_>, made: Made) -> Option<String> {
    let Source { lab, state, .. } = *source;
    let text = |export| write(export, source).ok();
    let (name, content, media): (String, JsValue, &str) = match made {
        Made::Text(export) => (export.file_name(lab, state), text(export)?.into(), export.media_type()),
        Made::Png(figure) => {
            let bytes = png::png(&text(figure)?).await?;
            let name = figure.file_name(lab, state);
            (name.replace(".svg", ".png"), Uint8Array::from(&bytes[..]).into(), "image/png")
        }
        Made::Handout => {
            // Others write their guesses on it.
            let state = State { guess: None, ..state.clone() };
            handout::print(&Source { state: &state, ..*source }).await?;
            return Some(String::new());
        }
    };
    save::save(&name, &save::blob(&content, media)?)?;
    Some(name)
}
