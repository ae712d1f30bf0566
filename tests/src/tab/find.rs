//! Finding elements the way a reader or a screen reader would name them.

use std::fmt;
use std::time::Duration;

use fantoccini::elements::{Element, ElementRef};
use serde_json::{Value, json};

use super::Tab;
use crate::{Failure, Stopwatch};

/// How long [`Tab::find`] waits for an element to appear.
const LIMIT: Duration = Duration::from_secs(5);

/// How an element is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By<'a> {
    /// A CSS selector.
    Css(&'a str),
    /// A role and an accessible name, both as the engine computes them: `Role("button", "Play")`.
    Role(&'a str, &'a str),
    /// The innermost visible element whose whole text, spaces collapsed, is this.
    Text(&'a str),
    /// A form control with this accessible name as the engine computes it.
    Label(&'a str),
}

impl fmt::Display for By<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Css(selector) => write!(formatter, "`{selector}`"),
            Self::Role(role, name) => write!(formatter, "{role} \"{name}\""),
            Self::Text(text) => write!(formatter, "text \"{text}\""),
            Self::Label(name) => write!(formatter, "control \"{name}\""),
        }
    }
}

impl<'a> From<&'a str> for By<'a> {
    fn from(selector: &'a str) -> Self {
        Self::Css(selector)
    }
}

/// An element that was found.
#[derive(Clone, Debug)]
pub struct Found {
    pub(super) element: Element,
    /// How it was named, for messages.
    pub(super) named: String,
}

/// Visible elements whose whole text is the argument and none of whose children's is.
const BY_TEXT: &str = "
    const wanted = arguments[0], clean = node => node.textContent.replace(/\\s+/g, ' ').trim();
    return [...document.querySelectorAll('body *')].filter(node => clean(node) === wanted
        && node.getClientRects().length > 0
        && ![...node.children].some(child => clean(child) === wanted));";

/// Elements that may have the role: by its own attribute, or by a tag that implies it. What decides
/// is the role that the engine computes afterwards.
const BY_ROLE: &str = "
    const tags = { button: 'button, summary, input[type=button], input[type=submit], input[type=reset]',
        link: 'a[href], area[href]', heading: 'h1, h2, h3, h4, h5, h6', slider: 'input[type=range]',
        spinbutton: 'input[type=number]', checkbox: 'input[type=checkbox]', radio: 'input[type=radio]',
        textbox: 'input, textarea', combobox: 'select, input', listbox: 'select', option: 'option',
        table: 'table', group: 'fieldset, details, [role=group]', img: 'img, svg', image: 'img, svg',
        region: 'section', navigation: 'nav', main: 'main', banner: 'header', contentinfo: 'footer',
        status: 'output', list: 'ul, ol', dialog: 'dialog' };
    const role = arguments[0], own = `[role~=\"${role}\"]`;
    return [...document.querySelectorAll(tags[role] ? `${own}, ${tags[role]}` : own)]
        .filter(node => node.getClientRects().length > 0);";

const CONTROLS: &str = "return [...document.querySelectorAll('input, select, textarea, button, meter, output, \
    progress, [role=slider], [role=switch]')].filter(node => node.getClientRects().length > 0);";

impl Tab {
    /// The first element so named, waiting up to 5 s for it.
    pub async fn find(&self, by: impl Into<By<'_>>) -> Result<Found, Failure> {
        let by = by.into();
        let started = Stopwatch::start();
        loop {
            let found = self.find_all(by).await;
            match found {
                Ok(all) if !all.is_empty() => {
                    return all.into_iter().next().ok_or_else(|| "unreachable".into());
                }
                Ok(_) if started.past(LIMIT) => return Err(format!("there is no {by} on the page").into()),
                Err(failure) if started.past(LIMIT) => return Err(failure.during(&by.to_string())),
                // An error can mean that the page changed while it was being searched.
                _ => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }

    /// Every element so named at this moment, in document order.
    pub async fn find_all(&self, by: impl Into<By<'_>>) -> Result<Vec<Found>, Failure> {
        let by = by.into();
        let candidates = match by {
            By::Css(selector) => {
                self.elements("return [...document.querySelectorAll(arguments[0])]", json!(selector)).await?
            }
            By::Text(text) => self.elements(BY_TEXT, json!(text)).await?,
            By::Role(role, _) => self.elements(BY_ROLE, json!(role)).await?,
            By::Label(_) => self.elements(CONTROLS, Value::Null).await?,
        };
        let mut found = Vec::new();
        for element in candidates {
            let fits = match by {
                By::Css(_) | By::Text(_) => true,
                By::Role(role, name) => {
                    self.label(&element).await? == name && self.role(&element).await? == role
                }
                By::Label(name) => self.label(&element).await? == name,
            };
            if fits {
                found.push(Found { element, named: by.to_string() });
            }
        }
        Ok(found)
    }

    /// The accessible name as the engine computes it.
    pub(super) async fn label(&self, element: &Element) -> Result<String, Failure> {
        self.computed(element, "computedlabel").await
    }

    /// The role as the engine computes it.
    pub(super) async fn role(&self, element: &Element) -> Result<String, Failure> {
        self.computed(element, "computedrole").await
    }

    async fn computed(&self, element: &Element, what: &str) -> Result<String, Failure> {
        let path = format!("element/{}/{what}", &*element.element_id());
        let answer = self.session.command(http::Method::GET, &path, None).await?;
        Ok(answer.as_str().unwrap_or_default().to_owned())
    }

    async fn elements(&self, script: &str, argument: Value) -> Result<Vec<Element>, Failure> {
        let answer = self.eval(script, vec![argument]).await?;
        let client = self.client();
        Ok(answer.as_array().into_iter().flatten().filter_map(|one| element(client, one)).collect())
    }

    /// The focused element, or nothing if the focus is nowhere.
    pub(super) async fn focused(&self) -> Result<Option<Element>, Failure> {
        let script =
            "const node = document.activeElement; return node && node !== document.body ? node : null";
        Ok(element(self.client(), &self.eval(script, Vec::new()).await?))
    }
}

/// An element from its WebDriver reference.
fn element(client: &fantoccini::Client, reference: &Value) -> Option<Element> {
    let identity = reference.as_object()?.values().next()?.as_str()?;
    Some(Element::from_element_id(client.clone(), ElementRef::from(identity.to_owned())))
}
