//! `<tokenyard-lab>` in an article of another origin, with the real pages in its frames.

use std::time::Duration;

use serde_json::{Value, json};
use tokenyard_browser_tests::{Emulation, Outcome, Tab};

use crate::journeys::bench::{SOON, expect, ready};

/// Longer than a lab takes to start, and than the element waits for anything but a silent frame.
pub(crate) const LATER: Duration = Duration::from_millis(1200);

/// Whether a picture of the element is seen.
pub(crate) const POSTER: &str =
    "part('one', '.poster').checkVisibility() && part('one', '.poster').naturalWidth > 0";

/// What a lab does when it plays: the word on its main button, which tests of the player read too.
pub(crate) const PLAYS: &str = "document.querySelector('.player .is-main').getAttribute('aria-label')";

/// Opens the article and loads the element's script from the site.
pub(crate) async fn article(tab: &mut Tab, headers: &[(&str, &str)]) -> Outcome {
    tab.open_host_with("element.html", headers).await?;
    load(tab, json!({})).await
}

/// Loads the element's script, once more if it was there.
async fn load(tab: &Tab, attributes: Value) -> Outcome {
    let script = "const done = arguments[arguments.length - 1];
        load(arguments[0], arguments[1]).then(() => done(true), error => done(String(error)));";
    let address = json!(tab.address("element.js"));
    let loaded = tab.client().execute_async(script, vec![address, attributes]).await?;
    if loaded == true { Ok(()) } else { Err(format!("the element's script: {loaded}").into()) }
}

/// One more element.
pub(crate) async fn add(tab: &Tab, id: &str, attributes: Value) -> Outcome {
    tab.eval("add(arguments[0], arguments[1])", vec![json!(id), attributes]).await.map(drop)
}

/// Waits until the lab in an element listens.
pub(crate) async fn listens(tab: &Tab, id: &str) -> Outcome {
    tab.wait_until(&format!("{id} is ready"), &format!("heard('{id}', 'ready').length > 0"), SOON).await
}

/// Waits until the application in an element is there: a frame listens before that.
pub(crate) async fn works(tab: &mut Tab, id: &str) -> Outcome {
    listens(tab, id).await?;
    enter(tab, id).await?;
    tab.leave_frame().await
}

/// Goes into an element's frame once its application is there.
pub(crate) async fn enter(tab: &mut Tab, id: &str) -> Outcome {
    tab.enter_frame_at(&format!("frame('{id}')")).await?;
    ready(tab).await
}

/// Goes into an element's frame, waits for a value there, and comes back.
pub(crate) async fn inside(
    tab: &mut Tab,
    id: &str,
    what: &str,
    expression: &str,
    wanted: impl Into<Value>,
) -> Outcome {
    tab.enter_frame_at(&format!("frame('{id}')")).await?;
    expect(tab, what, expression, wanted).await?;
    tab.leave_frame().await
}

/// The picture first, then the lab as the attributes say, with nothing taken from the reader; the
/// script's second and third coming change nothing.
pub(crate) async fn a_picture_then_the_lab(tab: &mut Tab) -> Outcome {
    // As a module, from an origin that lets others read it; by the first of them the site is found.
    tab.remount(|options| {
        options.extra_headers.push(("Access-Control-Allow-Origin".to_owned(), "*".to_owned()));
    })?;
    tab.open_host("element.html").await?;
    tab.focus("#before").await?;
    let entries = tab.value("history.length").await?;
    let attributes = json!({ "lab": "herding", "state": "step=27&interval=9", "interval": "5", "seed": "7",
        "title": "Herding", "controls": "player, knobs", "height": "600" });
    // Written before the script came: it is upgraded.
    tab.eval("gap()", Vec::new()).await?;
    add(tab, "one", attributes).await?;
    load(tab, json!({ "type": "module" })).await?;
    tab.wait_until("the picture is seen", POSTER, SOON).await?;
    let place = "[frame('one') === null, part('one', '.box').clientHeight, part('one', '.poster').alt]";
    expect(tab, "nothing but a picture, in its place", place, json!([true, 600, "Herding"])).await?;
    for _ in 0..2 {
        load(tab, json!({})).await?;
    }
    tab.eval("lab('one').scrollIntoView()", Vec::new()).await?;
    tab.eval("window.place = scrollY", Vec::new()).await?;
    listens(tab, "one").await?;
    expect(tab, "its name", "heard('one', 'ready')", json!([{ "v": 1, "lab": "herding" }])).await?;
    expect(tab, "the picture is gone", "part('one', '.poster').checkVisibility()", false).await?;
    let address = "frame('one').src.split('/embed/')[1] + ' ' + frame('one').title";
    let wanted =
        "herding/?ui=lab&controls=player,knobs&theme=light&lang=en#step=27&interval=5&seed=7 Herding";
    expect(tab, "the frame", address, wanted).await?;
    enter(tab, "one").await?;
    expect(tab, "the step", "document.querySelector('.player input').value", "27").await?;
    let link = "document.querySelector('.embed-open, .lab').baseURI.split('#')[1]";
    expect(tab, "the settings", link, "step=27&interval=5&seed=7").await?;
    tab.leave_frame().await?;
    expect(tab, "the focus", "document.activeElement.id", "before").await?;
    expect(tab, "the place", "scrollY === window.place", true).await?;
    expect(tab, "the history", "history.length", entries).await?;
    tab.expect_clean().await
}

/// The element is as high as the lab in it, at both widths, and not where it shall not be.
pub(crate) async fn the_height_follows(tab: &mut Tab) -> Outcome {
    article(tab, &[]).await?;
    add(tab, "one", json!({ "lab": "herding", "ui": "player", "loading": "eager" })).await?;
    add(tab, "fixed", json!({ "lab": "herding", "ui": "player", "height": "333", "autoheight": "off" }))
        .await?;
    listens(tab, "one").await?;
    for width in [1000, 340] {
        tab.eval("lab('one').style.width = `${arguments[0]}px`", vec![json!(width)]).await?;
        tab.idle(Duration::from_millis(400)).await;
        let doing = format!("at {width}");
        inside(tab, "one", &doing, "document.documentElement.scrollHeight <= innerHeight", true).await?;
        let blank = "innerHeight - document.querySelector('.embed').getBoundingClientRect().bottom < 24";
        inside(tab, "one", &doing, blank, true).await?;
    }
    tab.eval("lab('fixed').scrollIntoView()", Vec::new()).await?;
    listens(tab, "fixed").await?;
    expect(tab, "a fixed one", "part('fixed', '.box').clientHeight", 333).await?;
    tab.expect_clean().await
}

/// The article's colours, whenever they change and whatever changes them.
pub(crate) async fn colours_follow_the_article(tab: &mut Tab) -> Outcome {
    const THEME: &str = "document.documentElement.dataset.theme ?? 'system'";
    article(tab, &[]).await?;
    // Before the lab listens: in its address, and changed on its way.
    tab.eval("document.documentElement.className = 'navy'", Vec::new()).await?;
    add(tab, "one", json!({ "lab": "herding", "ui": "player", "loading": "eager" })).await?;
    add(tab, "said", json!({ "lab": "herding", "ui": "player", "loading": "eager", "theme": "light" }))
        .await?;
    expect(tab, "in the address", "new URL(frame('one').src).searchParams.get('theme')", "dark").await?;
    tab.eval("document.documentElement.className = 'slow'", Vec::new()).await?;
    // Labs rest until they are seen.
    for id in ["one", "said"] {
        tab.eval("lab(arguments[0]).scrollIntoView()", vec![json!(id)]).await?;
        listens(tab, id).await?;
    }
    inside(tab, "one", "changed on its way", THEME, "light").await?;
    for (what, script, wanted) in [
        ("a class, slowly", "document.documentElement.className = 'slow navy'", "dark"),
        ("a style", "document.documentElement.style.background = '#eee'", "light"),
        ("its surroundings", "document.getElementById('place').className = 'ink'", "dark"),
        ("the attribute", "lab('one').setAttribute('theme', 'light')", "light"),
        ("auto again", "lab('one').removeAttribute('theme')", "dark"),
        ("the system", "lab('one').setAttribute('theme', 'system')", "system"),
    ] {
        tab.eval(script, Vec::new()).await?;
        inside(tab, "one", what, THEME, wanted).await?;
        inside(tab, "said", "what was asked for stays", THEME, "light").await?;
        let scheme = "[frame('one').style.colorScheme]";
        expect(tab, what, scheme, json!([wanted.replace("system", "light dark")])).await?;
    }
    tab.emulate(Emulation { dark: true, reduced_motion: false }).await?;
    inside(tab, "one", "of the system", "matchMedia('(prefers-color-scheme: dark)').matches", true).await?;
    let follow = "document.getElementById('place').className = ''; lab('one').removeAttribute('theme');
        document.documentElement.removeAttribute('style'); document.documentElement.className = 'follows'";
    tab.eval(follow, Vec::new()).await?;
    for (dark, wanted) in [(true, "dark"), (false, "light"), (true, "dark")] {
        tab.emulate(Emulation { dark, reduced_motion: false }).await?;
        inside(tab, "one", "an article that follows the system", THEME, wanted).await?;
    }
    tab.expect_clean().await
}

/// Attributes reach a running lab, and what the reader does comes out as events.
pub(crate) async fn settings_go_in_and_come_out(tab: &mut Tab) -> Outcome {
    const OPEN: &str = "document.querySelector('.embed-open').href.split('#')[1] ?? ''";
    article(tab, &[]).await?;
    add(tab, "one", json!({ "lab": "herding", "ui": "full", "loading": "eager", "lang": "ja" })).await?;
    tab.eval("lab('one').play()", Vec::new()).await?;
    listens(tab, "one").await?;
    inside(tab, "one", "a call before it was there", PLAYS, "一時停止").await?;
    tab.eval("lab('one').pause(); lab('one').removeAttribute('lang')", Vec::new()).await?;
    inside(tab, "one", "the language of the article", PLAYS, "Play").await?;
    let address = tab.value("frame('one').src").await?;
    let entries = tab.value("history.length").await?;
    tab.eval("lab('one').setAttribute('interval', '5')", Vec::new()).await?;
    inside(tab, "one", "a parameter", OPEN, "interval=5").await?;
    tab.eval("lab('one').setAttribute('state', 'interval=3&step=40')", Vec::new()).await?;
    inside(tab, "one", "a state, and the parameter over it", OPEN, "interval=5&step=40").await?;
    enter(tab, "one").await?;
    tab.set_value(".player input[type=range]", "60").await?;
    tab.leave_frame().await?;
    let link = "heard('one', 'state').at(-1)?.link";
    expect(tab, "what the reader did", link, "interval=5&step=60").await?;
    expect(tab, "as the element has it", "lab('one').link", "interval=5&step=60").await?;
    tab.eval("lab('one').setAttribute('state', 'interval=5')", Vec::new()).await?;
    enter(tab, "one").await?;
    tab.click(".predict-actions .is-primary, .predict-options button").await?;
    tab.leave_frame().await?;
    expect(tab, "a guess", "heard('one', 'event').map(one => one.name)", json!(["predicted"])).await?;
    tab.eval("lab('one').setAttribute('interval', '6'); lab('one').play()", Vec::new()).await?;
    inside(tab, "one", "a call right after a change", PLAYS, "Pause").await?;
    inside(tab, "one", "and the change", OPEN, "interval=6").await?;
    tab.eval("lab('one').pause()", Vec::new()).await?;
    let same = "[frame('one').src, history.length]";
    expect(tab, "no other frame, no trace", same, json!([address, entries])).await?;
    tab.expect_clean().await
}

/// Keys that the lab has no use for come out, and Escape gives the keyboard back; the Tab key goes
/// through.
pub(crate) async fn the_keyboard_goes_through(tab: &mut Tab) -> Outcome {
    article(tab, &[]).await?;
    add(tab, "one", json!({ "lab": "herding", "ui": "player", "title": "Lab one" })).await?;
    listens(tab, "one").await?;
    tab.focus("#before").await?;
    tab.press_tab_until("#after", 40).await?;
    tab.press_shift_tab_until("#one", 2).await?;
    tab.press_shift_tab_until("#before", 40).await?;
    enter(tab, "one").await?;
    tab.click(".position").await?;
    tab.keys("PageDown").await?;
    tab.keys("Escape").await?;
    tab.leave_frame().await?;
    let keys = "heard('one', 'key').map(one => one.key)";
    expect(tab, "the keys", keys, json!(["PageDown", "Escape"])).await?;
    expect(tab, "the keyboard is the article's", "document.activeElement === document.body", true).await?;
    tab.eval("lab('one').focus()", Vec::new()).await?;
    expect(tab, "asked in", "document.activeElement.id", "one").await?;
    inside(tab, "one", "as far as the player", "document.activeElement.className", "player").await?;
    tab.expect_clean().await
}

/// Nothing is fetched unasked, and whoever asked by keyboard goes on inside.
pub(crate) async fn a_button_fetches_the_lab(tab: &mut Tab) -> Outcome {
    article(tab, &[]).await?;
    tab.site().clear_requests();
    add(tab, "one", json!({ "lab": "herding", "ui": "player", "loading": "click" })).await?;
    tab.wait_until("the picture is seen", POSTER, SOON).await?;
    tab.idle(LATER).await;
    let asked = tab.site().requests();
    assert!(asked.iter().all(|one| one.path.contains("/figures/")), "{asked:?}");
    tab.focus("#before").await?;
    tab.press_tab_until("#one", 1).await?;
    tab.keys("Enter").await?;
    listens(tab, "one").await?;
    expect(tab, "the button is gone", "part('one', 'button') === null", true).await?;
    expect(tab, "the focus went in", "lab('one').shadowRoot.activeElement === frame('one')", true).await?;
    tab.expect_clean().await
}
