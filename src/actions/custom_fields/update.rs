//! Updates custom fields.

use super::FieldChange;
use crate::actions::ActionError;
use crate::actions::administration::require_admin;
use crate::domain::audit::AuditEvent;
use crate::domain::custom_field::{Customized, Format};
use crate::domain::ids::CustomFieldId;
use crate::domain::validation::ValidationErrors;
use crate::domain::viewer::Viewer;
use crate::store::{Write, custom_fields};
use std::sync::Arc;

/// Updates a field. Values of records stay as they are; but a field that no longer has several
/// values keeps the first one of each record.
///
/// # Errors
/// `Forbidden` unless the viewer is an administrator; `NotFound`; `Invalid` if a value is, and if
/// the type or the format would change.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: CustomFieldId,
    change: &FieldChange,
) -> Result<(), ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    let before = catalogue
        .custom_fields
        .iter()
        .find(|field| field.id == id)
        .ok_or(ActionError::NotFound)?;
    let mut errors = ValidationErrors::new();
    let is_same_type = change
        .customized
        .value()
        .and_then(|name| Customized::from_name(name))
        == Some(before.customized);
    if change.customized.is_present() && !is_same_type {
        errors.add("Customized type", "cannot be changed");
    }
    let is_same_format = change
        .format
        .value()
        .map_or(Format::Other, |name| Format::parse(name))
        == before.format;
    if change.format.is_present() && !is_same_format {
        errors.add("Field format", "cannot be changed");
    }
    let after = change.apply_to(&catalogue, before, errors)?;
    custom_fields::update_definition(db, &after)?;
    if before.multiple && !after.multiple {
        custom_fields::keep_first_values(db, &after)?;
    }
    db.audit(AuditEvent::new("custom field", id, "updated").with_name(&after.name));
    change.save_enumeration_and_position(db, &catalogue, &after)
}
