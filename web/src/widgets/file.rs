//! A label that chooses a file.

use leptos::prelude::*;
use web_sys::File;

/// Words and a field; `take` gets the file that is chosen, and gets it again if it is chosen again.
#[component]
pub fn ChooseFile(
    /// What it says.
    name: Signal<String>,
    /// Class of the label.
    class: &'static str,
    /// Class of the field; its own look without one.
    #[prop(default = "visually-hidden")]
    field: &'static str,
    /// Kinds of files, as the attribute has them; all without any.
    #[prop(default = "")]
    accept: &'static str,
    /// Takes the file.
    take: Callback<File>,
) -> impl IntoView {
    view! {
        <label class=class>
            {name}
            <input
                type="file"
                class=field
                accept=accept
                on:change:target=move |event| {
                    let input = event.target();
                    if let Some(file) = input.files().and_then(|files| files.get(0)) {
                        take.run(file);
                    }
                    // The same file can be chosen again.
                    input.set_value("");
                }
            />
        </label>
    }
    .into_any()
}
