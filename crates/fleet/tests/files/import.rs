//! What importers make of small files, and what they say of wrong ones.

use tokenyard_fleet::time::MILLI;
use tokenyard_fleet::trace_file::{MOST_LINE, Trace, azure, mooncake, read};

fn refused(text: &str) -> String {
    read(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn a_mooncake_trace_becomes_chains_of_full_blocks() {
    let text = concat!(
        "{\"timestamp\": 7, \"input_length\": 1100, \"output_length\": 5, \"hash_ids\": [4, 9, 2]}\r\n",
        "\n",
        "{\"hash_ids\":[4,8],\"timestamp\":5.5,\"output_length\":1,\"input_length\":1024}\n",
        "{\"timestamp\": 9, \"input_length\": 600, \"output_length\": 2, \"hash_ids\": [8]}",
    );
    let trace = read(text.as_bytes()).unwrap();
    let rows: Vec<_> =
        trace.rows.iter().map(|r| (r.at, r.prompt, r.output, r.chain.ids().collect::<Vec<_>>())).collect();
    // Sorted by time, the first at 0. Ids 0, 1 are (4), (4, 9) of the first line, whose third block
    // is not full; (4, 8) and (8) are different blocks, though the file calls both 8.
    assert_eq!(
        rows,
        [(0, 1_024, 1, vec![0, 2]), (3 * MILLI / 2, 1_100, 5, vec![0, 1]), (7 * MILLI / 2, 600, 2, vec![3]),]
    );
    assert_eq!(trace.block, Some(512));
}

#[test]
fn an_azure_trace_shares_nothing() {
    let text = "\u{feff}TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:15:46.6805900,374,44\r\n\
                2023-11-16 18:15:46.6805901,396,109\r\n";
    let trace = read(text.as_bytes()).unwrap();
    let rows: Vec<_> = trace.rows.iter().map(|r| (r.at, r.prompt, r.output, r.chain.blocks())).collect();
    assert_eq!(rows, [(0, 374, 44, 0), (100_000, 396, 109, 0)]);
    assert_eq!(trace.block, None);
}

#[test]
fn the_format_is_that_of_the_first_line_whatever_piece_of_the_file_comes_first() {
    let line = "{\"timestamp\": 0, \"input_length\": 1, \"output_length\": 1, \"hash_ids\": []}\n";
    for text in [line.to_owned(), format!("\u{feff}\r\n \n{line}"), format!("\u{feff}{line}")] {
        for length in [1, 2, 5] {
            let pieces = std::io::BufReader::with_capacity(length, text.as_bytes());
            assert_eq!(
                read(pieces).map(|trace| trace.block),
                Ok(Some(512)),
                "{text:?} in pieces of {length}"
            );
        }
    }
}

#[test]
fn wrong_mooncake_lines_are_named_with_line_and_field() {
    let good = "{\"timestamp\": 0, \"input_length\": 600, \"output_length\": 5, \"hash_ids\": [1, 2]}\n";
    let check = |line: &str, expected: &str| {
        let found = refused(&format!("{good}{line}"));
        assert!(found.starts_with(&format!("line 2, {expected}")), "{line}\n{found}\n{expected}");
    };
    let with = |from: &str, to: &str| good.replace(from, to);
    check(&with("600", "0"), "input_length is 0; allowed: a whole number from 1 to 1048576");
    check(&with("600", "-1"), "input_length is -1; allowed");
    check(&with("600", "1e2"), "input_length is 1e2; allowed");
    check(&with("600", "99999999999999999999"), "input_length is 99999999999999999999; allowed");
    check(&with("600", "\"600\""), "input_length is \"\\\"600\\\"");
    check(&with("output_length\": 5", "output_length\": null"), "output_length is \"null");
    check(
        &with("\"timestamp\": 0", "\"timestamp\": -3"),
        "timestamp is \"-3\"; allowed: milliseconds from 0 to 18446744073",
    );
    check(&with("\"timestamp\": 0", "\"timestamp\": 1e999"), "timestamp is \"1e999\"");
    check(&with("\"timestamp\": 0", "\"timestamp\": NaN"), "timestamp is \"NaN");
    check(&with("\"timestamp\": 0, ", ""), "timestamp is missing; allowed: timestamp, input_length");
    check(&with("[1, 2]", "[1, 2, 3]"), "hash_ids is 3 ids long; allowed: at most 2 ids for 600 tokens");
    check(&with("[1, 2]", "[1, -2]"), "hash_ids is \"-2\"; allowed: a whole number from 0");
    check(&with("[1, 2]", "[1, 2"), "hash_ids is \"}\"; allowed: a comma or ]");
    check(&with("[1, 2]", "[[1], 2]"), "hash_ids is \"[1], 2]}\"");
    check(&with("[1, 2]", "7"), "hash_ids is \"7}\"; allowed: a list in brackets");
    check(&with(", \"hash_ids\": [1, 2]", ""), "hash_ids is missing");
    check(&with("\"hash_ids\"", "\"timestamp\""), "timestamp is given twice; allowed: once");
    check(&with("\"hash_ids\"", "\"chat_id\""), "the field is \"chat_id\"; allowed: timestamp, ");
    check(&good[..36], "input_length is the end of the line; allowed: a comma or }");
    check(&format!("{} {{}}", good.trim()), "the line is \"{}\"; allowed: the end of the line");
    check("[1]", "the line is \"[1]\"; allowed: an object in braces");
    assert_eq!(
        refused(&format!("{}\n", "{".repeat(MOST_LINE + 5))),
        "line 1 is longer than 1048576 bytes; allowed: at most 1048576 bytes"
    );
    let list = vec!["1"; 3_000].join(",");
    check(&with("1, 2", &list), "hash_ids is more than 2048 ids long; allowed: at most 2048 ids");
}

#[test]
fn wrong_azure_lines_are_named_with_line_and_field() {
    let head = "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.6805900,374,44\n";
    let check = |line: &str, expected: &str| {
        let found = refused(&format!("{head}{line}"));
        assert!(found.starts_with(&format!("line 3, {expected}")), "{line}\n{found}\n{expected}");
    };
    check("2023-11-31 18:15:46,1,1", "TIMESTAMP is \"2023-11-31 18:15:46\"; allowed: YYYY-MM-DD hh:mm:ss");
    check("2023-11-16 18:15:46,0,1", "ContextTokens is 0; allowed: a whole number from 1 to 1048576");
    check("2023-11-16 18:15:46,1,", "GeneratedTokens is empty; allowed");
    check("2023-11-16 18:15:46,1", "the line is \"2023-11-16 18:15:46,1\"; allowed: three fields");
    check("2023-11-16 18:15:46,1,1,1", "the line is ");
    check("2026-11-16 18:15:46,1,1", "TIMESTAMP is 1095 days after the first; allowed: at most 213 days");
    assert!(refused("time,a,b\n").starts_with("line 1, the header is \"time,a,b\"; allowed: TIMESTAMP,"));
    let bytes = [head.as_bytes(), b"2023-11-16 18:15:46,\xff,1"].concat();
    assert!(read(&bytes[..]).unwrap_err().to_string().starts_with("line 3, the line is "));
}

#[test]
fn a_file_without_requests_is_refused() {
    assert_eq!(refused(""), "the file is empty; allowed: TIMESTAMP,ContextTokens,GeneratedTokens");
    assert!(
        refused("TIMESTAMP,ContextTokens,GeneratedTokens\n").starts_with("the file is without a request")
    );
    assert!(mooncake(&b"\n\n"[..]).is_err() && azure(&b""[..]).is_err());
    assert_eq!(Trace::default().rows.len(), 0);
}
