//! What does one XML element mean, once it is closed?
//!
//! Invariant: an element is null, a scalar, a list or a map by its content and its `type`, never by its name.
//! Imports nothing but `Input`.

use crate::wire::input::Input;
use crate::wire::input::bad::shorten;

/// An element whose end has not been read.
pub(super) struct Element {
    pub(super) name: String,
    /// Byte offset of its `<`.
    pub(super) start: usize,
    /// Its `type`, empty when there is none.
    pub(super) kind: String,
    pub(super) nil: bool,
    pub(super) attributes: Vec<(String, Input)>,
    pub(super) text: String,
    pub(super) children: Vec<(String, Input)>,
}

impl Element {
    pub(super) fn new(name: String, start: usize) -> Self {
        Element { name, start, kind: String::new(), nil: false, attributes: Vec::new(), text: String::new(), children: Vec::new() }
    }

    /// Its name and value, or what is wrong with it.
    pub(super) fn finish(self) -> Result<(String, Input), String> {
        let Element { name, kind, nil, mut attributes, text, children, .. } = self;
        let blank = is_space(&text);
        let holds_children = kind == "array" || !children.is_empty();
        if holds_children && !blank {
            return Err(format!("`<{}>` mixes text with elements", shorten(&name)));
        }
        let value = if nil {
            Input::Null
        } else if kind == "array" {
            Input::List(children.into_iter().map(|(_, item)| item).collect())
        } else if holds_children {
            attributes.extend(children);
            Input::Map(attributes)
        } else if blank && !attributes.is_empty() {
            Input::Map(attributes)
        } else {
            scalar(&name, &kind, text)?
        };
        Ok((name, value))
    }
}

/// Whether there is nothing but what XML calls white space.
pub(super) fn is_space(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
}

fn scalar(name: &str, kind: &str, text: String) -> Result<Input, String> {
    let wrong = |text: &str| {
        let (name, text) = (shorten(name), shorten(text));
        Err(format!("`{text}` in `<{name}>` is not of type {kind}"))
    };
    let trimmed = text.trim();
    match kind {
        "string" => Ok(Input::Text(text)),
        _ if text.is_empty() => Ok(Input::Null),
        "boolean" | "integer" | "float" | "decimal" if trimmed.is_empty() => Ok(Input::Null),
        "boolean" => match trimmed {
            "true" | "1" => Ok(Input::Bool(true)),
            "false" | "0" => Ok(Input::Bool(false)),
            other => wrong(other),
        },
        "integer" => match trimmed.parse::<i64>() {
            Ok(number) => Ok(Input::Number(number.to_string())),
            Err(_) => wrong(trimmed),
        },
        "float" | "decimal" => match trimmed.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Input::Number(trimmed.to_owned())),
            _ => wrong(trimmed),
        },
        _ => Ok(Input::Text(text)),
    }
}
