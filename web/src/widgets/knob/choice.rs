//! Everything that is not a number: switches, choices, free text.

use leptos::prelude::*;
use tokenyard_param::{Kind, Value};

use super::Handle;
use crate::widgets::live::{flag, text};

/// A switch.
#[component]
pub fn Toggle(
    /// The parameter.
    handle: Handle,
) -> impl IntoView {
    view! {
        <label class="check">
            <input
                type="checkbox"
                prop:checked=flag(move || handle.value() == Value::Switch(true))
                checked=untrack(|| handle.value()) == Value::Switch(true)
                on:change:target=move |event| handle.set(Value::Switch(event.target().checked()))
            />
            {handle.word("name")}
        </label>
    }
    .into_any()
}

/// A choice: buttons side by side while there are few, a list otherwise.
#[component]
pub fn Options(
    /// The parameter.
    handle: Handle,
) -> impl IntoView {
    let spec = handle.spec;
    let Kind::Choice { options, .. } = spec.kind else {
        return ().into_any();
    };
    let label = handle.id();
    let chosen = move |i: usize| handle.value() == Value::Choice(i as u8);
    if options.len() > 3 {
        let items = options.iter().enumerate().map(|(i, option)| {
            view! {
                <option value=i.to_string() selected=flag(move || chosen(i))>{handle.word(option)}</option>
            }
        });
        let change = move |text: String| handle.set(Value::Choice(text.parse().unwrap_or(0)));
        return view! {
            <select aria-labelledby=label on:change:target=move |event| change(event.target().value())>
                {items.collect_view()}
            </select>
        }
        .into_any();
    }
    let items = options.iter().enumerate().map(|(i, option)| {
        view! {
            <button
                type="button"
                aria-pressed=text(move || chosen(i).to_string())
                on:click=move |_| handle.set(Value::Choice(i as u8))
            >
                {handle.word(option)}
            </button>
        }
    });
    view! { <div class="segments" role="group" aria-labelledby=label>{items.collect_view()}</div> }.into_any()
}

/// Free text.
#[component]
pub fn Free(
    /// The parameter.
    handle: Handle,
) -> impl IntoView {
    let Kind::Text { max_chars, .. } = handle.spec.kind else {
        return ().into_any();
    };
    view! {
        <input
            type="text"
            class="free"
            autocomplete="off"
            maxlength=max_chars.to_string()
            aria-labelledby=handle.id()
            prop:value=text(move || handle.spec.kind.write(&handle.value()))
            on:change:target=move |event| handle.typed(&event.target().value())
        />
    }
    .into_any()
}
