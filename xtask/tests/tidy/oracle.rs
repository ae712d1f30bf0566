//! The reference data of the small models is the data it says it is.

use std::collections::BTreeMap;
use std::path::Path;

use sha2::{Digest as _, Sha256};
use xtask::fingerprint::hex;
use xtask::workspace::Workspace;
use xtask::{Outcome, files, shared};

/// Digest by file name, from lines of the form `digest  name`.
fn sums(text: &str) -> BTreeMap<String, String> {
    let pairs = text.lines().filter_map(|line| line.split_once("  "));
    pairs.map(|(digest, name)| (name.to_owned(), digest.to_owned())).collect()
}

fn sum_of(path: &Path) -> Outcome<String> {
    Ok(hex(&Sha256::digest(files::read(path)?)))
}

#[test]
fn every_oracle_file_has_its_sum() {
    let data = Workspace::load().unwrap().root.join("tests/data");
    let sums = sums(&files::read(&data.join("SHA256SUMS")).unwrap());
    assert!(sums.len() >= 4);
    for (name, expected) in &sums {
        assert_eq!(sum_of(&data.join(name)).unwrap(), *expected, "{name}");
    }
    let oracles = files::below(&data, &[]).unwrap();
    let oracles = oracles.iter().filter_map(|path| path.file_name()?.to_str());
    for name in oracles.filter(|name| name.starts_with("article_")) {
        assert!(sums.contains_key(name), "{name} is not in SHA256SUMS");
    }
}

#[test]
fn the_oracle_is_the_shared_one() -> Outcome<()> {
    let root = Workspace::load()?.root;
    let Some(shared) = shared::folder_or_skip(&root, "the oracle is the shared one")? else {
        return Ok(());
    };
    let data = root.join("tests/data");
    let sums = sums(&files::read(&data.join("SHA256SUMS"))?);
    for (name, expected) in &sums {
        assert_eq!(sum_of(&shared.join("oracle").join(name))?, *expected, "{name}");
    }
    let theirs = files::below(&shared.join("oracle"), &[])?;
    for name in
        theirs.iter().filter_map(|path| path.file_name()?.to_str()).filter(|name| name.ends_with(".json"))
    {
        assert!(sums.contains_key(name), "{name} is in the shared folder and not in tests/data");
    }
    Ok(())
}

#[test]
fn the_digest_is_sha_256() {
    // The published value for the empty message.
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(hex(&Sha256::digest(b"")), empty);
    assert_eq!(sums("ab  x.json\ncd  y.json\n")["y.json"], "cd");
}
