//! The site inside another page: narrow as a phone, or sandboxed so that storage throws.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::Tab;
use crate::server::{Options, Server};
use crate::{Engine, Failure, Outcome};

/// How the host page frames the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Width of the frame in CSS pixels.
    pub width: u32,
    /// Height of the frame in CSS pixels.
    pub height: u32,
    /// The `sandbox` attribute, if there is one.
    pub sandbox: Option<String>,
}

impl Frame {
    /// A frame of this width, as high as a phone, without a sandbox.
    #[must_use]
    pub fn wide(width: u32) -> Self {
        Self { width, height: 640, sandbox: None }
    }

    /// A frame in which scripts run at an opaque origin: every access to storage throws. Module
    /// scripts need `Access-Control-Allow-Origin: *` there; see [`Tab::remount`].
    #[must_use]
    pub fn sandboxed() -> Self {
        Self { width: 1000, height: 700, sandbox: Some("allow-scripts".to_owned()) }
    }
}

impl Tab {
    /// Opens a path of the site in a frame this many CSS pixels wide, inside a page of another
    /// origin, and goes on inside the frame.
    pub async fn in_frame(&mut self, width: u32, path: &str) -> Outcome {
        self.in_frame_with(&Frame::wide(width), path).await
    }

    /// The same with every property of the frame.
    pub async fn in_frame_with(&mut self, frame: &Frame, path: &str) -> Outcome {
        self.open_host("frame.html").await?;
        let wanted = json!({
            "src": self.address(path), "width": frame.width, "height": frame.height, "sandbox": frame.sandbox,
        });
        // Resolves at the frame's `load` event.
        let script =
            "const done = arguments[arguments.length - 1]; show(arguments[0]).then(() => done(true));";
        let shown = self.client().execute_async(script, vec![wanted]).await?;
        if shown != Value::Bool(true) {
            return Err(Failure::new("the host page did not show the frame"));
        }
        self.enter_frame().await
    }

    /// Opens one of the pages in `tests/hosts`: of another origin than the site.
    pub async fn open_host(&mut self, page: &str) -> Outcome {
        self.open_host_with(page, &[]).await
    }

    /// The same, sent with headers.
    pub async fn open_host_with(&mut self, page: &str, headers: &[(&str, &str)]) -> Outcome {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("hosts");
        self.open_folder(&folder, page, headers).await
    }

    /// Opens a page of any folder, served at an origin of its own.
    pub async fn open_folder(&mut self, folder: &Path, page: &str, headers: &[(&str, &str)]) -> Outcome {
        let mut options = Options { brotli: false, ..Options::new(folder) };
        options.extra_headers = headers.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        let host = Server::start(options)?;
        let page = format!("{}{page}", host.url());
        self.hosts = Some(host);
        self.open_address(&page).await
    }

    /// Opens a path of the site where every access to storage throws, and goes on inside it: in a
    /// sandboxed frame, whose origin is opaque. WebKit is the exception: there `'self'` in the
    /// page's own policy matches nothing at an opaque origin, so no script would run at all;
    /// the frame is not sandboxed and storage is replaced by getters that throw the same error.
    pub async fn open_without_storage(&mut self, path: &str) -> Outcome {
        self.session.refuse_storage(true)?;
        let mut frame = Frame::sandboxed();
        if self.engine() == Engine::WebKit {
            frame.sandbox = None;
        }
        self.in_frame_with(&frame, path).await
    }

    /// Goes on inside the first frame of the page.
    pub async fn enter_frame(&mut self) -> Outcome {
        Ok(self.client().enter_frame(0).await?)
    }

    /// Goes on inside the frame that a JavaScript expression gives: one in a shadow tree has no number.
    pub async fn enter_frame_at(&mut self, expression: &str) -> Outcome {
        let frame = self.value(expression).await?;
        let doing = || format!("entering the frame `{expression}`");
        let entered = self.session.command(http::Method::POST, "frame", Some(json!({ "id": frame }))).await;
        entered.map(drop).map_err(|failure| failure.during(&doing()))
    }

    /// Goes on in the page of the window, outside all frames.
    pub async fn leave_frame(&mut self) -> Outcome {
        self.session.command(http::Method::POST, "frame", Some(json!({ "id": null }))).await.map(drop)
    }
}
