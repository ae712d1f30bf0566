//! Starting an engine with its driver, and the commands that differ from engine to engine.

mod bidi;
mod chromium;
mod firefox;
mod inspector;
mod process;
mod programs;
mod webkit;

use std::sync::Arc;
use std::time::Duration;

use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

use crate::log::Log;
use crate::server::Wall;
use crate::tab::Emulation;
use crate::{Engine, Failure, Outcome, Stopwatch};
use process::Process;

pub(crate) use process::end_all;
pub(crate) use programs::{Missing, on_path, tools};

/// How long a driver may take until it listens. A loaded machine starts Firefox in ten seconds.
const START_LIMIT: Duration = Duration::from_secs(30);

/// A running engine with one window, reused by every journey of that engine.
pub(crate) struct Session {
    pub(crate) engine: Engine,
    pub(crate) client: Client,
    pub(crate) log: Log,
    pub(crate) wall: Arc<Wall>,
    channel: Channel,
    // Ended last to first when the session is dropped.
    processes: Vec<Process>,
}

/// Where console messages come from, and where settings that WebDriver does not know go.
enum Channel {
    /// Chromium's driver hands over its log when asked.
    AskDriver,
    /// WebDriver BiDi sends messages as they happen.
    Bidi,
    /// WebKit's remote inspector, as a second client beside the driver.
    Inspector(inspector::Inspector),
}

/// Why an engine did not start.
pub(crate) enum StartError {
    /// A program is not installed.
    Missing(Missing),
    /// Everything is there, and it failed.
    Failed(Failure),
}

impl<E: Into<Failure>> From<E> for StartError {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl From<Missing> for StartError {
    fn from(missing: Missing) -> Self {
        Self::Missing(missing)
    }
}

impl Session {
    /// Starts the engine with a fresh profile. Takes one to ten seconds.
    pub(crate) async fn start(engine: Engine) -> Result<Self, StartError> {
        match engine {
            Engine::Chromium => chromium::start().await,
            Engine::Firefox => firefox::start().await,
            Engine::WebKit => webkit::start().await,
        }
    }

    /// Ends the browser in the orderly way; what remains is ended when the session is dropped.
    pub(crate) async fn end(self) {
        let Self { client, mut processes, .. } = self;
        // A browser that no longer answers is ended with its processes.
        if let Ok(Ok(())) = tokio::time::timeout(Duration::from_secs(10), client.close()).await {
            processes.iter_mut().for_each(Process::release);
        }
    }

    /// Sends a command that the client library has no method for, below `/session/<id>/`.
    pub(crate) async fn command(
        &self,
        method: http::Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<Value, Failure> {
        let command = Raw { method, path: path.to_owned(), body };
        self.client.issue_cmd(command).await.map_err(|error| Failure::from(error).during(path))
    }

    /// Fetches console messages that wait to be asked for.
    pub(crate) async fn fetch_log(&self) -> Outcome {
        match self.channel {
            Channel::AskDriver => chromium::fetch_log(self).await,
            Channel::Bidi | Channel::Inspector(_) => Ok(()),
        }
    }

    /// Pretends that the reader prefers a colour scheme and less motion.
    pub(crate) async fn emulate(&self, emulation: Emulation) -> Outcome {
        match &self.channel {
            Channel::AskDriver => chromium::emulate(self, emulation).await,
            Channel::Bidi => firefox::emulate(self, emulation).await,
            Channel::Inspector(inspector) => webkit::emulate(inspector, emulation),
        }
    }

    /// Makes every access to storage throw in documents opened from now on, or no longer. WebKit
    /// only: elsewhere a sandboxed frame does it, and this does nothing.
    pub(crate) fn refuse_storage(&self, refuse: bool) -> Outcome {
        match &self.channel {
            Channel::Inspector(inspector) => webkit::refuse_storage(inspector, refuse),
            Channel::AskDriver | Channel::Bidi => Ok(()),
        }
    }

    /// One command of the DevTools protocol, and its answer. Chromium only.
    pub(crate) async fn devtools(&self, command: &str, parameters: Value) -> Result<Value, Failure> {
        match self.channel {
            Channel::AskDriver => chromium::devtools(self, command, parameters).await,
            Channel::Bidi | Channel::Inspector(_) => {
                Err(Failure::new("only Chromium has it").during(command))
            }
        }
    }
}

/// A command of an engine's own.
#[derive(Debug)]
struct Raw {
    method: http::Method,
    path: String,
    body: Option<Value>,
}

impl WebDriverCompatibleCommand for Raw {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (self.method.clone(), self.body.as_ref().map(Value::to_string))
    }
}

/// A port that is free now. Another program could take it before the driver does; the driver then
/// fails to start and says so.
fn free_port() -> Result<u16, Failure> {
    let listener = std::net::TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0))?;
    Ok(listener.local_addr()?.port())
}

/// Waits until something listens on `port`.
async fn listening(port: u16) -> Outcome {
    let started = Stopwatch::start();
    while tokio::net::TcpStream::connect((std::net::Ipv4Addr::LOCALHOST, port)).await.is_err() {
        if started.past(START_LIMIT) {
            return Err(format!("nothing listens on port {port}").into());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

/// The capability that sends every host but the loopback address to the wall.
fn through(wall: &Wall) -> Value {
    json!({
        "proxyType": "manual", "httpProxy": wall.address(), "sslProxy": wall.address(), "noProxy": ["127.0.0.1"],
    })
}

/// Opens a session at the driver on `port`.
async fn connect(port: u16, capabilities: Value) -> Result<Client, Failure> {
    let Value::Object(all) = capabilities else { return Err("capabilities are an object".into()) };
    let capabilities: Capabilities = all.into_iter().collect();
    listening(port).await?;
    let mut builder = ClientBuilder::new(HttpConnector::new());
    builder.capabilities(capabilities);
    Ok(builder.connect(&format!("http://127.0.0.1:{port}/")).await?)
}
