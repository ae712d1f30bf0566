//! The frame around every page: header, the page, footer.

use leptos::prelude::*;
use tokenyard_lab::labs::LABS;
use tokenyard_lab::{Section, msg};

use crate::page::{Kind, Program};
use crate::pages::{embed::EmbedPage, fleet::FleetPage, home::Home, lab::LabPage, proof::Proof};
use crate::platform::store;
use crate::shell::{Colours, Shell, shell};
use crate::teach::TeachPage;
use crate::widgets::icon::{Icon, Shape};
use crate::widgets::live::{flag, follow, text};
use crate::widgets::open::OpenFile;

/// Every page: for the page generator, whose program no reader loads.
#[cfg(feature = "ssr")]
#[must_use]
pub fn every(kind: Kind) -> AnyView {
    if kind == Kind::Teach { teach(kind) } else { all(kind) }
}

/// Makes the view of a page. Every program has its own, so that its module holds no other pages.
pub type Pages = fn(Kind) -> AnyView;

/// Pages of [`Program::Labs`]. The others are followed as documents.
#[must_use]
pub fn labs(kind: Kind) -> AnyView {
    match kind {
        Kind::Lab(spec) | Kind::Preset(spec, _) => view! { <LabPage spec /> }.into_any(),
        Kind::Embed(spec) => view! { <EmbedPage spec /> }.into_any(),
        _ => view! { <Home /> }.into_any(),
    }
}

/// Home, labs and lessons.
#[must_use]
pub fn teach(kind: Kind) -> AnyView {
    match kind {
        Kind::Teach => view! { <TeachPage /> }.into_any(),
        other => labs(other),
    }
}

/// All pages but lessons.
#[must_use]
pub fn all(kind: Kind) -> AnyView {
    match kind {
        Kind::Fleet => view! { <FleetPage /> }.into_any(),
        Kind::Proof => view! { <Proof /> }.into_any(),
        other => labs(other),
    }
}

/// The application of one lab's embed, and no other page.
#[must_use]
pub fn embed(shell: Shell) -> AnyView {
    provide_context(shell);
    follow_choices(shell);
    let page = shell.page.with_untracked(|page| page.kind.lab()).map(|spec| view! { <EmbedPage spec /> });
    view! { <main id="main">{page}</main> }.into_any()
}

/// The application. `shell` is made once by whoever mounts or renders it.
#[component]
pub fn App(
    /// Shared state.
    shell: Shell,
    /// The program's pages.
    pages: Pages,
) -> impl IntoView {
    provide_context(shell);
    follow_choices(shell);
    let page = move || pages(shell.page.get().kind);
    let single = shell.page.with_untracked(|page| page.single);
    if shell.is_embed() {
        return view! { <main id="main">{page}</main> }.into_any();
    }
    view! {
        <a class="skip" href="#main">{shell.t("nav.skip")}</a>
        <Header />
        <main id="main" tabindex="-1">{page}</main>
        <footer class="foot">
            <span>{shell.t("nav.foot")}</span>
            <OpenFile />
            // Loaded as a whole: the digests to compare with are in its file.
            {(!single).then(|| view! {
                <a href=text(move || shell.page.with(|p| p.href(&Kind::Proof)))>{shell.t("nav.proof")}</a>
            })}
        </footer>
    }
    .into_any()
}

/// Keeps the document's language, colours and title equal to the state, and remembers choices.
fn follow_choices(shell: Shell) {
    use crate::platform::dom::root_attribute;
    follow(move |first| {
        let lang = shell.lang.get();
        root_attribute("lang", Some(&lang));
        if !first && !shell.is_embed() {
            store::set("lang", Some(&lang));
        }
    });
    follow(move |first| {
        let colours = shell.colours.get();
        root_attribute("data-theme", colours.id());
        if !first && !shell.is_embed() {
            store::set("theme", colours.id());
        }
    });
    follow(move |_| {
        let kind = shell.page.with(|p| p.kind);
        let (title, site) = shell.words.with(|w| (kind.title(w), w.at(&["site"])));
        if let Some(document) = crate::platform::dom::document() {
            document.set_title(&format!("{title} · {site}"));
        }
        shell.page.with(|p| root_attribute("data-page", Some(&p.kind.id())));
    });
}

#[component]
fn Header() -> impl IntoView {
    let shell = shell();
    let single = shell.page.with_untracked(|page| page.single);
    view! {
        <header class="head">
            <a class="brand" data-go href=text(move || shell.page.with(|p| p.href(&Kind::Home)))>{shell.t("site")}</a>
            <nav class="sections" aria-label=shell.t("nav.labs")>
                <ul>
                    {Section::ALL.iter().filter_map(|s| section_link(shell, *s)).collect_view()}
                    {(!single).then(|| page_link(shell, Kind::Fleet, "nav.fleet", move |kind| *kind == Kind::Fleet))}
                    {has_lessons(shell).then(|| page_link(shell, Kind::Teach, "nav.teach", move |kind| *kind == Kind::Teach))}
                </ul>
            </nav>
            <div class="head-actions">
                <Languages />
                <ColoursButton />
            </div>
        </header>
    }
    .into_any()
}

/// Whether there is a page of lessons: a file of one lab has none.
pub(crate) fn has_lessons(shell: Shell) -> bool {
    shell.program == Program::Teach || !shell.page.with_untracked(|page| page.single)
}

/// A link to the first lab of a group that has one.
fn section_link(shell: Shell, section: Section) -> Option<AnyView> {
    let first = LABS.iter().find(|l| l.section == section)?;
    let here = move |kind: &Kind| kind.lab().is_some_and(|l| l.section == section);
    Some(page_link(shell, Kind::Lab(first), section.key(), here))
}

/// A link to a page, marked while the reader is where it leads.
fn page_link(
    shell: Shell,
    to: Kind,
    name: &'static str,
    here: impl Fn(&Kind) -> bool + Send + Sync + 'static,
) -> AnyView {
    let current = flag(move || shell.page.with(|page| here(&page.kind)));
    view! {
        <li>
            <a
                data-go
                href=text(move || shell.page.with(|p| p.href(&to)))
                aria-current=move || current.get().then_some("true")
            >
                {shell.t(name)}
            </a>
        </li>
    }
    .into_any()
}

/// One button for each other language, in its own words.
#[component]
pub fn Languages() -> impl IntoView {
    let shell = shell();
    move || {
        let (page, lang) = (shell.page.get(), shell.lang.get());
        let others = page.languages.into_iter().filter(|(code, _)| *code != lang);
        let button = |(code, words): (String, std::sync::Arc<tokenyard_lab::Words>)| {
            let choose = code.clone();
            view! {
                <button type="button" lang=code on:click=move |_| shell.lang.set(choose.clone())>
                    {words.at(&["language"])}
                </button>
            }
        };
        others.map(button).collect_view()
    }
}

#[component]
fn ColoursButton() -> impl IntoView {
    let shell = shell();
    let name = move || {
        let choice = shell.colours.get().key();
        shell.now(&msg("nav.colours").with("choice", msg(choice)))
    };
    view! {
        <button
            type="button"
            class="colours"
            aria-label=name
            title=name
            on:click=move |_| shell.colours.update(|c| *c = Colours::next(*c))
        >
            <Icon shape=Shape::Colours />
        </button>
    }
    .into_any()
}
