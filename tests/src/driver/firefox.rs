//! Firefox: geckodriver for commands, WebDriver BiDi for console messages.

use std::process::Command;
use std::sync::Arc;

use serde_json::json;

use super::{Channel, Process, Session, StartError, bidi, connect, free_port, on_path, programs, through};
use crate::log::Log;
use crate::server::Wall;
use crate::tab::Emulation;
use crate::{Engine, Failure, Outcome};

pub(super) async fn start() -> Result<Session, StartError> {
    let binary = on_path("firefox-esr", "apt-get install firefox-esr").or_else(|missing| {
        // Other systems name it without the suffix.
        on_path("firefox", missing.remedy).map_err(|_| missing)
    })?;
    let driver = programs::geckodriver()?;
    let wall = Arc::new(Wall::start()?);
    let (port, socket) = (free_port()?, free_port()?);
    let mut command = Command::new(driver);
    command.args(["--port", &port.to_string(), "--websocket-port", &socket.to_string()]);
    // Needed to change the preferences of a running browser, see `emulate`.
    command.arg("--allow-system-access");
    let mut process = Process::start(&mut command)?;
    let capabilities = json!({
        "proxy": through(&wall),
        "webSocketUrl": true,
        "moz:firefoxOptions": {
            "binary": binary,
            "args": ["-headless"],
            "prefs": {
                "app.normandy.enabled": false,
                "browser.newtabpage.enabled": false,
                "browser.startup.page": 0,
                "network.captive-portal-service.enabled": false,
                "network.connectivity-service.enabled": false,
                "extensions.getAddons.cache.enabled": false,
            },
        },
    });
    let client = connect(port, capabilities).await?;
    process.adopt(client.capabilities().and_then(|all| all.get("moz:processID")));
    let address = client.capabilities().and_then(|all| all.get("webSocketUrl")?.as_str().map(str::to_owned));
    let address = address.ok_or_else(|| Failure::new("Firefox offers no BiDi address"))?;
    let log = Log::default();
    bidi::follow_log(&address, log.clone()).await?;
    Ok(Session {
        engine: Engine::Firefox,
        client,
        log,
        wall,
        channel: Channel::Bidi,
        processes: vec![process],
    })
}

/// Sets the preferences that stand for the system's own in the running browser.
pub(super) async fn emulate(session: &Session, emulation: Emulation) -> Outcome {
    let context = |name: &str| Some(json!({ "context": name }));
    session.command(http::Method::POST, "moz/context", context("chrome")).await?;
    let script = "Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', arguments[0]);\
                  Services.prefs.setIntPref('ui.prefersReducedMotion', arguments[1]);";
    let arguments = vec![json!(i32::from(!emulation.dark)), json!(i32::from(emulation.reduced_motion))];
    let done = session.client.execute(script, arguments).await;
    session.command(http::Method::POST, "moz/context", context("content")).await?;
    done?;
    Ok(())
}
