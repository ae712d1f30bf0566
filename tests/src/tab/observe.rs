//! What a page must not do: errors, policy violations, requests to elsewhere. And what it must
//! say: live regions.

use std::time::Duration;

use super::Tab;
use crate::{Entry, Failure, Level, Outcome, Stopwatch};

/// How long a console message may be on its way.
const LIMIT: Duration = Duration::from_secs(5);

impl Tab {
    /// Every console message since the journey began or the last [`Tab::forget_log`].
    pub async fn console(&mut self) -> Result<Vec<Entry>, Failure> {
        self.settle_log().await?;
        Ok(self.session.log.entries())
    }

    /// Texts of all errors that are not policy violations: `console.error`, uncaught exceptions,
    /// unhandled rejections, resources that failed to load.
    pub async fn console_errors(&mut self) -> Result<Vec<String>, Failure> {
        let errors = |entry: &Entry| entry.level == Level::Error && !entry.is_violation();
        Ok(self.console().await?.into_iter().filter(errors).map(|entry| entry.text).collect())
    }

    /// Texts of all reports that the content security policy was violated.
    pub async fn violations(&mut self) -> Result<Vec<String>, Failure> {
        Ok(self.console().await?.into_iter().filter(Entry::is_violation).map(|entry| entry.text).collect())
    }

    /// Forgets console messages so far.
    pub fn forget_log(&self) {
        self.session.log.clear();
    }

    /// Fails if there is any console error, any policy violation, or any request to elsewhere.
    pub async fn expect_clean(&mut self) -> Outcome {
        let mut complaints = self.console_errors().await?;
        complaints.extend(self.violations().await?);
        complaints
            .extend(self.wall().requests().into_iter().map(|line| format!("request to elsewhere: {line}")));
        if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n").into()) }
    }

    /// Waits until every message that the page has written so far has arrived: writes a mark
    /// behind them and waits for it. Messages travel in order from one process of the browser; the
    /// mark says nothing about a worker that is still writing.
    pub(super) async fn settle_log(&mut self) -> Outcome {
        self.marks += 1;
        let mark = format!("tokenyard-mark-{}-{}", std::process::id(), self.marks);
        self.eval("console.info(arguments[0])", vec![mark.as_str().into()]).await?;
        let started = Stopwatch::start();
        loop {
            self.session.fetch_log().await?;
            if self.session.log.take_mark(&mark) {
                return Ok(());
            }
            if started.past(LIMIT) {
                return Err("console messages of this engine do not arrive".into());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Begins to write down what live regions of this document say from now on.
    pub async fn listen_to_live_regions(&self) -> Outcome {
        let script = "window.tokenyardLive = [];
            const live = '[aria-live=polite], [aria-live=assertive], [role=status], [role=alert], [role=log], output';
            new MutationObserver(records => {
                const regions = new Set(records.map(record => (record.target.closest
                    ? record.target : record.target.parentElement)?.closest(live)).filter(Boolean));
                for (const region of regions) window.tokenyardLive.push(region.textContent.replace(/\\s+/g, ' ').trim());
            }).observe(document.documentElement, { subtree: true, childList: true, characterData: true });";
        self.eval(script, Vec::new()).await.map(drop)
    }

    /// What live regions have said since [`Tab::listen_to_live_regions`], one item per change.
    pub async fn live_messages(&self) -> Result<Vec<String>, Failure> {
        let said = self.value("window.tokenyardLive").await?;
        let said = said.as_array().ok_or("nobody listens to the live regions of this document")?;
        Ok(said.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect())
    }
}
