//! What wasm-bindgen writes, as it travels: the names by which script and module know each other in short,
//! the script without comments and indentation. They are a fifth of the script, and nobody reads them.

use std::collections::BTreeMap;

/// A program's script and module with short names for what the module imports. `None` if they are not what
/// wasm-bindgen writes.
#[must_use]
pub(super) fn lean(script: &str, wasm: &[u8]) -> Option<(String, Vec<u8>)> {
    let (mut short, mut module) = (Short::default(), wasm.get(..8)?.to_vec());
    let mut at = 8;
    while at < wasm.len() {
        let start = at;
        let id = *wasm.get(at)?;
        at += 1;
        let size = number(wasm, &mut at)?;
        let content = wasm.get(at..at.checked_add(size)?)?;
        at += size;
        // Imports; all other sections stay as they are.
        if id == 2 {
            let content = imports(content, &mut short)?;
            module.push(id);
            put_number(content.len(), &mut module);
            module.extend(content);
        } else {
            module.extend(wasm.get(start..at)?);
        }
    }
    let bare = bare(script);
    let words: Vec<&str> = words(&bare).collect();
    let taken = short.names.values().any(|new| words.contains(&new.as_str()));
    let known = short.names.keys().all(|old| words.contains(&old.as_str()));
    let renamed = words.iter().map(|word| short.names.get(*word).map_or(*word, |new| new));
    (known && !taken).then(|| (renamed.collect(), module))
}

/// Short names in the order of the import section.
#[derive(Default)]
struct Short {
    names: BTreeMap<String, String>,
}

impl Short {
    fn of(&mut self, name: &str) -> &str {
        let next = format!("_{}", self.names.len());
        self.names.entry(name.to_owned()).or_insert(next)
    }
}

fn imports(section: &[u8], short: &mut Short) -> Option<Vec<u8>> {
    let (mut out, mut at) = (Vec::new(), 0);
    let count = number(section, &mut at)?;
    put_number(count, &mut out);
    for _ in 0..count {
        let module = text(section, &mut at)?;
        put_text(module, &mut out);
        put_text(short.of(text(section, &mut at)?), &mut out);
        // wasm-bindgen's modules import functions only, each with the number of its type.
        if *section.get(at)? != 0 {
            return None;
        }
        let from = at;
        at += 1;
        number(section, &mut at)?;
        out.extend(section.get(from..at)?);
    }
    (at == section.len()).then_some(out)
}

fn number(bytes: &[u8], at: &mut usize) -> Option<usize> {
    let mut value = 0;
    for shift in [0, 7, 14, 21, 28] {
        let byte = *bytes.get(*at)?;
        *at += 1;
        value |= usize::from(byte & 127) << shift;
        if byte < 128 {
            return Some(value);
        }
    }
    None
}

fn put_number(mut value: usize, out: &mut Vec<u8>) {
    while value > 127 {
        out.push((value & 127) as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

fn text<'a>(bytes: &'a [u8], at: &mut usize) -> Option<&'a str> {
    let size = number(bytes, at)?;
    let text = bytes.get(*at..at.checked_add(size)?)?;
    *at += size;
    std::str::from_utf8(text).ok()
}

fn put_text(text: &str, out: &mut Vec<u8>) {
    put_number(text.len(), out);
    out.extend(text.as_bytes());
}

/// A script without its blocks of comments and its indentation. Lines stay lines, so no statement changes.
fn bare(script: &str) -> String {
    let mut inside = false;
    let mut kept = String::new();
    for line in script.lines().map(str::trim) {
        inside |= line.starts_with("/*");
        if !inside && !line.is_empty() && !line.starts_with("//") {
            kept.push_str(line);
            kept.push('\n');
        }
        inside &= !line.ends_with("*/");
    }
    kept
}

/// Names and what stands between them, one after the other.
fn words(script: &str) -> impl Iterator<Item = &str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut rest = script;
    std::iter::from_fn(move || {
        let named = rest.starts_with(is_name);
        let end = rest.find(|c| is_name(c) != named).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "function imports() {\n    const import0 = {\n        __wbg_now_0123: function() { return 1; },\n\
        \x20       __wbg_now_01234: function(arg0) {},\n    };\n    /**\n     * Said.\n     */\n    return { \"./a_bg.js\": import0 };\n}\n";

    /// A module with these imports of functions of type 0, and a section behind them.
    fn module(names: &[&str]) -> Vec<u8> {
        let mut imports = vec![names.len() as u8];
        for name in names {
            put_text("./a_bg.js", &mut imports);
            put_text(name, &mut imports);
            imports.extend([0, 0]);
        }
        let mut out = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x02".to_vec();
        put_number(imports.len(), &mut out);
        out.extend(imports);
        out.extend(b"\x0a\x01\0");
        out
    }

    #[test]
    fn script_and_module_get_the_same_short_names() {
        let (script, wasm) = lean(SCRIPT, &module(&["__wbg_now_01234", "__wbg_now_0123"])).unwrap();
        assert_eq!(wasm, module(&["_0", "_1"]));
        assert_eq!(
            script,
            "function imports() {\nconst import0 = {\n_1: function() { return 1; },\n_0: function(arg0) {},\n};\n\
             return { \"./a_bg.js\": import0 };\n}\n"
        );
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let wasm = module(&["__wbg_now_01234"]);
        assert!(lean("const _0 = { __wbg_now_01234: 1 };", &wasm).is_none(), "the name is taken");
        assert!(lean("const none = {};", &wasm).is_none(), "the script knows nothing of it");
        assert!(lean(SCRIPT, &wasm[..wasm.len() - 1]).is_none(), "cut off");
        assert!(lean(SCRIPT, b"<html>").is_none());
    }

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for value in [0, 1, 127, 128, 300, 16_384, 887_478] {
            let (mut out, mut at) = (Vec::new(), 0);
            put_number(value, &mut out);
            assert_eq!((number(&out, &mut at), at), (Some(value), out.len()));
        }
    }
}
