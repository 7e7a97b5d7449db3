//! The footnotes of a text: `fn1. text` defines one, `[1]` refers to it.

use super::attributes::Signature;
use std::cell::RefCell;
use std::collections::HashSet;

/// The footnotes that a text defines.
#[derive(Debug, Default)]
pub(super) struct Footnotes {
    defined: HashSet<String>,
    written: RefCell<HashSet<String>>,
    referenced: RefCell<HashSet<String>>,
}

impl Footnotes {
    /// Finds the definitions: `fn1. text`.
    pub fn from_text(text: &str) -> Footnotes {
        let signatures = text
            .lines()
            .filter(|line| line.starts_with("fn"))
            .filter_map(Signature::parse);
        let defined = signatures
            .map(|signature| signature.name.trim_start_matches("fn").to_owned())
            .collect();
        Footnotes {
            defined,
            ..Footnotes::default()
        }
    }

    /// Whether this is the first footnote of the number, which gets the id.
    pub fn is_first_definition(&self, number: &str) -> bool {
        self.written.borrow_mut().insert(number.to_owned())
    }

    /// Whether the text defines a footnote of this number.
    pub fn is_defined(&self, number: &str) -> bool {
        self.defined.contains(number)
    }

    /// Whether this is the first reference to the footnote, which gets the id.
    pub fn is_first_reference(&self, number: &str) -> bool {
        self.referenced.borrow_mut().insert(number.to_owned())
    }
}
