//! WebKitGTK: MiniBrowser on a virtual screen of its own, its driver, and its remote inspector.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::inspector::Inspector;
use super::{Channel, Process, START_LIMIT, Session, StartError, connect, free_port, on_path, programs};
use crate::log::Log;
use crate::server::Wall;
use crate::tab::Emulation;
use crate::{Engine, Outcome, Stopwatch};

const REMEDY: &str = "apt-get install webkit2gtk-driver";

/// Starts the browser itself rather than through the driver: then the address of its inspector
/// is known, and the inspector can be asked for console messages beside the driver.
pub(super) async fn start() -> Result<Session, StartError> {
    let screen_program = on_path("Xvfb", "apt-get install xvfb")?;
    let driver_program = on_path("WebKitWebDriver", REMEDY)?;
    let browser_program = programs::mini_browser()?;
    let wall = Arc::new(Wall::start()?);
    let (port, inspector_port) = (free_port()?, free_port()?);
    // The server picks a free display and prints its number.
    let mut command = Command::new(screen_program);
    command.args(["-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]);
    let (screen, display) = Process::start_and_read_line(&mut command)?;
    let inspector_address = format!("127.0.0.1:{inspector_port}");
    let mut command = Command::new(&browser_program);
    command.arg("--automation").env("WEBKIT_INSPECTOR_SERVER", &inspector_address);
    command.env("DISPLAY", format!(":{display}")).env("GDK_BACKEND", "x11").env("NO_AT_BRIDGE", "1");
    command.env_remove("WAYLAND_DISPLAY");
    // Not as a capability: MiniBrowser now and then crashes over a list of hosts without a proxy.
    for name in ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"] {
        command.env(name, wall.origin());
    }
    command.env("no_proxy", "127.0.0.1").env("NO_PROXY", "127.0.0.1");
    let browser = Process::start(&mut command)?;
    window_exists(&browser).await?;
    let mut command = Command::new(driver_program);
    command.arg(format!("--port={port}")).arg(format!("--target={inspector_address}"));
    let driver = Process::start(&mut command)?;
    let options = json!({ "binary": browser_program, "args": ["--automation"] });
    let client = connect(port, json!({ "webkitgtk:browserOptions": options })).await?;
    let log = Log::default();
    let inspector = Inspector::attach(inspector_port, log.clone()).await?;
    Ok(Session {
        engine: Engine::WebKit,
        client,
        log,
        wall,
        channel: Channel::Inspector(inspector),
        processes: vec![driver, browser, screen],
    })
}

/// Waits until the browser has started its network process, which it does with its window. Its
/// inspector listens a tenth of a second earlier, when there is nothing yet for a driver to drive.
async fn window_exists(browser: &Process) -> Outcome {
    let started = Stopwatch::start();
    while !browser.has_child("WebKitNetworkPr") {
        if started.past(START_LIMIT) {
            return Err("MiniBrowser does not start its network process".into());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

pub(super) fn emulate(inspector: &Inspector, emulation: Emulation) -> Outcome {
    let scheme = if emulation.dark { "Dark" } else { "Light" };
    let motion = if emulation.reduced_motion { "Reduce" } else { "NoPreference" };
    inspector.prefer("PrefersColorScheme", scheme)?;
    inspector.prefer("PrefersReducedMotion", motion)
}

/// Puts getters that throw what a sandbox throws in place of both storages.
pub(super) fn refuse_storage(inspector: &Inspector, refuse: bool) -> Outcome {
    const REFUSING: &str = "for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, { get() { throw new DOMException('refused', 'SecurityError') } });";
    inspector.run_first(if refuse { REFUSING } else { "" })
}
