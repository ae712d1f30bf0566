//! Everything as one JSON document. Its schema is `docs/export.schema.json`.

use tokenyard_lab::{Arg, Axis, Figure, Series, Shape};
use tokenyard_param::{ParamSpec, Value, Values};

use crate::answers::Answers;
use crate::json::Json;
use crate::series;

/// Version of the document's form. A reader refuses a newer one and says so.
pub(crate) const FORM: u32 = 1;

/// The document. The link stands near its top, so that a reader finds it early.
pub(crate) fn json(answers: &Answers) -> String {
    let source = answers.source;
    let (lab, words, setup) = (source.lab, source.words, &source.state.setup);
    let carried = answers.carried();
    let mut fields = vec![
        ("tokenyard", Json::text(carried.product())),
        ("export", Json::Int(i64::from(FORM))),
        ("lab", Json::text(lab.id)),
        ("model_version", Json::Int(i64::from(lab.model_version))),
        ("link", Json::text(source.address(&carried))),
        ("language", Json::text(words.get("shot.language"))),
        ("title", Json::text(words.at(&["title"]))),
        ("question", Json::text(words.at(&["question"]))),
        ("step", Json::Int(i64::from(answers.step) + 1)),
        ("steps", Json::Int(i64::from(answers.run.steps()))),
        ("settings", settings(&setup.values, answers)),
        ("views", settings(&setup.view, answers)),
    ];
    if let Some(fork) = &setup.fork {
        let step = Json::Int(i64::from(fork.step) + 1);
        let fork = vec![("step", step), ("settings", settings(&fork.values, answers))];
        fields.push(("fork", Json::Object(fork)));
    }
    fields.extend(answers.run.cut().map(|cut| ("cut", Json::text(words.say(&cut)))));
    fields.push(("table", table(answers)));
    fields.push(("figures", Json::list(answers.figures.iter().map(|f| figure(answers, f)))));
    Json::Object(fields).document()
}

/// All settings in their order, at their defaults or not.
fn settings(values: &Values, answers: &Answers) -> Json {
    let words = answers.source.words;
    let specs = values.specs().iter().enumerate();
    Json::list(specs.filter_map(|(i, spec)| {
        let (value, prefix) = (values.at(i)?, format!("param.{}", spec.key));
        Some(Json::Object(vec![
            ("key", Json::text(spec.key)),
            ("name", Json::text(words.at(&[&prefix, "name"]))),
            ("value", setting(spec, value)),
            ("unit", Json::text(unit(answers, &prefix, value))),
        ]))
    }))
}

/// One value: none is `null`, a switch a boolean, a choice the name of its option.
fn setting(spec: &ParamSpec, value: &Value) -> Json {
    match value {
        Value::Int(v) => Json::Int(*v),
        Value::Nothing => Json::Null,
        Value::Real(v) => Json::number(*v),
        Value::Switch(on) => Json::Switch(*on),
        Value::Choice(_) | Value::Text(_) => Json::text(spec.kind.write(value)),
    }
}

/// What a setting is counted in, bent as its number wants it; empty where there is none.
fn unit(answers: &Answers, prefix: &str, value: &Value) -> String {
    let (key, words) = (format!("{prefix}.unit"), answers.source.words);
    let number = match value {
        Value::Int(v) => Arg::Int(*v),
        Value::Real(v) => Arg::Fixed(*v, 0),
        _ => return String::new(),
    };
    if words.has(&key) { words.fill_key(&key, &[("n", number)]) } else { String::new() }
}

fn table(answers: &Answers) -> Json {
    let (source, table) = (answers.source, &answers.table);
    let columns = source.lab.columns.iter().map(|column| {
        Json::Object(vec![
            ("key", Json::text(column.key)),
            ("name", Json::text(source.column(column))),
            ("unit", Json::text(source.unit(column))),
        ])
    });
    let rows = table.rows.iter().map(|row| {
        Json::Object(vec![
            ("id", Json::text(row.id)),
            ("name", Json::text(source.words.say(&row.name))),
            ("cells", Json::list(row.cells.iter().map(|cell| Json::number(*cell)))),
        ])
    });
    Json::Object(vec![("columns", Json::list(columns)), ("rows", Json::list(rows))])
}

fn figure(answers: &Answers, figure: &Figure) -> Json {
    let words = answers.source.words;
    let guides = figure.guides.iter().map(|guide| {
        Json::Object(vec![("y", Json::number(guide.y)), ("label", Json::text(words.say(&guide.label)))])
    });
    let pins = figure.pins.iter().map(|pin| {
        let label = Json::text(words.say(&pin.label));
        Json::Object(vec![("x", Json::number(pin.x)), ("y", Json::number(pin.y)), ("label", label)])
    });
    Json::Object(vec![
        ("id", Json::text(figure.id)),
        ("title", Json::text(words.at(&["figure", figure.id, "caption"]))),
        ("summary", Json::text(words.say(&figure.summary))),
        ("x", axis(answers, &figure.x)),
        ("y", axis(answers, &figure.y)),
        ("series", Json::list(figure.series.iter().map(|series| line(answers, series)))),
        ("guides", Json::list(guides)),
        ("pins", Json::list(pins)),
    ])
}

/// What an axis measures with its unit, and the words of places on it that are no numbers.
fn axis(answers: &Answers, axis: &Axis) -> Json {
    let words = answers.source.words;
    let named = axis.named.iter().map(|(at, name)| {
        Json::Object(vec![("at", Json::number(*at)), ("name", Json::text(words.say(name)))])
    });
    Json::Object(vec![("label", Json::text(words.say(&axis.label))), ("named", Json::list(named))])
}

fn line(answers: &Answers, series: &Series) -> Json {
    let pairs = |pairs: &[(f64, f64)]| {
        Json::list(pairs.iter().map(|(a, b)| Json::List(vec![Json::number(*a), Json::number(*b)])))
    };
    let shape = match series.shape {
        Shape::Line => "line",
        Shape::Step => "step",
        Shape::Points => "points",
    };
    Json::Object(vec![
        ("name", Json::text(answers.source.words.say(&series.name))),
        ("kind", Json::text(series::kind(series))),
        ("shape", Json::text(shape)),
        ("points", pairs(&series.points)),
        ("band", pairs(&series.band)),
    ])
}
