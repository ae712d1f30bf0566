//! Scripts in the page, and waiting for what they say.

use std::time::Duration;

use serde_json::Value;

use super::Tab;
use crate::{Failure, Outcome, Stopwatch};

/// Pause between two looks at the page.
const PAUSE: Duration = Duration::from_millis(20);

impl Tab {
    /// Runs the statements of `script` in the current frame with `arguments` and returns what they
    /// `return`. The page's policy does not apply to it.
    pub async fn eval(&self, script: &str, arguments: Vec<Value>) -> Result<Value, Failure> {
        let doing = || format!("script `{}`", script.chars().take(120).collect::<String>());
        self.client().execute(script, arguments).await.map_err(|error| Failure::from(error).during(&doing()))
    }

    /// The value of one JavaScript expression.
    pub async fn value(&self, expression: &str) -> Result<Value, Failure> {
        self.eval(&format!("return ({expression});"), Vec::new()).await
    }

    /// Waits until the JavaScript expression `predicate` is true. `what` completes the sentence
    /// "waited in vain until ...". An exception counts as not yet, and is told at the end.
    pub async fn wait_until(&self, what: &str, predicate: &str, limit: Duration) -> Outcome {
        let script =
            format!("try {{ return ({predicate}) ? true : null }} catch (error) {{ return String(error) }}");
        let started = Stopwatch::start();
        loop {
            let answer = self.eval(&script, Vec::new()).await;
            if matches!(answer, Ok(Value::Bool(true))) {
                return Ok(());
            }
            if started.past(limit) {
                let last = match answer {
                    Ok(Value::Null) => "false".to_owned(),
                    Ok(value) => value.to_string(),
                    Err(failure) => failure.to_string(),
                };
                return Err(format!("waited in vain until {what}: `{predicate}` was {last}").into());
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Lets `time` pass, for showing that nothing happens in it. Never a substitute for
    /// [`Tab::wait_until`].
    pub async fn idle(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }
}
