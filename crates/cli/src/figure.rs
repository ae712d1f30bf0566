//! `tokenyard figure <link>`: a state as a static picture, for other people's documents.

use tokenyard_figure::{Shot, Theme};

use crate::address::{self, Target};
use crate::args::Args;
use crate::link;
use crate::options::{deliver, one_of, site, sweep, swept, text};
use crate::outcome::Outcome;
use crate::refusal::Refusal;
use crate::words;

const OPTIONS: [&str; 7] = ["format", "theme", "lang", "scale", "out", "site-url", "sweep"];

/// What is made of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Svg,
    Png,
    Alt,
    Caption,
}

/// Options, as given or by default.
struct Wanted {
    form: Form,
    theme: Theme,
    language: String,
    scale: u32,
    out: Option<String>,
    site: Option<String>,
    sweep: bool,
}

/// Reads a link and makes its figure, caption or alternative text.
pub(crate) fn command(mut args: Args) -> Result<Outcome, Refusal> {
    let Some(given) = args.positional() else {
        return Err(Refusal::new("figure needs a link; allowed: labs/<id>/#… or #lab=<id>&…".to_owned()));
    };
    let wanted = Wanted::take(&mut args)?;
    args.finish("figure", &OPTIONS)?;
    let target = address::read(&given)?;
    let state = link::state(&target)?;
    let Target { lab, .. } = target;
    let words = words::of(lab.id, &wanted.language)?;
    let rows = swept(wanted.sweep, lab, &state.setup)?;
    let shot = Shot::swept(lab, &state, &words, &rows);
    let address = wanted.site.as_ref().map(|site| format!("{site}{}", shot.carried().link()));
    let address = address.as_deref();
    let svg = || shot.svg(wanted.theme, address).map_err(|error| Refusal::new(error.to_string()));
    let bytes = match wanted.form {
        Form::Svg => svg()?.into_bytes(),
        Form::Alt => format!("{}\n", shot.alt()).into_bytes(),
        Form::Caption => format!("{}\n", shot.caption(address)).into_bytes(),
        Form::Png => png(&svg()?, &shot, &wanted)?,
    };
    deliver(bytes, wanted.out.as_deref())
}

#[cfg(feature = "png")]
fn png(svg: &str, shot: &Shot, wanted: &Wanted) -> Result<Vec<u8>, Refusal> {
    let unpainted = |error: tokenyard_figure::Unpainted| Refusal::new(error.to_string());
    let plain = tokenyard_figure::Painter::new().and_then(|p| p.png(svg, wanted.scale)).map_err(unpainted)?;
    let signed = tokenyard_figure::sign_png(&plain, &shot.carried());
    signed.map_err(|error| Refusal::new(error.to_string()))
}

#[cfg(not(feature = "png"))]
fn png(_: &str, _: &Shot, _: &Wanted) -> Result<Vec<u8>, Refusal> {
    Err(Refusal::new(
        "--format is png; this program was built without it; allowed: svg, alt, caption".to_owned(),
    ))
}

impl Wanted {
    fn take(args: &mut Args) -> Result<Self, Refusal> {
        let forms = [("svg", Form::Svg), ("png", Form::Png), ("alt", Form::Alt), ("caption", Form::Caption)];
        let themes = [("light", Theme::Light), ("dark", Theme::Dark)];
        let scales = [("1", 1), ("2", 2), ("3", 3), ("4", 4)];
        let wanted = Self {
            form: one_of(args, "format", &forms)?.unwrap_or(Form::Svg),
            theme: one_of(args, "theme", &themes)?.unwrap_or(Theme::Light),
            language: text(args, "lang")?.unwrap_or_else(|| words::default().to_owned()),
            scale: one_of(args, "scale", &scales)?.unwrap_or(2),
            out: text(args, "out")?,
            site: site(args)?,
            sweep: sweep(args)?,
        };
        if wanted.form == Form::Png && wanted.out.is_none() {
            return Err(Refusal::new("--out is missing; a PNG is no text: --out FILE".to_owned()));
        }
        Ok(wanted)
    }
}
