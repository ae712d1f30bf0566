//! Chromium: everything goes through its driver.

use std::process::Command;
use std::sync::Arc;

use serde_json::{Value, json};

use super::{Channel, Process, Session, StartError, connect, free_port, on_path, through};
use crate::log::{Level, Log};
use crate::server::Wall;
use crate::tab::Emulation;
use crate::{Engine, Failure, Outcome};

const REMEDY: &str = "apt-get install chromium chromium-driver";

const ARGUMENTS: &[&str] = &[
    "--headless",
    // Containers run as root, where Chromium's own sandbox refuses to start.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,900",
    // A sandboxed frame in a process of its own would write to no console that the driver reads.
    "--disable-features=IsolateSandboxedIframes,AutofillServerCommunication",
    // A hidden page must be hidden because a journey hid it, not because of another window.
    "--disable-backgrounding-occluded-windows",
];

pub(super) async fn start() -> Result<Session, StartError> {
    let binary = on_path("chromium", REMEDY)?;
    let driver = on_path("chromedriver", REMEDY)?;
    let wall = Arc::new(Wall::start()?);
    let port = free_port()?;
    let mut process = Process::start(Command::new(driver).arg(format!("--port={port}")))?;
    // The driver makes a fresh profile folder for each session and removes it afterwards.
    let capabilities = json!({
        "proxy": through(&wall),
        "goog:loggingPrefs": { "browser": "ALL" },
        "goog:chromeOptions": { "binary": binary, "args": ARGUMENTS },
    });
    let client = connect(port, capabilities).await?;
    process.adopt(client.capabilities().and_then(|all| all.get("goog:processID")));
    let log = Log::default();
    Ok(Session {
        engine: Engine::Chromium,
        client,
        log,
        wall,
        channel: Channel::AskDriver,
        processes: vec![process],
    })
}

pub(super) async fn fetch_log(session: &Session) -> Outcome {
    let answer = session.command(http::Method::POST, "se/log", Some(json!({ "type": "browser" }))).await?;
    for entry in answer.as_array().into_iter().flatten() {
        let level = match entry["level"].as_str() {
            Some("SEVERE") => Level::Error,
            Some("WARNING") => Level::Warning,
            _ => Level::Info,
        };
        session.log.push(level, entry["message"].as_str().unwrap_or_default());
    }
    Ok(())
}

pub(super) async fn devtools(session: &Session, command: &str, parameters: Value) -> Result<Value, Failure> {
    let body = json!({ "cmd": command, "params": parameters });
    session.command(http::Method::POST, "goog/cdp/execute", Some(body)).await
}

pub(super) async fn emulate(session: &Session, emulation: Emulation) -> Outcome {
    let features = json!({ "features": [
        { "name": "prefers-color-scheme", "value": emulation.scheme() },
        { "name": "prefers-reduced-motion", "value": emulation.motion() },
    ]});
    devtools(session, "Emulation.setEmulatedMedia", features).await.map(drop)
}
