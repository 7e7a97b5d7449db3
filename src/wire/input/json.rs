//! Parses a JSON body into a tree.
//!
//! Invariant: depth and number of values are limited during parsing, so a small body cannot produce
//! a large tree. Messages are those of serde_json, with the position in front.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use super::bad_input::{self, BadInput};
use super::tree::{Input, MAX_DEPTH, MAX_NODES};
use crate::number_format;

/// Parses a JSON body with any value at its top level. Repeated names are all kept. Integers of 64
/// bits keep their digits; other numbers become a 64-bit float in its shortest form.
///
/// # Errors
/// [`BadInput::Document`] with the position: not UTF-8, not JSON, deeper than 32 levels, more than
/// 50,000 values.
pub fn from_json(body: &[u8]) -> Result<Input, BadInput> {
    let text = bad_input::decode_utf8(body)?;
    let nodes = Cell::new(0);
    let mut reader = serde_json::Deserializer::from_str(text);
    let visitor = TreeVisitor {
        depth: 0,
        nodes: &nodes,
    };
    let input = visitor
        .deserialize(&mut reader)
        .map_err(|error| to_bad_input(text, &error))?;
    reader.end().map_err(|error| to_bad_input(text, &error))?;
    Ok(input)
}

/// Converts an error of serde_json, which counts columns in bytes, from 1 at the rejected byte (0
/// right after a line break).
fn to_bad_input(text: &str, error: &serde_json::Error) -> BadInput {
    let line_start = match error.line() {
        0 | 1 => 0,
        line => text
            .match_indices('\n')
            .nth(line - 2)
            .map_or(0, |(at, _)| at + 1),
    };
    let offset = if error.is_eof() {
        text.len()
    } else {
        line_start + error.column().saturating_sub(1)
    };
    let message = error.to_string();
    let problem = message
        .rsplit_once(" at line ")
        .map_or(message.as_str(), |(problem, _)| problem);
    match problem.strip_prefix("EOF while parsing ") {
        Some(construct) => {
            BadInput::in_document(text, offset, format!("the body ends inside {construct}"))
        }
        None => BadInput::in_document(text, offset, problem),
    }
}

/// Visitor of the values at one depth; counts the values of the document.
#[derive(Clone, Copy)]
struct TreeVisitor<'n> {
    depth: usize,
    nodes: &'n Cell<usize>,
}

impl TreeVisitor<'_> {
    fn one_level_deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.depth == MAX_DEPTH {
            return Err(E::custom(format_args!(
                "nested deeper than {MAX_DEPTH} levels"
            )));
        }
        Ok(TreeVisitor {
            depth: self.depth + 1,
            ..self
        })
    }
}

impl<'de> DeserializeSeed<'de> for TreeVisitor<'_> {
    type Value = Input;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Input, D::Error> {
        self.nodes.set(self.nodes.get() + 1);
        if self.nodes.get() > MAX_NODES {
            return Err(D::Error::custom(format_args!(
                "more than {MAX_NODES} values"
            )));
        }
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for TreeVisitor<'_> {
    type Value = Input;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Input, E> {
        Ok(Input::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Input, E> {
        Ok(Input::Bool(value))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Input, E> {
        Ok(Input::Number(number.to_string()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Input, E> {
        Ok(Input::Number(number.to_string()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Input, E> {
        let mut text = String::new();
        number_format::write_float(&mut text, number);
        Ok(Input::Number(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Input, E> {
        Ok(Input::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Input, E> {
        Ok(Input::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut reader: A) -> Result<Input, A::Error> {
        let inner = self.one_level_deeper()?;
        let mut items = Vec::new();
        while let Some(item) = reader.next_element_seed(inner)? {
            items.push(item);
        }
        Ok(Input::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut reader: A) -> Result<Input, A::Error> {
        let inner = self.one_level_deeper()?;
        let mut entries = Vec::new();
        while let Some(name) = reader.next_key()? {
            entries.push((name, reader.next_value_seed(inner)?));
        }
        Ok(Input::Map(entries))
    }
}
