//! Roles and memberships.

use super::{Read, StoreError, Write, json};
use crate::domain::catalogue::Member;
use crate::domain::id_set::IdSet;
use crate::domain::ids::{PrincipalId, ProjectId, RoleId, UserId};
use crate::domain::permission::{Permission, PermissionSet};
use crate::domain::role::{Builtin, IssuesVisibility, Role, TimeEntriesVisibility, UsersVisibility};
use jiff::Timestamp;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// Returns the roles by position, with those permissions that this program supports.
pub fn list(db: &Read<'_>) -> Result<Vec<Role>, StoreError> {
    let mut permissions: HashMap<RoleId, PermissionSet> = HashMap::new();
    let rows = db.rows("SELECT role_id, name FROM role_permissions", &[], |row| Ok((row.get(0)?, row.get::<String>(1)?)))?;
    for (role, name) in rows {
        if let Some(permission) = Permission::parse(&name) {
            let set = permissions.entry(role).or_default();
            *set = set.with(permission);
        }
    }
    let sql = "SELECT id, name, position, builtin, assignable, issues_visibility, time_entries_visibility, users_visibility, settings_json \
               FROM roles ORDER BY builtin, position, id";
    db.rows(sql, &[], |row| {
        let id: RoleId = row.get(0)?;
        Ok(Role {
            id,
            name: row.get(1)?,
            position: row.get(2)?,
            builtin: Builtin::from_code(row.get(3)?),
            assignable: row.get(4)?,
            permissions: permissions.get(&id).copied().unwrap_or_default(),
            trackers: limited_permissions(&json::parse(row.get::<Option<String>>(8)?.as_deref())),
            // An unknown value gives the most restrictive visibility.
            issues_visibility: IssuesVisibility::parse(&row.get::<String>(5)?).unwrap_or(IssuesVisibility::Own),
            time_entries_visibility: TimeEntriesVisibility::parse(&row.get::<String>(6)?).unwrap_or(TimeEntriesVisibility::Own),
            users_visibility: UsersVisibility::parse(&row.get::<String>(7)?).unwrap_or(UsersVisibility::MembersOfVisibleProjects),
        })
    })
}

/// Returns the permissions that an imported role has for some trackers only, with these trackers. Invalid ids are ignored, so that a
/// permission is limited to fewer trackers rather than more.
fn limited_permissions(settings: &Value) -> HashMap<Permission, Arc<IdSet>> {
    let Some(Value::Object(for_all)) = settings.get("permissions_all_trackers") else { return HashMap::new() };
    let limited = for_all.iter().filter(|(_, all)| json::to_text(all) == "0");
    let limited = limited.filter_map(|(name, _)| {
        let ids = settings.get("permissions_tracker_ids").and_then(|by_permission| by_permission.get(name));
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

/// Sets the permissions of a role.
pub fn set_permissions(db: &mut Write<'_>, role: RoleId, permissions: PermissionSet) -> Result<(), StoreError> {
    db.execute("DELETE FROM role_permissions WHERE role_id = ?1", &[role.into()])?;
    for permission in permissions.iter() {
        db.execute("INSERT INTO role_permissions (role_id, name) VALUES (?1, ?2)", &[role.into(), permission.name().into()])?;
    }
    db.catalogue_changed()
}

/// Returns all explicit memberships, without inherited ones.
pub fn members(db: &Read<'_>) -> Result<Vec<Member>, StoreError> {
    let sql =
        "SELECT m.id, m.project_id, m.user_id, r.role_id FROM members m JOIN member_roles r ON r.member_id = m.id ORDER BY m.id, r.role_id";
    let rows = db.rows(sql, &[], |row| Ok((row.get::<i64>(0)?, row.get(1)?, row.get(2)?, row.get::<RoleId>(3)?)))?;
    let mut members: Vec<Member> = Vec::new();
    let mut current = None;
    for (id, project, principal, role) in rows {
        match members.last_mut() {
            Some(member) if current == Some(id) => member.roles.push(role),
            _ => members.push(Member { project, principal, roles: vec![role] }),
        }
        current = Some(id);
    }
    Ok(members)
}

/// Adds roles of a principal in a project.
pub fn add_member(
    db: &mut Write<'_>,
    project: ProjectId,
    principal: PrincipalId,
    roles: &[RoleId],
    created_on: Timestamp,
) -> Result<(), StoreError> {
    let member: i64 = db.insert(
        "INSERT INTO members (project_id, user_id, created_on) VALUES (?1, ?2, ?3) \
         ON CONFLICT (project_id, user_id) DO UPDATE SET created_on = members.created_on RETURNING id",
        &[project.into(), principal.into(), created_on.into()],
    )?;
    for role in roles {
        db.execute(
            "INSERT INTO member_roles (member_id, role_id) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            &[member.into(), (*role).into()],
        )?;
    }
    db.catalogue_changed()
}

/// Deletes a membership.
pub fn delete_member(db: &mut Write<'_>, project: ProjectId, principal: PrincipalId) -> Result<(), StoreError> {
    let key = [project.into(), principal.into()];
    db.execute("DELETE FROM member_roles WHERE member_id IN (SELECT id FROM members WHERE project_id = ?1 AND user_id = ?2)", &key)?;
    db.execute("DELETE FROM members WHERE project_id = ?1 AND user_id = ?2", &key)?;
    db.catalogue_changed()
}

/// A membership of a user or group, with explicit roles and those inherited from a group or from the parent project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    /// Its id; if all roles are inherited, the id of the membership they come from.
    pub id: i64,
    /// The project.
    pub project: ProjectId,
    /// The roles; `true` for inherited ones.
    pub roles: Vec<(RoleId, bool)>,
}

/// Returns the memberships of a user or group by project.
pub fn memberships(db: &Read<'_>, principal: PrincipalId) -> Result<Vec<Membership>, StoreError> {
    let catalogue = db.catalogue();
    let mut principals: Vec<i64> = vec![principal.0];
    principals.extend(catalogue.groups.values().filter(|group| group.users.contains(&UserId(principal.0))).map(|group| group.id.0));
    let sql = "SELECT m.id, m.project_id, m.user_id, r.role_id FROM members m LEFT JOIN member_roles r ON r.member_id = m.id \
               WHERE m.user_id IN ids(?1) ORDER BY m.id, r.role_id";
    let rows = db.rows(sql, &[super::engine::Value::Ids(principals)], |row| {
        Ok((row.get::<i64>(0)?, row.get::<ProjectId>(1)?, row.get::<PrincipalId>(2)? == principal, row.get::<Option<RoleId>>(3)?))
    })?;
    let mut by_project: HashMap<ProjectId, Membership> = HashMap::new();
    // Own rows first: they determine the id of the membership.
    let (own, others): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.2);
    for (id, project, own, role) in own.into_iter().chain(others) {
        let membership = by_project.entry(project).or_insert_with(|| Membership { id, project, roles: Vec::new() });
        membership.roles.extend(role.map(|role| (role, !own)));
    }
    for id in &catalogue.tree {
        let Some(project) = catalogue.projects.get(id).filter(|project| project.inherit_members) else { continue };
        let Some(parent) = project.parent.and_then(|parent| by_project.get(&parent)).cloned() else { continue };
        let membership = by_project.entry(*id).or_insert_with(|| Membership { id: parent.id, project: *id, roles: Vec::new() });
        membership.roles.extend(parent.roles.into_iter().map(|(role, _)| (role, true)));
    }
    let mut memberships: Vec<Membership> = by_project.into_values().filter(|membership| !membership.roles.is_empty()).collect();
    for membership in &mut memberships {
        membership.roles.sort_by_key(|(role, inherited)| (catalogue.role(*role).map_or(0, |role| role.position), role.0, *inherited));
        membership.roles.dedup_by_key(|(role, _)| *role);
    }
    memberships.sort_by_key(|membership| membership.project);
    Ok(memberships)
}
