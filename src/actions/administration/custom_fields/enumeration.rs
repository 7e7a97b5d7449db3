//! The possible values of a field with the format `enumeration`.

use crate::prelude::*;
use quarry_domain::administration::custom_field::{CustomField, Format};
use quarry_store::administration::custom_fields;

/// Maximum number of characters of a name.
const MAX_NAME: usize = 255;

/// A possible value in a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PossibleValue {
    /// The id of a value that the field has; `None` for a new one.
    pub id: Option<i64>,
    pub name: String,
    /// Whether it can be selected.
    pub active: bool,
}

/// Adds the errors of the possible values that replace those of a field.
pub(super) fn validate(
    errors: &mut ValidationErrors,
    before: &CustomField,
    values: &[PossibleValue],
) {
    let attribute = "enumerations";
    let label = "Enumerations";
    if before.format != Format::Enumeration {
        if !values.is_empty() {
            errors.add(
                attribute,
                label,
                "is invalid (only fields with the format enumeration have them)",
            );
        }
        return;
    }
    if values
        .iter()
        .any(|value| is_blank(value) || value.name.chars().count() > MAX_NAME)
    {
        errors.add(
            attribute,
            label,
            &format!("is invalid (each needs a name in one line of at most {MAX_NAME} characters)"),
        );
    }
    let mut ids: Vec<i64> = values.iter().filter_map(|value| value.id).collect();
    if let Some(unknown) = ids
        .iter()
        .find(|id| before.enumeration.iter().all(|(known, ..)| known != *id))
    {
        errors.add(
            attribute,
            label,
            &format!("is invalid (there is no value {unknown})"),
        );
    }
    ids.sort_unstable();
    if ids.windows(2).any(|pair| pair[0] == pair[1]) {
        errors.add(attribute, label, "is invalid (a value occurs twice)");
    }
}

fn is_blank(value: &PossibleValue) -> bool {
    value.name.trim().is_empty() || value.name.chars().any(char::is_control)
}

/// Stores the possible values of a field in this order, and deletes those that are missing.
///
/// # Errors
/// `Invalid` if a missing one is in use.
pub(super) fn save(
    db: &mut Write<'_>,
    field: &CustomField,
    values: &[PossibleValue],
) -> Result<(), ActionError> {
    let missing = field
        .enumeration
        .iter()
        .filter(|(id, ..)| values.iter().all(|value| value.id != Some(*id)));
    for (id, name, _) in missing {
        if custom_fields::is_value_used(db, field.id, &id.to_string())? {
            let message = format!(
                "Enumerations is invalid (the value {name} is in use; make it inactive instead)"
            );
            return Err(ActionError::invalid(message));
        }
        custom_fields::delete_possible_value(db, field.id, *id)?;
    }
    for (position, value) in (1..).zip(values) {
        custom_fields::save_possible_value(
            db,
            field.id,
            value.id,
            (value.name.trim(), value.active),
            position,
        )?;
    }
    Ok(())
}
