//! Sites of other generators, as their authors would build them: a lab in a frame and one in an element.

use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;

use serde_json::json;
use tokenyard_browser_tests::{Emulation, Failure, Outcome, Tab, hosts};

use crate::journeys::bench::{SOON, expect, ready};
use crate::journeys::copy;

/// The plain frame of a lab, and the one in the element.
const PLAIN: &str = "document.querySelector('iframe[src*=\"/embed/\"]')";
const ELEMENT: &str = "document.querySelector('tokenyard-lab').shadowRoot.querySelector('iframe')";

/// What the author wrote, as links have it.
const OF_PLAIN: &str = "interval=5";
const OF_ELEMENT: &str = "mode=chunked&seed=3";

/// The colours of the lab in the element.
const THEME: &str = "document.documentElement.dataset.theme";

/// Opens a host's page with one frame and one element.
async fn open(tab: &mut Tab, name: &str) -> Outcome {
    let host = hosts::built(name).ok_or_else(|| Failure::new(format!("{name} was not built")))?;
    tab.open(&host.page).await
}

/// Goes to a lab of the page, waits until it is there with its settings, and sees its player move.
async fn plays(tab: &mut Tab, what: &str, frame: &str, settings: &str) -> Outcome {
    tab.wait_until(
        &format!("{what} is in the page"),
        "document.querySelector('tokenyard-lab')?.shadowRoot",
        SOON,
    )
    .await?;
    // The element's own frame comes when it is near.
    let near = if frame == ELEMENT { "document.querySelector('tokenyard-lab')" } else { frame };
    tab.eval(&format!("{near}.scrollIntoView({{ behavior: 'instant' }})"), Vec::new()).await?;
    tab.wait_until(&format!("{what} has its frame"), &format!("{frame} !== null"), SOON).await?;
    rests(tab, what).await?;
    tab.enter_frame_at(frame).await?;
    ready(tab).await.map_err(|failure| failure.during(what))?;
    for setting in settings.split('&').filter(|setting| !setting.is_empty()) {
        let told = format!(
            "document.querySelector('.embed-open').href.split('#')[1].split('&').includes('{setting}')"
        );
        expect(tab, &format!("{what} has {setting}"), &told, true).await?;
    }
    let notices = "[...document.querySelectorAll('.notices li')].map(line => line.textContent)";
    expect(tab, "no complaint about them", notices, json!([])).await?;
    seen_for_good(tab, what).await?;
    let before = tab.property(".player input[type=range]", "value").await?;
    tab.eval("document.querySelector('.player .is-main').click()", Vec::new()).await?;
    let moved = format!("document.querySelector('.player input[type=range]').value !== {before}");
    tab.wait_until(&format!("{what} plays"), &moved, SOON).await?;
    tab.eval("document.querySelector('.player .is-main').click()", Vec::new()).await?;
    tab.leave_frame().await
}

/// Waits until the stage of the lab that the driver is in is seen, and the page inside knows it: a
/// lab out of sight pauses, and hears of it when the browser gets to it, which may be after a slide has
/// begun to move and after the driver has pressed a button. Observers of one document are told in the
/// order in which they began to look, so that the page has heard everything that this one has heard.
async fn seen_for_good(tab: &mut Tab, what: &str) -> Outcome {
    let look = "window.stageSeen = false;
        window.stageWatch = new IntersectionObserver(told => { window.stageSeen = told.at(-1).isIntersecting; });
        window.stageWatch.observe(document.querySelector('.stage'));";
    tab.eval(look, Vec::new()).await?;
    tab.wait_until(&format!("the stage of {what} is seen"), "window.stageSeen", SOON).await?;
    tab.eval("window.stageWatch.disconnect()", Vec::new()).await.map(drop)
}

/// Waits until nothing of the page moves that moves once: a slide on its way in.
async fn rests(tab: &mut Tab, what: &str) -> Outcome {
    let moving = "document.getAnimations().some(one => one instanceof CSSTransition)";
    tab.wait_until(&format!("{what} stands still"), &format!("!{moving}"), SOON).await
}

/// Waits until the lab in the element and its frame have these colours.
async fn shows(tab: &mut Tab, what: &str, wanted: &str) -> Outcome {
    expect(tab, what, &format!("{ELEMENT}.style.colorScheme"), wanted).await?;
    tab.enter_frame_at(ELEMENT).await?;
    expect(tab, what, THEME, wanted).await?;
    tab.leave_frame().await
}

/// Both labs of a page, in the colours in which the host begins.
async fn both_labs(tab: &mut Tab, name: &str) -> Outcome {
    open(tab, name).await?;
    tab.eval("window.stays = true", Vec::new()).await?;
    plays(tab, "the frame", PLAIN, OF_PLAIN).await?;
    plays(tab, "the element", ELEMENT, OF_ELEMENT).await?;
    shows(tab, "the host is light", "light").await
}

/// The same by the reader's system, for hosts without a switch of their own.
async fn follows_the_system(tab: &mut Tab) -> Outcome {
    for (dark, wanted) in [(true, "dark"), (false, "light")] {
        tab.emulate(Emulation { dark, reduced_motion: false }).await?;
        shows(tab, "with the system", wanted).await?;
    }
    Ok(())
}

/// What a print shows of the page: every text that stands around the labs, and of the element its
/// picture.
async fn prints(tab: &mut Tab, texts: &[&str]) -> Outcome {
    let seen = "(() => {
        const lab = document.querySelector('tokenyard-lab').shadowRoot;
        const paper = lab.querySelector('.paper'), box = paper.getBoundingClientRect();
        return [document.body.innerText, paper.checkVisibility() && paper.naturalWidth > 0 && box.width > 200,
            lab.querySelector('iframe')?.checkVisibility() ?? false];
    })()";
    tab.devtools("Emulation.setEmulatedMedia", json!({ "media": "print", "features": [] })).await?;
    let there = tab.value(seen).await;
    tab.devtools("Emulation.setEmulatedMedia", json!({ "media": "", "features": [] })).await?;
    let there = there?;
    let text = there[0].as_str().unwrap_or_default();
    for wanted in texts {
        assert!(text.contains(wanted), "{wanted:?} is not printed: {text}");
    }
    assert_eq!((&there[1], &there[2]), (&json!(true), &json!(false)), "the picture and no frame");
    let pdf = tab.print().await?;
    assert!(pdf.starts_with(b"%PDF-") && pdf.len() > 10_000, "{} bytes of PDF", pdf.len());
    Ok(())
}

pub(crate) async fn mdbook(tab: &mut Tab) -> Outcome {
    both_labs(tab, "mdbook").await?;
    for (theme, wanted) in
        [("navy", "dark"), ("rust", "light"), ("coal", "dark"), ("light", "light"), ("ayu", "dark")]
    {
        // The list stays open after a choice.
        let open = "document.getElementById('mdbook-theme-list').checkVisibility()";
        if tab.value(open).await? == false {
            tab.click("#mdbook-theme-toggle").await?;
        }
        tab.click(format!("#mdbook-theme-{theme}").as_str()).await?;
        shows(tab, theme, wanted).await?;
    }
    prints(tab, &["As a frame", "As an element", "Follows the colours of the book"]).await?;
    // The other chapter's lab waits for its button.
    tab.open("other.html").await?;
    let other = "document.querySelector('tokenyard-lab')";
    expect(tab, "no frame", &format!("{other}.shadowRoot.querySelector('iframe') === null"), true).await?;
    tab.eval(&format!("{other}.shadowRoot.querySelector('button').click()"), Vec::new()).await?;
    plays(tab, "the other chapter's", ELEMENT, "").await?;
    // The chapter before was dark by the book's own memory.
    shows(tab, "every chapter", "dark").await?;
    tab.expect_clean().await
}

pub(crate) async fn hugo(tab: &mut Tab) -> Outcome {
    both_labs(tab, "hugo").await?;
    follows_the_system(tab).await?;
    prints(tab, &["As a frame", "As an element"]).await?;
    tab.expect_clean().await
}

/// Presses the host's switch until the host is as wanted, and looks at the lab.
async fn switches(tab: &mut Tab, button: &str, is_dark: &str) -> Outcome {
    for (dark, wanted) in [(true, "dark"), (false, "light"), (true, "dark")] {
        let there = format!("({is_dark}) === {dark}");
        // Switches go round three values: light, dark, and the system's.
        for _ in 0..3 {
            if tab.value(&there).await? == true {
                break;
            }
            tab.click(button).await?;
        }
        tab.wait_until("the host has switched", &there, SOON).await?;
        shows(tab, "with the host's switch", wanted).await?;
    }
    Ok(())
}

/// Follows a link of the host to its other page, whose script does not run again.
async fn goes_on(tab: &mut Tab, link: &str) -> Outcome {
    tab.click(link).await?;
    tab.wait_until(
        "the other page",
        "document.querySelector('tokenyard-lab[lab=retries]')?.shadowRoot",
        SOON,
    )
    .await?;
    expect(tab, "without a reload", "window.stays", true).await?;
    plays(tab, "the other page's", ELEMENT, "").await?;
    shows(tab, "in the host's colours", "dark").await?;
    tab.back().await?;
    tab.wait_until(
        "the first page",
        "document.querySelector('tokenyard-lab[lab=batching]')?.shadowRoot",
        SOON,
    )
    .await?;
    plays(tab, "the element again", ELEMENT, OF_ELEMENT).await
}

pub(crate) async fn docusaurus(tab: &mut Tab) -> Outcome {
    both_labs(tab, "docusaurus").await?;
    let is_dark = "document.documentElement.dataset.theme === 'dark'";
    switches(tab, "[class*=colorModeToggle] button", is_dark).await?;
    prints(tab, &["As a frame", "As an element"]).await?;
    goes_on(tab, "a.navbar__link[href='/other']").await?;
    tab.expect_clean().await
}

pub(crate) async fn mkdocs(tab: &mut Tab) -> Outcome {
    // Material goes on without a reload to pages of its site map only, and compares them with the
    // port that the map names: a copy is served with its own.
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
    let address = format!("https://docs.example:{port}/");
    copy::serve(tab, |path, content| match String::from_utf8(content) {
        Ok(text) if path == Path::new("sitemap.xml") => {
            Some(text.replace("https://docs.example/", &address).into_bytes())
        }
        Ok(text) => Some(text.into_bytes()),
        Err(error) => Some(error.into_bytes()),
    })?;
    let folder = tab.artifacts().join("site");
    tab.remount(|options| {
        options.root = folder;
        options.port = Some(port);
    })?;
    both_labs(tab, "mkdocs").await?;
    let is_dark = "document.body.dataset.mdColorScheme === 'slate'";
    switches(tab, "label[for^=__palette]:not([hidden])", is_dark).await?;
    prints(tab, &["As a frame", "As an element"]).await?;
    goes_on(tab, ".md-nav a[href$='other.html']").await?;
    tab.expect_clean().await
}

pub(crate) async fn sphinx(tab: &mut Tab) -> Outcome {
    both_labs(tab, "sphinx").await?;
    follows_the_system(tab).await?;
    let is_dark = "document.body.dataset.theme === 'dark'";
    switches(tab, ".theme-toggle-content .theme-toggle", is_dark).await?;
    prints(tab, &["As a frame", "As an element"]).await?;
    tab.expect_clean().await
}

/// A deck of slides: keys that a lab has no use for turn them, whichever way it is embedded.
pub(crate) async fn reveal(tab: &mut Tab) -> Outcome {
    open(tab, "reveal").await?;
    for (slide, what, frame, settings) in
        [(1, "the frame", PLAIN, OF_PLAIN), (2, "the element", ELEMENT, OF_ELEMENT)]
    {
        tab.wait_until("the deck", "Reveal.isReady()", SOON).await?;
        tab.eval("Reveal.slide(arguments[0])", vec![json!(slide)]).await?;
        plays(tab, what, frame, settings).await?;
        tab.enter_frame_at(frame).await?;
        // Anywhere in it: a driver does not know that the deck draws its slides at another scale.
        tab.click("main").await?;
        tab.keys("PageUp").await?;
        tab.leave_frame().await?;
        expect(tab, &format!("{what} hands on the key"), "Reveal.getIndices().h", slide - 1).await?;
    }
    tab.eval("Reveal.slide(2)", Vec::new()).await?;
    shows(tab, "the deck is light", "light").await?;
    follows_the_system(tab).await?;
    tab.open("index.html?print-pdf").await?;
    tab.wait_until("all slides are laid out", "document.querySelectorAll('.pdf-page').length === 3", SOON)
        .await?;
    // The theme writes headings in capitals.
    prints(tab, &["LABS IN SLIDES", "AS A FRAME", "AS AN ELEMENT", "Every slide has its own"]).await?;
    tab.expect_clean().await
}
