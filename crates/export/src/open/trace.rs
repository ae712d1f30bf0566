//! Recognising traces by their first line, as the fleet simulator's own reader does.

use super::members::Members;

/// So many bytes of the beginning of a file are enough to know whether it is a trace: the longest line
/// that one may have.
pub const HEAD: usize = 1 << 20;

/// First line of Azure's traces of 2023.
const AZURE: &str = "TIMESTAMP,ContextTokens,GeneratedTokens";

/// Fields of a line of Mooncake's traces.
const MOONCAKE: [&str; 4] = ["timestamp", "input_length", "output_length", "hash_ids"];

/// The two forms of traces that the fleet simulator reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceForm {
    /// JSON lines with hashes of blocks.
    Mooncake,
    /// CSV with lengths only.
    Azure2023,
}

impl TraceForm {
    /// Its name on the command line.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Mooncake => "mooncake",
            Self::Azure2023 => "azure-2023",
        }
    }
}

/// Which trace a file is, from its first [`HEAD`] bytes or from all of it; none if it is no trace.
/// Whoever has a file of hundreds of megabytes asks this first and reads no more of it. Later lines
/// may still be wrong.
#[must_use]
pub fn trace(head: &[u8]) -> Option<TraceForm> {
    let head = body(head);
    let line = head.split(|b| *b == b'\n').next()?.trim_ascii();
    if line == AZURE.as_bytes() {
        return Some(TraceForm::Azure2023);
    }
    let is_field = |key: &str| MOONCAKE.contains(&key);
    let mut members = Members::of(line)?;
    members.next().is_some_and(|member| is_field(member.key)).then_some(TraceForm::Mooncake)
}

/// A file without a byte order mark and white space before its first line.
#[must_use]
pub fn body(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start()
}

/// The beginning of a file as text, cut between characters; none if it is no text in UTF-8.
pub(super) fn text(bytes: &[u8]) -> Option<&str> {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        // Cut off inside a character, which is no fault of the file.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&head[..error.valid_up_to()]).ok()?
        }
        Err(_) => return None,
    };
    (!text.contains('\0')).then_some(text)
}
