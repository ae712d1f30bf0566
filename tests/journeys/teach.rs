//! Lessons for one learner: what is said is what is computed natively, in both languages.

use serde_json::json;
use tokenyard_browser_tests::{AxeOptions, By, Emulation, Failure, Outcome, Tab, axe};
use tokenyard_lab::Words;
use tokenyard_lab::luck::SEEDS;
use tokenyard_lesson::prose::{Block, blocks};
use tokenyard_lesson::{Facts, Lesson, Step, code, link, read, shipped};

use crate::journeys::bench::{
    SOON, TEACH, collapsed, expect, fetch, file, open, ready, set_param, text_of, words,
};

/// The lessons that ship.
pub(crate) fn lessons() -> Result<Vec<Lesson>, Failure> {
    let read = |text: &&str| read(text).map_err(|faults| Failure::new(format!("{faults:?}")));
    shipped::FILES.iter().map(read).collect()
}

/// The lesson and the place of its first step of a kind.
pub(crate) fn first(of: impl Fn(&Step) -> bool) -> Result<(Lesson, usize), Failure> {
    for lesson in lessons()? {
        if let Some(at) = lesson.steps.iter().position(&of) {
            return Ok((lesson, at));
        }
    }
    Err("no lesson has such a step".into())
}

/// Where the page of lessons lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    /// On the site.
    Site,
    /// In the single file, on the disk.
    Disk,
}

/// Opens the page of lessons anew at a fragment.
pub(crate) async fn open_on(tab: &mut Tab, ground: Ground, lang: &str, fragment: &str) -> Outcome {
    match ground {
        Ground::Site => open(tab, &format!("{TEACH}?lang={lang}#{fragment}")).await?,
        Ground::Disk => {
            let and = if fragment.is_empty() { "" } else { "&" };
            let address = tab.on_disk(&format!("single/tokenyard.html?lang={lang}#teach{and}{fragment}"))?;
            tab.leave_frame().await?;
            tab.client().goto("about:blank").await?;
            tab.open_address(&address).await?;
            ready(tab).await?;
        }
    }
    // The title takes the focus a frame later: whoever types at once would lose it.
    match fragment.contains("view=present") {
        true => expect(tab, "the focus", "document.activeElement.id", "present-title").await,
        false => Ok(()),
    }
}

/// [`open_on`] with nothing remembered: on a disk, journeys share what the browser keeps.
pub(crate) async fn open_afresh(tab: &mut Tab, ground: Ground, lang: &str, fragment: &str) -> Outcome {
    open_on(tab, ground, lang, "").await?;
    tab.eval("localStorage.clear()", Vec::new()).await?;
    open_on(tab, ground, lang, fragment).await
}

/// [`open_on`] the site.
pub(crate) async fn open_at(tab: &mut Tab, lang: &str, fragment: &str) -> Outcome {
    open_on(tab, Ground::Site, lang, fragment).await
}

/// Words of a step's lab, for what the page says in them.
pub(crate) fn of_lab(tab: &Tab, step: &Step, lang: &str) -> Result<Words, Failure> {
    let own = words(tab, TEACH, lang)?;
    match &step.state {
        Some(place) => words(tab, &file(place.lab), lang),
        None => Ok(own),
    }
}

/// A text of a step as the page shows it, blanks collapsed.
pub(crate) fn said(lesson: &Lesson, text: &tokenyard_lesson::Text, lang: &str, words: &Words) -> String {
    let filled = Facts::of(lesson).fill(text.at(lesson.language(lang)), words);
    let parts = blocks(&filled).into_iter().map(|block| match block {
        Block::Paragraph(text) => text,
        Block::Items(items) => items.concat(),
    });
    collapsed(&parts.collect::<String>())
}

pub(crate) async fn the_list_leads_everywhere(tab: &mut Tab) -> Outcome {
    for lang in ["en", "ja"] {
        open_at(tab, lang, "").await?;
        for lesson in lessons()? {
            let title = lesson.title.at(lesson.language(lang));
            assert!(tab.has(By::Text(title)).await?, "{title} is in the list");
        }
    }
    // Every address of the list is there.
    let links = tab
        .value(
            "[...document.querySelectorAll('.teach-lessons a:not([hidden])')].map(a => a.href.split('#')[0])",
        )
        .await?;
    let links: Vec<&str> = links.as_array().into_iter().flatten().filter_map(|link| link.as_str()).collect();
    assert!(links.len() >= 4 * lessons()?.len(), "{links:?}");
    let site = tab.site().url();
    for link in links {
        let path = link.strip_prefix(&site).ok_or_else(|| Failure::new(format!("{link} is elsewhere")))?;
        fetch(tab, path)?;
    }
    tab.click(".teach-lessons a.is-primary").await?;
    expect(tab, "the first lesson", "location.hash", "#lesson=tour").await?;
    tab.wait_until("its first step", "document.querySelector('#step-title') !== null", SOON).await?;
    tab.expect_clean().await
}

/// Answers what a step asks with its first guess, if it asks anything.
async fn answer(tab: &Tab, step: &Step) -> Outcome {
    match (&step.predict, &step.reveal) {
        (Some(_), _) => {
            let place = ".teach-step > .predict";
            let button = format!("{place} .predict-options button, {place} button.is-primary");
            tab.click(button.as_str()).await
        }
        (None, Some(_)) => tab.click(".teach-reveal > button").await,
        (None, None) => Ok(()),
    }
}

pub(crate) async fn every_lesson_from_start_to_finish(tab: &mut Tab) -> Outcome {
    for (lesson, lang) in lessons()?.iter().flat_map(|lesson| [(lesson, "en"), (lesson, "ja")]) {
        lesson_on(tab, Ground::Site, lesson, lang).await?;
    }
    Ok(())
}

pub(crate) async fn every_lesson_from_the_disk(tab: &mut Tab) -> Outcome {
    for (lesson, lang) in lessons()?.iter().flat_map(|lesson| [(lesson, "en"), (lesson, "ja")]) {
        lesson_on(tab, Ground::Disk, lesson, lang).await?;
    }
    Ok(())
}

async fn lesson_on(tab: &mut Tab, ground: Ground, lesson: &Lesson, lang: &str) -> Outcome {
    open_afresh(tab, ground, lang, &format!("lesson={}", lesson.id)).await?;
    for (at, step) in lesson.steps.iter().enumerate() {
        let doing = format!("{}/{} in {lang}", lesson.id, step.id);
        let words = of_lab(tab, step, lang)?;
        let title = format!("{}. {}", at + 1, said(lesson, &step.title, lang, &words));
        expect(tab, &doing, &text_of("#step-title"), title).await?;
        let text = said(lesson, &step.text, lang, &words);
        expect(tab, &doing, &text_of(".teach-step > .teach-text"), text).await?;
        if let Some(fleet) = &step.fleet {
            fleet_on(tab, ground, lang, &fleet.fragment).await.map_err(|failure| failure.during(&doing))?;
        }
        answer(tab, step).await.map_err(|failure| failure.during(&doing))?;
        if let Some(reveal) = &step.reveal {
            let wanted = said(lesson, reveal, lang, &words);
            expect(tab, &doing, &text_of(".teach-reveal .teach-text"), wanted).await?;
        }
        if step.predict.is_some() {
            let shown = tab.value(&text_of(".own-text")).await?;
            let shown = shown.as_str().unwrap_or_default();
            let code = code::Code::read(shown).map_err(|slip| Failure::new(format!("{shown}: {slip:?}")))?;
            assert_eq!(code.subject, code::subject(&format!("{}/{}", lesson.id, step.id)), "{doing}");
        }
        if at + 1 < lesson.steps.len() {
            tab.click(".teach-step > .teach-actions .is-primary").await?;
        }
    }
    // A learner who comes back is where the lesson was left, with the same guess.
    let code = tab.value("document.querySelector('.own-text')?.textContent ?? ''").await?;
    tab.reload().await?;
    ready(tab).await?;
    expect(
        tab,
        "the last step",
        "location.hash.replace('#teach&', '#')",
        format!("#lesson={}&step={}", lesson.id, lesson.steps.len()),
    )
    .await?;
    expect(tab, "the same code", "document.querySelector('.own-text')?.textContent ?? ''", code).await?;
    tab.expect_clean().await.map_err(|failure| failure.during(&lesson.id))
}

/// Whether the fleet page in a frame is there, in its state.
pub(crate) const FLEET_FRAME: &str = "document.querySelector('.teach-fleet iframe')?.contentDocument?.documentElement.dataset.ready === 'true'";

/// The fleet page of a step: in a frame on the site, and where to find it in a single file.
async fn fleet_on(tab: &Tab, ground: Ground, lang: &str, fragment: &str) -> Outcome {
    if ground == Ground::Disk {
        let own = words(tab, TEACH, lang)?;
        let said = own.fill_key("teach.fleet-elsewhere", &[("state", format!("#{fragment}").into())]);
        return expect(tab, "where it is", &text_of(".teach-fleet"), collapsed(&said)).await;
    }
    tab.wait_until("the fleet page", FLEET_FRAME, SOON).await?;
    let there = "(location => [new URLSearchParams(location.search).get('lang'), location.hash])(
        document.querySelector('.teach-fleet iframe').contentWindow.location)";
    expect(tab, "its state", there, json!([lang, format!("#{fragment}")])).await
}

pub(crate) async fn a_task_is_solved_and_not_solved(tab: &mut Tab) -> Outcome {
    a_task_on(tab, Ground::Site).await
}

pub(crate) async fn a_task_on(tab: &mut Tab, ground: Ground) -> Outcome {
    let (lesson, at) = first(|step| step.task.as_ref().is_some_and(|task| !task.pinned))?;
    let step = &lesson.steps[at];
    let (Some(place), Some(task)) = (&step.state, &step.task) else {
        return Err("a step with a task".into());
    };
    let (own, lab) = (words(tab, TEACH, "en")?, of_lab(tab, step, "en")?);
    open_afresh(tab, ground, "en", &format!("lesson={}&step={}", lesson.id, at + 1)).await?;
    let check = task.check(place);
    let verdict = |n: u32, key: &'static str| {
        let least = tokenyard_lab::task::ENOUGH;
        own.fill_key(key, &[("n", n.into()), ("of", SEEDS.into()), ("least", least.into())])
    };
    let try_it = own.fill_key("teach.try", &[("n", SEEDS.into())]);
    tab.click(By::Text(&try_it)).await?;
    let start = check.passes(place.lab, &place.state.setup);
    expect(tab, "not by luck", &text_of(".teach-verdict"), verdict(start, "teach.not-passed")).await?;
    assert!(!tab.has(".teach-done:not([hidden])").await?);
    // Three hints, one after the other.
    for n in 1..=3_u32 {
        let name = own.fill_key("teach.hint", &[("n", n.into()), ("of", 3_u32.into())]);
        tab.click(By::Text(&name)).await?;
        let hint = said(&lesson, &task.hints[n as usize - 1], "en", &lab);
        expect(tab, "a hint", &text_of(&format!(".teach-hints li:nth-child({n})")), hint).await?;
    }
    // The solution by its knobs, one setting after the other.
    let (start, solution) = (&place.state.setup, &task.solution);
    for (i, spec) in place.lab.params.iter().enumerate() {
        if let Some(value) = solution.values.at(i).filter(|value| start.values.at(i) != Some(value)) {
            set_param(tab, place.lab, spec.key, &spec.kind.write(value)).await?;
        }
    }
    tab.click(By::Text(&try_it)).await?;
    let passes = check.passes(place.lab, solution);
    expect(tab, "solved", &text_of(".teach-verdict"), verdict(passes, "teach.passed")).await?;
    tab.fill(".finish-field input", "blue heron").await?;
    tab.wait_until("a code", "document.querySelector('.finish .own-text')?.textContent.length === 14", SOON)
        .await?;
    let shown = tab.value(&text_of(".finish .own-text")).await?;
    let shown = shown.as_str().unwrap_or_default();
    let finished = code::verify(&lesson, &step.id, "blue heron", shown);
    let changes = u8::try_from(check.changes(place.lab, solution).counted.len()).unwrap_or(u8::MAX);
    assert_eq!(finished, Ok(code::Finished { changes, passes: Some(passes) }));
    assert_eq!(code::verify(&lesson, &step.id, "another", shown), Err(code::Refused::Word));
    tab.expect_clean().await
}

pub(crate) async fn a_file_is_opened_or_refused(tab: &mut Tab) -> Outcome {
    let folder = tab.artifacts().to_owned();
    std::fs::create_dir_all(&folder)?;
    let good = shipped::FILES[0].replace("id = \"tour\"", "id = \"own\"");
    let broken =
        good.replace("minutes = 10", "minutes = 11").replace("#lab=herding&interval=1", "#lab=nothing");
    let (good_path, broken_path) = (folder.join("own.toml"), folder.join("broken.toml"));
    std::fs::write(&good_path, &good)?;
    std::fs::write(&broken_path, &broken)?;
    open_at(tab, "en", "").await?;
    let own = words(tab, TEACH, "en")?;
    tab.choose_file(".teach .button input[type=file]", &broken_path).await?;
    let faults = read(&broken).err().ok_or("the broken file is sound")?;
    let wanted: Vec<String> = faults.iter().map(|fault| collapsed(&own.say(&fault.msg()))).collect();
    let lines = "[...document.querySelectorAll('.teach-faults li')].map(li => li.textContent.replace(/\\s+/g, ' ').trim())";
    expect(tab, "every fault with its line", lines, json!(wanted)).await?;
    assert!(wanted.iter().all(|line| line.starts_with("Line ")), "{wanted:?}");
    tab.choose_file(".teach .button input[type=file]", &good_path).await?;
    tab.wait_until("the lesson", "document.querySelector('#step-title') !== null", SOON).await?;
    // A file can be presented, too, and a page that is loaded anew has it still.
    tab.click(".teach-head button").await?;
    tab.wait_until("before a class", "document.querySelector('.present') !== null", SOON).await?;
    expect(tab, "its address", "location.hash", "#own=own&view=present").await?;
    tab.reload().await?;
    ready(tab).await?;
    tab.wait_until("the same again", "document.querySelector('.present') !== null", SOON).await?;
    // Dropped where any file is, on another page, it says where it belongs.
    open(tab, "index.html?lang=en").await?;
    tab.choose_file(".open-file input", &good_path).await?;
    let said =
        words(tab, "index.html", "en")?.fill_key("open.is-lesson", &[("name", "own.toml".to_owned().into())]);
    expect(tab, "where it belongs", &text_of(".opened p"), said).await?;
    tab.expect_clean().await
}

pub(crate) async fn links_open_or_say_why_not(tab: &mut Tab) -> Outcome {
    let short = "format = 1\nid = \"small\"\nminutes = 1\nlanguages = [\"en\"]\ntitle.en = \"Small\"\nabout.en = \"a\"\n\
                 goal.en = \"g\"\n\n[[step]]\nid = \"one\"\nminutes = 1\nstate = \"#lab=herding\"\ntitle.en = \"One\"\n\
                 text.en = \"Peak {one.max_spread}.\"\n";
    let lesson = read(short).map_err(|faults| Failure::new(format!("{faults:?}")))?;
    let address = link::to_link(&lesson).ok_or("a short lesson fits")?;
    open_at(tab, "en", &format!("text={address}")).await?;
    let wanted = said(&lesson, &lesson.steps[0].text, "en", &of_lab(tab, &lesson.steps[0], "en")?);
    expect(tab, "its text", &text_of(".teach-step > .teach-text"), wanted).await?;
    open_at(tab, "en", "states=lab=herding&interval=5;lab=retries").await?;
    tab.wait_until("two steps", "document.querySelectorAll('.teach-steps li').length === 2", SOON).await?;
    for wrong in [
        "lesson=none",
        "text=%%%",
        "states=lab=herding&interval=99",
        "step=0",
        "states=;",
        "other=1",
        "own=none",
    ] {
        open_at(tab, "en", wrong).await?;
        tab.wait_until(
            &format!("{wrong} says why"),
            "document.querySelectorAll('.teach-faults:not([hidden]) li').length > 0",
            SOON,
        )
        .await?;
        assert!(tab.has(".teach-lessons").await?, "{wrong}: the list is there all the same");
    }
    tab.expect_clean().await
}

pub(crate) async fn everything_from_the_disk(tab: &mut Tab) -> Outcome {
    let (lesson, at) = first(|step| step.predict.is_some())?;
    open_afresh(tab, Ground::Disk, "en", &format!("lesson={}&step={}", lesson.id, at + 1)).await?;
    tab.site().clear_requests();
    let step = &lesson.steps[at];
    answer(tab, step).await?;
    let reveal = step.reveal.as_ref().ok_or("a step with an answer")?;
    let wanted = said(&lesson, reveal, "en", &of_lab(tab, step, "en")?);
    tab.site().clear_requests();
    expect(tab, "the answer", &text_of(".teach-reveal .teach-text"), wanted).await?;
    tab.wait_until("a code", "document.querySelector('.own-text').textContent.length === 14", SOON).await?;
    tab.click(".teach-head button").await?;
    tab.wait_until("before a class", "document.querySelector('.present') !== null", SOON).await?;
    expect(
        tab,
        "the address says so",
        "location.hash",
        format!("#teach&lesson={}&step={}&view=present", lesson.id, at + 1),
    )
    .await?;
    tab.reload().await?;
    ready(tab).await?;
    tab.wait_until("the same again", "document.querySelector('.present') !== null", SOON).await?;
    assert_eq!(tab.site().requests(), Vec::new());
    tab.expect_clean().await
}

pub(crate) async fn axe_and_a_phone(tab: &mut Tab) -> Outcome {
    let (lesson, at) = first(|step| step.task.is_some())?;
    let pages = [
        String::new(),
        "lesson=tour&step=2".to_owned(),
        format!("lesson={}&step={}", lesson.id, at + 1),
        "lesson=tour&step=2&view=present".to_owned(),
        "lesson=none".to_owned(),
    ];
    for (lang, dark) in [("en", false), ("ja", true)] {
        tab.emulate(Emulation { dark, reduced_motion: false }).await?;
        for page in &pages {
            open_at(tab, lang, page).await?;
            if page.contains("present") {
                tab.keys("c").await?;
                tab.keys("?").await?;
                tab.wait_until("the codes", "document.querySelector('.collect')?.checkVisibility()", SOON)
                    .await?;
            }
            let result = axe(tab, &AxeOptions::default()).await?;
            result.expect_clean(12).map_err(|failure| failure.during(&format!("{page} {lang}")))?;
        }
    }
    for page in &pages {
        tab.in_frame(320, &format!("{TEACH}?lang=ja#{page}")).await?;
        ready(tab).await?;
        assert_eq!(tab.sideways_overflow().await?, 0, "{page}");
        tab.leave_frame().await?;
    }
    tab.expect_clean().await
}

/// From the top of the page to a guess, to the code, and on to the next step, with Tab and Enter.
pub(crate) async fn a_step_by_keyboard_alone(tab: &mut Tab) -> Outcome {
    const ENTER: &str = "\u{e007}";
    let (lesson, at) = first(|step| step.predict.is_some())?;
    open_afresh(tab, Ground::Site, "en", &format!("lesson={}&step={}", lesson.id, at + 1)).await?;
    tab.press_tab_until(".teach-step > .predict button.is-primary", 60).await?;
    tab.keys(ENTER).await?;
    tab.wait_until("a code", "document.querySelector('.own-text')?.textContent.length === 14", SOON).await?;
    tab.press_tab_until(".teach-step > .teach-actions .is-primary", 120).await?;
    tab.keys(ENTER).await?;
    let (next, words) = (&lesson.steps[at + 1], of_lab(tab, &lesson.steps[at + 1], "en")?);
    let title = format!("{}. {}", at + 2, said(&lesson, &next.title, "en", &words));
    expect(tab, "the next step", &text_of("#step-title"), title).await?;
    // Reading goes on there.
    expect(tab, "the focus", "document.activeElement.id", "step-title").await?;
    tab.expect_clean().await
}
