//! A figure's SVG as PNG, with the fonts of the system. Native only.

use std::sync::{Arc, Mutex, PoisonError};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, FaceInfo, ID};
use resvg::usvg::{FontResolver, Options, Tree};

/// What the names of a figure's fonts stand for, the first that there is. Browsers ask the system;
/// on Debian these are what it answers.
const SANS: [&str; 8] = [
    "Noto Sans",
    "DejaVu Sans",
    "Liberation Sans",
    "Segoe UI",
    "Helvetica Neue",
    "Arial",
    "Noto Sans CJK JP",
    "Hiragino Sans",
];

const SERIF: [&str; 6] =
    ["Noto Serif", "DejaVu Serif", "Liberation Serif", "Georgia", "Times New Roman", "Noto Serif CJK JP"];

/// Why a figure could not be painted, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unpainted(String);

impl std::fmt::Display for Unpainted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unpainted {}

/// The fonts of this system, read once for many figures.
#[derive(Debug)]
pub struct Painter {
    fonts: Arc<Database>,
    sans: &'static str,
}

impl Painter {
    /// Looks for the system's fonts.
    ///
    /// # Errors
    /// There is none that a figure could use.
    pub fn new() -> Result<Self, Unpainted> {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        let family = |names: &[&'static str]| {
            let there = |name: &str| fonts.faces().any(|face| face.families.iter().any(|f| f.0 == name));
            names.iter().copied().find(|name| there(name))
        };
        let (sans, serif) = (family(&SANS), family(&SERIF));
        let Some(sans) = sans.or(serif) else {
            return Err(no_font("no usable font is installed"));
        };
        fonts.set_sans_serif_family(sans);
        fonts.set_serif_family(serif.unwrap_or(sans));
        Ok(Self { fonts: Arc::new(fonts), sans })
    }

    /// The pixels of a figure as a PNG, `scale` of them for each of the figure's own. The background
    /// outside its round corners is clear.
    ///
    /// # Errors
    /// A character that no font of this system has; a figure that cannot be drawn at this scale.
    pub fn png(&self, svg: &str, scale: u32) -> Result<Vec<u8>, Unpainted> {
        // The root's own name for the system's font, which no font has.
        let named = svg.replacen("system-ui", &format!("'{}'", self.sans), 1);
        let missing = Arc::new(Mutex::new(None));
        let tree = Tree::from_str(&named, &options(Arc::clone(&self.fonts), &missing)).map_err(failed)?;
        if let Some(c) = *missing.lock().unwrap_or_else(PoisonError::into_inner) {
            return Err(no_font(&format!("no font on this system has “{c}”")));
        }
        let size = tree.size().to_int_size().scale_by(scale as f32);
        let pixels = size.and_then(|size| Pixmap::new(size.width(), size.height()));
        let mut pixels = pixels.ok_or_else(|| Unpainted("the figure is too large to be drawn".to_owned()))?;
        resvg::render(&tree, Transform::from_scale(scale as f32, scale as f32), &mut pixels.as_mut());
        pixels.encode_png().map_err(failed)
    }
}

/// Fonts, and a note of the first character that none of them has.
fn options(fonts: Arc<Database>, missing: &Arc<Mutex<Option<char>>>) -> Options<'static> {
    let (select, missing) = (FontResolver::default_fallback_selector(), Arc::clone(missing));
    let font_resolver = FontResolver {
        select_font: FontResolver::default_font_selector(),
        select_fallback: Box::new(move |c, used, fonts| {
            let found = (0..LIKENESS).find_map(|least| select(c, &others(used, fonts, least), fonts));
            if found.is_none() {
                missing.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(c);
            }
            found
        }),
    };
    Options { fontdb: fonts, font_resolver, ..Options::default() }
}

/// How many degrees of likeness between two faces [`others`] knows.
const LIKENESS: u8 = 4;

/// The faces that are not to be asked for a character that the used ones do not have: all that are
/// less like the first of them than a degree says. The library asks the rest in the order of the
/// disk, which is serif for sans on one system and regular for bold on another.
fn others(used: &[ID], fonts: &Database, degree: u8) -> Vec<ID> {
    let Some(base) = used.first().and_then(|id| fonts.face(*id)) else { return used.to_vec() };
    let named = |face: &FaceInfo, part: &str| face.families.iter().any(|family| family.0.contains(part));
    let serif = |face: &FaceInfo| ["Serif", "Mincho", "Ming", "Song"].iter().any(|part| named(face, part));
    let like = |face: &FaceInfo| {
        let kind = serif(face) == serif(base) && face.monospaced == base.monospaced;
        let weight = face.weight == base.weight && face.style == base.style;
        // The same signs are drawn differently in Chinese; a figure has no words in it.
        let japanese = named(face, "JP") || !named(face, "CJK");
        match degree {
            0 => kind && weight && japanese,
            1 => kind && weight,
            2 => kind,
            _ => true,
        }
    };
    let rest = fonts.faces().filter(|face| !like(face)).map(|face| face.id);
    used.iter().copied().chain(rest).collect()
}

fn no_font(what: &str) -> Unpainted {
    Unpainted(format!(
        "{what}; install one (on Debian: fonts-dejavu-core, for Japanese fonts-noto-cjk), or make an SVG, which needs none"
    ))
}

fn failed(error: impl std::fmt::Display) -> Unpainted {
    Unpainted(format!("the figure could not be drawn: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use resvg::usvg::fontdb::{Language, Source, Stretch, Style, Weight};

    fn face(fonts: &mut Database, family: &str, weight: u16) -> ID {
        let info = FaceInfo {
            id: ID::dummy(),
            source: Source::Binary(Arc::new(Vec::new())),
            index: 0,
            families: vec![(family.to_owned(), Language::English_UnitedStates)],
            post_script_name: family.replace(' ', ""),
            style: Style::Normal,
            weight: Weight(weight),
            stretch: Stretch::Normal,
            monospaced: false,
        };
        fonts.push_face_info(info)
    }

    #[test]
    fn the_face_most_like_the_used_one_is_asked_first() {
        let mut fonts = Database::new();
        let serif = face(&mut fonts, "Noto Serif CJK JP", 700);
        let thin = face(&mut fonts, "Noto Sans CJK JP", 400);
        let chinese = face(&mut fonts, "Noto Sans CJK SC", 700);
        let wanted = face(&mut fonts, "Noto Sans CJK JP", 700);
        let used = face(&mut fonts, "DejaVu Sans", 700);
        let asked = |degree| {
            let not = others(&[used], &fonts, degree);
            assert_eq!(not.first(), Some(&used), "the first one says what is looked for");
            [serif, thin, chinese, wanted].into_iter().filter(|id| !not.contains(id)).collect::<Vec<_>>()
        };
        assert_eq!(asked(0), [wanted]);
        assert_eq!(asked(1), [chinese, wanted]);
        assert_eq!(asked(2), [thin, chinese, wanted]);
        assert_eq!(asked(LIKENESS - 1), [serif, thin, chinese, wanted]);
    }
}
