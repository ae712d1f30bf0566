//! The folder outside the checkout where tools are kept between checkouts and runs.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::{Context as _, Outcome, Trouble};

/// The cache folder and the places inside it.
#[derive(Debug, Clone)]
pub struct Cache(PathBuf);

impl Cache {
    /// `$TOKENYARD_CACHE`, else `$XDG_CACHE_HOME/tokenyard`, else `.cache/tokenyard` in the home
    /// folder. Nothing is created yet.
    pub fn locate() -> Outcome<Self> {
        Self::from_environment(|name| std::env::var_os(name).map(PathBuf::from))
    }

    /// As [`Cache::locate`], with the environment given.
    pub fn from_environment(read: impl Fn(&str) -> Option<PathBuf>) -> Outcome<Self> {
        let set = |name: &str| read(name).filter(|path| !path.as_os_str().is_empty());
        if let Some(path) = set("TOKENYARD_CACHE") {
            return Ok(Self(path));
        }
        if let Some(path) = set("XDG_CACHE_HOME") {
            return Ok(Self(path.join("tokenyard")));
        }
        match set("HOME").or_else(|| set("USERPROFILE")) {
            Some(home) => Ok(Self(home.join(".cache").join("tokenyard"))),
            None => Err(Trouble::new("no home folder is known: set TOKENYARD_CACHE to a folder for tools")),
        }
    }

    /// The folder itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Home of one tool at one version.
    #[must_use]
    pub fn tool(&self, name: &str, version: &str) -> PathBuf {
        self.0.join("tools").join(format!("{name}-{version}"))
    }

    /// Where tools are compiled; removed when an installation ends.
    #[must_use]
    pub fn build(&self) -> PathBuf {
        self.0.join("build")
    }

    /// Waits until no other installation runs, and keeps others waiting while the value lives.
    pub fn lock(&self) -> Outcome<File> {
        let tools = self.0.join("tools");
        std::fs::create_dir_all(&tools).context(|| format!("create {}", tools.display()))?;
        let path = self.0.join("install.lock");
        let file = File::create(&path).context(|| format!("create {}", path.display()))?;
        if file.try_lock().is_err() {
            eprintln!("waiting for another installation to end");
            file.lock().context(|| format!("lock {}", path.display()))?;
        }
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(variables: &[(&str, &str)]) -> Outcome<PathBuf> {
        let read = |name: &str| {
            variables.iter().find(|(key, _)| *key == name).map(|(_, value)| PathBuf::from(value))
        };
        Cache::from_environment(read).map(|cache| cache.0)
    }

    #[test]
    fn the_first_variable_that_is_set_wins() {
        let all = [("TOKENYARD_CACHE", "/c"), ("XDG_CACHE_HOME", "/x"), ("HOME", "/h")];
        assert_eq!(check(&all), Ok(PathBuf::from("/c")));
        assert_eq!(check(&all[1..]), Ok(PathBuf::from("/x/tokenyard")));
        assert_eq!(check(&all[2..]), Ok(PathBuf::from("/h/.cache/tokenyard")));
        assert_eq!(
            check(&[("TOKENYARD_CACHE", ""), ("HOME", "/h")]),
            Ok(PathBuf::from("/h/.cache/tokenyard"))
        );
        assert!(check(&[]).unwrap_err().0.contains("TOKENYARD_CACHE"));
    }
}
