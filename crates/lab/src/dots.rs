//! Requests of one replica as a row of dots, or as a bar where there are too many to count.

use crate::markup::Markup;

/// Width of one request in the drawing.
pub const PITCH: u32 = 11;
/// A row is never scaled up beyond this many requests.
pub const FEWEST: u32 = 24;
/// Beyond this many requests a row is a bar, because dots would be too small to count.
const MOST_DOTS: u32 = 44;

/// Parts of a row from left to right, each with its length and class. `scale` is how many
/// requests the widest row of the scene holds. The drawing is 14 high and `scale` × [`PITCH`] wide.
pub fn row(m: &mut Markup, parts: &[(u32, &str)], scale: u32) {
    let mut from = 0;
    for (count, class) in parts {
        if scale > MOST_DOTS {
            bar(m, class, from, *count);
        } else {
            (from..from + count).for_each(|i| dot(m, class, i));
        }
        from += count;
    }
}

fn bar(m: &mut Markup, class: &str, from: u32, count: u32) {
    let (x, width) = ((from * PITCH).to_string(), (count * PITCH).to_string());
    m.shape("rect", &[("class", class), ("x", &x), ("y", "2"), ("width", &width), ("height", "9")]);
}

fn dot(m: &mut Markup, class: &str, at: u32) {
    let x = (f64::from(at * PITCH) + 5.5).to_string();
    m.shape("circle", &[("class", class), ("cx", &x), ("cy", "7"), ("r", "4.4")]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_each_other_as_dots_or_as_bars() {
        let draw = |scale| {
            let mut m = Markup::default();
            row(&mut m, &[(2, "old"), (1, "new")], scale);
            m.finish()
        };
        let (dots, bars) = (draw(FEWEST), draw(MOST_DOTS + 1));
        assert_eq!((dots.matches("\"old\"").count(), dots.matches("\"new\"").count()), (2, 1));
        assert!(dots.contains("cx=\"27.5\"") && !dots.contains("rect"));
        assert!(bars.contains("x=\"22\"") && bars.matches("rect").count() == 4);
    }
}
