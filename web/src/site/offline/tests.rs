use std::path::PathBuf;

use super::*;
use crate::page::Program;
use crate::site::{Assets, Built, render, single};

/// A site in a folder that is removed at the end: every page, and small files where programs would be.
struct Made(PathBuf);

impl Drop for Made {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Makes a site whose program `app` is `content`.
fn make(name: &str, content: &str) -> Made {
    let out = std::env::temp_dir().join(format!("tokenyard-offline-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&out);
    let catalogues = Catalogues::load(&project().join("locales")).unwrap();
    let built = Program::EACH.map(|program| Built {
        script: format!("{}-1.js", program.id()),
        wasm: format!("{}-1_bg.wasm", program.id()),
        integrity: "sha256-x".to_owned(),
    });
    for file in built.iter().flat_map(|built| [&built.script, &built.wasm]) {
        put(&out.join(file), content).unwrap();
    }
    let styles = ["style-1.css", "style-2.css", "style-3.css", "style-4.css"].map(str::to_owned);
    let assets = Assets { programs: built, tools: Built::default(), styles, ..Assets::default() };
    for kind in Kind::all() {
        put(&out.join(kind.file()), &render(kind, &assets, &catalogues, None)).unwrap();
    }
    for other in ["style-1.css", "icon.svg", "digests.txt", "element.js", "figures/a.svg", "single/b.html"] {
        put(&out.join(other), "other").unwrap();
    }
    // A lesson's sheets are kept.
    put(&out.join("teach/some/handout.en.html"), "sheet").unwrap();
    put(&out.join("labs/herding/oembed.json"), "{}").unwrap();
    write(&out, &project(), &catalogues).unwrap();
    Made(out)
}

/// All files below a folder, by name.
fn files(root: &Path) -> Vec<String> {
    let (mut out, mut folders) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                out.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    out.sort();
    out
}

/// What the worker's text says between two texts.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    text.split_once(before).unwrap().1.split_once(after).unwrap().0
}

fn listed(made: &Made) -> Vec<(String, String)> {
    let text = fs::read_to_string(made.0.join("offline.js")).unwrap();
    serde_json::from_str(between(&text, "new Map(", ");\n")).unwrap()
}

#[test]
fn every_file_of_the_site_is_in_the_list_with_its_digest() {
    let made = make("list", "program");
    let list = listed(&made);
    let names: Vec<&String> = list.iter().map(|(name, _)| name).collect();
    let left_out = [
        "digests.txt",
        "element.js",
        "figures/a.svg",
        "labs/herding/oembed.json",
        "offline.js",
        "single/b.html",
    ];
    let all = files(&made.0);
    let wanted: Vec<&String> = all.iter().filter(|name| !left_out.contains(&name.as_str())).collect();
    assert_eq!(names, wanted);
    assert!(left_out.iter().all(|name| all.iter().any(|one| one == name)));
    let mut bytes = 0;
    for (name, integrity) in &list {
        let content = fs::read(made.0.join(name)).unwrap();
        bytes += content.len();
        assert_eq!(*integrity, format!("sha256-{}", STANDARD.encode(Sha256::digest(&content))), "{name}");
    }
    let worker = fs::read_to_string(made.0.join("offline.js")).unwrap();
    assert_eq!(between(&worker, "KILOBYTES = ", ";"), bytes.div_ceil(1000).to_string());
}

#[test]
fn pages_and_worker_name_the_same_version_and_nothing_is_left_open() {
    let made = make("same", "program");
    let worker = fs::read_to_string(made.0.join("offline.js")).unwrap();
    let build = between(&worker, "BUILD = \"", "\"");
    assert!(build.len() == 16 && build.bytes().all(|b| b.is_ascii_hexdigit()), "{build}");
    assert_eq!(between(&worker, "VERSION = \"", "\""), VERSION);
    for mark in ["@VERSION", "@BUILD", "@WEIGHT", "@FILES", "@LOST", "@@"] {
        assert!(!worker.contains(mark), "{mark}");
    }
    let kilobytes: u32 = between(&worker, "KILOBYTES = ", ";").parse().unwrap();
    for kind in Kind::all().into_iter().filter(|kind| !kind.is_embed()) {
        let html = fs::read_to_string(made.0.join(kind.file())).unwrap();
        assert_eq!(between(&html, "data-build=\"", "\""), build, "{}", kind.id());
        assert_eq!(between(&html, "data-weight=\"", "\"").parse::<u32>().unwrap(), kilobytes);
        assert!(html.contains(&format!("Version {VERSION}, build {:.8}<", build)), "{}", kind.id());
        assert!(!html.contains("@@"), "{}", kind.id());
        // The script that the button fetches puts it there: before, no page asks for it.
        assert!(!html.contains("rel=\"manifest\""), "{}", kind.id());
        let script = between(&html, "managed = \"", "\"");
        assert!(made.0.join(script).is_file(), "{script}");
        let home = between(&html, "home = new URL(\"", "\"");
        assert_eq!(home, kind.root());
    }
}

#[test]
fn embeds_and_single_files_keep_nothing() {
    let made = make("embeds", "program");
    let catalogues = Catalogues::load(&project().join("locales")).unwrap();
    for kind in Kind::all().into_iter().filter(Kind::is_embed) {
        let html = fs::read_to_string(made.0.join(kind.file())).unwrap();
        for mark in ["rel=\"manifest\"", "serviceWorker", "\"offline.", "data-build", "id=\"keep\"", "@@"] {
            assert!(!html.contains(mark), "{} has {mark}", kind.id());
        }
    }
    let out = made.0.join("one");
    for name in ["app-1.js", "app-1_bg.wasm", "style-1.css"] {
        put(&out.join(name), "text").unwrap();
    }
    let built = Built { script: "app-1.js".to_owned(), wasm: "app-1_bg.wasm".to_owned(), ..Built::default() };
    let assets = Assets {
        programs: [built.clone(), Built::default(), built.clone()],
        tools: built,
        ..Assets::default()
    };
    single::write(&out, &out.join("single"), &assets, String::new(), &catalogues).unwrap();
    for name in files(&out.join("single")) {
        let html = fs::read_to_string(out.join("single").join(&name)).unwrap();
        for mark in ["rel=\"manifest\"", "serviceWorker", "\"offline.", "data-build", "id=\"keep\"", "@@"] {
            assert!(!html.contains(mark), "{name} has {mark}");
        }
    }
}

#[test]
fn the_build_follows_every_file_and_nothing_else() {
    let build = |made: &Made| {
        let text = fs::read_to_string(made.0.join("offline.js")).unwrap();
        between(&text, "BUILD = \"", "\"").to_owned()
    };
    let (one, same, other) = (make("one", "program"), make("two", "program"), make("three", "programs"));
    assert_ne!(build(&one), build(&other));
    for name in files(&one.0) {
        assert!(fs::read(one.0.join(&name)).unwrap() == fs::read(same.0.join(&name)).unwrap(), "{name}");
    }
}

/// The version, the button and the way to the script: what a reader who never asks for it pays.
#[test]
fn a_page_grows_by_little() {
    let catalogues = Catalogues::load(&project().join("locales")).unwrap();
    let page = Page {
        kind: Kind::Home,
        root: "./".to_owned(),
        single: false,
        languages: catalogues.page(Kind::Home),
    };
    let words: usize = page
        .languages
        .iter()
        .flat_map(|(_, words)| ON_PAGES.map(|key| key.len() + words.get(key).len() + 6))
        .sum();
    let own = footer(&page).len() + section(&page).len() + words;
    assert!(own < 4000, "{own} bytes");
}

#[test]
fn every_word_of_the_scripts_is_there_and_said() {
    let catalogues = Catalogues::load(&project().join("locales")).unwrap();
    for (lang, words) in catalogues.page(Kind::Home) {
        for key in words.keys().filter(|key| key.starts_with("offline.")) {
            let known = ON_PAGES.contains(&key) || LATER.contains(&key);
            assert!(known || ["offline.lost", "offline.home"].contains(&key), "{lang} {key}");
        }
        assert!(LATER.iter().chain(&ON_PAGES).all(|key| words.has(key)), "{lang}");
    }
    for key in LATER {
        let short = key.strip_prefix("offline.").unwrap();
        // Put together in the script from what became of an update.
        for name in tokenyard_lab::words::placeholders(catalogues.page(Kind::Home)[0].1.get(key)) {
            assert!(PAGE.contains(&format!("{name}:")), "{short}: nobody gives {name}");
        }
        let said = PAGE.contains(&format!("\"{short}\"")) || short.starts_with("update-") || short == "full";
        assert!(said, "{short} is never said");
    }
}

#[test]
fn the_manifest_names_files_that_are_there() {
    let made = make("manifest", "program");
    let text = fs::read_to_string(made.0.join("site.webmanifest")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(PAGE.contains("site.webmanifest"));
    assert_eq!(manifest["scope"], "./");
    assert!(manifest["id"].is_null());
    assert!(made.0.join(manifest["start_url"].as_str().unwrap()).is_file());
    assert!(manifest["theme_color"].as_str().is_some_and(|colour| colour.starts_with('#')), "{text}");
    for icon in manifest["icons"].as_array().unwrap() {
        let content = fs::read(made.0.join(icon["src"].as_str().unwrap())).unwrap();
        assert!(!content.is_empty());
        if icon["type"] == "image/png" {
            let side = u32::from_be_bytes(content[16..20].try_into().unwrap());
            assert_eq!(icon["sizes"], format!("{side}x{side}"));
        }
    }
}
