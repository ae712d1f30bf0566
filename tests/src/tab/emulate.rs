//! The reader's machine: window, colours, motion, speed.

use std::time::Duration;

use serde_json::{Value, json};

use super::Tab;
use crate::{Failure, Outcome};

/// Size of the window in which journeys begin, in CSS pixels, borders included.
const WINDOW: (u32, u32) = (1280, 900);

/// What the system tells the page about the reader's wishes. The default is light, with motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Emulation {
    /// `prefers-color-scheme: dark`.
    pub dark: bool,
    /// `prefers-reduced-motion: reduce`.
    pub reduced_motion: bool,
}

impl Emulation {
    /// The value of `prefers-color-scheme`.
    #[must_use]
    pub fn scheme(self) -> &'static str {
        if self.dark { "dark" } else { "light" }
    }

    /// The value of `prefers-reduced-motion`.
    #[must_use]
    pub fn motion(self) -> &'static str {
        if self.reduced_motion { "reduce" } else { "no-preference" }
    }
}

impl Tab {
    /// Changes what the system tells the page, in all three engines and while the page is open.
    /// Returns when the page's own media queries agree.
    pub async fn emulate(&mut self, emulation: Emulation) -> Outcome {
        self.session.emulate(emulation).await?;
        let script = format!(
            "matchMedia('(prefers-color-scheme: {})').matches && matchMedia('(prefers-reduced-motion: {})').matches",
            emulation.scheme(),
            emulation.motion()
        );
        self.wait_until("the page sees the emulated system", &script, Duration::from_secs(5)).await
    }

    /// Makes the window this large. Firefox stops near 500 px of width, WebKit near 450 px: use
    /// [`Tab::in_frame`] for phones.
    pub async fn resize(&mut self, width: u32, height: u32) -> Outcome {
        Ok(self.client().set_window_size(width, height).await?)
    }

    /// Hides the page by minimising its window and waits until the page knows.
    pub async fn minimize(&mut self) -> Outcome {
        self.client().minimize_window().await?;
        self.wait_until("the page is hidden", "document.visibilityState === 'hidden'", Duration::from_secs(5))
            .await
    }

    /// Shows the page again, in the size in which journeys begin, and waits until it knows.
    pub async fn restore(&mut self) -> Outcome {
        self.client().set_window_rect(0, 0, WINDOW.0, WINDOW.1).await?;
        let shown = "document.visibilityState === 'visible'";
        self.wait_until("the page is shown", shown, Duration::from_secs(5)).await
    }

    /// Slows the processor down `rate` times until the journey ends or asks for 1. Chromium only:
    /// an error elsewhere.
    pub async fn throttle_cpu(&mut self, rate: f64) -> Outcome {
        self.devtools("Emulation.setCPUThrottlingRate", json!({ "rate": rate })).await.map(drop)
    }

    /// One command of the DevTools protocol, and its answer. Chromium only: an error elsewhere.
    /// What it changes lasts until the browser ends, so whoever calls it undoes it.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Result<Value, Failure> {
        self.session.devtools(command, parameters).await
    }

    /// Sets the size of the root's text in percent of the reader's default, as a reader does who
    /// enlarges text only.
    pub async fn text_size(&mut self, percent: u32) -> Outcome {
        self.eval(
            "document.documentElement.style.fontSize = arguments[0]",
            vec![format!("{percent}%").into()],
        )
        .await
        .map(drop)
    }

    /// The page as PDF. An error in WebKit, whose driver cannot print: ask
    /// [`crate::Engine::prints`] first.
    pub async fn print(&mut self) -> Result<Vec<u8>, Failure> {
        let configuration = fantoccini::wd::PrintConfiguration::default();
        Ok(self.client().print(configuration).await?)
    }

    /// The same on paper of a width and a height in centimetres.
    pub async fn print_on(&mut self, width: f64, height: f64) -> Result<Vec<u8>, Failure> {
        let size = fantoccini::wd::PrintSize { width, height };
        let configuration = fantoccini::wd::PrintConfiguration::builder().size(size).build();
        let configuration = configuration.map_err(|error| Failure::new(error.to_string()))?;
        Ok(self.client().print(configuration).await?)
    }
}
