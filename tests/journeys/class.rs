//! A lesson before a class: keys, the second window, codes.

use serde_json::json;
use tokenyard_browser_tests::{By, Engine, Failure, Outcome, Tab};
use tokenyard_lab::labs::LABS;
use tokenyard_lab::luck::SEEDS;
use tokenyard_lesson::{Lesson, Question, code};

use crate::journeys::bench::{SOON, TEACH, expect, open_lab, ready, text_of, words};
use crate::journeys::fleet::open_fleet;
use crate::journeys::teach::{
    FLEET_FRAME, Ground, a_task_on, first, lessons, of_lab, open_afresh, open_at, open_on, said,
};

const PAGE_DOWN: &str = "\u{e00f}";
const PAGE_UP: &str = "\u{e00e}";
const HOME: &str = "\u{e011}";
const END: &str = "\u{e010}";
const ESCAPE: &str = "\u{e00c}";

const TITLE: &str = "#present-title";

async fn expect_place(tab: &Tab, lesson: &Lesson, at: usize) -> Outcome {
    expect_place_in(tab, lesson, at, "en").await
}

async fn expect_place_in(tab: &Tab, lesson: &Lesson, at: usize, lang: &str) -> Outcome {
    let step = &lesson.steps[at];
    let title = said(lesson, &step.title, lang, &of_lab(tab, step, lang)?);
    expect(tab, "the step", &text_of(TITLE), title).await
}

/// The window that is not this one, as soon as it is there.
async fn other_window(tab: &Tab) -> Result<fantoccini::wd::WindowHandle, Failure> {
    let own = tab.client().window().await?;
    for _ in 0..200 {
        let all = tab.client().windows().await?;
        if let Some(other) = all.into_iter().find(|window| *window != own) {
            return Ok(other);
        }
        tab.idle(std::time::Duration::from_millis(50)).await;
    }
    Err("no second window".into())
}

pub(crate) async fn keys_uncover_step_by_step(tab: &mut Tab) -> Outcome {
    keys_on(tab, Ground::Site).await
}

async fn keys_on(tab: &mut Tab, ground: Ground) -> Outcome {
    let lesson = lessons()?.remove(0);
    open_afresh(tab, ground, "en", "lesson=tour&view=present").await?;
    expect_place(tab, &lesson, 0).await?;
    // Nothing of an answer is there before its key, and nothing of one that a later step asks for.
    assert_eq!(lesson.asked_later(0), Some(1));
    expect(tab, "covered ahead", "document.querySelectorAll('.present-lab .is-covered').length", 1).await?;
    tab.keys(PAGE_DOWN).await?;
    expect_place(tab, &lesson, 1).await?;
    let answer = "document.querySelector('.present-answer').textContent";
    expect(tab, "covered", answer, "").await?;
    assert!(!tab.value(&text_of(".present")).await?.as_str().unwrap_or_default().contains("It is "));
    tab.keys(PAGE_DOWN).await?;
    let right = tokenyard_lesson::Facts::of(&lesson).outcome(1);
    let right = right.ok_or("an answer")?;
    expect(tab, "the answer", answer, format!("It is {right}.")).await?;
    expect(tab, "and no more", "document.querySelectorAll('.present-reveal p').length", 0).await?;
    tab.keys(PAGE_DOWN).await?;
    expect(tab, "a paragraph", "document.querySelectorAll('.present-reveal p').length", 1).await?;
    tab.keys(PAGE_UP).await?;
    expect(tab, "hidden again", "document.querySelectorAll('.present-reveal p').length", 0).await?;
    // Black, and the next press only brings it back.
    let black = "!document.querySelector('.present-black').hidden";
    tab.keys("b").await?;
    expect(tab, "black", black, true).await?;
    tab.keys("?").await?;
    expect(tab, "back by any key", black, false).await?;
    assert!(!tab.has(".present-help:not([hidden])").await?);
    tab.keys("b").await?;
    expect(tab, "black again", black, true).await?;
    tab.keys(PAGE_DOWN).await?;
    expect(tab, "back", black, false).await?;
    expect(tab, "nothing was uncovered by it", "document.querySelectorAll('.present-reveal p').length", 0)
        .await?;
    tab.keys("p").await?;
    tab.wait_until("it plays", "document.querySelector('.player .is-main').title === 'Pause'", SOON).await?;
    tab.keys("p").await?;
    tab.keys(END).await?;
    expect_place(tab, &lesson, lesson.steps.len() - 1).await?;
    tab.keys(HOME).await?;
    expect_place(tab, &lesson, 0).await?;
    // The other language and back, in the middle of it.
    tab.keys("l").await?;
    expect_place_in(tab, &lesson, 0, "ja").await?;
    tab.keys("l").await?;
    expect_place(tab, &lesson, 0).await?;
    tab.keys(ESCAPE).await?;
    tab.wait_until("left", "document.querySelector('.teach-step') !== null", SOON).await?;
    tab.expect_clean().await
}

pub(crate) async fn a_second_window_has_notes_and_keys(tab: &mut Tab) -> Outcome {
    notes_on(tab, Ground::Site).await
}

async fn notes_on(tab: &mut Tab, ground: Ground) -> Outcome {
    let lesson = lessons()?.remove(0);
    open_afresh(tab, ground, "en", "lesson=tour&step=2&view=present").await?;
    expect_place(tab, &lesson, 1).await?;
    tab.keys("n").await?;
    let (own, notes) = (tab.client().window().await?, other_window(tab).await?);
    tab.client().switch_to_window(notes.clone()).await?;
    let note = said(
        &lesson,
        lesson.steps[1].notes.as_ref().ok_or("notes")?,
        "en",
        &of_lab(tab, &lesson.steps[1], "en")?,
    );
    let shown = "document.querySelector('#notes-body')?.textContent.replace(/\\s+/g, ' ') ?? ''";
    let start: String = note.chars().take(60).collect();
    tab.wait_until("the notes", &format!("({shown}).includes({})", json!(start)), SOON).await?;
    // Asked at once: the clock is drawn anew every second.
    expect(tab, "the clock", "document.querySelector('#notes-clock strong') !== null", true).await?;
    tab.client().find(fantoccini::Locator::Css("[data-do=next]")).await?.click().await?;
    tab.client().switch_to_window(own.clone()).await?;
    let answer = "document.querySelector('.present-answer').textContent !== ''";
    expect(tab, "the other window's button", answer, true).await?;
    // Losing the window loses nothing, and it can be had again.
    tab.client().switch_to_window(notes).await?;
    tab.client().close_window().await?;
    tab.client().switch_to_window(own.clone()).await?;
    expect_place(tab, &lesson, 1).await?;
    // As a hand that comes back to this window does: an engine leaves the focus where the other one was.
    tab.click(TITLE).await?;
    tab.keys(END).await?;
    expect_place(tab, &lesson, lesson.steps.len() - 1).await?;
    tab.keys("n").await?;
    let again = other_window(tab).await?;
    tab.client().switch_to_window(again).await?;
    tab.client().close_window().await?;
    tab.client().switch_to_window(own).await?;
    // So does leaving the page.
    let clock = tab.value("localStorage.getItem('tokenyard.present.tour')").await?;
    assert!(clock.as_str().is_some_and(|kept| kept.contains("began")), "{clock}");
    tab.client().goto("about:blank").await?;
    open_on(tab, ground, "en", "lesson=tour&view=present").await?;
    expect_place(tab, &lesson, lesson.steps.len() - 1).await?;
    tab.expect_clean().await
}

pub(crate) async fn any_lab_is_presented(tab: &mut Tab) -> Outcome {
    for lab in LABS {
        open_lab(tab, lab, "").await?;
        tab.click(".lab-actions a").await?;
        tab.wait_until("before a class", "document.querySelector('.present') !== null", SOON).await?;
        ready(tab).await?;
        let own = words(tab, &crate::journeys::bench::file(lab), "en")?;
        expect(tab, lab.id, &text_of(TITLE), own.get("title")).await?;
        tab.keys(PAGE_DOWN).await?;
        tab.wait_until("its answer", "document.querySelector('.present-answer').textContent !== ''", SOON)
            .await?;
        tab.keys(PAGE_DOWN).await?;
        let why = crate::journeys::bench::collapsed(own.get("predict.why"));
        expect(tab, lab.id, &text_of(".present-reveal"), why).await?;
    }
    tab.expect_clean().await
}

/// The fleet page in its state, from its own button, with a lab after it: a clicker works in its frame, too.
pub(crate) async fn the_fleet_is_presented(tab: &mut Tab) -> Outcome {
    open_fleet(tab, "fleet.replicas=6").await?;
    let link =
        tab.value("document.querySelector('.lab-actions a').getAttribute('href').split('#')[1]").await?;
    assert_eq!(link, "view=present&states=fleet&fleet.replicas=6");
    let (lab, own) = (&LABS[0], words(tab, TEACH, "en")?);
    open_at(tab, "en", &format!("view=present&states=fleet&fleet.replicas=6;lab={}", lab.id)).await?;
    expect(tab, "the fleet", &text_of(TITLE), own.get("teach.fleet")).await?;
    tab.wait_until("its page", FLEET_FRAME, SOON).await?;
    let replicas =
        "document.querySelector('.teach-fleet iframe').contentDocument.querySelectorAll('.lane')[0]
        ?.querySelectorAll('.pod').length";
    expect(tab, "its replicas", replicas, 6).await?;
    let head = "document.querySelector('.teach-fleet iframe').contentDocument.querySelector('.head').checkVisibility()";
    expect(tab, "no second head", head, false).await?;
    tab.eval("document.querySelector('.teach-fleet iframe').contentWindow.focus()", Vec::new()).await?;
    tab.keys(PAGE_DOWN).await?;
    let title = words(tab, &crate::journeys::bench::file(lab), "en")?;
    expect(tab, "the lab after it", &text_of(TITLE), title.get("title")).await?;
    tab.expect_clean().await
}

/// So many codes of a question, guesses in turn.
pub(crate) fn codes(question: &Question, count: u32) -> Vec<code::Code> {
    let of = |i: u32| code::guess(question, i % question.guesses(), i.wrapping_mul(0x9E37_79B1));
    (0..count).filter_map(of).collect()
}

/// Puts text of several lines into a field at once: a driver that types may send the form at each line.
async fn put(tab: &Tab, field: &str, text: &str) -> Outcome {
    let script = "const field = document.querySelector(arguments[0]); field.value = arguments[1];
        field.dispatchEvent(new Event('input', { bubbles: true }));";
    tab.eval(script, vec![json!(field), json!(text)]).await.map(drop)
}

pub(crate) async fn codes_make_a_histogram(tab: &mut Tab) -> Outcome {
    codes_on(tab, Ground::Site).await
}

async fn codes_on(tab: &mut Tab, ground: Ground) -> Outcome {
    let (lesson, at) = first(|step| step.predict.is_some())?;
    let question = Question::of_step(&lesson, at).ok_or("a question")?;
    open_afresh(tab, ground, "en", &format!("lesson={}&step={}&view=present", lesson.id, at + 1)).await?;
    tab.keys("c").await?;
    let class: Vec<String> = codes(&question, 200).iter().map(code::Code::write).collect();
    let counted = &text_of(".collect-count");
    tab.fill(".collect textarea", &class[0]).await?;
    tab.click(".collect button.is-primary").await?;
    expect(tab, "one by hand", counted, "1 learner").await?;
    // A whole chat at once, with names and greetings, mistyped, repeated and foreign.
    let mut wrong: Vec<char> = class[5].chars().collect();
    wrong[0] = if wrong[0] == 'Z' { 'Y' } else { 'Z' };
    let foreign = code::guess(&Question { name: "elsewhere/step".to_owned(), ..question.clone() }, 0, 7);
    let foreign = foreign.ok_or("a code")?.write();
    let chat: String =
        class.iter().enumerate().map(|(i, code)| format!("Ann {i}: hello, {code}\n")).collect();
    let chat = format!("{chat}\n{}\n{foreign}\n", wrong.iter().collect::<String>());
    put(tab, ".collect textarea", &chat).await?;
    tab.eval("document.querySelector('.collect button.is-primary').click()", Vec::new()).await?;
    expect(tab, "the class", counted, "200 learners").await?;
    let refused = tab.texts(".refused-list li").await?.join("\n");
    assert!(refused.contains(&foreign) && refused.contains("Mistyped"), "{refused}");
    // No answer before its key, and then the guesses with it.
    assert!(!tab.has(".present-answer:not(:empty)").await?);
    tab.keys(ESCAPE).await?;
    tab.eval("document.activeElement.blur()", Vec::new()).await?;
    tab.keys(PAGE_DOWN).await?;
    tab.wait_until("bars", "document.querySelector('.present-question svg') !== null", SOON).await?;
    let sum = "[...document.querySelectorAll('.present-question table tbody tr')]
        .reduce((sum, row) => sum + Number(row.cells[1].textContent), 0)";
    expect(tab, "every guess is in a bar", sum, 200).await?;
    // What was collected stays when the page is loaded anew.
    tab.reload().await?;
    ready(tab).await?;
    expect(tab, "still there", counted, "200 learners").await?;
    tab.expect_clean().await
}

pub(crate) async fn finished_tasks_are_verified(tab: &mut Tab) -> Outcome {
    verified_on(tab, Ground::Site).await
}

async fn verified_on(tab: &mut Tab, ground: Ground) -> Outcome {
    let (lesson, at) = first(|step| step.task.is_some())?;
    let id = &lesson.steps[at].id;
    open_afresh(tab, ground, "en", &format!("lesson={}&step={}&view=present", lesson.id, at + 1)).await?;
    tab.keys("c").await?;
    let outcome = code::Finished { changes: 2, passes: Some(197) };
    let good = code::finished(&lesson, id, "heron", outcome).write();
    let lines = format!("heron {good}\nsparrow {good}\nowl 0000-0000-0001");
    put(tab, ".verify textarea", &lines).await?;
    tab.wait_until(
        "an answer for each line",
        "document.querySelectorAll('.verify li, .verify tbody tr').length === 3",
        SOON,
    )
    .await?;
    let said = tab.texts(".verify li, .verify tbody tr").await?;
    assert!(said[0].contains("197"), "{said:?}");
    let own = words(tab, TEACH, "en")?;
    assert!(said[1].contains(own.get("code.word")), "{said:?}");
    tab.expect_clean().await
}

/// Codes are collected without a pointer.
pub(crate) async fn codes_by_keyboard_alone(tab: &mut Tab) -> Outcome {
    const ENTER: &str = "\u{e007}";
    let (lesson, at) = first(|step| step.predict.is_some())?;
    let question = Question::of_step(&lesson, at).ok_or("a question")?;
    open_afresh(tab, Ground::Site, "en", &format!("lesson={}&step={}&view=present", lesson.id, at + 1))
        .await?;
    tab.keys("c").await?;
    tab.press_tab_until(".collect textarea", 60).await?;
    let code = codes(&question, 1).first().map(code::Code::write).ok_or("a code")?;
    // A field keeps every key: letters of a code do nothing to the class.
    tab.keys(&code.chars().map(String::from).collect::<Vec<_>>().join(" ")).await?;
    tab.press_tab_until(".collect button.is-primary", 10).await?;
    tab.keys(ENTER).await?;
    expect(tab, "it counts", &text_of(".collect-count"), "1 learner").await?;
    expect_place(tab, &lesson, at).await?;
    tab.keys(ESCAPE).await?;
    expect(tab, "the codes are folded", "document.querySelector('.present-codes').hidden", true).await?;
    tab.expect_clean().await
}

/// A task is tried, a hint asked for and a finished one verified without a pointer.
pub(crate) async fn a_task_by_keyboard_alone(tab: &mut Tab) -> Outcome {
    const ENTER: &str = "\u{e007}";
    let (lesson, at) = first(|step| step.task.as_ref().is_some_and(|task| !task.pinned))?;
    let own = words(tab, TEACH, "en")?;
    open_afresh(tab, Ground::Site, "en", &format!("lesson={}&step={}", lesson.id, at + 1)).await?;
    tab.press_tab_until(By::Text(&own.fill_key("teach.try", &[("n", SEEDS.into())])), 120).await?;
    tab.keys(ENTER).await?;
    tab.wait_until("a verdict", "document.querySelector('.teach-verdict').textContent !== ''", SOON).await?;
    let hint = own.fill_key("teach.hint", &[("n", 1_u32.into()), ("of", 3_u32.into())]);
    tab.press_tab_until(By::Text(&hint), 20).await?;
    tab.keys(ENTER).await?;
    tab.wait_until("a hint", "document.querySelector('.teach-hints li') !== null", SOON).await?;
    open_at(tab, "en", &format!("lesson={}&step={}&view=present", lesson.id, at + 1)).await?;
    tab.keys("c").await?;
    tab.press_tab_until(".verify textarea", 60).await?;
    tab.keys("o w l Space 0 0 0 0 - 0 0 0 0 - 0 0 0 1").await?;
    tab.wait_until("its answer", "document.querySelector('.verify li, .verify tbody tr') !== null", SOON)
        .await?;
    // Escape folds the codes, also out of a field.
    tab.keys(ESCAPE).await?;
    expect(tab, "the codes are folded", "document.querySelector('.present-codes').hidden", true).await?;
    tab.expect_clean().await
}

/// 4:3 of 1024 by 768, as old projectors have it, and what is wider: words and lab side by side, without
/// scrolling the page.
pub(crate) async fn projectors_of_every_shape(tab: &mut Tab) -> Outcome {
    for (width, height) in [(1024, 768), (1280, 960), (1280, 720)] {
        tab.resize(width, height).await?;
        // Where the class was a moment ago is remembered.
        open_afresh(tab, Ground::Site, "en", "lesson=tour&step=2&view=present").await?;
        tab.keys(PAGE_DOWN).await?;
        tab.keys(PAGE_DOWN).await?;
        tab.wait_until("a paragraph", "document.querySelector('.present-reveal p') !== null", SOON).await?;
        assert_eq!(tab.sideways_overflow().await?, 0, "{width}");
        let fits = tab.value("document.documentElement.scrollHeight <= innerHeight + 1").await?;
        // WebKit's window has bars of its own height.
        assert!(fits == true || tab.engine() == Engine::WebKit, "{width} by {height}");
        let in_sight = "(box => box.top >= 0 && box.bottom <= innerHeight + 1)(
            document.querySelector('.present-reveal p:last-child').getBoundingClientRect())";
        tab.wait_until("what was uncovered is in sight", in_sight, SOON).await?;
        let large = tab
            .value("parseFloat(getComputedStyle(document.querySelector('.present-words p')).fontSize)")
            .await?;
        assert!(large.as_f64().is_some_and(|size| size >= 20.0), "{large}");
    }
    tab.expect_clean().await
}

/// The same once more from a stick: no server, no network.
pub(crate) async fn a_class_from_the_disk(tab: &mut Tab) -> Outcome {
    keys_on(tab, Ground::Disk).await.map_err(|failure| failure.during("keys"))?;
    notes_on(tab, Ground::Disk).await.map_err(|failure| failure.during("the second window"))?;
    codes_on(tab, Ground::Disk).await.map_err(|failure| failure.during("codes"))?;
    a_task_on(tab, Ground::Disk).await.map_err(|failure| failure.during("a task"))?;
    verified_on(tab, Ground::Disk).await.map_err(|failure| failure.during("finished tasks"))
}
