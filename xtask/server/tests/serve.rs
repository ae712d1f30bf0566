//! The server over real connections: what it serves, what it refuses, what it remembers.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokenyard_serve::{Options, Server};

/// A folder of its own per test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn with(name: &str, files: &[(&str, &str)]) -> io::Result<Self> {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        if path.exists() {
            fs::remove_dir_all(&path)?;
        }
        for (file, content) in files {
            let file = path.join("root").join(file);
            fs::create_dir_all(file.parent().unwrap_or(&path))?;
            fs::write(file, content)?;
        }
        Ok(Self(path))
    }

    fn root(&self) -> PathBuf {
        self.0.join("root")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (field, value) = line.split_once(": ")?;
            field.eq_ignore_ascii_case(name).then_some(value)
        })
    }
}

/// Sends one request with the path exactly as given, which no HTTP library would do.
fn ask(server: &Server, method: &str, path: &str, headers: &str) -> io::Result<Answer> {
    let origin = server.origin();
    let mut stream = TcpStream::connect(origin.trim_start_matches("http://"))?;
    write!(stream, "{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}Connection: close\r\n\r\n")?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(bytes.len());
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    Ok(Answer { status, head, body: bytes.get(end + 4..).unwrap_or_default().to_vec() })
}

fn status(server: &Server, path: &str) -> u16 {
    ask(server, "GET", path, "").map_or(0, |answer| answer.status)
}

#[test]
fn folders_files_and_mounts() {
    let folder =
        Folder::with("mounts", &[("index.html", "home"), ("labs/herding/index.html", "herd")]).unwrap();
    let mut options = Options::new(folder.root());
    options.mount = "/a/b/".to_owned();
    let server = Server::start(options).unwrap();
    assert!(server.url().ends_with("/a/b/"));
    assert_eq!(ask(&server, "GET", "/a/b/", "").unwrap().body, b"home");
    assert_eq!(ask(&server, "GET", "/a/b/index.html", "").unwrap().body, b"home");
    assert_eq!(ask(&server, "GET", "/a/b/labs/herding/?lang=ja", "").unwrap().body, b"herd");
    let moved = ask(&server, "GET", "/a/b/labs/herding?lang=ja", "").unwrap();
    assert_eq!((moved.status, moved.header("Location")), (301, Some("/a/b/labs/herding/?lang=ja")));
    for nothing in
        ["/", "/index.html", "/a/", "/a/b", "/a/b/labs/", "/a/b/none", "/a/b/index.html/", "/a/bb/"]
    {
        assert_eq!(status(&server, nothing), 404, "{nothing}");
    }
}

#[test]
fn nothing_outside_the_root_is_served() {
    let folder = Folder::with("escapes", &[("in/index.html", "in"), ("labs/index.html", "labs")]).unwrap();
    fs::write(folder.0.join("secret.txt"), "secret").unwrap();
    let options = Options::new(folder.root());
    let server = Server::start(options).unwrap();
    assert_eq!(status(&server, "/in/"), 200);
    for path in [
        "/../secret.txt",
        "/in/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/in/..\\..\\secret.txt",
        "/in/%5c..%5csecret.txt",
        "/secret.txt%00.html",
        "//labs",
    ] {
        assert_eq!(status(&server, path), 404, "{path}");
    }
}

#[cfg(unix)]
#[test]
fn links_inside_the_root_work_and_links_out_of_it_do_not() {
    let folder = Folder::with("links", &[("real/index.html", "real")]).unwrap();
    fs::write(folder.0.join("secret.txt"), "secret").unwrap();
    let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, folder.root().join(name)).unwrap();
    link(&folder.0.join("secret.txt"), "file.txt");
    link(&folder.0, "up");
    link(&folder.root().join("real"), "inside");
    let server = Server::start(Options::new(folder.root())).unwrap();
    assert_eq!(status(&server, "/inside/"), 200);
    for path in ["/file.txt", "/up/", "/up/secret.txt"] {
        assert_eq!(status(&server, path), 404, "{path}");
    }
}

#[test]
fn types_headers_and_compression() {
    let text = "least outstanding ".repeat(500);
    let folder = Folder::with("bodies", &[("a.wasm", &text), ("a.js", &text), ("a.png", &text)]).unwrap();
    let mut options = Options::new(folder.root());
    options.wasm_content_type = "application/octet-stream".to_owned();
    options.extra_headers = vec![("X-Frame-Options".to_owned(), "DENY".to_owned())];
    let server = Server::start(options).unwrap();
    let wasm = ask(&server, "GET", "/a.wasm", "").unwrap();
    assert_eq!(wasm.header("Content-Type"), Some("application/octet-stream"));
    assert_eq!(wasm.header("X-Frame-Options"), Some("DENY"));
    assert_eq!(wasm.body, text.as_bytes());
    for _ in 0..2 {
        let script = ask(&server, "GET", "/a.js", "Accept-Encoding: gzip, br\r\n").unwrap();
        assert_eq!(script.header("Content-Type"), Some("text/javascript; charset=utf-8"));
        assert_eq!(script.header("Content-Encoding"), Some("br"));
        assert_eq!(script.header("Content-Length"), Some(script.body.len().to_string().as_str()));
        assert_eq!(script.body, tokenyard_serve::compress(text.as_bytes()).unwrap());
    }
    let changed = "changed ".repeat(700);
    fs::write(folder.root().join("a.js"), &changed).unwrap();
    let script = ask(&server, "GET", "/a.js", "Accept-Encoding: br\r\n").unwrap();
    assert_eq!(script.body, tokenyard_serve::compress(changed.as_bytes()).unwrap());
    let picture = ask(&server, "GET", "/a.png", "Accept-Encoding: br\r\n").unwrap();
    assert_eq!(picture.header("Content-Encoding"), None);
}

#[test]
fn head_has_the_length_and_no_body_and_writing_is_refused() {
    let folder = Folder::with("methods", &[("index.html", "0123456789")]).unwrap();
    let server = Server::start(Options::new(folder.root())).unwrap();
    let head = ask(&server, "HEAD", "/", "").unwrap();
    assert_eq!((head.status, head.header("Content-Length"), head.body.len()), (200, Some("10"), 0));
    for method in ["POST", "PUT", "DELETE"] {
        assert_eq!(ask(&server, method, "/", "Content-Length: 0\r\n").unwrap().status, 405, "{method}");
    }
}

#[test]
fn the_record_keeps_order_and_can_be_cleared() {
    let folder = Folder::with("record", &[("index.html", "home")]).unwrap();
    let server = Server::start(Options::new(folder.root())).unwrap();
    for path in ["/", "/none?x=1", "/"] {
        status(&server, path);
    }
    let seen: Vec<(u64, String, u16)> =
        server.requests().into_iter().map(|request| (request.order, request.path, request.status)).collect();
    let expected = [(0, "/", 200), (1, "/none?x=1", 404), (2, "/", 200)];
    assert_eq!(seen, expected.map(|(order, path, status)| (order, path.to_owned(), status)));
    server.clear_requests();
    assert!(server.requests().is_empty());
    status(&server, "/");
    assert_eq!(server.requests()[0].order, 3);
}

#[test]
fn a_stopped_server_answers_nobody_and_a_missing_root_is_an_error() {
    let folder = Folder::with("stop", &[("index.html", "home")]).unwrap();
    assert!(Server::start(Options::new(folder.0.join("missing"))).is_err());
    let server = Server::start(Options::new(folder.root())).unwrap();
    let address = server.origin();
    assert_eq!(status(&server, "/"), 200);
    server.stop();
    let answered = TcpStream::connect(address.trim_start_matches("http://")).and_then(|mut stream| {
        stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes)
    });
    assert!(!matches!(answered, Ok(bytes) if bytes > 0), "{answered:?}");
}

/// Reads one answer of a connection that stays open: its status, and its body.
fn read_answer(stream: &mut TcpStream) -> io::Result<(u16, Vec<u8>)> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    let head = Answer { status: 0, head: String::from_utf8_lossy(&head).into_owned(), body: Vec::new() };
    let length = head.header("Content-Length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    Ok((head.head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0), body))
}

/// A connection on which nothing is waited for longer than anybody would.
fn connect(server: &Server) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(server.origin().trim_start_matches("http://"))?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    Ok(stream)
}

/// As many as a browser holds when it shows several pages, and more.
#[test]
fn connections_that_stay_open_keep_nobody_waiting() {
    let page = "queue ".repeat(20_000);
    let folder = Folder::with("many", &[("index.html", "home"), ("page.html", &page)]).unwrap();
    let mut options = Options::new(folder.root());
    options.brotli = false;
    let server = Server::start(options).unwrap();
    let ask = |stream: &mut TcpStream, path: &str| {
        stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").as_bytes()).unwrap();
    };
    // Some have asked before, some have said nothing yet, some have begun to.
    let mut idle: Vec<TcpStream> = (0..200).map(|_| connect(&server).unwrap()).collect();
    for (at, stream) in idle.iter_mut().enumerate() {
        match at % 4 {
            0 => {}
            1 => stream.write_all(b"GET / HT").unwrap(),
            _ => {
                ask(stream, "/");
                assert_eq!(read_answer(stream).unwrap(), (200, b"home".to_vec()));
            }
        }
    }
    let mut burst: Vec<TcpStream> = (0..48).map(|_| connect(&server).unwrap()).collect();
    burst.iter_mut().for_each(|stream| ask(stream, "/page.html"));
    // Answered in any order, whoever reads first.
    for stream in burst.iter_mut().rev() {
        assert_eq!(read_answer(stream).unwrap(), (200, page.as_bytes().to_vec()));
    }
    // Those that were open all the time are answered, too.
    for (at, stream) in idle.iter_mut().enumerate() {
        match at % 4 {
            1 => stream.write_all(b"TP/1.1\r\nHost: x\r\n\r\n").unwrap(),
            _ => ask(stream, "/"),
        }
    }
    for stream in &mut idle {
        assert_eq!(read_answer(stream).unwrap(), (200, b"home".to_vec()));
    }
    // None of them is in the way of the end: it closes them.
    server.stop();
    for stream in &mut idle {
        assert!(matches!(stream.read(&mut [0]), Ok(0) | Err(_)), "the connection is open");
    }
}

#[test]
fn one_connection_is_answered_in_its_own_order() {
    let page = "serve ".repeat(50_000);
    let folder = Folder::with("pipe", &[("a.html", &page), ("b.html", "b")]).unwrap();
    let mut options = Options::new(folder.root());
    options.brotli = false;
    let server = Server::start(options).unwrap();
    let mut stream = connect(&server).unwrap();
    let asked = ["a", "b", "none", "a"].map(|name| format!("GET /{name}.html HTTP/1.1\r\nHost: x\r\n\r\n"));
    stream.write_all(asked.concat().as_bytes()).unwrap();
    for (status, body) in [(200, page.as_str()), (200, "b"), (404, "Not found.\n"), (200, page.as_str())] {
        assert_eq!(read_answer(&mut stream).unwrap(), (status, body.as_bytes().to_vec()));
    }
}

/// A caller in an asynchronous runtime may start and stop servers there.
#[test]
fn a_server_may_be_dropped_inside_a_runtime() {
    let folder = Folder::with("inside", &[("index.html", "home")]).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let server = Server::start(Options::new(folder.root())).unwrap();
        assert_eq!(status(&server, "/"), 200);
        drop(server);
    });
}
