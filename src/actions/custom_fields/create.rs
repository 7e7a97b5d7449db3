//! Creates custom fields.

use super::FieldChange;
use crate::actions::ActionError;
use crate::actions::administration::require_admin;
use crate::domain::audit::AuditEvent;
use crate::domain::custom_field::{CustomField, Customized, Format};
use crate::domain::ids::CustomFieldId;
use crate::domain::validation::ValidationErrors;
use crate::domain::viewer::Viewer;
use crate::store::{Write, custom_fields};
use std::sync::Arc;

/// Creates a field, at the end of those of its type unless a position is given. Returns its id.
///
/// # Errors
/// `Forbidden` unless the viewer is an administrator; `Invalid` with a message for each invalid
/// attribute.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    change: &FieldChange,
) -> Result<CustomFieldId, ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    let mut errors = ValidationErrors::new();
    let customized = change
        .customized
        .value()
        .and_then(|name| Customized::from_name(name));
    let format = change
        .format
        .value()
        .map(|name| Format::parse(name))
        .filter(|format| *format != Format::Other);
    let message = |is_present: bool| {
        if is_present {
            "is not included in the list"
        } else {
            "cannot be blank"
        }
    };
    if customized.is_none() {
        errors.add(
            "Customized type",
            message(change.customized.value().is_some()),
        );
    }
    if format.is_none() {
        errors.add("Field format", message(change.format.value().is_some()));
    }
    let (Some(customized), Some(format)) = (customized, format) else {
        return Err(ActionError::Invalid(errors.messages().to_vec()));
    };
    if !customized.allows(format) {
        errors.add("Field format", "is not possible for this type of record");
    }
    let blank = CustomField {
        is_for_all: false,
        is_filter: false,
        searchable: false,
        ..CustomField::new(customized, "", format)
    };
    let draft = change.apply_to(&catalogue, &blank, errors)?;
    let id = custom_fields::insert(db, &draft, format.name())?;
    db.audit(AuditEvent::new("custom field", id, "created").with_name(&draft.name));
    change.save_enumeration_and_position(db, &catalogue, &CustomField { id, ..draft })?;
    Ok(id)
}
