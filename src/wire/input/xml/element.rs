//! Converts an XML element to a value once it is closed.
//!
//! Invariant: whether an element is null, a scalar, a list or a map depends on its content and its
//! `type`, never on its name.

use crate::input::bad_input::shorten;
use crate::input::tree::Input;

/// An open element.
pub(super) struct Element {
    pub(super) name: String,
    /// Byte offset of its `<`.
    pub(super) start: usize,
    /// Value of the attribute `type`; empty when there is none.
    pub(super) type_name: String,
    pub(super) is_nil: bool,
    pub(super) attributes: Vec<(String, Input)>,
    pub(super) text: String,
    pub(super) children: Vec<(String, Input)>,
}

impl Element {
    pub(super) fn new(name: String, start: usize) -> Self {
        Element {
            name,
            start,
            type_name: String::new(),
            is_nil: false,
            attributes: Vec::new(),
            text: String::new(),
            children: Vec::new(),
        }
    }

    /// Returns the name and the value, or what is wrong with the element.
    pub(super) fn finish(self) -> Result<(String, Input), String> {
        let Element {
            name,
            type_name,
            is_nil,
            mut attributes,
            text,
            children,
            ..
        } = self;
        let is_blank = is_space(&text);
        let has_children = type_name == "array" || !children.is_empty();
        if has_children && !is_blank {
            return Err(format!("`<{}>` mixes text with elements", shorten(&name)));
        }
        let value = if is_nil {
            Input::Null
        } else if type_name == "array" {
            Input::List(children.into_iter().map(|(_, item)| item).collect())
        } else if has_children {
            attributes.extend(children);
            Input::Map(attributes)
        } else if is_blank && !attributes.is_empty() {
            Input::Map(attributes)
        } else {
            parse_scalar(&name, &type_name, text)?
        };
        Ok((name, value))
    }
}

/// Whether the text is white space only, as XML defines it.
pub(super) fn is_space(text: &str) -> bool {
    text.bytes()
        .all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
}

fn parse_scalar(name: &str, type_name: &str, text: String) -> Result<Input, String> {
    let mismatch = |text: &str| {
        let name = shorten(name);
        let text = shorten(text);
        Err(format!("`{text}` in `<{name}>` is not of type {type_name}"))
    };
    let trimmed = text.trim();
    match type_name {
        "string" => Ok(Input::Text(text)),
        _ if text.is_empty() => Ok(Input::Null),
        "boolean" | "integer" | "float" | "decimal" if trimmed.is_empty() => Ok(Input::Null),
        "boolean" => match trimmed {
            "true" | "1" => Ok(Input::Bool(true)),
            "false" | "0" => Ok(Input::Bool(false)),
            other => mismatch(other),
        },
        "integer" => match trimmed.parse::<i64>() {
            Ok(number) => Ok(Input::Number(number.to_string())),
            Err(_) => mismatch(trimmed),
        },
        "float" | "decimal" => match trimmed.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Input::Number(trimmed.to_owned())),
            _ => mismatch(trimmed),
        },
        _ => Ok(Input::Text(text)),
    }
}
