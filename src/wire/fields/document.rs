//! Whole documents: one record, a list, an error; and documents that are written in parts.

use super::{Fields, Stage};
use crate::wire::scalar::Value;
use crate::wire::{Format, digits, xml};
use std::borrow::Cow;

/// What a list says beside its items: an attribute of the root in XML, a key after the array in JSON (contract 1.2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meta {
    /// `"total_count":46`, `total_count="46"`.
    Number(&'static str, i64),
    /// The limit of a page of a list: `"limit":25`, `limit="25"`. A page that would exceed `max_bytes` ends early, after one item at
    /// least, and then its limit is the number of its items.
    Page {
        /// The limit that was asked for.
        limit: i64,
        /// Whether the limit is always said, not only where the page ends early.
        always: bool,
        /// Maximum size of the items in bytes.
        max_bytes: usize,
    },
    /// `"counts":{"issues":3}`, `counts_issues="3"`.
    Numbers(&'static str, Vec<(&'static str, i64)>),
}

impl Meta {
    /// The same of a page that ends after `shown` items.
    fn cut_to(&self, shown: usize) -> Meta {
        match self {
            Meta::Page { max_bytes, .. } => {
                Meta::Page { limit: i64::try_from(shown).unwrap_or(i64::MAX), always: true, max_bytes: *max_bytes }
            }
            other => other.clone(),
        }
    }
}

/// How many bytes an item of a list is expected to have, and for how many items room is made beforehand.
const ITEM: usize = 1024;
const MOST_ITEMS: usize = 100;

/// One thing: `{"issue":{…}}`, `<issue>…</issue>` (contract 1.2).
pub fn object(format: Format, root: &'static str, describe: impl FnOnce(&mut Fields)) -> String {
    let mut w = Fields::document(format, 1024);
    w.nested(root, describe);
    w.finish()
}

/// One thing in two parts: the items of its array that was left open with [`Fields::items_later`] belong between them.
pub fn object_in_parts(format: Format, root: &'static str, describe: impl FnOnce(&mut Fields)) -> (String, String) {
    let mut w = Fields::document(format, 1024);
    w.nested(root, describe);
    let gap = w.gap;
    let mut head = w.finish();
    let tail = head.split_off(gap.unwrap_or(head.len()));
    (head, tail)
}

/// Items of an array that was left open; `is_first` says whether they are its first ones.
pub fn items<T>(
    format: Format,
    item: &'static str,
    is_first: bool,
    items: impl IntoIterator<Item = T>,
    mut describe: impl FnMut(&mut Fields, T),
) -> String {
    let mut w = Fields { format, out: String::new(), stage: Stage::Body, gap: None };
    for (at, one) in items.into_iter().enumerate() {
        w.separate(if is_first { at } else { at + 1 });
        w.block(item, |w| describe(w, one));
    }
    w.out
}

/// A list: `{"issues":[{…}],"total_count":46}`, `<issues total_count="46" type="array"><issue>…</issue></issues>`
/// (contract 1.2). Without `meta` the array stands alone.
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

/// A list with something more beside its items: keys after the array and what is said about it in JSON, the last elements of the
/// root in XML.
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
    let mut w = Fields::document(format, 256 + items.size_hint().0.min(MOST_ITEMS) * ITEM);
    let mut more = Some(more);
    let mut meta = Cow::Borrowed(meta);
    let page = meta.iter().find_map(|meta| if let Meta::Page { max_bytes, .. } = meta { Some(*max_bytes) } else { None });
    let head_start = w.out.len();
    w.array(root, &meta.clone(), |w| {
        let head_end = w.out.len();
        if let Some(shown) = w.blocks_within(item, items, describe, page.unwrap_or(usize::MAX)) {
            meta = meta.iter().map(|meta| meta.cut_to(shown)).collect();
            if format == Format::Xml {
                let mut head = Fields { format, out: String::new(), stage: Stage::Body, gap: None };
                head.array_head(root, &meta);
                w.out.replace_range(head_start..head_end, &head.out);
            }
        }
        if format == Format::Xml
            && let Some(more) = more.take()
        {
            w.stage = Stage::Body;
            more(w);
        }
    });
    if let (Format::Json, Some(more)) = (format, more) {
        meta.iter().for_each(|meta| w.meta_keys(meta));
        more(&mut w);
    }
    w.finish()
}

/// A list of plain texts: `{"errors":["…"]}`, `<errors type="array"><error>…</error></errors>` (contract 1.5).
pub fn texts(format: Format, root: &'static str, item: &'static str, items: &[impl AsRef<str>]) -> String {
    let mut w = Fields::document(format, 256);
    w.texts(root, item, items);
    w.finish()
}

/// One JSON object without a root key, for answers whose shape another standard fixes (OAuth, RFC 6749 section 5).
pub fn plain(describe: impl FnOnce(&mut Fields)) -> String {
    let mut w = Fields::document(Format::Json, 256);
    describe(&mut w);
    w.finish()
}

/// What is said of a request that cannot be served, and why (contract 1.4): `{"status":404,"error":"Not Found","errors":["…"]}`,
/// `<hash><status type="integer">404</status><error>Not Found</error><errors type="array"><error>…</error></errors></hash>`.
pub fn failure(format: Format, status: u16, reason: &str, sentences: &[impl AsRef<str>]) -> String {
    let mut w = Fields::document(format, 256);
    let reasons = |w: &mut Fields| {
        w.field("error", reason);
        w.texts("errors", "error", sentences);
    };
    match format {
        Format::Json => {
            w.field("status", i64::from(status));
            reasons(&mut w);
        }
        Format::Xml => w.nested("hash", |w| {
            w.label("status");
            w.out.push_str("<status");
            xml::attribute(&mut w.out, "type", Value::Text("integer"));
            w.out.push('>');
            digits::integer(&mut w.out, i64::from(status));
            xml::end(&mut w.out, "status");
            w.stage = Stage::Body;
            reasons(w);
        }),
    }
    w.finish()
}
