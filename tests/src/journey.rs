//! What a journey is.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use crate::{Engine, Outcome, Tab};

/// A journey's body: an async function over a tab, boxed so that one list can hold them all.
pub type Run = for<'tab> fn(&'tab mut Tab) -> Pin<Box<dyn Future<Output = Outcome> + 'tab>>;

/// Which files a journey is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// Small pages in `tests/fixtures/` that prove the harness itself.
    Fixtures,
    /// The built site: the folder that `TOKENYARD_DIST` names, or `dist/`.
    Dist,
    /// A site of somebody else that embeds labs, by its name in [`crate::hosts`], with the built site
    /// beside its pages. Ignored where it was not built.
    Host(&'static str),
}

/// One path through a site, run once in each of its engines.
#[derive(Clone, Copy)]
pub struct Journey {
    /// Path-like name, such as `herding::keys`; the engine is put before it in reports.
    pub name: &'static str,
    /// Engines that run it.
    pub engines: &'static [Engine],
    /// What is served.
    pub site: Site,
    /// What happens. Write `journey!` rather than this field by hand.
    pub run: Run,
    /// A journey that takes longer hangs. Axe over every state of a lab takes half a minute.
    pub limit: Duration,
}

/// A [`Journey`] from a name, engines, a site and an async function over `&mut Tab`, with a limit
/// of 120 s or of the seconds given.
#[macro_export]
macro_rules! journey {
    ($name:expr, $engines:expr, $site:expr, $function:path) => {
        $crate::journey!($name, $engines, $site, $function, 120)
    };
    ($name:expr, $engines:expr, $site:expr, $function:path, $seconds:expr) => {
        $crate::Journey {
            name: $name,
            engines: $engines,
            site: $site,
            run: |tab| Box::pin($function(tab)),
            limit: ::std::time::Duration::from_secs($seconds),
        }
    };
}
