//! Kept for offline use: nothing before the reader asks, then everything without a network, one version at
//! a time, and nothing left after it was taken away.

use std::path::Path;
use std::time::Duration;

use tokenyard_browser_tests::{By, Failure, Outcome, Tab};
use tokenyard_lab::Words;
use tokenyard_lab::catalogue;
use tokenyard_lab::labs::LABS;

use crate::journeys::bench::{
    FLEET, HOME, PROOF, SOON, collapsed, expect, expect_step, expect_table, fetch, file, files, guessed,
    herding, ready, text_of, words,
};
use crate::journeys::copy::{pages, serve};
use crate::journeys::plug::Plug;
use crate::journeys::version::{self, HAS_MARK, SECOND, serve_second};

/// Fetching the whole site through one wire on a machine under load.
const LONG: Duration = Duration::from_secs(60);
/// What is told of offline use.
const TOLD: &str = "document.querySelector('#keep [role=status]').textContent";
/// The buttons, from left to right.
const BUTTONS: &str = "[...document.querySelectorAll('#keep button')].filter(one => one.checkVisibility()).map(one => one.textContent)";
const BUILD: &str = "document.documentElement.dataset.build";
/// What an origin holds: registrations, caches, databases where the engine lists them.
const STORED: &str = "Promise.all([navigator.serviceWorker.getRegistrations(), caches.keys(),
    indexedDB.databases?.() ?? []]).then(all => all.map(one => one.length).join())";

/// The words of offline use, which are in no page.
fn say(lang: &str) -> Result<Words, Failure> {
    let locales = Path::new(env!("CARGO_MANIFEST_DIR")).join("../locales");
    Ok(catalogue::read(&locales, "common", lang).map_err(Failure::new)?.into_iter().collect())
}

/// Whether this engine, as it is driven here, lets a site keep itself; says so loudly where it does not.
async fn keeps(tab: &mut Tab) -> Result<bool, Failure> {
    tab.open(HOME).await?;
    let able = tab.value("'serviceWorker' in navigator").await? == true;
    if !able {
        println!("\n!!! {} has no service worker here: offline use is not tested in it\n", tab.engine());
    }
    Ok(able)
}

/// Opens a page through the plug, in a new document, and waits until the application has taken over.
async fn open(tab: &mut Tab, plug: &Plug, path: &str) -> Outcome {
    tab.open_address("about:blank").await?;
    tab.open_address(&plug.address(path)).await?;
    ready(tab).await.map_err(|failure| failure.during(path))
}

/// Loads the page again as a reader does. The driver of Firefox goes past caches, and past workers with them.
async fn again(tab: &mut Tab) -> Outcome {
    tab.eval("window.before = true; location.reload()", Vec::new()).await?;
    tab.wait_until("the page is loaded again", "!window.before", SOON).await?;
    ready(tab).await
}

/// Presses the button of the open page and waits until all is kept.
async fn keep(tab: &mut Tab) -> Outcome {
    tab.click("#keep button").await?;
    tab.wait_until("the site is kept", &format!("{TOLD} === {:?}", say("en")?.get("offline.kept")), LONG)
        .await
}

/// The build that the site under test has.
fn first(tab: &Tab) -> Result<String, Failure> {
    version::build(&fetch(tab, "offline.js")?)
}

pub(crate) async fn nothing_is_kept_before_the_reader_asks(tab: &mut Tab) -> Outcome {
    if !keeps(tab).await? {
        return Ok(());
    }
    let embeds = LABS.iter().map(|lab| format!("embed/{}/index.html", lab.id));
    tab.site().clear_requests();
    for path in files().into_iter().chain(embeds) {
        let is_embed = path.starts_with("embed/");
        tab.open_fresh(&path).await?;
        ready(tab).await?;
        expect(tab, "the version is told, not in embeds", "!!document.querySelector('#version')", !is_embed)
            .await?;
        let parts = "[document.querySelectorAll('#keep, link[rel=manifest]').length, document.documentElement.dataset.build ?? '']";
        let wanted = if is_embed { serde_json::json!([0, ""]) } else { serde_json::json!([1, first(tab)?]) };
        expect(tab, "manifest and version", parts, wanted).await?;
        assert_eq!(tab.value(STORED).await?, "0,0,0", "{path}");
    }
    let asked = tab.site().requests();
    let own = |path: &str| !path.starts_with("/offline");
    // What this journey itself reads is the list.
    let list = asked.iter().filter(|one| one.path == "/offline.js").count();
    assert_eq!(list, files().len(), "the list is only read by this journey: {asked:?}");
    assert!(asked.iter().filter(|one| one.path != "/offline.js").all(|one| own(&one.path)), "{asked:?}");
    tab.expect_clean().await
}

/// Every page, by every form of its address, and a run in one of them.
async fn expect_everything(tab: &mut Tab, plug: &Plug, build: &str) -> Outcome {
    let lab = herding()?;
    let preset = format!("p/{}-{}/index.html", lab.id, lab.presets[0].key);
    let forms =
        ["", "labs/herding/", "labs/herding", "fleet/?theme=dark", "labs/herding/index.html?lang=ja&x=1"];
    let embeds = [format!("embed/{}/index.html", lab.id)];
    for path in files().into_iter().chain([preset]).chain(forms.map(str::to_owned)) {
        open(tab, plug, &path).await?;
        expect(tab, &path, BUILD, build).await?;
    }
    for path in embeds {
        open(tab, plug, &path).await?;
    }
    Ok(())
}

pub(crate) async fn once_kept_it_needs_no_network(tab: &mut Tab) -> Outcome {
    if !keeps(tab).await? {
        return Ok(());
    }
    tab.remount(|options| options.mount = "/a/b/".to_owned())?;
    let mut plug = Plug::into(tab.site())?;
    let (build, en) = (first(tab)?, say("en")?);
    open(tab, &plug, HOME).await?;
    let version = en.fill_key(
        "offline.version",
        &[("version", env!("CARGO_PKG_VERSION").to_owned().into()), ("build", build[..8].to_owned().into())],
    );
    expect(tab, "the version", &text_of("#version"), version).await?;
    keep(tab).await?;
    expect(tab, "it can be taken away", BUTTONS, serde_json::json!([en.get("offline.remove")])).await?;
    let manifest = "[...document.querySelectorAll('link[rel=manifest]')].map(one => one.href)";
    let address = plug.address("site.webmanifest");
    expect(tab, "it can be installed", manifest, serde_json::json!([address])).await?;
    plug.pull();
    let words = words(tab, &file(herding()?), "en")?;
    tab.site().clear_requests();
    again(tab).await?;
    expect(tab, "it says that it is kept", TOLD, en.get("offline.kept")).await?;
    expect_everything(tab, &plug, &build).await?;
    // A link with a state, played, and on to another page in place.
    let (lab, mut setup) = (herding()?, herding()?.defaults());
    let (read, _) = tokenyard_lab::link::read(lab, "interval=5");
    setup.clone_from(&read.setup);
    open(tab, &plug, &format!("{}#interval=5&{}", file(lab), guessed(lab))).await?;
    expect_table(tab, lab, &setup, &words).await?;
    let opening = lab.run(&setup).moments().first().map_or(0, |moment| moment.step);
    expect_step(tab, lab, &setup, &words, opening).await?;
    tab.click(".player .is-main").await?;
    let moved = format!("document.querySelector('.player input').value > {}", opening + 1);
    tab.wait_until("it plays", &moved, LONG).await?;
    tab.eval("window.marker = 1", Vec::new()).await?;
    tab.click(".brand").await?;
    expect(
        tab,
        "home in place",
        "[document.documentElement.dataset.page, window.marker]",
        serde_json::json!(["home", 1]),
    )
    .await?;
    // The other language, to the last line.
    tab.click("button[lang=ja]").await?;
    expect(tab, "Japanese", TOLD, say("ja")?.get("offline.kept")).await?;
    assert_eq!(tab.site().requests(), Vec::new(), "nobody was asked");
    Ok(())
}

/// The worker of the second version waits; pages stay of the first, whatever they fetch.
async fn expect_first_until_asked(tab: &mut Tab, plug: &Plug, build: &str) -> Outcome {
    let en = say("en")?;
    let ready = format!("{TOLD}.includes({:?})", &SECOND[..8]);
    tab.wait_until("the second version is ready", &ready, LONG).await?;
    expect(
        tab,
        "both choices",
        BUTTONS,
        serde_json::json!([en.get("offline.use"), en.get("offline.remove")]),
    )
    .await?;
    for path in files() {
        open(tab, plug, &path).await?;
        expect(tab, &path, &format!("[{BUILD}, {HAS_MARK}]"), serde_json::json!([build, false])).await?;
    }
    Ok(())
}

pub(crate) async fn a_newer_version_waits_and_comes_whole(tab: &mut Tab) -> Outcome {
    if !keeps(tab).await? {
        return Ok(());
    }
    let mut plug = Plug::into(tab.site())?;
    let build = first(tab)?;
    open(tab, &plug, HOME).await?;
    keep(tab).await?;
    // Another window of the site, which is to follow. As long as it is open the first version is in use.
    let (here, there) = (tab.client().window().await?, tab.client().new_window(true).await?.handle);
    tab.client().switch_to_window(there.clone()).await?;
    open(tab, &plug, &format!("{}#interval=5", file(herding()?))).await?;
    expect(tab, "the kept version answers", "!!navigator.serviceWorker.controller", true).await?;
    tab.client().switch_to_window(here.clone()).await?;
    serve_second(tab, None)?;
    plug.put_into(tab.site())?;
    open(tab, &plug, HOME).await?;
    expect_first_until_asked(tab, &plug, &build).await?;
    open(tab, &plug, HOME).await?;
    expect(tab, "the button", &format!("{BUTTONS}.length"), 2).await?;
    tab.click(By::Text(say("en")?.get("offline.use"))).await?;
    let second = serde_json::json!([SECOND, true]);
    expect(tab, "this window", &format!("[{BUILD}, {HAS_MARK}]"), second.clone()).await?;
    tab.client().switch_to_window(there).await?;
    expect(tab, "the other window", &format!("[{BUILD}, {HAS_MARK}]"), second.clone()).await?;
    assert!(tab.url().await?.ends_with("#interval=5"), "it is where it was");
    tab.client().close_window().await?;
    tab.client().switch_to_window(here).await?;
    ready(tab).await?;
    expect(tab, "one version is kept", &format!("{STORED}.then(all => all.slice(0, 3))"), "1,1").await?;
    plug.pull();
    for path in files() {
        open(tab, &plug, &path).await?;
        expect(tab, &path, &format!("[{BUILD}, {HAS_MARK}]"), second.clone()).await?;
    }
    expect_everything(tab, &plug, SECOND).await
}

/// Without keeping anything: a page that was open before a deployment does not take a newer page's words.
pub(crate) async fn a_page_of_another_build_is_followed_as_a_document(tab: &mut Tab) -> Outcome {
    let mut plug = Plug::into(tab.site())?;
    open(tab, &plug, HOME).await?;
    tab.eval("window.before = true", Vec::new()).await?;
    serve_second(tab, None)?;
    plug.put_into(tab.site())?;
    let link = format!(".lab-card[href$='{}']", file(herding()?));
    tab.click(link.as_str()).await?;
    let seen = format!("[{BUILD}, {HAS_MARK}, window.before ?? false]");
    expect(tab, "all of it is new", &seen, serde_json::json!([SECOND, true, false])).await?;
    ready(tab).await
}

/// The message about a file, without and with a version that stays.
fn about(file: &str) -> Result<[String; 2], Failure> {
    let en = say("en")?;
    let with = |key: &str| en.fill_key(key, &[("file", file.to_owned().into())]);
    Ok([with("offline.files"), format!("{} {}", en.get("offline.kept"), with("offline.update-files"))])
}

pub(crate) async fn a_broken_download_changes_nothing(tab: &mut Tab) -> Outcome {
    if !keeps(tab).await? {
        return Ok(());
    }
    let damaged = file(herding()?);
    let build = first(tab)?;
    let origin_of_first = tab.site().url();
    assert!(origin_of_first.starts_with("http"));
    // At first: nothing is kept at all.
    serve_second(tab, Some(&damaged))?;
    let mut plug = Plug::into(tab.site())?;
    open(tab, &plug, HOME).await?;
    tab.click("#keep button").await?;
    let [alone, beside] = about(&damaged)?;
    tab.wait_until("it says why not", &format!("{TOLD} === {alone:?}"), LONG).await?;
    expect(tab, "nothing is stored", STORED, "0,0,0").await?;
    // Then: what is kept stays.
    tab.remount(|_| ())?;
    plug.put_into(tab.site())?;
    open(tab, &plug, HOME).await?;
    keep(tab).await?;
    open(tab, &plug, HOME).await?;
    serve_second(tab, Some(&damaged))?;
    plug.put_into(tab.site())?;
    // At once, and not when the browser comes to it, which may be before the page listens.
    tab.eval("navigator.serviceWorker.getRegistration().then(one => one.update())", Vec::new()).await?;
    tab.wait_until("it says that the old one stays", &format!("{TOLD} === {beside:?}"), LONG).await?;
    expect(tab, "one version is kept", &format!("{STORED}.then(all => all.slice(0, 3))"), "1,1").await?;
    plug.pull();
    expect_everything(tab, &plug, &build).await
}

pub(crate) async fn it_is_cancelled_and_taken_away(tab: &mut Tab) -> Outcome {
    if !keeps(tab).await? {
        return Ok(());
    }
    let mut plug = Plug::into(tab.site())?;
    let en = say("en")?;
    open(tab, &plug, HOME).await?;
    tab.click("#keep button").await?;
    tab.wait_until("it is under way", "document.querySelector('#keep progress')?.value > 0", LONG).await?;
    plug.hold(true);
    expect(tab, "it can be stopped", BUTTONS, serde_json::json!([en.get("offline.cancel")])).await?;
    tab.click(By::Text(en.get("offline.cancel"))).await?;
    expect(tab, "it is told", TOLD, en.get("offline.cancelled")).await?;
    expect(tab, "nothing is left", STORED, "0,0,0").await?;
    plug.hold(false);
    plug.put_into(tab.site())?;
    // Kept, and taken away, by keys alone.
    open(tab, &plug, HOME).await?;
    keep(tab).await?;
    open(tab, &plug, &file(herding()?)).await?;
    expect(tab, "it is kept", TOLD, en.get("offline.kept")).await?;
    tab.listen_to_live_regions().await?;
    tab.press_tab_until(By::Text(en.get("offline.remove")), 200).await?;
    tab.keys("Enter").await?;
    expect(tab, "it is told", TOLD, en.get("offline.removed")).await?;
    let said =
        tab.live_messages().await?.into_iter().filter(|one| *one == collapsed(en.get("offline.removed")));
    assert_eq!(said.count(), 1, "told once");
    expect(tab, "nothing is left", STORED, "0,0,0").await?;
    again(tab).await?;
    expect(tab, "from the server again", "!navigator.serviceWorker.controller", true).await?;
    expect(tab, "nothing is left", STORED, "0,0,0").await?;
    plug.pull();
    let failed = tab.open_address(&plug.address(PROOF)).await.is_err()
        || tab.value("!document.querySelector('#app')").await? == true;
    assert!(failed, "a page came from somewhere");
    Ok(())
}

/// Serves pages whose first script is this one.
fn serve_with(tab: &mut Tab, script: &str) -> Outcome {
    serve(tab, pages(|page| page.replacen("<script>", "<script src=\"/first.js\"></script><script>", 1)))?;
    Ok(std::fs::write(tab.artifacts().join("site/first.js"), script)?)
}

pub(crate) async fn what_stands_in_the_way_is_told(tab: &mut Tab) -> Outcome {
    if !keeps(tab).await? {
        return Ok(());
    }
    let (en, page) = (say("en")?, fetch(tab, HOME)?);
    let weight =
        page.split("data-weight=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
    let need = weight.parse::<u32>().map_err(|error| error.to_string())?.div_ceil(1000);
    // Not every engine has it.
    let small = "Object.defineProperty(navigator, 'storage', { value: {
        estimate: async () => ({ quota: 5e6, usage: 1e6 }) } });";
    let refused = "ServiceWorkerContainer.prototype.register = async () => { throw new DOMException('no', 'SecurityError'); };";
    let told = [
        (small, en.fill_key("offline.space", &[("n", need.into()), ("m", 4_u32.into())])),
        (refused, en.get("offline.refused").to_owned()),
    ];
    for (script, message) in told {
        serve_with(tab, script)?;
        tab.open_fresh(HOME).await?;
        ready(tab).await?;
        tab.click("#keep button").await?;
        expect(tab, "it is told", TOLD, message).await?;
        expect(tab, "nothing is stored", STORED, "0,0,0").await?;
    }
    serve_with(tab, "Object.defineProperty(navigator, 'serviceWorker', { value: undefined });")?;
    tab.open_fresh(HOME).await?;
    ready(tab).await?;
    expect(tab, "it is told", "document.querySelector('#keep .note').innerText", en.get("offline.unable"))
        .await?;
    expect(tab, "there is no button", BUTTONS, serde_json::json!([])).await?;
    tab.expect_clean().await
}

pub(crate) async fn what_the_browser_threw_away_is_told_and_fetched_again(tab: &mut Tab) -> Outcome {
    if !keeps(tab).await? {
        return Ok(());
    }
    let mut plug = Plug::into(tab.site())?;
    let (en, lab) = (say("en")?, file(herding()?));
    let of = version::listed(&fetch(tab, "offline.js")?)?.len();
    open(tab, &plug, HOME).await?;
    keep(tab).await?;
    let throw_away =
        "const [path] = arguments; const [name] = await caches.keys(); const kept = await caches.open(name);
        for (const one of await kept.keys()) if (one.url.endsWith(path)) await kept.delete(one);";
    let throw_away = format!("return (async (...arguments) => {{ {throw_away} }})(...arguments)");
    tab.eval(&throw_away, vec![lab.as_str().into()]).await?;
    plug.pull();
    tab.open_address(&plug.address(&lab)).await?;
    let lost = en.get("offline.lost");
    expect(tab, "in words", "document.querySelector('[lang=en] p').textContent", lost).await?;
    tab.click("a").await?;
    ready(tab).await?;
    let partly = en.fill_key("offline.partly", &[("n", (of - 1).into()), ("m", of.into())]);
    expect(tab, "it is told", TOLD, partly).await?;
    plug.put_into(tab.site())?;
    // The page is asked for again by opening it, the rest by a button.
    open(tab, &plug, &lab).await?;
    expect(tab, "whole again", TOLD, en.get("offline.kept")).await?;
    tab.eval(&throw_away, vec![FLEET.into()]).await?;
    again(tab).await?;
    tab.click(By::Text(en.get("offline.again"))).await?;
    expect(tab, "whole again", TOLD, en.get("offline.kept")).await?;
    plug.pull();
    open(tab, &plug, FLEET).await
}
