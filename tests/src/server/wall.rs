//! The other side of the wall: every request that is not for the site under test.
//!
//! Each browser gets this listener as its proxy for every host but 127.0.0.1, so a request for any
//! other origin arrives here, is written down and goes no further. It is also an origin of its own
//! on the loopback address, which control pages may call by its port.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// How calls begin that the browsers make by themselves, whatever page is open: Firefox asks for its
/// remote settings; Chromium for accounts, the time, updates and hints, as seen in 75 s of an empty
/// page. A page that called one of them would still be stopped by its own policy, and that would be
/// in the console.
const OWN: &[&str] = &[
    "CONNECT firefox.settings.services.mozilla.com:443 ",
    "CONNECT accounts.google.com:443 ",
    "CONNECT optimizationguide-pa.googleapis.com:443 ",
    "CONNECT update.googleapis.com:443 ",
    "POST http://update.googleapis.com/service/update2/",
    "GET http://clients2.google.com/time/",
];

/// A listener that records first lines and refuses everything.
#[derive(Debug)]
pub struct Wall {
    address: SocketAddr,
    lines: Arc<Mutex<Vec<String>>>,
    stopping: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Wall {
    /// Starts listening on a free port of 127.0.0.1.
    pub fn start() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let lines = Arc::<Mutex<Vec<String>>>::default();
        let stopping = Arc::<AtomicBool>::default();
        let (record, stop) = (Arc::clone(&lines), Arc::clone(&stopping));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                let record = Arc::clone(&record);
                if let Ok(stream) = stream {
                    // One thread each: a connection that stays silent must not hide the next one.
                    std::thread::spawn(move || note(&stream, &record));
                }
            }
        });
        Ok(Self { address, lines, stopping, thread: Some(thread) })
    }

    /// Host and port, as a proxy setting wants it.
    #[must_use]
    pub fn address(&self) -> String {
        self.address.to_string()
    }

    /// Scheme, host and port, for a page that calls it directly.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// First lines that arrived since the last [`Wall::clear`], such as
    /// `CONNECT example.org:443 HTTP/1.1`, without the browsers' own errands.
    #[must_use]
    pub fn requests(&self) -> Vec<String> {
        lock(&self.lines)
            .iter()
            .filter(|line| !OWN.iter().any(|call| line.starts_with(call)))
            .cloned()
            .collect()
    }

    /// Forgets what arrived so far.
    pub fn clear(&self) {
        lock(&self.lines).clear();
    }
}

impl Drop for Wall {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::SeqCst);
        // The listener only looks at the flag when somebody calls.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn lock(lines: &Mutex<Vec<String>>) -> MutexGuard<'_, Vec<String>> {
    lines.lock().unwrap_or_else(PoisonError::into_inner)
}

fn note(mut stream: &TcpStream, record: &Mutex<Vec<String>>) {
    if stream.set_read_timeout(Some(Duration::from_secs(5))).is_err() {
        return;
    }
    // The first line of a request fits into its first packet.
    let mut start = [0; 2048];
    let Ok(length) = stream.read(&mut start) else { return };
    if length == 0 {
        return;
    }
    let line = String::from_utf8_lossy(&start[..length]).lines().next().unwrap_or_default().to_owned();
    lock(record).push(line);
    // The caller may not wait for the refusal.
    let _ = stream.write_all(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}
