//! Creates, updates and deletes one possible value of a field with the format `enumeration`.

use super::change::FieldChange;
use super::enumeration::PossibleValue;
use crate::administration::{apply_name, invalid, require_admin, validate_position};
use crate::prelude::*;
use quarry_domain::administration::custom_field::{CustomField, Format};
use quarry_domain::ids::CustomFieldId;
use quarry_store::administration::custom_fields;
use std::sync::Arc;

/// Maximum number of characters of a name.
const MAX_NAME: usize = 255;

/// The requested attributes of a possible value. Unset ones stay as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PossibleValueChange {
    pub name: Patch<String>,
    /// Whether it can be selected.
    pub active: Patch<bool>,
    /// The position in the list, from 1.
    pub position: Patch<i64>,
}

impl PossibleValueChange {
    fn apply_to(&self, before: &PossibleValue) -> Result<PossibleValue, ActionError> {
        let after = PossibleValue {
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

    /// Inserts the value at its position, or else at `index`.
    fn insert_into(&self, values: &mut Vec<PossibleValue>, index: usize, value: PossibleValue) {
        let index = self.position.value().map_or(index, |position| {
            usize::try_from(*position - 1).unwrap_or(usize::MAX)
        });
        values.insert(index.min(values.len()), value);
    }
}

impl Resource for PossibleValue {
    type Id = i64;
    type Parent = CustomFieldId;
    type Change = PossibleValueChange;

    /// Creates a possible value of a field, at the end unless a position is given. Returns its id.
    ///
    /// # Errors
    /// `NotFound` for a field of another format.
    fn create(
        db: &mut Write<'_>,
        viewer: &Viewer,
        field: CustomFieldId,
        change: &PossibleValueChange,
    ) -> Result<i64, ActionError> {
        require_admin(viewer)?;
        let catalogue = Arc::clone(db.catalogue());
        let mut fields = catalogue.custom_fields.iter();
        let field = fields
            .find(|known| known.id == field && known.format == Format::Enumeration)
            .ok_or(ActionError::NotFound)?;
        let mut values = values_of(field);
        let value = change.apply_to(&PossibleValue {
            active: true,
            ..PossibleValue::default()
        })?;
        let end = values.len();
        change.insert_into(&mut values, end, value);
        save(db, viewer, field, values)?;
        Ok(custom_fields::newest_possible_value(db, field.id)?)
    }

    /// Updates a possible value of a field.
    fn update(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: i64,
        change: &PossibleValueChange,
    ) -> Result<(), ActionError> {
        require_admin(viewer)?;
        let catalogue = Arc::clone(db.catalogue());
        let (field, index) = find(&catalogue, id)?;
        let mut values = values_of(field);
        let value = change.apply_to(&values.remove(index))?;
        change.insert_into(&mut values, index, value);
        save(db, viewer, field, values)
    }

    /// Deletes a possible value of a field. Records that have it get the value `replacement`.
    ///
    /// # Errors
    /// `Invalid` if `replacement` is not another one of the field, and without it while records
    /// have the value.
    fn delete(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: i64,
        replacement: Option<i64>,
    ) -> Result<(), ActionError> {
        require_admin(viewer)?;
        let catalogue = Arc::clone(db.catalogue());
        let (field, index) = find(&catalogue, id)?;
        let mut values = values_of(field);
        values.remove(index);
        let text = id.to_string();
        let mut default = Patch::Unset;
        if let Some(replacement) = replacement {
            let mut others = values.iter();
            let Some(other) = others.find(|value| value.id == Some(replacement)) else {
                return invalid("Reassign to is invalid");
            };
            if field.default.as_deref() == Some(text.as_str()) {
                default = match other.active {
                    true => Patch::Set(replacement.to_string()),
                    false => Patch::Clear,
                };
            }
            custom_fields::replace_value(db, field, &text, &replacement.to_string())?;
        } else if custom_fields::is_value_used(db, field.id, &text)? {
            return invalid("The value is in use and cannot be deleted");
        }
        let change = FieldChange {
            enumeration: Some(values),
            default,
            ..FieldChange::default()
        };
        CustomField::update(db, viewer, field.id, &change)
    }
}

/// Returns the field of a possible value, and the index among those of the field.
fn find(catalogue: &Catalogue, id: i64) -> Result<(&CustomField, usize), ActionError> {
    let mut fields = catalogue.custom_fields.iter();
    fields
        .find_map(|field| {
            let mut values = field.enumeration.iter();
            Some((field, values.position(|value| value.0 == id)?))
        })
        .ok_or(ActionError::NotFound)
}

fn values_of(field: &CustomField) -> Vec<PossibleValue> {
    let values = field.enumeration.iter();
    let values = values.map(|(id, name, active)| PossibleValue {
        id: Some(*id),
        name: name.clone(),
        active: *active,
    });
    values.collect()
}

fn save(
    db: &mut Write<'_>,
    viewer: &Viewer,
    field: &CustomField,
    values: Vec<PossibleValue>,
) -> Result<(), ActionError> {
    let change = FieldChange {
        enumeration: Some(values),
        ..FieldChange::default()
    };
    CustomField::update(db, viewer, field.id, &change)
}
