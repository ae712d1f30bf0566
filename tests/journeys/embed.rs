//! Labs inside other people's pages: shapes, messages, height, sleep, focus, history.

use std::time::Duration;

use serde_json::{Value, json};
use tokenyard_browser_tests::{Outcome, Tab};
use tokenyard_lab::LabSpec;
use tokenyard_lab::labs::LABS;

use crate::journeys::bench::{SOON, collapsed, expect, herding, ready, text_of, words};

/// Longer than an embed waits before it starts.
const LATER: Duration = Duration::from_millis(1200);

/// Address of an embed below the site's root.
pub(crate) fn embed(lab: &LabSpec, query: &str, fragment: &str) -> String {
    let hash = if fragment.is_empty() { String::new() } else { format!("#{fragment}") };
    format!("embed/{}/index.html?{query}{hash}", lab.id)
}

/// The article of `tests/hosts/embed.html` with one frame, and the driver outside of it.
pub(crate) async fn article(tab: &mut Tab, path: &str, attributes: Value) -> Outcome {
    tab.open_host("embed.html").await?;
    add(tab, path, attributes).await
}

/// One more frame at the end of the article.
pub(crate) async fn add(tab: &Tab, path: &str, attributes: Value) -> Outcome {
    let script = "const done = arguments[arguments.length - 1]; add(arguments[0], arguments[1]).then(done);";
    let src = json!(tab.address(path));
    tab.client().execute_async(script, vec![src, attributes]).await.map(drop).map_err(Into::into)
}

/// Goes into frame `at` of the article, does something there, and comes back.
pub(crate) async fn inside(tab: &mut Tab, at: u16, what: &str, expression: &str, wanted: Value) -> Outcome {
    tab.client().enter_frame(at).await?;
    expect(tab, what, expression, wanted).await?;
    tab.leave_frame().await
}

/// Waits until the application of frame `at` is there.
pub(crate) async fn awake(tab: &mut Tab, at: u16) -> Outcome {
    tab.client().enter_frame(at).await?;
    ready(tab).await?;
    tab.leave_frame().await
}

/// Parts that are in sight, by name, and knobs by their names in links.
const SHOWN: &str = "(seen => [
    [...new Set([...document.querySelectorAll('#app [data-part]')].filter(seen).map(e => e.dataset.part))].sort(),
    [...document.querySelectorAll('#app [data-link]')].filter(seen).map(e => e.dataset.link).sort()])(
    e => !e.closest('[hidden]') && [...e.querySelectorAll('*'), e].some(one => one.getClientRects().length > 0))";

/// What the first frame's script hides is what the application leaves out: the shapes and lists of
/// every lab show the same parts and knobs before and after.
pub(crate) async fn shapes_are_the_same_before_and_after(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        let first = lab.params[0].link;
        let one = format!("ui=lab&controls={first}");
        for query in ["ui=full", &one, "ui=player&controls=player,why,more", "ui=figure&controls=none", ""] {
            let doing = format!("{} {query}", lab.id);
            // Under a frame's edge the application sleeps.
            tab.open_host("embed.html").await?;
            tab.eval("gap()", Vec::new()).await?;
            add(tab, &embed(lab, query, ""), json!({})).await?;
            tab.client().enter_frame(0).await?;
            let asleep = "document.documentElement.dataset.ready ?? 'no'";
            expect(tab, &doing, asleep, "no").await?;
            let before = tab.value(SHOWN).await?;
            tab.leave_frame().await?;
            tab.eval("send(0, { type: 'play' }); send(0, { type: 'pause' })", Vec::new()).await?;
            inside(tab, 0, &doing, "document.documentElement.dataset.ready", json!("true")).await?;
            inside(tab, 0, &doing, SHOWN, before).await?;
        }
    }
    Ok(())
}

pub(crate) async fn an_unknown_control_is_named(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let words = words(tab, &embed(lab, "", ""), "en")?;
    let query = "ui=huge&controls=player,volume&theme=blue&lang=xx";
    article(tab, &embed(lab, query, "interval=99&step=3"), json!({})).await?;
    awake(tab, 0).await?;
    tab.client().enter_frame(0).await?;
    let lines = tab.texts(".notices li").await?;
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].contains("huge") && lines[0].contains("figure"), "{lines:?}");
    assert!(lines[1].contains("volume") && lines[1].contains("interval"), "{lines:?}");
    expect(tab, "it is the ordinary shape", "document.documentElement.dataset.ui", "lab").await?;
    expect(tab, "with its name", &text_of("h1"), collapsed(words.get("title"))).await?;
    tab.leave_frame().await?;
    // Whoever wrote the page hears it too, with the state as it was understood.
    let errors = tab.value("heard(0, 'error').map(one => one.message)").await?;
    let errors: Vec<&str> = errors.as_array().into_iter().flatten().filter_map(|one| one.as_str()).collect();
    let named = ["blue", "xx", "huge", "volume", "99"];
    assert!(errors.len() == 5 && errors.iter().zip(named).all(|(e, name)| e.contains(name)), "{errors:?}");
    expect(tab, "the state", "heard(0, 'state').at(-1)?.link", "interval=60&step=3").await
}

/// What the host asks for, and what comes of it.
async fn expect_obeyed(tab: &mut Tab) -> Outcome {
    for (message, what, expression, wanted) in [
        ("{ type: 'set', theme: 'dark' }", "theme", "document.documentElement.dataset.theme", json!("dark")),
        (
            "{ type: 'set', theme: 'system' }",
            "theme",
            "document.documentElement.dataset.theme ?? null",
            json!(null),
        ),
        ("{ type: 'set', lang: 'ja' }", "language", "document.documentElement.lang", json!("ja")),
        (
            "{ type: 'set', theme: 'blue', lang: 'xx' }",
            "language",
            "document.documentElement.lang",
            json!("ja"),
        ),
        (
            "{ type: 'play' }",
            "play",
            "document.querySelector('.player .is-main').getAttribute('aria-label')",
            json!("一時停止"),
        ),
        (
            "{ type: 'pause' }",
            "pause",
            "document.querySelector('.player .is-main').getAttribute('aria-label')",
            json!("再生"),
        ),
        ("{ type: 'focus' }", "focus", "document.activeElement.className", json!("player")),
        (
            "{ type: 'destroy', state: 'interval=7' }",
            "nothing",
            "document.querySelector('.player input').max",
            json!("90"),
        ),
    ] {
        if what == "focus" {
            // A host gives the frame the focus before it asks for more; WebKit lets only a reader do that.
            tab.eval("document.querySelector('iframe').focus()", Vec::new()).await?;
            tab.client().enter_frame(0).await?;
            tab.click(".stage .say").await?;
            tab.leave_frame().await?;
        }
        tab.eval(&format!("send(0, {message})"), Vec::new()).await?;
        inside(tab, 0, what, expression, wanted).await?;
    }
    Ok(())
}

/// Everything of the contract, in both directions.
pub(crate) async fn both_sides_are_heard(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    article(tab, &embed(lab, "ui=lab", ""), json!({})).await?;
    expect(
        tab,
        "it is ready",
        "heard(0, 'ready')",
        json!([{"tokenyard": 1, "type": "ready", "v": 1, "lab": lab.id}]),
    )
    .await?;
    awake(tab, 0).await?;
    // A state replaces the settings, and is told again as it was understood.
    tab.eval("send(0, { type: 'set', state: '#interval=5&step=40' })", Vec::new()).await?;
    let link = "heard(0, 'state').at(-1)?.link";
    expect(tab, "the state is told", link, "interval=5&step=40").await?;
    tab.client().enter_frame(0).await?;
    expect(tab, "and shown", "document.querySelector('.player input').value", "40").await?;
    // Where nobody is asked, nothing is covered by what the page around sets.
    expect(tab, "nothing is covered", "document.querySelectorAll('.is-covered').length", 0).await?;
    let open = "document.querySelector('.embed-open').getAttribute('href')";
    expect(
        tab,
        "the way out leads there",
        open,
        format!("../../labs/{}/index.html#interval=5&step=40", lab.id),
    )
    .await?;
    tab.leave_frame().await?;
    expect_obeyed(tab).await?;
    let errors = tab.value("heard(0, 'error').map(one => one.message)").await?;
    let errors = errors.to_string();
    assert!(errors.contains("blue") && errors.contains("system") && errors.contains("xx"), "{errors}");
    // Somebody else's message counts for nothing, whatever it says.
    tab.client().enter_frame(0).await?;
    tab.eval("postMessage({ tokenyard: 1, type: 'set', lang: 'en' }, '*')", Vec::new()).await?;
    tab.idle(Duration::from_millis(300)).await;
    expect(tab, "a stranger is not heard", "document.documentElement.lang", "ja").await
}

pub(crate) async fn guesses_and_ends_are_told(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    article(tab, &embed(lab, "ui=full", ""), json!({})).await?;
    awake(tab, 0).await?;
    tab.client().enter_frame(0).await?;
    tab.click(".predict-actions .is-primary, .predict-options button").await?;
    tab.leave_frame().await?;
    let names = "heard(0, 'event').map(one => one.name)";
    expect(tab, "the guess", names, json!(["predicted"])).await?;
    tab.eval("send(0, { type: 'pause' }); send(0, { type: 'set', state: 'guess=0&step=90' })", Vec::new())
        .await?;
    tab.wait_until("the end is told", &format!("{names}.includes('completed')"), SOON).await?;
    // A guess that comes with a state was not made here.
    let guesses = format!("{names}.filter(name => name === 'predicted').length");
    expect(tab, "one guess", &guesses, 1).await
}

/// Gives the article's frame another width, as an article's own column does.
pub(super) async fn widen(tab: &Tab, width: u32) -> Outcome {
    let script = "document.querySelector('iframe').style.width = `${arguments[0]}px`";
    tab.eval(script, vec![json!(width)]).await.map(drop)
}

/// The height told is the content's, in both widths; a host that adds to it is not followed for ever.
pub(crate) async fn the_height_is_the_contents_and_cannot_run_away(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        article(tab, &embed(lab, "ui=lab", ""), json!({})).await?;
        awake(tab, 0).await?;
        for width in [1000, 340] {
            widen(tab, width).await?;
            let told = "heard(0, 'resize').at(-1).height === document.querySelector('iframe').offsetHeight";
            tab.idle(Duration::from_millis(300)).await;
            expect(tab, lab.id, told, true).await?;
            tab.client().enter_frame(0).await?;
            let fits = "document.documentElement.scrollHeight <= innerHeight";
            expect(tab, &format!("{} at {width}: nothing is cut off", lab.id), fits, true).await?;
            let blank = "innerHeight - document.querySelector('.embed').getBoundingClientRect().bottom < 24";
            expect(tab, &format!("{} at {width}: nothing is blank", lab.id), blank, true).await?;
            tab.leave_frame().await?;
        }
        let embedly = "embedly() === heard(0, 'resize').at(-1).height";
        expect(tab, "the other form says the same", embedly, true).await?;
    }
    article(tab, &embed(herding()?, "ui=player", ""), json!({})).await?;
    awake(tab, 0).await?;
    tab.client().enter_frame(0).await?;
    // Content that asks for the frame's height is what makes heights run away.
    let tall = "const box = document.createElement('p'); box.style.height = '100vh';
        document.querySelector('main').append(box)";
    tab.eval(tall, Vec::new()).await?;
    tab.leave_frame().await?;
    tab.eval("followHeights(true, 40); document.querySelector('iframe').style.height = '700px'", Vec::new())
        .await?;
    tab.wait_until("it grows at first", "heard(0, 'resize').length > 8", SOON).await?;
    tab.idle(Duration::from_secs(4)).await;
    let bounded =
        tab.value("heard(0, 'resize').at(-1).height < 20000 && heard(0, 'resize').length < 24").await?;
    assert_eq!(bounded, true, "{}", tab.value("heard(0, 'resize')").await?);
    Ok(())
}

/// Off screen no code of ours is fetched or run; in sight it starts, and rests when it is out of sight
/// again.
pub(crate) async fn off_screen_nothing_runs(tab: &mut Tab) -> Outcome {
    tab.open_host("embed.html").await?;
    tab.eval("gap()", Vec::new()).await?;
    tab.site().clear_requests();
    let lab = herding()?;
    add(tab, &embed(lab, "ui=lab", ""), json!({})).await?;
    tab.idle(LATER).await;
    let asked = tab.site().requests();
    assert!(asked.iter().all(|one| !one.path.ends_with(".wasm") && !one.path.ends_with(".js")), "{asked:?}");
    inside(tab, 0, "asleep", "document.documentElement.dataset.ready ?? 'no'", json!("no")).await?;
    // Its height is known all the same, and its colours follow.
    tab.wait_until("the height", "heard(0, 'resize').at(-1).height > 200", SOON).await?;
    tab.eval("send(0, { type: 'set', theme: 'dark', lang: 'ja' })", Vec::new()).await?;
    inside(tab, 0, "colours", "document.documentElement.dataset.theme", json!("dark")).await?;
    tab.eval("document.querySelector('iframe').scrollIntoView()", Vec::new()).await?;
    awake(tab, 0).await?;
    inside(tab, 0, "what was said before counts", "document.documentElement.lang", json!("ja")).await?;
    tab.eval("send(0, { type: 'play' })", Vec::new()).await?;
    let playing = "document.querySelector('.player .is-main').getAttribute('aria-label')";
    inside(tab, 0, "it plays", playing, json!("一時停止")).await?;
    tab.eval("scrollTo(0, 0)", Vec::new()).await?;
    inside(tab, 0, "and rests", playing, json!("再生")).await
}

/// An embed does not take the focus, scroll the article, add to its history or change its own address.
pub(crate) async fn the_article_stays_the_readers(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    tab.open_host("embed.html").await?;
    tab.focus("#before").await?;
    let entries = tab.value("history.length").await?;
    add(tab, &embed(lab, "ui=full", "guess=9"), json!({})).await?;
    awake(tab, 0).await?;
    tab.eval("send(0, { type: 'play' })", Vec::new()).await?;
    tab.idle(LATER).await;
    expect(tab, "the focus", "document.activeElement.id", "before").await?;
    expect(tab, "the place", "scrollY", 0).await?;
    tab.client().enter_frame(0).await?;
    let address = tab.value("location.href").await?;
    tab.set_value(".player input[type=range]", "60").await?;
    crate::journeys::bench::set_param(tab, lab, "scrape_interval", "4").await?;
    tab.idle(Duration::from_millis(1500)).await;
    expect(tab, "its address", "location.href", address).await?;
    let kept = "(() => { try { return localStorage.length + sessionStorage.length } catch { return 0 } })()";
    expect(tab, "nothing is kept", kept, 0).await?;
    tab.leave_frame().await?;
    expect(tab, "the history", "history.length", entries).await
}

/// The Tab key goes into an embed, through it and out again, both ways.
pub(crate) async fn tab_goes_through(tab: &mut Tab) -> Outcome {
    for ui in ["player", "figure"] {
        article(tab, &embed(herding()?, &format!("ui={ui}"), ""), json!({})).await?;
        if ui == "player" {
            awake(tab, 0).await?;
        }
        tab.focus("#before").await?;
        let there = tab.press_tab_until("#after", 40).await?;
        assert!(there.iter().any(|stop| stop.contains("Lab 0")), "{ui}: {there:?}");
        let back = tab.press_shift_tab_until("#before", 40).await?;
        assert!(back.iter().any(|stop| stop.contains("Lab 0")), "{ui}: {back:?}");
    }
    Ok(())
}

/// Keys that the lab does not use reach the page around: a slide show goes on.
pub(crate) async fn unused_keys_go_on(tab: &mut Tab) -> Outcome {
    article(tab, &embed(herding()?, "ui=player", ""), json!({})).await?;
    awake(tab, 0).await?;
    tab.client().enter_frame(0).await?;
    tab.click(".position").await?;
    tab.keys("\u{E00F}").await?; // Page Down
    tab.keys("\u{E014}").await?; // Arrow Right: the player's own
    tab.keys("\u{E00C}").await?; // Escape
    tab.leave_frame().await?;
    expect(tab, "the keys", "heard(0, 'key').map(one => one.key)", json!(["PageDown", "Escape"])).await
}
