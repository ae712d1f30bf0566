//! `cargo xtask serve`: build, serve on this machine, open.

use std::path::Path;

use tokenyard_serve::{Options, Server};

use crate::cache::Cache;
use crate::workspace::Workspace;
use crate::{Context as _, Outcome, dist};

/// Builds the site into `dist/` and serves it until the process ends.
pub fn run(workspace: &Workspace, cache: &Cache, port: Option<u16>, open: bool) -> Outcome<()> {
    let out = workspace.root.join("dist");
    dist::build(workspace, cache, &out, &dist::Edition::default())?;
    let server = start(&out, port)?;
    let url = server.url();
    println!("serving {url} (Ctrl-C ends it)");
    if open && let Err(error) = open::that_detached(&url) {
        eprintln!("the browser could not be opened ({error}): open {url} yourself, or use --no-open");
    }
    server.wait();
    Ok(())
}

fn start(out: &Path, port: Option<u16>) -> Outcome<Server> {
    let mut options = Options::new(out);
    options.port = port;
    Server::start(options).context(|| match port {
        Some(port) => format!("listen on port {port} (is something else using it?)"),
        None => "listen on this machine".to_owned(),
    })
}
