//! A whole class: two hundred codes in one room, with every slip of the hand.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use proptest::prelude::*;
use tokenyard_lab::labs::LABS;
use tokenyard_lesson::Question;
use tokenyard_lesson::code::{Code, MAX_CODES, MAX_TEXT, Room, Why, guess};

/// Symbols of codes by value.
const SYMBOLS: &str = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

fn question(lab: usize) -> Question {
    Question::of_lab(LABS[lab], &LABS[lab].defaults())
}

/// The code with the symbol at a place changed into another one.
fn mistyped(code: &str, at: usize, by: usize) -> String {
    let place = code.char_indices().filter(|(_, c)| *c != '-').nth(at % 12).unwrap().0;
    let was = SYMBOLS.find(&code[place..=place]).unwrap();
    let now = (was + 1 + by % 31) % 32;
    format!("{}{}{}", &code[..place], &SYMBOLS[now..=now], &code[place + 1..])
}

/// The code as it may come. Small letters without a digit would be words as soon as one is mistyped.
fn shape(code: &str, shape: u8) -> String {
    match shape {
        1 if code.contains(|c: char| c.is_ascii_digit()) => code.to_lowercase(),
        2 => code.replace('-', ""),
        3 => code.replace('-', "–"),
        _ => code.to_owned(),
    }
}

proptest! {
    /// 200 guesses, a tenth of them sent twice and a tenth mistyped, in any order and between any
    /// separators: what is given is either taken or refused with its reason.
    #[test]
    fn every_code_that_is_given_is_taken_or_refused(
        lab in 0..LABS.len(),
        guesses in proptest::collection::vec((any::<u32>(), any::<u32>()), 200),
        slips in proptest::collection::vec((0..12_usize, 0..31_usize), 20),
        order in Just((0..220_usize).collect::<Vec<_>>()).prop_shuffle(),
        shapes in proptest::collection::vec(0..4_u8, 220),
        between in proptest::collection::vec("( |\n|\t|, |; ?| / | \\| |、|\r\n|\n- |> |: |\\(|\\)|\\. )", 220),
    ) {
        let question = question(lab);
        let made: Vec<Code> = guesses
            .iter()
            .map(|(index, chance)| guess(&question, index % question.guesses(), *chance).unwrap())
            .collect();
        let mut given: Vec<String> = made.iter().map(Code::write).collect();
        given.extend_from_within(20..40);
        for (code, (at, by)) in given.iter_mut().zip(&slips) {
            *code = mistyped(code, *at, *by);
        }
        let pasted: String = order
            .iter()
            .zip(shapes.iter().zip(&between))
            .map(|(i, (form, between))| format!("{between}{}\n", shape(&given[*i], *form)))
            .collect();
        let mut room = Room::of(question.clone(), &[]);
        let rejected = room.add(&pasted);
        prop_assert_eq!(room.learners() + rejected.len(), 220);
        prop_assert_eq!(room.counts().iter().sum::<u32>() as usize, room.learners());
        let why = |wanted: fn(&Why) -> bool| rejected.iter().filter(|r| wanted(&r.why)).count();
        prop_assert_eq!(why(|why| matches!(why, Why::Slip(_))), 20);
        // Twenty came twice; two learners with one and the same code are possible and rare.
        prop_assert!(why(|why| *why == Why::Repeated) >= 20);
        prop_assert_eq!(why(|why| *why == Why::Repeated), room.repeated() as usize);
        let mut counts = vec![0; question.guesses() as usize];
        let right: std::collections::BTreeSet<Code> = made[20..].iter().copied().collect();
        for code in right {
            counts[(code.content >> 24) as usize] += 1;
        }
        prop_assert_eq!(room.counts(), counts);
    }

    #[test]
    fn codes_of_a_room_fill_another_one(
        lab in 0..LABS.len(),
        guesses in proptest::collection::vec((any::<u32>(), any::<u32>()), 0..200),
    ) {
        let question = question(lab);
        let mut room = Room::of(question.clone(), &[]);
        for (index, chance) in guesses {
            room.add(&guess(&question, index % question.guesses(), chance).unwrap().write());
        }
        let text = room.codes();
        let mut other = Room::of(question, &[]);
        prop_assert_eq!(other.add(&text.join("\n")), []);
        prop_assert_eq!((other.counts(), other.learners()), (room.counts(), room.learners()));
        prop_assert_eq!(other.codes(), room.codes());
        other.clear();
        prop_assert_eq!((other.learners(), other.repeated(), other.codes().len()), (0, 0, 0));
        prop_assert_eq!(other.add(&text.join("\n")), []);
    }
}

#[test]
fn all_codes_of_a_full_room_are_looked_at_in_one_text() {
    assert!(MAX_CODES * "4K7P-9TQX-2MZD\r\n".len() <= MAX_TEXT);
}
