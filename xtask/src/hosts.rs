//! Sites of others that embed a lab: the folders of `examples/embed`, each built by its own
//! generator as its author would build it, with a built Tokenyard beside the pages.
//!
//! A host ends up in `target/hosts/<name>/site`, whole enough to be served. Which ones were built
//! stands in `target/hosts/built.tsv` for the browser suite, which knows nothing of this crate.

mod packages;
mod page;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cache::Cache;
use crate::workspace::Workspace;
use crate::{Context as _, Outcome, Trouble, files, process};
use packages::{Ready, Source};

/// The address of Tokenyard in the examples: a folder beside their pages.
pub const PLACE: &str = "tokenyard-site/";

/// One generator of sites.
#[derive(Debug, Clone, Copy)]
pub struct Host {
    /// Its folder in `examples/embed`, and its word for `--only`.
    pub name: &'static str,
    /// Address of the page with one frame and one element, below the built folder. Empty for the
    /// folder's own page where a generator's script knows that one by no other address.
    pub page: &'static str,
    source: Source,
    /// Words for its program; the folder to write comes after them.
    arguments: &'static [&'static str],
}

const fn host(
    name: &'static str,
    page: &'static str,
    source: Source,
    arguments: &'static [&'static str],
) -> Host {
    Host { name, page, source, arguments }
}

/// Every host. The first one is built by the ordinary test command.
pub const ALL: &[Host] = &[
    host("mdbook", "labs.html", Source::Mdbook, &["build", "--dest-dir"]),
    host("docusaurus", "", Source::Node("@docusaurus/core/bin/docusaurus.mjs"), &["build", "--out-dir"]),
    host("mkdocs", "index.html", Source::Python("mkdocs"), &["build", "--quiet", "--strict", "--site-dir"]),
    host("sphinx", "index.html", Source::Python("sphinx-build"), &["-q", "-W", "."]),
    host("hugo", "index.html", Source::Hugo, &["--quiet", "--destination"]),
    host("reveal", "index.html", Source::Files { package: "reveal.js/dist", place: "reveal" }, &[]),
];

/// Why there is no built host.
#[derive(Debug, PartialEq, Eq)]
pub enum Fault {
    /// Its tools lie on another machine that cannot be reached, or are not installed here.
    Unreachable(String),
    /// It can be built and does not build.
    Broken(Trouble),
}

impl From<Trouble> for Fault {
    fn from(trouble: Trouble) -> Self {
        Self::Broken(trouble)
    }
}

/// A host that was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Built {
    /// Its name.
    pub name: &'static str,
    /// The folder to serve.
    pub folder: PathBuf,
    /// Address of the page with one frame and one element, below the folder; may be empty.
    pub page: &'static str,
}

/// The hosts that `--only` names; all without it.
pub fn choose(only: &[String]) -> Outcome<Vec<&'static Host>> {
    let names: Vec<&str> = ALL.iter().map(|host| host.name).collect();
    if let Some(unknown) = only.iter().find(|name| !names.contains(&name.as_str())) {
        return Err(Trouble(format!("--only {unknown:?} is not a host: allowed are {}", names.join(", "))));
    }
    Ok(ALL.iter().filter(|host| only.is_empty() || only.iter().any(|name| name == host.name)).collect())
}

/// Where the list of built hosts stands: a line each with name, folder and page, tabs between.
#[must_use]
pub fn list(workspace: &Workspace) -> PathBuf {
    workspace.target().join("hosts").join("built.tsv")
}

/// Writes the list of what was built; hosts of earlier runs are not in it.
pub fn write_list(workspace: &Workspace, built: &[Built]) -> Outcome<()> {
    let line = |one: &Built| format!("{}\t{}\t{}\n", one.name, one.folder.display(), one.page);
    let path = list(workspace);
    files::write(&path, &built.iter().map(line).collect::<String>())
}

/// Builds one host around the site in `dist`. `TOKENYARD_SITE` is the address of another site to
/// embed; then nothing is put beside the pages.
pub fn build(workspace: &Workspace, cache: &Cache, dist: &Path, host: &Host) -> Result<Built, Fault> {
    let source = workspace.root.join("examples").join("embed").join(host.name);
    let ready = packages::ensure(host.name, host.source, &source, cache)?;
    let home = workspace.target().join("hosts").join(host.name);
    files::remove_folder(&home)?;
    let folder = home.join("site");
    let elsewhere = std::env::var("TOKENYARD_SITE").ok().filter(|address| !address.is_empty());
    let work = ready.work(&home);
    copy_source(&source, &work, elsewhere.as_deref())?;
    let made = make(host, &ready, &work, &folder);
    if matches!(ready, Ready::Node { .. }) {
        files::remove_folder(&work)?;
    }
    made?;
    if elsewhere.is_none() {
        files::copy_below(dist, &folder.join(PLACE), &[])?;
    }
    let file = if host.page.is_empty() { "index.html" } else { host.page };
    let faults = page::faults(&files::read(&folder.join(file))?);
    if faults.is_empty() {
        return Ok(Built { name: host.name, folder, page: host.page });
    }
    Err(Trouble(format!("{file} was changed by {}: {}", host.name, faults.join("; "))).into())
}

/// Copies the example, with the address of Tokenyard in it.
fn copy_source(from: &Path, to: &Path, elsewhere: Option<&str>) -> Outcome<()> {
    files::remove_folder(to)?;
    files::copy_below(from, to, &["node_modules"])?;
    let Some(address) = elsewhere else { return Ok(()) };
    let address = format!("{}/", address.trim_end_matches('/'));
    for file in files::below(to, &[])? {
        if let Ok(text) = std::fs::read_to_string(&file)
            && text.contains(PLACE)
        {
            files::write(&file, &text.replace(PLACE, &address))?;
        }
    }
    Ok(())
}

/// Runs the generator, or copies the files of its package beside the pages where there is none.
fn make(host: &Host, ready: &Ready, work: &Path, out: &Path) -> Outcome<()> {
    let mut command = match ready {
        Ready::Program(program) => Command::new(program),
        Ready::Node { script, .. } => {
            let mut node = Command::new("node");
            node.arg(script);
            node
        }
        Ready::Files { folder, place } => {
            files::copy_below(work, out, &["node_modules"])?;
            return files::copy_below(folder, &out.join(place), &[]);
        }
    };
    command.current_dir(work).args(host.arguments).arg(out);
    // Neither a look for newer versions nor advice about them belongs to a test.
    command.env("NO_UPDATE_NOTIFIER", "1").env("NO_MKDOCS_2_WARNING", "1").env("RUST_LOG", "warn");
    process::run(&mut command)
}

/// `cargo xtask hosts`: builds what was chosen and says where it is. Hosts whose tools cannot be
/// had are passed over loudly; one that does not build is trouble, after all others.
pub fn run(workspace: &Workspace, cache: &Cache, dist: &Path, chosen: &[&Host]) -> Outcome<()> {
    if !dist.join("index.html").is_file() {
        return Err(Trouble::new("there is no site to embed: run cargo xtask dist"));
    }
    let (mut built, mut broken) = (Vec::new(), Vec::new());
    for host in chosen {
        match build(workspace, cache, dist, host) {
            Ok(one) => {
                println!("{}: {}", one.name, one.folder.join(one.page).display());
                built.push(one);
            }
            Err(Fault::Unreachable(why)) => eprintln!("SKIPPED: {}: {why}", host.name),
            Err(Fault::Broken(trouble)) => broken.push(format!("{}: {trouble}", host.name)),
        }
    }
    write_list(workspace, &built).context(|| "list the hosts".to_owned())?;
    if broken.is_empty() { Ok(()) } else { Err(Trouble(broken.join("\n"))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_a_host_and_every_host_an_example() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/embed");
        let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
        let folders = entries.filter(|entry| entry.path().is_dir());
        let mut found: Vec<String> = folders.map(|entry| entry.file_name().into_string().unwrap()).collect();
        found.sort();
        let mut names: Vec<&str> = ALL.iter().map(|host| host.name).collect();
        names.sort_unstable();
        assert_eq!(found, names);
    }

    #[test]
    fn only_names_hosts() {
        let names = |only: &[&str]| -> Outcome<Vec<&str>> {
            let only: Vec<String> = only.iter().map(|&name| name.to_owned()).collect();
            Ok(choose(&only)?.iter().map(|host| host.name).collect())
        };
        assert_eq!(names(&[]).unwrap().len(), ALL.len());
        assert_eq!(names(&["hugo", "mdbook"]), Ok(vec!["mdbook", "hugo"]));
        assert!(names(&["jekyll"]).unwrap_err().0.contains("sphinx"));
    }

    #[test]
    fn an_address_takes_the_place_of_the_folder_beside() {
        let root = std::env::temp_dir().join(format!("tokenyard-hosts-{}", std::process::id()));
        files::remove_folder(&root).unwrap();
        let (from, to) = (root.join("from"), root.join("to"));
        files::write(&from.join("deep/page.md"), &format!("<script src=\"{PLACE}element.js\">")).unwrap();
        files::write(&from.join("node_modules/x.js"), "").unwrap();
        let copied = |elsewhere| {
            copy_source(&from, &to, elsewhere).unwrap();
            assert_eq!(files::below(&to, &[]).unwrap(), [to.join("deep/page.md")]);
            files::read(&to.join("deep/page.md")).unwrap()
        };
        assert_eq!(copied(None), format!("<script src=\"{PLACE}element.js\">"));
        for address in ["https://labs.example/a", "https://labs.example/a/"] {
            assert_eq!(copied(Some(address)), "<script src=\"https://labs.example/a/element.js\">");
        }
        files::remove_folder(&root).unwrap();
    }
}
