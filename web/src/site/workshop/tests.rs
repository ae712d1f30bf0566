use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use tokenyard_lab::catalogue;

use super::*;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A kit in a folder that is removed at the end, from a stage with small files where programs would be.
struct Kit(PathBuf);

impl Drop for Kit {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Kit {
    fn make() -> Self {
        let kit = Self(std::env::temp_dir().join(format!("tokenyard-kit-{}", std::process::id())));
        let _ = fs::remove_dir_all(&kit.0);
        let (stage, out) = (kit.0.join("stage"), kit.0.join("out"));
        for id in ["app", "fleet", "teach", "tools"] {
            put(&stage.join(format!("{id}.js")), "let script;").unwrap();
            // An empty module.
            put(&stage.join(format!("{id}_bg.wasm")), "\0asm\u{1}\0\0\0").unwrap();
        }
        // What was there before is not there afterwards.
        put(&out.join("old.html"), "").unwrap();
        assert_eq!(write_workshop(&stage, &out, &project()).unwrap(), 14);
        kit
    }

    /// Text by name, of all files.
    fn files(&self) -> BTreeMap<String, String> {
        let (root, mut folders, mut found) = (self.0.join("out"), vec![self.0.join("out")], BTreeMap::new());
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
                    found.insert(name, fs::read_to_string(&path).unwrap());
                }
            }
        }
        found
    }
}

/// Where a relative link of a file leads, and its fragment.
fn target(file: &str, href: &str) -> (String, String) {
    let (path, fragment) = href.split_once('#').unwrap_or((href, ""));
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." {
            parts.pop().expect("inside the folder");
        } else {
            parts.push(part);
        }
    }
    (if path.is_empty() { file.to_owned() } else { parts.join("/") }, fragment.to_owned())
}

/// The folder holds what it says, every link in it leads to something in it, and nothing names a server.
#[test]
fn the_kit_is_whole_and_its_links_stay_inside() {
    let kit = Kit::make();
    let files = kit.files();
    let mut wanted: BTreeSet<String> =
        ["start.html", "tokenyard.html", "README.txt"].map(str::to_owned).into_iter().collect();
    for lesson in ["defend", "locality", "tour"] {
        wanted.insert(format!("lessons/{lesson}.toml"));
        for language in LANGUAGES {
            wanted.insert(format!("handouts/{lesson}.{language}.html"));
            wanted.insert(format!("notes/{lesson}.{language}.html"));
        }
    }
    assert_eq!(files.keys().cloned().collect::<BTreeSet<_>>(), wanted);
    let mut live = BTreeSet::new();
    for (file, html) in files.iter().filter(|(file, _)| file.ends_with(".html") && *file != single::ALL) {
        assert!(!html.contains("://") && !html.contains("<script") && !html.contains(" style=\""), "{file}");
        for href in html.split("<a href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            let (to, fragment) = target(file, &href.replace("&amp;", "&"));
            assert!(files.contains_key(&to), "{file} -> {href}");
            if to == single::ALL {
                live.insert(fragment);
            } else if !fragment.is_empty() {
                assert!(files[&to].contains(&format!("id=\"{fragment}\"")), "{file} -> {href}");
            }
        }
    }
    let lessons = ["defend", "locality", "tour"].map(|lesson| format!("teach&lesson={lesson}"));
    assert_eq!(live, lessons.into_iter().collect());
    // Every page but the edition is reached from the first one.
    let start = &files["start.html"];
    for page in files.keys().filter(|file| file.ends_with(".html") && *file != START) {
        assert!(start.contains(&format!("href=\"{page}")), "{page}");
    }
    assert!(files["tokenyard.html"].contains("default-src 'none'"));
    for (name, text) in files.iter().filter(|(name, _)| name.starts_with("lessons/")) {
        assert_eq!(*text, fs::read_to_string(project().join(name)).unwrap());
    }
}

#[test]
fn the_first_page_says_everything_in_every_language() {
    let lessons = Lessons::load(&project()).unwrap();
    let (html, text) = (start(&lessons), readme(&lessons));
    for language in LANGUAGES {
        let texts = catalogue::read(&project().join("locales"), "workshop", language).unwrap();
        for (key, words) in texts.iter().filter(|(key, _)| key.starts_with("start.") && *key != "start.parts")
        {
            let mut escaped = String::new();
            tokenyard_lab::markup::escape(words, &mut escaped);
            assert!(html.contains(&format!(">{escaped}<")), "{language} {key}");
        }
        assert!(text.contains(&texts["readme.first"]) && text.contains(&texts["start.files.single"]));
        assert!(html.contains(&format!("<section lang=\"{language}\" id=\"{language}\">")));
    }
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    // Parts of the address that keep their names: readers of other documents were told these.
    assert!(html.contains("href=\"tokenyard.html#teach&amp;lesson=tour\""));
}

/// A word that stands in no source file is said by nobody.
#[test]
fn every_word_of_the_kit_is_used() {
    let sources: String = ["../workshop.rs", "../paper.rs", "../paper/sheet.rs", "../paper/picture.rs"]
        .map(|file| {
            fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/site/workshop").join(file))
                .unwrap()
        })
        .concat();
    let texts = catalogue::read(&project().join("locales"), "workshop", "en").unwrap();
    let unused: Vec<&String> = texts.keys().filter(|key| !sources.contains(&format!("\"{key}\""))).collect();
    assert!(unused.is_empty(), "{unused:?}");
}
