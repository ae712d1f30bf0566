//! Whether an article with twenty labs in frames can be scrolled.

use std::time::Duration;

use serde_json::json;
use tokenyard_browser_tests::{Failure, Outcome, Tab};

use crate::{say, sorted};

/// Labs to go round; each is as an author would embed it.
const LABS: [&str; 6] = ["herding", "batching", "queueing-knee", "prefix-affinity", "retries", "routing-lab"];
/// Frames in the article.
const COUNT: u16 = 20;
/// How long frames may take to start.
const LIMIT: Duration = Duration::from_secs(60);

/// Notes every task of more than 50 ms in this page and in its frames, which share its thread.
const WATCH: &str = "window.longTasks = [];
    new PerformanceObserver(list => window.longTasks.push(...list.getEntries().map(one => one.duration)))
        .observe({ type: 'longtask' });";

/// Scrolls from the top to the end, 40 pixels a frame, as a hand on a wheel does.
const SCROLL: &str = "const done = arguments[arguments.length - 1], step = () => {
        const last = document.documentElement.scrollHeight - innerHeight;
        scrollTo(0, Math.min(scrollY + 40, last));
        if (scrollY >= last - 1) setTimeout(() => done(true), 500); else requestAnimationFrame(step);
    };
    scrollTo(0, 0);
    window.longTasks.length = 0;
    requestAnimationFrame(step);";

/// The longest task while an article with twenty lazy frames is scrolled through: for the first time, when
/// each lab starts as it comes into view, and once all are there.
pub(crate) async fn embeds(tab: &mut Tab) -> Outcome {
    tab.open_host("embed.html").await?;
    tab.eval("followHeights(false)", Vec::new()).await?;
    tab.eval(WATCH, Vec::new()).await?;
    for at in 0..COUNT {
        let lab = LABS[usize::from(at) % LABS.len()];
        let src = tab.address(&format!("embed/{lab}/index.html?ui=player"));
        let attributes = json!({ "loading": "lazy", "height": "520" });
        tab.eval("return add(arguments[0], arguments[1])", vec![json!(src), attributes]).await?;
    }
    let first = scroll(tab).await?;
    // Those that went by too quickly start now.
    for at in 0..COUNT {
        let seen = "document.querySelectorAll('iframe')[arguments[0]].scrollIntoView({ block: 'center' })";
        tab.eval(seen, vec![json!(at)]).await?;
        tab.client().enter_frame(at).await?;
        tab.wait_until("the lab runs", "document.documentElement.dataset.ready === 'true'", LIMIT).await?;
        tab.leave_frame().await?;
    }
    let later = scroll(tab).await?;
    for (name, tasks) in [("first", &first), ("later", &later)] {
        say(&format!("embeds.{name}.tasks"), tasks.len());
        say(&format!("embeds.{name}.longest.ms"), format!("{:.0}", tasks.last().copied().unwrap_or(0.0)));
    }
    Ok(())
}

/// Durations of the tasks over 50 ms while the article goes by, ascending.
async fn scroll(tab: &Tab) -> Result<Vec<f64>, Failure> {
    tab.client().execute_async(SCROLL, Vec::new()).await?;
    let tasks = tab.value("window.longTasks").await?;
    if tasks.as_array().is_some_and(Vec::is_empty) { Ok(Vec::new()) } else { sorted(&tasks) }
}
