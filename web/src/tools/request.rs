//! What the page tells the tools, as plain values of the script engine: two modules share nothing else.

use std::sync::Arc;

use js_sys::{Array, Object, Reflect};
use tokenyard_lab::Words;
use wasm_bindgen::{JsCast, JsValue};

use crate::page::{Kind, Page};
use crate::platform::dom;

/// A state of a lab, written down when the dialog was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Without model version and headline numbers.
    pub short: String,
    /// With both.
    pub full: String,
}

/// Everything that the tools need to know.
#[derive(Clone, Debug)]
pub struct Request {
    /// The page with its words.
    pub page: Page,
    /// The reader's language.
    pub lang: String,
    /// The state.
    pub state: Written,
    /// Answers of the lab's sweep so far, which no link holds.
    pub sweep: Vec<Vec<f64>>,
}

impl Request {
    /// The values that cross.
    #[must_use]
    pub fn to_js(&self) -> JsValue {
        let object = Object::new();
        let set = |key: &str, value: &JsValue| Reflect::set(&object, &key.into(), value).is_ok();
        let Page { kind, root, single, languages } = &self.page;
        let words = languages.iter().map(|(lang, words)| Array::of2(&lang.into(), &entries(words)));
        let all = set("kind", &kind.id().into())
            && set("root", &root.into())
            && set("single", &(*single).into())
            && set("words", &words.collect::<Array>())
            && set("lang", &self.lang.as_str().into())
            && set("short", &self.state.short.as_str().into())
            && set("full", &self.state.full.as_str().into())
            && set("sweep", &self.sweep.iter().map(|row| numbers(row)).collect::<Array>());
        // An object of our own takes any property.
        debug_assert!(all);
        object.into()
    }

    /// Reads them on the other side. `None` if a value is missing or of another kind, which happens
    /// only if page and tools are of two versions.
    #[must_use]
    pub fn from_js(value: &JsValue) -> Option<Self> {
        let get = |key: &str| Reflect::get(value, &key.into()).ok();
        let text = |key: &str| get(key)?.as_string();
        let language = |pair: JsValue| {
            let pair: Array = pair.dyn_into().ok()?;
            let words: Object = pair.get(1).dyn_into().ok()?;
            let words = dom::entries(&words).filter_map(|(key, text)| Some((key, text.as_string()?)));
            Some((pair.get(0).as_string()?, Arc::new(words.collect::<Words>())))
        };
        let sweep = get("sweep")?.dyn_into::<Array>().ok()?.into_iter().map(|row| {
            let row: Array = row.dyn_into().ok()?;
            row.into_iter().map(|number| number.as_f64()).collect::<Option<Vec<f64>>>()
        });
        let languages = get("words")?.dyn_into::<Array>().ok()?.into_iter().map(language);
        Some(Self {
            page: Page {
                kind: Kind::parse(&text("kind")?)?,
                root: text("root")?,
                single: get("single")?.as_bool()?,
                languages: languages.collect::<Option<_>>()?,
            },
            lang: text("lang")?,
            state: Written { short: text("short")?, full: text("full")? },
            sweep: sweep.collect::<Option<_>>()?,
        })
    }
}

fn numbers(row: &[f64]) -> Array {
    row.iter().map(|number| JsValue::from(*number)).collect()
}

fn entries(words: &Words) -> Object {
    let object = Object::new();
    for key in words.keys() {
        let _ = Reflect::set(&object, &key.into(), &words.get(key).into());
    }
    object
}
