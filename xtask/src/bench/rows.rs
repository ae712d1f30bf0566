//! The table of goals: what each figure means, and what it should be.

use super::Figures;

/// How a result is held against its goal.
#[derive(Clone, Copy, Debug)]
enum Goal {
    /// Not more than this.
    AtMost(f64),
    /// At least this.
    AtLeast(f64),
    /// Shown for comparison.
    Beside,
}

/// One row.
#[derive(Debug)]
struct Row {
    what: &'static str,
    /// Name of its figure, or of two of which the first is divided by the second.
    name: &'static str,
    unit: &'static str,
    goal: Goal,
}

const fn row(what: &'static str, name: &'static str, unit: &'static str, goal: Goal) -> Row {
    Row { what, name, unit, goal }
}

/// Every row, in the order of the page. Goals are those of the project's specification.
const ROWS: &[Row] = &[
    row("home, everything transferred", "bytes.home.kb", "KB", Goal::AtMost(300.0)),
    row("light lab's page, the same", "bytes.light.kb", "KB", Goal::Beside),
    row("heavy lab's page, the same", "bytes.heavy.kb", "KB", Goal::Beside),
    row("light lab in an embed, the same", "bytes.light-embed.kb", "KB", Goal::AtMost(250.0)),
    row("heavy lab in an embed, the same", "bytes.heavy-embed.kb", "KB", Goal::AtMost(250.0)),
    row("home, first frame, slow", "first-frame.home.ms", "ms", Goal::Beside),
    row("light lab, first frame, slow", "first-frame.light.ms", "ms", Goal::Beside),
    row("heavy lab, first frame, slow", "first-frame.heavy.ms", "ms", Goal::Beside),
    row("light lab, first knob answers, slow", "first-knob.light.ms", "ms", Goal::AtMost(2500.0)),
    row("heavy lab, first knob answers, slow", "first-knob.heavy.ms", "ms", Goal::AtMost(2500.0)),
    row("routing lab, one recomputation, browser", "recompute.browser.ms", "ms", Goal::AtMost(0.4)),
    row("the same in plain JavaScript, same page", "recompute.peer.ms", "ms", Goal::Beside),
    row("JavaScript's time over ours", "recompute.peer.ms/recompute.browser.ms", "times", Goal::AtLeast(4.0)),
    row("the same natively", "recompute.native.ms", "ms", Goal::Beside),
    row("routing lab, 200 seeds × 6 rules, browser", "band.ms", "ms", Goal::AtMost(150.0)),
    row("light lab, dragged knob to next paint, p95, slow", "drag.light.p95.ms", "ms", Goal::AtMost(100.0)),
    row("heavy lab, the same", "drag.heavy.p95.ms", "ms", Goal::AtMost(100.0)),
    row("steps of the run that is sought in", "seek.steps", "steps", Goal::Beside),
    row("seek to any step, median", "seek.median.ms", "ms", Goal::AtMost(8.0)),
    row("seek to any step, p95", "seek.p95.ms", "ms", Goal::AtMost(8.0)),
    row("fleet, workload B, random", "fleet.random.rps", "requests/s", Goal::AtLeast(1e6)),
    row(
        "fleet, workload B, least outstanding",
        "fleet.least-outstanding.rps",
        "requests/s",
        Goal::AtLeast(1e6),
    ),
    row("fleet, workload B, two choices", "fleet.power-of-two.rps", "requests/s", Goal::AtLeast(1e6)),
    row("fleet, 200 families, prefix-gap", "fleet.prefix-gap.rps", "requests/s", Goal::AtLeast(3e5)),
    row(
        "fleet, 200 families, cache-aware tree",
        "fleet.sglang-cache-aware.rps",
        "requests/s",
        Goal::AtLeast(3e5),
    ),
    row("fleet, 200 families, dynamo-kv", "fleet.dynamo-kv.rps", "requests/s", Goal::AtLeast(3e5)),
    row("as WebAssembly over native, random", "fleet.wasm.0.rps/fleet.random.rps", "", Goal::AtLeast(0.5)),
    row(
        "as WebAssembly over native, dynamo-kv",
        "fleet.wasm.5.rps/fleet.dynamo-kv.rps",
        "",
        Goal::AtLeast(0.5),
    ),
    row("fleet, 4 096 output tokens over 256, time", "fleet.output.ratio", "times", Goal::AtMost(1.2)),
    row("fleet, growth, two choices", "fleet.growth.two.ratio", "times", Goal::AtMost(1.5)),
    row("fleet, growth, least outstanding", "fleet.growth.least.ratio", "times", Goal::AtMost(1.5)),
    row(
        "fleet, memory of a finished request beside its result",
        "fleet.memory.bytes",
        "bytes",
        Goal::AtMost(200.0),
    ),
    row("fleet, ten million requests, resident", "fleet.memory.ten.gib", "GiB", Goal::AtMost(4.0)),
    row("fleet, seek to any event, longest", "fleet.seek.ms", "ms", Goal::AtMost(8.0)),
    row("fleet, conversation trace, dynamo-kv", "fleet.conversation.rps", "requests/s", Goal::AtLeast(1e5)),
    row("the same by Dynamo's own replay", "fleet.conversation.dynamo.rps", "requests/s", Goal::Beside),
    row(
        "conversation trace × 8 rules, in the browser, two workers",
        "fleet.browser.conversation.ms",
        "ms",
        Goal::AtMost(1000.0),
    ),
    row("the same with every decision recorded", "fleet.browser.recorded.ms", "ms", Goal::Beside),
    row(
        "goodput sweep, 6 rules × 20 rates × 20 seeds × 1 000 requests, in the browser, two workers",
        "fleet.browser.sweep.s",
        "s",
        Goal::AtMost(5.0),
    ),
    row(
        "article with twenty embeds, longest task while it is scrolled, all there",
        "embeds.later.longest.ms",
        "ms",
        Goal::AtMost(50.0),
    ),
    row("the same while each starts in view", "embeds.first.longest.ms", "ms", Goal::AtMost(50.0)),
    row("tasks over 50 ms in that", "embeds.first.tasks", "tasks", Goal::Beside),
    row("steps of playback", "playback.steps", "steps", Goal::Beside),
    row("growth of memory over them", "playback.growth.mb", "MB", Goal::AtMost(10.0)),
];

/// What the rows mean; written below the table.
pub(super) const HOW: &str = "\
Transferred: bodies of the page's HTML, style, script, module and icon with brotli, KB of 1 000 bytes. Slow: \
processor slowed down 4 times; first frame and first knob also behind 1.6 Mbit/s with 150 ms, nothing cached, \
median of 5 visits; the knob counts from the frame that shows its new value. One recomputation: the workload and \
all six rules on 160 requests, median of 500, alternating with the other language in one page whose clock has \
5 µs. Dragged knob: from the `input` event to the end of the next frame. Seek: from the event to a document that \
is laid out, without slowdown. Memory: after collecting garbage, the script engine's, the document's and the \
module's. Fleet: one core, best of three, and where that misses its goal, of up to fifteen more at the end, since \
a neighbour may slow whole minutes down; the two sides of output length and growth take turns, best of fifteen; \
workload B is 8 replicas of the default preset at 80% of the knee, \
100 000 Poisson requests, prompts lognormal with mean 1 024 and CV 1, outputs with mean 256; with 200 families, 512 \
tokens are shared by Zipf's law and the cache is on, else it is off. Growth: time of a request among 1 000 000 on \
256 replicas over that among 10 000 on 16. Seek: 50 places of a recorded run of 3 000 requests. Conversation trace: \
Mooncake's, 8 workers of 4 096 blocks of 512 tokens. In the browser: Chromium, the page's own worker script and \
module, two workers that are started, until the last row, median of 5; the conversation trace's 12 031 requests \
under 4 rules in each worker, random, least outstanding, prefix-gap, dynamo-kv, and round robin, two choices, \
consistent hash, cache-aware tree, with reading the file in both; the sweep on workload B with 200 families, \
rates from a fifth to four times 80% of the knee, no decisions recorded, the six rules of the native rows. A decision of a rule: choosing, and learning what became of it, \
without the router around the rule, over 20 000 requests after 20 000, best of three; on workload B, 50 000 \
requests of it, repeated as above. Twenty embeds: stage and player in lazy frames of 520 px, in an article of \
another origin that goes by at 40 px a frame; 0 ms: no task of the page or of its frames was over 50 ms.
";

/// The rows as lines of a Markdown table. A figure that is not there says so.
pub(super) fn rows(figures: &Figures) -> Vec<String> {
    ROWS.iter().map(|row| line(row, value(figures, row.name))).collect()
}

/// The routing rules as a Markdown table, in the order of their names; no lines if none was
/// measured. Figures are `rule.<id>.16.ns`, `.256.ns`, `.rps` and `.goal`.
pub(super) fn rules(figures: &Figures) -> Vec<String> {
    let ids = figures.keys().filter_map(|name| name.strip_prefix("rule.")?.strip_suffix(".16.ns"));
    let row = |id: &str| {
        let one =
            |part: &str| figures.get(&format!("rule.{id}.{part}")).map_or("not measured", String::as_str);
        let [few, many, rate, goal] = ["16.ns", "256.ns", "rps", "goal"].map(one);
        let met = match (rate.parse::<f64>(), goal.parse::<f64>()) {
            (Ok(rate), Ok(goal)) if rate >= goal => "yes",
            (Ok(_), Ok(_)) => "no",
            _ => "",
        };
        format!("| {id} | {few} ns | {many} ns | {rate} requests/s | ≥ {goal} | {met} |")
    };
    let rows: Vec<String> = ids.map(row).collect();
    let head = [
        "| rule | a decision, 16 replicas | 256 replicas | workload B | goal | met |",
        "|---|---|---|---|---|---|",
    ];
    if rows.is_empty() { rows } else { head.map(str::to_owned).into_iter().chain(rows).collect() }
}

/// A figure as it was printed, or the quotient of two.
fn value(figures: &Figures, name: &str) -> Option<(String, f64)> {
    let one = |name: &str| {
        let text = figures.get(name)?;
        Some((text.clone(), text.parse::<f64>().ok()?))
    };
    let Some((above, below)) = name.split_once('/') else { return one(name) };
    let quotient = one(above)?.1 / one(below)?.1;
    Some((format!("{quotient:.1}"), quotient))
}

fn line(row: &Row, value: Option<(String, f64)>) -> String {
    let (what, unit) = (row.what, row.unit);
    let goal = match row.goal {
        Goal::AtMost(most) => format!("≤ {most} {unit}"),
        Goal::AtLeast(least) => format!("≥ {least} {unit}"),
        Goal::Beside => String::new(),
    };
    let Some((text, number)) = value else { return format!("| {what} | not measured | {goal} | |") };
    let met = match row.goal {
        Goal::AtMost(most) if number <= most => "yes",
        Goal::AtLeast(least) if number >= least => "yes",
        Goal::Beside => "",
        _ => "no",
    };
    format!("| {what} | {text} {unit} | {goal} | {met} |")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_a_table_of_their_own() {
        assert!(rules(&Figures::new()).is_empty());
        let figure = |name: &str, value: &str| (format!("rule.a-b.{name}"), value.to_owned());
        let figures =
            [figure("16.ns", "40"), figure("256.ns", "90"), figure("rps", "5"), figure("goal", "6")];
        let table = rules(&figures.into());
        assert_eq!(table[2..], ["| a-b | 40 ns | 90 ns | 5 requests/s | ≥ 6 | no |"]);
    }

    fn check(name: &str, figures: &[(&str, &str)]) -> String {
        let figures = figures.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        let row = ROWS.iter().find(|row| row.name == name).unwrap();
        line(row, value(&figures, name))
    }

    #[test]
    fn a_result_on_either_side_of_its_goal() {
        assert!(check("band.ms", &[("band.ms", "150")]).ends_with("| 150 ms | ≤ 150 ms | yes |"));
        assert!(check("band.ms", &[("band.ms", "151")]).ends_with("| no |"));
        assert!(check("band.ms", &[]).ends_with("| not measured | ≤ 150 ms | |"));
    }

    #[test]
    fn a_quotient_needs_both_figures() {
        let name = "recompute.peer.ms/recompute.browser.ms";
        let peer = ("recompute.peer.ms", "1.6");
        assert!(
            check(name, &[peer, ("recompute.browser.ms", "0.4")]).contains("| 4.0 times | ≥ 4 times | yes |")
        );
        assert!(check(name, &[peer, ("recompute.browser.ms", "0.5")]).ends_with("| no |"));
        assert!(check(name, &[peer]).contains("not measured"));
    }

    #[test]
    fn names_are_said_once() {
        let mut names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
