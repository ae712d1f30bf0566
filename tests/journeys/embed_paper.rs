//! Embeds on paper: by themselves, and in frames of an article.

use serde_json::json;
use tokenyard_browser_tests::{Emulation, Failure, Outcome, Printed, Tab};
use tokenyard_lab::labs::LABS;

use crate::journeys::bench::{expect, ready, text_of};
use crate::journeys::embed::{add, awake, embed};
use crate::journeys::paper::{LOOK, print};

/// What is said under the scene: the sentence of the step that is shown.
async fn sentence(tab: &Tab) -> Result<String, Failure> {
    let said = tab.value(&text_of(".stage .say")).await?;
    let said = said.as_str().unwrap_or_default();
    if said.len() > 20 { Ok(said.to_owned()) } else { Err(format!("no sentence: {said:?}").into()) }
}

/// A frame's page by itself, in each shape: title and sentence, whether the application runs or not and
/// whatever the colours are.
pub(crate) async fn it_prints_its_text(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        for (query, runs) in [("ui=figure", false), ("ui=player&theme=dark", true), ("ui=full", true)] {
            tab.open_fresh(&embed(lab, query, "")).await?;
            if runs {
                ready(tab).await?;
            }
            let doing = format!("{} {query}", lab.id);
            let printed = Printed::read(&tab.print().await?)?;
            let title = tab.value(&text_of("h1")).await?;
            printed.expect(&doing, title.as_str().unwrap_or_default())?;
            printed.expect(&doing, &sentence(tab).await?)?;
            assert!(!printed.has("What nobody has written on any page"), "{doing}");
        }
    }
    tab.expect_clean().await
}

/// An article prints the labs in its frames with their sentences, each at its own step.
pub(crate) async fn frames_print_in_their_article(tab: &mut Tab) -> Outcome {
    tab.open_host("embed.html").await?;
    let labs = [
        (&LABS[0], "ui=player", "step=3"),
        (&LABS[1], "ui=player&theme=dark", ""),
        (&LABS[2], "ui=figure", ""),
    ];
    let mut sentences = Vec::new();
    for (at, (lab, query, state)) in (0..).zip(labs) {
        add(tab, &embed(lab, query, state), json!({})).await?;
        let to = "document.querySelectorAll('iframe')[arguments[0]].scrollIntoView()";
        tab.eval(to, vec![json!(at)]).await?;
        if !query.contains("figure") {
            awake(tab, at).await?;
        }
        tab.client().enter_frame(at).await?;
        sentences.push(sentence(tab).await?);
        tab.leave_frame().await?;
    }
    let printed = Printed::read(&tab.print().await?)?;
    printed.expect("the article", "An article")?;
    for sentence in &sentences {
        printed.expect("a frame", sentence)?;
    }
    tab.expect_clean().await
}

/// Puts the style sheets' rules for paper in force on the screen and those for the screen out of it, in any
/// engine.
const ON_PAPER: &str = "let count = 0;
    for (const sheet of document.styleSheets) for (const rule of sheet.cssRules) {
        if (!(rule instanceof CSSMediaRule)) continue;
        const media = rule.media.mediaText;
        if (media === 'print') { rule.media.mediaText = 'all'; count++; }
        else if (media.startsWith('screen')) rule.media.mediaText = 'not all';
    }
    return count;";

/// What can be pressed or set and is seen; words of the glossary are text.
const CONTROLS: &str =
    "[...document.querySelectorAll('#app :is(button:not(.term-name), input, select, textarea)')]
    .filter(one => one.checkVisibility()).map(one => one.outerHTML.slice(0, 80))";

/// By the rules for paper a lab is dark on white, whatever was asked for, with its scene and its sentence
/// and nothing that a reader of paper could press.
pub(crate) async fn paper_has_nothing_to_press(tab: &mut Tab) -> Outcome {
    tab.emulate(Emulation { dark: true, reduced_motion: false }).await?;
    for lab in LABS {
        for query in ["ui=full", "ui=lab&theme=dark", "ui=player&theme=dark"] {
            let doing = format!("{} {query}", lab.id);
            tab.open_fresh(&embed(lab, query, "")).await?;
            ready(tab).await?;
            let before = tab.value(CONTROLS).await?;
            assert!(before.as_array().is_some_and(|all| !all.is_empty()), "{doing}: {before}");
            let rules = tab.eval(ON_PAPER, Vec::new()).await?;
            assert!(rules.as_u64().is_some_and(|count| count > 2), "{doing}: {rules} rules for paper");
            expect(tab, &doing, CONTROLS, json!([])).await?;
            let seen =
                "['.scene', '.stage .say', 'h1'].map(one => document.querySelector(one).checkVisibility())";
            expect(tab, &doing, seen, json!([true, true, true])).await?;
            let colours =
                "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]";
            expect(tab, &doing, colours, json!(["rgb(27, 30, 36)", "rgb(255, 255, 255)"])).await?;
        }
    }
    Ok(())
}

/// Charts of an embed become drawings in the colours of paper, as on the lab's own page.
pub(crate) async fn charts_are_drawn_for_paper(tab: &mut Tab) -> Outcome {
    tab.emulate(Emulation { dark: true, reduced_motion: false }).await?;
    for lab in LABS {
        tab.open_fresh(&embed(lab, "ui=lab&theme=dark", "")).await?;
        ready(tab).await?;
        tab.eval(LOOK, Vec::new()).await?;
        print(tab).await?;
        let charts = lab.run(&lab.defaults()).figures(0).len();
        let wanted = json!([vec![json!(["255,255,255,255", true]); charts]]);
        expect(tab, lab.id, "window.taken", wanted).await?;
    }
    tab.expect_clean().await
}
