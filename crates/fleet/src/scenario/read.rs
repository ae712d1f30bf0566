//! From a file to a draft. Everything that is wrong is reported, not the first thing only.

use tokenyard_param::{Kind, ParamSpec, Value, Values};
use tokenyard_policy::rules;

use super::change::{self, MOST_CHANGES};
use super::draft::{Draft, MOST_SEED, Section};
use super::json::{self, Node};
use super::problem::{MOST_PROBLEMS, Problem, shorten};
use super::schema::{VERSION, allowed, rule_ids};

/// Fields at the top of a file.
const TOP: [&str; 10] =
    ["version", "seed", "workload", "fleet", "router", "client", "gateway", "changes", "limits", "slo"];

/// Longest list of known names that a message repeats.
const MOST_NAMES: usize = 12;

type Fields = Vec<(String, Node)>;

impl Draft {
    /// Reads a scenario file. What it does not say is at its default.
    ///
    /// # Errors
    /// Every field that is unknown, given twice, of the wrong kind or out of range, at most
    /// [`MOST_PROBLEMS`]; or the one place where the text stops being JSON.
    pub fn read(bytes: &[u8]) -> Result<Self, Vec<Problem>> {
        let node = json::parse(bytes).map_err(|problem| vec![problem])?;
        let mut reader = Reader { problems: Vec::new() };
        let draft = reader.draft(node);
        if reader.problems.is_empty() { Ok(draft) } else { Err(reader.problems) }
    }
}

/// A field that nobody knows.
pub(super) fn unknown_field(path: &str, known: &[&str]) -> Problem {
    let key = path.rsplit('.').next().unwrap_or(path);
    let mut near: Vec<&str> = known.to_vec();
    near.sort_by_key(|name| distance(name, key));
    let rest = if near.len() > MOST_NAMES { ", …" } else { "" };
    near.truncate(MOST_NAMES);
    let allowed =
        if near.is_empty() { "no field at all".to_owned() } else { format!("{}{rest}", near.join(", ")) };
    Problem::new(&shorten_path(path), "unknown", allowed)
}

/// A key comes from the file and may be as long as the file, or hold nothing that can be shown.
fn shorten_path(path: &str) -> String {
    let short = if path.chars().count() <= 80 {
        path.chars().filter(|c| !c.is_control()).collect()
    } else {
        shorten(path)
    };
    if short.is_empty() { "\"\"".to_owned() } else { short }
}

/// How unlike two names are: letters beyond the common beginning, on both sides.
fn distance(a: &str, b: &str) -> usize {
    let same = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    a.len() + b.len() - 2 * same
}

struct Reader {
    problems: Vec<Problem>,
}

impl Reader {
    fn report(&mut self, problem: Problem) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(problem);
        }
    }

    fn wrong(&mut self, path: &str, node: &Node, allowed: impl Into<String>) {
        self.report(Problem::new(&shorten_path(path), node.shown(), allowed));
    }

    fn draft(&mut self, node: Node) -> Draft {
        let mut draft = Draft::default();
        let fields = self.object("the file", node);
        self.known("", &fields, &TOP);
        for (key, node) in fields {
            match key.as_str() {
                "version" if whole(&node) == Some(i64::from(VERSION)) => {}
                "version" => self.wrong("version", &node, VERSION.to_string()),
                "seed" => match whole(&node).and_then(|n| u64::try_from(n).ok()) {
                    Some(seed) if seed <= MOST_SEED => draft.seed = seed,
                    _ => self.wrong("seed", &node, format!("0 to {MOST_SEED}")),
                },
                "router" => self.router(node, &mut draft),
                "changes" => draft.changes = self.changes(node),
                other => {
                    if let Some(section) = Section::ALL.into_iter().find(|s| s.key() == other) {
                        let fields = self.object(other, node);
                        self.values(other, fields, draft.section_mut(section));
                    }
                }
            }
        }
        draft
    }

    /// The fields of an object without duplicates; anything else is a problem.
    fn object(&mut self, path: &str, node: Node) -> Fields {
        match node {
            Node::Object(fields) => self.unique(path, fields),
            other => {
                self.wrong(path, &other, "an object");
                Vec::new()
            }
        }
    }

    fn unique(&mut self, path: &str, fields: Fields) -> Fields {
        let mut names: Vec<&str> = fields.iter().map(|(key, _)| key.as_str()).collect();
        names.sort_unstable();
        let twice: Vec<String> = names.windows(2).filter(|w| w[0] == w[1]).map(|w| w[0].to_owned()).collect();
        for key in twice.iter().take(MOST_PROBLEMS) {
            let path = if path == "the file" { key.clone() } else { format!("{path}.{key}") };
            self.report(Problem::new(&shorten_path(&path), "given twice", "once"));
        }
        fields
    }

    fn known(&mut self, path: &str, fields: &Fields, known: &[&str]) {
        for (key, _) in fields.iter().filter(|(key, _)| !known.contains(&key.as_str())).take(MOST_PROBLEMS) {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            self.report(unknown_field(&path, known));
        }
    }

    fn values(&mut self, path: &str, fields: Fields, into: &mut Values) {
        let known: Vec<&str> = into.specs().iter().map(|spec| spec.key).collect();
        self.known(path, &fields, &known);
        for (key, node) in fields {
            let Some(place) = into.position(&key) else { continue };
            let spec = into.specs()[place];
            let set = value(&spec, &node).is_some_and(|v| into.set(place, v));
            if !set {
                self.wrong(&format!("{path}.{key}"), &node, allowed(&spec.kind));
            }
        }
    }

    fn router(&mut self, node: Node, draft: &mut Draft) {
        let mut fields = self.object("router", node);
        let mut params = None;
        // The rule comes first, whatever the order in the file: it says what its parameters are.
        for (key, node) in fields.extract_if(.., |(key, _)| key == "rule" || key == "rule_params") {
            match &node {
                _ if key == "rule_params" => params = Some(node),
                Node::Text(id) if rules::by_id(id).is_some() => {
                    rules::by_id(id).into_iter().for_each(|rule| draft.set_rule(rule));
                }
                _ => self.wrong("router.rule", &node, rule_ids().join(", ")),
            }
        }
        if let Some(node) = params {
            let fields = self.object("router.rule_params", node);
            self.values("router.rule_params", fields, draft.rule_params_mut());
        }
        self.values("router", fields, draft.section_mut(Section::Router));
    }

    fn changes(&mut self, node: Node) -> Vec<Values> {
        let list = match node {
            Node::List(list) if list.len() <= MOST_CHANGES => list,
            Node::List(list) => {
                let given = format!("a list of {}", list.len());
                self.report(Problem::new("changes", given, format!("at most {MOST_CHANGES}")));
                return Vec::new();
            }
            other => {
                self.wrong("changes", &other, "a list");
                return Vec::new();
            }
        };
        list.into_iter().enumerate().map(|(i, node)| self.change(&format!("changes[{i}]"), node)).collect()
    }

    fn change(&mut self, path: &str, node: Node) -> Values {
        let mut values = Values::defaults(&change::TABLE);
        let fields = self.object(path, node);
        for spec in change::TABLE.iter().filter(|spec| change::required(spec)) {
            if fields.iter().all(|(key, _)| key != spec.key) {
                self.report(Problem::new(&format!("{path}.{}", spec.key), "missing", allowed(&spec.kind)));
            }
        }
        self.values(path, fields, &mut values);
        values
    }
}

/// A whole number, also if it is written with a fraction of zero or an exponent.
fn whole(node: &Node) -> Option<i64> {
    let Node::Number(text) = node else { return None };
    if let Ok(n) = text.parse::<i64>() {
        return Some(n);
    }
    let real: f64 = text.parse().ok()?;
    (real.fract() == 0.0 && real.abs() <= MOST_SEED as f64).then_some(real as i64)
}

/// What a node says for a parameter, if it is of the right kind; the range is not looked at.
fn value(spec: &ParamSpec, node: &Node) -> Option<Value> {
    match (spec.kind, node) {
        (Kind::OptInt { .. }, Node::Null) => Some(Value::Nothing),
        (Kind::Int { .. } | Kind::OptInt { .. }, node) => whole(node).map(Value::Int),
        // Adding zero turns a negative zero into an ordinary one.
        (Kind::Real { .. }, Node::Number(text)) => text.parse::<f64>().ok().map(|v| Value::Real(v + 0.0)),
        (Kind::Switch { .. }, Node::Bool(on)) => Some(Value::Switch(*on)),
        (Kind::Choice { options, .. }, Node::Text(text)) => {
            let at = options.iter().position(|option| option == text)?;
            u8::try_from(at).ok().map(Value::Choice)
        }
        (Kind::Text { .. }, Node::Text(text)) => Some(Value::Text(text.clone())),
        _ => None,
    }
}
