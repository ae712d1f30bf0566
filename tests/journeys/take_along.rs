//! Files out of a page and back into it: the same bytes as natively, and the same state again.

use std::fmt::Write as _;
use std::io::Cursor;

use serde_json::json;
use tokenyard_browser_tests::{Failure, Outcome, Printed, Tab};
use tokenyard_export::{Export, Source, table_csv, write};
use tokenyard_figure::{Painter, Shot, Theme, read_link, sign_png};
use tokenyard_lab::labs::LABS;
use tokenyard_lab::link::{self, State};
use tokenyard_lab::{LabSpec, Words, sweep};

use tokenyard_fleet::scenario::Draft;
use tokenyard_study::{COLUMNS, Study};

use crate::journeys::bench::{FLEET, HOME, SOON, expect, file, guessed, herding, open, open_lab, words};
use crate::journeys::fleet::{LONG, TABLE, open_fleet, run_of, table};

/// What the page hands to the browser is kept instead of saved, and nothing is printed by itself.
const KEEP: &str = "window.kept = []; window.printed = 0;
    const make = URL.createObjectURL.bind(URL);
    let last;
    URL.createObjectURL = (blob) => make(last = blob);
    HTMLAnchorElement.prototype.click = function () { window.kept.push([this.download, last]); };
    window.print = () => { window.printed += 1; };";

/// Opens a lab's dialog with its exports.
async fn dialog(tab: &mut Tab, lab: &LabSpec, fragment: &str) -> Outcome {
    open_lab(tab, lab, fragment).await?;
    tab.eval(KEEP, Vec::new()).await?;
    tab.click(".share button").await?;
    tab.wait_until("the exports", "document.querySelector('[data-export]') !== null", SOON).await
}

/// Presses a button and gives the name and the bytes of the file, as base64.
async fn made(tab: &Tab, export: &str) -> Result<(String, Vec<u8>), Failure> {
    let before = tab.value("window.kept.length").await?;
    tab.click(format!("[data-export=\"{export}\"]").as_str()).await?;
    tab.wait_until(&format!("{export} is made"), &format!("window.kept.length > {before}"), SOON).await?;
    let file = tab
        .eval(
            "const [name, blob] = window.kept.at(-1);
            return blob.arrayBuffer().then(buffer => [name, Array.from(new Uint8Array(buffer), byte =>
                byte.toString(16).padStart(2, '0')).join('')]);",
            Vec::new(),
        )
        .await?;
    let text = |i: usize| file[i].as_str().unwrap_or_default().to_owned();
    let digits = text(1);
    let byte =
        |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).map_err(|e| Failure::new(e.to_string()));
    Ok((text(0), (0..digits.len()).step_by(2).map(byte).collect::<Result<_, _>>()?))
}

/// A state off the defaults, as its page links to it.
fn settings(lab: &LabSpec) -> String {
    let setup = lab.with(lab.presets[0].set);
    let run = lab.run(&setup);
    // The step at which the page opens is not in its links.
    let opening = run.moments().first().map_or(0, |moment| moment.step);
    let step = (0..run.steps()).find(|step| *step != opening);
    let state = State { setup, step, ..State::fresh(lab) };
    format!("{}&{}", link::write(lab, &state), guessed(lab))
}

async fn say_in(tab: &Tab, lang: &str) -> Outcome {
    if tab.value("document.documentElement.lang").await? != lang {
        tab.click(format!("button[lang={lang}]").as_str()).await?;
    }
    expect(tab, "the language", "document.documentElement.lang", lang).await
}

fn site(tab: &Tab) -> String {
    tab.site().url()
}

pub(crate) async fn files_are_the_native_ones(tab: &mut Tab) -> Outcome {
    for (lab, lang) in LABS.iter().zip(["ja", "en"].into_iter().cycle()) {
        let fragment = settings(lab);
        let (state, _) = link::read(lab, &fragment);
        let words = words(tab, &file(lab), lang)?;
        dialog(tab, lab, &fragment).await?;
        tab.eval("document.querySelector('.share-dialog').close()", Vec::new()).await?;
        say_in(tab, lang).await?;
        tab.click(".share button").await?;
        tab.wait_until("the exports", "document.querySelector('[data-export]') !== null", SOON).await?;
        let address = site(tab);
        let source = Source { lab, state: &state, words: &words, site: Some(&address), sweep: &[] };
        for export in Export::ALL {
            let (name, bytes) = made(tab, export.id()).await?;
            assert_eq!(name, export.file_name(lab, &state), "{}", lab.id);
            let native = write(export, &source).map_err(|error| error.to_string())?;
            let same = bytes == native.as_bytes();
            assert!(same, "{} {}: {}", lab.id, export.id(), parting(&bytes, native.as_bytes()));
        }
        tab.expect_clean().await?;
    }
    Ok(())
}

/// What a reader has simulated at a press, which no link holds, goes along too.
pub(crate) async fn a_sweep_goes_along(tab: &mut Tab) -> Outcome {
    let lab = LABS.iter().find(|lab| lab.sweep.is_some()).ok_or("no lab with a sweep")?;
    let state = State::fresh(lab);
    let words = words(tab, &file(lab), "en")?;
    let rows = sweep::all(lab, &state.setup);
    open_lab(tab, lab, &guessed(lab)).await?;
    tab.eval(KEEP, Vec::new()).await?;
    tab.click(".sweep button").await?;
    let bar = "document.querySelector('.sweep progress')";
    tab.wait_until("all is simulated", &format!("{bar}.value === {}", rows.len()), LONG).await?;
    tab.click(".share button").await?;
    tab.wait_until("the exports", "document.querySelector('[data-export]') !== null", SOON).await?;
    let address = site(tab);
    let (state, _) = link::read(lab, &guessed(lab));
    let source = Source { lab, state: &state, words: &words, site: Some(&address), sweep: &rows };
    for export in [Export::SeriesCsv, Export::Json, Export::Svg] {
        let (_, bytes) = made(tab, export.id()).await?;
        let native = write(export, &source).map_err(|error| error.to_string())?;
        let plain = write(export, &Source { sweep: &[], ..source }).map_err(|error| error.to_string())?;
        assert!(native.len() > plain.len(), "{}", export.id());
        let same = bytes == native.as_bytes();
        assert!(same, "{}: {}", export.id(), parting(&bytes, native.as_bytes()));
    }
    tab.expect_clean().await
}

/// Where two files part, with a little of both.
fn parting(one: &[u8], other: &[u8]) -> String {
    let at = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let part = |bytes: &[u8]| {
        let (from, to) = (at.saturating_sub(40).min(bytes.len()), (at + 40).min(bytes.len()));
        String::from_utf8_lossy(&bytes[from..to]).into_owned()
    };
    format!("byte {at} of {} and {}: {:?} and {:?}", one.len(), other.len(), part(one), part(other))
}

/// Pixels of a PNG as grey, with its width.
fn pixels(bytes: &[u8]) -> Result<(u32, Vec<f64>), Failure> {
    let fail = |error: png::DecodingError| Failure::new(error.to_string());
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().map_err(fail)?;
    let mut all = vec![0; reader.output_buffer_size().ok_or("a picture without a size")?];
    let info = reader.next_frame(&mut all).map_err(fail)?;
    let grey = all[..info.buffer_size()].chunks(info.color_type.samples()).map(|pixel| {
        let clear = if pixel.len() == 4 { f64::from(pixel[3]) / 255.0 } else { 1.0 };
        let light = pixel[..3].iter().map(|v| f64::from(*v)).sum::<f64>() / 3.0;
        light * clear + 255.0 * (1.0 - clear)
    });
    Ok((info.width, grey.collect()))
}

/// The mean difference of two pictures in squares of 8 pixels: fonts are smoothed in other ways, so
/// single pixels differ at the edges of letters, and what is drawn does not.
fn apart(one: &[f64], other: &[f64], width: usize) -> f64 {
    let squares = |all: &[f64]| -> Vec<f64> {
        let (across, down) = (width / 8, all.len() / width / 8);
        let mean = |x: usize, y: usize| {
            (0..8)
                .flat_map(|j| (0..8).map(move |i| (i, j)))
                .map(|(i, j)| all[(y * 8 + j) * width + x * 8 + i])
                .sum::<f64>()
                / 64.0
        };
        (0..down).flat_map(|y| (0..across).map(move |x| (x, y))).map(|(x, y)| mean(x, y)).collect()
    };
    let (one, other) = (squares(one), squares(other));
    one.iter().zip(&other).map(|(a, b)| (a - b).abs()).sum::<f64>() / one.len() as f64
}

pub(crate) async fn a_png_is_nearly_the_native_one(tab: &mut Tab) -> Outcome {
    let painter = Painter::new().map_err(|error| error.to_string())?;
    let mut seen = String::new();
    let mut themes = [("png", Theme::Light), ("png-dark", Theme::Dark)].into_iter().cycle();
    for lab in LABS {
        let fragment = settings(lab);
        let (state, _) = link::read(lab, &fragment);
        let words = words(tab, &file(lab), "en")?;
        dialog(tab, lab, &fragment).await?;
        let (export, theme) = themes.next().ok_or("a cycle ends nowhere")?;
        let (_, bytes) = made(tab, export).await?;
        let shot = Shot::new(lab, &state, &words);
        let address = format!("{}{}", site(tab), shot.carried().link());
        let svg = shot.svg(theme, Some(&address)).map_err(|error| error.to_string())?;
        let native = painter.png(&svg, 2).map_err(|error| error.to_string())?;
        let native = sign_png(&native, &shot.carried()).map_err(|error| error.to_string())?;
        let carried = [&bytes, &native].map(|png| read_link(png).map_err(|error| error.to_string()));
        assert_eq!(carried[0], carried[1], "{}", lab.id);
        assert!(carried[0].is_ok(), "{}: {carried:?}", lab.id);
        let ((width, one), (wide, other)) = (pixels(&bytes)?, pixels(&native)?);
        assert_eq!((width, one.len()), (wide, other.len()), "{}", lab.id);
        let differ = apart(&one, &other, width as usize);
        let _ = write!(seen, "{} {differ:.2} ", lab.id);
        assert!(differ < 4.0, "{}: {differ} of 255 apart", lab.id);
    }
    println!("mean difference of squares, of 255: {seen}");
    tab.expect_clean().await
}

/// What a reader sees of the sheet in print, and that it is one page.
pub(crate) async fn a_handout_is_one_page(tab: &mut Tab) -> Outcome {
    for (lab, lang) in LABS.iter().zip(["en", "ja"].into_iter().cycle()) {
        let words = words(tab, &file(lab), lang)?;
        open_lab(tab, lab, &settings(lab)).await?;
        say_in(tab, lang).await?;
        tab.eval(KEEP, Vec::new()).await?;
        tab.click(".share button").await?;
        tab.wait_until("the exports", "document.querySelector('[data-export]') !== null", SOON).await?;
        for size in [(21.0, 29.7), (21.59, 27.94)] {
            let before = tab.value("window.printed").await?;
            tab.click("[data-export=handout]").await?;
            tab.wait_until("it is to be printed", &format!("window.printed > {before}"), SOON).await?;
            let sheet = "document.querySelector('.handout')";
            expect(tab, "unseen on the screen", &format!("{sheet}.checkVisibility()"), false).await?;
            let text = tab.value(&format!("{sheet}.textContent")).await?;
            let (state, _) = link::read(lab, &settings(lab));
            let question = words.say(&(lab.prediction.question)(&state.setup));
            for wanted in [words.at(&["title"]), question.clone(), words.at(&["sheet.fold"]), site(tab)] {
                assert!(
                    text.as_str().is_some_and(|text| text.contains(&wanted)),
                    "{}: {wanted}: {text}",
                    lab.id
                );
            }
            expect(tab, "the picture is there", &format!("{sheet}.querySelector('img').naturalWidth"), 800)
                .await?;
            if tab.engine().prints() {
                printed(tab, lab, size, &question).await?;
                expect(tab, "and gone afterwards", &format!("{sheet} === null"), true).await?;
            }
        }
    }
    tab.expect_clean().await
}

async fn printed(tab: &mut Tab, lab: &LabSpec, (width, height): (f64, f64), words: &str) -> Outcome {
    let pdf = tab.print_on(width, height).await?;
    let printed = Printed::read(&pdf)?;
    assert_eq!(printed.pages(), 1, "{} on {width} by {height} cm", lab.id);
    printed.expect(lab.id, words)
}

/// Drops a file on a place of the page, as a browser tells it.
async fn drop_file(tab: &Tab, name: &str, bytes: &[u8]) -> Outcome {
    tab.eval(
        "const [name, bytes] = arguments;
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], name));
        for (const kind of ['dragenter', 'dragover', 'drop'])
            document.querySelector('main').dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));",
        vec![json!(name), json!(bytes)],
    )
    .await
    .map(|_| ())
}

const SAID: &str =
    "document.querySelector('.opened').hidden ? '' : document.querySelector('.opened p').textContent";

/// Every kind of file of a state opens it again, on any page.
pub(crate) async fn a_dropped_file_reopens_its_state(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let state = State { setup: lab.with(lab.presets[1].set), step: Some(7), ..State::fresh(lab) };
    let english: Words = words(tab, &file(lab), "en")?;
    let source = Source { lab, state: &state, words: &english, site: None, sweep: &[] };
    let svg = write(Export::Svg, &source).map_err(|error| error.to_string())?;
    let png = Painter::new().and_then(|p| p.png(&svg, 1)).map_err(|error| error.to_string())?;
    let shot = Shot::new(lab, &state, &english);
    let png = sign_png(&png, &shot.carried()).map_err(|error| error.to_string())?;
    let mut files = vec![("figure.png".to_owned(), png)];
    for export in Export::ALL {
        let text = write(export, &source).map_err(|error| error.to_string())?;
        files.push((export.file_name(lab, &state), text.into_bytes()));
    }
    let wanted = link::write(lab, &state);
    let other = LABS.iter().find(|l| l.id != lab.id).ok_or("one lab only")?;
    let pages = [HOME.to_owned(), file(other), file(lab), FLEET.to_owned()];
    for ((name, bytes), page) in files.iter().zip(pages.iter().cycle()) {
        open(tab, page).await?;
        drop_file(tab, name, bytes).await?;
        let there = format!("document.documentElement.dataset.page === 'labs/{}'", lab.id);
        tab.wait_until(&format!("{name} opens from {page}"), &there, SOON).await?;
        let step = "document.querySelector('.player input[type=range]').value";
        expect(tab, name, step, "8").await?;
        tab.click(".share button").await?;
        let link = "document.querySelector('#share-link')?.value ?? ''";
        tab.wait_until("the link", &format!("({link}) !== ''"), SOON).await?;
        let link = tab.value(link).await?;
        assert!(link.as_str().is_some_and(|link| link.contains(&wanted)), "{name}: {link}");
    }
    tab.expect_clean().await
}

/// What is no state says what it is; the fleet's files lead to the fleet page.
pub(crate) async fn other_files_say_what_they_are(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    open_lab(tab, lab, "interval=5").await?;
    for (name, bytes, about) in [
        ("holiday.png", &b"\x89PNG\r\n\x1a\nnothing"[..], "holiday.png"),
        ("empty.txt", b"", "empty.txt"),
        ("notes.txt", b"Dear diary", "notes.txt"),
    ] {
        drop_file(tab, name, bytes).await?;
        tab.wait_until(name, &format!("({SAID}).includes({})", json!(about)), SOON).await?;
    }
    expect(tab, "the state is untouched", "location.hash", "#interval=5").await?;
    drop_file(tab, "requests.jsonl", TRACE).await?;
    tab.wait_until("a trace leads on", &format!("({SAID}).includes('requests.jsonl')"), SOON).await?;
    tab.click(".opened a").await?;
    tab.wait_until("the fleet page", "document.documentElement.dataset.page === 'fleet'", SOON).await?;
    crate::journeys::bench::ready(tab).await?;
    drop_file(tab, "requests.jsonl", TRACE).await?;
    let open = "document.querySelector('.fl-file-open')?.textContent ?? ''";
    tab.wait_until("the fleet takes it", &format!("({open}).includes('requests.jsonl')"), SOON).await?;
    tab.expect_clean().await
}

/// The fleet page takes a scenario by its bytes, whatever it is called, and gives its summary.
pub(crate) async fn the_fleet_takes_and_gives(tab: &mut Tab) -> Outcome {
    let words = open_fleet(tab, "").await?;
    tab.eval(KEEP, Vec::new()).await?;
    let mut study = Study::default();
    study.base.set("fleet.replicas", "6").map_err(|problem| Failure::new(problem.to_string()))?;
    let scenario = study.draft(0).write();
    drop_file(tab, "scenario.txt", scenario.as_bytes()).await?;
    let draft = Draft::read(scenario.as_bytes()).map_err(|problems| Failure::new(format!("{problems:?}")))?;
    let run = run_of(&Study::of_draft(draft), None)?;
    expect(tab, "its table", TABLE, table(&run, &words)).await?;
    let (name, bytes) = made(tab, "table.csv").await?;
    let headings = COLUMNS.iter().map(|column| words.at(&["col", column.key]));
    let wanted = table_csv(headings, &run.table(), &words);
    assert_eq!(
        (name.as_str(), String::from_utf8_lossy(&bytes)),
        ("tokenyard-fleet-table.csv", wanted.into())
    );
    tab.expect_clean().await
}

/// Two requests as Mooncake writes them.
const TRACE: &[u8] = b"{\"timestamp\": 0, \"input_length\": 600, \"output_length\": 20, \"hash_ids\": [0, 1]}\n{\"timestamp\": 900, \"input_length\": 700, \"output_length\": 30, \"hash_ids\": [0, 2]}\n";

/// The field at the foot does the same by keyboard.
pub(crate) async fn a_file_can_be_chosen(tab: &mut Tab) -> Outcome {
    let lab = herding()?;
    let state = State { setup: lab.with(lab.presets[0].set), ..State::fresh(lab) };
    let english = words(tab, &file(lab), "en")?;
    let source = Source { lab, state: &state, words: &english, site: None, sweep: &[] };
    let path = tab.artifacts().join("chosen.json");
    std::fs::create_dir_all(tab.artifacts())?;
    std::fs::write(&path, write(Export::Json, &source).map_err(|error| error.to_string())?)?;
    open(tab, HOME).await?;
    tab.choose_file(".open-file input", &path).await?;
    let there = format!("document.documentElement.dataset.page === 'labs/{}'", lab.id);
    tab.wait_until("the file's lab", &there, SOON).await?;
    tab.expect_clean().await
}
