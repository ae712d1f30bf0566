//! The instructor checks codes of finished tasks, a learner a line.

use std::sync::Arc;

use leptos::prelude::*;
use tokenyard_lab::luck::SEEDS;
use tokenyard_lab::{Arg, Markup, Msg, Words, msg};
use tokenyard_lesson::Lesson;
use tokenyard_lesson::code::{Answer, Checked, Finished, MAX_TEXT, Why, check};

use crate::platform::clock::Debounce;
use crate::shell::shell;
use crate::widgets::live::{drawn, flag, text};
use crate::widgets::table::heads;

/// Checks lines of words and codes as they are given.
#[component]
pub fn Verify(
    /// The lesson.
    lesson: Arc<Lesson>,
    /// The step whose task it is.
    step: String,
) -> impl IntoView {
    let shell = shell();
    let given = RwSignal::new(String::new());
    let wrong_only = RwSignal::new(false);
    // Nobody wants to hear of half a line.
    let settled = Debounce::new(400);
    let lines = Memo::new(move |_| given.with(|given| check(&lesson, &step, given)));
    let rows = move || shell.words.with(|words| lines.with(|lines| rows(lines, wrong_only.get(), words)));
    let counts = move || {
        let said = lines.with(|lines| counts(lines, given.with(String::len)));
        said.iter().map(|m| shell.now(m)).collect::<Vec<_>>().join(" ")
    };
    let empty = flag(move || lines.with(Vec::is_empty));
    view! {
        <section class="card verify" aria-label=shell.t("class.verify")>
            <h3 class="card-title">{shell.t("class.verify")}</h3>
            <label class="collect-field">
                <span>{shell.t("class.verify-lines")}</span>
                <textarea
                    rows="5"
                    spellcheck="false"
                    autocomplete="off"
                    on:input:target=move |event| {
                        let text = event.target().value();
                        settled.call(move || given.set(text));
                    }
                ></textarea>
            </label>
            <p class="note">{shell.t("class.verify-help")}</p>
            <p role="status" class="collect-said">{text(counts)}</p>
            <label class="check" hidden=empty>
                <input
                    type="checkbox"
                    prop:checked=wrong_only
                    on:change:target=move |event| wrong_only.set(event.target().checked())
                />
                {shell.t("class.wrong-only")}
            </label>
            <div class="table-box" tabindex="0" role="group" aria-label=shell.t("class.answer") hidden=empty>
                {drawn("", rows)}
            </div>
        </section>
    }
    .into_any()
}

fn is_fine(checked: &Checked) -> bool {
    matches!(checked.answer, Answer::Fine { .. })
}

/// How many lines hold; of a text of `bytes`.
fn counts(lines: &[Checked], bytes: usize) -> Vec<Msg> {
    let fine = lines.iter().filter(|line| is_fine(line)).count();
    let long = (bytes > MAX_TEXT).then(|| Why::Long.msg());
    let wrong = lines.len() - fine;
    let counted = (!lines.is_empty()).then(|| msg("class.fine-count").with("n", fine));
    let others = (wrong > 0).then(|| msg("class.wrong-count").with("n", wrong));
    [counted, others, long].into_iter().flatten().collect()
}

/// What is said of one line.
fn say(answer: &Answer) -> Vec<Msg> {
    match answer {
        Answer::Fine { how, same } => {
            let same = same.map(|line| msg("class.same").with("line", line));
            std::iter::once(finished(*how)).chain(same).collect()
        }
        Answer::Refused(why) => vec![why.msg()],
        Answer::NoWord => vec![msg("class.no-word")],
        Answer::NoCode => vec![msg("class.no-code")],
    }
}

fn finished(how: Finished) -> Msg {
    let changes = u32::from(how.changes);
    match how.passes {
        Some(passes) => msg("class.fine").with("n", changes).with("passes", passes).with("of", SEEDS),
        None => msg("class.fine-pinned").with("n", changes),
    }
}

/// The lines as a table, in their order.
fn rows(lines: &[Checked], wrong_only: bool, words: &Words) -> String {
    let mut m = Markup::default();
    m.el("table", &[("class", "verified")], |m| {
        let keys = ["class.line", "class.word-head", "class.code-head", "class.answer"];
        heads(m, keys.into_iter().map(|key| words.at(&[key])));
        m.el("tbody", &[], |m| {
            lines.iter().filter(|line| !(wrong_only && is_fine(line))).for_each(|line| row(m, line, words));
        });
    });
    m.finish()
}

fn row(m: &mut Markup, line: &Checked, words: &Words) {
    let fine = is_fine(line);
    m.el("tr", &[("class", if fine { "is-fine" } else { "is-wrong" })], |m| {
        m.text_el("th", &[("scope", "row")], &words.arg(&Arg::from(line.line)));
        m.text_el("td", &[], &line.word);
        m.text_el("td", &[("class", "verified-code"), ("translate", "no")], &line.code);
        m.el("td", &[], |m| {
            m.text_el(
                "span",
                &[("class", "verified-mark"), ("aria-hidden", "true")],
                if fine { "✓ " } else { "✗ " },
            );
            let said: Vec<String> = say(&line.answer).iter().map(|m| words.say(m)).collect();
            m.text(&said.join(" "));
        });
    });
}
