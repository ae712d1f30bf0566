//! Codes read by the camera, where the browser allows it. Pictures are looked at in this page and
//! forgotten at once.

use std::time::Duration;

use js_sys::{Object, Reflect};
use leptos::html::Video;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    CanvasRenderingContext2d, HtmlCanvasElement, HtmlVideoElement, MediaStream, MediaStreamConstraints,
    MediaStreamTrack, MediaStreamTrackState,
};

use super::desk::{Desk, Took};
use super::look::{Seen, size, texts};
use crate::platform::dom;
use crate::shell::shell;
use crate::widgets::live::{flag, follow, live, text};

/// Between two looks at the picture.
const EVERY: Duration = Duration::from_millis(200);

/// What the camera does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Eye {
    /// Not known yet: nothing is shown.
    Unknown,
    /// The browser has none for this page.
    None,
    /// It can be started. A key says why it stopped by itself, or could not start.
    Off(Option<&'static str>),
    /// The reader is being asked.
    Asking,
    /// It is on.
    On,
}

/// A camera that is on.
struct Running {
    stream: MediaStream,
    timer: IntervalHandle,
}

/// Handles of the component.
#[derive(Clone, Copy)]
struct Scanner {
    desk: Desk,
    eye: RwSignal<Eye>,
    /// What the last code brought; set anew for each.
    said: RwSignal<Option<Took>>,
    /// The picture as a mirror shows it: a camera on the reader's side.
    mirrored: RwSignal<bool>,
    video: NodeRef<Video>,
    running: StoredValue<Option<Running>, LocalStorage>,
    seen: StoredValue<Seen>,
}

/// Reads QR codes with the camera; nothing but a sentence where there is none.
#[component]
pub fn Camera(
    /// Where codes go.
    desk: Desk,
) -> impl IntoView {
    let shell = shell();
    let scanner = Scanner {
        desk,
        eye: RwSignal::new(Eye::Unknown),
        said: RwSignal::new(None),
        mirrored: RwSignal::new(false),
        video: NodeRef::new(),
        running: StoredValue::new_local(None),
        seen: StoredValue::new(Seen::default()),
    };
    scanner.install();
    let eye = scanner.eye;
    let off = flag(move || !matches!(eye.get(), Eye::Off(_)));
    let on = flag(move || !matches!(eye.get(), Eye::Asking | Eye::On));
    let note = move || match eye.get() {
        Eye::None => shell.t("class.camera-none").get(),
        Eye::Off(Some(why)) => shell.t(why).get(),
        Eye::Asking => shell.t("class.camera-asking").get(),
        Eye::On => shell.t("class.camera-on").get(),
        Eye::Unknown | Eye::Off(None) => String::new(),
    };
    let said = move || {
        scanner.said.get().map(|took| {
            let sentences: Vec<String> = took.say().iter().map(|m| shell.now(m)).collect();
            let mark = if took.counted > 0 { "✓ " } else { "✗ " };
            view! { <span class:is-counted={took.counted > 0}><span aria-hidden="true">{mark}</span>{sentences.join(" ")}</span> }
        })
    };
    view! {
        <div class="camera">
            <button type="button" hidden=off on:click=move |_| scanner.start()>{shell.t("class.camera")}</button>
            <p class="note" role="status">{text(note)}</p>
            <div class="camera-box" hidden=on>
                <video node_ref=scanner.video class:is-mirrored=scanner.mirrored muted playsinline aria-label=shell.t("class.camera-picture")></video>
                <p class="camera-said" role="status">{live(said)}</p>
                <button type="button" on:click=move |_| scanner.stop(None)>{shell.t("class.camera-stop")}</button>
            </div>
        </div>
    }
    .into_any()
}

impl Scanner {
    /// Finds out whether there is a camera, and stops when nobody can see what it sees.
    fn install(self) {
        follow(move |_| self.eye.set(if devices().is_some() { Eye::Off(None) } else { Eye::None }));
        if cfg!(feature = "ssr") {
            return;
        }
        let hidden = window_event_listener_untyped("visibilitychange", move |_| {
            if dom::document().is_some_and(|document| document.hidden()) {
                self.stop(Some("class.camera-hidden"));
            }
        });
        let left = window_event_listener_untyped("pagehide", move |_| self.stop(None));
        on_cleanup(move || {
            hidden.remove();
            left.remove();
            self.stop(None);
        });
    }

    fn start(self) {
        self.eye.set(Eye::Asking);
        self.seen.set_value(Seen::default());
        self.said.set(None);
        spawn_local(async move {
            match open().await {
                // The reader may have stopped or left while the browser asked.
                Ok(stream) if self.eye.try_get_untracked() != Some(Eye::Asking) => close(&stream),
                Ok(stream) => self.run(stream),
                Err(why) => {
                    if self.eye.try_get_untracked() == Some(Eye::Asking) {
                        self.eye.set(Eye::Off(Some(why)));
                    }
                }
            }
        });
    }

    fn run(self, stream: MediaStream) {
        let canvas = dom::document()
            .and_then(|d| d.create_element("canvas").ok()?.dyn_into::<HtmlCanvasElement>().ok());
        let (Some(video), Some(canvas)) = (self.video.get_untracked(), canvas) else {
            close(&stream);
            return self.eye.set(Eye::Off(Some("class.camera-failed")));
        };
        self.mirrored.set(!faces_away(&stream));
        video.set_muted(true);
        video.set_src_object(Some(&stream));
        if let Ok(playing) = video.play() {
            // It begins to play by itself; a refusal shows as a picture that does not come.
            spawn_local(async move { drop(JsFuture::from(playing).await) });
        }
        let look = move || self.look(&video, &canvas);
        match set_interval_with_handle(look, EVERY) {
            Ok(timer) => {
                self.running.set_value(Some(Running { stream, timer }));
                self.eye.set(Eye::On);
            }
            Err(_) => {
                close(&stream);
                self.eye.set(Eye::Off(Some("class.camera-failed")));
            }
        }
    }

    /// Looks at the picture once.
    fn look(self, video: &HtmlVideoElement, canvas: &HtmlCanvasElement) {
        let live =
            self.running.try_with_value(|running| running.as_ref().is_some_and(|r| is_live(&r.stream)));
        if live != Some(true) {
            // Pulled out, or taken by the system.
            return self.stop(Some("class.camera-lost"));
        }
        if video.offset_parent().is_none() {
            // Folded away with what is around it: nobody sees what it sees.
            return self.stop(Some("class.camera-hidden"));
        }
        let Some(texts) = picture(video, canvas) else {
            return;
        };
        let news = self.seen.try_update_value(|seen| seen.news(texts)).unwrap_or_default();
        for text in news {
            self.said.set(Some(self.desk.take(&text)));
        }
    }

    /// Stops, for a reason that is said if it was on.
    fn stop(self, why: Option<&'static str>) {
        let before = self.eye.try_get_untracked();
        let running = self.running.try_update_value(Option::take).flatten();
        if let Some(Running { stream, timer }) = running {
            timer.clear();
            close(&stream);
            if let Some(video) = self.video.try_get_untracked().flatten() {
                video.set_src_object(None);
            }
        }
        if matches!(before, Some(Eye::Asking | Eye::On)) {
            self.eye.try_set(Eye::Off(why));
        }
    }
}

/// The cameras that the browser lets this page ask for.
fn devices() -> Option<web_sys::MediaDevices> {
    let navigator = web_sys::window()?.navigator();
    // Outside secure contexts there are none, although the type says otherwise.
    let devices = Reflect::get(&navigator, &"mediaDevices".into()).ok()?;
    let ask = Reflect::get(&devices, &"getUserMedia".into()).ok()?;
    ask.is_function().then(|| devices.unchecked_into())
}

/// Asks for a camera, rather the one that faces away from the reader. An error is the key of its words.
async fn open() -> Result<MediaStream, &'static str> {
    let wish = Object::new();
    for (key, value) in
        [("width", JsValue::from(1280)), ("height", 720.into()), ("facingMode", "environment".into())]
    {
        let ideal = Object::new();
        let set = Reflect::set(&ideal, &"ideal".into(), &value);
        set.and_then(|_| Reflect::set(&wish, &key.into(), &ideal)).map_err(|_| "class.camera-failed")?;
    }
    let asked = MediaStreamConstraints::new();
    asked.set_audio(&false.into());
    asked.set_video(&wish);
    let devices = devices().ok_or("class.camera-none")?;
    let stream = devices.get_user_media_with_constraints(&asked).map_err(|e| why(&e))?;
    let stream = JsFuture::from(stream).await.map_err(|e| why(&e))?;
    stream.dyn_into().map_err(|_| "class.camera-failed")
}

/// What a browser's refusal means.
fn why(error: &JsValue) -> &'static str {
    let name = Reflect::get(error, &"name".into()).ok().and_then(|name| name.as_string());
    reason(name.as_deref().unwrap_or_default())
}

/// The key of the words for an error's name.
fn reason(name: &str) -> &'static str {
    match name {
        "NotAllowedError" => "class.camera-refused",
        "NotFoundError" | "OverconstrainedError" => "class.camera-missing",
        "NotReadableError" | "AbortError" => "class.camera-busy",
        "SecurityError" | "TypeError" => "class.camera-none",
        _ => "class.camera-failed",
    }
}

fn tracks(stream: &MediaStream) -> impl Iterator<Item = MediaStreamTrack> {
    stream.get_tracks().iter().filter_map(|track| track.dyn_into().ok()).collect::<Vec<_>>().into_iter()
}

fn close(stream: &MediaStream) {
    tracks(stream).for_each(|track| track.stop());
}

fn is_live(stream: &MediaStream) -> bool {
    tracks(stream).any(|track| track.ready_state() == MediaStreamTrackState::Live)
}

fn faces_away(stream: &MediaStream) -> bool {
    tracks(stream).any(|track| {
        let side = Reflect::get(&track.get_settings(), &"facingMode".into()).ok();
        side.and_then(|side| side.as_string()).as_deref() == Some("environment")
    })
}

/// What the present picture shows; `None` before there is one.
fn picture(video: &HtmlVideoElement, canvas: &HtmlCanvasElement) -> Option<Vec<String>> {
    let (w, h) = size(video.video_width(), video.video_height());
    if video.ready_state() < 2 || w == 0 || h == 0 {
        return None;
    }
    if (canvas.width(), canvas.height()) != (w, h) {
        canvas.set_width(w);
        canvas.set_height(h);
    }
    let often = Object::new();
    Reflect::set(&often, &"willReadFrequently".into(), &true.into()).ok()?;
    let context: CanvasRenderingContext2d =
        canvas.get_context_with_context_options("2d", &often).ok()??.dyn_into().ok()?;
    let (width, height) = (f64::from(w), f64::from(h));
    context.draw_image_with_html_video_element_and_dw_and_dh(video, 0.0, 0.0, width, height).ok()?;
    let data = context.get_image_data(0.0, 0.0, width, height).ok()?.data();
    Some(texts(&data, w, h))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_of_browsers_have_words_of_their_own() {
        let names = ["NotAllowedError", "NotFoundError", "NotReadableError", "SecurityError", "Other"];
        let mut keys: Vec<_> = names.map(reason).to_vec();
        keys.dedup();
        assert_eq!(keys.len(), names.len());
    }
}
