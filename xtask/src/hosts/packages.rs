//! Generators and what they need, in the cache: one folder per host and lock file, filled once.

use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest as _, Sha256};

use super::Fault;
use crate::cache::Cache;
use crate::debian::{self, Need};
use crate::tools::{Name, Tool};
use crate::{Context as _, Outcome, Trouble, files, fingerprint, install, process};

/// Where a generator comes from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source {
    /// mdBook, a tool of the cache.
    Mdbook,
    /// npm packages of a lock file; the script to run, below `node_modules`.
    Node(&'static str),
    /// npm packages of a lock file, whose files are put beside the pages.
    Files {
        /// Folder below `node_modules`.
        package: &'static str,
        /// Where its files go.
        place: &'static str,
    },
    /// Python packages of a `requirements.txt`; the program to run.
    Python(&'static str),
    /// Hugo of the system.
    Hugo,
}

/// A generator that is there.
#[derive(Debug)]
pub(super) enum Ready {
    /// A program.
    Program(PathBuf),
    /// A script for node. It is found from below `home`, and finds its packages from there.
    Node { script: PathBuf, home: PathBuf },
    /// Files to copy.
    Files { folder: PathBuf, place: &'static str },
}

impl Ready {
    /// Where the sources are to lie. Node looks for packages in the folders above a source, so these
    /// lie beside their packages; the process in the name keeps two checkouts apart.
    pub(super) fn work(&self, home: &Path) -> PathBuf {
        match self {
            Self::Node { home, .. } => home.join(format!("work-{}", std::process::id())),
            _ => home.join("source"),
        }
    }
}

/// Makes sure of the generator.
pub(super) fn ensure(name: &str, from: Source, source: &Path, cache: &Cache) -> Result<Ready, Fault> {
    match from {
        Source::Mdbook => {
            let tool = Tool::pinned(Name::Mdbook, "")?;
            let found = install::ensure(&[tool], cache).map_err(|trouble| Fault::Unreachable(trouble.0))?;
            let program = found.into_iter().next().ok_or_else(|| Trouble::new("mdBook has no program"))?;
            Ok(Ready::Program(program))
        }
        Source::Hugo => {
            need(debian::HUGO)?;
            Ok(Ready::Program(PathBuf::from("hugo")))
        }
        Source::Python(program) => {
            need(debian::PYTHON)?;
            let home = filled(name, source, &["requirements.txt"], cache, fill_python)?;
            Ok(Ready::Program(programs(&home).join(format!("{program}{}", std::env::consts::EXE_SUFFIX))))
        }
        Source::Node(script) => {
            let home = node(name, source, cache)?;
            Ok(Ready::Node { script: home.join("node_modules").join(script), home })
        }
        Source::Files { package, place } => {
            let home = node(name, source, cache)?;
            Ok(Ready::Files { folder: home.join("node_modules").join(package), place })
        }
    }
}

/// Something of the system, from Debian packages where that is allowed.
fn need(what: Need) -> Result<(), Fault> {
    let missing = debian::install(&[what])?;
    if missing.is_empty() {
        return Ok(());
    }
    let fix = debian::fix(&missing);
    let line = format!("{} is not installed; on Debian or Ubuntu, run as root: {fix}", what.what);
    Err(Fault::Unreachable(line))
}

fn node(name: &str, source: &Path, cache: &Cache) -> Result<PathBuf, Fault> {
    debian::install_missing(|need| need.engines.is_empty())?;
    if !install::has_npm() {
        return Err(Fault::Unreachable("npm is not installed".to_owned()));
    }
    filled(name, source, &["package.json", "package-lock.json", ".npmrc"], cache, |home| {
        quietly(Command::new(install::npm()).current_dir(home).arg("ci"))
    })
}

fn fill_python(home: &Path) -> Result<(), Fault> {
    quietly(Command::new("python3").args(["-m", "venv"]).arg(home.join("venv")))?;
    let mut pip = Command::new(programs(home).join("python"));
    pip.current_dir(home).args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    quietly(pip.args(["--no-deps", "-r", "requirements.txt"]))
}

fn programs(home: &Path) -> PathBuf {
    home.join("venv").join(if cfg!(windows) { "Scripts" } else { "bin" })
}

fn quietly(command: &mut Command) -> Result<(), Fault> {
    process::output(command).map(drop).map_err(cannot)
}

/// Packages that contradict their lock file are our fault; all else is a source that cannot be
/// reached, or a version that it does not have.
fn cannot(trouble: Trouble) -> Fault {
    let ours = ["EUSAGE", "EINTEGRITY", "in sync", "ResolutionImpossible", "Invalid requirement"];
    if ours.iter().any(|sign| trouble.0.contains(sign)) {
        return Fault::Broken(trouble);
    }
    Fault::Unreachable(format!("its packages could not be fetched\n{trouble}"))
}

/// The folder of the packages that these lock files name, filled by `fill` the first time. The last
/// file written there says that all went well.
fn filled(
    name: &str,
    source: &Path,
    locks: &[&str],
    cache: &Cache,
    fill: impl FnOnce(&Path) -> Result<(), Fault>,
) -> Result<PathBuf, Fault> {
    let home = cache.path().join("hosts").join(format!("{name}-{}", digest(source, locks)?));
    let whole = home.join("whole");
    if whole.is_file() {
        return Ok(home);
    }
    let _only_one = cache.lock()?;
    // Another run may have filled it while this one waited for the lock.
    if whole.is_file() {
        return Ok(home);
    }
    files::remove_folder(&home)?;
    for lock in locks {
        files::write(&home.join(lock), &files::read(&source.join(lock))?)?;
    }
    eprintln!("installing the packages of {name} (a minute to five, once)");
    if let Err(fault) = fill(&home) {
        files::remove_folder(&home)?;
        return Err(fault);
    }
    files::write(&whole, "")?;
    Ok(home)
}

/// Twelve digits of the contents of these files.
fn digest(source: &Path, locks: &[&str]) -> Outcome<String> {
    let mut hash = Sha256::new();
    for lock in locks {
        let path = source.join(lock);
        let data = std::fs::read(&path).context(|| format!("read {}", path.display()))?;
        hash.update((data.len() as u64).to_le_bytes());
        hash.update(&data);
    }
    let mut digits = fingerprint::hex(&hash.finalize());
    digits.truncate(12);
    Ok(digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn packages_are_fetched_once_per_lock_file_and_never_left_half() {
        let root = std::env::temp_dir().join(format!("tokenyard-packages-{}", std::process::id()));
        files::remove_folder(&root).unwrap();
        let cache = Cache::from_environment(|_| Some(root.join("cache"))).unwrap();
        let source = root.join("source");
        let fetched = Cell::new(0);
        let get = |fails: bool| {
            filled("x", &source, &["lock"], &cache, |home| {
                fetched.set(fetched.get() + 1);
                files::write(&home.join("package"), "").unwrap();
                if fails { Err(Fault::Unreachable("no network".to_owned())) } else { Ok(()) }
            })
        };
        files::write(&source.join("lock"), "1").unwrap();
        assert_eq!(get(true), Err(Fault::Unreachable("no network".to_owned())));
        assert_eq!(files::below(&cache.path().join("hosts"), &[]).unwrap(), Vec::<PathBuf>::new());
        let first = get(false).unwrap();
        assert_eq!(get(true), Ok(first.clone()));
        assert_eq!((fetched.get(), first.join("package").is_file()), (2, true));
        files::write(&source.join("lock"), "2").unwrap();
        assert_ne!(get(false).unwrap(), first);
        assert_eq!(fetched.get(), 3);
        files::remove_folder(&root).unwrap();
    }

    #[test]
    fn a_lock_file_that_does_not_fit_is_a_failure_and_a_silent_network_is_not() {
        let is_ours = |text: &str| matches!(cannot(Trouble(text.to_owned())), Fault::Broken(_));
        assert!(is_ours("npm error code EUSAGE"));
        assert!(is_ours("npm error code EINTEGRITY"));
        assert!(!is_ours("npm error code ENOTFOUND"));
        assert!(!is_ours("ERROR: Could not find a version that satisfies the requirement furo"));
    }

    #[test]
    fn lock_files_name_exact_versions_and_no_registry() {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/embed");
        for host in super::super::ALL {
            let folder = examples.join(host.name);
            if let Ok(text) = std::fs::read_to_string(folder.join("requirements.txt")) {
                assert!(text.lines().count() > 10 && text.lines().all(|line| line.contains("==")), "{text}");
            }
            if let Ok(text) = std::fs::read_to_string(folder.join("package-lock.json")) {
                assert!(text.contains("\"integrity\"") && !text.contains("\"resolved\""), "{}", host.name);
            }
        }
    }
}
