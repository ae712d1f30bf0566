//! Bodies as they travel: plain or brotli, compressed once per version of a file.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Brotli at quality 11 with the standard 4 MB window: what a static host sends.
/// Cost: about a second for 300 KB. Empty input gives a valid empty stream.
pub fn compress(data: &[u8]) -> io::Result<Vec<u8>> {
    let mut output = Vec::new();
    let mut writer = brotli::CompressorWriter::new(&mut output, 1 << 16, 11, 22);
    writer.write_all(data)?;
    writer.flush()?;
    drop(writer);
    Ok(output)
}

/// Compressed bodies by path. An entry is used while length and time of change are the same.
#[derive(Debug, Default)]
pub(crate) struct Compressed {
    entries: Mutex<BTreeMap<PathBuf, Entry>>,
}

#[derive(Debug)]
struct Entry {
    bytes: u64,
    modified: SystemTime,
    body: Arc<Vec<u8>>,
}

impl Compressed {
    /// The brotli body of the file at `path`, whose plain content is `data`.
    pub(crate) fn get(&self, path: &Path, data: &[u8]) -> io::Result<Arc<Vec<u8>>> {
        let about = path.metadata()?;
        let (bytes, modified) = (about.len(), about.modified()?);
        {
            let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(entry) = entries.get(path)
                && entry.bytes == bytes
                && entry.modified == modified
            {
                return Ok(Arc::clone(&entry.body));
            }
        }
        // The lock is not held while compressing, so that small files do not wait for the wasm.
        let body = Arc::new(compress(data)?);
        let entry = Entry { bytes, modified, body: Arc::clone(&body) };
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), entry);
        Ok(body)
    }
}

/// Whether an `Accept-Encoding` value allows brotli. `br;q=0` forbids it.
pub(crate) fn accepts_brotli(accept_encoding: &str) -> bool {
    accept_encoding.split(',').any(|item| {
        let mut parts = item.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("br"));
        let weight = parts.find_map(|part| part.strip_prefix("q=")).map_or(Ok(1.0), str::parse::<f64>);
        named && weight.is_ok_and(|weight| weight > 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    #[test]
    fn what_is_compressed_comes_back() {
        for text in [String::new(), "a".to_owned(), "queue and serve ".repeat(4_000)] {
            let packed = compress(text.as_bytes()).unwrap();
            let mut plain = String::new();
            brotli::Decompressor::new(packed.as_slice(), 4096).read_to_string(&mut plain).unwrap();
            assert_eq!(plain, text);
        }
    }

    #[test]
    fn brotli_only_where_the_client_says_so() {
        for yes in ["br", "gzip, deflate, br", "gzip;q=0.5, BR;q=0.1", "br ;q=1"] {
            assert!(accepts_brotli(yes), "{yes}");
        }
        for no in ["", "gzip, deflate", "br;q=0", "br; q=0.0", "brotli", "zbr", "br;q=x"] {
            assert!(!accepts_brotli(no), "{no}");
        }
    }
}
