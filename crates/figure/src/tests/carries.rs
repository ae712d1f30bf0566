//! What a figure carries comes back, from SVG and from PNG.

use proptest::prelude::*;
use tokenyard_lab::labs::{LABS, by_id};
use tokenyard_lab::link::{self, State};

use super::states::{any_state, words};
use crate::{Carried, Theme, Unread, read_link, sign_png, svg};

/// Pixels of a small picture, and its PNG.
pub(super) fn picture() -> (Vec<u8>, Vec<u8>) {
    let pixels: Vec<u8> = (0..3 * 2 * 4).collect();
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, 3, 2);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    (pixels, out)
}

fn pixels(png: &[u8]) -> Vec<u8> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut out = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut out).unwrap();
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn the_link_read_back_is_the_link_written((lab, state) in any_state()) {
        let carried = Carried::of(lab, &state);
        let drawn = svg(lab, &state, &words(lab, "en"), Theme::Light, None).unwrap();
        let signed = sign_png(&picture().1, &carried).unwrap();
        for bytes in [drawn.as_bytes(), &signed] {
            let back = read_link(bytes).unwrap();
            prop_assert_eq!(&back, &carried);
            prop_assert_eq!(by_id(back.lab()).unwrap().id, lab.id);
            let (again, notices) = link::read(lab, back.fragment());
            prop_assert!(notices.is_empty(), "{:?}", notices);
            prop_assert_eq!((&again.setup, again.step), (&state.setup, state.step));
            prop_assert_eq!(again.headline, Some(link::headline(&lab.table(&state.setup))));
        }
    }
}

#[test]
fn a_signed_picture_has_the_same_pixels_and_one_state() {
    let (plain, png) = picture();
    let states = LABS.iter().map(|lab| Carried::of(lab, &State::fresh(lab)));
    let mut signed = png;
    for carried in states {
        signed = sign_png(&signed, &carried).unwrap();
        assert_eq!(read_link(&signed).as_ref(), Ok(&carried));
        assert_eq!(pixels(&signed), plain);
        assert_eq!(signed.windows(9).filter(|w| w == b"tokenyard").count(), 2, "keyword and line, once");
    }
}

/// Programs that rewrite a picture keep texts, but not their form.
#[test]
fn a_state_survives_being_rewritten() {
    let lab = LABS[0];
    let mut state = State::fresh(lab);
    state.step = Some(3);
    let carried = Carried::of(lab, &state);
    assert!(carried.fragment().contains('&') && carried.link().starts_with("labs/"));
    let drawn = svg(lab, &state, &words(lab, "en"), Theme::Dark, None).unwrap();
    for (from, to) in
        [("&amp;", "&#38;"), ("&amp;", "&#x26;"), ("<state ", "<ns0:state\n  "), ("labs/", "labs/")]
    {
        assert_eq!(read_link(drawn.replace(from, to).as_bytes()).as_ref(), Ok(&carried), "{to}");
    }
    let spaced =
        drawn.replace("state\">tokenyard", "state\">\n    tokenyard").replace("</state>", "\n  </state>");
    assert_eq!(read_link(spaced.as_bytes()).as_ref(), Ok(&carried));
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, 1, 1);
    encoder.add_itxt_chunk("tokenyard".to_owned(), carried.line()).unwrap();
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&[0]).unwrap();
    assert_eq!(read_link(&out), Ok(carried));
}

#[test]
fn a_name_that_looks_like_a_state_is_none() {
    let Some(lab) =
        LABS.iter().find(|lab| lab.params.iter().any(|p| p.kind.allowed().contains("characters")))
    else {
        panic!("no lab takes names");
    };
    let spec = lab.params.iter().find(|p| p.kind.allowed().contains("characters")).unwrap();
    let mut state = State::fresh(lab);
    assert_eq!(state.setup.apply(&[(spec.key, "<metadata>tokenyard 1; ")]), 1);
    let drawn = svg(lab, &state, &words(lab, "en"), Theme::Light, None).unwrap();
    assert_eq!(read_link(drawn.as_bytes()), Ok(Carried::of(lab, &state)));
    let stripped =
        drawn.split("<metadata").next().unwrap().to_owned() + drawn.split("</metadata>").nth(1).unwrap();
    assert_eq!(read_link(stripped.as_bytes()), Err(Unread::Nothing));
}
