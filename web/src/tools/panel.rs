//! The link with its length, and what to paste into which place, with a preview.

use leptos::prelude::*;
use tokenyard_lab::{LabSpec, msg};

use super::export::Exports;
use super::place::{Embedding, Place, Site, height};
use super::request::Written;
use crate::frame::Ui;
use crate::page::Kind;
use crate::platform::nav;
use crate::shell::{Shell, shell};
use crate::widgets::copy::Copied;
use crate::widgets::live::{self, flag, live, text};

/// Colours to choose from, with the keys of their names.
const THEMES: [(&str, &str); 3] =
    [("auto", "share.theme-auto"), ("light", "share.theme-light"), ("dark", "share.theme-dark")];

/// What is chosen in the dialog. Handles only, so it is `Copy`.
#[derive(Clone, Copy)]
struct Choice {
    shell: Shell,
    lab: &'static LabSpec,
    ui: RwSignal<Ui>,
    theme: RwSignal<Option<&'static str>>,
    lang: RwSignal<Option<String>>,
    place: RwSignal<Place>,
    state: StoredValue<Written>,
}

impl Choice {
    fn embedding(self) -> Embedding {
        Embedding {
            site: self.shell.page.with(|page| match page.single {
                true => Site::File(nav::address()),
                false => Site::Folder(nav::absolute(&page.root)),
            }),
            lab: self.lab,
            title: self.shell.t("title").get(),
            ui: self.ui.get(),
            theme: self.theme.get(),
            lang: self.lang.get(),
            state: self.state.with_value(|state| state.short.clone()),
        }
    }

    /// The lab's own page with the state, its model version and its headline numbers.
    fn link(self) -> String {
        let state = self.state.with_value(|state| state.full.clone());
        nav::absolute(&self.shell.page.with(|page| page.link(&Kind::Lab(self.lab), &state)))
    }
}

/// The body of the dialog for a state of a lab.
#[component]
pub fn Panel(
    /// The lab.
    lab: &'static LabSpec,
    /// The state that was shown when the dialog was opened.
    state: Written,
    /// Answers of the lab's sweep so far.
    sweep: Vec<Vec<f64>>,
) -> impl IntoView {
    let fragment = state.full.clone();
    let choice = Choice {
        shell: shell(),
        lab,
        ui: RwSignal::new(Ui::Lab),
        theme: RwSignal::new(None),
        lang: RwSignal::new(None),
        place: RwSignal::new(Place::Iframe),
        state: StoredValue::new(state),
    };
    view! {
        <Link choice />
        <Exports lab fragment sweep />
        <Embed choice />
    }
    .into_any()
}

/// The link and its length.
#[component]
fn Link(choice: Choice) -> impl IntoView {
    let shell = choice.shell;
    let length = move || {
        let n = choice.link().chars().count();
        shell.now(&msg("share.length").with("n", n))
    };
    view! {
        <label class="share-field">
            <span>{shell.t("share.link")}</span>
            <input type="text" readonly id="share-link" prop:value=text(move || choice.link()) />
        </label>
        <p class="share-row">
            <Copy text=Signal::derive(move || choice.link()) />
            <span class="note">{text(length)} " " {shell.t("share.holds")}</span>
        </p>
    }
    .into_any()
}

/// What to paste where.
#[component]
fn Embed(choice: Choice) -> impl IntoView {
    let shell = choice.shell;
    let place_name = move |place: Place| match place.name() {
        Ok(name) => Signal::stored(name.to_owned()),
        Err(key) => shell.t(key),
    };
    let single = shell.page.with_untracked(|page| page.single);
    let places = Place::ALL.into_iter().filter(|place| !(single && place.needs_folder())).map(|place| {
        view! { <option value=place.id() selected=place == choice.place.get_untracked()>{place_name(place)}</option> }
    });
    let snippet = Signal::derive(move || choice.embedding().snippet(choice.place.get()));
    let rows = text(move || (snippet.with(|text| text.lines().count()) + 2).to_string());
    let note = move || shell.t(choice.place.get().note()).get();
    view! {
        <h3>{shell.t("share.embed")}</h3>
        <div class="share-choices">
            <Choose name="share.ui" options=Ui::ALL.map(|ui| (ui.id(), ui.key())).to_vec()
                chosen=Signal::derive(move || choice.ui.get().id().to_owned())
                choose=Callback::new(move |id: String| choice.ui.set(Ui::ALL.into_iter().find(|u| u.id() == id).unwrap_or(Ui::Lab))) />
            <Choose name="share.theme" options=THEMES.to_vec()
                chosen=Signal::derive(move || choice.theme.get().unwrap_or("auto").to_owned())
                choose=Callback::new(move |id: String| choice.theme.set(["light", "dark"].into_iter().find(|t| *t == id))) />
            <Languages choice />
            <label class="share-field">
                <span>{shell.t("share.where")}</span>
                <select id="share-place" on:change:target=move |event| {
                    let id = event.target().value();
                    choice.place.set(Place::ALL.into_iter().find(|p| p.id() == id).unwrap_or(Place::Iframe));
                }>{places.collect_view()}</select>
            </label>
        </div>
        <label class="share-field">
            <span class="visually-hidden">{shell.t("share.snippet")}</span>
            <textarea readonly id="share-snippet" spellcheck="false" rows=rows prop:value=snippet></textarea>
        </label>
        <p class="share-row"><Copy text=snippet /> <span class="note">{text(note)}</span></p>
        <Preview choice />
    }
    .into_any()
}

/// A list to choose from: identifiers with the keys of their names.
#[component]
fn Choose(
    name: &'static str,
    options: Vec<(&'static str, &'static str)>,
    chosen: Signal<String>,
    choose: Callback<String>,
) -> impl IntoView {
    let shell = shell();
    let options = options.into_iter().map(|(id, key)| {
        view! { <option value=id selected=chosen.get_untracked() == id>{shell.t(key)}</option> }
    });
    view! {
        <label class="share-field">
            <span>{shell.t(name)}</span>
            <select on:change:target=move |event| choose.run(event.target().value())>{options.collect_view()}</select>
        </label>
    }
    .into_any()
}

/// The reader's own language, or one for all.
#[component]
fn Languages(choice: Choice) -> impl IntoView {
    let shell = choice.shell;
    let languages = shell.page.with_untracked(|page| page.languages.clone());
    let option = |(code, words): (String, std::sync::Arc<tokenyard_lab::Words>)| {
        view! { <option value=code.clone() lang=code>{words.at(&["language"])}</option> }
    };
    view! {
        <label class="share-field">
            <span>{shell.t("share.lang")}</span>
            <select on:change:target=move |event| choice.lang.set(Some(event.target().value()).filter(|l| !l.is_empty()))>
                <option value="">{shell.t("share.lang-reader")}</option>
                {languages.into_iter().map(option).collect_view()}
            </select>
        </label>
    }
    .into_any()
}

/// The frame as it will be; not inside an embed, which would frame itself, and not where a browser takes
/// every file for a site of its own.
#[component]
fn Preview(choice: Choice) -> impl IntoView {
    let shell = choice.shell;
    let frame = move || {
        let embedding = choice.embedding();
        view! {
            <iframe class="share-frame" title=shell.t("share.preview") src=embedding.frame() height=height(embedding.ui).to_string()></iframe>
        }
    };
    (!shell.is_embed() && !shell.page.with_untracked(|page| page.single)).then(|| {
        view! {
            <h3>{shell.t("share.preview")}</h3>
            <div class="share-preview">{live(frame)}</div>
        }
    })
}

/// Copies a text and says so; where the browser refuses, it says how else.
#[component]
fn Copy(text: Signal<String>) -> impl IntoView {
    let shell = shell();
    let copied = Copied::of(text);
    let words = move || match copied.done.get() {
        None => String::new(),
        Some(true) => shell.t("share.copied").get(),
        Some(false) => shell.t("share.by-hand").get(),
    };
    view! {
        <button type="button" on:click=move |_| copied.copy()>{shell.t("share.copy")}</button>
        <span role="status" class="note" hidden=flag(move || copied.done.get().is_none())>{live::text(words)}</span>
    }
    .into_any()
}
