//! From the path of a request to a file inside the root, or to nothing.

use std::io;
use std::path::{Path, PathBuf};

/// A folder and the path it is mounted at.
#[derive(Clone, Debug)]
pub struct Site {
    root: PathBuf,
    mount: String,
}

/// What a path leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A file inside the root, symbolic links resolved.
    File(PathBuf),
    /// A folder asked for without its last slash: the address to go to instead, query kept.
    Redirect(String),
    /// Nothing here, or something outside the root.
    Nothing,
}

impl Site {
    /// Fails if `root` does not exist or `mount` does not start and end with a slash.
    pub fn new(root: &Path, mount: &str) -> io::Result<Self> {
        if !mount.starts_with('/') || !mount.ends_with('/') {
            let message = format!("mount {mount:?} must start and end with a slash");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        Ok(Self { root: root.canonicalize()?, mount: mount.to_owned() })
    }

    /// Finds what `url` (path, optionally `?query`) names. A folder means its `index.html`.
    #[must_use]
    pub fn find(&self, url: &str) -> Found {
        let (path, query) = url.split_once('?').map_or((url, None), |(path, query)| (path, Some(query)));
        let Some(inner) = path.strip_prefix(&self.mount) else { return Found::Nothing };
        // `//name` as a redirect target would name another host.
        if inner.starts_with('/') {
            return Found::Nothing;
        }
        let Some(relative) = safe_relative(inner) else { return Found::Nothing };
        let Some(target) = self.inside(&relative) else { return Found::Nothing };
        if target.is_dir() {
            if !path.ends_with('/') {
                let query = query.map(|query| format!("?{query}")).unwrap_or_default();
                return Found::Redirect(format!("{path}/{query}"));
            }
            return match self.inside(&relative.join("index.html")) {
                Some(index) if index.is_file() => Found::File(index),
                _ => Found::Nothing,
            };
        }
        // A file is not a folder: `page.html/` would break every relative link on the page.
        if path.ends_with('/') || !target.is_file() { Found::Nothing } else { Found::File(target) }
    }

    /// The real path of `relative`, if it exists and links do not lead out of the root.
    fn inside(&self, relative: &Path) -> Option<PathBuf> {
        let real = self.root.join(relative).canonicalize().ok()?;
        real.starts_with(&self.root).then_some(real)
    }
}

/// Percent-decodes a path and refuses every part that could leave the root: `..`, a backslash,
/// a NUL, a drive or a second absolute path. Empty parts and `.` are dropped.
fn safe_relative(path: &str) -> Option<PathBuf> {
    let mut relative = PathBuf::new();
    for part in path.split('/') {
        let part = percent_decode(part)?;
        match part.as_str() {
            "" | "." => {}
            ".." => return None,
            _ if part.contains(['/', '\\', '\0', ':']) => return None,
            _ => relative.push(part),
        }
    }
    Some(relative)
}

/// `None` for a broken escape or bytes that are not UTF-8.
fn percent_decode(part: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let high = hex_digit(rest.next()?)?;
            let low = hex_digit(rest.next()?)?;
            bytes.push(high * 16 + low);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded_once_and_checked_after() {
        assert_eq!(safe_relative("labs/a%20b/x.js"), Some(PathBuf::from("labs/a b/x.js")));
        assert_eq!(safe_relative("./labs//x"), Some(PathBuf::from("labs/x")));
        assert_eq!(safe_relative("%E5%9B%B3.svg"), Some(PathBuf::from("図.svg")));
        assert_eq!(safe_relative("%252e%252e/x"), Some(PathBuf::from("%2e%2e/x")));
    }

    #[test]
    fn parts_that_could_leave_the_root_are_refused() {
        for path in [
            "..", "a/../b", "%2e%2e/x", "%2E./x", "..%2fx", "a%2fb", "a%5cb", "a%00", "C:/x", "%", "%4",
            "%zz", "%ff",
        ] {
            assert_eq!(safe_relative(path), None, "{path}");
        }
    }

    #[test]
    fn a_mount_must_be_a_folder_path() {
        for mount in ["", "a/", "/a", "a"] {
            assert!(Site::new(Path::new("."), mount).is_err(), "{mount:?}");
        }
    }
}
