//! Text with glossary terms: `[[skew]]` or `[[skew|the skew]]`.

use leptos::prelude::*;
use tokenyard_lab::Words;

use crate::shell::shell;

/// A piece of rich text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    /// Shown words, and the term's explanation.
    Term(String, String),
}

fn pieces(text: &str, words: &Words) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("[[") {
        let Some((inner, tail)) = after.split_once("]]") else {
            break;
        };
        let (term, shown) = inner.split_once('|').unwrap_or((inner, ""));
        let shown = if shown.is_empty() { words.at(&["term", term, "name"]) } else { shown.to_owned() };
        out.push(Piece::Text(before.to_owned()));
        out.push(Piece::Term(shown, words.at(&["term", term, "text"])));
        rest = tail;
    }
    out.push(Piece::Text(rest.to_owned()));
    out
}

/// Rich text that follows the language.
#[component]
pub fn Rich(
    /// The text, with its terms in double brackets.
    #[prop(into)]
    text: Signal<String>,
) -> impl IntoView {
    let shell = shell();
    move || {
        let pieces = shell.words.with(|w| pieces(&text.get(), w));
        pieces
            .into_iter()
            .map(|piece| match piece {
                Piece::Text(text) => text.into_any(),
                Piece::Term(shown, text) => view! { <Term shown text /> }.into_any(),
            })
            .collect_view()
    }
}

/// A term with its one line: on hover, on focus and on tap; Escape closes it.
#[component]
fn Term(shown: String, text: String) -> impl IntoView {
    let open = RwSignal::new(false);
    // Closed by hand although the pointer or the focus is still there.
    let shut = RwSignal::new(false);
    view! {
        <span class="term" class:is-open=open class:is-shut=shut on:mouseleave=move |_| shut.set(false)>
            <button
                type="button"
                class="term-name"
                aria-expanded=move || open.get().to_string()
                on:click=move |_| {
                    open.update(|o| *o = !*o);
                    shut.set(false);
                }
                on:blur=move |_| {
                    open.set(false);
                    shut.set(false);
                }
                on:keydown=move |event| {
                    if event.key() == "Escape" {
                        open.set(false);
                        shut.set(true);
                    }
                }
            >
                {shown}
            </button>
            <span class="term-text" role="note">
                {text}
            </span>
        </span>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_found_and_the_rest_is_kept() {
        let words: Words = [("term.skew.name", "skew"), ("term.skew.text", "max − min")]
            .map(|(k, v)| (k.into(), v.into()))
            .into_iter()
            .collect();
        let term = |shown: &str| Piece::Term(shown.into(), "max − min".into());
        let text = |t: &str| Piece::Text(t.into());
        assert_eq!(
            pieces("a [[skew]] b [[skew|gap]].", &words),
            [text("a "), term("skew"), text(" b "), term("gap"), text(".")]
        );
        assert_eq!(pieces("open [[ only", &words), [text("open [[ only")]);
    }
}
