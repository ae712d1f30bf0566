//! Sharing, what a link could not say, and the fork bar.

use leptos::prelude::*;
use leptos::task::spawn_local;
use tokenyard_lab::link::{self, MAX_CHARS, Notice};
use tokenyard_lab::{Arg, LabSpec, Msg, msg};
use tokenyard_param::ParamError;
use tokenyard_study::link::TooLong;

use crate::app::has_lessons;
use crate::page::Kind;
use crate::platform::{clock::Debounce, dom, nav};
use crate::shell::{Shell, shell};
use crate::state::Lab;
use crate::widgets::live::{drawn, flag, list, live, text};

/// The way to a page before a class, in its present state, which `state` follows: `lab=<id>&…` or `fleet&…`.
/// A file of one lab has no lessons, and a frame is somebody's page already.
pub fn present(state: impl Fn() -> String + Send + Sync + 'static) -> Option<AnyView> {
    let shell = shell();
    let alone = cfg!(feature = "ssr") || !dom::framed();
    (alone && has_lessons(shell)).then(|| {
        let href = text(move || {
            let here = format!("view=present&states={}", state());
            shell.page.with(|page| page.link(&Kind::Teach, &here))
        });
        view! { <a class="button" href=href>{shell.t("lab.present")}</a> }.into_any()
    })
}

/// Copies a link that reproduces a page: state, model version and headline numbers. A state that is
/// too long for a link is said to be, and offered as a file.
#[component]
pub fn ShareBar(
    /// The state, if it fits into a link; `true` adds model version and headline numbers.
    link: Callback<bool, Result<String, TooLong>>,
    /// Characters of a state that was too long when it was to be copied; whoever changes the state takes
    /// them away.
    refused: RwSignal<Option<usize>>,
    /// Saves the state as a file.
    save: Callback<()>,
) -> impl IntoView {
    let shell = shell();
    let said = RwSignal::new(None::<usize>);
    let by_hand = RwSignal::new(None::<String>);
    let fade = Debounce::new(4000);
    let copy = move |_| {
        let full = link.run(true);
        refused.set(full.as_ref().err().map(|TooLong(length)| *length));
        let Ok(full) = full else { return by_hand.set(None) };
        let url = format!("{}#{full}", nav::address());
        if let Ok(plain) = link.run(false) {
            nav::replace_fragment(&plain);
        }
        spawn_local(async move {
            if nav::copy(&url).await {
                said.set(Some(url.chars().count()));
                fade.call(move || said.set(None));
            } else {
                by_hand.set(Some(url));
            }
        });
    };
    let told = move || match (refused.get(), said.get()) {
        (Some(n), _) => shell.now(&msg("link.too-long-to-share").with("n", n).with("most", MAX_CHARS)),
        (None, Some(n)) => shell.now(&msg("nav.copied").with("n", n)),
        (None, None) => String::new(),
    };
    view! {
        <div class="share">
            <button type="button" class="is-primary" on:click=copy>{shell.t("nav.share")}</button>
            <span role="status" class="share-said">{text(told)}</span>
            <button type="button" class="share-file" hidden=flag(move || refused.get().is_none()) on:click=move |_| save.run(())>
                {shell.t("file.save")}
            </button>
            {live(move || by_hand.get().map(|url| view! {
                <label class="share-hand">
                    {shell.t("nav.copy-by-hand")}
                    <input type="text" readonly value=url />
                </label>
            }))}
        </div>
    }
    .into_any()
}

/// What the link could not say, and whether its headline numbers still hold.
#[component]
pub fn Notices(
    /// State of the lab page.
    lab: Lab,
) -> impl IntoView {
    let shell = shell();
    let lines = move || {
        let lines = refused(shell, lab).into_iter().chain(said(lab));
        list("ul", lines.map(|m| shell.now(&m)))
    };
    let of_shape = shell.shape.with_value(|(_, told)| told.is_empty());
    let empty = move || of_shape && lab.notices.with(Vec::is_empty) && said(lab).is_empty();
    view! { <div class="notices" role="status" hidden=flag(empty)>{drawn("", lines)}</div> }.into_any()
}

/// What of an embed's address and of the link could not be taken over as it was.
pub(super) fn refused(shell: Shell, lab: Lab) -> Vec<Msg> {
    let mut lines = shell.shape.with_value(|(_, told)| told.clone());
    lines.extend(lab.notices.get().iter().map(|n| notice(lab.spec, n)));
    lines
}

/// What the page found out by running: a step past the end, and the headline numbers.
fn said(lab: Lab) -> Vec<Msg> {
    let beyond = lab.beyond.get().map(|step| msg("link.step").with("n", step + 1));
    beyond.into_iter().chain(promise(lab)).collect()
}

/// Same or differs, when the link carries headline numbers; older models are named.
fn promise(lab: Lab) -> Vec<Msg> {
    let (was, version) = lab.promised.get();
    let now = was.is_some().then(|| lab.table.with(link::headline));
    link::promise(version, lab.spec.model_version, was.as_deref().zip(now.as_deref()))
}

fn notice(lab: &LabSpec, notice: &Notice) -> Msg {
    told(notice, lab.model_version, |e| {
        let spec = lab.params.iter().chain(lab.views).find(|p| p.key == e.key);
        let allowed = spec.map_or_else(|| Arg::Text(e.allowed.clone()), crate::widgets::knob::allowed);
        let taken = e.nearest.clone().map_or(Arg::Msg(msg("link.default")), Arg::Text);
        msg("link.value")
            .with("key", e.key.clone())
            .with("given", e.given.clone())
            .with("allowed", allowed)
            .with("taken", taken)
    })
}

/// A notice in words; `own` is the present model version, and `value` tells of a value out of range.
pub(super) fn told(notice: &Notice, own: u32, value: impl FnOnce(&ParamError) -> Msg) -> Msg {
    match notice {
        Notice::Unknown(key) => msg("link.unknown").with("key", key.clone()),
        Notice::Repeated(key) => msg("link.repeated").with("key", key.clone()),
        Notice::TooLong(n) => msg("link.too-long").with("n", *n),
        Notice::Newer(v) => msg("link.newer").with("n", *v).with("own", own),
        Notice::NewerForm { form, own } => msg("link.newer-form").with("n", *form).with("own", *own),
        Notice::Value(error) => value(error),
    }
}

/// From here on the knobs change the future only; the old one stays as a pale line.
#[component]
pub fn Fork(
    /// State of the lab page.
    lab: Lab,
) -> impl IntoView {
    let shell = shell();
    let at = move || lab.setup.with(|s| s.fork.as_ref().map(|f| f.step + 1));
    view! {
        <div class="fork">
            <button type="button" hidden=flag(move || at().is_some()) on:click=move |_| lab.fork()>{shell.t("player.fork")}</button>
            <span role="status">{text(move || at().map_or_else(String::new, |n| shell.now(&msg("player.forked").with("n", n))))}</span>
            <button type="button" hidden=flag(move || at().is_none()) on:click=move |_| lab.unfork()>{shell.t("player.unfork")}</button>
        </div>
    }
    .into_any()
}
