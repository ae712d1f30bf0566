//! A small static file server on the loopback address.
//!
//! Two callers: `cargo xtask serve`, and the browser tests, which need to mount the site at any
//! depth, send a wrong content type on purpose, add headers, and see every request that was made.
//! What is deliberately absent: ranges, caching by date, anything but GET and HEAD, and any file
//! outside the root, whichever way it is asked for.

mod answer;
mod body;
mod handle;
mod kind;
mod resolve;

pub use answer::Request;
pub use body::compress;
pub use handle::Server;
pub use kind::{content_type, is_text_like};
pub use resolve::{Found, Site};

use std::path::PathBuf;

/// What to serve and how. Build with [`Options::new`] and change the fields that differ.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folder whose files are served. It must exist when the server starts.
    pub root: PathBuf,
    /// Where the root appears, as a path that starts and ends with a slash: `/` or `/a/b/`.
    /// Every path outside it is answered with 404.
    pub mount: String,
    /// Content type of `.wasm` files. Some plain servers send `application/octet-stream`, and the
    /// site must work there too.
    pub wasm_content_type: String,
    /// Whether to send brotli to clients that accept it.
    pub brotli: bool,
    /// Headers added to every answer, in this order: name, value.
    pub extra_headers: Vec<(String, String)>,
    /// Port to listen on; `None` takes a free one.
    pub port: Option<u16>,
}

impl Options {
    /// The folder `root` at `/`, on a free port, with correct content types and brotli.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            mount: "/".to_owned(),
            wasm_content_type: "application/wasm".to_owned(),
            brotli: true,
            extra_headers: Vec::new(),
            port: None,
        }
    }
}
