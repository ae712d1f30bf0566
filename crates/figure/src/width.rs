//! How wide text may be, and where it breaks: estimates, never measurements.
//!
//! A figure is laid out without knowing the reader's fonts, and must come out the same in a browser
//! and natively. So widths come from a table that is an upper bound: for each ASCII character the
//! wider of DejaVu Sans and DejaVu Serif, which are wider than the system fonts of Windows, macOS,
//! Android and most Linux desktops. Text that fits by this table fits everywhere.

/// Advance widths of U+0020 to U+007E in hundredths of an em, rounded up: the wider of DejaVu Sans
/// and DejaVu Serif 2.37.
const REGULAR: [u8; 95] = [
    32, 41, 46, 84, 64, 96, 90, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
    34, 34, 84, 84, 84, 54, 100, 73, 74, 77, 81, 73, 70, 80, 88, 40, 41, 75, 67, 103, 88, 82, 68, 82, 76, 69,
    67, 85, 73, 103, 72, 67, 70, 40, 34, 40, 84, 50, 50, 62, 65, 57, 65, 62, 38, 65, 65, 32, 32, 61, 32, 98,
    65, 62, 65, 65, 48, 53, 41, 65, 60, 86, 60, 60, 53, 64, 34, 64, 84,
];

/// The same of the bold faces.
const BOLD: [u8; 95] = [
    35, 46, 53, 84, 70, 101, 91, 31, 48, 48, 53, 84, 38, 42, 38, 37, 70, 70, 70, 70, 70, 70, 70, 70, 70, 70,
    40, 40, 84, 84, 84, 59, 100, 78, 85, 80, 87, 77, 71, 86, 95, 47, 48, 87, 71, 111, 92, 88, 76, 88, 84, 73,
    75, 88, 78, 113, 78, 73, 73, 48, 37, 48, 84, 50, 50, 68, 72, 61, 72, 68, 44, 72, 73, 38, 37, 70, 38, 106,
    73, 69, 72, 72, 53, 60, 48, 73, 66, 93, 65, 66, 59, 72, 37, 72, 84,
];

/// A face of a size in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Face {
    /// Height of an em in pixels.
    pub(crate) size: u32,
    /// Whether it is bold.
    pub(crate) bold: bool,
}

impl Face {
    /// Regular.
    pub(crate) const fn of(size: u32) -> Self {
        Self { size, bold: false }
    }

    /// Bold.
    pub(crate) const fn bold(size: u32) -> Self {
        Self { size, bold: true }
    }

    /// At most so many pixels wide. An empty text has no width.
    pub(crate) fn width(self, text: &str) -> u32 {
        let hundredths: u32 = text.chars().map(|c| self.advance(c)).sum();
        (hundredths * self.size).div_ceil(100)
    }

    fn advance(self, c: char) -> u32 {
        let table = if self.bold { &BOLD } else { &REGULAR };
        let ascii = u32::from(c).checked_sub(32).and_then(|i| table.get(i as usize));
        match ascii {
            Some(width) => u32::from(*width),
            // Pictures are wider than letters.
            None if u32::from(c) >= 0x1_f000 => 140,
            None if is_wide(c) => 100,
            None => 115,
        }
    }

    /// Breaks a text into lines that are at most `room` pixels wide: at spaces, between characters
    /// of scripts that need no spaces except inside a word in katakana, and inside a word only if it alone is wider than a line. No
    /// line is empty; an empty text has no lines. A single character may be wider than no room.
    pub(crate) fn lines(self, text: &str, room: u32) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let mut line = String::new();
        for piece in pieces(text) {
            if self.width(&line) + self.width(piece.trim_end()) <= room {
                line.push_str(piece);
                continue;
            }
            push(&mut lines, &mut line);
            for c in piece.chars() {
                if self.width(&line) + self.advance_up(c) > room {
                    push(&mut lines, &mut line);
                }
                line.push(c);
            }
        }
        push(&mut lines, &mut line);
        lines
    }

    /// As [`Face::lines`], in as many lines, but none longer than it must be for that.
    pub(crate) fn balanced(self, text: &str, room: u32) -> Vec<String> {
        let lines = self.lines(text, room);
        let narrow = (room / 3..room).step_by(4).map(|room| self.lines(text, room));
        let same = |other: &Vec<String>| other.len() == lines.len();
        if lines.len() > 1 { narrow.into_iter().find(same).unwrap_or(lines) } else { lines }
    }

    /// Width of the longest part that a line does not break.
    pub(crate) fn longest(self, text: &str) -> u32 {
        pieces(text).iter().map(|piece| self.width(piece.trim_end())).max().unwrap_or(0)
    }

    fn advance_up(self, c: char) -> u32 {
        if c == ' ' { 0 } else { (self.advance(c) * self.size).div_ceil(100) }
    }
}

fn push(lines: &mut Vec<String>, line: &mut String) {
    let done = std::mem::take(line);
    let text = done.trim();
    if !text.is_empty() {
        lines.push(text.to_owned());
    }
}

/// Parts of a text between which a line may break; together they are the text.
fn pieces(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let (mut start, mut last) = (0, None);
    for (at, c) in text.char_indices() {
        if last.is_some_and(|before| breaks(before, c)) {
            out.push(&text[start..at]);
            start = at;
        }
        last = Some(c);
    }
    out.push(&text[start..]);
    out
}

/// What no line begins with, beside letters: closing marks, small kana, the long-vowel mark.
const NOT_FIRST: &str =
    "、。，．・：；？！）］｝」』】〉》〕ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ…‥〜～％,.:;!?)]}”’%";

/// What no line ends with: opening marks.
const NOT_LAST: &str = "（［｛「『【〈《〔([{“‘";

fn breaks(before: char, after: char) -> bool {
    if before == ' ' {
        return after != ' ';
    }
    (is_wide(before) || is_wide(after))
        && !(is_katakana(before) && is_katakana(after))
        && after != ' '
        && !NOT_FIRST.contains(after)
        && !NOT_LAST.contains(before)
}

/// Katakana write loan words, which are easier to read whole.
fn is_katakana(c: char) -> bool {
    matches!(c, 'ァ'..='ヺ' | 'ー')
}

/// Whether a character is as wide as an em and may stand at the end of a line: Chinese, Japanese
/// and Korean scripts and their marks.
fn is_wide(c: char) -> bool {
    matches!(u32::from(c), 0x2e80..=0x9fff | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xff00..=0xff60 | 0x2_0000..=0x3_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_break_at_spaces_and_between_kana_but_not_before_a_full_stop() {
        let face = Face::of(10);
        assert_eq!(face.lines("one two three", 45), ["one two", "three"]);
        assert_eq!(face.lines("負荷が高い。", 50), ["負荷が高", "い。"]);
        assert_eq!(face.lines("（負荷）", 20), ["（負", "荷）"]);
        assert_eq!(face.lines("プレフィル（トークン）", 75), ["プレフィル", "（トークン）"]);
        assert_eq!(face.lines("https://example.org", 60).concat(), "https://example.org");
        assert!(face.lines("  ", 60).is_empty() && face.lines("", 60).is_empty());
    }

    #[test]
    fn balanced_lines_are_as_many_and_about_as_long() {
        let face = Face::of(10);
        assert_eq!(face.lines("Mean of these 200", 75), ["Mean of these", "200"]);
        assert_eq!(face.balanced("Mean of these 200", 75), ["Mean of", "these 200"]);
        assert_eq!(face.balanced("one", 75), ["one"]);
        assert!(face.balanced("", 75).is_empty());
    }

    #[test]
    fn an_estimate_is_never_below_the_widest_digit() {
        assert_eq!((Face::of(100).width("0123456789"), Face::bold(100).width("0")), (640, 70));
        assert_eq!(Face::of(12).width(""), 0);
    }

    proptest! {
        #[test]
        fn lines_fit_and_lose_nothing_but_spaces(
            text in "([a-zA-Z]{1,12} |[ぁ-んァ-ン]{1,9}|、|。|\\(|…| ){0,20}",
            room in 40_u32..300,
            bold in any::<bool>(),
        ) {
            let face = Face { size: 13, bold };
            let lines = face.lines(&text, room);
            let plain = |s: &str| s.replace(' ', "");
            prop_assert_eq!(plain(&lines.concat()), plain(&text));
            for line in &lines {
                prop_assert!(!line.is_empty() && face.width(line) <= room, "{}", line);
            }
        }
    }
}
