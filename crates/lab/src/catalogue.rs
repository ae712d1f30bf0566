//! Message catalogues: the TOML files of `locales/`, flattened to dotted keys. Native only; a page
//! in a browser gets its words with its file.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Key to template, in the order of the keys.
pub type Texts = BTreeMap<String, String>;

/// A catalogue's text as keys: `[say]` with `end = "…"` gives `say.end`. An empty text is an empty
/// catalogue.
///
/// # Errors
/// Text that is no TOML, a value that is neither text nor a table, or a key that is there twice.
pub fn parse(text: &str) -> Result<Texts, String> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| error.to_string())?;
    let mut texts = Texts::new();
    flatten("", &table, &mut texts)?;
    Ok(texts)
}

/// The file of a catalogue in a language: `locales/<catalogue>/<language>.toml`. `locales` is the
/// folder of all catalogues.
///
/// # Errors
/// The file's path, and why it could not be read or understood.
pub fn read(locales: &Path, catalogue: &str, language: &str) -> Result<Texts, String> {
    let path = locales.join(catalogue).join(format!("{language}.toml"));
    let text = fs::read_to_string(&path).map_err(|error| format!("reading {}: {error}", path.display()))?;
    parse(&text).map_err(|error| format!("understanding {}: {error}", path.display()))
}

fn flatten(prefix: &str, table: &toml::Table, into: &mut Texts) -> Result<(), String> {
    for (key, value) in table {
        let key = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            toml::Value::Table(inner) => flatten(&key, inner, into)?,
            toml::Value::String(text) => {
                if into.insert(key.clone(), text.clone()).is_some() {
                    return Err(format!("{key} is there twice"));
                }
            }
            other => return Err(format!("{key} is {other}, not text")),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_become_dotted_keys() {
        let texts = parse("title = \"Herd\"\n[say.end]\none = \"a\"\n\"two.three\" = \"\"\n").unwrap();
        let pairs: Vec<(&str, &str)> = texts.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        assert_eq!(pairs, [("say.end.one", "a"), ("say.end.two.three", ""), ("title", "Herd")]);
        assert!(parse("").unwrap().is_empty());
    }

    #[test]
    fn what_is_no_catalogue_is_refused_with_its_reason() {
        for (text, reason) in [
            ("title = 3", "title is 3, not text"),
            ("[a]\nb = [\"c\"]", "a.b is [\"c\"], not text"),
            ("\"a.b\" = \"x\"\n[a]\nb = \"y\"", "a.b is there twice"),
            ("title", "expected"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
        let missing = read(Path::new("no-such-folder"), "common", "xx").unwrap_err();
        assert!(missing.contains("no-such-folder") && missing.contains("xx.toml"), "{missing}");
    }
}
