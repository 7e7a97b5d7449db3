//! Parses an XML body into a tree.
//!
//! The root is the only key of a map. Children are entries, or items when the element has
//! `type="array"`; attributes come before children. `type` and `nil` select the conversion. In
//! names `-` becomes `_`, as in Rails. Invariant: only the five predefined entities are expanded;
//! depth and size are limited during parsing.

mod element;
mod encoding;

use quick_xml::XmlVersion;
use quick_xml::errors::Error;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::attributes::{AttrError, Attribute};
use quick_xml::events::{BytesDecl, BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;

use self::element::{Element, is_space};
use super::bad_input::{self, BadInput};
use super::tree::{Input, MAX_DEPTH, MAX_NODES};
use crate::xml_writer::is_allowed;

/// Maximum number of attributes of one element.
const MAX_ATTRIBUTES: usize = 64;

/// Parses an XML body into a map with one entry, the root element.
///
/// - `type="array"` is a list of its children, whatever their names; its other attributes are
///   dropped.
/// - `nil="true"` (or `xsi:nil`), and an element without text, children and attributes, is null;
///   with `type="string"` it is the empty text.
/// - `type="boolean"` is a boolean; `integer`, `float` and `decimal` are numbers; other types are
///   text.
/// - An element with children or attributes is a map, attributes first. White space between
///   children is dropped.
/// - An element with text and attributes but no children is its text: the attributes are dropped,
///   as Rails does.
/// - Namespace declarations and prefixed attributes are dropped. CDATA is text, comments and
///   processing instructions are skipped.
///
/// # Errors
/// [`BadInput::Document`] with the position: bytes that are not text in its encoding, an encoding that is not accepted, not well-formed, a
/// DOCTYPE, an entity that is not predefined, text mixed with children, a typed value that does not
/// parse, deeper than 32 levels, more than 50,000 elements and attributes, more than 64 attributes
/// on one element.
pub fn from_xml(body: &[u8]) -> Result<Input, BadInput> {
    let text = encoding::decode(body)?;
    let text = text.as_ref();
    let mut reader = Reader::from_str(text);
    let mut parser = Parser {
        text,
        at: 0,
        open: Vec::new(),
        root: None,
        nodes: 0,
    };
    loop {
        parser.at = offset(reader.buffer_position());
        let event = reader.read_event().map_err(|error| {
            parser.at = parser.at.max(offset(reader.error_position()));
            parser.error(message(&error))
        })?;
        match event {
            Event::Start(tag) => parser.start(&tag)?,
            Event::Empty(tag) => {
                parser.start(&tag)?;
                parser.end()?;
            }
            Event::End(_) => parser.end()?,
            Event::Text(piece) => parser.text(&piece.xml10_content())?,
            Event::CData(piece) => parser.content(&piece.xml10_content())?,
            Event::GeneralRef(reference) => parser.reference(&reference)?,
            Event::Decl(declaration) => parser.declaration(&declaration)?,
            Event::DocType(_) => return Err(parser.error("a DOCTYPE is not accepted")),
            Event::Comment(_) | Event::PI(_) => {}
            Event::Eof => return parser.finish(),
        }
    }
}

fn offset(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

fn message(error: &Error) -> String {
    match error {
        Error::Syntax(error) => error.to_string(),
        Error::IllFormed(error) => error.to_string(),
        error => error.to_string(),
    }
}

/// State of the parser.
struct Parser<'t> {
    text: &'t str,
    /// Byte offset of the current event.
    at: usize,
    open: Vec<Element>,
    root: Option<(String, Input)>,
    nodes: usize,
}

impl Parser<'_> {
    fn error(&self, problem: impl Into<String>) -> BadInput {
        BadInput::in_document(self.text, self.at, problem)
    }

    fn count(&mut self) -> Result<(), BadInput> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(self.error(format!("more than {MAX_NODES} elements and attributes")));
        }
        Ok(())
    }

    fn name(&self, raw: &str) -> Result<String, BadInput> {
        let has_invalid_character = raw
            .contains(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && !"-_.:".contains(c));
        let has_invalid_start =
            raw.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.');
        if raw.is_empty() || has_invalid_start || has_invalid_character {
            return Err(self.error(format!("`{}` is not a name", bad_input::shorten(raw))));
        }
        Ok(raw.replace('-', "_"))
    }

    fn start(&mut self, tag: &BytesStart<'_>) -> Result<(), BadInput> {
        if self.open.is_empty() && self.root.is_some() {
            return Err(self.error("a second root element"));
        }
        if self.open.len() == MAX_DEPTH {
            return Err(self.error(format!("nested deeper than {MAX_DEPTH} levels")));
        }
        self.count()?;
        let mut element = Element::new(self.name(tag.name().as_ref())?, self.at);
        for (at, attribute) in tag.attributes().enumerate() {
            if at == MAX_ATTRIBUTES {
                return Err(self.error(format!("more than {MAX_ATTRIBUTES} attributes")));
            }
            let attribute = attribute.map_err(|error| self.attribute_error(&error))?;
            self.attribute(&mut element, &attribute)?;
        }
        self.open.push(element);
        Ok(())
    }

    fn attribute(
        &mut self,
        element: &mut Element,
        attribute: &Attribute<'_>,
    ) -> Result<(), BadInput> {
        self.count()?;
        let name = self.name(attribute.key.as_ref())?;
        if attribute.value.contains('<') {
            return Err(self.error(format!(
                "attribute `{}` contains `<`",
                bad_input::shorten(&name)
            )));
        }
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|error| self.error(message(&error)))?;
        self.check_characters(&value)?;
        match name.as_str() {
            "nil" | "xsi:nil" => element.is_nil = matches!(&*value, "true" | "1"),
            "type" => element.type_name = value.into_owned(),
            "xmlns" => {}
            prefixed if prefixed.contains(':') => {}
            _ => element
                .attributes
                .push((name, Input::Text(value.into_owned()))),
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), BadInput> {
        let Some(element) = self.open.pop() else {
            return Err(self.error("a closing tag without an opening tag"));
        };
        let start = element.start;
        let entry = element
            .finish()
            .map_err(|problem| BadInput::in_document(self.text, start, problem))?;
        match self.open.last_mut() {
            Some(parent) => parent.children.push(entry),
            None => self.root = Some(entry),
        }
        Ok(())
    }

    /// Handles text between tags; outside the root only white space is allowed.
    fn text(&mut self, piece: &str) -> Result<(), BadInput> {
        if self.open.is_empty() && is_space(piece) {
            return Ok(());
        }
        self.content(piece)
    }

    fn content(&mut self, piece: &str) -> Result<(), BadInput> {
        self.check_characters(piece)?;
        match self.open.last_mut() {
            Some(element) => element.text.push_str(piece),
            None => return Err(self.error("text outside the root element")),
        }
        Ok(())
    }

    fn reference(&mut self, reference: &BytesRef<'_>) -> Result<(), BadInput> {
        let character = reference
            .resolve_char_ref()
            .map_err(|error| self.error(message(&error)))?;
        if let Some(character) = character {
            return self.content(character.encode_utf8(&mut [0; 4]));
        }
        match resolve_predefined_entity(reference) {
            Some(text) => self.content(text),
            None => {
                let name = bad_input::shorten(reference);
                Err(self.error(format!("the entity `&{name};` is not accepted")))
            }
        }
    }

    fn declaration(&self, declaration: &BytesDecl<'_>) -> Result<(), BadInput> {
        if self.at > 0 {
            return Err(self.error("an XML declaration must come first"));
        }
        declaration
            .version()
            .map_err(|error| self.error(message(&error)))?;
        match declaration.encoding() {
            None => Ok(()),
            Some(Ok(name)) if encoding::is_accepted(&name) => Ok(()),
            Some(Ok(name)) => {
                let name = bad_input::shorten(&name);
                Err(self.error(format!("the encoding `{name}` is not accepted, send UTF-8")))
            }
            Some(Err(error)) => Err(self.attribute_error(&error)),
        }
    }

    fn check_characters(&self, piece: &str) -> Result<(), BadInput> {
        match piece.chars().find(|&character| !is_allowed(character)) {
            Some(invalid) => Err(self.error(format!(
                "the character U+{:04X} is not allowed in XML",
                u32::from(invalid)
            ))),
            None => Ok(()),
        }
    }

    /// Converts an error about an attribute, whose position quick_xml counts from the character
    /// after `<`.
    fn attribute_error(&self, error: &AttrError) -> BadInput {
        let (offset_in_tag, problem) = match error {
            AttrError::ExpectedEq(at) => (*at, "an attribute must be followed by `=` and a value"),
            AttrError::ExpectedValue(at) => {
                (*at, "`=` must be followed by the value of the attribute")
            }
            AttrError::UnquotedValue(at) => (*at, "the value of an attribute must be quoted"),
            AttrError::ExpectedQuote(at, _) => {
                (*at, "the value of an attribute lacks its closing quote")
            }
            AttrError::Duplicated(at, _) => (*at, "an attribute is repeated"),
        };
        BadInput::in_document(self.text, self.at + 1 + offset_in_tag, problem)
    }

    fn finish(self) -> Result<Input, BadInput> {
        if let Some(element) = self.open.last() {
            return Err(self.error(format!(
                "`<{}>` is not closed",
                bad_input::shorten(&element.name)
            )));
        }
        match self.root {
            Some(root) => Ok(Input::Map(vec![root])),
            None => Err(self.error("there is no root element")),
        }
    }
}
