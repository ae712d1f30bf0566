//! A lab in a state, as `#lab=<id>&…`: the fragment of the single-file edition, and what "Copy link"
//! gives after the lab's own address.

use tokenyard_lab::labs;
use tokenyard_lab::link::{self, Notice, State};
use tokenyard_lab::{Arg, LabSpec, Msg, msg};

/// A lab in a state.
#[derive(Clone, Debug)]
pub struct Place {
    /// The lab.
    pub lab: &'static LabSpec,
    /// Its state; every value is in range.
    pub state: State,
    /// Row identifiers of its summary table. Kept, because a file can name thousands of figures.
    pub rows: Vec<&'static str>,
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.lab.id == other.lab.id && self.state == other.state
    }
}

impl Place {
    /// Reads a state. Cost: one table. Whatever stands before the `#` is passed over, so an address of the single-file
    /// edition can be pasted whole.
    ///
    /// # Errors
    /// Everything that could not be used as it stands; a page would clamp and go on, a lesson must not.
    pub fn read(text: &str) -> Result<Self, Vec<Msg>> {
        let fragment = text.split_once('#').map_or(text, |(_, fragment)| fragment);
        let mut parts: Vec<&str> = fragment.split('&').collect();
        let at = parts.iter().position(|part| part.starts_with("lab="));
        let known = || Arg::Text(all());
        let Some(at) = at.filter(|_| text.contains('#')) else {
            return Err(vec![msg("fault.state").with("labs", known())]);
        };
        let id = parts.remove(at).trim_start_matches("lab=");
        let Some(lab) = labs::by_id(id) else {
            let given = crate::fault::shorten(id);
            return Err(vec![msg("fault.lab").with("lab", given).with("labs", known())]);
        };
        let (state, notices) = link::read(lab, &parts.join("&"));
        if notices.is_empty() {
            let rows = lab.table(&state.setup).rows.iter().map(|row| row.id).collect();
            return Ok(Self { lab, state, rows });
        }
        Err(notices.iter().map(|notice| said(lab, notice)).collect())
    }

    /// The state as it is read, the shortest there is.
    #[must_use]
    pub fn write(&self) -> String {
        let fragment = link::write(self.lab, &self.state);
        let and = if fragment.is_empty() { "" } else { "&" };
        format!("#lab={}{and}{fragment}", self.lab.id)
    }
}

/// Why a part of a lab's link cannot be used.
pub(crate) fn said(lab: &LabSpec, notice: &Notice) -> Msg {
    let mut notice = notice.clone();
    if let Notice::Value(error) = &mut notice {
        error.key = crate::write::link_of(lab, &error.key).to_owned();
    }
    why(&notice, &keys(lab), lab.model_version)
}

/// Why a part of a link cannot be used; `keys` are those that are known, `own` the version of what it leads to.
pub(crate) fn why(notice: &Notice, keys: &str, own: u32) -> Msg {
    match notice {
        Notice::Unknown(key) => {
            msg("fault.link-unknown").with("key", key.clone()).with("allowed", keys.to_owned())
        }
        Notice::Value(error) => msg("fault.link-value")
            .with("key", error.key.clone())
            .with("value", error.given.clone())
            .with("allowed", error.allowed.clone()),
        Notice::Repeated(key) => msg("fault.link-repeated").with("key", key.clone()),
        Notice::TooLong(n) => msg("fault.link-long").with("n", *n).with("most", link::MAX_CHARS),
        Notice::Newer(version) => msg("fault.link-newer").with("n", *version).with("own", own),
        Notice::NewerForm { form, own } => msg("fault.link-form").with("n", *form).with("own", *own),
    }
}

/// Names of a lab's settings in links.
pub(crate) fn keys(lab: &LabSpec) -> String {
    let all: Vec<&str> = lab.params.iter().chain(lab.views).map(|spec| spec.link).collect();
    all.join(", ")
}

fn all() -> String {
    let ids: Vec<&str> = labs::LABS.iter().map(|lab| lab.id).collect();
    ids.join(", ")
}
