//! How an embed begins: colours that are told early, late or never, and an application that may not run.

use serde_json::{Value, json};
use tokenyard_browser_tests::{Emulation, Failure, Outcome, Tab};
use tokenyard_lab::{Arg, LabSpec, msg};

use crate::journeys::bench::{SOON, collapsed, expect, herding, text_of, words};
use crate::journeys::element;
use crate::journeys::embed::{add, awake, embed, inside};

/// Colours of a frame: what it was told, and its ground and ink.
const COLOURS: &str = "(style => [document.documentElement.dataset.theme ?? 'system', style.backgroundColor,
    style.color])(getComputedStyle(document.body))";

/// Opens the article with a frame that nobody sees yet.
async fn unseen(tab: &mut Tab, before: &str, path: &str) -> Outcome {
    tab.open_host("embed.html").await?;
    tab.eval("gap()", Vec::new()).await?;
    tab.eval(before, Vec::new()).await?;
    add(tab, path, json!({})).await
}

/// Shows the frame, and waits until its application is there.
async fn wake(tab: &mut Tab) -> Outcome {
    tab.eval("document.querySelector('iframe').scrollIntoView()", Vec::new()).await?;
    awake(tab, 0).await
}

/// The colours of a frame whose address asks for them.
async fn asked(tab: &mut Tab, lab: &LabSpec, theme: &str) -> Result<Value, Failure> {
    unseen(tab, "", &embed(lab, &format!("ui=player&theme={theme}"), "")).await?;
    wake(tab).await?;
    tab.client().enter_frame(0).await?;
    let colours = tab.value(COLOURS).await?;
    tab.leave_frame().await?;
    assert_eq!(colours[0], theme, "{colours}");
    Ok(colours)
}

/// A host says its colours until it hears that the frame is ready, in answer to that, or when the
/// application is there; or it never does. Each time the frame has them before the application and keeps
/// them when that comes.
pub(crate) async fn themes_in_each_order(tab: &mut Tab) -> Outcome {
    const DARK: &str = "send(0, { type: 'set', theme: 'dark' })";
    let lab = herding()?;
    let (light, dark) = (asked(tab, lab, "light").await?, asked(tab, lab, "dark").await?);
    assert_ne!(light[1], dark[1]);
    let path = embed(lab, "ui=player", "");
    // From before there is a document until it has said that it listens.
    let early = format!(
        "const timer = setInterval(() => {{
            if (!document.querySelector('iframe')) return;
            {DARK};
            if (heard(0, 'ready').length > 0) clearInterval(timer);
        }}, 1)"
    );
    let answer =
        format!("addEventListener('message', ({{ data }}) => {{ if (data.type === 'ready') {DARK}; }})");
    for (what, before) in [("early", &early), ("in answer", &answer)] {
        unseen(tab, before, &path).await?;
        inside(tab, 0, &format!("{what}: before the application"), COLOURS, dark.clone()).await?;
        let asleep = "document.documentElement.dataset.ready ?? 'no'";
        inside(tab, 0, &format!("{what}: nothing runs"), asleep, json!("no")).await?;
        wake(tab).await?;
        inside(tab, 0, &format!("{what}: with the application"), COLOURS, dark.clone()).await?;
    }
    // Over what the address asked for, and back to the reader's own.
    unseen(tab, "", &embed(lab, "ui=player&theme=light", "")).await?;
    wake(tab).await?;
    inside(tab, 0, "by the address", COLOURS, light.clone()).await?;
    tab.eval(DARK, Vec::new()).await?;
    inside(tab, 0, "late", COLOURS, dark.clone()).await?;
    // Never: the reader's own, while they change, on a ground of their own.
    unseen(tab, "", &path).await?;
    wake(tab).await?;
    for is_dark in [true, false] {
        tab.emulate(Emulation { dark: is_dark, reduced_motion: false }).await?;
        let own = if is_dark { &dark } else { &light };
        inside(tab, 0, "never", COLOURS, json!(["system", own[1], own[2]])).await?;
    }
    tab.eval("send(0, { type: 'set', theme: 'system' })", Vec::new()).await?;
    expect(tab, "nobody was refused", "heard(0, 'error').length", 0).await?;
    tab.expect_clean().await
}

/// Where the page's own policy does not allow WebAssembly, the first frame stays, with one line that says
/// so and the way out; the page around hears of it, by itself and through the element.
pub(crate) async fn without_webassembly_the_figure_stays(tab: &mut Tab) -> Outcome {
    let policy = "script-src 'self' 'unsafe-inline'".to_owned();
    tab.remount(|options| options.extra_headers.push(("Content-Security-Policy".to_owned(), policy)))?;
    let lab = herding()?;
    for ui in ["lab", "player"] {
        tab.open_host("embed.html").await?;
        let path = embed(lab, &format!("ui={ui}"), "");
        add(tab, &path, json!({})).await?;
        tab.wait_until("it says so", "heard(0, 'error').length > 0", SOON).await?;
        let words = words(tab, &path, "en")?;
        let line = words.say(&msg("error.load").with("why", Arg::Key("error.no-wasm".to_owned())));
        let told = "heard(0, 'error').map(one => one.message.trim())";
        expect(tab, "it is told once", told, json!([line])).await?;
        tab.client().enter_frame(0).await?;
        expect_first_frame(tab, lab, ui, &line, &words.say(&opening(lab))).await?;
        tab.leave_frame().await?;
    }
    element::article(tab, &[]).await?;
    element::add(tab, "one", json!({ "lab": lab.id, "loading": "eager" })).await?;
    expect(tab, "the element hears it", "heard('one', 'error').length", 1).await?;
    element::inside(tab, "one", "the line", "document.getElementById('broken').checkVisibility()", true)
        .await?;
    let uncovered = "[frame('one').inert, part('one', '.front p') === null]";
    expect(tab, "and does not stand before it", uncovered, json!([false, true])).await
}

/// The sentence of the step with which a lab opens.
fn opening(lab: &LabSpec) -> tokenyard_lab::Msg {
    let run = lab.run(&lab.defaults());
    run.say(run.moments().first().map_or(0, |moment| moment.step))
}

async fn expect_first_frame(tab: &Tab, lab: &LabSpec, ui: &str, line: &str, sentence: &str) -> Outcome {
    let doing = format!("{} {ui}", lab.id);
    let lines = "[...document.querySelectorAll('#broken p')].filter(one => one.checkVisibility())
        .map(one => one.textContent.trim())";
    expect(tab, &doing, lines, json!([line])).await?;
    expect(tab, &doing, &text_of(".stage .say"), collapsed(sentence)).await?;
    let seen = "[document.querySelector('.scene > *').getBoundingClientRect().height > 40,
        document.querySelector('.embed-open').checkVisibility(),
        document.documentElement.dataset.ready ?? 'no', document.documentElement.dataset.ui]";
    expect(tab, &doing, seen, json!([true, true, "no", ui])).await
}
