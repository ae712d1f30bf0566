//! What the tab promises to journeys, held against a page whose every answer is known.

use std::time::Duration;

use serde_json::json;
use tokenyard_browser_tests::{By, Emulation, Engine, Frame, Outcome, Tab};

const SOON: Duration = Duration::from_secs(5);

pub(crate) async fn finds(tab: &mut Tab) -> Outcome {
    tab.open("index.html").await?;
    assert_eq!(tab.text(By::Role("heading", "A page that behaves")).await?, "A page that behaves");
    assert_eq!(tab.attr(By::Role("button", "Step forward"), "id").await?.as_deref(), Some("forward"));
    assert_eq!(tab.attr(By::Label("Scrape interval"), "id").await?.as_deref(), Some("interval"));
    assert_eq!(tab.attr(By::Role("slider", "Scrape interval"), "id").await?.as_deref(), Some("interval"));
    assert_eq!(tab.attr(By::Text("random"), "id").await?, None);
    assert_eq!(tab.attr(By::Role("group", "Player"), "id").await?.as_deref(), Some("player"));
    assert_eq!(tab.texts("th").await?, ["Rule", "Skew"]);
    assert_eq!(tab.property("#interval", "value").await?, "5");
    assert!(!tab.has(By::Role("button", "Forward")).await?, "a name is the whole name");
    assert!(!tab.has(By::Role("link", "Play")).await?, "a role is the computed role");
    Ok(())
}

pub(crate) async fn clicks_and_keys(tab: &mut Tab) -> Outcome {
    tab.open("index.html").await?;
    tab.click(By::Role("button", "Step forward")).await?;
    tab.click(By::Role("button", "Step forward")).await?;
    tab.click(By::Role("button", "Step back")).await?;
    assert_eq!(tab.text("#queue").await?, "1");
    tab.click(By::Role("button", "Play")).await?;
    assert!(tab.has(By::Role("button", "Pause")).await?);
    tab.focus("#player").await?;
    tab.keys("Space k ArrowRight Shift+ArrowLeft Home End ? < > Escape").await?;
    let keys = "Space k ArrowRight Shift+ArrowLeft Home End ? < > Escape";
    assert_eq!(tab.text("#keys").await?, keys);
    tab.choose(By::Label("Language"), "ja").await?;
    assert_eq!(tab.property("#language", "value").await?, "ja");
    Ok(())
}

pub(crate) async fn drags_a_knob(tab: &mut Tab) -> Outcome {
    tab.open("index.html").await?;
    tab.drag_range(By::Label("Scrape interval"), 1.0, 10).await?;
    assert_eq!(tab.text("#shown").await?, "60");
    assert_eq!(tab.text("#skew").await?, "300");
    tab.drag_range(By::Label("Scrape interval"), 0.5, 4).await?;
    let middle: f64 = tab.text("#shown").await?.parse().map_err(|_| "the knob shows no number")?;
    assert!((27.0..=34.0).contains(&middle), "the middle of 1 to 60 is near 30, not {middle}");
    tab.set_value("#interval", "17").await?;
    assert_eq!(tab.text("#skew").await?, "85");
    tab.focus("#interval").await?;
    tab.keys("ArrowRight").await?;
    assert_eq!(tab.text("#shown").await?, "18");
    Ok(())
}

pub(crate) async fn walks_with_tab(tab: &mut Tab) -> Outcome {
    tab.open("index.html").await?;
    assert_eq!(tab.active_element_description().await?, "nothing");
    let stops = tab.press_tab_until(By::Label("Language"), 12).await?;
    let expected = [
        "link \"The other page\"",
        "group \"Player\"",
        "button \"Step back\"",
        "button \"Play\"",
        "button \"Step forward\"",
        "slider \"Scrape interval\"",
        // WebKit calls a closed list of choices what it looks like.
        if tab.engine() == Engine::WebKit { "button \"Language\"" } else { "combobox \"Language\"" },
    ];
    assert_eq!(stops, expected);
    let back = tab.press_shift_tab_until("#player", 12).await?;
    assert_eq!(back.len(), 5);
    assert!(tab.press_tab_until("#absent", 2).await.is_err());
    Ok(())
}

pub(crate) async fn hears_live_regions(tab: &mut Tab) -> Outcome {
    tab.open("index.html").await?;
    assert!(tab.live_messages().await.is_err());
    tab.listen_to_live_regions().await?;
    tab.click("#forward").await?;
    tab.focus("#player").await?;
    tab.keys("k").await?;
    assert_eq!(tab.live_messages().await?, ["1", "k"]);
    Ok(())
}

pub(crate) async fn goes_through_history(tab: &mut Tab) -> Outcome {
    tab.open("index.html#interval=5").await?;
    assert_eq!(tab.text("#fragment").await?, "#interval=5");
    tab.click(By::Role("link", "The other page")).await?;
    tab.find(By::Role("heading", "The other page")).await?;
    tab.back().await?;
    tab.find(By::Role("heading", "A page that behaves")).await?;
    assert!(tab.url().await?.ends_with("/index.html#interval=5"));
    tab.forward().await?;
    tab.click(By::Text("Back to the first")).await?;
    tab.wait_until(
        "the first page is back",
        "document.getElementById('fragment').textContent === '#interval=7'",
        SOON,
    )
    .await?;
    tab.open("index.html#interval=9").await?;
    tab.wait_until(
        "the page hears of it",
        "document.getElementById('fragment').textContent === '#interval=9'",
        SOON,
    )
    .await?;
    tab.reload().await?;
    assert_eq!(tab.text("#fragment").await?, "#interval=9");
    Ok(())
}

pub(crate) async fn starts_with_empty_storage(tab: &mut Tab) -> Outcome {
    tab.open("index.html").await?;
    assert_eq!(tab.text("#storage").await?, "visit 1");
    tab.reload().await?;
    assert_eq!(tab.text("#storage").await?, "visit 2");
    tab.remount(|_| {})?;
    tab.open("index.html").await?;
    assert_eq!(tab.text("#storage").await?, "visit 1");
    Ok(())
}

pub(crate) async fn frames_as_narrow_as_a_phone(tab: &mut Tab) -> Outcome {
    tab.in_frame(320, "index.html#interval=5").await?;
    assert_eq!(tab.value("innerWidth").await?, 320);
    assert_eq!(tab.text("#fragment").await?, "#interval=5");
    assert_eq!(tab.sideways_overflow().await?, 0);
    tab.click(By::Role("button", "Step forward")).await?;
    assert_eq!(tab.text("#queue").await?, "1");
    tab.text_size(200).await?;
    assert_eq!(tab.value("getComputedStyle(document.documentElement).fontSize").await?, "32px");
    tab.screenshot("phone").await?;
    tab.in_frame(320, "wide.html").await?;
    assert!(tab.sideways_overflow().await? > 200, "600 px in 320 px must be seen");
    tab.leave_frame().await?;
    assert!(tab.has("iframe").await?);
    Ok(())
}

pub(crate) async fn refuses_storage(tab: &mut Tab) -> Outcome {
    tab.open_without_storage("index.html").await?;
    assert_eq!(tab.text("#storage").await?, "refused: SecurityError");
    tab.click("#forward").await?;
    assert_eq!(tab.text("#queue").await?, "1");
    Ok(())
}

pub(crate) async fn sandboxes(tab: &mut Tab) -> Outcome {
    tab.in_frame_with(&Frame::sandboxed(), "index.html").await?;
    assert_eq!(tab.value("origin").await?, "null");
    // Written down because it decides what an embed can promise: see `Tab::open_without_storage`.
    let runs = tab.engine() != Engine::WebKit;
    assert_eq!(tab.text("#storage").await? == "refused: SecurityError", runs);
    assert_eq!(tab.violations().await?.is_empty(), runs);
    Ok(())
}

pub(crate) async fn walks_through_a_frame(tab: &mut Tab) -> Outcome {
    tab.in_frame(640, "index.html").await?;
    tab.leave_frame().await?;
    tab.focus("#before").await?;
    // Seen from outside, the focus rests on the frame while it moves through the seven stops inside.
    let stops = tab.press_tab_until("#after", 10).await?;
    assert_eq!(stops.len(), 8, "{stops:?}");
    assert_eq!(tab.press_shift_tab_until("#before", 10).await?.len(), 8);
    Ok(())
}

pub(crate) async fn hides_the_page(tab: &mut Tab) -> Outcome {
    tab.open("index.html").await?;
    let script = "window.seen = []; document.addEventListener('visibilitychange',
        () => window.seen.push(document.visibilityState))";
    tab.eval(script, Vec::new()).await?;
    tab.minimize().await?;
    tab.restore().await?;
    assert_eq!(tab.value("seen").await?, json!(["hidden", "visible"]));
    tab.screenshot("restored").await?;
    Ok(())
}

pub(crate) async fn emulates_the_system(tab: &mut Tab) -> Outcome {
    let seen = "[matchMedia('(prefers-color-scheme: dark)').matches, \
                 matchMedia('(prefers-reduced-motion: reduce)').matches]";
    tab.open("index.html").await?;
    assert_eq!(tab.value(seen).await?, json!([false, false]));
    tab.emulate(Emulation { dark: true, reduced_motion: false }).await?;
    assert_eq!(tab.value(seen).await?, json!([true, false]));
    assert_eq!(
        tab.value("getComputedStyle(document.getElementById('play')).colorScheme").await?,
        "light dark"
    );
    tab.emulate(Emulation { dark: false, reduced_motion: true }).await?;
    tab.open_fresh("index.html").await?;
    assert_eq!(tab.value(seen).await?, json!([false, true]));
    tab.emulate(Emulation { dark: true, reduced_motion: true }).await?;
    tab.in_frame(320, "index.html").await?;
    assert_eq!(tab.value(seen).await?, json!([true, true]));
    Ok(())
}

pub(crate) async fn mounts_anywhere(tab: &mut Tab) -> Outcome {
    tab.open("wasm.html").await?;
    let done = "document.getElementById('bytes').textContent === 'compiled'";
    tab.wait_until("the module is compiled", done, SOON).await?;
    assert_eq!(tab.text("#kind").await?, "application/wasm");
    assert_eq!(tab.text("#streaming").await?, "compiled");
    tab.expect_clean().await?;
    tab.remount(|options| {
        options.mount = "/a/b/".to_owned();
        options.wasm_content_type = "application/octet-stream".to_owned();
        options.extra_headers.push(("Access-Control-Allow-Origin".to_owned(), "*".to_owned()));
    })?;
    tab.open("wasm.html").await?;
    tab.wait_until("the module is compiled", done, SOON).await?;
    assert!(tab.url().await?.ends_with("/a/b/wasm.html"));
    assert_eq!(tab.text("#kind").await?, "application/octet-stream");
    assert_eq!(tab.text("#streaming").await?, "TypeError");
    let headers =
        "return fetch('page.css').then(answer => answer.headers.get('access-control-allow-origin'))";
    assert_eq!(tab.eval(headers, Vec::new()).await?, "*");
    assert!(tab.site().requests().iter().all(|request| request.path.starts_with("/a/b/")));
    Ok(())
}

pub(crate) async fn prints(tab: &mut Tab) -> Outcome {
    tab.open("index.html").await?;
    let pdf = tab.print().await?;
    assert!(pdf.starts_with(b"%PDF-"), "{} bytes that are no PDF", pdf.len());
    Ok(())
}

pub(crate) async fn slows_down(tab: &mut Tab) -> Outcome {
    tab.open("index.html").await?;
    // The figure itself is not asserted: what must hold is that the engine takes the command.
    tab.throttle_cpu(4.0).await?;
    tab.click("#forward").await?;
    tab.throttle_cpu(1.0).await?;
    assert_eq!(tab.text("#queue").await?, "1");
    Ok(())
}
