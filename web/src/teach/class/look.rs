//! QR codes in a picture, as plain data.

use rqrr::PreparedImage;

/// A picture is made as small as this before it is looked at: wide enough for a code that fills a tenth
/// of it.
pub(super) const WIDEST: u32 = 1024;

/// The size in which a picture of a camera is looked at: as it is, or smaller with the same proportions.
pub(super) fn size(width: u32, height: u32) -> (u32, u32) {
    let longest = width.max(height);
    if longest <= WIDEST {
        return (width, height);
    }
    let of = |side: u32| (u64::from(side) * u64::from(WIDEST) / u64::from(longest)).max(1) as u32;
    (of(width), of(height))
}

/// What the QR codes of a picture say; `pixels` are its red, green, blue and opacity, row by row. A code
/// that cannot be read is left out: the next picture may show it better. Nothing for a picture whose
/// size does not fit its pixels.
pub(super) fn texts(pixels: &[u8], width: u32, height: u32) -> Vec<String> {
    let (w, h) = (width as usize, height as usize);
    if w == 0 || h == 0 || pixels.len() != w * h * 4 {
        return Vec::new();
    }
    // Weights of brightness as television has them, in 256ths.
    let grey = |x: usize, y: usize| -> u8 {
        let at = (y * w + x) * 4;
        let [r, g, b] = [0, 1, 2].map(|i| u32::from(pixels[at + i]));
        ((77 * r + 150 * g + 29 * b) >> 8) as u8
    };
    let mut image = PreparedImage::prepare_from_greyscale(w, h, grey);
    image.detect_grids().iter().filter_map(|grid| Some(grid.decode().ok()?.1)).collect()
}

/// Which of the codes in view are news: each once, until it has been out of view for a while.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// Texts with the picture in which each was seen last.
    last: Vec<(String, u32)>,
    now: u32,
}

/// Pictures without a code after which it is news again: about three seconds.
const GONE: u32 = 15;

impl Seen {
    /// Those of a picture's texts that are news.
    pub(super) fn news(&mut self, texts: Vec<String>) -> Vec<String> {
        self.now += 1;
        let now = self.now;
        self.last.retain(|(_, last)| now - last <= GONE);
        let mut news = Vec::new();
        for text in texts {
            match self.last.iter_mut().find(|(known, _)| *known == text) {
                Some((_, last)) => *last = now,
                None => {
                    self.last.push((text.clone(), now));
                    news.push(text);
                }
            }
        }
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenyard_lesson::qr;

    /// A drawing of the product as pixels, `scale` for a module, on a grey wall.
    fn photo(text: &str, scale: usize, light: u8, dark: u8) -> (Vec<u8>, u32, u32) {
        let svg = qr::svg(text, "").unwrap();
        let side: usize =
            svg.split("viewBox=\"0 0 ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        let (w, h) = (side * scale + 90, side * scale + 40);
        let mut pixels = vec![130_u8; w * h * 4];
        let mut fill = |x: usize, y: usize, n: usize, value: u8| {
            for row in y * scale..(y + 1) * scale {
                let from = ((row + 20) * w + x * scale + 45) * 4;
                pixels[from..from + n * scale * 4].fill(value);
            }
        };
        (0..side).for_each(|y| fill(0, y, side, light));
        for run in svg.split('M').skip(1) {
            let (at, rest) = run.split_once('h').unwrap();
            let (x, y) = at.split_once(' ').unwrap();
            let n = rest.split('v').next().unwrap();
            fill(x.parse().unwrap(), y.parse().unwrap(), n.parse().unwrap(), dark);
        }
        (pixels, w as u32, h as u32)
    }

    #[test]
    fn the_codes_that_are_shown_are_read() {
        for (text, scale, light, dark) in [
            ("4K7P-9TQX-2MZD", 3, 255, 0),
            ("0000-0000-0000", 5, 255, 0),
            ("4K7P-9TQX-2MZD", 8, 200, 90),
            ("https://example.org/lesson#page", 4, 255, 0),
        ] {
            let (pixels, w, h) = photo(text, scale, light, dark);
            assert_eq!(texts(&pixels, w, h), [text], "{scale} pixels a module");
        }
    }

    #[test]
    fn what_shows_no_code_is_read_as_nothing() {
        let (pixels, w, h) = photo("4K7P-9TQX-2MZD", 4, 140, 140);
        assert_eq!(texts(&pixels, w, h), [""; 0]);
        assert_eq!(texts(&pixels, w, h + 1), [""; 0]);
        assert_eq!(texts(&[], 0, 0), [""; 0]);
    }

    #[test]
    fn pictures_keep_their_proportions() {
        assert_eq!(size(640, 480), (640, 480));
        assert_eq!(size(1920, 1080), (1024, 576));
        assert_eq!(size(1080, 1920), (576, 1024));
        assert_eq!(size(100_000, 1), (1024, 1));
    }

    #[test]
    fn a_code_in_view_is_news_once_and_again_after_a_while() {
        let mut seen = Seen::default();
        let text = |t: &str| vec![t.to_owned()];
        assert_eq!(seen.news(text("a")), ["a"]);
        for _ in 0..100 {
            assert_eq!(seen.news(text("a")), [""; 0]);
        }
        assert_eq!(seen.news(vec!["b".into(), "a".into(), "b".into()]), ["b"]);
        for _ in 0..GONE {
            assert_eq!(seen.news(Vec::new()), [""; 0]);
        }
        assert_eq!(seen.news(text("a")), ["a"]);
    }
}
