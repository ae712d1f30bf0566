//! Mooncake's traces: one JSON object on a line, with the ids of the prompt's 512-token blocks.

use std::collections::BTreeMap;
use std::io::BufRead;

use super::Trace;
use super::collect::{Collect, tokens};
use super::cursor::Cursor;
use super::lines::{Lines, shown, wrong};
use crate::chain::{Chain, Run};
use crate::scenario::Problem;
use crate::workload::MOST_TOKENS;

/// Tokens of a block in Mooncake's traces.
pub const MOONCAKE_BLOCK: u32 = 512;
/// Most different blocks of a trace.
pub const MOST_BLOCKS: usize = 1 << 23;

const FIELDS: [&str; 4] = ["timestamp", "input_length", "output_length", "hash_ids"];
const ID: &str = "a whole number from 0 to 18446744073709551615";
/// Milliseconds in 2^64 ps.
const MOST_MS: u64 = u64::MAX / 1_000_000_000;

/// Reads the whole file. Only full blocks can be hit, so only their ids are kept; an id counts
/// together with everything before it, so two prompts share a block exactly if they share the
/// whole way to it.
///
/// # Errors
/// The first line and field that hold what they may not.
pub fn mooncake(input: impl BufRead) -> Result<Trace, Problem> {
    import(Lines::new(input))
}

pub(super) fn import(mut lines: Lines<impl BufRead>) -> Result<Trace, Problem> {
    let mut rows = Collect::default();
    let mut blocks = Blocks::default();
    let mut ids = Vec::new();
    while let Some((number, line)) = lines.next()? {
        let [at, prompt, output] = object(number, line, &mut ids)?;
        let at = milliseconds(number, at)?;
        let prompt = tokens(number, FIELDS[1], prompt)?;
        let output = tokens(number, FIELDS[2], output)?;
        let started = prompt.div_ceil(MOONCAKE_BLOCK) as usize;
        if ids.len() > started {
            let allowed = format!("at most {started} ids for {prompt} tokens");
            return Err(wrong(number, FIELDS[3], format!("{} ids long", ids.len()), allowed));
        }
        ids.truncate((prompt / MOONCAKE_BLOCK) as usize);
        let chain = blocks.chain(&ids).ok_or_else(|| {
            let allowed = format!("at most {MOST_BLOCKS} different blocks in the whole file");
            wrong(number, FIELDS[3], "too many", allowed)
        })?;
        rows.push(number, at, prompt, output, chain)?;
    }
    rows.finish(Some(MOONCAKE_BLOCK), FIELDS[0])
}

/// Ids of a trace's blocks: by the block before and the file's own id, counted by first appearance,
/// so that new text takes consecutive ids.
#[derive(Default)]
struct Blocks(BTreeMap<(u64, u64), u64>);

impl Blocks {
    /// The chain of a prompt; none if there are too many blocks.
    fn chain(&mut self, ids: &[u64]) -> Option<Chain> {
        let mut chain = Chain::new();
        let mut parent = u64::MAX;
        for &id in ids {
            let fresh = self.0.len();
            parent = *self.0.entry((parent, id)).or_insert(fresh as u64);
            chain.push(Run { first: parent, len: 1 });
        }
        (self.0.len() <= MOST_BLOCKS).then_some(chain)
    }
}

/// The texts of the three numbers of a line; its block ids go to `ids`.
fn object<'a>(number: u64, line: &'a [u8], ids: &mut Vec<u64>) -> Result<[&'a str; 3], Problem> {
    let mut cursor = Cursor::new(number, line);
    let mut found: [Option<&str>; 3] = [None; 3];
    let mut listed = false;
    cursor.expect(b'{', "the line", "an object in braces")?;
    if !cursor.eat(b'}') {
        loop {
            let name = cursor.name()?;
            let Some(field) = FIELDS.iter().position(|field| field.as_bytes() == name) else {
                return Err(wrong(number, "the field", shown(name), FIELDS.join(", ")));
            };
            if found.get(field).map_or(listed, Option::is_some) {
                return Err(wrong(number, FIELDS[field], "given twice", "once"));
            }
            match found.get_mut(field) {
                Some(place) => *place = Some(cursor.number(FIELDS[field], "a number")?),
                None => {
                    listed = true;
                    list(&mut cursor, number, ids)?;
                }
            }
            if cursor.eat(b'}') {
                break;
            }
            cursor.expect(b',', FIELDS[field], "a comma or }")?;
        }
    }
    cursor.end()?;
    let missing = |field: usize| wrong(number, FIELDS[field], "missing", FIELDS.join(", "));
    if !listed {
        return Err(missing(3));
    }
    let get = |field: usize| found[field].ok_or_else(|| missing(field));
    Ok([get(0)?, get(1)?, get(2)?])
}

fn list(cursor: &mut Cursor<'_>, number: u64, ids: &mut Vec<u64>) -> Result<(), Problem> {
    let most = MOST_TOKENS.div_ceil(MOONCAKE_BLOCK) as usize;
    ids.clear();
    cursor.expect(b'[', FIELDS[3], "a list in brackets")?;
    if cursor.eat(b']') {
        return Ok(());
    }
    loop {
        let text = cursor.number(FIELDS[3], ID)?;
        let id = text.parse().map_err(|_| wrong(number, FIELDS[3], shown(text.as_bytes()), ID))?;
        if ids.len() >= most {
            let allowed = format!("at most {most} ids");
            return Err(wrong(number, FIELDS[3], format!("more than {most} ids long"), allowed));
        }
        ids.push(id);
        if cursor.eat(b']') {
            return Ok(());
        }
        cursor.expect(b',', FIELDS[3], "a comma or ]")?;
    }
}

/// Picoseconds of a time in milliseconds, decimals allowed.
fn milliseconds(line: u64, text: &str) -> Result<u128, Problem> {
    if let Some(ms) = text.parse::<u64>().ok().filter(|ms| *ms <= MOST_MS) {
        return Ok(u128::from(ms) * 1_000_000_000);
    }
    let ms = text.parse::<f64>().ok().filter(|ms| (0.0..=MOST_MS as f64).contains(ms));
    let allowed = || format!("milliseconds from 0 to {MOST_MS}, which is 2^64 ps");
    let ms = ms.ok_or_else(|| wrong(line, FIELDS[0], shown(text.as_bytes()), allowed()))?;
    Ok((ms * 1e9 + 0.5) as u128)
}
