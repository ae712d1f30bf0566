//! What a file is that a reader drops or chooses, and where it leads.

use js_sys::{Object, Reflect, Uint8Array};
use tokenyard_export::{HEAD, Opened, read, trace};
use tokenyard_figure::{Carried, MAX_BYTES};
use tokenyard_lab::labs::by_id;
use tokenyard_lab::{Msg, msg};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

use super::request::Request;
use crate::page::{Kind, Page};
use crate::platform::{dom, nav};

/// Where a file leads.
#[derive(Clone, Debug, PartialEq)]
enum Leads {
    /// To an address.
    To(String),
    /// To the fleet page, which reads the file itself; said where that is not the page at hand.
    Fleet,
    /// To the page of lessons, likewise.
    Teach,
    /// Nowhere: why not.
    Nowhere(Msg),
}

/// The answer of [`answer`] as an object with one of the fields `go` (an address), `fleet` (a sentence)
/// `teach` (a sentence) and `say` (a sentence).
pub async fn answer(file: File, request: Request) -> JsValue {
    let leads = leads(&file, &request.page).await;
    let words = request.page.words(&request.lang);
    let (key, text) = match leads {
        Leads::To(address) => ("go", nav::absolute(&address)),
        Leads::Fleet => ("fleet", words.say(&msg("open.is-fleet").with("name", file.name()))),
        Leads::Teach => ("teach", words.say(&msg("open.is-lesson").with("name", file.name()))),
        Leads::Nowhere(why) => ("say", words.say(&why)),
    };
    let object = Object::new();
    // An object of our own takes any property.
    let _ = Reflect::set(&object, &key.into(), &text.into());
    object.into()
}

/// One byte more than anything that is opened here may have: enough to be refused as too large.
const MOST: f64 = MAX_BYTES as f64 + 1.0;

async fn leads(file: &File, page: &Page) -> Leads {
    let unreadable = || Leads::Nowhere(msg("open.unreadable").with("name", file.name()));
    // Of a long trace no more than the beginning is looked at.
    let Some(head) = bytes(file, HEAD as f64).await else {
        return unreadable();
    };
    if trace(&head).is_some() && !page.single {
        return Leads::Fleet;
    }
    let Some(all) = bytes(file, MOST).await else {
        return unreadable();
    };
    match read(&all, Some(&file.name())) {
        Ok(Opened::Lab(carried)) => to_lab(page, &carried),
        // A file of one lab has no lessons.
        Ok(Opened::Lesson) if page.single && !dom::holds(&Kind::Teach) => {
            Leads::Nowhere(msg("open.no-lessons"))
        }
        Ok(Opened::Lesson) => Leads::Teach,
        Ok(_) if page.single => Leads::Nowhere(msg("open.no-fleet")),
        Ok(Opened::Study(fragment)) => Leads::To(page.link(&Kind::Fleet, &fragment)),
        Ok(Opened::Scenario(_) | Opened::Trace(_)) => Leads::Fleet,
        Err(why) => Leads::Nowhere(why.say()),
    }
}

async fn bytes(file: &File, most: f64) -> Option<Vec<u8>> {
    let part = file.slice_with_f64_and_f64(0.0, most).ok()?;
    let buffer = JsFuture::from(part.array_buffer()).await.ok()?;
    Some(Uint8Array::new(&buffer).to_vec())
}

fn to_lab(page: &Page, carried: &Carried) -> Leads {
    let known = by_id(carried.lab()).filter(|lab| !page.single || dom::holds(&Kind::Lab(lab)));
    match known {
        Some(lab) => Leads::To(page.link(&Kind::Lab(lab), carried.fragment())),
        None => Leads::Nowhere(msg("open.no-lab").with("lab", carried.lab().to_owned())),
    }
}
