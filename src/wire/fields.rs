//! Writes the fields of an object in either format.
//!
//! A view is a function of [`Fields`]; each call writes straight into the response, without a tree
//! in between. Invariant: fields appear in the order of calls, and names are static strings of our
//! code, so only values need escaping.

use super::format::Format;
use super::meta::Meta;
use super::scalar::{Scalar, Value};
use super::{json_writer, xml_writer};

/// Writer of an object: attributes first, then fields.
#[derive(Debug)]
pub struct Fields {
    pub(super) format: Format,
    pub(super) out: String,
    pub(super) stage: Stage,
    /// Byte offset in `out` where the items of a deferred array are inserted.
    pub(super) deferred_at: Option<usize>,
}

/// Writes the item of an array with this index. Returns `false` when there is none.
pub(super) type WriteItem<'w> = &'w mut dyn FnMut(&mut Fields, usize) -> bool;

/// Returns a function that writes one item after the other as objects: all that is compiled for each
/// kind of item.
pub(super) fn item_writer<T>(
    name: &str,
    items: impl IntoIterator<Item = T>,
    mut describe: impl FnMut(&mut Fields, T),
) -> impl FnMut(&mut Fields, usize) -> bool {
    let mut items = items.into_iter();
    move |w, index| {
        let Some(item) = items.next() else {
            return false;
        };
        w.separator(index);
        w.write_object(name, |w| describe(w, item));
        true
    }
}

/// What has been written of the current object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Nothing; in XML the start tag is still open.
    Empty,
    /// Attributes only; in XML the start tag is still open.
    Attributes,
    /// Fields; no attribute may follow.
    Body,
}

impl Fields {
    /// Returns the format, for the few views whose content depends on it.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Writes a field: a child element, a key. `None` writes `<x/>`, `null`; the empty text writes
    /// `<x></x>`, `""` (compatibility 3.2).
    pub fn field(&mut self, name: &'static str, value: impl Scalar) {
        self.write_field(name, value.as_value());
    }

    /// Writes a field unless there is no value (bracketed fields of compatibility 6.1).
    pub fn maybe(&mut self, name: &'static str, value: Option<impl Scalar>) {
        if let Some(value) = value {
            self.write_field(name, value.as_value());
        }
    }

    /// Writes an attribute of the current element, which is an ordinary key in JSON. `None` writes
    /// `x=""`, `null`.
    ///
    /// An attribute after a field is a bug (a debug assertion). Release builds write it as a field,
    /// so that the document stays well-formed.
    pub fn attribute(&mut self, name: &'static str, value: impl Scalar) {
        self.write_attribute(name, value.as_value());
    }

    fn write_attribute(&mut self, name: &'static str, value: Value<'_>) {
        debug_assert!(self.stage != Stage::Body, "attribute {name} after a field");
        if self.stage == Stage::Body {
            return self.write_field(name, value);
        }
        match self.format {
            Format::Json => {
                self.start_field(name);
                json_writer::write_value(&mut self.out, value);
            }
            Format::Xml => xml_writer::write_attribute(&mut self.out, name, value),
        }
        self.stage = Stage::Attributes;
    }

    /// Writes a reference: `"project":{"id":1,"name":"Public Alpha"}`, `<project id="1"
    /// name="Public Alpha"/>` (compatibility 3.2).
    pub fn reference(&mut self, name: &'static str, id: i64, label: &str) {
        self.nested(name, |w| {
            w.attribute("id", id);
            w.attribute("name", label);
        });
    }

    /// Writes a reference unless there is none.
    pub fn maybe_reference(&mut self, name: &'static str, target: Option<(i64, &str)>) {
        if let Some((id, label)) = target {
            self.reference(name, id, label);
        }
    }

    /// Writes a nested object; in XML an empty-element tag when it has no fields (`<parent
    /// id="7"/>`).
    pub fn nested(&mut self, name: &'static str, describe: impl FnOnce(&mut Fields)) {
        self.start_field(name);
        self.write_object(name, describe);
    }

    /// Writes an array of objects: `"relations":[{…}]`, `<relations type="array"><relation
    /// …/></relations>`; empty: `[]`, `<relations type="array"></relations>` (compatibility 3.2).
    pub fn items<T>(
        &mut self,
        name: &'static str,
        item: &'static str,
        items: impl IntoIterator<Item = T>,
        describe: impl FnMut(&mut Fields, T),
    ) {
        self.start_array(name, &[]);
        self.write_items(usize::MAX, &mut item_writer(item, items, describe));
        self.end_array(name);
    }

    /// Writes an array of references: `"trackers":[{"id":1,"name":"Bug"}]`,
    /// `<trackers type="array"><tracker id="1" name="Bug"/></trackers>` (compatibility 3.2).
    pub fn references<'l>(
        &mut self,
        name: &'static str,
        item: &'static str,
        targets: impl IntoIterator<Item = (i64, &'l str)>,
    ) {
        self.items(name, item, targets, |w, (id, label)| {
            w.attribute("id", id);
            w.attribute("name", label);
        });
    }

    /// Writes an array whose items are written later, see [`split_object`](super::split_object).
    pub fn deferred_items(&mut self, name: &'static str) {
        self.start_array(name, &[]);
        self.deferred_at = Some(self.out.len());
        self.end_array(name);
    }

    /// Writes an array of texts: `"value":["Linux"]`, `<value
    /// type="array"><value>Linux</value></value>` (compatibility 3.2).
    pub fn texts(
        &mut self,
        name: &'static str,
        item: &'static str,
        texts: impl IntoIterator<Item = impl AsRef<str>>,
    ) {
        self.start_array(name, &[]);
        for (index, text) in texts.into_iter().enumerate() {
            self.write_text(index, item, text.as_ref());
        }
        self.end_array(name);
    }

    fn write_text(&mut self, index: usize, item: &str, text: &str) {
        let value = Value::Text(text);
        match self.format {
            Format::Json => {
                self.separator(index);
                json_writer::write_value(&mut self.out, value);
            }
            Format::Xml => xml_writer::write_element(&mut self.out, item, value),
        }
    }

    pub(super) fn document(format: Format, capacity: usize) -> Self {
        let mut out = String::with_capacity(capacity);
        let stage = match format {
            Format::Json => {
                out.push('{');
                Stage::Empty
            }
            Format::Xml => {
                out.push_str(xml_writer::DECLARATION);
                Stage::Body
            }
        };
        Fields {
            format,
            out,
            stage,
            deferred_at: None,
        }
    }

    pub(super) fn finish(mut self) -> String {
        if self.format == Format::Json {
            self.out.push('}');
        }
        self.out
    }

    pub(super) fn write_field(&mut self, name: &'static str, value: Value<'_>) {
        self.start_field(name);
        match self.format {
            Format::Json => json_writer::write_value(&mut self.out, value),
            Format::Xml => xml_writer::write_element(&mut self.out, name, value),
        }
        self.stage = Stage::Body;
    }

    /// Writes what precedes the value of a field: in JSON the comma and the key, in XML the `>` of
    /// the open start tag.
    pub(super) fn start_field(&mut self, name: &str) {
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

    /// Writes `{…}` or `<name …>…</name>`.
    fn write_object(&mut self, name: &str, describe: impl FnOnce(&mut Fields)) {
        self.start_object(name);
        describe(self);
        self.end_object(name);
    }

    fn start_object(&mut self, name: &str) {
        match self.format {
            Format::Json => self.out.push('{'),
            Format::Xml => {
                self.out.push('<');
                self.out.push_str(name);
            }
        }
        self.stage = Stage::Empty;
    }

    fn end_object(&mut self, name: &str) {
        match self.format {
            Format::Json => self.out.push('}'),
            Format::Xml if self.stage == Stage::Body => {
                xml_writer::write_end_tag(&mut self.out, name)
            }
            Format::Xml => self.out.push_str("/>"),
        }
        self.stage = Stage::Body;
    }

    /// Writes items up to `max_bytes` in total, but at least one. Returns their number when not all
    /// were written.
    pub(super) fn write_items(
        &mut self,
        max_bytes: usize,
        write_item: WriteItem<'_>,
    ) -> Option<usize> {
        let start = self.out.len();
        let mut index = 0;
        loop {
            let end = self.out.len();
            if !write_item(self, index) {
                return None;
            }
            if index > 0 && self.out.len() - start > max_bytes {
                self.out.truncate(end);
                return Some(index);
            }
            index += 1;
        }
    }

    /// Writes `"name":[` or `<name … type="array">`.
    pub(super) fn start_array(&mut self, name: &str, meta: &[Meta]) {
        self.start_field(name);
        match self.format {
            Format::Json => self.out.push('['),
            Format::Xml => self.start_array_element(name, meta),
        }
    }

    pub(super) fn start_array_element(&mut self, name: &str, meta: &[Meta]) {
        self.out.push('<');
        self.out.push_str(name);
        for meta in meta {
            self.meta_attributes(meta);
        }
        self.out.push_str(" type=\"array\">");
    }

    pub(super) fn end_array(&mut self, name: &str) {
        match self.format {
            Format::Json => self.out.push(']'),
            Format::Xml => xml_writer::write_end_tag(&mut self.out, name),
        }
        self.stage = Stage::Body;
    }

    pub(super) fn separator(&mut self, index: usize) {
        if index > 0 && self.format == Format::Json {
            self.out.push(',');
        }
    }

    pub(super) fn meta_keys(&mut self, meta: &Meta) {
        match meta {
            Meta::Integer(name, number) => self.write_field(name, Value::Integer(*number)),
            Meta::Page { limit, always, .. } => {
                if *always {
                    self.write_field("limit", Value::Integer(*limit));
                }
            }
            Meta::Group(name, entries) => self.nested(name, |w| {
                for (name, number) in entries {
                    w.write_field(name, Value::Integer(*number));
                }
            }),
        }
    }

    fn meta_attributes(&mut self, meta: &Meta) {
        match meta {
            Meta::Integer(name, number) => {
                xml_writer::write_attribute(&mut self.out, name, Value::Integer(*number));
            }
            Meta::Page { limit, always, .. } => {
                if *always {
                    xml_writer::write_attribute(&mut self.out, "limit", Value::Integer(*limit));
                }
            }
            Meta::Group(group, entries) => {
                for (name, number) in entries {
                    let name = format!("{group}_{name}");
                    xml_writer::write_attribute(&mut self.out, &name, Value::Integer(*number));
                }
            }
        }
    }
}
