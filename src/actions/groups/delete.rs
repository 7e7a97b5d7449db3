//! Deletes groups (compatibility 11.2).

use super::change::find_managed;
use crate::actions::ActionError;
use crate::domain::ids::{PrincipalId, UserId};
use crate::domain::viewer::Viewer;
use crate::store::{Write, groups};
use std::sync::Arc;

/// Deletes a group; its users stay, without its memberships. Returns its users.
///
/// # Errors
/// `NotFound`; `Forbidden` unless the viewer is an administrator; `Invalid` for the builtin groups.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: PrincipalId) -> Result<Vec<UserId>, ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let users = find_managed(&catalogue, viewer, id)?.users.clone();
    groups::delete(db, id)?;
    Ok(users)
}
