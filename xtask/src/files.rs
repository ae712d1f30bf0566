//! Walking folders in an order that is the same everywhere.

use std::path::{Path, PathBuf};

use crate::{Context as _, Outcome};

/// Every regular file below `folder` (or `folder` itself if it is a file), sorted by path.
/// Folders named in `skip` are not entered. Links are not followed. A missing folder is empty.
pub fn below(folder: &Path, skip: &[&str]) -> Outcome<Vec<PathBuf>> {
    let mut found = Vec::new();
    collect(folder, skip, &mut found)?;
    found.sort();
    Ok(found)
}

fn collect(path: &Path, skip: &[&str], found: &mut Vec<PathBuf>) -> Outcome<()> {
    let Ok(about) = path.symlink_metadata() else { return Ok(()) };
    if about.is_file() {
        found.push(path.to_owned());
    }
    if !about.is_dir() {
        return Ok(());
    }
    let entries = std::fs::read_dir(path).context(|| format!("list {}", path.display()))?;
    for entry in entries {
        let entry = entry.context(|| format!("list {}", path.display()))?;
        if !skip.iter().any(|name| entry.file_name() == *name) {
            collect(&entry.path(), skip, found)?;
        }
    }
    Ok(())
}

/// Content of a text file.
pub fn read(path: &Path) -> Outcome<String> {
    std::fs::read_to_string(path).context(|| format!("read {}", path.display()))
}

/// Writes a text file, and the folders above it where they are missing.
pub fn write(path: &Path, text: &str) -> Outcome<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).context(|| format!("create {}", folder.display()))?;
    }
    std::fs::write(path, text).context(|| format!("write {}", path.display()))
}

/// Copies every regular file below `from` to the same place below `to`. Folders named in `skip` are
/// left out. A missing folder has nothing to copy.
pub fn copy_below(from: &Path, to: &Path, skip: &[&str]) -> Outcome<()> {
    for file in below(from, skip)? {
        let place = to.join(file.strip_prefix(from).unwrap_or(&file));
        if let Some(folder) = place.parent() {
            std::fs::create_dir_all(folder).context(|| format!("create {}", folder.display()))?;
        }
        std::fs::copy(&file, &place).context(|| format!("write {}", place.display()))?;
    }
    Ok(())
}

/// Removes a folder with everything in it, if it is there.
pub fn remove_folder(path: &Path) -> Outcome<()> {
    match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).context(|| format!("remove {}", path.display()))
        }
        _ => Ok(()),
    }
}
