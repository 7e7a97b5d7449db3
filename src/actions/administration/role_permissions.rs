//! Changes of the permissions of several roles at once.
//!
//! Invariant: a permission that nobody chose to change stays as it is, so that two administrators
//! do not undo each other's changes.

use super::require_admin;
use crate::ActionError;
use crate::prelude::*;
use quarry_domain::access::permission::PermissionSet;
use quarry_domain::ids::RoleId;
use quarry_store::administration::roles;
use std::sync::Arc;

/// The permissions that a role gets and loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PermissionsChange {
    pub role: RoleId,
    pub granted: PermissionSet,
    pub revoked: PermissionSet,
}

impl PermissionsChange {
    /// Returns the change from what was shown to what was chosen; `None` if they are the same.
    pub fn new(
        role: RoleId,
        shown: PermissionSet,
        chosen: PermissionSet,
    ) -> Option<PermissionsChange> {
        let only_in = |set: PermissionSet, other: PermissionSet| {
            set.iter()
                .filter(|permission| !other.contains(*permission))
                .collect()
        };
        (shown != chosen).then(|| PermissionsChange {
            role,
            granted: only_in(chosen, shown),
            revoked: only_in(shown, chosen),
        })
    }
}

/// What became of the changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedRoles {
    /// The roles that have other permissions now.
    pub updated: Vec<RoleId>,
    /// The roles that do not exist any more.
    pub missing: Vec<RoleId>,
}

/// Applies the changes. Permissions that a role cannot have are left out.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    changes: &[PermissionsChange],
) -> Result<ChangedRoles, ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    let mut changed = ChangedRoles::default();
    for change in changes {
        let Some(role) = catalogue.role(change.role) else {
            changed.missing.push(change.role);
            continue;
        };
        let is_kept = |permission: Permission| {
            (role.permissions.contains(permission) && !change.revoked.contains(permission))
                || (change.granted.contains(permission) && role.can_have(permission))
        };
        let after = PermissionSet::matching(is_kept);
        if after != role.permissions {
            roles::set_permissions(db, role.id, after)?;
            changed.updated.push(role.id);
        }
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn change_has_only_the_differences() {
        let set = |permissions: &[Permission]| permissions.iter().copied().collect();
        let shown = set(&[Permission::ViewIssues, Permission::AddIssues]);
        let chosen = set(&[Permission::ViewIssues, Permission::EditIssues]);
        let change = PermissionsChange::new(RoleId(3), shown, chosen).unwrap();
        assert_eq!(change.granted, set(&[Permission::EditIssues]));
        assert_eq!(change.revoked, set(&[Permission::AddIssues]));
        assert_eq!(PermissionsChange::new(RoleId(3), shown, shown), None);
    }
}
