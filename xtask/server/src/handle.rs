//! The running server: a thread that takes connections until it is told to stop.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::thread::JoinHandle;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Response, StatusCode};
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpStream;
use tokio::sync::oneshot;

use crate::Options;
use crate::answer::{Answers, Request};

/// Files that are read, or compressed, at one time.
const THREADS: usize = 8;

/// How long a stopping server waits for a client that does not take its answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long to wait when the system hands out no connection: too many files are open.
const PAUSE: Duration = Duration::from_millis(20);

/// A server that runs until it is stopped or dropped.
#[derive(Debug)]
pub struct Server {
    answers: Arc<Answers>,
    address: SocketAddr,
    /// What ends the thread, by a word or by being gone.
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts answering on 127.0.0.1. Fails if the root does not exist, the mount is not a folder
    /// path, or the port is taken.
    pub fn start(options: Options) -> io::Result<Self> {
        let port = options.port.unwrap_or(0);
        let answers = Arc::new(Answers::new(options)?);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        listener.set_nonblocking(true)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(THREADS)
            .build()?;
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(listener)?
        };
        let (stop, stopped) = oneshot::channel();
        let shared = Arc::clone(&answers);
        // A runtime may not end inside another one, in which a caller may be: its thread owns it.
        let thread = std::thread::spawn(move || runtime.block_on(serve(listener, shared, stopped)));
        Ok(Self { answers, address, stop: Some(stop), thread: Some(thread) })
    }

    /// Address of the mount, with its last slash: `http://127.0.0.1:4321/a/b/`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.answers.options.mount)
    }

    /// Scheme, host and port without a path: `http://127.0.0.1:4321`.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request since the start or the last [`Server::clear_requests`].
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.answers.record().requests.clone()
    }

    /// Forgets the requests so far.
    pub fn clear_requests(&self) {
        self.answers.record().requests.clear();
    }

    /// Stops answering, closes idle connections and waits for the answers under way. Dropping the
    /// server does the same.
    pub fn stop(self) {
        drop(self);
    }

    /// Waits until the server is stopped by the end of the process.
    pub fn wait(mut self) {
        self.join();
    }

    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has nothing more to answer.
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        self.join();
    }
}

/// Takes connections until `stopped`, each as a task of its own: however many are open and idle, none
/// waits for another one.
async fn serve(listener: tokio::net::TcpListener, answers: Arc<Answers>, stopped: oneshot::Receiver<()>) {
    let connections = GracefulShutdown::new();
    let mut stopped = pin!(stopped);
    loop {
        let next = poll_fn(|context| match stopped.as_mut().poll(context) {
            Poll::Ready(_) => Poll::Ready(None),
            Poll::Pending => listener.poll_accept(context).map(Some),
        });
        match next.await {
            None => break,
            Some(Ok((stream, _))) => take(stream, &answers, &connections),
            // Most errors are one broken connection; the others must not turn this into a busy loop.
            Some(Err(_)) => tokio::time::sleep(PAUSE).await,
        }
    }
    // Whoever asks from now on is refused.
    drop(listener);
    let _ = tokio::time::timeout(PATIENCE, connections.shutdown()).await;
}

/// Answers on one connection until the client closes it or the server stops.
fn take(stream: TcpStream, answers: &Arc<Answers>, connections: &GracefulShutdown) {
    // A small answer is not held back until the one before has been confirmed; it arrives either way.
    let _ = stream.set_nodelay(true);
    let answers = Arc::clone(answers);
    let service = service_fn(move |request| answer(Arc::clone(&answers), request));
    let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    // The browser may have gone away: nothing is left to tell it.
    tokio::spawn(connections.watch(connection));
}

/// Answers one request, on a thread that may read and compress while others are answered.
async fn answer(
    answers: Arc<Answers>,
    request: hyper::Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, _) = request.into_parts();
    let work = tokio::task::spawn_blocking(move || {
        let path = head.uri.path_and_query().map_or("/", |path| path.as_str());
        answers.answer(&head.method, path, &head.headers)
    });
    Ok(work.await.unwrap_or_else(|_| {
        let mut failed = Response::default();
        *failed.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        failed
    }))
}
