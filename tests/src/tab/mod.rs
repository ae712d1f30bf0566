//! A page under test, as a reader would use it.

mod act;
mod emulate;
mod find;
mod frame;
mod look;
mod observe;
mod wait;

use std::path::PathBuf;
use std::sync::Arc;

use fantoccini::Client;

use crate::driver::Session;
use crate::server::{Options, Server, Wall};
use crate::{Engine, Failure, Outcome};

pub use emulate::Emulation;
pub use find::{By, Found};
pub use frame::Frame;

/// One window of one engine, with a site of its own: a new origin, so nothing is stored yet.
pub struct Tab {
    pub(crate) session: Arc<Session>,
    site: Server,
    root: PathBuf,
    artifacts: PathBuf,
    hosts: Option<Server>,
    marks: u64,
}

impl Tab {
    /// Serves `root` and puts the window into the state in which every journey begins.
    pub(crate) async fn new(
        session: Arc<Session>,
        root: PathBuf,
        artifacts: PathBuf,
    ) -> Result<Self, Failure> {
        let site = Server::start(plain(&root))?;
        let mut tab = Self { session, site, root, artifacts, hosts: None, marks: 0 };
        tab.begin().await.map_err(|failure| failure.during("preparing the window"))?;
        Ok(tab)
    }

    async fn begin(&mut self) -> Outcome {
        // A dialog left open by the journey before would block every command.
        let _ = self.client().dismiss_alert().await;
        self.leave_frame().await?;
        self.session.refuse_storage(false)?;
        self.client().goto("about:blank").await?;
        self.restore().await?;
        self.emulate(Emulation::default()).await?;
        if self.engine() == Engine::Chromium {
            self.throttle_cpu(1.0).await?;
        }
        self.settle_log().await?;
        self.forget_log();
        self.session.wall.clear();
        Ok(())
    }

    /// The engine that shows the page.
    #[must_use]
    pub fn engine(&self) -> Engine {
        self.session.engine
    }

    /// The server of the site under test, with its record of requests.
    #[must_use]
    pub fn site(&self) -> &Server {
        &self.site
    }

    /// Everything that is not the site: it records what tries to leave.
    #[must_use]
    pub fn wall(&self) -> &Wall {
        &self.session.wall
    }

    /// The WebDriver client, for what this wrapper does not offer.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.session.client
    }

    /// Folder into which screenshots of this journey go. Ignored by git.
    #[must_use]
    pub fn artifacts(&self) -> &std::path::Path {
        &self.artifacts
    }

    /// Serves the same files again, at a new origin and as `change` wants it: below a sub-path,
    /// with another content type for wasm, with more headers.
    pub fn remount(&mut self, change: impl FnOnce(&mut Options)) -> Outcome {
        let mut options = plain(&self.root);
        change(&mut options);
        self.site = Server::start(options)?;
        Ok(())
    }

    /// Serves the same files again as a page that isolates itself wants those of others: with the two
    /// headers that let it frame them.
    pub fn remount_for_isolated_hosts(&mut self) -> Outcome {
        self.remount(|options| {
            for (name, value) in [
                ("Cross-Origin-Embedder-Policy", "require-corp"),
                ("Cross-Origin-Resource-Policy", "cross-origin"),
            ] {
                options.extra_headers.push((name.to_owned(), value.to_owned()));
            }
        })
    }

    /// Full address of a path of the site; the path may have a query and a fragment.
    #[must_use]
    pub fn address(&self, path: &str) -> String {
        format!("{}{path}", self.site.url())
    }

    /// Address of the same file on the disk, without any server. Fails if there is no such file.
    pub fn on_disk(&self, path: &str) -> Result<String, Failure> {
        let (file, rest) = path.split_at(path.find(['?', '#']).unwrap_or(path.len()));
        let full = self.root.join(file).canonicalize()?;
        Ok(format!("file://{}{rest}", full.display()))
    }

    /// Opens a path of the site and waits for its `load` event. If only the fragment differs from
    /// the open page, the page stays and gets a `hashchange`, as in any browser; see
    /// [`Tab::open_fresh`].
    pub async fn open(&mut self, path: &str) -> Outcome {
        self.open_address(&self.address(path)).await
    }

    /// Opens a path of the site in a newly loaded document even if only the fragment differs.
    pub async fn open_fresh(&mut self, path: &str) -> Outcome {
        self.leave_frame().await?;
        self.client().goto("about:blank").await?;
        self.open(path).await
    }

    /// Opens any address and waits for its `load` event.
    pub async fn open_address(&mut self, address: &str) -> Outcome {
        self.leave_frame().await?;
        self.client().goto(address).await.map_err(|error| Failure::from(error).during(address))
    }

    /// Loads the page again.
    pub async fn reload(&mut self) -> Outcome {
        Ok(self.client().refresh().await?)
    }

    /// The browser's back button.
    pub async fn back(&mut self) -> Outcome {
        Ok(self.client().back().await?)
    }

    /// The browser's forward button.
    pub async fn forward(&mut self) -> Outcome {
        Ok(self.client().forward().await?)
    }

    /// Address of the window, fragment included.
    pub async fn url(&self) -> Result<String, Failure> {
        Ok(self.client().current_url().await?.to_string())
    }

    /// Title of the document.
    pub async fn title(&self) -> Result<String, Failure> {
        Ok(self.client().title().await?)
    }
}

/// A site as it lies on disk: compressing for every journey would take most of its time.
fn plain(root: &std::path::Path) -> Options {
    Options { brotli: false, ..Options::new(root) }
}
