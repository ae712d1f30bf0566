//! A small client of WebKit's remote inspector, for what its WebDriver does not offer.
//!
//! MiniBrowser under automation writes no console messages to its output (its session is
//! ephemeral), and its driver has no log. The inspector has both, and takes a second client beside
//! the driver. A message is a length in network order, one byte of flags (1: little-endian body),
//! a name that ends in a zero byte, and its parameters as a serialised `GVariant`. The three used
//! here need no more of that format than fixed integers followed by a string that ends in zero.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedReadHalf;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::log::{Level, Log};
use crate::{Failure, Outcome, Stopwatch};

/// The browser's first connection and its first page. A fresh browser always counts from 1.
const CONNECTION: u64 = 1;
const PAGE: u64 = 1;

const UNKNOWN_DIRECTIVE: &str = "Unrecognized Content-Security-Policy directive 'manifest-src'";

/// A connection that reports console messages of the page and can set its preferences.
#[derive(Clone)]
pub(super) struct Inspector {
    sender: UnboundedSender<Vec<u8>>,
    state: Arc<Mutex<State>>,
}

/// What has to be repeated when the page moves to another process.
#[derive(Default)]
struct State {
    target: Option<String>,
    preferences: Vec<(String, String)>,
    first_script: String,
    next: u64,
}

impl Inspector {
    /// Connects to the inspector on `port` and waits until it has named the page.
    pub(super) async fn attach(port: u16, log: Log) -> Result<Self, Failure> {
        let (reader, mut writer) =
            TcpStream::connect((std::net::Ipv4Addr::LOCALHOST, port)).await?.into_split();
        let (sender, mut outgoing) = unbounded_channel::<Vec<u8>>();
        tokio::spawn(async move {
            while let Some(bytes) = outgoing.recv().await {
                if writer.write_all(&bytes).await.is_err() {
                    return;
                }
            }
        });
        let inspector = Self { sender, state: Arc::default() };
        tokio::spawn(inspector.clone().follow(reader, log));
        inspector.send(&frame("SetupInspectorClient", b"\0"))?;
        inspector.send(&frame("Setup", &address()))?;
        let started = Stopwatch::start();
        while inspector.lock().target.is_none() {
            if started.past(Duration::from_secs(10)) {
                return Err("WebKit's inspector does not name the page".into());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Ok(inspector)
    }

    /// Overrides one preference of the user, by the names of the inspector's page domain.
    pub(super) fn prefer(&self, name: &str, value: &str) -> Outcome {
        let target = {
            let mut state = self.lock();
            state.preferences.retain(|(other, _)| other != name);
            state.preferences.push((name.to_owned(), value.to_owned()));
            state.target.clone()
        };
        let target = target.ok_or("WebKit's inspector has no page")?;
        self.ask(&target, "Page.overrideUserPreference", &json!({ "name": name, "value": value }))
    }

    /// Runs `script` in every document from now on, before its own scripts; none if it is empty.
    pub(super) fn run_first(&self, script: &str) -> Outcome {
        let target = {
            let mut state = self.lock();
            if state.first_script == script {
                return Ok(());
            }
            script.clone_into(&mut state.first_script);
            state.target.clone()
        };
        let target = target.ok_or("WebKit's inspector has no page")?;
        let parameters = if script.is_empty() { json!({}) } else { json!({ "source": script }) };
        self.ask(&target, "Page.setBootstrapScript", &parameters)
    }

    async fn follow(self, mut reader: OwnedReadHalf, log: Log) {
        while let Ok(length) = reader.read_u32().await {
            let mut body = vec![0; length as usize + 1];
            if reader.read_exact(&mut body).await.is_err() {
                return;
            }
            // The first byte is the flags.
            let taken = frontend_message(&body[1..]).map_or(Ok(()), |message| self.take(&message, &log));
            if taken.is_err() {
                return;
            }
        }
    }

    fn take(&self, message: &Value, log: &Log) -> Outcome {
        match message["method"].as_str() {
            Some("Target.targetCreated") => {
                let info = &message["params"]["targetInfo"];
                if info["type"] == "page" {
                    self.greet(info["targetId"].as_str().unwrap_or_default())?;
                }
            }
            Some("Target.didCommitProvisionalTarget") => {
                let id = message["params"]["newTargetId"].as_str().map(str::to_owned);
                self.lock().target = id;
            }
            Some("Target.dispatchMessageFromTarget") => {
                let target = message["params"]["targetId"].as_str().unwrap_or_default();
                let inner = message["params"]["message"].as_str().unwrap_or_default();
                self.take_from_page(target, &serde_json::from_str(inner)?, log)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn take_from_page(&self, target: &str, message: &Value, log: &Log) -> Outcome {
        let parameters = &message["params"];
        match message["method"].as_str() {
            Some("Console.messageAdded") => note(&parameters["message"], log),
            Some("Worker.workerCreated") => {
                // A worker waits to be started as soon as somebody asks for workers at all.
                let worker = &parameters["workerId"];
                let console = json!({ "id": 1, "method": "Console.enable" }).to_string();
                let console = json!({ "workerId": worker, "message": console });
                self.ask(target, "Worker.sendMessageToWorker", &console)?;
                self.ask(target, "Worker.initialized", &json!({ "workerId": worker }))?;
            }
            Some("Worker.dispatchMessageFromWorker") => {
                let inner = parameters["message"].as_str().unwrap_or_default();
                self.take_from_page(target, &serde_json::from_str(inner)?, log)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Asks a new page for its console, past messages included, and repeats the preferences.
    fn greet(&self, target: &str) -> Outcome {
        let (preferences, first_script) = {
            let mut state = self.lock();
            state.target = Some(target.to_owned());
            (state.preferences.clone(), state.first_script.clone())
        };
        self.ask(target, "Console.enable", &json!({}))?;
        self.ask(target, "Page.enable", &json!({}))?;
        self.ask(target, "Worker.enable", &json!({}))?;
        for (name, value) in preferences {
            self.ask(target, "Page.overrideUserPreference", &json!({ "name": name, "value": value }))?;
        }
        if first_script.is_empty() {
            return Ok(());
        }
        self.ask(target, "Page.setBootstrapScript", &json!({ "source": first_script }))
    }

    fn ask(&self, target: &str, method: &str, parameters: &Value) -> Outcome {
        let (inner, outer) = {
            let mut state = self.lock();
            state.next += 2;
            (state.next, state.next + 1)
        };
        let inner = json!({ "id": inner, "method": method, "params": parameters }).to_string();
        let parameters = json!({ "targetId": target, "message": inner });
        let outer = json!({ "id": outer, "method": "Target.sendMessageToTarget", "params": parameters });
        let mut bytes = address();
        bytes.extend(outer.to_string().bytes());
        bytes.push(0);
        self.send(&frame("SendMessageToBackend", &bytes))
    }

    fn send(&self, bytes: &[u8]) -> Outcome {
        self.sender.send(bytes.to_vec()).map_err(|_| Failure::new("WebKit's inspector has closed"))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Connection and page, as every message names them.
fn address() -> Vec<u8> {
    [CONNECTION.to_le_bytes(), PAGE.to_le_bytes()].concat()
}

/// One message: length, flags, name, zero, parameters.
fn frame(name: &str, parameters: &[u8]) -> Vec<u8> {
    let length = u32::try_from(name.len() + 1 + parameters.len()).unwrap_or(u32::MAX);
    let mut bytes = length.to_be_bytes().to_vec();
    bytes.push(1);
    bytes.extend(name.bytes());
    bytes.push(0);
    bytes.extend(parameters);
    bytes
}

/// The JSON of a message to the inspector, or nothing if the body is another kind of message.
fn frontend_message(body: &[u8]) -> Option<Value> {
    let parameters = body.strip_prefix(b"SendMessageToFrontend\0")?;
    let text = parameters.get(address().len()..)?.strip_suffix(b"\0")?;
    serde_json::from_slice(text).ok()
}

fn note(entry: &Value, log: &Log) {
    let level = match entry["level"].as_str() {
        Some("error") => Level::Error,
        Some("warning") => Level::Warning,
        _ => Level::Info,
    };
    let text = entry["text"].as_str().unwrap_or_default();
    // Said about the policy itself, not about the page: WebKitGTK does not know this directive.
    let level = if text.contains(UNKNOWN_DIRECTIVE) { Level::Info } else { level };
    log.push(level, format!("{}:{} {text}", entry["url"].as_str().unwrap_or_default(), entry["line"]));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_carries_its_length_flags_name_and_parameters() {
        assert_eq!(frame("Ab", b"xyz"), [b"\0\0\0\x06\x01".as_slice(), b"Ab\0xyz"].concat());
    }

    #[test]
    fn only_messages_to_the_frontend_are_read() {
        let mut body = b"SendMessageToFrontend\0".to_vec();
        body.extend(address());
        body.extend(b"{\"id\":7}\0");
        assert_eq!(frontend_message(&body), Some(json!({ "id": 7 })));
        assert_eq!(frontend_message(b"SetTargetList\0\x01"), None);
        assert_eq!(frontend_message(&body[..body.len() - 1]), None, "the text must end in zero");
    }
}
