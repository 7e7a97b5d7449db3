//! Roles with their permissions.
//!
//! `settings_json` has what Redmine stores there: the trackers to which a permission is limited.
//! Other keys stay as they were imported.

use crate::engine::{Row, StatementError};
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write, json};
use quarry_domain::access::permission::{Permission, PermissionSet};
use quarry_domain::access::role::{
    Builtin, IssuesVisibility, Role, TimeEntriesVisibility, UsersVisibility,
};
use quarry_domain::ids::RoleId;
use quarry_domain::values::id_set::IdSet;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

const COLUMNS: &str = "id, name, position, builtin, assignable, all_roles_managed, settings_json, \
                       issues_visibility, time_entries_visibility, users_visibility";

/// Reads a role without its permissions and the roles that it manages.
fn from_row(row: &Row<'_>) -> Result<Role, StatementError> {
    Ok(Role {
        id: row.next()?,
        name: row.next()?,
        position: row.next()?,
        builtin: Builtin::from_repr(row.next()?),
        assignable: row.next()?,
        managed: (!row.next::<bool>()?).then(HashSet::new),
        tracker_limits: parse_tracker_limits(&json::parse(
            row.next::<Option<String>>()?.as_deref(),
        )),
        // An unknown value gives the most restrictive visibility.
        issues_visibility: row
            .next::<String>()?
            .parse()
            .unwrap_or(IssuesVisibility::Own),
        time_entries_visibility: row
            .next::<String>()?
            .parse()
            .unwrap_or(TimeEntriesVisibility::Own),
        users_visibility: row
            .next::<String>()?
            .parse()
            .unwrap_or(UsersVisibility::MembersOfVisibleProjects),
        ..Role::default()
    })
}

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
    let mut managed: HashMap<RoleId, HashSet<RoleId>> = HashMap::new();
    let rows = db.rows(
        "SELECT role_id, managed_role_id FROM roles_managed_roles",
        &[],
        |row| Ok((row.next()?, row.next()?)),
    )?;
    for (role, id) in rows {
        managed.entry(role).or_default().insert(id);
    }
    let sql = format!("SELECT {COLUMNS} FROM roles ORDER BY builtin, position, id");
    db.rows(&sql, &[], |row| {
        let role = from_row(row)?;
        let permission_list = ordered.remove(&role.id).unwrap_or_default();
        Ok(Role {
            permissions: permissions.get(&role.id).copied().unwrap_or_default(),
            permission_list: permission_list
                .into_iter()
                .map(|(_, permission)| permission)
                .collect(),
            managed: role
                .managed
                .map(|_| managed.remove(&role.id).unwrap_or_default()),
            ..role
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

/// The columns that an update writes. `settings` are those that are stored.
fn columns(role: &Role, settings: Value) -> ColumnValues {
    ColumnValues::new()
        .set("name", &role.name)
        .set("assignable", role.assignable)
        .set("all_roles_managed", role.managed.is_none())
        .set(
            "settings_json",
            with_tracker_limits(settings, role).to_string(),
        )
        .set("issues_visibility", role.issues_visibility.name())
        .set(
            "time_entries_visibility",
            role.time_entries_visibility.name(),
        )
        .set("users_visibility", role.users_visibility.name())
}

/// Inserts a role with its permissions; with the next free id if its id is 0. Returns the id.
pub fn insert(db: &mut Write<'_>, role: &Role) -> Result<RoleId, StoreError> {
    let columns = columns(role, Value::Null)
        .set_id(role.id)
        .set("position", role.position)
        .set("builtin", role.builtin.map_or(0, Builtin::code));
    let id: RoleId = db.insert_record("roles", columns)?;
    set_managed(db, id, role.managed.as_ref())?;
    set_permissions(db, id, role.permissions)?;
    Ok(id)
}

/// Replaces the roles whose members a role manages; `None` for those of all.
fn set_managed(
    db: &mut Write<'_>,
    role: RoleId,
    managed: Option<&HashSet<RoleId>>,
) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM roles_managed_roles WHERE role_id = ?1",
        &[role.into()],
    )?;
    for managed in managed.into_iter().flatten() {
        let sql = "INSERT INTO roles_managed_roles (role_id, managed_role_id) VALUES (?1, ?2)";
        db.execute(sql, &[role.into(), (*managed).into()])?;
    }
    Ok(())
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
    let settings = json::parse(settings.flatten().as_deref());
    db.update_record("roles", role.id, columns(role, settings))?;
    set_managed(db, role.id, role.managed.as_ref())?;
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
    let for_all = role
        .tracker_limits
        .keys()
        .map(|permission| (permission.name().to_owned(), Value::from("0")));
    let limits = role
        .tracker_limits
        .iter()
        .map(|(permission, set)| (permission.name().to_owned(), ids_value(set)));
    settings["permissions_all_trackers"] = Value::Object(for_all.collect());
    settings["permissions_tracker_ids"] = Value::Object(limits.collect());
    settings
}

fn ids_value(ids: &IdSet) -> Value {
    ids.as_slice().iter().map(ToString::to_string).collect()
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
