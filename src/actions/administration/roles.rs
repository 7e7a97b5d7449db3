//! Roles (compatibility 14).
//!
//! Invariants: builtin roles are never deleted, and never given permissions that they cannot have.
//! No member and no setting refers to a deleted role. May import: `domain`, `store`.

use crate::administration::{apply_name, invalid, require_admin, validate_name, validate_position};
use crate::prelude::*;
use quarry_domain::access::permission::PermissionSet;
use quarry_domain::access::role::{Builtin, IssuesVisibility, Role, TRACKER_PERMISSIONS};
use quarry_domain::administration::setting::Setting;
use quarry_domain::ids::{RoleId, TrackerId};
use quarry_domain::values::id_set::IdSet;
use quarry_domain::values::position::move_to;
use quarry_store::administration::{roles, settings};
use quarry_store::lists::positions;
use std::collections::{HashMap, HashSet};
use std::str::FromStr;
use std::sync::Arc;

impl Resource for Role {
    type Id = RoleId;
    type Parent = ();
    type Change = RoleChange;

    /// Creates a role, at the end of the list unless a position is given. Returns its id.
    fn create(
        db: &mut Write<'_>,
        viewer: &Viewer,
        (): (),
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
            position,
            assignable: true,
            ..Role::default()
        };
        let draft = change.apply_to(&catalogue, &blank)?;
        let id = roles::insert(db, &draft)?;
        change.save_position(db, &catalogue, id)?;
        Ok(id)
    }

    /// Updates a role. Its members have the new rights with their next request.
    fn update(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: RoleId,
        change: &RoleChange,
    ) -> Result<(), ActionError> {
        require_admin(viewer)?;
        let catalogue = Arc::clone(db.catalogue());
        let after =
            change.apply_to(&catalogue, catalogue.role(id).ok_or(ActionError::NotFound)?)?;
        roles::update(db, &after)?;
        if change.permissions.is_present() {
            roles::set_permissions(db, id, after.permissions)?;
        }
        Ok(change.save_position(db, &catalogue, id)?)
    }

    /// Deletes a role with its workflow, and takes it from custom fields, saved queries and the
    /// settings.
    ///
    /// # Errors
    /// `Invalid` for a builtin role, and while members have it.
    fn delete(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: RoleId,
        _replacement: Option<RoleId>,
    ) -> Result<(), ActionError> {
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
}

/// Maximum number of characters of a name.
const MAX_NAME: usize = 255;

/// The requested attributes of a role. Unset ones stay as they are, or have the default of a new
/// role.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoleChange {
    pub name: Patch<String>,
    /// The position among the roles that can be given, from 1.
    pub position: Patch<i64>,
    /// Whether issues can be assigned to members with the role.
    pub assignable: Patch<bool>,
    /// The names of its permissions.
    pub permissions: Patch<Vec<String>>,
    /// The name of an `IssuesVisibility`.
    pub issues_visibility: Patch<String>,
    /// The name of a `TimeEntriesVisibility`.
    pub time_entries_visibility: Patch<String>,
    /// The name of a `UsersVisibility`.
    pub users_visibility: Patch<String>,
    /// Whether its members may give all roles, if they may manage members.
    pub all_roles_managed: Patch<bool>,
    /// The roles that its members may give otherwise.
    pub managed_roles: Patch<Vec<RoleId>>,
    /// The permissions that apply to issues of some trackers only. Replaces all such limits.
    pub tracker_limits: Option<Vec<(String, Vec<TrackerId>)>>,
}

impl RoleChange {
    /// Returns the role after the change, except for its position.
    fn apply_to(&self, catalogue: &Catalogue, before: &Role) -> Result<Role, ActionError> {
        let mut errors = ValidationErrors::new();
        let name = apply_name(&self.name, &before.name);
        let siblings = catalogue
            .roles
            .iter()
            .filter(|sibling| sibling.id != before.id);
        validate_name(
            &mut errors,
            &name,
            MAX_NAME,
            siblings.map(|sibling| sibling.name.as_str()),
        );
        validate_position(&mut errors, &self.position);
        let issues = parse_choice(
            &mut errors,
            ("issues_visibility", "Issues visibility"),
            &self.issues_visibility,
            before.issues_visibility,
        );
        if before.builtin == Some(Builtin::Anonymous)
            && issues == IssuesVisibility::All
            && issues != before.issues_visibility
        {
            errors.add(
                "issues_visibility",
                "Issues visibility",
                "is not possible for the role Anonymous",
            );
        }
        let after = Role {
            name,
            assignable: self
                .assignable
                .apply_to(Some(before.assignable))
                .unwrap_or(false),
            permissions: self.permissions(&mut errors, before),
            managed: self.managed(&mut errors, catalogue, before),
            tracker_limits: self.tracker_limits(&mut errors, catalogue, before),
            issues_visibility: issues,
            time_entries_visibility: parse_choice(
                &mut errors,
                ("time_entries_visibility", "Time entries visibility"),
                &self.time_entries_visibility,
                before.time_entries_visibility,
            ),
            users_visibility: parse_choice(
                &mut errors,
                ("users_visibility", "Users visibility"),
                &self.users_visibility,
                before.users_visibility,
            ),
            ..before.clone()
        };
        if before.builtin.is_some() {
            for (attribute, label, is_changed) in [
                ("name", "Name", after.name != before.name),
                ("position", "Position", self.position.value().is_some()),
                (
                    "assignable",
                    "Assignable",
                    after.assignable != before.assignable,
                ),
                (
                    "managed_role_ids",
                    "Managed roles",
                    after.managed != before.managed,
                ),
            ] {
                if is_changed {
                    errors.add(attribute, label, "cannot be changed for a builtin role");
                }
            }
        }
        errors.into_result().map_err(ActionError::Invalid)?;
        Ok(after)
    }

    fn permissions(&self, errors: &mut ValidationErrors, before: &Role) -> PermissionSet {
        if !self.permissions.is_present() {
            return before.permissions;
        }
        let mut permissions = PermissionSet::NONE;
        for name in self.permissions.value().into_iter().flatten() {
            match Permission::parse(name) {
                Some(permission) if before.can_have(permission) => {
                    permissions = permissions.with(permission)
                }
                Some(_) => errors.add(
                    "permissions",
                    "Permissions",
                    &format!("is invalid (this builtin role cannot have {name})"),
                ),
                None => errors.add(
                    "permissions",
                    "Permissions",
                    &format!("is invalid (unknown permission {name})"),
                ),
            }
        }
        permissions
    }

    fn managed(
        &self,
        errors: &mut ValidationErrors,
        catalogue: &Catalogue,
        before: &Role,
    ) -> Option<HashSet<RoleId>> {
        let requested = self.managed_roles.is_present().then(|| {
            self.managed_roles
                .value()
                .into_iter()
                .flatten()
                .copied()
                .collect()
        });
        let requested: Option<HashSet<RoleId>> = requested;
        if !requested.iter().flatten().all(|id| {
            catalogue
                .role(*id)
                .is_some_and(|role| role.builtin.is_none())
        }) {
            errors.add("managed_role_ids", "Managed roles", "is invalid");
        }
        match self.all_roles_managed.value() {
            Some(true) => None,
            Some(false) => Some(
                requested
                    .or_else(|| before.managed.clone())
                    .unwrap_or_default(),
            ),
            None => requested.or_else(|| before.managed.clone()),
        }
    }

    fn tracker_limits(
        &self,
        errors: &mut ValidationErrors,
        catalogue: &Catalogue,
        before: &Role,
    ) -> HashMap<Permission, Arc<IdSet>> {
        let Some(limits) = &self.tracker_limits else {
            return before.tracker_limits.clone();
        };
        let mut tracker_limits = HashMap::new();
        for (name, ids) in limits {
            match Permission::parse(name)
                .filter(|permission| TRACKER_PERMISSIONS.contains(permission))
            {
                None => errors.add(
                    "permissions_tracker_ids",
                    "Permissions tracker ids",
                    &format!("is invalid ({name} cannot be limited to trackers)"),
                ),
                Some(_) if ids.iter().any(|id| catalogue.tracker(*id).is_none()) => {
                    errors.add(
                        "permissions_tracker_ids",
                        "Permissions tracker ids",
                        &format!("is invalid ({name} has an unknown tracker)"),
                    );
                }
                Some(permission) => {
                    tracker_limits
                        .insert(permission, Arc::new(ids.iter().map(|id| id.0).collect()));
                }
            }
        }
        tracker_limits
    }

    /// Moves the role to the requested position.
    fn save_position(
        &self,
        db: &mut Write<'_>,
        catalogue: &Catalogue,
        id: RoleId,
    ) -> Result<(), StoreError> {
        if let Some(position) = self.position.value() {
            let ordinary = catalogue.roles.iter().filter(|role| role.builtin.is_none());
            let mut order: Vec<i64> = ordinary.map(|role| role.id.0).collect();
            move_to(&mut order, id.0, *position);
            positions::update(db, "roles", &order)?;
        }
        Ok(())
    }
}

/// Returns the value with this name; the one before if there is no change, or, with an error, if the
/// name is unknown.
fn parse_choice<T: FromStr>(
    errors: &mut ValidationErrors,
    (attribute, label): (&str, &str),
    name: &Patch<String>,
    before: T,
) -> T {
    if !name.is_present() {
        return before;
    }
    name.value()
        .and_then(|name| name.parse().ok())
        .unwrap_or_else(|| {
            errors.add(attribute, label, "is not included in the list");
            before
        })
}
