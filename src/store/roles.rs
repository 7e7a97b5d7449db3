//! Roles with their permissions.
//!
//! `settings_json` has what Redmine stores there: the trackers to which a permission is limited.
//! Other keys stay as they were imported.

use super::{Read, StoreError, Write, json, memberships};
use crate::domain::id_set::IdSet;
use crate::domain::ids::{PrincipalId, ProjectId, RoleId};
use crate::domain::permission::{Permission, PermissionSet};
use crate::domain::role::{
    Builtin, IssuesVisibility, Role, TimeEntriesVisibility, UsersVisibility,
};
use jiff::Timestamp;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Returns the roles by position, with those permissions that this program supports.
pub fn list(db: &Read<'_>) -> Result<Vec<Role>, StoreError> {
    let mut permissions: HashMap<RoleId, PermissionSet> = HashMap::new();
    let mut ordered: HashMap<RoleId, Vec<(i64, Permission)>> = HashMap::new();
    let sql = "SELECT role_id, name, position FROM role_permissions";
    for (role, name, position) in db.rows(sql, &[], |row| {
        Ok((row.next()?, row.next::<String>()?, row.next::<i64>()?))
    })? {
        if let Some(permission) = Permission::parse(&name) {
            let set = permissions.entry(role).or_default();
            *set = set.with(permission);
            ordered
                .entry(role)
                .or_default()
                .push((position, permission));
        }
    }
    ordered
        .values_mut()
        .for_each(|permissions| permissions.sort_unstable());
    ordered
        .values_mut()
        .for_each(|permissions| permissions.sort_unstable());
    let mut managed: HashMap<RoleId, HashSet<RoleId>> = HashMap::new();
    let rows = db.rows(
        "SELECT role_id, managed_role_id FROM roles_managed_roles",
        &[],
        |row| Ok((row.next()?, row.next()?)),
    )?;
    for (role, id) in rows {
        managed.entry(role).or_default().insert(id);
    }
    let sql = "SELECT id, name, position, builtin, assignable, issues_visibility, time_entries_visibility, users_visibility, settings_json, \
               all_roles_managed FROM roles ORDER BY builtin, position, id";
    db.rows(sql, &[], |row| {
        let id: RoleId = row.get(0)?;
        Ok(Role {
            id,
            name: row.get(1)?,
            position: row.get(2)?,
            builtin: Builtin::from_code(row.get(3)?),
            assignable: row.get(4)?,
            permissions: permissions.get(&id).copied().unwrap_or_default(),
            managed: if row.get(9)? {
                None
            } else {
                Some(managed.remove(&id).unwrap_or_default())
            },
            permission_list: ordered
                .remove(&id)
                .unwrap_or_default()
                .into_iter()
                .map(|(_, permission)| permission)
                .collect(),
            tracker_limits: parse_tracker_limits(&json::parse(
                row.get::<Option<String>>(8)?.as_deref(),
            )),
            // An unknown value gives the most restrictive visibility.
            issues_visibility: IssuesVisibility::parse(&row.get::<String>(5)?)
                .unwrap_or(IssuesVisibility::Own),
            time_entries_visibility: TimeEntriesVisibility::parse(&row.get::<String>(6)?)
                .unwrap_or(TimeEntriesVisibility::Own),
            users_visibility: UsersVisibility::parse(&row.get::<String>(7)?)
                .unwrap_or(UsersVisibility::MembersOfVisibleProjects),
        })
    })
}

/// Returns the permissions that an imported role has for some trackers only, with these trackers.
/// Invalid ids are ignored, so that a permission is limited to fewer trackers rather than more.
fn parse_tracker_limits(settings: &Value) -> HashMap<Permission, Arc<IdSet>> {
    let Some(Value::Object(for_all)) = settings.get("permissions_all_trackers") else {
        return HashMap::new();
    };
    let limited = for_all.iter().filter(|(_, all)| json::to_text(all) == "0");
    let limited = limited.filter_map(|(name, _)| {
        let ids = settings
            .get("permissions_tracker_ids")
            .and_then(|by_permission| by_permission.get(name));
        let ids = ids.and_then(Value::as_array).into_iter().flatten();
        let ids = ids.filter_map(|id| json::to_text(id).parse::<i64>().ok());
        Some((Permission::parse(name)?, Arc::new(ids.collect())))
    });
    limited.collect()
}

/// A role to insert.
pub struct NewRole<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its position in lists.
    pub position: i64,
    /// 0 for an ordinary role, 1 Non member, 2 Anonymous.
    pub builtin: i64,
    /// Its permissions.
    pub permissions: PermissionSet,
    /// Which issues are visible to its members.
    pub issues_visibility: IssuesVisibility,
}

/// Inserts a role.
pub fn insert(db: &mut Write<'_>, role: &NewRole<'_>) -> Result<RoleId, StoreError> {
    let id: RoleId = db.insert(
        "INSERT INTO roles (name, position, builtin, assignable, issues_visibility) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id",
        &[role.name.into(), role.position.into(), role.builtin.into(), (role.builtin == 0).into(), role.issues_visibility.name().into()],
    )?;
    set_permissions(db, id, role.permissions)?;
    Ok(id)
}

/// Sets the permissions of a role. Those that this program does not know, such as imported ones of
/// plugins, stay.
pub fn set_permissions(
    db: &mut Write<'_>,
    role: RoleId,
    permissions: PermissionSet,
) -> Result<(), StoreError> {
    let names: Vec<String> = db.column(
        "SELECT name FROM role_permissions WHERE role_id = ?1",
        &[role.into()],
    )?;
    for name in names
        .into_iter()
        .filter(|name| Permission::parse(name).is_some())
    {
        db.execute(
            "DELETE FROM role_permissions WHERE role_id = ?1 AND name = ?2",
            &[role.into(), name.into()],
        )?;
    }
    for (position, permission) in (1_i64..).zip(permissions.iter()) {
        let sql = "INSERT INTO role_permissions (role_id, name, position) VALUES (?1, ?2, ?3)";
        db.execute(
            sql,
            &[role.into(), permission.name().into(), position.into()],
        )?;
    }
    db.catalogue_changed()
}

/// Updates a role, except its position and its permissions.
pub fn update(db: &mut Write<'_>, role: &Role) -> Result<(), StoreError> {
    let sql = "SELECT settings_json FROM roles WHERE id = ?1";
    let settings: Option<Option<String>> = db.first(sql, &[role.id.into()], |row| row.next())?;
    db.execute(
        "UPDATE roles SET name = ?2, assignable = ?3, issues_visibility = ?4, time_entries_visibility = ?5, users_visibility = ?6, \
         all_roles_managed = ?7, settings_json = ?8 WHERE id = ?1",
        &[
            role.id.into(),
            role.name.as_str().into(),
            role.assignable.into(),
            role.issues_visibility.name().into(),
            role.time_entries_visibility.name().into(),
            role.users_visibility.name().into(),
            role.managed.is_none().into(),
            with_tracker_limits(json::parse(settings.flatten().as_deref()), role).to_string().into(),
        ],
    )?;
    db.execute(
        "DELETE FROM roles_managed_roles WHERE role_id = ?1",
        &[role.id.into()],
    )?;
    for managed in role.managed.iter().flatten() {
        let sql = "INSERT INTO roles_managed_roles (role_id, managed_role_id) VALUES (?1, ?2)";
        db.execute(sql, &[role.id.into(), (*managed).into()])?;
    }
    db.catalogue_changed()
}

/// Returns the settings of a role with its limits to trackers, as [`parse_tracker_limits`] reads
/// them.
fn with_tracker_limits(settings: Value, role: &Role) -> Value {
    let mut settings = if settings.is_object() {
        settings
    } else {
        Value::Object(serde_json::Map::new())
    };
    let ids = |set: &IdSet| {
        Value::from(
            set.as_slice()
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<String>>(),
        )
    };
    let for_all = role
        .tracker_limits
        .keys()
        .map(|permission| (permission.name().to_owned(), Value::from("0")));
    let limits = role
        .tracker_limits
        .iter()
        .map(|(permission, set)| (permission.name().to_owned(), ids(set)));
    settings["permissions_all_trackers"] = Value::Object(for_all.collect());
    settings["permissions_tracker_ids"] = Value::Object(limits.collect());
    settings
}

/// Whether a member has the role, inherited or not.
pub fn has_members(db: &Read<'_>, role: RoleId) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM member_roles WHERE role_id = ?1) OR EXISTS (SELECT 1 FROM inherited_member_roles WHERE role_id = ?1)";
    Ok(db.query_i64(sql, &[role.into()])? == 1)
}

/// Deletes a role with its permissions and its workflow. No member may have it.
pub fn delete(db: &mut Write<'_>, role: RoleId) -> Result<(), StoreError> {
    for sql in [
        "DELETE FROM role_permissions WHERE role_id = ?1",
        "DELETE FROM roles_managed_roles WHERE role_id = ?1 OR managed_role_id = ?1",
        "DELETE FROM workflow_transitions WHERE role_id = ?1",
        "DELETE FROM workflow_permissions WHERE role_id = ?1",
        "DELETE FROM custom_fields_roles WHERE role_id = ?1",
        "DELETE FROM queries_roles WHERE role_id = ?1",
        "DELETE FROM roles WHERE id = ?1",
    ] {
        db.execute(sql, &[role.into()])?;
    }
    db.catalogue_changed()
}

/// Adds roles of a principal in a project; see [`memberships::insert`].
pub fn add_member(
    db: &mut Write<'_>,
    project: ProjectId,
    principal: PrincipalId,
    roles: &[RoleId],
    created_on: Timestamp,
) -> Result<(), StoreError> {
    memberships::insert(db, project, principal, roles, created_on).map(drop)
}

/// Deletes a membership, except for inherited roles.
pub fn delete_member(
    db: &mut Write<'_>,
    project: ProjectId,
    principal: PrincipalId,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM member_roles WHERE member_id IN (SELECT id FROM members WHERE project_id = ?1 AND user_id = ?2)";
    db.execute(sql, &[project.into(), principal.into()])?;
    memberships::synchronize(db, &memberships::Scope::Project(project))?;
    db.catalogue_changed()
}
