//! Writes whole documents: an object, a list or an error; and documents in several parts.

use super::fields::{Fields, Stage, WriteItem, item_writer};
use super::format::Format;
use super::meta::Meta;
use super::scalar::Value;
use super::{number_format, xml_writer};
use std::borrow::Cow;

/// Expected size of an item of a list, in bytes.
const ITEM_BYTES: usize = 1024;
/// Maximum number of items for which memory is allocated in advance.
const MAX_PREALLOCATED_ITEMS: usize = 100;

/// Returns an object: `{"issue":{…}}`, `<issue>…</issue>` (compatibility 3.2).
pub fn object(format: Format, root: &'static str, describe: impl FnOnce(&mut Fields)) -> String {
    let mut w = Fields::document(format, 1024);
    w.nested(root, describe);
    w.finish()
}

/// Returns an object in two parts, between which the items of [`Fields::deferred_items`] belong.
pub fn split_object(
    format: Format,
    root: &'static str,
    describe: impl FnOnce(&mut Fields),
) -> (String, String) {
    let mut w = Fields::document(format, 1024);
    w.nested(root, describe);
    let deferred_at = w.deferred_at;
    let mut head = w.finish();
    let tail = head.split_off(deferred_at.unwrap_or(head.len()));
    (head, tail)
}

/// Returns items of [`Fields::deferred_items`]; `is_first` tells whether they are the first of the
/// array.
pub fn items<T>(
    format: Format,
    item: &'static str,
    is_first: bool,
    items: impl IntoIterator<Item = T>,
    describe: impl FnMut(&mut Fields, T),
) -> String {
    let mut w = Fields {
        format,
        out: String::new(),
        stage: Stage::Body,
        deferred_at: None,
    };
    let mut write_item = item_writer(item, items, describe);
    let first = usize::from(!is_first);
    w.write_items(usize::MAX, &mut |w, index| write_item(w, first + index));
    w.out
}

/// Returns a list: `{"issues":[{…}],"total_count":46}`, `<issues total_count="46"
/// type="array"><issue>…</issue></issues>` (compatibility 3.2). Without `meta` only the array is
/// written.
pub fn list<T>(
    format: Format,
    root: &'static str,
    item: &'static str,
    items: impl IntoIterator<Item = T>,
    describe: impl FnMut(&mut Fields, T),
    meta: &[Meta],
) -> String {
    list_with(format, root, item, items, describe, meta, |_| {})
}

/// Returns a list with further fields: after the array and the metadata in JSON, as the last
/// elements of the root in XML.
pub fn list_with<T>(
    format: Format,
    root: &'static str,
    item: &'static str,
    items: impl IntoIterator<Item = T>,
    describe: impl FnMut(&mut Fields, T),
    meta: &[Meta],
    more: impl FnOnce(&mut Fields),
) -> String {
    let items = items.into_iter();
    let capacity = 256 + items.size_hint().0.min(MAX_PREALLOCATED_ITEMS) * ITEM_BYTES;
    write_list(
        Fields::document(format, capacity),
        root,
        &mut item_writer(item, items, describe),
        meta,
        Box::new(more),
    )
}

fn write_list(
    mut w: Fields,
    root: &'static str,
    write_item: WriteItem<'_>,
    meta: &[Meta],
    more: Box<dyn FnOnce(&mut Fields) + '_>,
) -> String {
    let mut meta = Cow::Borrowed(meta);
    let max_bytes = meta.iter().find_map(|meta| {
        if let Meta::Page { max_bytes, .. } = meta {
            Some(*max_bytes)
        } else {
            None
        }
    });
    let head_start = w.out.len();
    w.start_array(root, &meta);
    let head_end = w.out.len();
    if let Some(written) = w.write_items(max_bytes.unwrap_or(usize::MAX), write_item) {
        meta = meta.iter().map(|meta| meta.cut_to(written)).collect();
        if w.format == Format::Xml {
            let mut head = Fields {
                format: w.format,
                out: String::new(),
                stage: Stage::Body,
                deferred_at: None,
            };
            head.start_array_element(root, &meta);
            w.out.replace_range(head_start..head_end, &head.out);
        }
    }
    match w.format {
        Format::Xml => {
            w.stage = Stage::Body;
            more(&mut w);
            w.end_array(root);
        }
        Format::Json => {
            w.end_array(root);
            meta.iter().for_each(|meta| w.meta_keys(meta));
            more(&mut w);
        }
    }
    w.finish()
}

/// Returns a list of texts: `{"errors":["…"]}`, `<errors type="array"><error>…</error></errors>`
/// (compatibility 3.5).
pub fn texts(
    format: Format,
    root: &'static str,
    item: &'static str,
    items: &[impl AsRef<str>],
) -> String {
    let mut w = Fields::document(format, 256);
    w.texts(root, item, items);
    w.finish()
}

/// Returns a JSON object without a root key, for responses in the form of another standard (OAuth,
/// RFC 6749 section 5).
pub fn object_without_root(describe: impl FnOnce(&mut Fields)) -> String {
    let mut w = Fields::document(Format::Json, 256);
    describe(&mut w);
    w.finish()
}

/// Returns the document about a failed request (compatibility 3.4): `{"status":404,"error":"Not
/// Found","errors":["…"]}`, `<hash><status type="integer">400</status><error>Bad
/// Request</error><errors type="array"><error>…</error></errors></hash>`. A 404 in XML has only the
/// messages, like all other errors that a client handles.
pub fn error_document(
    format: Format,
    status: u16,
    reason: &str,
    messages: &[impl AsRef<str>],
) -> String {
    if (format, status) == (Format::Xml, 404) {
        return texts(format, "errors", "error", messages);
    }
    let mut w = Fields::document(format, 256);
    match format {
        Format::Json => {
            w.field("status", i64::from(status));
            write_errors(&mut w, reason, messages);
        }
        Format::Xml => w.nested("hash", |w| {
            w.start_field("status");
            w.out.push_str("<status");
            xml_writer::write_attribute(&mut w.out, "type", Value::Text("integer"));
            w.out.push('>');
            number_format::write_integer(&mut w.out, i64::from(status));
            xml_writer::write_end_tag(&mut w.out, "status");
            w.stage = Stage::Body;
            write_errors(w, reason, messages);
        }),
    }
    w.finish()
}

fn write_errors(w: &mut Fields, reason: &str, messages: &[impl AsRef<str>]) {
    w.field("error", reason);
    w.texts("errors", "error", messages);
}

#[cfg(test)]
mod tests;
