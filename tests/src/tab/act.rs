//! What a reader does: click, type, drag, walk with the Tab key.

use std::time::Duration;

use fantoccini::actions::{
    Actions, InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction,
};
use fantoccini::elements::Element;
use serde_json::{Value, json};

use super::{By, Found, Tab};
use crate::{Failure, Outcome, Stopwatch};

/// Keys by their DOM names, as WebDriver encodes them.
const KEYS: &[(&str, char)] = &[
    ("Tab", '\u{e004}'),
    ("Enter", '\u{e007}'),
    ("Shift", '\u{e008}'),
    ("Control", '\u{e009}'),
    ("Alt", '\u{e00a}'),
    ("Escape", '\u{e00c}'),
    ("Space", ' '),
    ("PageUp", '\u{e00e}'),
    ("PageDown", '\u{e00f}'),
    ("End", '\u{e010}'),
    ("Home", '\u{e011}'),
    ("ArrowLeft", '\u{e012}'),
    ("ArrowUp", '\u{e013}'),
    ("ArrowRight", '\u{e014}'),
    ("ArrowDown", '\u{e015}'),
    ("Backspace", '\u{e003}'),
    ("Delete", '\u{e017}'),
];

/// Scrolls an element into view, waits until it stands still, and listens for the next press.
const STILL: &str = "const [node, done] = arguments, until = performance.now() + 1000;
    const box = node.getBoundingClientRect();
    if (box.top < 40 || box.bottom > innerHeight - 40)
        node.scrollIntoView({ block: 'center', behavior: 'instant' });
    // A page out of sight draws no frames.
    const soon = go => {
        let gone = false;
        const once = () => { if (!gone) { gone = true; go(); } };
        requestAnimationFrame(once);
        setTimeout(once, 100);
    };
    const listen = () => {
        window.tokenyardPress = 'waits';
        window.addEventListener('click', event => {
            window.tokenyardPress = event.composedPath().includes(node) ? 'arrived' : 'elsewhere';
        }, { capture: true, once: true });
        done(null);
    };
    const look = before => soon(() => {
        const now = node.getBoundingClientRect();
        const still = now.top === before.top && now.left === before.left;
        still || performance.now() > until ? listen() : look(now);
    });
    look(node.getBoundingClientRect());";

impl Tab {
    /// Chooses a file of this machine in a file field, as a reader does in the browser's own dialog.
    pub async fn choose_file(&self, by: impl Into<By<'_>>, path: &std::path::Path) -> Outcome {
        let path = path.to_str().ok_or("a path that is no text")?;
        Ok(self.find(by).await?.element.send_keys(path).await?)
    }

    /// Clicks the middle of an element after scrolling it into view (not to the very edge, where
    /// WebKit lays its scroll bars over the page) and once it stands still. What is drawn above it
    /// may still push it down, and a driver presses where it was: such a press is made again, as a
    /// reader would.
    pub async fn click(&self, by: impl Into<By<'_>>) -> Outcome {
        const TIMES: usize = 3;
        let found = self.find(by).await?;
        let doing = format!("clicking {}", found.named);
        for _ in 0..TIMES {
            self.client().execute_async(STILL, vec![reference(&found.element)?]).await?;
            found.element.click().await.map_err(|error| Failure::from(error).during(&doing))?;
            if self.arrived().await {
                return Ok(());
            }
        }
        Err(Failure::new(format!("{doing}: the press did not arrive, {TIMES} times")))
    }

    /// Whether the press that [`STILL`] listens for reached its element. A document that is gone was
    /// left because of it.
    async fn arrived(&self) -> bool {
        let started = Stopwatch::start();
        while !started.past(Duration::from_secs(2)) {
            match self.value("window.tokenyardPress ?? 'gone'").await {
                Ok(Value::String(press)) if press == "waits" => {}
                Ok(Value::String(press)) => return press != "elsewhere",
                _ => return true,
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        false
    }

    /// Presses keys one after the other, separated by spaces, wherever the focus is:
    /// `"Space ArrowRight Shift+ArrowRight ? >"`.
    pub async fn keys(&self, keys: &str) -> Outcome {
        let mut actions = KeyActions::new("keyboard".to_owned());
        for chord in keys.split_whitespace() {
            let codes = chord_codes(chord)?;
            for &value in &codes {
                actions = actions.then(KeyAction::Down { value });
            }
            for &value in codes.iter().rev() {
                actions = actions.then(KeyAction::Up { value });
            }
        }
        self.client().perform_actions(actions).await.map_err(|error| Failure::from(error).during(keys))
    }

    /// Replaces the content of a text or number field by typing, and waits until the last key has arrived:
    /// WebKit's driver returns before.
    pub async fn fill(&self, by: impl Into<By<'_>>, text: &str) -> Outcome {
        let found = self.find(by).await?;
        found.element.clear().await?;
        found.element.send_keys(text).await?;
        let field = reference(&found.element)?;
        let started = Stopwatch::start();
        // A page may write its own form of what was typed: then time has passed, and that is enough.
        while !started.past(Duration::from_secs(2)) {
            let same = "return arguments[0].value === arguments[1]";
            if self.eval(same, vec![field.clone(), json!(text)]).await? == true {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    /// Chooses the option with this value in a `<select>`.
    pub async fn choose(&self, by: impl Into<By<'_>>, value: &str) -> Outcome {
        Ok(self.find(by).await?.element.select_by_value(value).await?)
    }

    /// Puts the focus on an element, as a script would.
    pub async fn focus(&self, by: impl Into<By<'_>>) -> Outcome {
        let found = self.find(by).await?;
        self.eval("arguments[0].focus()", vec![reference(&found.element)?]).await.map(drop)
    }

    /// Drags the thumb of a horizontal range from where it is to `fraction` of its track, 0 being
    /// its left end, with the pointer, in `steps` moves.
    pub async fn drag_range(&self, by: impl Into<By<'_>>, fraction: f64, steps: u32) -> Outcome {
        let found = self.find(by).await?;
        let script = "const range = arguments[0]; range.scrollIntoView({ block: 'center', inline: 'nearest' });
            const box = range.getBoundingClientRect(), low = Number(range.min || 0), high = Number(range.max || 100);
            return [box.width, (Number(range.value) - low) / (high - low)];";
        let answer = self.eval(script, vec![reference(&found.element)?]).await?;
        let (width, from) = (answer[0].as_f64().unwrap_or_default(), answer[1].as_f64().unwrap_or_default());
        // Half a thumb stays free at both ends; offsets count from the element's middle.
        const THUMB: f64 = 16.0;
        let offset = |part: f64| (part - 0.5) * (width - THUMB);
        let mut mouse = MouseActions::new("mouse".to_owned())
            .then(to_element(&found, offset(from)))
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT });
        for step in 1..=steps.max(1) {
            let part = f64::from(step) / f64::from(steps.max(1));
            mouse = mouse.then(to_element(&found, offset(from + (fraction - from) * part)));
        }
        let mouse = mouse.then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.client().perform_actions(Actions::from(mouse)).await?;
        Ok(())
    }

    /// Gives a range or number field a value and sends `input` and `change`, for values that a
    /// pointer cannot hit exactly.
    pub async fn set_value(&self, by: impl Into<By<'_>>, value: &str) -> Outcome {
        let found = self.find(by).await?;
        let script = "const field = arguments[0]; field.value = arguments[1];
            for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true }));";
        self.eval(script, vec![reference(&found.element)?, json!(value)]).await.map(drop)
    }

    /// Presses Tab until the focus is on the element so named, at most `limit` times. Returns a
    /// description of every stop, the last being the element.
    pub async fn press_tab_until(&self, by: impl Into<By<'_>>, limit: usize) -> Result<Vec<String>, Failure> {
        self.walk_until("Tab", by.into(), limit).await
    }

    /// The same with Shift+Tab.
    pub async fn press_shift_tab_until(
        &self,
        by: impl Into<By<'_>>,
        limit: usize,
    ) -> Result<Vec<String>, Failure> {
        self.walk_until("Shift+Tab", by.into(), limit).await
    }

    async fn walk_until(&self, key: &str, by: By<'_>, limit: usize) -> Result<Vec<String>, Failure> {
        let mut stops = Vec::new();
        for _ in 0..limit {
            self.keys(key).await?;
            stops.push(self.active_element_description().await?);
            if self.is_focused(by).await? {
                return Ok(stops);
            }
        }
        Err(format!("{limit} times {key} did not reach {by}; it stopped at {}", stops.join(", ")).into())
    }

    async fn is_focused(&self, by: By<'_>) -> Result<bool, Failure> {
        let Some(focused) = self.focused().await? else { return Ok(false) };
        match by {
            By::Role(role, name) => {
                Ok(self.role(&focused).await? == role && self.label(&focused).await? == name)
            }
            By::Label(name) => Ok(self.label(&focused).await? == name),
            By::Css(_) | By::Text(_) => {
                let focused = focused.element_id();
                Ok(self.find_all(by).await?.iter().any(|found| found.element.element_id() == focused))
            }
        }
    }
}

/// The reference by which a script receives an element.
pub(super) fn reference(element: &Element) -> Result<Value, Failure> {
    Ok(serde_json::to_value(element)?)
}

fn to_element(found: &Found, x: f64) -> PointerAction {
    PointerAction::MoveToElement {
        element: found.element.clone(),
        duration: Some(Duration::from_millis(16)),
        x,
        y: 0.0,
    }
}

/// Codes of one chord such as `Shift+ArrowRight`; a lone `+` is the plus key.
fn chord_codes(chord: &str) -> Result<Vec<char>, Failure> {
    let parts: Vec<&str> = if chord == "+" { vec!["+"] } else { chord.split('+').collect() };
    parts.into_iter().map(code).collect()
}

fn code(name: &str) -> Result<char, Failure> {
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => Ok(letter),
        _ => KEYS
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, code)| *code)
            .ok_or_else(|| Failure::new(format!("there is no key called {name}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chords_are_read_from_left_to_right() {
        assert_eq!(chord_codes("Shift+ArrowRight"), Ok(vec!['\u{e008}', '\u{e014}']));
        assert_eq!(chord_codes("+"), Ok(vec!['+']));
        assert_eq!(chord_codes("?"), Ok(vec!['?']));
        assert!(chord_codes("ArowRight").is_err(), "a misspelt key must not be typed as nothing");
    }
}
