//! The values that a record has for its custom fields.

use super::CustomField;
use crate::ids::CustomFieldId;
use std::collections::BTreeMap;

/// The values of custom fields in a request, in its order.
pub type RequestedValues = Vec<(CustomFieldId, Vec<String>)>;

/// The values of the custom fields of a record. A field that never had a value is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(BTreeMap<CustomFieldId, Vec<String>>);

impl Values {
    /// Returns the values of a field; `None` if it never had one.
    pub fn get(&self, field: CustomFieldId) -> Option<&[String]> {
        self.0.get(&field).map(Vec::as_slice)
    }

    /// Whether `other` has different values in a field.
    pub fn differs_in(&self, field: CustomFieldId, other: &Values) -> bool {
        self.get(field).unwrap_or_default() != other.get(field).unwrap_or_default()
    }

    /// Adds a value to a field.
    pub fn add(&mut self, field: CustomFieldId, value: String) {
        self.0.entry(field).or_default().push(value);
    }

    /// Replaces the values of a field.
    pub fn set(&mut self, field: CustomFieldId, values: Vec<String>) {
        self.0.insert(field, values);
    }

    /// Removes the values of the fields for which `keep` returns false.
    pub fn retain(&mut self, keep: impl Fn(CustomFieldId) -> bool) {
        self.0.retain(|field, _| keep(*field));
    }

    /// Returns the fields with their values.
    pub fn iter(&self) -> impl Iterator<Item = (CustomFieldId, &[String])> {
        self.0
            .iter()
            .map(|(field, values)| (*field, values.as_slice()))
    }

    /// Returns the values of a new record: the defaults of these fields. A blank default is an
    /// empty value, none is no value.
    pub fn defaults<'f>(fields: impl Iterator<Item = &'f CustomField>) -> Values {
        let default_of =
            |field: &CustomField| field.default.clone().map(|text| (field.id, vec![text]));
        Values(fields.filter_map(default_of).collect())
    }

    /// Sets the requested values of these fields and ignores other fields (compatibility 6.4). An
    /// empty value changes nothing in a field that has no value.
    pub fn apply(&mut self, fields: &[&CustomField], requested: &RequestedValues) {
        for (id, texts) in requested {
            let Some(field) = fields.iter().find(|field| field.id == *id) else {
                continue;
            };
            let mut new_values: Vec<String> = Vec::new();
            for text in texts.iter().filter(|text| !text.is_empty()) {
                if !new_values.contains(text) {
                    new_values.push(text.clone());
                }
            }
            if !field.multiple {
                new_values.truncate(1);
            }
            let before: Vec<&String> = self
                .get(*id)
                .unwrap_or_default()
                .iter()
                .filter(|text| !text.is_empty())
                .collect();
            if before.into_iter().eq(new_values.iter()) {
                continue;
            }
            if new_values.is_empty() {
                new_values.push(String::new());
            }
            self.set(*id, new_values);
        }
    }
}

/// A change of a field as a journal records it: the old and the new value.
pub type ValueChange = (CustomFieldId, Option<String>, Option<String>);

/// Returns the changes of these fields from `before` to `after`: one for a field with a single
/// value; for a field with several values, one per removed and one per added value (compatibility
/// 6.2).
pub fn changes(fields: &[&CustomField], before: &Values, after: &Values) -> Vec<ValueChange> {
    let mut changes = Vec::new();
    for field in fields {
        let old = before.get(field.id).unwrap_or_default();
        let new = after.get(field.id).unwrap_or_default();
        if field.multiple {
            let removed = old
                .iter()
                .filter(|value| !value.is_empty() && !new.contains(value));
            changes.extend(removed.map(|value| (field.id, Some(value.clone()), None)));
            let added = new
                .iter()
                .filter(|value| !value.is_empty() && !old.contains(value));
            changes.extend(added.map(|value| (field.id, None, Some(value.clone()))));
        } else if old.first().map_or("", String::as_str) != new.first().map_or("", String::as_str) {
            changes.push((field.id, old.first().cloned(), new.first().cloned()));
        }
    }
    changes
}
