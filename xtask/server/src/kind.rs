//! Content types by file name.

use std::path::Path;

/// The content type of a file, by its extension; `application/octet-stream` where unknown.
/// Wasm is not in here: the caller chooses it.
#[must_use]
pub fn content_type(path: &Path) -> &'static str {
    let extension = path.extension().and_then(|part| part.to_str()).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "html" | "htm" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json; charset=utf-8",
        "webmanifest" => "application/manifest+json; charset=utf-8",
        "svg" => "image/svg+xml; charset=utf-8",
        "txt" | "md" => "text/plain; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "xml" => "application/xml; charset=utf-8",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "woff" => "font/woff",
        "pdf" => "application/pdf",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}

/// Whether a file of this name gets smaller under brotli. Pictures and fonts already are.
#[must_use]
pub fn is_text_like(path: &Path) -> bool {
    let kind = content_type(path);
    kind.contains("charset") || kind == "application/wasm" || kind == "image/x-icon"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_the_browser_is_strict_about() {
        let cases = [
            ("index.html", "text/html; charset=utf-8"),
            ("a/b.js", "text/javascript; charset=utf-8"),
            ("a/b.MJS", "text/javascript; charset=utf-8"),
            ("app_bg.wasm", "application/wasm"),
            ("style.css", "text/css; charset=utf-8"),
            ("site.webmanifest", "application/manifest+json; charset=utf-8"),
            ("icon.svg", "image/svg+xml; charset=utf-8"),
            ("LICENSE", "application/octet-stream"),
            (".html", "application/octet-stream"),
        ];
        for (name, expected) in cases {
            assert_eq!(content_type(Path::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn only_what_shrinks_is_compressed() {
        for name in ["a.html", "a.js", "a.wasm", "a.svg", "a.json"] {
            assert!(is_text_like(Path::new(name)), "{name}");
        }
        for name in ["a.png", "a.woff2", "a.webp", "a.bin"] {
            assert!(!is_text_like(Path::new(name)), "{name}");
        }
    }
}
