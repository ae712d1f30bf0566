//! Long work off the page: in a worker, or in slices where workers are refused.
//!
//! The worker is a Blob script that is handed the page's own compiled module by message: no
//! second download, no request, no version to mix.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use js_sys::{Array, Float64Array, Object, Reflect, Uint8Array};
use leptos::prelude::set_timeout;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, MessageEvent, Url, Worker};

use crate::job::{self, Answer};

const SCRIPT: &str = include_str!("worker.js");

/// A part of the answer.
#[derive(Debug)]
pub enum Part {
    /// The next rows, in order.
    Rows(Vec<Vec<f64>>),
    /// There are no more.
    Done,
    /// The job ended early; the reason in words.
    Failed(String),
}

/// Many rows of one job.
#[derive(Clone, Debug)]
pub struct Job {
    /// See [`job::text`].
    pub text: String,
    /// First seed or item.
    pub from: u32,
    /// How many of them at most.
    pub count: u32,
    /// A file that goes with it, and its number, by which the text names it.
    pub file: Option<(u32, Uint8Array)>,
}

/// Runs jobs one at a time; a new one replaces the old.
#[derive(Clone, Default)]
pub struct Jobs(Rc<RefCell<Inner>>);

#[derive(Default)]
struct Inner {
    worker: Option<Worker>,
    /// Address of the worker's script, until the worker has it.
    script: Option<String>,
    id: u32,
    /// Number of the file that the worker keeps; 0 for none.
    sent: u32,
    /// Kept alive for as long as the worker may call it.
    _listener: Option<Closure<dyn FnMut(MessageEvent)>>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some(worker) = &self.worker {
            worker.terminate();
        }
        self.revoke();
    }
}

impl Inner {
    /// Lets the browser forget the script. Not before the worker's first message: until then an
    /// engine may still have to fetch it.
    fn revoke(&mut self) {
        if let Some(script) = self.script.take() {
            let _ = Url::revoke_object_url(&script);
        }
    }
}

impl Jobs {
    /// Starts a job; `part` is called with each part of the answer until it is complete,
    /// cancelled or replaced.
    pub fn start(&self, job: &Job, part: impl Fn(Part) + 'static) {
        let id = {
            let mut inner = self.0.borrow_mut();
            inner.id += 1;
            inner.id
        };
        let part: Rc<dyn Fn(Part)> = Rc::new(part);
        if self.post(job, id, &part).is_none() {
            self.slice(job.clone(), id, 0, part);
        }
    }

    /// Stops the present job; no part of it arrives any more.
    pub fn cancel(&self) {
        let mut inner = self.0.borrow_mut();
        inner.id += 1;
        if let Some(worker) = &inner.worker {
            let message = Object::new();
            let _ = Reflect::set(&message, &"id".into(), &inner.id.into());
            let _ = Reflect::set(&message, &"cancel".into(), &true.into());
            let _ = worker.post_message(&message);
        }
    }

    fn post(&self, job: &Job, id: u32, part: &Rc<dyn Fn(Part)>) -> Option<()> {
        let known = self.0.borrow().worker.clone();
        let worker = match known {
            Some(worker) => worker,
            None => {
                let (worker, script) = spawn()?;
                self.0.borrow_mut().script = Some(script);
                worker
            }
        };
        let message = Object::new();
        let set = |key: &str, value: &JsValue| Reflect::set(&message, &key.into(), value).ok();
        set("id", &id.into())?;
        set("module", &wasm_bindgen::module())?;
        set("job", &job.text.as_str().into())?;
        set("from", &job.from.into())?;
        set("count", &job.count.into())?;
        let sent = self.0.borrow().sent;
        let file = job.file.as_ref().filter(|(number, _)| *number != sent);
        if let Some((number, bytes)) = file {
            set("file", bytes)?;
            set("number", &(*number).into())?;
        }
        let listener = self.listener(job.clone(), id, part.clone());
        worker.set_onmessage(Some(listener.as_ref().unchecked_ref()));
        worker.set_onerror(None);
        worker.post_message(&message).ok()?;
        let mut inner = self.0.borrow_mut();
        inner.sent = file.map_or(sent, |(number, _)| *number);
        inner.worker = Some(worker);
        inner._listener = Some(listener);
        Some(())
    }

    fn listener(&self, job: Job, id: u32, part: Rc<dyn Fn(Part)>) -> Closure<dyn FnMut(MessageEvent)> {
        let jobs = Rc::downgrade(&self.0);
        Closure::new(move |event: MessageEvent| {
            let Some(jobs) = jobs.upgrade().map(Jobs) else {
                return;
            };
            jobs.0.borrow_mut().revoke();
            let get = |key: &str| Reflect::get(&event.data(), &key.into()).ok();
            if jobs.0.borrow().id != id || get("id").and_then(|v| v.as_f64()) != Some(f64::from(id)) {
                return;
            }
            if get("failed").is_some_and(|f| f.is_string()) {
                // The module could not be started in a worker: the page does the job itself.
                jobs.slice(job.clone(), id, 0, part.clone());
            } else if let Some(rows) = get("rows").and_then(|r| r.dyn_into::<Array>().ok()) {
                part(Part::Rows(rows.iter().map(numbers).collect()));
                if get("done").is_some_and(|done| done.is_truthy()) {
                    part(Part::Done);
                }
            }
        })
    }

    /// The same job on the page, at most four milliseconds at a time.
    fn slice(&self, job: Job, id: u32, done: u32, part: Rc<dyn Fn(Part)>) {
        let jobs = self.clone();
        set_timeout(
            move || {
                if jobs.0.borrow().id != id {
                    return;
                }
                if let (0, Some((number, file))) = (done, &job.file) {
                    job::take_file(*number, file.to_vec());
                }
                let (mut rows, mut ended) = (Vec::new(), false);
                let started = js_sys::Date::now();
                while !ended && js_sys::Date::now() - started < 3.0 {
                    match job::row(&job.text, job.from + done + rows.len() as u32) {
                        Answer::Row(row) => rows.push(row),
                        Answer::End => ended = true,
                        Answer::Unreadable => {
                            part(Part::Failed(job.text.clone()));
                            return;
                        }
                    }
                    ended |= done + rows.len() as u32 >= job.count;
                }
                let done = done + rows.len() as u32;
                part(Part::Rows(rows));
                if ended {
                    part(Part::Done);
                } else {
                    jobs.slice(job, id, done, part);
                }
            },
            Duration::ZERO,
        );
    }
}

fn numbers(row: JsValue) -> Vec<f64> {
    row.dyn_into::<Float64Array>().map(|row| row.to_vec()).unwrap_or_default()
}

/// A worker and the address of its script. `None` where the browser or the page's policy refuses
/// Blob workers.
fn spawn() -> Option<(Worker, String)> {
    let options = BlobPropertyBag::new();
    options.set_type("text/javascript");
    let blob = Blob::new_with_str_sequence_and_options(&Array::of1(&SCRIPT.into()), &options).ok()?;
    let url = Url::create_object_url_with_blob(&blob).ok()?;
    match Worker::new(&url) {
        Ok(worker) => Some((worker, url)),
        Err(_) => {
            let _ = Url::revoke_object_url(&url);
            None
        }
    }
}
