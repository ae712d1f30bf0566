//! `cargo xtask dist`: from sources to a folder of static files.
//!
//! Two steps. Trunk builds the application into a stage (`target/site-stage`): one wasm, its
//! script, the styles, and an `index.html` that names them. Then the page generator, a native
//! program of the page's own crate, reads the stage and writes one real HTML file per page.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cache::Cache;
use crate::tools::{self, Name, Tool};
use crate::workspace::Workspace;
use crate::{Context as _, Outcome, Trouble, embeds, files, fingerprint, install, process};

/// The crate that holds the page.
pub const WEB: &str = "tokenyard-web";

/// What is written beside the pages.
#[derive(Clone, Copy, Debug, Default)]
pub struct Edition<'a> {
    /// The address that the site will have; without one, cards and oEmbed have no whole addresses.
    pub site_url: Option<&'a str>,
    /// Whether the single-file edition is wanted too.
    pub single_file: bool,
    /// Whether it is the workshop kit, and not the site.
    pub workshop: bool,
    /// Whether embeds get programs of their own, which takes minutes. Without them they load the one that
    /// shows all labs.
    pub embeds: bool,
}

impl Edition<'_> {
    /// Refuses what does not go together: a kit has no address, and holds the single-file edition anyhow.
    pub fn check(&self) -> Outcome<()> {
        let also = self.site_url.map(|_| "--site-url").or(self.single_file.then_some("--single-file"));
        match also {
            Some(flag) if self.workshop => Err(Trouble(format!(
                "--workshop and {flag} exclude each other: the kit is a folder of its own, for disks"
            ))),
            _ => Ok(()),
        }
    }

    /// The folder that is written if none is named.
    #[must_use]
    pub fn folder(&self) -> &'static str {
        if self.workshop { "dist-workshop" } else { "dist" }
    }

    /// Files by which a folder is known to hold what is about to be replaced.
    fn marks(&self) -> &'static [&'static str] {
        if self.workshop { &["start.html", "tokenyard.html"] } else { &["index.html"] }
    }
}

/// Builds the site, or the kit, and writes it to `out`, which is created or replaced.
pub fn build(workspace: &Workspace, cache: &Cache, out: &Path, edition: &Edition<'_>) -> Outcome<()> {
    if !workspace.has(WEB) {
        return Err(Trouble(format!("the workspace has no member {WEB}, so there is no page to build")));
    }
    let out = std::path::absolute(out).context(|| format!("find {}", out.display()))?;
    edition.check()?;
    check_out(&out, edition)?;
    let _only_one = lock(&workspace.target())?;
    if let Some(url) = edition.site_url {
        process::run(pages(workspace).args(["--check", "--site-url", url]))?;
    }
    let stage = stage(workspace, cache, &out)?;
    let fresh = workspace.target().join("site-new");
    files::remove_folder(&fresh)?;
    let mut write = pages(workspace);
    write.arg("--stage").arg(&stage).arg("--out").arg(&fresh);
    if let Some(url) = edition.site_url {
        write.args(["--site-url", url]);
    }
    if edition.single_file {
        write.arg("--single-file");
    }
    if edition.workshop {
        write.arg("--workshop");
    }
    if edition.embeds {
        write.arg("--embeds").arg(embeds(workspace, cache, &out)?);
    }
    process::run(&mut write)?;
    replace(&fresh, &out)
}

/// The page generator, ready for its arguments.
fn pages(workspace: &Workspace) -> Command {
    let mut pages = workspace.cargo();
    pages.args(["run", "--quiet", "-p", WEB, "--features", "ssr", "--bin", "pages", "--"]);
    pages
}

/// Keeps two builds of one checkout from writing the same stage: the second waits for the first.
fn lock(target: &Path) -> Outcome<File> {
    std::fs::create_dir_all(target).context(|| format!("create {}", target.display()))?;
    let path = target.join("site.lock");
    let file = File::create(&path).context(|| format!("create {}", path.display()))?;
    if file.try_lock().is_err() {
        eprintln!("waiting for another build of the site to end");
        file.lock().context(|| format!("lock {}", path.display()))?;
    }
    Ok(file)
}

/// Folders that hold something else than a site, or than a kit where one is written, must not be replaced
/// by a slip of the hand.
fn check_out(out: &Path, edition: &Edition<'_>) -> Outcome<()> {
    let Ok(mut entries) = out.read_dir() else { return Ok(()) };
    let is_same =
        edition.marks().iter().all(|mark| out.join(mark).is_file()) && !out.join("Cargo.toml").exists();
    if entries.next().is_none() || is_same {
        return Ok(());
    }
    let what = if edition.workshop { "workshop kit" } else { "site" };
    Err(Trouble(format!("{} is not empty and holds no {what}: choose another --out", out.display())))
}

fn replace(fresh: &Path, out: &Path) -> Outcome<()> {
    files::remove_folder(out)?;
    for file in files::below(fresh, &[])? {
        let to = out.join(file.strip_prefix(fresh).unwrap_or(&file));
        let folder = tools::folder_of(&to);
        std::fs::create_dir_all(&folder).context(|| format!("create {}", folder.display()))?;
        std::fs::copy(&file, &to).context(|| format!("write {}", to.display()))?;
    }
    files::remove_folder(fresh)
}

/// Runs Trunk, unless the stage is already what these sources give.
fn stage(workspace: &Workspace, cache: &Cache, out: &Path) -> Outcome<PathBuf> {
    install::ensure_wasm_target(&workspace.root)?;
    let lock = workspace.lock()?;
    let mut wanted = vec![Tool::pinned(Name::Trunk, &lock)?, Tool::pinned(Name::WasmBindgen, &lock)?];
    let programs = install::ensure(&wanted, cache)?;
    let mut folders: Vec<PathBuf> = programs.iter().map(|file| tools::folder_of(file)).collect();
    let optimised = wasm_opt(&lock, cache)?;
    if let Some((tool, folder)) = &optimised {
        wanted.push(tool.clone());
        folders.push(folder.clone());
    }
    let titles: Vec<String> = wanted.iter().map(Tool::title).collect();
    let target = workspace.target();
    let (stage, note) = (target.join("site-stage"), target.join("site-stage.fingerprint"));
    let now = fingerprint::of(&workspace.root, out, &titles)?;
    let is_fresh = std::fs::read_to_string(&note).is_ok_and(|old| old == now);
    if is_fresh && stage.join("index.html").is_file() {
        eprintln!("the application is up to date");
        return Ok(stage);
    }
    // Taken away first: a build that stops half way must not pass for a whole one.
    let _ = std::fs::remove_file(&note);
    let trunk = programs.first().ok_or_else(|| Trouble::new("Trunk has no program"))?;
    run_trunk(workspace, trunk, &stage, &folders, optimised.is_some())?;
    std::fs::write(&note, now).context(|| format!("write {}", note.display()))?;
    Ok(stage)
}

/// The folder with the programs of embeds, made unless it is already what these sources give.
fn embeds(workspace: &Workspace, cache: &Cache, out: &Path) -> Outcome<PathBuf> {
    let lock = workspace.lock()?;
    let bindgen = Tool::pinned(Name::WasmBindgen, &lock)?;
    let programs = install::ensure(std::slice::from_ref(&bindgen), cache)?;
    let mut folders: Vec<PathBuf> = programs.iter().map(|file| tools::folder_of(file)).collect();
    let mut titles = vec![bindgen.title()];
    let optimised = wasm_opt(&lock, cache)?;
    if let Some((tool, folder)) = &optimised {
        titles.push(tool.title());
        folders.push(folder.clone());
    }
    let target = workspace.target();
    let (made, note) = (target.join("site-embeds"), target.join("site-embeds.fingerprint"));
    let now = fingerprint::of(&workspace.root, out, &titles)?;
    if std::fs::read_to_string(&note).is_ok_and(|old| old == now) && made.is_dir() {
        eprintln!("the programs of embeds are up to date");
        return Ok(made);
    }
    let _ = std::fs::remove_file(&note);
    files::remove_folder(&made)?;
    let labs = process::output(pages(workspace).arg("--labs"))?;
    embeds::build(workspace, &labs, &folders, optimised.is_some(), &made)?;
    std::fs::write(&note, now).context(|| format!("write {}", note.display()))?;
    Ok(made)
}

/// wasm-opt and its folder, or one line that says what its absence costs.
fn wasm_opt(lock: &str, cache: &Cache) -> Outcome<Option<(Tool, PathBuf)>> {
    let tool = Tool::pinned(Name::WasmOpt, lock)?;
    if tool.find(cache).is_none() && !install::has_npm() {
        eprintln!("the page will be larger and slower: npm (for wasm-opt) is not installed");
        return Ok(None);
    }
    match install::ensure_folders(std::slice::from_ref(&tool), cache) {
        Ok(folders) => Ok(folders.into_iter().next().map(|folder| (tool, folder))),
        Err(trouble) => {
            eprintln!("the page will be larger and slower: {trouble}");
            Ok(None)
        }
    }
}

fn run_trunk(
    workspace: &Workspace,
    trunk: &Path,
    stage: &Path,
    folders: &[PathBuf],
    optimise: bool,
) -> Outcome<()> {
    // Trunk runs without the network, so that it takes the tools it is given or says so; what cargo
    // needs is fetched here.
    process::run(workspace.cargo().args(["fetch", "--quiet", "--locked", "--target", install::WASM_TARGET]))?;
    let mut command = Command::new(trunk);
    process::put_first(&mut command, folders)?;
    command.current_dir(&workspace.root).args(["build", "--offline", "--locked", "--dist"]).arg(stage);
    // Without `--release` Trunk does not look for wasm-opt; the profile is the same either way.
    command.args(if optimise {
        ["--release", "--skip-version-check"]
    } else {
        ["--cargo-profile", "release"]
    });
    // Trunk reads NO_COLOR as a switch with a value of its own and refuses the usual `1`.
    command.env_remove("NO_COLOR");
    process::run(&mut command)
}

/// Prints every file of the site with its size, plain and as it travels.
pub fn print_sizes(out: &Path) -> Outcome<()> {
    let (mut plain_total, mut sent_total) = (0, 0);
    println!("{:>9} {:>9}  file (bytes plain, bytes sent with brotli)", "plain", "sent");
    for file in files::below(out, &[])? {
        let data = std::fs::read(&file).context(|| format!("read {}", file.display()))?;
        let sent = if tokenyard_serve::is_text_like(&file) {
            tokenyard_serve::compress(&data).context(|| format!("compress {}", file.display()))?.len()
        } else {
            data.len()
        };
        let name = file.strip_prefix(out).unwrap_or(&file).display();
        println!("{:>9} {sent:>9}  {name}", data.len());
        plain_total += data.len();
        sent_total += sent;
    }
    println!("{plain_total:>9} {sent_total:>9}  in all");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_a_site_or_an_empty_folder_is_replaced() {
        let root = std::env::temp_dir().join(format!("tokenyard-dist-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        let site = Edition::default();
        let kit = Edition { workshop: true, ..site };
        let check_out = |out: &Path| check_out(out, &site);
        assert_eq!(check_out(&root.join("absent")), Ok(()));
        let (out, fresh) = (root.join("out"), root.join("fresh"));
        fs::create_dir_all(&out).unwrap();
        assert_eq!(check_out(&out), Ok(()));
        fs::write(out.join("thesis.txt"), "").unwrap();
        assert!(check_out(&out).unwrap_err().0.contains("--out"));
        fs::write(out.join("index.html"), "").unwrap();
        assert_eq!(check_out(&out), Ok(()));
        // A site is no kit, and a kit no site.
        assert!(super::check_out(&out, &kit).unwrap_err().0.contains("holds no workshop kit"));
        let other = root.join("kit");
        fs::create_dir_all(&other).unwrap();
        fs::write(other.join("start.html"), "").unwrap();
        assert!(super::check_out(&other, &kit).is_err());
        fs::write(other.join("tokenyard.html"), "").unwrap();
        assert_eq!(super::check_out(&other, &kit), Ok(()));
        assert!(check_out(&other).unwrap_err().0.contains("holds no site"));
        fs::remove_dir_all(&other).unwrap();
        fs::write(out.join("Cargo.toml"), "").unwrap();
        assert!(check_out(&out).is_err());
        fs::create_dir_all(fresh.join("labs/some")).unwrap();
        fs::write(fresh.join("labs/some/index.html"), "words").unwrap();
        replace(&fresh, &out).unwrap();
        assert_eq!(files::below(&root, &[]).unwrap(), [out.join("labs/some/index.html")]);
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn a_kit_has_a_folder_of_its_own_and_no_address() {
        let site = Edition { site_url: Some("https://a.example"), single_file: true, ..Edition::default() };
        assert_eq!((site.check(), site.folder()), (Ok(()), "dist"));
        let kit = Edition { workshop: true, ..Edition::default() };
        assert_eq!((kit.check(), kit.folder()), (Ok(()), "dist-workshop"));
        for (wrong, named) in [
            (Edition { site_url: Some("https://a.example"), ..kit }, "--site-url"),
            (Edition { single_file: true, ..kit }, "--single-file"),
        ] {
            let trouble = wrong.check().unwrap_err().0;
            assert!(trouble.contains("--workshop") && trouble.contains(named), "{trouble}");
        }
    }
}
