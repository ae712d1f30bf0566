//! Messages of panics, kept for the report instead of printed between its lines.

use std::cell::RefCell;

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// From now on a panic in any thread is remembered in that thread.
pub(super) fn keep() {
    std::panic::set_hook(Box::new(|panic| LAST.with_borrow_mut(|last| *last = panic.to_string())));
}

/// The last panic of this thread.
pub(super) fn take() -> String {
    LAST.take()
}
