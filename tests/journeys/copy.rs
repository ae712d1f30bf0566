//! A copy of the site in which something is broken, or said at greater length.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tokenyard_browser_tests::{Outcome, Tab};

/// Serves a copy of the site instead of the site. `change` gets every file's path below the root
/// and its content, and gives what the copy has in its place; `None` leaves the file out.
pub(crate) fn serve(tab: &mut Tab, change: impl Fn(&Path, Vec<u8>) -> Option<Vec<u8>>) -> Outcome {
    let copy = tab.artifacts().join("site");
    if copy.is_dir() {
        fs::remove_dir_all(&copy)?;
    }
    let mut made = Ok(());
    tab.remount(|options| {
        made = write(&options.root, &copy, &change);
        // What could not be copied is told below; the server needs a folder that is there.
        if made.is_ok() {
            options.root.clone_from(&copy);
        }
    })?;
    Ok(made?)
}

fn write(from: &Path, to: &Path, change: &impl Fn(&Path, Vec<u8>) -> Option<Vec<u8>>) -> io::Result<()> {
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        fs::create_dir_all(to.join(&folder))?;
        for entry in fs::read_dir(from.join(&folder))? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if let Some(content) = change(&path, fs::read(entry.path())?) {
                fs::write(to.join(&path), content)?;
            }
        }
    }
    Ok(())
}

/// Whether a file is one of the pages.
pub(crate) fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "html")
}

/// Whether a file is the module.
pub(crate) fn is_module(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "wasm")
}

/// A change of the text of every page; other files stay.
pub(crate) fn pages(edit: impl Fn(&str) -> String) -> impl Fn(&Path, Vec<u8>) -> Option<Vec<u8>> {
    move |path, content| match std::str::from_utf8(&content) {
        Ok(text) if is_page(path) => Some(edit(text).into_bytes()),
        _ => Some(content),
    }
}
