//! Creates roles.

use super::RoleChange;
use crate::actions::ActionError;
use crate::actions::administration::require_admin;
use crate::domain::ids::RoleId;
use crate::domain::permission::PermissionSet;
use crate::domain::role::{IssuesVisibility, Role, TimeEntriesVisibility, UsersVisibility};
use crate::domain::viewer::Viewer;
use crate::store::Write;
use crate::store::roles::{self, NewRole};
use std::collections::HashMap;
use std::sync::Arc;

/// Creates a role, at the end of the list unless a position is given. Returns its id.
///
/// # Errors
/// `Forbidden` unless the viewer is an administrator; `Invalid` with a message for each invalid
/// attribute.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    change: &RoleChange,
) -> Result<RoleId, ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    let position = catalogue
        .roles
        .iter()
        .map(|role| role.position)
        .max()
        .unwrap_or(0)
        + 1;
    let blank = Role {
        id: RoleId(0),
        name: String::new(),
        position,
        builtin: None,
        assignable: true,
        permissions: PermissionSet::NONE,
        permission_list: Vec::new(),
        managed: None,
        tracker_limits: HashMap::new(),
        issues_visibility: IssuesVisibility::Default,
        time_entries_visibility: TimeEntriesVisibility::All,
        users_visibility: UsersVisibility::All,
    };
    let draft = change.apply_to(&catalogue, &blank)?;
    let Role {
        permissions,
        issues_visibility,
        ..
    } = draft;
    let id = roles::insert(
        db,
        &NewRole {
            name: &draft.name,
            position,
            builtin: 0,
            permissions,
            issues_visibility,
        },
    )?;
    change.save(db, &catalogue, &Role { id, ..draft })?;
    Ok(id)
}
