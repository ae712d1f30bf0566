//! Everything a lab says in many runs, rendered in every language.

use std::collections::{BTreeMap, BTreeSet};

use tokenyard_lab::digest::{PER_LAB, count, scenario};
use tokenyard_lab::words::placeholders;
use tokenyard_lab::{Arg, Decision, Figure, Fork, LabSpec, Msg, Setup, Words};
use tokenyard_param::Kind;

/// Most words of a cue in English.
const CUE_WORDS: usize = 25;
/// Steps of a scenario of which the whole page is looked at, besides the key moments; its
/// transcript is read to the end.
const LOOKS: u32 = 16;

/// Items of a sweep that are made to see what it draws.
const SWEPT: u32 = 40;

/// Settings that reach sentences which defaults, presets and corners do not: a request that leaves
/// for its own owner and misses there, a click that is cut, and runs that are stopped with work
/// left, in the first lane or in another one.
const RARE: &[(&str, &[(&str, &str)])] = &[
    ("prefix-affinity", &[("load_gap_threshold", "0"), ("cache_slots", "1"), ("replicas", "2")]),
    ("retries", &[("layers", "6"), ("attempts_1", "10"), ("attempts_2", "10"), ("attempts_3", "10")]),
    ("routing-lab", &[("arrival_rate", "0.01"), ("count", "2000")]),
    ("routing-lab", &[("batch_penalty", "1"), ("decode_tokens_per_tick", "0.1"), ("max_batch", "64")]),
    (
        "routing-lab",
        &[
            ("batch_penalty", "1"),
            ("decode_tokens_per_tick", "0.4"),
            ("max_batch", "64"),
            ("lane_a", "prefix-aware"),
            ("lane_b", "least-kv"),
        ],
    ),
];

/// A walk through runs of one lab; it remembers the keys it met.
pub(crate) struct Walk {
    lab: &'static LabSpec,
    languages: Vec<(String, Words)>,
    /// Every key shows itself in brackets: finds what a scene asks for.
    marker: Words,
    pub(crate) keys: BTreeSet<String>,
    /// What the lab gave to the sentences it said: key, then names of arguments.
    pub(crate) given: BTreeMap<String, BTreeSet<String>>,
    /// Keys that scenes drew words of; their arguments are not seen, only that none was missing.
    pub(crate) drawn: BTreeSet<String>,
}

impl Walk {
    pub(crate) fn new(lab: &'static LabSpec, languages: Vec<(String, Words)>) -> Self {
        let own = &languages[0].1;
        let mark = |key: &str| match key {
            key if key.starts_with("number.") => own.get(key).to_owned(),
            key => format!("⟦{key}⟧"),
        };
        let marker = own.keys().map(|key| (key.to_owned(), mark(key))).collect();
        let (given, drawn) = (BTreeMap::new(), BTreeSet::new());
        Self { lab, languages, marker, keys: BTreeSet::new(), given, drawn }
    }

    /// Defaults, challenges, presets and a fork step by step, then every choice of every lane, rare runs and the corner scenarios.
    pub(crate) fn go(&mut self) {
        let lab = self.lab;
        self.visit(&lab.defaults(), 1);
        self.sweep(&lab.defaults());
        lab.presets.iter().for_each(|p| self.visit(&lab.with(p.set), 1));
        lab.challenges.iter().for_each(|c| self.visit(&lab.with(c.start), 1));
        if lab.forks() {
            let mut setup = lab.defaults();
            let step = lab.run(&setup).steps() / 2;
            setup.fork = Some(Fork { step, values: lab.with(lab.presets[0].set).values });
            self.visit(&setup, 1);
        }
        for view in lab.views {
            if let Kind::Choice { options, .. } = view.kind {
                options.iter().for_each(|option| self.visit(&lab.with(&[(view.key, option)]), LOOKS));
            }
        }
        for (_, set) in RARE.iter().filter(|(id, _)| *id == lab.id) {
            let setup = lab.with(set);
            let steps = lab.run(&setup).steps();
            self.visit(&setup, (steps / LOOKS).max(1));
        }
        let mine = (0..count()).filter_map(scenario).filter(|(l, _)| l.id == lab.id);
        let setups: Vec<Setup> = mine.map(|(_, values)| Setup { values, ..lab.defaults() }).collect();
        assert_eq!(setups.len(), PER_LAB as usize);
        for setup in &setups {
            let steps = lab.run(setup).steps();
            self.visit(setup, (steps / LOOKS).max(1));
        }
    }

    fn visit(&mut self, setup: &Setup, stride: u32) {
        let run = self.lab.run(setup);
        let question = (self.lab.prediction.question)(setup);
        self.msg(&question);
        self.lab.table(setup).rows.iter().for_each(|row| self.msg(&row.name));
        run.cut().iter().for_each(|cut| self.msg(cut));
        let mut looks: BTreeSet<u32> = (0..run.steps()).step_by(stride as usize).collect();
        looks.insert(run.steps() - 1);
        for moment in run.moments() {
            self.msg(&moment.cue);
            self.is_short(&moment.cue);
            looks.insert(moment.step);
        }
        // A step past the end, which a page may ask for once, says something whole too.
        for step in 0..=run.steps() {
            self.msg(&run.say(step));
        }
        for step in looks {
            run.figures(step).iter().for_each(|figure| self.figure(figure));
            run.decisions(step).iter().for_each(|decision| self.decision(decision));
            for covered in [true, false] {
                self.scene(&|words| run.scene(step, covered, words));
            }
        }
    }

    /// The names of what the first items of a sweep draw.
    fn sweep(&mut self, setup: &Setup) {
        let Some(sweep) = self.lab.sweep else { return };
        let rows: Vec<_> =
            (0..sweep.items.min(SWEPT)).map(|i| tokenyard_lab::sweep::sample(self.lab, setup, i)).collect();
        for series in (sweep.series)(setup, &rows) {
            [&series.name, &series.short].into_iter().for_each(|msg| self.msg(msg));
        }
    }

    fn figure(&mut self, figure: &Figure) {
        self.bare(&format!("figure.{}.caption", figure.id));
        let labels = [&figure.x.label, &figure.y.label, &figure.summary];
        let named = [&figure.x, &figure.y].into_iter().flat_map(|axis| &axis.named).map(|(_, name)| name);
        let series = figure.series.iter().flat_map(|s| [&s.name, &s.short]);
        let guides = figure.guides.iter().map(|g| &g.label).chain(figure.pins.iter().map(|p| &p.label));
        labels.into_iter().chain(named).chain(series).chain(guides).for_each(|msg| self.msg(msg));
    }

    fn decision(&mut self, decision: &Decision) {
        let head = decision.grid.head.iter();
        std::iter::once(&decision.title).chain(&decision.lines).chain(head).for_each(|msg| self.msg(msg));
        decision.grid.rows.iter().flat_map(|row| &row.cells).for_each(|cell| self.arg(cell));
    }

    /// Notes what a sentence is made of and reads it in every language.
    fn msg(&mut self, msg: &Msg) {
        self.parts(msg);
        for (language, words) in &self.languages {
            let text = words.say(msg);
            let filled = !text.contains('{') && !text.trim().is_empty();
            assert!(filled, "{} {} in {language}: {text:?}", self.lab.id, msg.key);
        }
    }

    fn parts(&mut self, msg: &Msg) {
        self.key(msg.key);
        let names = msg.args.iter().map(|(name, _)| (*name).to_owned());
        self.given.entry(msg.key.to_owned()).or_default().extend(names);
        for name in placeholders(self.languages[0].1.get(msg.key)) {
            let arg = msg.args.iter().find(|(n, _)| *n == name);
            let (_, arg) = arg.unwrap_or_else(|| panic!("{}: {} lacks {name}", self.lab.id, msg.key));
            self.arg(arg);
        }
    }

    fn arg(&mut self, arg: &Arg) {
        match arg {
            Arg::Msg(msg) => self.parts(msg),
            Arg::Key(key) => self.bare(key),
            Arg::List(items) => items.iter().for_each(|item| self.arg(item)),
            Arg::Int(_) | Arg::Fixed(..) | Arg::Percent(_) | Arg::Text(_) | Arg::Replica(_) => {}
        }
    }

    /// A key whose words are shown without arguments.
    fn bare(&mut self, key: &str) {
        self.key(key);
        for (language, words) in &self.languages {
            let wanted = placeholders(words.get(key));
            assert!(wanted.is_empty(), "{} {key} in {language} waits for {wanted:?}", self.lab.id);
        }
    }

    fn key(&mut self, key: &str) {
        if !self.keys.contains(key) {
            assert!(self.languages[0].1.has(key), "{}: no words for {key}", self.lab.id);
            self.keys.insert(key.to_owned());
        }
    }

    fn is_short(&self, cue: &Msg) {
        let english = self.languages.iter().find(|(language, _)| language == "en");
        let text = english.unwrap().1.say(cue);
        assert!(text.split_whitespace().count() <= CUE_WORDS, "{}: {text}", self.lab.id);
    }

    fn scene(&mut self, draw: &dyn Fn(&Words) -> String) {
        let marked = draw(&self.marker);
        let mut plain = String::new();
        for piece in marked.split('⟧') {
            let (before, key) = piece.split_once('⟦').map_or((piece, None), |(b, k)| (b, Some(k)));
            plain.push_str(before);
            if let Some(key) = key {
                self.key(key);
                self.drawn.insert(key.to_owned());
            }
        }
        assert!(raw_key(&plain).is_none(), "{}: no words for {:?}", self.lab.id, raw_key(&plain));
        for (language, words) in &self.languages {
            let scene = draw(words);
            let open = scene.find('{').map(|at| scene[at..].chars().take(40).collect::<String>());
            assert!(open.is_none(), "{} scene in {language}: {open:?}", self.lab.id);
        }
    }
}

/// The first word in markup that looks like a key: letters, a dot, letters. Coordinates do not,
/// and names that the reader typed do not occur in these runs.
pub(crate) fn raw_key(markup: &str) -> Option<&str> {
    let of_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let mut words = markup.split(|c| !of_key(c));
    words.find(|word| {
        let mut parts = word.split('.');
        let starts = |part: &str| part.starts_with(|c: char| c.is_ascii_alphabetic());
        parts.next().is_some_and(starts) && parts.next().is_some_and(|part| !part.is_empty())
    })
}
