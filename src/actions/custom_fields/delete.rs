//! Deletes custom fields.

use crate::actions::ActionError;
use crate::actions::administration::require_admin;
use crate::domain::audit::AuditEvent;
use crate::domain::ids::CustomFieldId;
use crate::domain::viewer::Viewer;
use crate::store::{Write, custom_fields};
use std::sync::Arc;

/// Deletes a field with all its values. The search no longer finds them.
///
/// # Errors
/// `Forbidden` unless the viewer is an administrator; `NotFound`.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: CustomFieldId) -> Result<(), ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    let field = catalogue
        .custom_fields
        .iter()
        .find(|field| field.id == id)
        .ok_or(ActionError::NotFound)?;
    db.audit(AuditEvent::new("custom field", id, "deleted").with_name(&field.name));
    Ok(custom_fields::delete(db, field)?)
}
