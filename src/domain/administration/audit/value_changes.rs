//! The values in which a record differs from its former state.

use super::fields::{Described, join, quote};
use super::{MAX_VALUE_CHARS, ValueChange};
use std::collections::BTreeSet;

/// Maximum number of parts of a list that is too long for one value.
const MAX_PARTS: usize = 20;

/// Returns the fields whose values differ. Empty values of a new or deleted record are left out.
pub(super) fn value_changes(
    before: Option<&Described<'_>>,
    after: Option<&Described<'_>>,
) -> Vec<ValueChange> {
    let of = |value: String, exists: bool| exists.then_some(value);
    let change = |field: &str, old: String, new: String| {
        ValueChange::new(field, of(old, before.is_some()), of(new, after.is_some()))
    };
    let texts = pairs(
        before.map(Described::fields).unwrap_or_default(),
        after.map(Described::fields).unwrap_or_default(),
    );
    let lists = pairs(
        before.map(Described::lists).unwrap_or_default(),
        after.map(Described::lists).unwrap_or_default(),
    );
    let mut changes = Vec::new();
    for (field, old, new) in texts {
        if old != new {
            changes.push(change(field, old, new));
        }
    }
    for (field, old, new) in lists {
        if old != new {
            for (field, old, new) in list_changes(field, old, new) {
                changes.push(change(&field, old, new));
            }
        }
    }
    changes
}

/// Pairs the values of the same field; a missing one is empty.
fn pairs<V: Default>(
    before: Vec<(&'static str, V)>,
    after: Vec<(&'static str, V)>,
) -> Vec<(&'static str, V, V)> {
    let mut pairs: Vec<(&'static str, V, V)> = before
        .into_iter()
        .map(|(field, value)| (field, value, V::default()))
        .collect();
    for (field, value) in after {
        match pairs.iter_mut().find(|(name, _, _)| *name == field) {
            Some(pair) => pair.2 = value,
            None => pairs.push((field, V::default(), value)),
        }
    }
    pairs
}

/// Returns both lists as texts. Of lists that are too long for one value, these are the removed and the
/// added names, in several parts if need be, and the name of the field says so.
fn list_changes(
    field: &str,
    before: Vec<String>,
    after: Vec<String>,
) -> Vec<(String, String, String)> {
    let removed = missing_in(&before, &after);
    let added = missing_in(&after, &before);
    let old = join(before);
    let new = join(after);
    let is_long = |text: &str| text.chars().count() > MAX_VALUE_CHARS;
    let same_names = removed.is_empty() && added.is_empty();
    if !is_long(&old) && !is_long(&new) || same_names {
        return vec![(field.to_owned(), old, new)];
    }
    let field = format!("{field} (removed → added)");
    let quoted = |names: Vec<String>| names.iter().map(|name| quote(name)).collect();
    let changes = in_parts(quoted(removed), quoted(added)).into_iter();
    changes
        .map(|(old, new)| (field.clone(), old, new))
        .collect()
}

/// Returns what was removed and added, in pairs of texts that are short enough for a value.
pub(super) fn in_parts(removed: Vec<String>, added: Vec<String>) -> Vec<(String, String)> {
    let mut removed = parts(removed).into_iter();
    let mut added = parts(added).into_iter();
    let mut pairs = Vec::new();
    loop {
        match (removed.next(), added.next()) {
            (None, None) => return pairs,
            (old, new) => pairs.push((old.unwrap_or_default(), new.unwrap_or_default())),
        }
    }
}

/// Joins the texts to few that are short enough for a value. The last one counts those that are left.
fn parts(texts: Vec<String>) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let count = texts.len();
    for (index, text) in texts.into_iter().enumerate() {
        let is_full = parts.len() == MAX_PARTS;
        match parts.last_mut() {
            Some(part) if fits(part, &text) => {
                part.push_str(", ");
                part.push_str(&text);
            }
            _ if is_full => {
                parts.push(format!("and {} more", count - index));
                return parts;
            }
            _ => parts.push(text),
        }
    }
    parts
}

/// Whether the part can have a further text.
fn fits(part: &str, text: &str) -> bool {
    part.chars().count() + text.chars().count() + 2 <= MAX_VALUE_CHARS
}

fn missing_in(names: &[String], others: &[String]) -> Vec<String> {
    let others: BTreeSet<&String> = others.iter().collect();
    let missing = names.iter().filter(|name| !others.contains(name));
    missing.cloned().collect()
}
