//! The generated language whose words are about twice as long, in real browsers: what fits here
//! has room for a translation.

use std::time::Duration;

use serde_json::{Map, Value};
use tokenyard_browser_tests::{Outcome, Tab};
use tokenyard_lab::labs::LABS;
use tokenyard_lab::{Words, pseudo};

use crate::journeys::access::{expect_fits, unfold};
use crate::journeys::bench::{HOME, expect, expect_step, file, guessed, open, ready, words};
use crate::journeys::copy::{pages, serve};

/// A page's file that also speaks the long language, made of its English words.
fn lengthened(page: &str) -> String {
    let Some((before, rest)) = page.split_once("id=\"words\">") else { return page.to_owned() };
    let (text, after) = rest.split_once("</script>").unwrap_or((rest, ""));
    let Ok(Value::Object(mut languages)) = serde_json::from_str(text) else { return page.to_owned() };
    let english = languages.get("en").and_then(Value::as_object).cloned().unwrap_or_default();
    let english: Words =
        english.into_iter().filter_map(|(key, text)| Some((key, text.as_str()?.to_owned()))).collect();
    let long = pseudo::long(&english);
    let map: Map<String, Value> = long.keys().map(|key| (key.to_owned(), long.get(key).into())).collect();
    languages.insert(pseudo::LANGUAGE.to_owned(), Value::Object(map));
    let text = Value::Object(languages).to_string().replace('<', "\\u003c");
    format!("{before}id=\"words\">{text}</script>{after}")
}

/// Controls and their words that are cut off or reach out of their box. Lists cut long options
/// themselves, with a sign that they do, and unfold them whole.
const CLIPPED: &str =
    "[...document.querySelectorAll('button, summary, label, legend, .button, th, .card-title, \
    .segments button, .knob-name, .head a, .foot a, .lab-card')]
    .filter(node => node.checkVisibility({ visibilityProperty: true }) && node.clientWidth > 1)
    .filter(node => !node.closest('.visually-hidden'))
    .filter(node => node.scrollWidth > node.clientWidth + 1 || (node.scrollHeight > node.clientHeight + 2
        && ['hidden', 'clip'].includes(getComputedStyle(node).overflowY)))
    .map(node => `${node.scrollWidth} in ${node.clientWidth}: ${node.outerHTML.slice(0, 160)}`)";

/// Notes what does not fit on the open page, in the language that it should be in.
async fn look(tab: &Tab, doing: &str, complaints: &mut Vec<String>) -> Outcome {
    expect(tab, "the language", "document.documentElement.lang", pseudo::LANGUAGE).await?;
    tab.idle(Duration::from_millis(60)).await;
    expect_fits(tab, doing, complaints).await?;
    let clipped = tab.value(CLIPPED).await?;
    let lines = clipped.as_array().into_iter().flatten().filter_map(Value::as_str);
    complaints.extend(lines.map(|line| format!("{doing}: {line}")));
    Ok(())
}

/// The measure itself: it must see a button that is too narrow for its words.
async fn expect_measure(tab: &Tab) -> Outcome {
    let squeeze = "const button = document.querySelector('.knob-actions button');
        Object.assign(button.style, { inlineSize: '24px', whiteSpace: 'nowrap', padding: '0' });";
    tab.eval(squeeze, Vec::new()).await?;
    expect(tab, "a button that is cut off is seen", &format!("{CLIPPED}.length > 0"), true).await
}

fn verdict(complaints: Vec<String>) -> Outcome {
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n").into()) }
}

pub(crate) async fn words_twice_as_long_fit_a_phone(tab: &mut Tab) -> Outcome {
    serve(tab, pages(lengthened))?;
    let mut complaints = Vec::new();
    for lab in LABS {
        let path = format!("{}?lang={}#{}", file(lab), pseudo::LANGUAGE, guessed(lab));
        tab.in_frame(320, &path).await?;
        ready(tab).await?;
        look(tab, &format!("{} on a phone", lab.id), &mut complaints).await?;
        unfold(tab).await?;
        look(tab, &format!("{} on a phone, unfolded", lab.id), &mut complaints).await?;
    }
    expect_measure(tab).await?;
    verdict(complaints)
}

pub(crate) async fn words_twice_as_long_fit_a_window(tab: &mut Tab) -> Outcome {
    serve(tab, pages(lengthened))?;
    let mut complaints = Vec::new();
    open(tab, &format!("{HOME}?lang={}", pseudo::LANGUAGE)).await?;
    look(tab, HOME, &mut complaints).await?;
    for lab in LABS {
        // The question first, then everything behind it.
        open(tab, &format!("{}?lang={}", file(lab), pseudo::LANGUAGE)).await?;
        look(tab, lab.id, &mut complaints).await?;
        open(tab, &format!("{}?lang={}#{}", file(lab), pseudo::LANGUAGE, guessed(lab))).await?;
        unfold(tab).await?;
        look(tab, &format!("{} unfolded", lab.id), &mut complaints).await?;
        // It is the long language that was looked at, not English under another name.
        let (long, setup) = (words(tab, &file(lab), pseudo::LANGUAGE)?, lab.defaults());
        let step = lab.run(&setup).moments().first().map_or(0, |moment| moment.step);
        expect_step(tab, lab, &setup, &long, step).await?;
    }
    expect_measure(tab).await?;
    verdict(complaints)
}
