//! JSON as a scenario needs it: duplicate keys are kept so that they can be refused, and numbers
//! keep a text that reads back to the same value.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::problem::Problem;

/// Longest scenario file in bytes.
pub const MOST_BYTES: usize = 4 << 20;
/// Deepest nesting of lists and objects.
pub const MOST_DEPTH: usize = 16;

/// One JSON value. Numbers keep their text, objects their order and their duplicates.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl Node {
    /// The value as a message shows it.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(on) => on.to_string(),
            Self::Number(text) => super::shorten(text),
            Self::Text(text) => format!("\"{}\"", super::shorten(text)),
            Self::List(_) => "a list".to_owned(),
            Self::Object(_) => "an object".to_owned(),
        }
    }
}

/// Reads a whole document.
///
/// # Errors
/// Where the text stops being JSON, by line and column.
pub(super) fn parse(bytes: &[u8]) -> Result<Node, Problem> {
    if bytes.len() > MOST_BYTES {
        let given = format!("{} bytes long", bytes.len());
        return Err(Problem::new("the file", given, format!("at most {MOST_BYTES} bytes")));
    }
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let given = format!("not text at byte {}", e.valid_up_to());
        Problem::new("the file", given, "UTF-8")
    })?;
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = Depth(0).deserialize(&mut reader).and_then(|node| reader.end().map(|()| node));
    read.map_err(|e| {
        // serde_json ends its sentence with the place, which stands in front here.
        let place = format!("line {}, column {}", e.line(), e.column());
        let said = e.to_string();
        let said = said.split(" at line ").next().unwrap_or_default();
        Problem::new(&place, super::shorten(said), "JSON (RFC 8259)")
    })
}

/// Reads a value so many levels deep.
#[derive(Clone, Copy)]
struct Depth(usize);

impl Depth {
    fn deeper<E: Error>(self) -> Result<Self, E> {
        if self.0 < MOST_DEPTH {
            Ok(Self(self.0 + 1))
        } else {
            Err(E::custom(format_args!("more than {MOST_DEPTH} levels")))
        }
    }
}

impl<'de> DeserializeSeed<'de> for Depth {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Depth {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E: Error>(self, on: bool) -> Result<Node, E> {
        Ok(Node::Bool(on))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Node, E> {
        Ok(Node::Number(number.to_string()))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Node, E> {
        Ok(Node::Number(number.to_string()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Node, E> {
        // 1e300 and not three hundred zeros.
        Ok(Node::Number(format!("{number:?}")))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
        let (inside, mut nodes) = (self.deeper()?, Vec::new());
        while let Some(node) = list.next_element_seed(inside)? {
            nodes.push(node);
        }
        Ok(Node::List(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Node, A::Error> {
        let (inside, mut fields) = (self.deeper()?, Vec::new());
        while let Some(key) = object.next_key::<String>()? {
            fields.push((key, object.next_value_seed(inside)?));
        }
        Ok(Node::Object(fields))
    }
}
