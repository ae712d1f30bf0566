//! A QR code as a drawing: for a code of this crate, or the address of a page.

use qrcodegen::{QrCode, QrCodeEcc};
use tokenyard_lab::Markup;

/// Light modules around the code, as the standard asks for.
const QUIET: i32 = 4;

/// The drawing, one unit a module, with a quiet zone of four. `name` is its accessible name. Capitals,
/// digits and dashes make the smallest drawings: a code of this crate fits in 21 × 21 modules. Colours
/// are classes `qr-paper` and `qr-ink`; dark on light by default, because many readers see nothing else.
/// `None` for more text than a QR code holds (about 2,300 bytes).
#[must_use]
pub fn svg(text: &str, name: &str) -> Option<String> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let side = (code.size() + 2 * QUIET).to_string();
    let view = format!("0 0 {side} {side}");
    let mut m = Markup::default();
    let attrs = [
        ("xmlns", "http://www.w3.org/2000/svg"),
        ("class", "qr"),
        ("viewBox", view.as_str()),
        ("role", "img"),
        ("aria-label", name),
        ("shape-rendering", "crispEdges"),
    ];
    m.el("svg", &attrs, |m| {
        m.shape("rect", &[("class", "qr-paper"), ("width", &side), ("height", &side), ("fill", "#fff")]);
        m.shape("path", &[("class", "qr-ink"), ("d", &ink(&code)), ("fill", "#000")]);
    });
    Some(m.finish())
}

/// Dark modules as one path, runs of a row together.
fn ink(code: &QrCode) -> String {
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let run = (x..code.size()).take_while(|x| code.get_module(*x, y)).count() as i32;
            if run > 0 {
                path.push_str(&format!("M{} {}h{run}v1h-{run}z", x + QUIET, y + QUIET));
            }
            x += run.max(1);
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_small_named_and_has_a_quiet_zone() {
        let svg = svg("4K7P-9TQX-2MZD", "Your guess <b>").unwrap();
        assert!(svg.contains("viewBox=\"0 0 29 29\"") && svg.contains("aria-label=\"Your guess &lt;b&gt;\""));
        let runs: Vec<(i32, i32, i32)> = svg
            .split('M')
            .skip(1)
            .map(|run| {
                let (at, rest) = run.split_once('h').unwrap();
                let (x, y) = at.split_once(' ').unwrap();
                (x.parse().unwrap(), y.parse().unwrap(), rest.split('v').next().unwrap().parse().unwrap())
            })
            .collect();
        assert!(runs.iter().all(|(x, y, n)| *x >= 4 && *y >= 4 && x + n <= 25 && *y < 25));
        // The three finder patterns begin and end with seven dark modules.
        for corner in [(4, 4, 7), (4, 10, 7), (18, 4, 7), (18, 10, 7), (4, 18, 7), (4, 24, 7)] {
            assert!(runs.contains(&corner), "{corner:?}");
        }
    }

    #[test]
    fn what_does_not_fit_is_none() {
        assert!(svg(&"a".repeat(2_300), "").is_some());
        assert!(svg(&"a".repeat(2_400), "").is_none());
    }
}
