use tokenyard_lab::{Words, catalogue};
use std::path::Path;
fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().unwrap();
    let lang = args.next().unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    let loc = Path::new("locales");
    let words_of = |lab: Option<&str>| -> Words {
        let mut all = vec!["common", "lesson"]; all.extend(lab);
        all.iter().flat_map(|c| catalogue::read(loc, c, &lang).unwrap()).collect()
    };
    let w = words_of(None);
    match tokenyard_lesson::read(&text) {
        Err(faults) => for f in faults { println!("{}", w.say(&f.msg())) },
        Ok(l) => {
            for f in tokenyard_lesson::trial::faults(&l) { println!("{}", w.say(&f.msg())) }
            for s in &l.steps { if let Some(t) = tokenyard_lesson::trial::of(s) { println!("{}: {t:?}", s.id) } }
            if args.next().is_some() { std::fs::write(&file, tokenyard_lesson::write(&l)).unwrap(); }
            else { println!("{}", tokenyard_lesson::handout::markdown(&l, l.language(&lang), &words_of, true)); }
        }
    }
}
