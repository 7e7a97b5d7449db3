//! Updates roles.

use super::RoleChange;
use crate::actions::ActionError;
use crate::actions::administration::require_admin;
use crate::domain::ids::RoleId;
use crate::domain::viewer::Viewer;
use crate::store::Write;
use std::sync::Arc;

/// Updates a role. Its members have the new rights with their next request.
///
/// # Errors
/// `Forbidden` unless the viewer is an administrator; `NotFound`; `Invalid` with a message for each
/// invalid attribute.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: RoleId,
    change: &RoleChange,
) -> Result<(), ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    let after = change.apply_to(&catalogue, catalogue.role(id).ok_or(ActionError::NotFound)?)?;
    Ok(change.save(db, &catalogue, &after)?)
}
