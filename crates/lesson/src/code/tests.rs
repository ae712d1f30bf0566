use proptest::prelude::*;
use tokenyard_lab::labs::LABS;

use super::*;
use crate::Question;

/// A question with as many guesses as the widest.
fn questions() -> Vec<Question> {
    LABS.iter().map(|lab| Question::of_lab(lab, &lab.defaults())).collect()
}

fn code() -> impl Strategy<Value = Code> {
    (any::<bool>(), any::<u16>(), any::<u32>()).prop_map(|(guess, subject, content)| Code {
        kind: if guess { Kind::Guess } else { Kind::Finished },
        subject,
        content,
    })
}

fn signs(code: &Code) -> Vec<char> {
    code.write().chars().filter(|c| *c != '-').collect()
}

fn text(signs: &[char]) -> String {
    signs.iter().collect()
}

proptest! {
    #[test]
    fn what_is_written_is_read_in_any_guise(code in code()) {
        let text = code.write();
        prop_assert_eq!(text.len(), SYMBOLS + 2);
        let wide: String = text
            .chars()
            .map(|c| char::from_u32(u32::from(c) + 0xFEE0).unwrap())
            .collect();
        let alike = text.replace('0', "o").replace('1', "l");
        for guise in [text.clone(), text.to_lowercase(), text.replace('-', " "), text.replace('-', ""), wide, alike] {
            prop_assert_eq!(Code::read(&guise), Ok(code), "{}", guise);
        }
    }

    #[test]
    fn every_wrong_symbol_is_seen_and_placed(code in code()) {
        let right = signs(&code);
        for at in 0..SYMBOLS {
            for other in ALPHABET.map(char::from).into_iter().filter(|c| *c != right[at]) {
                let mut wrong = right.clone();
                wrong[at] = other;
                prop_assert_eq!(Code::read(&text(&wrong)), Err(Slip::Symbol(at + 1, right[at])));
            }
        }
    }

    #[test]
    fn every_swap_of_two_is_seen_and_of_neighbours_placed(code in code()) {
        let right = signs(&code);
        for a in 0..SYMBOLS {
            for b in a + 1..SYMBOLS {
                let mut wrong = right.clone();
                wrong.swap(a, b);
                let read = Code::read(&text(&wrong));
                if wrong == right {
                    prop_assert_eq!(read, Ok(code));
                } else if b == a + 1 {
                    // Another neighbouring pair may explain the sums as well; then no place is named.
                    prop_assert!(matches!(read, Err(Slip::Swapped(at)) if at == b) || read == Err(Slip::Several));
                } else {
                    prop_assert!(matches!(read, Err(Slip::Swapped(_) | Slip::Several)));
                }
            }
        }
    }

    #[test]
    fn any_text_is_read_without_a_panic(text in "\\PC{0,60}") {
        let _ = (Code::read(&text), scan(&text));
    }

    #[test]
    fn any_text_of_signs_is_read_without_a_panic(text in "[0-9A-Za-z -]{0,200}") {
        for found in scan(&text) {
            prop_assert_eq!(found.code, Code::read(&found.text));
        }
    }

    #[test]
    fn two_hundred_codes_count_in_any_order_among_junk(
        lab in 0..LABS.len(),
        guesses in proptest::collection::vec((any::<u32>(), any::<u32>()), 200),
        order in Just((0..200_usize).collect::<Vec<_>>()).prop_shuffle(),
        junk in proptest::collection::vec("(Hello,|my guess is|田中です|No\\. [1-9][0-9]?:|\n|thanks! |https://a\\.example/x )", 200),
    ) {
        let question = questions().swap_remove(lab);
        let codes: Vec<Code> = guesses
            .iter()
            .map(|(index, chance)| guess(&question, index % question.guesses(), *chance).unwrap())
            .collect();
        let mut one = Room::of(question.clone(), &[]);
        let mut alone = 0;
        for code in &codes {
            alone += one.add(&code.write()).len();
        }
        let mut other = Room::of(question.clone(), &[]);
        let line = |(i, junk): (&usize, &String)| format!("{junk} {} {junk}\n", codes[*i].write());
        let pasted: String = order.iter().zip(&junk).map(line).collect();
        let rejected = other.add(&pasted);
        prop_assert!(rejected.iter().all(|r| r.why == Why::Repeated), "{:?}", rejected);
        prop_assert_eq!((rejected.len(), other.counts()), (alone, one.counts()));
        prop_assert_eq!(other.learners() + other.repeated() as usize, 200);
        prop_assert_eq!(other.counts().iter().sum::<u32>() as usize, other.learners());
        let again = other.add(&pasted);
        prop_assert_eq!((again.len(), other.counts()), (200, one.counts()));
    }
}

#[test]
fn learners_with_one_guess_are_seldom_taken_for_one() {
    // The birthday bound that the width of the random part is chosen by.
    let pairs = 200.0 * 199.0 / 2.0;
    assert!(pairs / f64::from(1_u32 << 24) < 0.01);
}

#[test]
fn a_rejected_code_says_why() {
    let questions = questions();
    let names: Vec<String> = questions.iter().map(|q| q.name.clone()).collect();
    let own = guess(&questions[0], 1, 77).unwrap().write();
    let mut room = Room::of(questions[0].clone(), &names);
    assert_eq!(room.add(&format!("me: {own}, and you?")), []);
    let foreign = guess(&questions[1], 1, 77).unwrap().write();
    let unknown = Code { kind: Kind::Guess, subject: 12, content: 0 }.write();
    let done = Code { kind: Kind::Finished, subject: 12, content: 0 }.write();
    let outside = Code { content: u32::MAX, ..guess(&questions[0], 0, 0).unwrap() }.write();
    let other = if own.starts_with('7') { '9' } else { '7' };
    for (text, why) in [
        (own.clone(), Why::Repeated),
        (foreign, Why::Foreign(Some(names[1].clone()))),
        (unknown, Why::Foreign(None)),
        (done, Why::Finished),
        (outside, Why::Outside),
        (format!("{other}{}", &own[1..]), Why::Slip(Slip::Symbol(1, own.chars().next().unwrap()))),
        (own[..13].to_owned(), Why::Slip(Slip::Length(11))),
        (format!("U{}", &own[1..]), Why::Slip(Slip::Sign(1))),
    ] {
        let rejected = room.add(&format!("> {text}\n"));
        assert_eq!(rejected, [Rejected { text: text.clone(), why }], "{text}");
    }
    assert_eq!((room.learners(), room.repeated()), (1, 1));
    let words = "over-the-hill load-gap first-come-first-served 2026-11-30 10:45 1234 5678 9012 abc";
    assert_eq!(room.add(words), []);
    // Without a digit and in small letters, three groups of four are a mistyped code all the same.
    let small = room.add("so abcd-efgh-jkmn it is");
    assert!(
        matches!(&small[..], [Rejected { text, why: Why::Slip(_) }] if text == "abcd-efgh-jkmn"),
        "{small:?}"
    );
}

#[test]
fn a_room_holds_so_many_and_no_more() {
    let question = questions().swap_remove(0);
    let mut room = Room::of(question.clone(), &[]);
    for i in 0..MAX_CODES as u32 {
        assert_eq!(room.add(&guess(&question, 0, i).unwrap().write()), []);
    }
    let more = room.add(&guess(&question, 1, 1).unwrap().write());
    assert_eq!((more[0].why.clone(), room.learners()), (Why::Full, MAX_CODES));
}

#[test]
fn guesses_are_numbered_from_one_end_to_the_other() {
    for question in questions() {
        let n = question.guesses();
        assert!((2..=256).contains(&n), "{}", question.name);
        for i in 0..n {
            assert_eq!(question.index(question.value(i).unwrap()), Some(i));
        }
        assert_eq!((question.value(n), guess(&question, n, 0)), (None, None));
    }
}

#[test]
fn the_questions_of_the_labs_have_numbers_of_their_own() {
    let mut subjects: Vec<u16> = questions().iter().map(|q| subject(&q.name)).collect();
    subjects.sort_unstable();
    subjects.dedup();
    assert_eq!(subjects.len(), LABS.len());
}
