//! How is a value described once for both formats?
//!
//! A view is a function over [`Fields`]; what it says is written at once into the reply, no tree is built.
//! Invariant: the order of calls is the order of fields outside, and names are static strings of our code,
//! so only values need escaping. Imports the two writers, `json` and `xml`.

mod document;

pub use document::{Meta, failure, items, list, list_with, object, object_in_parts, plain, texts};

use super::scalar::{Scalar, Value};
use super::{Format, json, xml};

/// The object under construction. Attributes come first, then fields; each call writes.
#[derive(Debug)]
pub struct Fields {
    format: Format,
    out: String,
    stage: Stage,
    /// Where the items of an array are to be inserted that are written later.
    gap: Option<usize>,
}

/// How far the object under construction has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing yet; in XML its start tag is still open.
    Empty,
    /// Attributes only; in XML its start tag is still open.
    Attributes,
    /// Fields; no attribute may follow.
    Body,
}

impl Fields {
    /// The format being written, for the rare view whose formats differ in more than shape.
    pub fn format(&self) -> Format {
        self.format
    }

    /// A child element, a key. `None` writes `<x/>`, `null`; the empty text writes `<x></x>`, `""` (contract 1.2).
    pub fn field(&mut self, name: &'static str, value: impl Scalar) {
        self.put(name, value.view());
    }

    /// As [`Fields::field`], but absent when there is no value (bracketed fields of contract 4.1).
    pub fn maybe(&mut self, name: &'static str, value: Option<impl Scalar>) {
        if let Some(value) = value {
            self.put(name, value.view());
        }
    }

    /// An attribute of the element under construction, an ordinary key in JSON. `None` writes `x=""`, `null`.
    ///
    /// Attributes precede fields. One that comes late is a defect (a debug assertion); in release it is
    /// written as a field, so that the document stays well-formed.
    pub fn attribute(&mut self, name: &'static str, value: impl Scalar) {
        debug_assert!(self.stage != Stage::Body, "attribute {name} after a field");
        if self.stage == Stage::Body {
            return self.put(name, value.view());
        }
        match self.format {
            Format::Json => {
                self.label(name);
                json::value(&mut self.out, value.view());
            }
            Format::Xml => xml::attribute(&mut self.out, name, value.view()),
        }
        self.stage = Stage::Attributes;
    }

    /// `"project":{"id":1,"name":"Public Alpha"}`, `<project id="1" name="Public Alpha"/>` (contract 1.2).
    pub fn reference(&mut self, name: &'static str, id: i64, label: &str) {
        self.nested(name, |w| {
            w.attribute("id", id);
            w.attribute("name", label);
        });
    }

    /// As [`Fields::reference`], absent when there is none.
    pub fn maybe_reference(&mut self, name: &'static str, target: Option<(i64, &str)>) {
        if let Some((id, label)) = target {
            self.reference(name, id, label);
        }
    }

    /// An object within; in XML self-closed when it has no fields (`<parent id="7"/>`).
    pub fn nested(&mut self, name: &'static str, describe: impl FnOnce(&mut Fields)) {
        self.label(name);
        self.block(name, describe);
    }

    /// An array of objects: `"relations":[{…}]`, `<relations type="array"><relation …/></relations>`; empty:
    /// `[]`, `<relations type="array"></relations>` (contract 1.2).
    pub fn items<T>(
        &mut self,
        name: &'static str,
        item: &'static str,
        items: impl IntoIterator<Item = T>,
        describe: impl FnMut(&mut Fields, T),
    ) {
        self.array(name, &[], |w| w.blocks(item, items, describe));
    }

    /// An array whose items are written later, see [`object_in_parts`].
    pub fn items_later(&mut self, name: &'static str) {
        self.array(name, &[], |w| w.gap = Some(w.out.len()));
    }

    /// An array of texts: `"value":["Linux"]`, `<value type="array"><value>Linux</value></value>` (contract 1.2).
    pub fn texts(&mut self, name: &'static str, item: &'static str, texts: impl IntoIterator<Item = impl AsRef<str>>) {
        self.array(name, &[], |w| {
            for (at, text) in texts.into_iter().enumerate() {
                let value = Value::Text(text.as_ref());
                match w.format {
                    Format::Json => {
                        w.separate(at);
                        json::value(&mut w.out, value);
                    }
                    Format::Xml => xml::element(&mut w.out, item, value),
                }
            }
        });
    }

    fn document(format: Format, capacity: usize) -> Self {
        let mut out = String::with_capacity(capacity);
        let stage = match format {
            Format::Json => {
                out.push('{');
                Stage::Empty
            }
            Format::Xml => {
                out.push_str(xml::DECLARATION);
                Stage::Body
            }
        };
        Fields { format, out, stage, gap: None }
    }

    fn finish(mut self) -> String {
        if self.format == Format::Json {
            self.out.push('}');
        }
        self.out
    }

    fn put(&mut self, name: &'static str, value: Value<'_>) {
        self.label(name);
        match self.format {
            Format::Json => json::value(&mut self.out, value),
            Format::Xml => xml::element(&mut self.out, name, value),
        }
        self.stage = Stage::Body;
    }

    /// Makes room for a member: in JSON its comma and key, in XML the `>` of the start tag around it.
    fn label(&mut self, name: &str) {
        match self.format {
            Format::Json => {
                if self.stage != Stage::Empty {
                    self.out.push(',');
                }
                self.out.push('"');
                self.out.push_str(name);
                self.out.push_str("\":");
            }
            Format::Xml => {
                if self.stage != Stage::Body {
                    self.out.push('>');
                }
            }
        }
    }

    /// Writes `{…}` or `<name …>…</name>`; the object around it has a body afterwards.
    fn block(&mut self, name: &str, describe: impl FnOnce(&mut Fields)) {
        match self.format {
            Format::Json => self.out.push('{'),
            Format::Xml => {
                self.out.push('<');
                self.out.push_str(name);
            }
        }
        self.stage = Stage::Empty;
        describe(self);
        match self.format {
            Format::Json => self.out.push('}'),
            Format::Xml if self.stage == Stage::Body => xml::end(&mut self.out, name),
            Format::Xml => self.out.push_str("/>"),
        }
        self.stage = Stage::Body;
    }

    fn blocks<T>(&mut self, item: &str, items: impl IntoIterator<Item = T>, describe: impl FnMut(&mut Fields, T)) {
        self.blocks_within(item, items, describe, usize::MAX);
    }

    /// Writes items as long as they have at most `max_bytes` together, but at least one; how many, where not all were written.
    fn blocks_within<T>(
        &mut self,
        item: &str,
        items: impl IntoIterator<Item = T>,
        mut describe: impl FnMut(&mut Fields, T),
        max_bytes: usize,
    ) -> Option<usize> {
        let start = self.out.len();
        for (at, one) in items.into_iter().enumerate() {
            let end = self.out.len();
            if end - start > max_bytes {
                return Some(at);
            }
            self.separate(at);
            self.block(item, |w| describe(w, one));
            if at > 0 && self.out.len() - start > max_bytes {
                self.out.truncate(end);
                return Some(at);
            }
        }
        None
    }

    fn array(&mut self, name: &str, meta: &[Meta], fill: impl FnOnce(&mut Fields)) {
        self.label(name);
        self.array_head(name, meta);
        fill(self);
        match self.format {
            Format::Json => self.out.push(']'),
            Format::Xml => xml::end(&mut self.out, name),
        }
        self.stage = Stage::Body;
    }

    fn array_head(&mut self, name: &str, meta: &[Meta]) {
        match self.format {
            Format::Json => self.out.push('['),
            Format::Xml => {
                self.out.push('<');
                self.out.push_str(name);
                for meta in meta {
                    self.meta_attributes(meta);
                }
                self.out.push_str(" type=\"array\">");
            }
        }
    }

    fn separate(&mut self, at: usize) {
        if at > 0 && self.format == Format::Json {
            self.out.push(',');
        }
    }

    fn meta_keys(&mut self, meta: &Meta) {
        match meta {
            Meta::Number(name, number) => self.put(name, Value::Integer(*number)),
            Meta::Page { limit, always, .. } => {
                if *always {
                    self.put("limit", Value::Integer(*limit));
                }
            }
            Meta::Numbers(name, numbers) => self.nested(name, |w| {
                for (name, number) in numbers {
                    w.put(name, Value::Integer(*number));
                }
            }),
        }
    }

    fn meta_attributes(&mut self, meta: &Meta) {
        match meta {
            Meta::Number(name, number) => {
                xml::attribute(&mut self.out, name, Value::Integer(*number));
            }
            Meta::Page { limit, always, .. } => {
                if *always {
                    xml::attribute(&mut self.out, "limit", Value::Integer(*limit));
                }
            }
            Meta::Numbers(group, numbers) => {
                for (name, number) in numbers {
                    let name = format!("{group}_{name}");
                    xml::attribute(&mut self.out, &name, Value::Integer(*number));
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "fields_tests.rs"]
mod tests;
