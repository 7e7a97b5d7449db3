//! The values of a field with the format `enumeration`.

use crate::prelude::*;
use quarry_domain::administration::custom_field::{CustomField, Format};
use quarry_store::administration::custom_fields;

/// Maximum number of characters of a name.
const MAX_NAME: usize = 255;

/// A value of an enumeration in a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EnumerationItem {
    /// The id of a value that the field has; `None` for a new one.
    pub id: Option<i64>,
    pub name: String,
    /// Whether it can be selected.
    pub active: bool,
}

/// Adds the errors of the values that replace those of a field.
pub(super) fn validate(
    errors: &mut ValidationErrors,
    before: &CustomField,
    items: &[EnumerationItem],
) {
    let attribute = "enumerations";
    let label = "Enumerations";
    if before.format != Format::Enumeration {
        if !items.is_empty() {
            errors.add(
                attribute,
                label,
                "is invalid (only fields with the format enumeration have them)",
            );
        }
        return;
    }
    if items
        .iter()
        .any(|item| is_blank(item) || item.name.chars().count() > MAX_NAME)
    {
        errors.add(
            attribute,
            label,
            &format!("is invalid (each needs a name in one line of at most {MAX_NAME} characters)"),
        );
    }
    let mut ids: Vec<i64> = items.iter().filter_map(|item| item.id).collect();
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

fn is_blank(item: &EnumerationItem) -> bool {
    item.name.trim().is_empty() || item.name.chars().any(char::is_control)
}

/// Stores the values of a field in this order, and deletes those that are missing.
///
/// # Errors
/// `Invalid` if a missing one is in use.
pub(super) fn save(
    db: &mut Write<'_>,
    field: &CustomField,
    items: &[EnumerationItem],
) -> Result<(), ActionError> {
    let missing = field
        .enumeration
        .iter()
        .filter(|(id, ..)| items.iter().all(|item| item.id != Some(*id)));
    for (id, name, _) in missing {
        if custom_fields::is_value_used(db, field.id, &id.to_string())? {
            let message = format!(
                "Enumerations is invalid (the value {name} is in use; make it inactive instead)"
            );
            return Err(ActionError::invalid(message));
        }
        custom_fields::delete_enumeration(db, field.id, *id)?;
    }
    for (position, item) in (1..).zip(items) {
        custom_fields::save_enumeration(
            db,
            field.id,
            item.id,
            (item.name.trim(), item.active),
            position,
        )?;
    }
    Ok(())
}
