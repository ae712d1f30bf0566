//! On paper: charts as drawings in the colours of paper, whatever the screen shows.

use serde_json::json;
use tokenyard_browser_tests::{Emulation, Outcome, Tab};
use tokenyard_lab::labs::LABS;

use crate::journeys::bench::{SOON, expect, files, guessed, open, open_lab};

/// Looks at the page at the moment at which the browser takes it for printing, behind the page's
/// own listener: of each chart the ground of its drawing, and whether there is anything on it.
pub(crate) const LOOK: &str = "window.taken = [];
    addEventListener('beforeprint', () => window.taken.push([...document.querySelectorAll('.chart')].map(chart => {
        const drawing = chart.querySelector('.paper:not([hidden])');
        const pixels = drawing?.getContext('2d').getImageData(0, 0, drawing.width, drawing.height).data ?? [];
        return [Array.from(pixels.slice(0, 4)).join(), pixels.some((value, i) => i % 4 === 0 && value < 100)];
    })));";

/// Drawings that are still there after printing.
const LEFT: &str =
    "[...document.querySelectorAll('.paper')].filter(one => !one.hidden || one.width > 0).length";

/// Prints, where the driver can; elsewhere the page is told what a browser tells it.
pub(crate) async fn print(tab: &mut Tab) -> Outcome {
    if tab.engine().prints() {
        let pdf = tab.print().await?;
        assert!(pdf.starts_with(b"%PDF-"), "{} bytes that are no PDF", pdf.len());
        return Ok(());
    }
    for event in ["beforeprint", "afterprint"] {
        tab.eval("dispatchEvent(new Event(arguments[0]))", vec![event.into()]).await?;
    }
    Ok(())
}

pub(crate) async fn charts_are_drawn_for_paper(tab: &mut Tab) -> Outcome {
    tab.emulate(Emulation { dark: true, reduced_motion: false }).await?;
    for lab in LABS {
        open_lab(tab, lab, &guessed(lab)).await?;
        tab.eval(LOOK, Vec::new()).await?;
        print(tab).await?;
        let charts = lab.run(&lab.defaults()).figures(0).len();
        // Each chart has its drawing, dark on white although the screen is dark.
        let wanted = json!([vec![json!(["255,255,255,255", true]); charts]]);
        expect(tab, lab.id, "window.taken", wanted).await?;
        expect(tab, "nothing is left of it", LEFT, 0).await?;
    }
    tab.expect_clean().await
}

/// A drawing is that of its chart at this step, in the page's language.
pub(crate) async fn a_drawing_follows_step_and_language(tab: &mut Tab) -> Outcome {
    let drawn = "(chart => { dispatchEvent(new Event('beforeprint'));
        const drawing = chart.querySelector('.paper').toDataURL();
        dispatchEvent(new Event('afterprint')); return drawing; })(document.querySelector('.chart'))";
    let mut moved = 0;
    for lab in LABS {
        open_lab(tab, lab, &format!("{}&step=2", guessed(lab))).await?;
        let first = tab.value(drawn).await?;
        let differs = format!("{drawn} !== {first}");
        tab.click("button[lang=ja]").await?;
        tab.wait_until("other words", &differs, SOON).await?;
        tab.click("button[lang=en]").await?;
        expect(tab, "the same again", drawn, first.clone()).await?;
        let run = lab.run(&lab.defaults());
        let [here, there] = [1, 2].map(|step| run.figures(step).into_iter().next());
        if here != there {
            moved += 1;
            tab.focus(".player").await?;
            tab.keys("ArrowRight").await?;
            tab.wait_until("another step", &differs, SOON).await?;
        }
    }
    assert!(moved > 1, "{moved} charts follow the player");
    Ok(())
}

/// What is seen of the page with the style sheet's rules for paper, in Chromium, which can show
/// them on the screen.
pub(crate) async fn paper_has_its_own_colours(tab: &mut Tab) -> Outcome {
    tab.emulate(Emulation { dark: true, reduced_motion: false }).await?;
    for lab in LABS {
        open_lab(tab, lab, &guessed(lab)).await?;
        tab.eval("dispatchEvent(new Event('beforeprint'))", Vec::new()).await?;
        let print = json!({ "media": "print", "features": [] });
        tab.devtools("Emulation.setEmulatedMedia", print).await?;
        let seen = tab.value(COLOURS).await;
        tab.emulate(Emulation { dark: true, reduced_motion: false }).await?;
        assert_eq!(seen?, wanted(), "{}", lab.id);
        // On the screen the canvas is back and the drawing is not seen.
        expect(tab, lab.id, "getComputedStyle(document.querySelector('.paper')).display", "none").await?;
        expect(tab, lab.id, "document.querySelector('.picture canvas').checkVisibility()", true).await?;
    }
    Ok(())
}

/// Whether the screen's picture is seen, whether the drawing is as wide as its chart and keeps its
/// shape, and the colours of paper and ink.
const COLOURS: &str = "(chart => {
    const drawing = chart.querySelector('.paper');
    const box = drawing.getBoundingClientRect();
    const shape = Math.abs(box.width / box.height - drawing.width / drawing.height) < 0.05;
    const body = getComputedStyle(document.body);
    return [chart.querySelector('.picture').checkVisibility(), box.width > 0.8 * chart.clientWidth, shape,
        body.backgroundColor, body.color];
})(document.querySelector('.chart'))";

/// White paper and dark ink, as the tokens for print say.
fn wanted() -> serde_json::Value {
    json!([false, true, true, "rgb(255, 255, 255)", "rgb(27, 30, 36)"])
}

pub(crate) async fn pages_print(tab: &mut Tab) -> Outcome {
    for path in files() {
        open(tab, &path).await?;
        let pdf = tab.print().await?;
        assert!(pdf.starts_with(b"%PDF-"), "{path}: {} bytes that are no PDF", pdf.len());
        assert!(pdf.len() > 20_000, "{path}: {} bytes are not a page with a figure", pdf.len());
    }
    for lab in LABS {
        open_lab(tab, lab, "").await?;
        tab.print().await?;
        let steps = lab.run(&lab.defaults()).steps();
        expect(tab, "the transcript is printed", "document.querySelectorAll('.transcript li').length", steps)
            .await?;
    }
    tab.expect_clean().await
}
