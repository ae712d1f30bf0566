//! `<tokenyard-lab>` in articles that move it, crowd it, print it, restrict it, or reach no lab.

use serde_json::json;
use tokenyard_browser_tests::{Engine, Outcome, Tab};
use tokenyard_lab::labs::LABS;

use crate::journeys::bench::expect;
use crate::journeys::copy;
use crate::journeys::element::{LATER, PLAYS, POSTER, add, article, enter, inside, listens, works};

/// Where the lab stands, told by its own player.
const STEP: &str = "document.querySelector('.player input').value";

/// Neighbours share nothing, and nobody else's messages count.
pub(crate) async fn neighbours_share_nothing(tab: &mut Tab) -> Outcome {
    article(tab, &[]).await?;
    for (id, theme, interval) in [("one", "light", "2"), ("two", "dark", "9")] {
        let attributes = json!({ "lab": "herding", "ui": "player", "theme": theme, "interval": interval });
        add(tab, id, attributes).await?;
        tab.eval("lab(arguments[0]).scrollIntoView()", vec![json!(id)]).await?;
        works(tab, id).await?;
    }
    // Their heights settle once their styles are there.
    tab.idle(LATER).await;
    let seen = "['one', 'two'].map(id => [part(id, '.box').clientHeight, lab(id).link, told.length])";
    let before = tab.value(seen).await?;
    // From the article itself, and from a frame of somebody else in it.
    let strangers = "const say = (from) => {
            const script = from.document.createElement('script');
            script.textContent = `for (const more of [{ type: 'resize', height: 2222 },
                { type: 'state', link: 'interval=1' }, { type: 'ready', v: 1, lab: 'x' }, { type: 'error', message: 'x' }])
                parent.postMessage({ tokenyard: 1, ...more }, '*');`;
            from.document.head.append(script);
        };
        const other = document.createElement('iframe');
        document.body.append(other);
        say(window);
        say(other.contentWindow);";
    tab.eval(strangers, Vec::new()).await?;
    tab.idle(LATER).await;
    expect(tab, "strangers are not heard", seen, before).await?;
    let set = "lab('one').setAttribute('lang', 'ja'); lab('one').setAttribute('interval', '3');
        lab('one').setAttribute('state', 'step=9'); lab('one').setAttribute('theme', 'dark')";
    tab.eval(set, Vec::new()).await?;
    inside(tab, "one", "the first", STEP, "9").await?;
    tab.idle(LATER).await;
    let other = "[document.documentElement.lang, document.documentElement.dataset.theme,
        document.querySelector('.embed-open').href.split('#')[1]]";
    inside(tab, "two", "the second", other, json!(["en", "dark", "interval=9"])).await?;
    tab.expect_clean().await
}

/// Taken out and put back, a lab is where the reader left it, with one frame and no trace in the
/// history; while it is out it does nothing.
pub(crate) async fn it_may_be_moved(tab: &mut Tab) -> Outcome {
    article(tab, &[]).await?;
    add(tab, "one", json!({ "lab": "herding", "ui": "player" })).await?;
    listens(tab, "one").await?;
    let entries = tab.value("history.length").await?;
    enter(tab, "one").await?;
    tab.set_value(".player input[type=range]", "40").await?;
    tab.leave_frame().await?;
    expect(tab, "the reader's step", "lab('one').link", "step=40").await?;
    let out = "window.kept = lab('one'); kept.remove(); told.length = 0; kept.setAttribute('interval', '7');
        document.documentElement.className = 'navy'; kept.play()";
    tab.eval(out, Vec::new()).await?;
    tab.idle(LATER).await;
    let nothing = "[kept.shadowRoot.querySelector('iframe') === null, told.length]";
    expect(tab, "out, it does nothing", nothing, json!([true, 0])).await?;
    tab.eval("kept.removeAttribute('interval'); kept.pause()", Vec::new()).await?;
    tab.eval("document.getElementById('place').append(kept)", Vec::new()).await?;
    listens(tab, "one").await?;
    inside(tab, "one", "back, where it was", STEP, "40").await?;
    let dark = "document.documentElement.dataset.theme";
    inside(tab, "one", "in the colours that it came back to", dark, "dark").await?;
    let often = "for (let time = 0; time < 20; time++) {
            kept.remove();
            document.getElementById('place').append(kept);
        } told.length = 0;";
    tab.eval(often, Vec::new()).await?;
    listens(tab, "one").await?;
    expect(tab, "one frame", "kept.shadowRoot.querySelectorAll('iframe').length", 1).await?;
    tab.eval("kept.setAttribute('state', 'step=30')", Vec::new()).await?;
    inside(tab, "one", "it hears once", STEP, "30").await?;
    // Messages of a frame that is gone are nobody's, and each of this one is told once.
    expect(tab, "and is heard once", "heard('one', 'ready').length", 1).await?;
    expect(tab, "the history", "history.length", entries).await?;
    if tab.engine() == Engine::Chromium {
        let moves = "const stays = frame('one').contentWindow, place = document.getElementById('place');
            const card = Object.assign(document.createElement('div'), { style: 'background: #fff' });
            place.append(card); card.moveBefore(kept, null); return stays === frame('one').contentWindow;";
        let same = tab.eval(moves, Vec::new()).await?;
        assert_eq!(same, true, "a move keeps the frame");
        inside(tab, "one", "its new surroundings", dark, "light").await?;
        expect(tab, "no new start", "heard('one', 'ready').length", 1).await?;
    }
    tab.expect_clean().await
}

/// Far from the reader nothing is fetched but the picture; out of sight the lab rests.
pub(crate) async fn off_screen_it_sleeps(tab: &mut Tab) -> Outcome {
    article(tab, &[]).await?;
    tab.eval("gap()", Vec::new()).await?;
    tab.site().clear_requests();
    add(tab, "one", json!({ "lab": "herding", "ui": "player" })).await?;
    tab.idle(LATER).await;
    let asked = tab.site().requests();
    assert!(asked.iter().all(|one| one.path.contains("/figures/")), "{asked:?}");
    tab.eval("lab('one').scrollIntoView()", Vec::new()).await?;
    listens(tab, "one").await?;
    tab.eval("lab('one').play()", Vec::new()).await?;
    inside(tab, "one", "it plays", PLAYS, "Pause").await?;
    tab.eval("scrollTo(0, 0)", Vec::new()).await?;
    inside(tab, "one", "and rests", PLAYS, "Play").await?;
    tab.expect_clean().await
}

/// On paper there is the light picture, as wide as the text, whether the lab runs or not.
pub(crate) async fn paper_has_the_picture(tab: &mut Tab) -> Outcome {
    article(tab, &[]).await?;
    add(tab, "one", json!({ "lab": "herding", "ui": "player", "theme": "dark" })).await?;
    listens(tab, "one").await?;
    tab.eval("gap()", Vec::new()).await?;
    add(tab, "far", json!({ "lab": "batching" })).await?;
    let printed = "['one', 'far'].map(id => {
        const paper = part(id, '.paper');
        return [paper.src.split('/figures/')[1], paper.complete && paper.naturalWidth > 0, paper.checkVisibility(),
            [...lab(id).shadowRoot.querySelectorAll('iframe, .poster, .front')].some(one => one.checkVisibility())];
    })";
    let wanted = |seen: bool| {
        json!([["herding-light.svg", true, seen, !seen], ["batching-light.svg", true, seen, !seen]])
    };
    expect(tab, "on the screen", printed, wanted(false)).await?;
    if tab.engine() == Engine::Chromium {
        tab.devtools("Emulation.setEmulatedMedia", json!({ "media": "print", "features": [] })).await?;
        let seen = tab.value(printed).await;
        let width = tab.value("part('one', '.paper').clientWidth === part('one', '.box').clientWidth").await;
        let height = tab.value("part('one', '.box').clientHeight <= innerHeight").await;
        tab.devtools("Emulation.setEmulatedMedia", json!({ "media": "", "features": [] })).await?;
        assert_eq!(seen?, wanted(true));
        assert_eq!((width?, height?), (json!(true), json!(true)), "as wide as the text, on one page");
    }
    if tab.engine().prints() {
        let pdf = tab.print().await?;
        assert!(pdf.starts_with(b"%PDF-"), "{} bytes that are no PDF", pdf.len());
    }
    expect(tab, "the screen again", printed, wanted(false)).await?;
    tab.expect_clean().await
}

/// A policy without any inline style or script, and pages that isolate themselves.
pub(crate) async fn strict_articles_show_it(tab: &mut Tab) -> Outcome {
    let site = tab.site().origin();
    let policy = format!(
        "default-src 'none'; script-src 'self' {site}; style-src 'self'; img-src data: {site}; frame-src {site}"
    );
    article(tab, &[("Content-Security-Policy", &policy)]).await?;
    add(tab, "one", json!({ "lab": "herding", "ui": "player" })).await?;
    works(tab, "one").await?;
    let styled = "frame('one').clientWidth === part('one', '.box').clientWidth";
    expect(tab, "with its styles", styled, true).await?;
    tab.expect_clean().await?;
    if tab.engine() == Engine::Chromium {
        // The site sends nothing for it: the frame goes without credentials.
        isolated(tab, "credentialless").await?;
        expect(tab, "by itself", "[crossOriginIsolated, frame('one').credentialless]", json!([true, true]))
            .await?;
    }
    tab.remount_for_isolated_hosts()?;
    isolated(tab, "require-corp").await
}

async fn isolated(tab: &mut Tab, policy: &str) -> Outcome {
    let headers = [("Cross-Origin-Embedder-Policy", policy), ("Cross-Origin-Opener-Policy", "same-origin")];
    article(tab, &headers).await?;
    add(tab, "one", json!({ "lab": "herding", "ui": "player" })).await?;
    works(tab, "one").await?;
    tab.expect_clean().await
}

/// A site without the lab's pages, or without its module: the picture stays, with one line and the
/// way to the lab.
pub(crate) async fn a_broken_site_is_told(tab: &mut Tab) -> Outcome {
    copy::serve(tab, |path, content| (!path.starts_with("embed")).then_some(content))?;
    article(tab, &[]).await?;
    add(tab, "one", json!({ "lab": "herding", "interval": "5" })).await?;
    let said = "[part('one', '.front p')?.firstChild.textContent.trim(), part('one', '.front a')?.href]";
    let away = tab.address("labs/herding/#interval=5");
    expect(tab, "one line and a link", said, json!(["The lab did not start here.", away])).await?;
    expect(tab, "the picture stays", POSTER, true).await?;
    expect(tab, "what is behind it is left out", "frame('one').inert", true).await?;
    // What the browser wrote about missing files.
    tab.console().await?;
    tab.forget_log();
    // Without its module the frame has a first frame of its own, and says by itself what is wrong.
    copy::serve(tab, |path, content| (!copy::is_module(path)).then_some(content))?;
    article(tab, &[]).await?;
    add(tab, "one", json!({ "lab": "herding" })).await?;
    expect(tab, "it is told", "heard('one', 'error').length", 1).await?;
    inside(tab, "one", "the line", "document.getElementById('broken').checkVisibility()", true).await?;
    expect(tab, "nothing covers it", "part('one', '.box').className", "box pictured").await?;
    tab.console().await?;
    tab.forget_log();
    // A lab that is not there has no picture either, and what the server says instead is not shown.
    article(tab, &[]).await?;
    add(tab, "one", json!({ "lab": "no-such-lab" })).await?;
    expect(tab, "the line again", "part('one', '.front p') !== null", true).await?;
    expect(tab, "nothing of the server's", "getComputedStyle(frame('one')).opacity", "0").await?;
    tab.console().await?;
    tab.forget_log();
    // Without a base or a lab there is nothing to show, and that is said.
    article(tab, &[]).await?;
    add(tab, "one", json!({ "lab": "../labs" })).await?;
    expect(tab, "no frame", "[frame('one') === null, part('one', '.front p') !== null]", json!([true, true]))
        .await?;
    tab.expect_clean().await
}

/// Twenty labs on one page: each starts when it is reached, and those that are far are left alone.
pub(crate) async fn twenty_start_as_they_are_reached(tab: &mut Tab) -> Outcome {
    const COUNT: usize = 20;
    article(tab, &[]).await?;
    tab.eval("gap()", Vec::new()).await?;
    tab.site().clear_requests();
    for at in 0..COUNT {
        let lab = LABS[at % LABS.len()].id;
        let title = format!("{lab} {at}");
        let attributes =
            json!({ "lab": lab, "ui": "player", "style": "margin-block: 500px", "title": title });
        add(tab, &format!("lab{at}"), attributes).await?;
    }
    tab.idle(LATER).await;
    let asked = tab.site().requests();
    assert!(asked.iter().all(|one| one.path.contains("/figures/")), "{asked:?}");
    let framed = "[...document.querySelectorAll('tokenyard-lab')].map(one => Boolean(frame(one.id)))";
    for at in 0..COUNT {
        let id = format!("lab{at}");
        tab.eval("lab(arguments[0]).scrollIntoView({ block: 'center' })", vec![json!(id)]).await?;
        works(tab, &id).await?;
        let there: Vec<bool> = serde_json::from_value(tab.value(framed).await?)?;
        // There is room for one within a screen after this one.
        assert!(there[..=at].iter().all(|one| *one), "at {at}: {there:?}");
        assert!(there.iter().skip(at + 2).all(|one| !one), "at {at}: {there:?}");
        if there.get(at + 1) == Some(&true) {
            let next = format!("lab{}", at + 1);
            listens(tab, &next).await?;
            let running = "document.documentElement.dataset.ready ?? 'no'";
            inside(tab, &next, "what is not seen yet does not run", running, "no").await?;
        }
    }
    let pages = tab.site().requests().iter().filter(|one| one.path.starts_with("/embed/")).count();
    assert_eq!(pages, COUNT, "every frame is loaded once");
    expect(tab, "and told so once", "told.filter(one => one.type === 'ready').length", COUNT).await?;
    tab.expect_clean().await
}
