//! Codes held before a camera. The camera is a drawing of the journey's own, given to the page in place of the
//! browser's: what is under test begins with the stream.

use serde_json::{Value, json};
use tokenyard_browser_tests::{By, Failure, Outcome, Tab};
use tokenyard_lesson::{Question, code, qr};

use crate::journeys::bench::{SOON, TEACH, expect, text_of, words};
use crate::journeys::class::codes;
use crate::journeys::teach::{Ground, first, open_afresh};

/// A camera that sees what `show` is given: nothing, or a code of so many modules a side.
const CAMERA: &str = "const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [640, 480];
    const ink = canvas.getContext('2d');
    let seen = null;
    window.show = code => { seen = code; };
    // A stream has pictures only while something is drawn.
    setInterval(() => {
        ink.fillStyle = '#778';
        ink.fillRect(0, 0, 640, 480);
        if (seen === null) return;
        const [side, modules] = seen;
        ink.save();
        ink.translate(120, 50);
        ink.scale(360 / side, 360 / side);
        ink.fillStyle = '#fff';
        ink.fillRect(0, 0, side, side);
        ink.fillStyle = '#000';
        ink.fill(new Path2D(modules));
        ink.restore();
    }, 50);
    navigator.mediaDevices.getUserMedia = async () => window.stream = canvas.captureStream(20);";

/// What [`CAMERA`] is shown for a text.
fn modules(text: &str) -> Result<Value, Failure> {
    let svg = qr::svg(text, "").ok_or("a code that fits")?;
    let between = |from: &str| svg.split(from).nth(1).and_then(|rest| rest.split(['"', ' ']).next());
    let side: u32 = between("viewBox=\"0 0 ").and_then(|side| side.parse().ok()).ok_or("a side")?;
    let path = svg.split(" d=\"").nth(1).and_then(|rest| rest.split('"').next()).ok_or("modules")?;
    Ok(json!([side, path]))
}

async fn show(tab: &Tab, text: &str) -> Outcome {
    tab.eval("show(arguments[0])", vec![modules(text)?]).await.map(drop)
}

pub(crate) async fn reads_codes(tab: &mut Tab) -> Outcome {
    let (lesson, at) = first(|step| step.predict.is_some())?;
    let question = Question::of_step(&lesson, at).ok_or("a question")?;
    open_afresh(tab, Ground::Site, "en", &format!("lesson={}&step={}&view=present", lesson.id, at + 1))
        .await?;
    tab.keys("c").await?;
    let own = words(tab, TEACH, "en")?;
    if tab.value("navigator.mediaDevices === undefined").await? == true {
        expect(tab, "no camera", &text_of(".camera .note"), own.get("class.camera-none")).await?;
        return tab.expect_clean().await;
    }
    // Refused first, as a reader may.
    let refuse =
        "navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'))";
    tab.eval(refuse, Vec::new()).await?;
    tab.click(By::Text(own.get("class.camera"))).await?;
    expect(tab, "refused", &text_of(".camera .note"), own.get("class.camera-refused")).await?;
    tab.eval(CAMERA, Vec::new()).await?;
    tab.click(By::Text(own.get("class.camera"))).await?;
    expect(tab, "on", &text_of(".camera .note"), own.get("class.camera-on")).await?;
    let counted = &text_of(".collect-count");
    let class: Vec<String> = codes(&question, 2).iter().map(code::Code::write).collect();
    show(tab, &class[0]).await?;
    expect(tab, "one learner", counted, "1 learner").await?;
    show(tab, &class[1]).await?;
    expect(tab, "two learners", counted, "2 learners").await?;
    let foreign = code::guess(&Question { name: "elsewhere/step".to_owned(), ..question }, 0, 7);
    let foreign = foreign.ok_or("a code")?.write();
    show(tab, &foreign).await?;
    let refused = "[...document.querySelectorAll('.refused-list li')].map(li => li.textContent).join()";
    tab.wait_until("a foreign code is named", &format!("({refused}).includes({})", json!(foreign)), SOON)
        .await?;
    expect(tab, "two learners still", counted, "2 learners").await?;
    // Nothing is looked at any longer than the presenter wants.
    tab.click(By::Text(own.get("class.camera-stop"))).await?;
    expect(tab, "it is off", "stream.getTracks().every(track => track.readyState === 'ended')", true).await?;
    tab.expect_clean().await
}
