//! How does an XML body become a tree?
//!
//! The root is the single key of a map; children are entries, those of a `type="array"` element items; attributes
//! come before children; `type` and `nil` direct the reading. In names `-` is read as `_`, as Rails does.
//! Invariant: entities are never expanded beyond the five predefined ones; depth and size are counted while reading.
//! Imports quick_xml (its events) and the element under construction.

mod element;

use quick_xml::XmlVersion;
use quick_xml::errors::Error;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::attributes::{AttrError, Attribute};
use quick_xml::events::{BytesDecl, BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;

use self::element::{Element, is_space};
use super::bad::{self, BadInput};
use super::{Input, MAX_DEPTH, MAX_NODES};
use crate::wire::xml::is_allowed;

const MAX_ATTRIBUTES: usize = 64;

/// Reads an XML body into a map with one entry, the root element.
///
/// - `type="array"` is a list of its children, whatever their names; its other attributes are dropped.
/// - `nil="true"` (or `xsi:nil`), and an element without text, children and attributes, is null;
///   with `type="string"` it is the empty text.
/// - `type="boolean"` is a boolean; `integer`, `float` and `decimal` are numbers; other types are text.
/// - An element with children or attributes is a map, attributes first. White space around children is dropped.
/// - An element with text and attributes but no children is its text: the attributes are dropped, as Rails does.
/// - Namespace declarations and prefixed attributes are dropped. CDATA is text, comments and processing
///   instructions are skipped.
///
/// # Errors
/// [`BadInput::Document`] with the position: not UTF-8 (or declared as such), not well-formed, a DOCTYPE, an entity that
/// is not predefined, text beside children, a typed value that does not parse, deeper than 32 levels, more than
/// 50,000 elements and attributes, more than 64 attributes on one element.
pub fn from_xml(body: &[u8]) -> Result<Input, BadInput> {
    let text = bad::utf8(body)?;
    let mut reader = Reader::from_str(text);
    let mut tree = Tree { text, at: 0, open: Vec::new(), root: None, nodes: 0 };
    loop {
        tree.at = offset(reader.buffer_position());
        let event = reader.read_event().map_err(|error| {
            tree.at = tree.at.max(offset(reader.error_position()));
            tree.bad(explain(&error))
        })?;
        match event {
            Event::Start(tag) => tree.start(&tag)?,
            Event::Empty(tag) => {
                tree.start(&tag)?;
                tree.end()?;
            }
            Event::End(_) => tree.end()?,
            Event::Text(piece) => tree.text(&piece.xml10_content())?,
            Event::CData(piece) => tree.content(&piece.xml10_content())?,
            Event::GeneralRef(reference) => tree.reference(&reference)?,
            Event::Decl(declaration) => tree.declaration(&declaration)?,
            Event::DocType(_) => return Err(tree.bad("a DOCTYPE is not accepted")),
            Event::Comment(_) | Event::PI(_) => {}
            Event::Eof => return tree.finish(),
        }
    }
}

fn offset(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

fn explain(error: &Error) -> String {
    match error {
        Error::Syntax(error) => error.to_string(),
        Error::IllFormed(error) => error.to_string(),
        error => error.to_string(),
    }
}

/// The document while it is read.
struct Tree<'t> {
    text: &'t str,
    /// Where the event in hand begins, in bytes.
    at: usize,
    open: Vec<Element>,
    root: Option<(String, Input)>,
    nodes: usize,
}

impl Tree<'_> {
    fn bad(&self, problem: impl Into<String>) -> BadInput {
        BadInput::document(self.text, self.at, problem)
    }

    fn count(&mut self) -> Result<(), BadInput> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(self.bad(format!("more than {MAX_NODES} elements and attributes")));
        }
        Ok(())
    }

    fn name(&self, raw: &str) -> Result<String, BadInput> {
        let wrong = |c: char| c.is_ascii() && !(c.is_ascii_alphanumeric() || "-_.:".contains(c));
        let starts_wrong = raw.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.');
        if raw.is_empty() || starts_wrong || raw.contains(wrong) {
            return Err(self.bad(format!("`{}` is not a name", bad::shorten(raw))));
        }
        Ok(raw.replace('-', "_"))
    }

    fn start(&mut self, tag: &BytesStart<'_>) -> Result<(), BadInput> {
        if self.open.is_empty() && self.root.is_some() {
            return Err(self.bad("a second root element"));
        }
        if self.open.len() == MAX_DEPTH {
            return Err(self.bad(format!("nested deeper than {MAX_DEPTH} levels")));
        }
        self.count()?;
        let mut element = Element::new(self.name(tag.name().as_ref())?, self.at);
        for (at, attribute) in tag.attributes().enumerate() {
            if at == MAX_ATTRIBUTES {
                return Err(self.bad(format!("more than {MAX_ATTRIBUTES} attributes")));
            }
            let attribute = attribute.map_err(|error| self.bad_attribute(&error))?;
            self.attribute(&mut element, &attribute)?;
        }
        self.open.push(element);
        Ok(())
    }

    fn attribute(&mut self, element: &mut Element, attribute: &Attribute<'_>) -> Result<(), BadInput> {
        self.count()?;
        let name = self.name(attribute.key.as_ref())?;
        if attribute.value.contains('<') {
            return Err(self.bad(format!("attribute `{}` contains `<`", bad::shorten(&name))));
        }
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|error| self.bad(explain(&error)))?;
        self.check(&value)?;
        match name.as_str() {
            "nil" | "xsi:nil" => element.nil = matches!(&*value, "true" | "1"),
            "type" => element.kind = value.into_owned(),
            "xmlns" => {}
            prefixed if prefixed.contains(':') => {}
            _ => element.attributes.push((name, Input::Text(value.into_owned()))),
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), BadInput> {
        let Some(element) = self.open.pop() else {
            return Err(self.bad("a closing tag without an opening one"));
        };
        let start = element.start;
        let entry = element.finish().map_err(|problem| BadInput::document(self.text, start, problem))?;
        match self.open.last_mut() {
            Some(parent) => parent.children.push(entry),
            None => self.root = Some(entry),
        }
        Ok(())
    }

    /// Text between tags; outside the root only white space may stand.
    fn text(&mut self, piece: &str) -> Result<(), BadInput> {
        if self.open.is_empty() && is_space(piece) {
            return Ok(());
        }
        self.content(piece)
    }

    fn content(&mut self, piece: &str) -> Result<(), BadInput> {
        self.check(piece)?;
        match self.open.last_mut() {
            Some(element) => element.text.push_str(piece),
            None => return Err(self.bad("text outside the root element")),
        }
        Ok(())
    }

    fn reference(&mut self, reference: &BytesRef<'_>) -> Result<(), BadInput> {
        let character = reference.resolve_char_ref().map_err(|error| self.bad(explain(&error)))?;
        if let Some(character) = character {
            return self.content(character.encode_utf8(&mut [0; 4]));
        }
        match resolve_predefined_entity(reference) {
            Some(text) => self.content(text),
            None => {
                let name = bad::shorten(reference);
                Err(self.bad(format!("the entity `&{name};` is not accepted")))
            }
        }
    }

    fn declaration(&self, declaration: &BytesDecl<'_>) -> Result<(), BadInput> {
        if self.at > 0 {
            return Err(self.bad("an XML declaration must come first"));
        }
        declaration.version().map_err(|error| self.bad(explain(&error)))?;
        match declaration.encoding() {
            None => Ok(()),
            Some(Ok(name)) if name.eq_ignore_ascii_case("utf-8") => Ok(()),
            Some(Ok(name)) => {
                let name = bad::shorten(&name);
                Err(self.bad(format!("the encoding `{name}` is not accepted, send UTF-8")))
            }
            Some(Err(error)) => Err(self.bad_attribute(&error)),
        }
    }

    fn check(&self, piece: &str) -> Result<(), BadInput> {
        match piece.chars().find(|&character| !is_allowed(character)) {
            Some(wrong) => Err(self.bad(format!("the character U+{:04X} is not allowed in XML", u32::from(wrong)))),
            None => Ok(()),
        }
    }

    /// quick_xml counts from the character after `<`.
    fn bad_attribute(&self, error: &AttrError) -> BadInput {
        let (within, problem) = match error {
            AttrError::ExpectedEq(at) => (*at, "an attribute must be followed by `=` and a value"),
            AttrError::ExpectedValue(at) => (*at, "`=` must be followed by the value of the attribute"),
            AttrError::UnquotedValue(at) => (*at, "the value of an attribute must be quoted"),
            AttrError::ExpectedQuote(at, _) => (*at, "the value of an attribute lacks its closing quote"),
            AttrError::Duplicated(at, _) => (*at, "an attribute is repeated"),
        };
        BadInput::document(self.text, self.at + 1 + within, problem)
    }

    fn finish(self) -> Result<Input, BadInput> {
        if let Some(element) = self.open.last() {
            return Err(self.bad(format!("`<{}>` is not closed", bad::shorten(&element.name))));
        }
        match self.root {
            Some(root) => Ok(Input::Map(vec![root])),
            None => Err(self.bad("there is no root element")),
        }
    }
}
