//! What of a lab an embed shows, as its address asks for it: `?ui=lab&controls=interval,player`.
//!
//! The same table serves three: the application, which leaves parts out; the script of the first
//! frame, which hides them until then (it gets the table as JSON); and the documentation.

use tokenyard_lab::{Arg, LabSpec, Msg, msg};

/// A part of an embed. Its identifier is its name in `controls=` and in `data-part`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The claim under the title.
    Lead,
    /// The link to the lab's own page.
    Open,
    /// Share and embed.
    Link,
    /// The question asked before anything moves.
    Predict,
    /// The player's buttons.
    Player,
    /// "Change from here on".
    Fork,
    /// Every knob.
    Knobs,
    /// "More settings" and "Reset all".
    More,
    /// Seed and "is it luck?".
    Luck,
    /// "Why this?".
    Why,
    /// The charts.
    Charts,
    /// The summary table.
    Table,
    /// Challenges, presets, model card, notes, closing card, transcript.
    Below,
}

impl Part {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Lead,
        Self::Open,
        Self::Link,
        Self::Predict,
        Self::Player,
        Self::Fork,
        Self::Knobs,
        Self::More,
        Self::Luck,
        Self::Why,
        Self::Charts,
        Self::Table,
        Self::Below,
    ];

    /// Its name.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Lead => "lead",
            Self::Open => "open",
            Self::Link => "link",
            Self::Predict => "predict",
            Self::Player => "player",
            Self::Fork => "fork",
            Self::Knobs => "knobs",
            Self::More => "more",
            Self::Luck => "luck",
            Self::Why => "why",
            Self::Charts => "charts",
            Self::Table => "table",
            Self::Below => "below",
        }
    }

    /// Whether a reader sets something with it. A list of controls leaves out those it does not name;
    /// what is only looked at stays as the shape has it.
    #[must_use]
    pub fn is_control(self) -> bool {
        !matches!(self, Self::Lead | Self::Open | Self::Charts | Self::Table)
    }
}

/// How much of a lab an embed shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ui {
    /// All of its page.
    Full,
    /// Scene, player, knobs, charts.
    Lab,
    /// Scene and player.
    Player,
    /// A still picture: scene, sentence, charts.
    Figure,
}

impl Ui {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Full, Self::Lab, Self::Player, Self::Figure];

    /// Its name in the address.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Lab => "lab",
            Self::Player => "player",
            Self::Figure => "figure",
        }
    }

    /// Key of its name for readers.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Full => "share.shape.full",
            Self::Lab => "share.shape.lab",
            Self::Player => "share.shape.player",
            Self::Figure => "share.shape.figure",
        }
    }

    /// The parts it shows unless the address lists controls.
    #[must_use]
    pub fn parts(self) -> &'static [Part] {
        match self {
            Self::Full => &Part::ALL,
            Self::Lab => &[Part::Open, Part::Player, Part::Fork, Part::Knobs, Part::More, Part::Charts],
            Self::Player => &[Part::Open, Part::Player],
            Self::Figure => &[Part::Open, Part::Charts],
        }
    }
}

/// What an embed shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How much.
    pub ui: Ui,
    /// The controls that the address lists, if it does: names of parts, and of knobs as in links.
    pub controls: Option<Vec<String>>,
    /// Whether the question is asked, so that what would answer it is covered.
    pub asks: bool,
}

impl Shape {
    /// Everything.
    #[must_use]
    pub fn whole() -> Self {
        Self { ui: Ui::Full, controls: None, asks: true }
    }

    /// Reads the values of `ui` and `controls`. What cannot be used is left out, and told.
    #[must_use]
    pub fn read(lab: &LabSpec, ui: Option<&str>, controls: Option<&str>) -> (Self, Vec<Msg>) {
        let mut told = Vec::new();
        let known = ui.map(|given| (given, Ui::ALL.into_iter().find(|ui| ui.id() == given)));
        let ui = match known {
            None => Ui::Lab,
            Some((_, Some(ui))) => ui,
            Some((given, None)) => {
                told.push(refusal("ui", given, Ui::ALL.map(Ui::id).into_iter()));
                Ui::Lab
            }
        };
        let names = || {
            let parts = Part::ALL.into_iter().map(Part::id);
            parts.chain(lab.params.iter().chain(lab.views).map(|p| p.link)).chain(["none"])
        };
        let controls = controls.map(|list| {
            let (good, bad): (Vec<&str>, Vec<&str>) = list
                .split(',')
                .map(str::trim)
                .filter(|name| !name.is_empty())
                .partition(|name| names().any(|known| known == *name));
            told.extend(bad.iter().map(|name| refusal("controls", name, names())));
            good.into_iter().map(str::to_owned).collect()
        });
        let mut shape = Self { ui, controls, asks: false };
        shape.asks = shape.shows(Part::Predict);
        (shape, told)
    }

    /// Whether a part is shown.
    #[must_use]
    pub fn shows(&self, part: Part) -> bool {
        let by_ui = self.ui.parts().contains(&part);
        match &self.controls {
            None => by_ui,
            Some(_) if part == Part::Knobs => self.lists(part.id()) || self.some_knob(),
            Some(_) => self.lists(part.id()) || (by_ui && !part.is_control()),
        }
    }

    /// Whether a knob is shown, if any is. It is called as in links.
    #[must_use]
    pub fn knob(&self, link: &str) -> bool {
        self.controls.is_none() || self.lists(Part::Knobs.id()) || self.lists(link)
    }

    /// Whether knobs are shown one by one, as listed, and not by the lab's own order of importance.
    #[must_use]
    pub fn picks_knobs(&self) -> bool {
        self.controls.is_some() && !self.lists(Part::Knobs.id())
    }

    fn lists(&self, name: &str) -> bool {
        self.controls.as_ref().is_some_and(|list| list.iter().any(|one| one == name))
    }

    fn some_knob(&self) -> bool {
        let is_part = |name: &String| name == "none" || Part::ALL.iter().any(|p| p.id() == name);
        self.controls.as_ref().is_some_and(|list| list.iter().any(|name| !is_part(name)))
    }
}

fn refusal<'a>(key: &str, given: &str, allowed: impl Iterator<Item = &'a str>) -> Msg {
    let allowed = Arg::List(allowed.map(|name| Arg::Text(name.to_owned())).collect());
    msg("frame.value").with("key", key.to_owned()).with("given", given.to_owned()).with("allowed", allowed)
}

/// The table as JSON, for the script of the first frame: parts by shape, and the parts that are
/// controls.
#[must_use]
pub fn table() -> String {
    let list = |parts: &mut dyn Iterator<Item = Part>| {
        let names: Vec<String> = parts.map(|p| format!("\"{}\"", p.id())).collect();
        format!("[{}]", names.join(","))
    };
    let shapes: Vec<String> = Ui::ALL
        .iter()
        .map(|ui| format!("\"{}\":{}", ui.id(), list(&mut ui.parts().iter().copied())))
        .collect();
    let controls = list(&mut Part::ALL.into_iter().filter(|p| p.is_control()));
    format!("{{\"shapes\":{{{}}},\"controls\":{controls}}}", shapes.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenyard_lab::labs::LABS;

    fn shape(ui: &str, controls: Option<&str>) -> Shape {
        let (shape, told) = Shape::read(LABS[0], Some(ui), controls);
        assert!(told.is_empty(), "{told:?}");
        shape
    }

    #[test]
    fn larger_shapes_show_all_that_smaller_ones_do() {
        let shows = |ui: Ui| ui.parts();
        assert!(shows(Ui::Player).iter().all(|p| shows(Ui::Lab).contains(p)));
        assert!(shows(Ui::Lab).iter().all(|p| shows(Ui::Full).contains(p)));
        assert!(shows(Ui::Figure).iter().all(|p| !p.is_control()));
        assert_eq!(shape("full", None), Shape::whole());
    }

    #[test]
    fn a_list_of_controls_allows_those_and_no_others() {
        let key = LABS[0].params[0].link;
        let one = shape("lab", Some(key));
        assert!(one.knob(key) && one.shows(Part::Knobs) && one.picks_knobs());
        assert!(!one.knob(LABS[0].params[1].link) && !one.shows(Part::Player) && !one.shows(Part::More));
        assert!(one.shows(Part::Charts) && one.shows(Part::Open) && !one.shows(Part::Table));
        let none = shape("full", Some("none"));
        assert!(Part::ALL.into_iter().all(|p| none.shows(p) != p.is_control()));
        let more = shape("player", Some("player, knobs,why"));
        assert!(more.shows(Part::Why) && more.knob(key) && !more.picks_knobs() && !more.shows(Part::Charts));
    }

    #[test]
    fn what_is_unknown_is_named_with_what_is_allowed() {
        let (shape, told) = Shape::read(LABS[0], Some("big"), Some("player,volume"));
        assert_eq!((shape.ui, shape.controls), (Ui::Lab, Some(vec!["player".to_owned()])));
        assert_eq!(told.len(), 2);
        assert!(format!("{:?}", told[0]).contains("big") && format!("{:?}", told[0]).contains("figure"));
        assert!(format!("{:?}", told[1]).contains("volume") && format!("{:?}", told[1]).contains("player"));
    }

    #[test]
    fn knobs_and_parts_do_not_share_names() {
        for lab in LABS {
            for spec in lab.params.iter().chain(lab.views) {
                assert!(Part::ALL.iter().all(|p| p.id() != spec.link), "{} {}", lab.id, spec.link);
            }
        }
    }

    #[test]
    fn the_table_is_what_the_script_reads() {
        let table = table();
        assert!(table.starts_with("{\"shapes\":{\"full\":[\"lead\",\"open\""), "{table}");
        assert!(table.contains("\"player\":[\"open\",\"player\"]"), "{table}");
        assert!(table.ends_with("\"why\",\"below\"]}"), "{table}");
    }
}
