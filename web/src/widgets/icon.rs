//! Icons as inline SVG; no icon fonts.

use leptos::prelude::*;

use super::live::text;

/// Which icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Back to the start.
    Restart,
    /// One step back.
    Back,
    /// Play.
    Play,
    /// Pause.
    Pause,
    /// One step on.
    Forward,
    /// Repeat.
    Repeat,
    /// Half light, half dark.
    Colours,
    /// Out of this page, into one of its own.
    Out,
}

impl Shape {
    fn path(self) -> &'static str {
        match self {
            Self::Restart => "M4 3h2v10H4zM13 3v10L7 8z",
            Self::Back => "M11 3v10L5 8z",
            Self::Play => "M5 3v10l8-5z",
            Self::Pause => "M4 3h3v10H4zM9 3h3v10H9z",
            Self::Forward => "M5 3v10l6-5z",
            Self::Repeat => "M8 3a5 5 0 1 0 4.7 6.7h-1.6A3.5 3.5 0 1 1 8 4.5V7l4-3-4-3z",
            Self::Colours => "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm0 1.5v9a4.5 4.5 0 0 1 0-9z",
            Self::Out => "M9 2h5v5h-1.5V4.6L7 10 6 9l5.4-5.5H9zM3 4h4v1.5H4.5v6h6V9H12v4H3z",
        }
    }
}

/// An icon in the colour of the text around it; its button carries the name.
#[component]
pub fn Icon(
    /// Which one; may change.
    #[prop(into)]
    shape: Signal<Shape>,
) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
            <path d=text(move || shape.get().path().to_owned()) fill-rule="evenodd"></path>
        </svg>
    }
    .into_any()
}
