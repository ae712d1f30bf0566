//! The static figures of labs and presets, in the site's first language, light and dark: SVG, and PNG
//! for cards and for places that take no SVG.

use std::path::Path;

use tokenyard_figure::{Painter, Shot, Theme, sign_png};
use tokenyard_lab::link;

use super::{Catalogues, SiteError, SiteUrl, card, fail, put, put_bytes};
use crate::page::Kind;

/// Pixels of a PNG for each of the figure's own.
const SCALE: u32 = 2;

/// Writes `figures/<name>-light.svg`, `-dark.svg` and the same as PNG for each page that has figures.
/// Without a usable font there are no PNGs, without a character in any font one is missing, and a line
/// says so. Cost: a run for each page, and about a
/// tenth of a second for each PNG.
pub(super) fn write(
    out: &Path,
    pages: &[Kind],
    catalogues: &Catalogues,
    site: Option<&SiteUrl>,
) -> Result<(), SiteError> {
    let painter = Painter::new().inspect_err(|why| eprintln!("no PNG of any figure: {why}")).ok();
    for kind in pages {
        let (Some(lab), Some(name)) = (kind.lab(), card::figure(kind)) else {
            continue;
        };
        let words = &catalogues.page(*kind)[0].1;
        let (state, _) = link::read(lab, &kind.state());
        let shot = Shot::new(lab, &state, words);
        let address = site.map(|site| site.of(&kind.file()));
        for (theme, ending) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
            let path = out.join(format!("figures/{name}-{ending}.svg"));
            let svg = shot.svg(theme, address.as_deref()).map_err(|e| fail("drawing", &path, e))?;
            put(&path, &svg)?;
            let Some(painter) = &painter else {
                continue;
            };
            let path = path.with_extension("png");
            let plain = match painter.png(&svg, SCALE) {
                Ok(plain) => plain,
                // The site is whole without it; its card has no picture then.
                Err(why) => {
                    eprintln!("no {}: {why}", path.display());
                    continue;
                }
            };
            let signed = sign_png(&plain, &shot.carried()).map_err(|e| fail("signing", &path, e))?;
            put_bytes(&path, &signed)?;
        }
    }
    Ok(())
}
