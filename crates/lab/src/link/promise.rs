//! Whether a link's headline numbers still come out, and what is to be said about it.

use crate::msg::{Arg, Msg, msg};

/// What became of headline numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They come out again.
    Same,
    /// They differ under another model than the link was made with, which is no fault of either.
    OtherModel,
    /// They differ under the same model, or the link does not say under which.
    Differs,
}

impl Verdict {
    /// Compares what a link says with what the present model (`own`) gives. `made` is the model
    /// version in the link.
    #[must_use]
    pub fn of(made: Option<u32>, own: u32, was: &[String], now: &[String]) -> Self {
        if was == now {
            Self::Same
        } else if made.is_some_and(|made| made != own) {
            Self::OtherModel
        } else {
            Self::Differs
        }
    }
}

/// What a page says about a link's model version and headline numbers, in the keys of the common
/// catalogue. `figures` are those of the link and those of now, if the link carries any. That a link
/// is of a newer model is told by its [`super::Notice`] and not here.
#[must_use]
pub fn promise(made: Option<u32>, own: u32, figures: Option<(&[String], &[String])>) -> Vec<Msg> {
    let older =
        made.filter(|made| *made < own).map(|made| msg("link.older").with("n", made).with("own", own));
    let compared = figures.map(|(was, now)| match Verdict::of(made, own, was, now) {
        Verdict::Same => msg("link.same"),
        Verdict::OtherModel => msg("link.moved").with("was", list(was)).with("now", list(now)),
        Verdict::Differs => msg("link.differs").with("was", list(was)).with("now", list(now)),
    });
    older.into_iter().chain(compared).collect()
}

fn list(figures: &[String]) -> Arg {
    Arg::List(figures.iter().map(|figure| Arg::Text(figure.clone())).collect())
}
