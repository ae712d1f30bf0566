//! Figures from the command line: SVG, PNG, captions, and what is refused.

use std::path::PathBuf;

use tokenyard_figure::read_link;
use tokenyard_lab::labs::LABS;

use crate::program::{line, run};

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Width and height of an SVG as its root says them.
fn size(svg: &str) -> (u32, u32) {
    let number = |key: &str| svg.split(&format!(" {key}=\"")).nth(1)?.split('"').next()?.parse().ok();
    (number("width").unwrap(), number("height").unwrap())
}

#[test]
fn every_lab_has_a_figure_in_every_language_and_theme_that_carries_its_link() {
    for lab in LABS {
        let link = format!("labs/{}/#step=2", lab.id);
        let mut seen = Vec::new();
        for (language, theme) in [("en", "light"), ("en", "dark"), ("ja", "light")] {
            let svg = run(&["figure", &link, "--lang", language, "--theme", theme]).ok();
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{}", lab.id);
            let carried = read_link(svg.as_bytes()).unwrap();
            assert!(carried.lab() == lab.id && carried.fragment().starts_with("step=2&v="), "{carried:?}");
            assert!(!seen.contains(&svg), "{} {language} {theme}", lab.id);
            seen.push(svg);
        }
    }
}

#[test]
fn every_form_of_a_link_gives_the_same_figure_and_a_file_holds_what_is_printed() {
    let id = LABS[0].id;
    let svg = run(&["figure", &format!("labs/{id}/#seed=7")]).ok();
    let path = file("figure.svg");
    for link in [
        format!("{id}#seed=7"),
        format!("#lab={id}&seed=7"),
        format!("https://example.org/x/labs/{id}/#seed=7"),
    ] {
        let printed = run(&["figure", &link, "--out", path.to_str().unwrap()]).ok();
        assert_eq!((printed.as_str(), std::fs::read_to_string(&path).unwrap() == svg), ("", true), "{link}");
    }
}

#[test]
fn the_address_of_the_pages_is_shown_with_the_link_behind_it() {
    let id = LABS[0].id;
    for site in ["https://example.org/yard", "https://example.org/yard/"] {
        let svg = run(&["figure", id, "--site-url", site]).ok();
        assert!(svg.contains(&format!("<a href=\"https://example.org/yard/labs/{id}/#v=")), "{site}");
        let caption = run(&["figure", id, "--site-url", site, "--format", "caption"]).ok();
        assert!(caption.contains(&format!(" https://example.org/yard/labs/{id}/#v=")), "{caption}");
    }
    assert!(!run(&["figure", id]).ok().contains("<a "));
}

#[test]
fn captions_and_alternative_texts_are_one_line() {
    for (lab, form) in LABS.iter().flat_map(|lab| ["alt", "caption"].map(|form| (lab, form))) {
        let text = run(&["figure", lab.id, "--format", form, "--lang", "ja"]).ok();
        assert!(
            text.lines().count() == 1 && text.len() > 60 && text.ends_with("。\n"),
            "{} {form}: {text}",
            lab.id
        );
    }
}

/// A system without fonts cannot draw text: the refusal says what to install, and nothing else may
/// be wrong.
#[cfg(feature = "png")]
#[test]
fn a_png_has_the_size_of_its_svg_and_carries_the_same_link() {
    for (lab, language, scale) in [(LABS[0], "en", 1), (LABS[1], "ja", 2)] {
        let path = file(&format!("{}.png", lab.id));
        let _ = std::fs::remove_file(&path);
        let (out, scale_text) = (path.to_str().unwrap(), format!("{scale}"));
        let args = ["figure", lab.id, "--lang", language];
        let ran = run(&[&args[..], &["--format", "png", "--scale", &scale_text, "--out", out]].concat());
        if ran.code != Some(0) {
            let reason = ran.refused();
            assert!(reason.contains("font") && reason.contains("install one (on Debian: fonts-"), "{reason}");
            continue;
        }
        let svg = run(&args).ok();
        let png = std::fs::read(&path).unwrap();
        assert_eq!(read_link(&png), read_link(svg.as_bytes()));
        let word = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        let (width, height) = size(&svg);
        assert_eq!((word(16), word(20)), (width * scale, height * scale), "{}", lab.id);
    }
}

#[test]
fn what_cannot_be_used_is_named_with_what_can() {
    let id = LABS[0].id;
    let unwritable = file("no-such-folder/figure.svg");
    for (args, named) in [
        ("figure".to_owned(), "figure needs a link"),
        ("figure labs/nope/".to_owned(), "no lab is called nope"),
        (format!("figure labs/{id}/#colour=red"), "no setting colour"),
        (format!("figure labs/{id}/#step=999999"), "step is 999999; allowed: 1 to "),
        (format!("figure {id} --format gif"), "--format is gif; allowed: svg, png, alt, caption"),
        (format!("figure {id} --format"), "--format has no value; allowed: svg"),
        (format!("figure {id} --theme darl"), "allowed: light, dark (did you mean dark?)"),
        (format!("figure {id} --lang xx"), "--lang is xx; allowed: en, ja"),
        (format!("figure {id} --scale 9"), "--scale is 9; allowed: 1, 2, 3, 4"),
        (format!("figure {id} --format png"), "--out is missing"),
        (format!("figure {id} --out"), "--out has no value"),
        (format!("figure {id} --out {}", unwritable.display()), "cannot write "),
        (format!("figure {id} --site-url javascript:x"), "--site-url is javascript:x; allowed: "),
        (format!("figure {id} --site-url https://example.org/#x"), "without ? and #"),
        (format!("figure {id} --seed 7"), "figure has no option --seed"),
        (format!("figure {id} more"), "no use for more"),
    ] {
        let reason = line(&args).refused();
        assert!(reason.contains(named), "{args}: {reason}");
    }
}
