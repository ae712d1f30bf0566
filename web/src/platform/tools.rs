//! The program of tools, which the page asks for when it is needed.

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// What the program can do.
#[derive(Clone, Debug)]
pub struct Tools(JsValue);

impl Tools {
    /// Asks the page's first script for the program; it is loaded once. `None` if its files cannot be
    /// had.
    pub async fn load() -> Option<Self> {
        let window = web_sys::window()?;
        let load: Function = Reflect::get(&window, &"tools".into()).ok()?.dyn_into().ok()?;
        let promise: Promise = load.call0(&JsValue::NULL).ok()?.dyn_into().ok()?;
        JsFuture::from(promise).await.ok().map(Self)
    }

    /// Calls one of its functions; what it answers, or `None` if it refuses.
    #[must_use]
    pub fn call(&self, name: &str, arguments: &[JsValue]) -> Option<JsValue> {
        let function: Function = Reflect::get(&self.0, &name.into()).ok()?.dyn_into().ok()?;
        function.apply(&JsValue::NULL, &arguments.iter().collect()).ok()
    }

    /// The same for a function that takes its time.
    pub async fn ask(&self, name: &str, arguments: &[JsValue]) -> Option<JsValue> {
        let promise: Promise = self.call(name, arguments)?.dyn_into().ok()?;
        JsFuture::from(promise).await.ok()
    }
}
