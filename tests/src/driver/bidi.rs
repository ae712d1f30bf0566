//! The one thing taken from WebDriver BiDi: console messages as they happen.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use crate::Outcome;
use crate::log::{Level, Log};

/// Subscribes at `address` and writes every message into `log` until the browser ends.
pub(super) async fn follow_log(address: &str, log: Log) -> Outcome {
    let (mut socket, _) = connect_async(address).await?;
    let subscribe = json!({
        "id": 1, "method": "session.subscribe", "params": { "events": ["log.entryAdded"] },
    });
    socket.send(Message::text(subscribe.to_string())).await?;
    loop {
        let Some(message) = socket.next().await else { return Err("BiDi closed before it answered".into()) };
        let message = parse(&message?);
        if message["id"] == 1 {
            if message["type"] != "success" {
                return Err(format!("BiDi refused to report the console: {message}").into());
            }
            break;
        }
        note(&message, &log);
    }
    tokio::spawn(async move {
        while let Some(Ok(message)) = socket.next().await {
            note(&parse(&message), &log);
        }
    });
    Ok(())
}

fn parse(message: &Message) -> Value {
    message.to_text().ok().and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null)
}

fn note(message: &Value, log: &Log) {
    if message["method"] != "log.entryAdded" {
        return;
    }
    let entry = &message["params"];
    let level = match entry["level"].as_str() {
        Some("error") => Level::Error,
        Some("warn") => Level::Warning,
        _ => Level::Info,
    };
    log.push(level, entry["text"].as_str().unwrap_or_default());
}
