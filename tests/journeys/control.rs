//! Pages that do what a page must not do: these journeys fail if the harness does not see it.

use std::time::Duration;

use tokenyard_browser_tests::{AxeOptions, Failure, Outcome, Tab, axe};

const SOON: Duration = Duration::from_secs(5);

/// Fails unless one of `texts` contains `part`.
fn contains(texts: &[String], part: &str) -> Outcome {
    if texts.iter().any(|text| text.contains(part)) {
        return Ok(());
    }
    Err(Failure::new(format!("nothing says \"{part}\" among:\n{}", texts.join("\n"))))
}

/// Opens the page that fails in every way and waits until it has.
async fn open_errors(tab: &mut Tab) -> Outcome {
    let wall = tab.wall().origin();
    tab.open(&format!("errors.html#{wall}/refused")).await?;
    tab.wait_until("the call is refused", "document.body.dataset.fetch === 'refused'", SOON).await?;
    // The uncaught error is thrown by a timer.
    tab.eval("return new Promise(done => setTimeout(done, 20))", Vec::new()).await.map(drop)
}

pub(crate) async fn sees_console_errors(tab: &mut Tab) -> Outcome {
    open_errors(tab).await?;
    let errors = tab.console_errors().await?;
    contains(&errors, "control: logged")?;
    contains(&errors, "control: uncaught")?;
    contains(&errors, "control: rejected")
}

pub(crate) async fn sees_violations(tab: &mut Tab) -> Outcome {
    open_errors(tab).await?;
    let violations = tab.violations().await?;
    contains(&violations, "style-src")?;
    contains(&violations, "script-src")?;
    contains(&violations, "connect-src")?;
    // What the policy stops does not reach the wall.
    assert_eq!(tab.wall().requests(), Vec::<String>::new());
    assert_eq!(tab.title().await?, "A page that fails in every way", "the inline script must not run");
    assert!(tab.expect_clean().await.is_err());
    Ok(())
}

pub(crate) async fn sees_workers(tab: &mut Tab) -> Outcome {
    tab.open("worker.html").await?;
    tab.wait_until("the worker answers", "document.body.dataset.worker === 'answered'", SOON).await?;
    let errors = tab.console_errors().await?;
    contains(&errors, "control: uncaught in a worker")?;
    contains(&errors, "control: logged in a worker")
}

pub(crate) async fn sees_missing_files(tab: &mut Tab) -> Outcome {
    tab.open("index.html").await?;
    tab.expect_clean().await?;
    tab.site().clear_requests();
    let script = "return fetch('absent.json').then(answer => answer.status)";
    assert_eq!(tab.eval(script, Vec::new()).await?, 404);
    let requests = tab.site().requests();
    assert_eq!(requests.len(), 1, "{requests:?}");
    assert_eq!((requests[0].path.as_str(), requests[0].status), ("/absent.json", 404));
    Ok(())
}

pub(crate) async fn sees_requests_to_elsewhere(tab: &mut Tab) -> Outcome {
    let wall = tab.wall().origin();
    tab.open(&format!("leak.html#{wall}")).await?;
    tab.wait_until("the page has called", "document.body.dataset.leak === 'tried'", SOON).await?;
    let requests = tab.wall().requests();
    contains(&requests, "GET /direct")?;
    contains(&requests, "GET http://plain.example/leak")?;
    contains(&requests, "CONNECT secure.example:443")?;
    assert!(tab.expect_clean().await.is_err());
    Ok(())
}

pub(crate) async fn passes_a_clean_page(tab: &mut Tab) -> Outcome {
    tab.open("index.html").await?;
    tab.click("#play").await?;
    tab.site().clear_requests();
    tab.idle(Duration::from_millis(300)).await;
    assert_eq!(tab.site().requests(), Vec::new());
    tab.expect_clean().await
}

pub(crate) async fn axe_sees_broken_rules(tab: &mut Tab) -> Outcome {
    tab.open("inaccessible.html").await?;
    let result = axe(tab, &AxeOptions::default()).await?;
    let broken: Vec<String> = result.violations.iter().map(|violation| violation.id.clone()).collect();
    for rule in ["html-has-lang", "image-alt", "color-contrast", "target-size"] {
        contains(&broken, rule)?;
    }
    assert!(result.expect_clean(0).is_err());
    let options = AxeOptions { within: Some("h1"), without: &[] };
    axe(tab, &options).await?.expect_clean(1)
}

pub(crate) async fn axe_passes_a_clean_page(tab: &mut Tab) -> Outcome {
    tab.open("index.html").await?;
    let result = axe(tab, &AxeOptions::default()).await?;
    result.expect_clean(20)?;
    assert!(
        result.passes.iter().any(|rule| rule == "target-size"),
        "the rule must be on: {:?}",
        result.passes
    );
    tab.expect_clean().await
}
