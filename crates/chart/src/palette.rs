//! Colours. The page's style sheet is their home; a test holds the copies here to it.

use plotters::style::RGBColor;

/// The colours of one theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// Background of the chart.
    pub card: [u8; 3],
    /// Decoration only: grid lines.
    pub line: [u8; 3],
    /// Text.
    pub ink: [u8; 3],
    /// Less important text and guides.
    pub muted: [u8; 3],
    /// The cursor.
    pub accent: [u8; 3],
    /// Series 1 to 6.
    pub series: [[u8; 3]; 6],
}

/// Which colours to draw with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Stand-alone, on paper.
    Light,
    /// Stand-alone, dark.
    Dark,
    /// Inside a page: colours follow the page's own custom properties.
    Page,
}

const LIGHT: Palette = Palette {
    card: [0xff, 0xff, 0xff],
    line: [0xde, 0xdb, 0xd2],
    ink: [0x1b, 0x1e, 0x24],
    muted: [0x5d, 0x64, 0x70],
    accent: [0xb3, 0x42, 0x0f],
    series: [
        [0x00, 0x72, 0xb2],
        [0xd5, 0x5e, 0x00],
        [0x00, 0x8f, 0x68],
        [0xb0, 0x56, 0x8f],
        [0x9a, 0x74, 0x00],
        [0x5b, 0x3f, 0x99],
    ],
};

const DARK: Palette = Palette {
    card: [0x1c, 0x1f, 0x25],
    line: [0x34, 0x38, 0x41],
    ink: [0xec, 0xea, 0xe4],
    muted: [0xa2, 0xa8, 0xb3],
    accent: [0xff, 0x9d, 0x66],
    series: [
        [0x56, 0xb4, 0xe9],
        [0xff, 0x8f, 0x3f],
        [0x35, 0xc7, 0x9b],
        [0xe7, 0x9b, 0xc9],
        [0xe0, 0xb9, 0x3a],
        [0xb7, 0x9c, 0xf2],
    ],
};

/// Colours that stand for names: [`themed`] puts the names in their place.
const NAMED: Palette = Palette {
    card: [0xfe, 0x01, 0x01],
    line: [0xfe, 0x01, 0x02],
    ink: [0xfe, 0x01, 0x03],
    muted: [0xfe, 0x01, 0x04],
    accent: [0xfe, 0x01, 0x05],
    series: [
        [0xfe, 0x02, 0x01],
        [0xfe, 0x02, 0x02],
        [0xfe, 0x02, 0x03],
        [0xfe, 0x02, 0x04],
        [0xfe, 0x02, 0x05],
        [0xfe, 0x02, 0x06],
    ],
};

impl Theme {
    /// The theme's colours.
    #[must_use]
    pub fn palette(self) -> Palette {
        match self {
            Self::Light => LIGHT,
            Self::Dark => DARK,
            Self::Page => NAMED,
        }
    }
}

impl Palette {
    /// A colour for each custom property of the style sheet, by its name without dashes.
    #[must_use]
    pub fn named(&self) -> [(&'static str, [u8; 3]); 11] {
        let s = self.series;
        [
            ("card", self.card),
            ("line", self.line),
            ("ink", self.ink),
            ("muted", self.muted),
            ("accent", self.accent),
            ("series-1", s[0]),
            ("series-2", s[1]),
            ("series-3", s[2]),
            ("series-4", s[3]),
            ("series-5", s[4]),
            ("series-6", s[5]),
        ]
    }

    /// Reads the palette through a function that knows the custom properties; what it does not
    /// know keeps the light colour.
    #[must_use]
    pub fn read(property: impl Fn(&str) -> Option<[u8; 3]>) -> Self {
        let get = |name: &str, or: [u8; 3]| property(name).unwrap_or(or);
        let mut palette = LIGHT;
        palette.card = get("card", LIGHT.card);
        palette.line = get("line", LIGHT.line);
        palette.ink = get("ink", LIGHT.ink);
        palette.muted = get("muted", LIGHT.muted);
        palette.accent = get("accent", LIGHT.accent);
        for (i, name) in
            ["series-1", "series-2", "series-3", "series-4", "series-5", "series-6"].iter().enumerate()
        {
            palette.series[i] = get(name, LIGHT.series[i]);
        }
        palette
    }
}

/// `#rrggbb` as three bytes.
#[must_use]
pub fn parse_hex(text: &str) -> Option<[u8; 3]> {
    let digits = text.trim().strip_prefix('#').filter(|d| d.len() == 6 && d.is_ascii())?;
    let byte = |i: usize| u8::from_str_radix(&digits[i..i + 2], 16).ok();
    Some([byte(0)?, byte(2)?, byte(4)?])
}

/// Replaces the named colours of an SVG, in large or small letters, by references to the page's custom properties.
pub(crate) fn themed(svg: &str) -> String {
    NAMED.named().iter().fold(svg.to_owned(), |out, (name, [r, g, b])| {
        let name = format!("var(--{name})");
        out.replace(&format!("#{r:02X}{g:02X}{b:02X}"), &name)
            .replace(&format!("#{r:02x}{g:02x}{b:02x}"), &name)
    })
}

pub(crate) fn rgb([r, g, b]: [u8; 3]) -> RGBColor {
    RGBColor(r, g, b)
}
