//! Choices remembered between visits, where storage is allowed. It may throw: then nothing is
//! remembered and nothing breaks.

fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}

/// Reads a choice.
#[must_use]
pub fn get(key: &str) -> Option<String> {
    storage()?.get_item(&format!("tokenyard.{key}")).ok()?
}

/// Remembers a choice; `None` forgets it.
pub fn set(key: &str, value: Option<&str>) {
    let key = format!("tokenyard.{key}");
    if let Some(storage) = storage() {
        let _ = match value {
            Some(value) => storage.set_item(&key, value),
            None => storage.remove_item(&key),
        };
    }
}

/// A value of the address's query: it carries only the shape of a page, never a lab's state.
#[must_use]
pub fn query(key: &str) -> Option<String> {
    let search = web_sys::window()?.location().search().ok()?;
    web_sys::UrlSearchParams::new_with_str(&search).ok()?.get(key)
}
