//! What a reader sees: texts, attributes, focus, pictures.

use std::path::PathBuf;

use serde_json::Value;

use super::act::reference;
use super::{By, Tab};
use crate::{Failure, Outcome};

impl Tab {
    /// The visible text of an element, as rendered.
    pub async fn text(&self, by: impl Into<By<'_>>) -> Result<String, Failure> {
        Ok(self.find(by).await?.element.text().await?)
    }

    /// The visible texts of every element so named at this moment.
    pub async fn texts(&self, by: impl Into<By<'_>>) -> Result<Vec<String>, Failure> {
        let mut texts = Vec::new();
        for found in self.find_all(by).await? {
            texts.push(found.element.text().await?);
        }
        Ok(texts)
    }

    /// An attribute as written in the document.
    pub async fn attr(&self, by: impl Into<By<'_>>, name: &str) -> Result<Option<String>, Failure> {
        let found = self.find(by).await?;
        // Not the driver's own command: WebKit's answers an absent attribute with an empty text.
        let script = "return arguments[0].getAttribute(arguments[1])";
        let value = self.eval(script, vec![reference(&found.element)?, name.into()]).await?;
        Ok(value.as_str().map(str::to_owned))
    }

    /// A JavaScript property, such as the current `value` of a field.
    pub async fn property(&self, by: impl Into<By<'_>>, name: &str) -> Result<Value, Failure> {
        let found = self.find(by).await?;
        self.eval("return arguments[0][arguments[1]]", vec![reference(&found.element)?, name.into()]).await
    }

    /// Whether an element so named is there now.
    pub async fn has(&self, by: impl Into<By<'_>>) -> Result<bool, Failure> {
        Ok(!self.find_all(by).await?.is_empty())
    }

    /// Role and accessible name of the focused element, such as `button "Play"`; `nothing` if the
    /// focus is on the body.
    pub async fn active_element_description(&self) -> Result<String, Failure> {
        match self.focused().await? {
            None => Ok("nothing".to_owned()),
            Some(element) => {
                Ok(format!("{} \"{}\"", self.role(&element).await?, self.label(&element).await?))
            }
        }
    }

    /// By how many CSS pixels the page is wider than its window or frame; 0 if it fits.
    pub async fn sideways_overflow(&self) -> Result<i64, Failure> {
        let script = "document.scrollingElement.scrollWidth - document.documentElement.clientWidth";
        Ok(self.value(script).await?.as_i64().unwrap_or_default().max(0))
    }

    /// Saves a picture of the window as `<name>.png` among the artefacts.
    pub async fn screenshot(&self, name: &str) -> Result<PathBuf, Failure> {
        let picture = self.client().screenshot().await?;
        self.keep(&format!("{name}.png"), &picture)
    }

    /// Saves picture, source and console for a person who wants to know why.
    pub(crate) async fn save_state(&mut self) -> Outcome {
        self.screenshot("failure").await?;
        let source = self.client().source().await?;
        self.keep("failure.html", source.as_bytes())?;
        let mut notes = format!("address {}\n", self.url().await?);
        for entry in self.console().await? {
            notes += &format!("console {:?} {}\n", entry.level, entry.text);
        }
        for request in self.site.requests() {
            notes += &format!("request {} {} {}\n", request.method, request.path, request.status);
        }
        for line in self.wall().requests() {
            notes += &format!("outside {line}\n");
        }
        self.keep("failure.txt", notes.as_bytes()).map(drop)
    }

    fn keep(&self, name: &str, content: &[u8]) -> Result<PathBuf, Failure> {
        std::fs::create_dir_all(&self.artifacts)?;
        let path = self.artifacts.join(name);
        std::fs::write(&path, content)?;
        Ok(path)
    }
}
