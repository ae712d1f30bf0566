//! The running server: threads that answer, and the record of what was asked.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use tiny_http::{Header, Method, Response, StatusCode};

use crate::body::{Compressed, accepts_brotli};
use crate::resolve::{Found, Site};
use crate::{Options, kind};

/// Answers in parallel: a browser opens up to six connections to one host.
const THREADS: usize = 6;

/// One request that arrived, in the order in which answering began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Counts from 0 since the start; clearing the record does not reset it.
    pub order: u64,
    /// `GET`, `HEAD`, or whatever else was tried.
    pub method: String,
    /// Path and query as sent, undecoded, mount included.
    pub path: String,
    /// Status that was answered.
    pub status: u16,
}

/// A server that runs until it is stopped or dropped.
#[derive(Debug)]
pub struct Server {
    shared: Arc<Shared>,
    address: SocketAddr,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    http: tiny_http::Server,
    options: Options,
    site: Site,
    compressed: Compressed,
    record: Mutex<Record>,
    stopping: AtomicBool,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Shared").field("site", &self.site).finish_non_exhaustive()
    }
}

/// An answer before it meets the HTTP library.
struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

#[derive(Default)]
struct Record {
    next: u64,
    requests: Vec<Request>,
}

impl Server {
    /// Starts answering on 127.0.0.1. Fails if the root does not exist, the mount is not a folder
    /// path, or the port is taken.
    pub fn start(options: Options) -> io::Result<Self> {
        let site = Site::new(&options.root, &options.mount)?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port.unwrap_or(0)))?;
        let address = listener.local_addr()?;
        let http = tiny_http::Server::from_listener(listener, None)
            .map_err(|error| io::Error::other(error.to_string()))?;
        let shared = Arc::new(Shared {
            http,
            options,
            site,
            compressed: Compressed::default(),
            record: Mutex::default(),
            stopping: AtomicBool::new(false),
        });
        let threads = (0..THREADS)
            .map(|_| {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || shared.answer_until_stopped())
            })
            .collect();
        Ok(Self { shared, address, threads })
    }

    /// Address of the mount, with its last slash: `http://127.0.0.1:4321/a/b/`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.shared.options.mount)
    }

    /// Scheme, host and port without a path: `http://127.0.0.1:4321`.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request since the start or the last [`Server::clear_requests`].
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.shared.lock_record().requests.clone()
    }

    /// Forgets the requests so far.
    pub fn clear_requests(&self) {
        self.shared.lock_record().requests.clear();
    }

    /// Stops answering and waits for the answers under way. Dropping the server does the same.
    pub fn stop(self) {
        drop(self);
    }

    /// Waits until the server is stopped by the end of the process.
    pub fn wait(mut self) {
        for thread in self.threads.drain(..) {
            // A thread that panicked has nothing more to answer.
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stopping.store(true, Ordering::SeqCst);
        for _ in 0..self.threads.len() {
            self.shared.http.unblock();
        }
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn lock_record(&self) -> std::sync::MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer_until_stopped(&self) {
        while !self.stopping.load(Ordering::SeqCst) {
            // An error here is one broken connection, or the wake-up call of `stop`.
            if let Ok(request) = self.http.recv() {
                self.answer(request);
            }
        }
    }

    fn answer(&self, request: tiny_http::Request) {
        let Reply { status, headers, body } = self.respond(&request);
        self.note(&request, status);
        let mut response =
            Response::new(StatusCode(status), Vec::new(), io::Cursor::new(Vec::new()), None, None);
        let length = body.len();
        response = response.with_data(io::Cursor::new(body), Some(length)).with_chunked_threshold(usize::MAX);
        let extra = self.options.extra_headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let own = headers.iter().map(|(name, value)| (*name, value.as_str()));
        for (name, value) in own.chain(extra) {
            if let Ok(header) = Header::from_bytes(name.as_bytes(), value.as_bytes()) {
                response.add_header(header);
            }
        }
        // The browser may have gone away: nothing is left to tell it.
        let _ = request.respond(response);
    }

    fn note(&self, request: &tiny_http::Request, status: u16) {
        let mut record = self.lock_record();
        let order = record.next;
        record.next += 1;
        let method = request.method().to_string();
        record.requests.push(Request { order, method, path: request.url().to_owned(), status });
    }

    fn respond(&self, request: &tiny_http::Request) -> Reply {
        if !matches!(request.method(), Method::Get | Method::Head) {
            return Reply { status: 405, headers: vec![("Allow", "GET, HEAD".to_owned())], body: Vec::new() };
        }
        match self.site.find(request.url()) {
            Found::File(path) => self.file(&path, request).unwrap_or_else(|_| not_found()),
            Found::Redirect(to) => Reply { status: 301, headers: vec![("Location", to)], body: Vec::new() },
            Found::Nothing => not_found(),
        }
    }

    fn file(&self, path: &std::path::Path, request: &tiny_http::Request) -> io::Result<Reply> {
        let data = std::fs::read(path)?;
        let is_wasm = path.extension().is_some_and(|extension| extension == "wasm");
        let kind = if is_wasm { &self.options.wasm_content_type } else { kind::content_type(path) };
        // A page under work changes under the same name, so nothing is taken from a cache unasked.
        let mut headers = vec![("Content-Type", kind.to_owned()), ("Cache-Control", "no-cache".to_owned())];
        if !self.options.brotli || !kind::is_text_like(path) {
            return Ok(Reply { status: 200, headers, body: data });
        }
        headers.push(("Vary", "Accept-Encoding".to_owned()));
        let accepted = request
            .headers()
            .iter()
            .any(|header| header.field.equiv("Accept-Encoding") && accepts_brotli(header.value.as_str()));
        if !accepted {
            return Ok(Reply { status: 200, headers, body: data });
        }
        headers.push(("Content-Encoding", "br".to_owned()));
        let body = self.compressed.get(path, &data)?;
        Ok(Reply { status: 200, headers, body: body.as_ref().clone() })
    }
}

fn not_found() -> Reply {
    let headers = vec![("Content-Type", "text/plain; charset=utf-8".to_owned())];
    Reply { status: 404, headers, body: b"Not found.\n".to_vec() }
}
