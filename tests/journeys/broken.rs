//! What a reader sees when the application cannot start, or stops: never a blank page.

use tokenyard_browser_tests::{Outcome, Tab};
use tokenyard_lab::labs::LABS;
use tokenyard_lab::{Arg, LabSpec, Words, msg};

use crate::journeys::bench::{
    HOME, SOON, collapsed, english, expect, file, guessed, herding, open, open_lab, text_of, words,
};
use crate::journeys::copy::{is_module, pages, serve};

/// Lines of the panel that says why nothing moves, as far as they are shown.
const BROKEN: &str = "[...document.querySelectorAll('#broken p')].filter(line => line.checkVisibility())
    .map(line => line.textContent.trim())";

/// Shows that the first frame of a lab stands and that one clear line says why it stays.
async fn expect_first_frame(tab: &Tab, lab: &LabSpec, words: &Words, why: &str) -> Outcome {
    let line = words.say(&msg("error.load").with("why", Arg::Key(format!("error.{why}"))));
    expect(tab, lab.id, BROKEN, serde_json::json!([line])).await?;
    expect(tab, "the panic panel stays away", "document.querySelector('#stopped').hidden", true).await?;
    expect(tab, "it never took over", "document.documentElement.dataset.ready ?? 'no'", "no").await?;
    let run = lab.run(&lab.defaults());
    let opening = run.moments().first().map_or(0, |moment| moment.step);
    expect(tab, "the sentence", &text_of(".stage .say"), collapsed(&words.say(&run.say(opening)))).await?;
    expect(tab, "the question", "document.querySelector('h1').checkVisibility()", true).await?;
    // A picture of the scene, a chart, and every row of the table.
    let shown = "['.scene > *', '.picture svg', 'table.summary tbody tr'].map(all =>
        [...document.querySelectorAll(all)].some(one => one.getBoundingClientRect().height > 0))";
    expect(tab, "the first frame", shown, serde_json::json!([true, true, true])).await?;
    let rows = "document.querySelectorAll('table.summary tbody tr').length";
    expect(tab, "the table", rows, lab.table(&lab.defaults()).rows.len()).await
}

/// Every lab and the home page of the copy that is served.
async fn expect_first_frames(tab: &mut Tab, why: &str) -> Outcome {
    for lab in LABS {
        let words = english(tab, lab)?;
        tab.open_fresh(&file(lab)).await?;
        expect_first_frame(tab, lab, &words, why).await.map_err(|failure| failure.during(lab.id))?;
    }
    let words = words(tab, HOME, "en")?;
    tab.open_fresh(HOME).await?;
    let line = words.say(&msg("error.load").with("why", Arg::Key(format!("error.{why}"))));
    expect(tab, HOME, BROKEN, serde_json::json!([line])).await?;
    expect(tab, HOME, &text_of("h1"), collapsed(words.get("title"))).await
}

pub(crate) async fn a_missing_module_leaves_the_first_frame(tab: &mut Tab) -> Outcome {
    serve(tab, |path, content| (!is_module(path)).then_some(content))?;
    expect_first_frames(tab, "files").await
}

/// Until the application is there, title and claim are in the reader's language already, and marked
/// as such inside a frame that is not; so is the line that says why it never comes.
pub(crate) async fn the_title_does_not_wait_for_the_application(tab: &mut Tab) -> Outcome {
    serve(tab, |path, content| (!is_module(path)).then_some(content))?;
    let paths = LABS.iter().map(|lab| file(lab)).chain([HOME.to_owned()]);
    for path in paths {
        let ja = words(tab, &path, "ja")?;
        tab.open_fresh(&format!("{path}?lang=ja")).await?;
        let line = ja.say(&msg("error.load").with("why", Arg::Key("error.files".to_owned())));
        expect(tab, &path, BROKEN, serde_json::json!([line])).await?;
        expect(tab, &path, &text_of("h1"), collapsed(ja.get("title"))).await?;
        // The claim without the marks of its glossary.
        let mut claim = String::new();
        for (i, piece) in ja.get("lead").split("[[").enumerate() {
            let shown = if i == 0 { piece } else { piece.split_once('|').map_or(piece, |(_, shown)| shown) };
            claim.push_str(&shown.replace("]]", ""));
        }
        expect(tab, &path, &text_of(".lead"), collapsed(&claim)).await?;
        let langs = "['html', 'h1', '.lead'].map(one => document.querySelector(one).lang)";
        expect(tab, "each part names its language", langs, serde_json::json!(["en", "ja", "ja"])).await?;
        assert_eq!(tab.title().await?, format!("{} · {}", ja.get("title"), ja.get("site")));
    }
    // Remembered, and not remembered.
    let ja = words(tab, HOME, "ja")?;
    tab.eval("localStorage.setItem('tokenyard.lang', 'ja')", Vec::new()).await?;
    tab.open_fresh(HOME).await?;
    expect(tab, "the choice is known", &text_of("h1"), collapsed(ja.get("title"))).await?;
    for (query, lang) in [("?lang=en", "en"), ("?lang=__proto__", "ja")] {
        tab.open_fresh(&format!("{HOME}{query}")).await?;
        let title = words(tab, HOME, lang)?.get("title").to_owned();
        expect(tab, query, &text_of("h1"), collapsed(&title)).await?;
    }
    Ok(())
}

pub(crate) async fn half_a_module_leaves_the_first_frame(tab: &mut Tab) -> Outcome {
    serve(tab, |path, mut content| {
        let half = if is_module(path) { content.len() / 2 } else { content.len() };
        content.truncate(half);
        Some(content)
    })?;
    expect_first_frames(tab, "files").await?;
    // Where the type is that of any file, the module does not stream and fails elsewhere.
    let root = tab.artifacts().join("site");
    tab.remount(|options| {
        options.root = root;
        options.wasm_content_type = "application/octet-stream".to_owned();
    })?;
    let lab = herding()?;
    tab.open_fresh(&file(lab)).await?;
    expect_first_frame(tab, lab, &english(tab, lab)?, "files").await
}

/// Serves pages whose first script, of the site's own origin, is this one.
fn serve_with(tab: &mut Tab, script: &str) -> Outcome {
    let edit = pages(|page| {
        let root = page.split("data-root=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or("./");
        page.replacen("<script>", &format!("<script src=\"{root}first.js\"></script><script>"), 1)
    });
    serve(tab, edit)?;
    Ok(std::fs::write(tab.artifacts().join("site/first.js"), script)?)
}

pub(crate) async fn without_webassembly_the_first_frame_stays(tab: &mut Tab) -> Outcome {
    serve_with(tab, "delete globalThis.WebAssembly;")?;
    expect_first_frames(tab, "no-wasm").await?;
    // Nothing else is wrong with the page.
    tab.expect_clean().await
}

/// A browser that does not understand the module, although all of it arrives.
pub(crate) async fn an_old_browser_is_told_so(tab: &mut Tab) -> Outcome {
    let old = "WebAssembly.instantiate = WebAssembly.instantiateStreaming = async () => {
        throw new WebAssembly.CompileError('unknown type form'); };";
    serve_with(tab, old)?;
    expect_first_frames(tab, "old").await?;
    tab.expect_clean().await
}

pub(crate) async fn words_that_cannot_be_read_leave_the_first_frame(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let words = english(tab, lab)?;
    serve(tab, pages(|page| page.replace("id=\"words\">{", "id=\"words\">{{")))?;
    tab.open_fresh(&file(lab)).await?;
    expect_first_frame(tab, lab, &words, "files").await
}

/// Shows the panel of the panic boundary: in words, with the link to report, above a page that is
/// still there.
async fn expect_stopped(tab: &mut Tab, lab: &LabSpec, lang: &str, message: &str) -> Outcome {
    let words = words(tab, &file(lab), lang)?;
    let shown = "[...document.querySelectorAll('#stopped div')].filter(one => one.checkVisibility())
        .map(one => [...one.children].map(line => line.textContent.trim()))";
    let wanted = serde_json::json!([[words.get("error.title"), words.get("error.text")]]);
    tab.wait_until("the page says that it stopped", "!document.querySelector('#stopped').hidden", SOON)
        .await?;
    expect(tab, "in words", shown, wanted).await?;
    let link = "document.querySelector('#stopped-link').value === location.href";
    expect(tab, "with the link", link, true).await?;
    let said = tab.value(&text_of("#stopped-message")).await?;
    assert!(said.as_str().is_some_and(|said| said.contains(message)), "the message is {said}");
    let seen = "(box => box.height > 60 && box.width > 200 && box.top < innerHeight)(
        document.querySelector('#stopped').getBoundingClientRect())";
    expect(tab, "in sight", seen, true).await?;
    expect(tab, "one panel", BROKEN, serde_json::json!([])).await?;
    let blank = "document.body.innerText.trim().length > 400 && !!document.querySelector('h1')";
    expect(tab, "the page is not blank", blank, true).await
}

/// The browser refuses to make elements: the page's own code cannot go on, and panics.
const REFUSE: &str = "Document.prototype.createElement = Document.prototype.createElementNS =
    Node.prototype.cloneNode = () => { throw new Error('no more elements') };";

pub(crate) async fn a_panic_is_told_with_the_link(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    for lang in ["en", "ja"] {
        let path = format!("{}?lang={lang}#interval=5&seed=7&{}", file(lab), guessed(lab));
        open(tab, &path).await?;
        tab.eval(REFUSE, Vec::new()).await?;
        // Another page's view has to be made from nothing.
        tab.click(".brand").await?;
        expect_stopped(tab, lab, lang, "panicked at").await?;
    }
    let errors = tab.console_errors().await?;
    assert!(errors.iter().any(|line| line.contains("panicked at")), "the console has it too: {errors:?}");
    Ok(())
}

pub(crate) async fn a_panic_at_the_start_is_told_too(tab: &mut Tab) -> Outcome {
    // The first element is the page's own new root, whose absence the application copes with.
    let refuse = "let made = 0;
        for (const one of ['createElement', 'createElementNS', 'createTextNode']) {
            const own = Document.prototype[one];
            Document.prototype[one] = function (...of) {
                if (++made > 1) throw new Error('no more elements');
                return own.apply(this, of);
            };
        }
        Node.prototype.cloneNode = () => { throw new Error('no more elements') };";
    serve_with(tab, refuse)?;
    let lab = herding()?;
    tab.open_fresh(&format!("{}#interval=5", file(lab))).await?;
    expect_stopped(tab, lab, "en", "panicked at").await
}

/// What stops a module without a panic, such as too deep a stack, is a trap.
pub(crate) async fn a_trap_is_told_with_the_link(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    // A module with one function, exported as `f`, whose only instruction is `unreachable`; it runs
    // as code of the page does.
    let trap =
        "const bytes = [0,97,115,109,1,0,0,0, 1,4,1,96,0,0, 3,2,1,0, 7,5,1,1,102,0,0, 10,5,1,3,0,0,11];
        const { f } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes))).exports;
        addEventListener('trap-timer', () => setTimeout(f));
        addEventListener('trap-promise', () => Promise.resolve().then(f));";
    serve_with(tab, trap)?;
    for event in ["trap-timer", "trap-promise"] {
        open_lab(tab, lab, "interval=5").await?;
        tab.eval("dispatchEvent(new Event(arguments[0]))", vec![event.into()]).await?;
        expect_stopped(tab, lab, "en", "RuntimeError").await.map_err(|failure| failure.during(event))?;
    }
    Ok(())
}
