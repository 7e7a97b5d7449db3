//! Deletes roles.

use crate::actions::ActionError;
use crate::actions::administration::{invalid, require_admin};
use crate::domain::ids::RoleId;
use crate::domain::setting::Setting;
use crate::domain::viewer::Viewer;
use crate::store::{Write, roles, settings};
use std::sync::Arc;

/// Deletes a role with its workflow, and takes it from custom fields, saved queries and the
/// settings.
///
/// # Errors
/// `Forbidden` unless the viewer is an administrator; `NotFound`; `Invalid` for a builtin role, and
/// while members have it.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: RoleId) -> Result<(), ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    let role = catalogue.role(id).ok_or(ActionError::NotFound)?;
    if role.builtin.is_some() {
        return invalid("Builtin roles cannot be deleted");
    }
    if roles::has_members(db, id)? {
        return invalid("The role is in use and cannot be deleted: there are members with it");
    }
    if catalogue.setting(Setting::NewProjectUserRoleId) == id.to_string() {
        settings::set(
            db,
            Setting::NewProjectUserRoleId,
            Setting::NewProjectUserRoleId.default_value(),
        )?;
    }
    Ok(roles::delete(db, id)?)
}
