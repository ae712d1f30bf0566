//! What is answered to a request, and the record of it.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{ACCEPT_ENCODING, CONTENT_LENGTH, HeaderName, HeaderValue};
use hyper::{HeaderMap, Method, Response, StatusCode};

use crate::body::{Compressed, accepts_brotli};
use crate::resolve::{Found, Site};
use crate::{Options, kind};

/// One request that arrived, in the order in which they were answered.
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

/// A site, how it is served, and who asked for what.
#[derive(Debug)]
pub(crate) struct Answers {
    pub(crate) options: Options,
    site: Site,
    compressed: Compressed,
    record: Mutex<Record>,
}

#[derive(Debug, Default)]
pub(crate) struct Record {
    next: u64,
    pub(crate) requests: Vec<Request>,
}

/// An answer before it meets the HTTP library.
struct Reply {
    status: StatusCode,
    headers: Vec<(&'static str, String)>,
    body: Bytes,
}

impl Answers {
    /// Fails if the root does not exist or the mount is not a folder path.
    pub(crate) fn new(options: Options) -> io::Result<Self> {
        let site = Site::new(&options.root, &options.mount)?;
        Ok(Self { options, site, compressed: Compressed::default(), record: Mutex::default() })
    }

    pub(crate) fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer to `method path`, written down. Reads the disk, and compresses a file when it is
    /// first asked for: up to a second.
    pub(crate) fn answer(&self, method: &Method, path: &str, headers: &HeaderMap) -> Response<Full<Bytes>> {
        let reply = self.reply(method, path, headers);
        self.note(method, path, reply.status);
        let length = reply.body.len();
        let mut response = Response::new(Full::new(reply.body));
        *response.status_mut() = reply.status;
        let sent = response.headers_mut();
        // Of an answer to HEAD, too, which has no body.
        sent.insert(CONTENT_LENGTH, HeaderValue::from(length));
        let extra = self.options.extra_headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let own = reply.headers.iter().map(|(name, value)| (*name, value.as_str()));
        for (name, value) in own.chain(extra) {
            if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
                sent.append(name, value);
            }
        }
        response
    }

    fn note(&self, method: &Method, path: &str, status: StatusCode) {
        let mut record = self.record();
        let order = record.next;
        record.next += 1;
        let (method, path) = (method.to_string(), path.to_owned());
        record.requests.push(Request { order, method, path, status: status.as_u16() });
    }

    fn reply(&self, method: &Method, path: &str, headers: &HeaderMap) -> Reply {
        let bare = |status, name, value| Reply { status, headers: vec![(name, value)], body: Bytes::new() };
        if ![Method::GET, Method::HEAD].contains(method) {
            return bare(StatusCode::METHOD_NOT_ALLOWED, "Allow", "GET, HEAD".to_owned());
        }
        match self.site.find(path) {
            Found::File(path) => self.file(&path, headers).unwrap_or_else(|_| not_found()),
            Found::Redirect(to) => bare(StatusCode::MOVED_PERMANENTLY, "Location", to),
            Found::Nothing => not_found(),
        }
    }

    fn file(&self, path: &Path, asked: &HeaderMap) -> io::Result<Reply> {
        let data = std::fs::read(path)?;
        let is_wasm = path.extension().is_some_and(|extension| extension == "wasm");
        let kind = if is_wasm { &self.options.wasm_content_type } else { kind::content_type(path) };
        // A page under work changes under the same name, so nothing is taken from a cache unasked.
        let mut headers = vec![("Content-Type", kind.to_owned()), ("Cache-Control", "no-cache".to_owned())];
        let status = StatusCode::OK;
        if !self.options.brotli || !kind::is_text_like(path) {
            return Ok(Reply { status, headers, body: data.into() });
        }
        headers.push(("Vary", "Accept-Encoding".to_owned()));
        let accepted = asked.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
        if !accepted.into_iter().any(accepts_brotli) {
            return Ok(Reply { status, headers, body: data.into() });
        }
        headers.push(("Content-Encoding", "br".to_owned()));
        let body = Bytes::from_owner(Shared(self.compressed.get(path, &data)?));
        Ok(Reply { status, headers, body })
    }
}

/// A compressed body that many answers send.
struct Shared(Arc<Vec<u8>>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

fn not_found() -> Reply {
    let headers = vec![("Content-Type", "text/plain; charset=utf-8".to_owned())];
    Reply { status: StatusCode::NOT_FOUND, headers, body: Bytes::from_static(b"Not found.\n") }
}
