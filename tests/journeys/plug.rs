//! The cable between a browser and the site: an address that stays the same while the server behind it is
//! stopped, replaced or slow.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tokenyard_browser_tests::Server;

/// Passes connections on to a server, at a port of its own.
pub(crate) struct Plug {
    address: SocketAddr,
    mount: String,
    line: Option<(Arc<Line>, JoinHandle<()>)>,
}

/// The connections since the plug was put in.
#[derive(Default)]
struct Line {
    cut: AtomicBool,
    held: AtomicBool,
    open: Mutex<Vec<TcpStream>>,
}

impl Plug {
    /// Takes a free port and passes it on to a server.
    pub(crate) fn into(server: &Server) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let mount = server.url().trim_start_matches(&server.origin()).to_owned();
        let mut plug = Self { address: listener.local_addr()?, mount, line: None };
        plug.listen(listener, server)?;
        Ok(plug)
    }

    /// Address of a path of the site, as the browser is to ask for it.
    pub(crate) fn address(&self, path: &str) -> String {
        format!("http://{}{}{path}", self.address, self.mount)
    }

    /// Nobody listens any more, and every connection ends.
    pub(crate) fn pull(&mut self) {
        let Some((line, thread)) = self.line.take() else { return };
        line.cut.store(true, Ordering::SeqCst);
        // The listener only looks when somebody calls.
        drop(TcpStream::connect(self.address));
        let _ = thread.join();
        for stream in lock(&line.open).drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// The same port again, before this server.
    pub(crate) fn put_into(&mut self, server: &Server) -> io::Result<()> {
        self.pull();
        let listener = TcpListener::bind(self.address)?;
        self.listen(listener, server)
    }

    /// Whether answers wait on their way.
    pub(crate) fn hold(&self, held: bool) {
        if let Some((line, _)) = &self.line {
            line.held.store(held, Ordering::SeqCst);
        }
    }

    fn listen(&mut self, listener: TcpListener, server: &Server) -> io::Result<()> {
        let to: SocketAddr =
            server.origin().trim_start_matches("http://").parse().map_err(io::Error::other)?;
        let line = Arc::<Line>::default();
        let own = Arc::clone(&line);
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if own.cut.load(Ordering::SeqCst) {
                    return;
                }
                // Either side may be gone already: the browser sees a connection that ends.
                let _ = stream.and_then(|stream| connect(stream, to, &own));
            }
        });
        self.line = Some((line, thread));
        Ok(())
    }
}

impl Drop for Plug {
    fn drop(&mut self) {
        self.pull();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn connect(browser: TcpStream, to: SocketAddr, line: &Arc<Line>) -> io::Result<()> {
    let server = TcpStream::connect(to)?;
    lock(&line.open).extend([browser.try_clone()?, server.try_clone()?]);
    let pairs = [(browser.try_clone()?, server.try_clone()?), (server, browser)];
    for (from, to) in pairs {
        let line = Arc::clone(line);
        std::thread::spawn(move || pass(from, to, &line));
    }
    Ok(())
}

/// Passes on what arrives until one side ends, then ends the other.
fn pass(mut from: TcpStream, mut to: TcpStream, line: &Line) {
    let mut bytes = vec![0; 1 << 16];
    while let Ok(length @ 1..) = from.read(&mut bytes) {
        while line.held.load(Ordering::SeqCst) && !line.cut.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(10));
        }
        if to.write_all(&bytes[..length]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}
