//! Whether a part of the page is in sight.

use js_sys::Array;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit};

/// Tells for as long as it lives.
#[derive(Debug)]
pub struct Sight {
    observer: IntersectionObserver,
    _told: Closure<dyn FnMut(Array)>,
}

impl Drop for Sight {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

impl Sight {
    /// Calls `told` with whether `element` is in sight, or as near to it as `margin` says, now and when
    /// that changes. `None` where the browser refuses the margin.
    #[must_use]
    pub fn of(element: &Element, margin: &str, mut told: impl FnMut(bool) + 'static) -> Option<Self> {
        let told = Closure::<dyn FnMut(Array)>::new(move |entries: Array| {
            if let Ok(last) = entries.pop().dyn_into::<IntersectionObserverEntry>() {
                told(last.is_intersecting());
            }
        });
        let settings = IntersectionObserverInit::new();
        settings.set_root_margin(margin);
        let callback = told.as_ref().unchecked_ref();
        let observer = IntersectionObserver::new_with_options(callback, &settings).ok()?;
        observer.observe(element);
        Some(Self { observer, _told: told })
    }
}
