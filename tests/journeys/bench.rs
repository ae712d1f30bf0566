//! What journeys through the site share: opening pages, their words, and comparing what is shown
//! with what the same code computes here.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tokenyard_browser_tests::{Failure, Outcome, Stopwatch, Tab};
use tokenyard_det::format;
use tokenyard_lab::catalogue::{self, Texts};
use tokenyard_lab::labs::{LABS, by_id};
use tokenyard_lab::{Arg, Ask, LabSpec, Setup, Table, Words, link, pseudo};

/// How long a page may take to follow. Generous: a machine under load is no defect of the page.
pub(crate) const SOON: Duration = Duration::from_secs(30);

/// The home page's file.
pub(crate) const HOME: &str = "index.html";
/// The fleet page's file.
pub(crate) const FLEET: &str = "fleet/index.html";
/// The proof page's file.
pub(crate) const PROOF: &str = "proof/index.html";
/// The page of lessons.
pub(crate) const TEACH: &str = "teach/index.html";

/// A lab's file.
pub(crate) fn file(lab: &LabSpec) -> String {
    format!("labs/{}/index.html", lab.id)
}

/// The button that compares with so many seeds.
pub(crate) fn luck_button(words: &Words, seeds: u32) -> String {
    words.fill_key("luck.run", &[("n", seeds.into())])
}

/// Every page's file.
pub(crate) fn files() -> Vec<String> {
    [HOME, FLEET, PROOF, TEACH]
        .map(str::to_owned)
        .into_iter()
        .chain(LABS.iter().map(|lab| file(lab)))
        .collect()
}

/// The lab that the examples are about.
pub(crate) fn herding() -> Result<&'static LabSpec, Failure> {
    by_id("herding").ok_or_else(|| "there is no lab called herding".into())
}

/// Opens a page in a new document and waits until the application has taken over.
pub(crate) async fn open(tab: &mut Tab, path: &str) -> Outcome {
    tab.open_fresh(path).await?;
    ready(tab).await
}

/// Opens a lab with a fragment, which may be empty.
pub(crate) async fn open_lab(tab: &mut Tab, lab: &LabSpec, fragment: &str) -> Outcome {
    let path = file(lab);
    open(tab, &if fragment.is_empty() { path } else { format!("{path}#{fragment}") }).await
}

/// Waits until the application has taken over the page.
pub(crate) async fn ready(tab: &Tab) -> Outcome {
    tab.wait_until("the application is there", "document.documentElement.dataset.ready === 'true'", SOON)
        .await
}

/// A fragment that answers the prediction, so that nothing is covered.
pub(crate) fn guessed(lab: &LabSpec) -> String {
    match lab.prediction.ask {
        Ask::Number { start, .. } => format!("guess={start}"),
        Ask::Choice(_) => "guess=0".to_owned(),
    }
}

/// A file of the site as plain text over plain HTTP, as a reader without scripts gets it.
pub(crate) fn fetch(tab: &Tab, path: &str) -> Result<String, Failure> {
    let url = tab.site().url();
    let (host, mount) =
        url.trim_start_matches("http://").split_once('/').ok_or("an address without a path")?;
    let mut stream = TcpStream::connect(host)?;
    stream.set_read_timeout(Some(SOON))?;
    write!(stream, "GET /{mount}{path} HTTP/1.0\r\nHost: {host}\r\nConnection: close\r\n\r\n")?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let text = String::from_utf8(answer).map_err(|error| error.to_string())?;
    let (head, body) = text.split_once("\r\n\r\n").ok_or("an answer without a head")?;
    if !head.starts_with("HTTP/1.1 200") && !head.starts_with("HTTP/1.0 200") {
        return Err(format!("{path}: {head}").into());
    }
    Ok(body.to_owned())
}

/// The words of a page in a language, from its own file.
pub(crate) fn words(tab: &Tab, path: &str, lang: &str) -> Result<Words, Failure> {
    let html = fetch(tab, path)?;
    let block = html.split_once("id=\"words\">").map(|(_, rest)| rest).ok_or("a page without words")?;
    let text = block.split("</script>").next().unwrap_or_default();
    let all: Value = serde_json::from_str(text)?;
    // A file that shows several pages has words for each.
    let page = path.split('?').next().unwrap_or(path).trim_end_matches("/index.html");
    let all = all.get(page).unwrap_or(&all);
    let map = all[lang].as_object().ok_or_else(|| Failure::new(format!("{path} has no words in {lang}")))?;
    let on_page = map.iter().filter_map(|(key, text)| Some((key.clone(), text.as_str()?.to_owned())));
    // What a broken page says stands in its file as text, and not among the application's words.
    let locales = Path::new(env!("CARGO_MANIFEST_DIR")).join("../locales");
    // The generated long language has no catalogues.
    let common = if lang == pseudo::LANGUAGE {
        Texts::new()
    } else {
        catalogue::read(&locales, "common", lang).map_err(Failure::new)?
    };
    let of_errors = common.into_iter().filter(|(key, _)| key.starts_with("error."));
    Ok(on_page.chain(of_errors).collect())
}

/// English words of a lab's page.
pub(crate) fn english(tab: &Tab, lab: &LabSpec) -> Result<Words, Failure> {
    words(tab, &file(lab), "en")
}

/// Waits until a JavaScript expression has a value, and tells both if it never has.
pub(crate) async fn expect(tab: &Tab, what: &str, expression: &str, wanted: impl Into<Value>) -> Outcome {
    let (started, wanted) = (Stopwatch::start(), wanted.into());
    loop {
        let seen = tab.value(expression).await;
        if seen.as_ref().is_ok_and(|seen| *seen == wanted) {
            return Ok(());
        }
        if started.past(SOON) {
            let seen = seen.map_or_else(|failure| failure.to_string(), |value| value.to_string());
            return Err(format!("{what}: expected {wanted}, saw {seen}").into());
        }
        tab.idle(Duration::from_millis(20)).await;
    }
}

/// The fragment under which a page keeps this state; the step counts from 0.
pub(crate) fn fragment(lab: &LabSpec, setup: &Setup, step: u32, guess: Option<f64>) -> String {
    let opening = lab.run(setup).moments().first().map_or(0, |moment| moment.step);
    let step = (step != opening).then_some(step);
    link::write(lab, &link::State { setup: setup.clone(), step, guess, ..link::State::fresh(lab) })
}

/// Text of the first element with this selector, spaces collapsed, whether visible or not.
pub(crate) fn text_of(selector: &str) -> String {
    format!("document.querySelector({}).textContent.replace(/\\s+/g, ' ').trim()", json!(selector))
}

/// A text as [`text_of`] gives it.
pub(crate) fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The summary table as the page shows it: a list per row, its identifier first.
pub(crate) const TABLE: &str = "[...document.querySelectorAll('table.summary tbody tr')].map(row =>
    [row.dataset.row, ...[...row.querySelectorAll('td')].map(cell => cell.textContent)])";

/// The same from figures computed here. Rows that would answer the prediction are covered if asked.
pub(crate) fn table(lab: &LabSpec, table: &Table, words: &Words, covered: bool) -> Value {
    let row = |row: &tokenyard_lab::Row| {
        let figure = |(column, value): (&tokenyard_lab::Column, &f64)| {
            if covered && row.answers {
                return "·".to_owned();
            }
            figure(words, column, *value)
        };
        let cells = lab.columns.iter().zip(&row.cells).map(figure);
        std::iter::once(row.id.to_owned()).chain(cells).collect::<Vec<_>>()
    };
    json!(table.rows.iter().map(row).collect::<Vec<_>>())
}

/// One figure of the table as text.
pub(crate) fn figure(words: &Words, column: &tokenyard_lab::Column, value: f64) -> String {
    match column.digits {
        Some(digits) => words.arg(&Arg::Fixed(value, digits)),
        None => format!("{}%", format::percent(value)),
    }
}

/// Waits until the uncovered table shows what these settings give.
pub(crate) async fn expect_table(tab: &Tab, lab: &LabSpec, setup: &Setup, words: &Words) -> Outcome {
    let wanted = table(lab, &lab.table(setup), words, false);
    expect(tab, &format!("{}: the table follows", lab.id), TABLE, wanted).await
}

/// Position, scrubber and say line as the page shows them.
const STEP: &str = "[document.querySelector('.player input[type=range]').value,
    document.querySelector('.position').textContent,
    document.querySelector('.stage .say').textContent]";

/// Waits until the page stands at a step, counted from 0, of a run of these settings.
pub(crate) async fn expect_step(
    tab: &Tab,
    lab: &LabSpec,
    setup: &Setup,
    words: &Words,
    step: u32,
) -> Outcome {
    let run = lab.run(setup);
    let position = tokenyard_lab::msg("player.position").with("at", step + 1).with("of", run.steps());
    let wanted = json!([(step + 1).to_string(), words.say(&position), words.say(&run.say(step))]);
    expect(tab, &format!("{}: the step", lab.id), STEP, wanted).await
}

/// Sets a parameter through its own control, as link text: `5`, `none`, `on`, an option's name.
pub(crate) async fn set_param(tab: &Tab, lab: &LabSpec, key: &str, text: &str) -> Outcome {
    let script = "const [key, text, position] = arguments;
        const knob = document.querySelector(`[data-knob=\"${key}\"]`);
        const send = (field, ...names) => names.forEach(name => field.dispatchEvent(new Event(name, { bubbles: true })));
        const check = knob.querySelector('input[type=checkbox]');
        if (check && ['on', 'off', 'none'].includes(text)) {
            if (check.checked !== (text !== 'off')) check.click();
            return;
        }
        const list = knob.querySelector('select');
        if (list) { list.value = String(position); return send(list, 'input', 'change'); }
        const options = knob.querySelectorAll('.segments button');
        if (options.length) return options[position].click();
        const field = knob.querySelector('input[type=text]');
        field.value = text;
        send(field, 'input', 'change');";
    let spec = lab.params.iter().find(|p| p.key == key).ok_or_else(|| format!("{}: no {key}", lab.id))?;
    let position = match spec.kind {
        tokenyard_param::Kind::Choice { options, .. } => options.iter().position(|o| *o == text),
        _ => None,
    };
    tab.eval(script, vec![json!(key), json!(text), json!(position)]).await.map(drop)
}
