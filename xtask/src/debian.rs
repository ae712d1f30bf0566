//! What the browser tests need from the system, and getting it from Debian packages.

use std::path::Path;
use std::process::Command;

use crate::{Outcome, files, process};

/// A browser engine that the suite runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Engine {
    /// Chromium through chromedriver.
    Chromium,
    /// Firefox through geckodriver.
    Firefox,
    /// WebKitGTK through its own driver, under a display.
    Webkit,
}

impl Engine {
    /// Every engine.
    pub const ALL: [Self; 3] = [Self::Chromium, Self::Firefox, Self::Webkit];

    /// Word used in messages.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::Firefox => "firefox",
            Self::Webkit => "webkit",
        }
    }
}

/// How to tell whether something is there.
#[derive(Debug, Clone, Copy)]
enum Sign {
    /// Any of these programs is on the path.
    Program(&'static [&'static str]),
    /// A font whose file name contains this.
    Font(&'static str),
}

/// One thing the tests need from the system.
#[derive(Debug, Clone, Copy)]
pub struct Need {
    /// Word for it.
    pub what: &'static str,
    sign: Sign,
    /// Debian package that brings it.
    pub package: &'static str,
    /// Engines that cannot run without it; empty where other steps need it.
    pub engines: &'static [Engine],
}

const fn program(
    what: &'static str,
    names: &'static [&'static str],
    package: &'static str,
    engines: &'static [Engine],
) -> Need {
    Need { what, sign: Sign::Program(names), package, engines }
}

/// Everything the tests need from the system, beside the tools of the cache.
pub const NEEDS: &[Need] = &[
    program("a C++ compiler", &["c++"], "g++", &[]),
    program("node", &["node"], "nodejs", &[]),
    program("npm", &["npm"], "npm", &[]),
    program("chromium", &["chromium", "chromium-browser", "google-chrome"], "chromium", &[Engine::Chromium]),
    program("chromedriver", &["chromedriver"], "chromium-driver", &[Engine::Chromium]),
    program("firefox", &["firefox-esr", "firefox"], "firefox-esr", &[Engine::Firefox]),
    program("WebKitWebDriver", &["WebKitWebDriver"], "webkit2gtk-driver", &[Engine::Webkit]),
    program("Xvfb", &["Xvfb"], "xvfb", &[Engine::Webkit]),
    Need { what: "a CJK font", sign: Sign::Font("CJK"), package: "fonts-noto-cjk", engines: &Engine::ALL },
];

/// Builds one of the sites that embed a lab. Nothing else asks for it.
pub const HUGO: Need = program("hugo", &["hugo"], "hugo", &[]);

/// Runs the generators that are Python packages, in folders of their own.
pub const PYTHON: Need = program("python3", &["python3"], "python3-venv", &[]);

impl Need {
    /// Whether it is there.
    #[must_use]
    pub fn is_met(&self) -> bool {
        match self.sign {
            Sign::Program(names) => names.iter().any(|name| process::on_path(name).is_some()),
            Sign::Font(part) => {
                let folders = ["/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts"];
                folders.iter().any(|folder| has_file_named(Path::new(folder), part))
            }
        }
    }
}

fn has_file_named(folder: &Path, part: &str) -> bool {
    files::below(folder, &[]).is_ok_and(|found| {
        found.iter().any(|file| file.file_name().is_some_and(|name| name.to_string_lossy().contains(part)))
    })
}

/// The command that installs what `needs` names, as root on Debian or Ubuntu.
#[must_use]
pub fn fix(needs: &[Need]) -> String {
    format!("apt-get install --no-install-recommends {}", packages(needs).join(" "))
}

fn packages(needs: &[Need]) -> Vec<&'static str> {
    let mut names: Vec<&str> = needs.iter().map(|need| need.package).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Whether this is root on Debian, Ubuntu or a child of theirs, so that packages may be installed.
#[must_use]
pub fn may_install() -> bool {
    let is_root = process::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    is_root && files::read(Path::new("/etc/os-release")).is_ok_and(|text| is_debian(&text))
}

fn is_debian(os_release: &str) -> bool {
    let mut words = os_release
        .lines()
        .filter_map(|line| line.strip_prefix("ID=").or_else(|| line.strip_prefix("ID_LIKE=")))
        .flat_map(|value| value.trim_matches('"').split_whitespace());
    words.any(|word| word == "debian" || word == "ubuntu")
}

/// Installs what is missing where that is allowed, and gives what is missing after that.
/// `wanted` picks the needs that matter.
pub fn install_missing(wanted: impl Fn(&Need) -> bool) -> Outcome<Vec<Need>> {
    install(&NEEDS.iter().filter(|need| wanted(need)).copied().collect::<Vec<Need>>())
}

/// As [`install_missing`], for the needs given.
pub fn install(needs: &[Need]) -> Outcome<Vec<Need>> {
    let still = || needs.iter().filter(|need| !need.is_met()).copied().collect::<Vec<Need>>();
    let before = still();
    if before.is_empty() || !may_install() {
        return Ok(before);
    }
    eprintln!("installing Debian packages: {}", packages(&before).join(" "));
    let apt = || {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive").args(["-q", "-y"]);
        command
    };
    // An old list of packages may still do, so a failure here is not the end.
    if !process::succeeds(apt().arg("update"))? {
        eprintln!("apt-get update failed; trying with the list of packages that is there");
    }
    let wanted_packages = packages(&before);
    if !process::succeeds(apt().args(["install", "--no-install-recommends"]).args(&wanted_packages))? {
        // One package that cannot be had must not keep the others away.
        for package in wanted_packages {
            process::succeeds(apt().args(["install", "--no-install-recommends", package]))?;
        }
    }
    Ok(still())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debian_and_its_children_are_known() {
        assert!(is_debian("NAME=\"x\"\nID=debian\n"));
        assert!(is_debian("ID=pop\nID_LIKE=\"ubuntu debian\"\n"));
        assert!(!is_debian("ID=fedora\nNAME=\"not debian\"\nVERSION_ID=debian\n"));
        assert!(!is_debian(""));
    }

    #[test]
    fn packages_are_named_once() {
        let twice: Vec<Need> =
            NEEDS.iter().chain(NEEDS).filter(|need| need.package.starts_with('n')).copied().collect();
        assert_eq!(twice.len(), 4);
        assert_eq!(fix(&twice), "apt-get install --no-install-recommends nodejs npm");
    }

    #[test]
    fn every_engine_needs_something() {
        for engine in Engine::ALL {
            assert!(NEEDS.iter().any(|need| need.engines == [engine]), "{}", engine.word());
        }
    }
}
