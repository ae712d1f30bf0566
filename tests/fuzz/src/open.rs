//! Laws of dropped files: what a reader of ours takes is known for what it is, and a state that was
//! found is found again in what we would write of it.

use tokenyard_export::{HEAD, Opened, TraceForm, read, trace};
use tokenyard_figure::Carried;
use tokenyard_fleet::scenario::Draft;
use tokenyard_fleet::trace_file;
use tokenyard_lab::{labs, link};

/// Any bytes are a state, something of the fleet, or refused.
pub fn open(bytes: &[u8]) {
    let opened = read(bytes, None);
    assert!(bytes.len() > HEAD || trace(bytes).is_some() == matches!(opened, Ok(Opened::Trace(_))));
    if trace_file::read(bytes).is_ok() {
        let is_azure = trace_file::azure(bytes).is_ok();
        let form = if is_azure { TraceForm::Azure2023 } else { TraceForm::Mooncake };
        assert_eq!(opened, Ok(Opened::Trace(form)));
    } else if Draft::read(bytes).is_ok() {
        assert!(matches!(opened, Ok(Opened::Scenario(_))), "{opened:?}");
    }
    match opened {
        Ok(Opened::Lab(carried)) => state(&carried),
        Ok(Opened::Scenario(text)) => assert_eq!(read(text.as_bytes(), None), Ok(Opened::Scenario(text))),
        Ok(Opened::Lesson | Opened::Study(_) | Opened::Trace(_)) | Err(_) => {}
    }
    // As the name of a CSV, with the line by which ours are known.
    if let Ok(name) = std::str::from_utf8(bytes) {
        if let Ok(Opened::Lab(carried)) = read(b"variant,name,x\r\n", Some(name)) {
            let lab = labs::by_id(carried.lab());
            assert!(lab.is_some_and(|lab| link::read(lab, carried.fragment()).1.is_empty()), "{name}");
        }
    }
}

/// A state is plain text, and a transcript's comment brings it back.
fn state(carried: &Carried) {
    let plain = |text: &str| text.bytes().all(|b| b.is_ascii_graphic());
    assert!(plain(carried.lab()) && plain(carried.fragment()) && plain(carried.product()), "{carried:?}");
    if !carried.product().is_empty() && !carried.fragment().contains("-->") {
        let text = format!("# x\n\n<!-- {} -->\n", carried.line());
        assert_eq!(read(text.as_bytes(), None), Ok(Opened::Lab(carried.clone())), "{text}");
    }
}
