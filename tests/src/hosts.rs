//! Sites of others that embed labs, as `cargo xtask hosts` built them: `TOKENYARD_HOSTS` names the list.

use std::path::PathBuf;

/// A host that was built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// Its folder, with the built site beside its pages.
    pub folder: PathBuf,
    /// The page with one frame and one element, below the folder; empty for the folder's own address.
    pub page: String,
}

/// The host of this name; nothing if the list is absent or does not have it.
#[must_use]
pub fn built(name: &str) -> Option<Host> {
    let list = std::fs::read_to_string(std::env::var_os("TOKENYARD_HOSTS")?).ok()?;
    find(&list, name)
}

/// A line each with name, folder and page, tabs between.
fn find(list: &str, name: &str) -> Option<Host> {
    list.lines().find_map(|line| {
        let mut words = line.split('\t');
        let (found, folder, page) = (words.next()?, words.next()?, words.next()?);
        (found == name).then(|| Host { folder: PathBuf::from(folder), page: page.to_owned() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_found_by_its_whole_name_and_may_have_no_page() {
        let list = "book\t/a b/site\tlabs.html\nbooks\t/c/site\t\n";
        let host = |folder: &str, page: &str| Some(Host { folder: folder.into(), page: page.into() });
        assert_eq!(find(list, "book"), host("/a b/site", "labs.html"));
        assert_eq!(find(list, "books"), host("/c/site", ""));
        assert_eq!(find(list, "boo"), None);
        assert_eq!(find("", "book"), None);
    }
}
