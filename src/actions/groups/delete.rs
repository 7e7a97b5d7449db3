//! Deletes groups (compatibility 11.2).

use super::change::find_managed;
use crate::actions::ActionError;
use crate::domain::audit::AuditEvent;
use crate::domain::ids::{PrincipalId, UserId};
use crate::domain::viewer::Viewer;
use crate::store::{Write, groups};
use std::sync::Arc;

/// Deletes a group; its users stay, without its memberships. Returns its users.
///
/// # Errors
/// `NotFound`; `Forbidden` unless the viewer is an administrator; `Invalid` for the builtin groups.
pub fn delete(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: PrincipalId,
) -> Result<Vec<UserId>, ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let group = find_managed(&catalogue, viewer, id)?;
    groups::delete(db, id)?;
    db.audit(AuditEvent::new("group", id, "deleted").with_name(&group.name));
    Ok(group.users.clone())
}
