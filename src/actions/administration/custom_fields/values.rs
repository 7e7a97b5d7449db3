//! Creates, updates and deletes one value of a field with the format `enumeration`.

use super::change::FieldChange;
use super::enumeration::EnumerationItem;
use crate::administration::{apply_name, invalid, require_admin, validate_position};
use crate::prelude::*;
use quarry_domain::administration::custom_field::{CustomField, Format};
use quarry_domain::ids::CustomFieldId;
use quarry_store::administration::custom_fields;
use std::sync::Arc;

/// Maximum number of characters of a name.
const MAX_NAME: usize = 255;

/// The requested attributes of a value. Unset ones stay as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueChange {
    pub name: Patch<String>,
    /// Whether it can be selected.
    pub active: Patch<bool>,
    /// The position in the list, from 1.
    pub position: Patch<i64>,
}

impl ValueChange {
    fn apply_to(&self, before: &EnumerationItem) -> Result<EnumerationItem, ActionError> {
        let after = EnumerationItem {
            id: before.id,
            name: apply_name(&self.name, &before.name),
            active: self.active.apply_to(Some(before.active)).unwrap_or(false),
        };
        let mut errors = ValidationErrors::new();
        errors.require_text("name", "Name", &after.name, MAX_NAME);
        if after.name.chars().any(char::is_control) {
            errors.add("name", "Name", "is invalid");
        }
        validate_position(&mut errors, &self.position);
        errors.into_result().map_err(ActionError::Invalid)?;
        Ok(after)
    }

    /// Inserts the item at its position, or else at `index`.
    fn insert_into(&self, items: &mut Vec<EnumerationItem>, index: usize, item: EnumerationItem) {
        let index = self.position.value().map_or(index, |position| {
            usize::try_from(*position - 1).unwrap_or(usize::MAX)
        });
        items.insert(index.min(items.len()), item);
    }
}

/// Creates a value of a field, at the end unless a position is given.
///
/// # Errors
/// `NotFound` without the field; `Invalid` with a message for each invalid attribute, and for a
/// field of another format.
pub fn create_value(
    db: &mut Write<'_>,
    viewer: &Viewer,
    field: CustomFieldId,
    change: &ValueChange,
) -> Result<(), ActionError> {
    let mut items = items_of(db, viewer, field)?;
    let item = change.apply_to(&EnumerationItem {
        active: true,
        ..EnumerationItem::default()
    })?;
    let end = items.len();
    change.insert_into(&mut items, end, item);
    save(db, viewer, field, items)
}

/// Updates a value of a field.
///
/// # Errors
/// `NotFound` without the value.
pub fn update_value(
    db: &mut Write<'_>,
    viewer: &Viewer,
    (field, id): (CustomFieldId, i64),
    change: &ValueChange,
) -> Result<(), ActionError> {
    let mut items = items_of(db, viewer, field)?;
    let index = index_of(&items, id)?;
    let item = change.apply_to(&items.remove(index))?;
    change.insert_into(&mut items, index, item);
    save(db, viewer, field, items)
}

/// Deletes a value of a field. Records that have it get the value `replacement`.
///
/// # Errors
/// `Invalid` if `replacement` is not another value of the field, and without it while records have
/// the value.
pub fn delete_value(
    db: &mut Write<'_>,
    viewer: &Viewer,
    (field, id): (CustomFieldId, i64),
    replacement: Option<i64>,
) -> Result<(), ActionError> {
    let mut items = items_of(db, viewer, field)?;
    let index = index_of(&items, id)?;
    items.remove(index);
    let value = id.to_string();
    let mut default = Patch::Unset;
    if let Some(replacement) = replacement {
        let Ok(index) = index_of(&items, replacement) else {
            return invalid("Reassign to is invalid");
        };
        let catalogue = Arc::clone(db.catalogue());
        let field = find_field(&catalogue.custom_fields, field)?;
        if field.default.as_deref() == Some(value.as_str()) {
            default = match items[index].active {
                true => Patch::Set(replacement.to_string()),
                false => Patch::Clear,
            };
        }
        custom_fields::replace_value(db, field, &value, &replacement.to_string())?;
    } else if custom_fields::is_value_used(db, field, &value)? {
        return invalid("The value is in use and cannot be deleted");
    }
    let change = FieldChange {
        enumeration: Some(items),
        default,
        ..FieldChange::default()
    };
    CustomField::update(db, viewer, field, &change)
}

fn find_field(fields: &[CustomField], id: CustomFieldId) -> Result<&CustomField, ActionError> {
    let field = fields.iter().find(|field| field.id == id);
    field.ok_or(ActionError::NotFound)
}

/// Returns the values of a field.
fn items_of(
    db: &Write<'_>,
    viewer: &Viewer,
    field: CustomFieldId,
) -> Result<Vec<EnumerationItem>, ActionError> {
    require_admin(viewer)?;
    let field = find_field(&db.catalogue().custom_fields, field)?;
    if field.format != Format::Enumeration {
        return Err(ActionError::NotFound);
    }
    let items = field.enumeration.iter();
    let items = items.map(|(id, name, active)| EnumerationItem {
        id: Some(*id),
        name: name.clone(),
        active: *active,
    });
    Ok(items.collect())
}

fn index_of(items: &[EnumerationItem], id: i64) -> Result<usize, ActionError> {
    let index = items.iter().position(|item| item.id == Some(id));
    index.ok_or(ActionError::NotFound)
}

fn save(
    db: &mut Write<'_>,
    viewer: &Viewer,
    field: CustomFieldId,
    items: Vec<EnumerationItem>,
) -> Result<(), ActionError> {
    let change = FieldChange {
        enumeration: Some(items),
        ..FieldChange::default()
    };
    CustomField::update(db, viewer, field, &change)
}
