//! A folder of files on the loopback address, served plainly, with a record of what was asked.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use tiny_http::{Header, Method, Response};

/// Answers in parallel: a browser opens up to six connections to one host.
const THREADS: usize = 6;

/// What to serve and how. Build with [`Options::new`] and change the fields that differ.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folder whose files are served.
    pub root: PathBuf,
    /// Where the root appears, as a path that starts and ends with a slash: `/` or `/a/b/`.
    pub mount: String,
    /// Content type of `.wasm` files.
    pub wasm_content_type: String,
    /// Headers added to every answer: name, value.
    pub extra_headers: Vec<(String, String)>,
}

impl Options {
    /// The folder `root` at `/` with correct content types and no further headers.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            mount: "/".to_owned(),
            wasm_content_type: "application/wasm".to_owned(),
            extra_headers: Vec::new(),
        }
    }
}

/// One request that arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `HEAD`, or whatever else was tried.
    pub method: String,
    /// Path and query as sent, mount included.
    pub path: String,
    /// Status that was answered.
    pub status: u16,
}

/// A server that answers until it is dropped.
#[derive(Debug)]
pub struct Server {
    shared: Arc<Shared>,
    address: SocketAddr,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    http: tiny_http::Server,
    options: Options,
    record: Mutex<Vec<Request>>,
    stopping: AtomicBool,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Shared").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Server {
    /// Starts answering on a free port of 127.0.0.1: a new origin, so empty storage.
    pub fn start(options: Options) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let http = tiny_http::Server::from_listener(listener, None)
            .map_err(|error| io::Error::other(error.to_string()))?;
        let shared =
            Arc::new(Shared { http, options, record: Mutex::default(), stopping: AtomicBool::new(false) });
        let answer = |shared: Arc<Shared>| std::thread::spawn(move || shared.answer_until_stopped());
        let threads = (0..THREADS).map(|_| answer(Arc::clone(&shared))).collect();
        Ok(Self { shared, address, threads })
    }

    /// Address of the mount, with its last slash.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.shared.options.mount)
    }

    /// Scheme, host and port.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request since the start or the last [`Server::clear_requests`].
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.shared.record().clone()
    }

    /// Forgets the requests so far.
    pub fn clear_requests(&self) {
        self.shared.record().clear();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stopping.store(true, Ordering::SeqCst);
        for _ in &self.threads {
            self.shared.http.unblock();
        }
        for thread in self.threads.drain(..) {
            // A thread that panicked has nothing more to answer.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn record(&self) -> MutexGuard<'_, Vec<Request>> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer_until_stopped(&self) {
        while !self.stopping.load(Ordering::SeqCst) {
            if let Ok(request) = self.http.recv() {
                self.answer(request);
            }
        }
    }

    fn answer(&self, request: tiny_http::Request) {
        let found = match request.method() {
            Method::Get | Method::Head => self.find(request.url()),
            _ => None,
        };
        let (status, kind, body) = match found.and_then(|path| Some((std::fs::read(&path).ok()?, path))) {
            Some((body, path)) => (200, self.kind(&path), body),
            None => (404, "text/plain; charset=utf-8", b"Not found.\n".to_vec()),
        };
        let method = request.method().to_string();
        self.record().push(Request { method, path: request.url().to_owned(), status });
        let mut response = Response::from_data(body).with_status_code(status);
        let own = [("Content-Type", kind), ("Cache-Control", "no-cache")];
        let extra = self.options.extra_headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        for (name, value) in own.into_iter().chain(extra) {
            if let Ok(header) = Header::from_bytes(name.as_bytes(), value.as_bytes()) {
                response.add_header(header);
            }
        }
        // The browser may have gone away: nothing is left to tell it.
        let _ = request.respond(response);
    }

    fn find(&self, url: &str) -> Option<PathBuf> {
        let path = url.split(['?', '#']).next()?.strip_prefix(self.options.mount.as_str())?;
        let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        let file = self.options.root.join(path);
        let file = if path.is_empty() || path.ends_with('/') { file.join("index.html") } else { file };
        (inside && file.is_file()).then_some(file)
    }

    fn kind(&self, path: &Path) -> &str {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("html") => "text/html; charset=utf-8",
            Some("js" | "mjs") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("json") => "application/json",
            Some("svg") => "image/svg+xml",
            Some("png") => "image/png",
            Some("wasm") => &self.options.wasm_content_type,
            _ => "application/octet-stream",
        }
    }
}
