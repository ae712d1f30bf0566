use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::OnceLock;

use sha2::{Digest as _, Sha256};
use tokenyard_lesson::Predicted;

use super::*;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Lessons and their sheets on the site, made once: their numbers take a while.
fn made() -> &'static (Lessons, Vec<(String, String)>) {
    static MADE: OnceLock<(Lessons, Vec<(String, String)>)> = OnceLock::new();
    MADE.get_or_init(|| {
        let lessons = Lessons::load(&project()).unwrap();
        let sheets = lessons.sheets(Place::Site);
        (lessons, sheets)
    })
}

#[test]
fn every_lesson_has_a_handout_and_notes_in_every_language() {
    let (lessons, sheets) = made();
    let files: BTreeSet<&str> = sheets.iter().map(|(file, _)| file.as_str()).collect();
    assert_eq!((lessons.files.len(), sheets.len(), files.len()), (3, 12, 12));
    for (text, lesson) in &lessons.files {
        let file = project().join(format!("lessons/{}.toml", lesson.id));
        assert_eq!(fs::read_to_string(file).unwrap(), *text);
        for language in LANGUAGES {
            for sheet in ["handout", "notes"] {
                assert!(files.contains(format!("teach/{}/{sheet}.{language}.html", lesson.id).as_str()));
            }
        }
    }
}

/// Nothing runs, nothing is fetched, and the policy of a sheet allows exactly the styles that it has.
#[test]
fn a_sheet_needs_nothing_but_itself() {
    for (file, html) in &made().1 {
        for forbidden in
            ["<script", " style=\"", "src=", "@import", "url(", "<base", "javascript:", " onclick="]
        {
            assert!(!html.contains(forbidden), "{file}: {forbidden}");
        }
        let style = html.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
        use base64::Engine as _;
        let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(style.as_bytes()));
        assert!(html.contains(&format!("default-src 'none'; style-src 'sha256-{hash}';")), "{file}");
        // All that is left are addresses of links and the name of the drawings' kind.
        assert_eq!(html.matches("http").count(), html.matches("http-equiv").count(), "{file}");
        let language = file.rsplit('.').nth(1).unwrap();
        assert!(html.starts_with(&format!("<!doctype html>\n<html lang=\"{language}\">")), "{file}");
        assert!(
            !html.contains(">paper.") && !html.contains(">handout.") && !html.contains("\"paper."),
            "{file}"
        );
    }
}

#[test]
fn links_of_sheets_lead_to_the_live_lesson_and_to_each_other() {
    let (lessons, sheets) = made();
    let all = lessons.files.iter().flat_map(|(_, lesson)| {
        Lessons::languages(lesson)
            .flat_map(move |language| Sheet::EACH.map(|sheet| (lesson, language, sheet)))
    });
    for ((file, html), (lesson, language, sheet)) in sheets.iter().zip(all) {
        assert_eq!(*file, Place::Site.file(sheet, &lesson.id, language));
        let hrefs: BTreeSet<&str> =
            html.split("<a href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        let (inside, hrefs): (Vec<&str>, BTreeSet<&str>) = (
            hrefs.iter().copied().filter(|h| h.starts_with('#')).collect(),
            hrefs.into_iter().filter(|h| !h.starts_with('#')).collect(),
        );
        assert!(
            inside.iter().all(|href| html.contains(&format!(" id=\"{}\"", &href[1..]))),
            "{file}: {inside:?}"
        );
        let mut wanted = vec![format!("../../teach/index.html#lesson={}", lesson.id)];
        wanted.extend(
            Sheet::EACH
                .into_iter()
                .flat_map(|other| LANGUAGES.iter().map(move |lang| (other, *lang)))
                .filter(|(other, lang)| (*other == sheet) != (*lang == language))
                .map(|(other, lang)| format!("../../{}", Place::Site.file(other, &lesson.id, lang))),
        );
        assert_eq!(hrefs, wanted.iter().map(String::as_str).collect(), "{file}");
    }
}

#[test]
fn a_handout_shows_each_step_and_answers_nothing() {
    let (lessons, sheets) = made();
    for (file, html) in sheets {
        let (_, lesson) =
            lessons.files.iter().find(|(_, l)| file.starts_with(&format!("teach/{}/", l.id))).unwrap();
        let charts = html.matches("<figure>").count();
        let is_handout = file.contains("/handout.");
        let open =
            |step: &&tokenyard_lesson::Step| step.state.as_ref().is_some_and(|p| !lesson.gives_away(p));
        let wanted = lesson.steps.iter().filter(open).count();
        let shown = lesson.steps.iter().filter(|step| step.state.is_some()).count();
        assert!(wanted + 1 >= shown && shown + 1 >= lesson.steps.len());
        assert_eq!(charts, if is_handout { wanted } else { 0 }, "{file}");
        assert_eq!(html.matches("class=\"step\"").count(), lesson.steps.len(), "{file}");
        assert_eq!(
            html.contains("class=\"notes\"") || html.contains("class=\"reveal\""),
            !is_handout,
            "{file}"
        );
        let covered = lessons.words(LANGUAGES[0], None).at(&["paper.covered"]);
        if is_handout && file.ends_with(".en.html") {
            let steps = lesson.steps.iter().enumerate().filter(|(_, step)| open(step));
            let hosts = steps.filter(|(i, step)| picture::host(lesson, step) == *i);
            let shown: Vec<_> = hosts.map(|(_, step)| picture::shown(lesson, step).unwrap()).collect();
            assert_eq!(html.matches("<svg").count(), 2 * shown.len(), "{file}");
            // Once for the eye, once for each drawing's name.
            let hidden = shown.iter().filter(|(_, covered)| *covered).count();
            assert_eq!(html.matches(&covered).count(), 3 * hidden, "{file}");
            assert!(hidden > 1, "{file}");
        }
    }
}

/// No line that answers a question of the lesson is drawn: not in its step, nor in another of the same state.
#[test]
fn a_covered_figure_has_no_line_that_answers() {
    let mut lines = 0;
    for (_, lesson) in &made().0.files {
        for step in lesson.steps.iter().filter(|step| picture::secret(lesson, step)) {
            let place = step.state.as_ref().unwrap();
            let (shown, covered) = picture::shown(lesson, step).unwrap();
            assert!(shown.series.iter().all(|s| !s.answers) && shown.pins.iter().all(|pin| !pin.answers));
            assert_eq!(shown.cursor, None);
            let run = place.lab.run(&place.state.setup);
            let whole = run.figures(0).into_iter().find(|figure| figure.id == shown.id).unwrap();
            lines += usize::from(covered && whole.series.len() > shown.series.len());
            // A lab's own question is about what it covers, so there is something to cover.
            let asks = matches!(step.predict.as_ref().map(|p| &p.ask), Some(Predicted::Lab));
            assert!(covered || !asks, "{} {}", lesson.id, step.id);
            if let Some(Predicted::Figure { row: Some(row), .. }) = step.predict.as_ref().map(|p| &p.ask) {
                let table = place.lab.table(&place.state.setup);
                let asked = table.rows.iter().find(|r| r.id == row).unwrap();
                assert!(shown.series.iter().all(|s| s.style != asked.style), "{} {}", lesson.id, step.id);
            }
        }
    }
    assert!(lines > 6, "{lines}");
}

/// A state that somebody asks about is as secret in a step that only shows it, and is drawn once, where it
/// is asked about.
#[test]
fn a_state_is_secret_wherever_it_is_shown() {
    let (_, tour) = made().0.files.iter().find(|(_, lesson)| lesson.id == "tour").unwrap();
    let look = tour.step("look").unwrap();
    assert!(look.predict.is_none() && look.reveal.is_none() && picture::secret(tour, look));
    assert_eq!(tour.steps[picture::host(tour, look)].id, "guess");
    let mut other = tour.clone();
    for step in &mut other.steps {
        (step.predict, step.reveal) = (None, None);
    }
    let look = other.step("look").unwrap();
    assert!(!picture::secret(&other, look) && !picture::shown(&other, look).unwrap().1);
    assert_eq!(picture::host(&other, look), 0);
}

/// Rules for print: no step's heading alone at the foot of a page, nothing that is broken in two.
#[test]
fn the_style_sheet_keeps_together_what_belongs_together() {
    let style = &made().0.style;
    let print = style.rsplit("@media print {").next().unwrap();
    for rule in ["@page {", "break-after: avoid;", "break-inside: avoid;", "orphans: 3;"] {
        assert!(print.contains(rule), "{rule}");
    }
    // Paper of either size: none is named.
    assert!(!style.contains("\nsize:") && style.contains("prefers-color-scheme: dark"));
}
