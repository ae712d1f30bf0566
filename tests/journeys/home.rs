//! Home: one live scene, and every lab from here in place, wherever the site is mounted.

use std::time::Duration;

use tokenyard_browser_tests::{By, Emulation, Outcome, Tab};
use tokenyard_lab::labs::LABS;

use crate::journeys::bench::{HOME, SOON, expect, file, herding, open, open_lab, ready, text_of, words};

/// The play button's name.
const PLAY: &str = "document.querySelector('.player .is-main').getAttribute('aria-label')";

pub(crate) async fn opens_with_a_live_scene(tab: &mut Tab) -> Outcome {
    let words = words(tab, HOME, "en")?;
    open(tab, HOME).await?;
    assert_eq!(tab.title().await?, format!("{} · {}", words.get("title"), words.get("site")));
    assert_eq!(tab.text("h1").await?, words.get("title"));
    assert!(tab.has(".live .scene svg").await?, "the first frame is a picture");
    expect(tab, "it plays by itself", PLAY, words.get("player.pause")).await?;
    tab.wait_until("it moves", "Number(document.querySelector('.player input').value) > 2", SOON).await?;
    tab.click(".player .is-main").await?;
    expect(tab, "it can be paused", PLAY, words.get("player.play")).await?;
    let before = tab.property(".player input", "value").await?;
    tab.idle(Duration::from_millis(600)).await;
    assert_eq!(tab.property(".player input", "value").await?, before, "paused is paused");
    // To its end, once: eight times as fast.
    tab.focus(".player").await?;
    tab.keys("Shift+> Shift+> Shift+> k").await?;
    let end = "(field => field.value === field.max)(document.querySelector('.player input'))";
    tab.wait_until("it comes to its end", end, Duration::from_secs(40)).await?;
    expect(tab, "it stops there", PLAY, words.get("player.play")).await?;
    tab.idle(Duration::from_millis(500)).await;
    assert_eq!(tab.value(end).await?, true, "it plays once");
    tab.expect_clean().await
}

pub(crate) async fn stays_still_when_asked(tab: &mut Tab) -> Outcome {
    let still = "document.querySelector('.player .is-main').getAttribute('aria-label') === 'Play'
        && document.querySelector('.player input').value";
    tab.emulate(Emulation { dark: false, reduced_motion: true }).await?;
    open(tab, HOME).await?;
    let before = tab.value(still).await?;
    tab.idle(Duration::from_millis(1600)).await;
    assert_eq!(tab.value(still).await?, before, "reduced motion: nothing plays by itself");
    tab.emulate(Emulation::default()).await?;
    tab.in_frame(640, HOME).await?;
    ready(tab).await?;
    let before = tab.value(still).await?;
    tab.idle(Duration::from_millis(1600)).await;
    assert_eq!(tab.value(still).await?, before, "in a frame nothing plays by itself");
    Ok(())
}

/// Opens every lab from the home page in place and goes back each time.
async fn visit_all(tab: &mut Tab) -> Outcome {
    let home = words(tab, HOME, "en")?;
    open(tab, HOME).await?;
    tab.eval("window.marker = 1", Vec::new()).await?;
    for lab in LABS {
        let link = format!(".lab-card[href$='{}']", file(lab));
        tab.click(link.as_str()).await?;
        let there = format!("document.documentElement.dataset.page === 'labs/{}'", lab.id);
        tab.wait_until("the lab is there", &there, SOON).await?;
        expect(tab, "its title", "!!document.querySelector('.lab h1').textContent", true).await?;
        assert!(tab.url().await?.ends_with(&file(lab)), "the address is the real file");
        tab.wait_until("the reader is at its heading", "document.activeElement.tagName === 'H1'", SOON)
            .await?;
        assert_eq!(tab.value("window.marker").await?, 1, "{}: in place", lab.id);
        tab.back().await?;
        expect(tab, "back at home", &text_of("h1"), home.get("title")).await?;
        assert_eq!(tab.value("window.marker").await?, 1, "{}: back in place", lab.id);
    }
    assert!(tab.site().requests().iter().all(|request| request.status == 200), "{:?}", tab.site().requests());
    tab.expect_clean().await
}

pub(crate) async fn opens_every_lab_in_place(tab: &mut Tab) -> Outcome {
    visit_all(tab).await
}

pub(crate) async fn works_below_a_path(tab: &mut Tab) -> Outcome {
    tab.remount(|options| {
        options.mount = "/a/b/".to_owned();
        options.wasm_content_type = "application/octet-stream".to_owned();
    })?;
    visit_all(tab).await?;
    open_lab(tab, herding()?, "interval=5&step=40").await?;
    expect(tab, "the link is read", "document.querySelector('.player input').value", "40").await?;
    assert!(tab.site().requests().iter().all(|request| request.path.starts_with("/a/b/")));
    tab.expect_clean().await
}

pub(crate) async fn opens_labs_from_their_folders(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        open(tab, &format!("labs/{}/", lab.id)).await?;
        expect(tab, "the page", "document.documentElement.dataset.page", format!("labs/{}", lab.id)).await?;
        tab.click(".brand").await?;
        expect(tab, "home", "document.documentElement.dataset.page", "home").await?;
    }
    tab.expect_clean().await
}

pub(crate) async fn jumps_within_the_page(tab: &mut Tab) -> Outcome {
    let words = words(tab, HOME, "en")?;
    open(tab, HOME).await?;
    tab.click(By::Text(words.get("labs"))).await?;
    let lab = herding()?;
    tab.click(format!(".lab-card[href$='{}']", file(lab)).as_str()).await?;
    expect(tab, "the lab", "document.documentElement.dataset.page", "labs/herding").await?;
    expect(tab, "no notice about #labs", "document.querySelector('.notices').hidden", true).await
}
