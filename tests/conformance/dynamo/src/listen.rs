//! Reads what upstream's selector says of its choice: the only place where it shows a cost.

use std::cell::RefCell;
use std::fmt::{Debug, Write as _};

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// One line of the selector's log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heard {
    /// Cost of the chosen worker, to the bit. A pinned one has its cost in the message only.
    pub cost: Option<f64>,
    /// The message.
    pub message: String,
}

thread_local! {
    static LAST: RefCell<Option<Heard>> = const { RefCell::new(None) };
}

/// Starts to listen in this process; a second call changes nothing.
pub fn start() {
    // Somebody who listens already is this listener: there is no other in this crate.
    let _ = tracing::subscriber::set_global_default(Listener);
}

/// The last line of this thread since the last call, if there was one.
#[must_use]
pub fn take() -> Option<Heard> {
    LAST.take()
}

/// Keeps each thread's last line.
struct Listener;

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == Level::INFO
            && metadata.target().starts_with("dynamo_kv_router::scheduling::selector")
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::INFO)
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut heard = Heard::default();
        event.record(&mut heard);
        LAST.set(Some(heard));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

impl Visit for Heard {
    fn record_f64(&mut self, field: &Field, value: f64) {
        if field.name() == "logit" {
            self.cost = Some(value);
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            // Writing to a string cannot fail.
            let _ = write!(self.message, "{value:?}");
        }
    }
}
