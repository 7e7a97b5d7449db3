//! Roles, and who has which where.

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

/// The roles in the order of their positions, with the permissions that are known here.
pub fn list(db: &Read<'_>) -> Result<Vec<Role>, StoreError> {
    let mut permissions: HashMap<RoleId, PermissionSet> = HashMap::new();
    let rows = db.rows("SELECT role_id, name FROM role_permissions", &[], |row| Ok((row.read(0)?, row.read::<String>(1)?)))?;
    for (role, name) in rows {
        if let Some(permission) = Permission::parse(&name) {
            let set = permissions.entry(role).or_default();
            *set = set.with(permission);
        }
    }
    let sql = "SELECT id, name, position, builtin, assignable, issues_visibility, time_entries_visibility, users_visibility, settings_json \
               FROM roles ORDER BY builtin, position, id";
    db.rows(sql, &[], |row| {
        let id: RoleId = row.read(0)?;
        Ok(Role {
            id,
            name: row.read(1)?,
            position: row.read(2)?,
            builtin: Builtin::from_code(row.read(3)?),
            assignable: row.read(4)?,
            permissions: permissions.get(&id).copied().unwrap_or_default(),
            trackers: trackers(&json::read(row.read::<Option<String>>(8)?.as_deref())),
            // What is not understood shows least.
            issues_visibility: IssuesVisibility::parse(&row.read::<String>(5)?).unwrap_or(IssuesVisibility::Own),
            time_entries_visibility: TimeEntriesVisibility::parse(&row.read::<String>(6)?).unwrap_or(TimeEntriesVisibility::Own),
            users_visibility: UsersVisibility::parse(&row.read::<String>(7)?).unwrap_or(UsersVisibility::MembersOfVisibleProjects),
        })
    })
}

/// What a role that has moved in gives for some trackers alone. Its settings say of a permission that it is not for all trackers, and,
/// beside, for which it is; what cannot be read is for none.
fn trackers(settings: &Value) -> HashMap<Permission, Arc<IdSet>> {
    let Some(Value::Object(for_all)) = settings.get("permissions_all_trackers") else { return HashMap::new() };
    let limited = for_all.iter().filter(|(_, all)| json::plain(all) == "0");
    let limited = limited.filter_map(|(name, _)| {
        let these = settings.get("permissions_tracker_ids").and_then(|by_permission| by_permission.get(name));
        let these = these.and_then(Value::as_array).into_iter().flatten();
        let these = these.filter_map(|id| json::plain(id).parse::<i64>().ok());
        Some((Permission::parse(name)?, Arc::new(these.collect())))
    });
    limited.collect()
}

/// A role to be added.
pub struct NewRole<'a> {
    /// Its name.
    pub name: &'a str,
    /// Where it stands in lists.
    pub position: i64,
    /// 0 for an ordinary role, 1 Non member, 2 Anonymous.
    pub builtin: i64,
    /// What it allows.
    pub permissions: PermissionSet,
    /// Which issues it shows.
    pub issues_visibility: IssuesVisibility,
}

/// Adds a role.
pub fn insert(db: &mut Write<'_>, role: &NewRole<'_>) -> Result<RoleId, StoreError> {
    let id: RoleId = db.insert(
        "INSERT INTO roles (name, position, builtin, assignable, issues_visibility) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id",
        &[role.name.into(), role.position.into(), role.builtin.into(), (role.builtin == 0).into(), role.issues_visibility.name().into()],
    )?;
    set_permissions(db, id, role.permissions)?;
    Ok(id)
}

/// Replaces what a role allows.
pub fn set_permissions(db: &mut Write<'_>, role: RoleId, permissions: PermissionSet) -> Result<(), StoreError> {
    db.execute("DELETE FROM role_permissions WHERE role_id = ?1", &[role.into()])?;
    for permission in permissions.iter() {
        db.execute("INSERT INTO role_permissions (role_id, name) VALUES (?1, ?2)", &[role.into(), permission.name().into()])?;
    }
    db.catalogue_changed()
}

/// All memberships, as given.
pub fn members(db: &Read<'_>) -> Result<Vec<Member>, StoreError> {
    let sql =
        "SELECT m.id, m.project_id, m.user_id, r.role_id FROM members m JOIN member_roles r ON r.member_id = m.id ORDER BY m.id, r.role_id";
    let rows = db.rows(sql, &[], |row| Ok((row.read::<i64>(0)?, row.read(1)?, row.read(2)?, row.read::<RoleId>(3)?)))?;
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

/// Gives somebody roles in a project, in addition to those that are there.
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

/// Takes a membership away.
pub fn remove_member(db: &mut Write<'_>, project: ProjectId, principal: PrincipalId) -> Result<(), StoreError> {
    let key = [project.into(), principal.into()];
    db.execute("DELETE FROM member_roles WHERE member_id IN (SELECT id FROM members WHERE project_id = ?1 AND user_id = ?2)", &key)?;
    db.execute("DELETE FROM members WHERE project_id = ?1 AND user_id = ?2", &key)?;
    db.catalogue_changed()
}

/// A membership of a user or group as it is shown: with the roles that are the user's own, and those that come from a group or from the
/// project above.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    /// Its number; where everything is inherited, that of the membership that it comes from.
    pub id: i64,
    /// Where.
    pub project: ProjectId,
    /// As what; `true` where it is inherited.
    pub roles: Vec<(RoleId, bool)>,
}

/// Where the user or group is a member, and as what, by project.
pub fn memberships(db: &Read<'_>, principal: PrincipalId) -> Result<Vec<Membership>, StoreError> {
    let catalogue = db.catalogue();
    let mut principals: Vec<i64> = vec![principal.0];
    principals.extend(catalogue.groups.values().filter(|group| group.users.contains(&UserId(principal.0))).map(|group| group.id.0));
    let sql = "SELECT m.id, m.project_id, m.user_id, r.role_id FROM members m LEFT JOIN member_roles r ON r.member_id = m.id \
               WHERE m.user_id IN ids(?1) ORDER BY m.id, r.role_id";
    let rows = db.rows(sql, &[super::engine::Value::Ids(principals)], |row| {
        Ok((row.read::<i64>(0)?, row.read::<ProjectId>(1)?, row.read::<PrincipalId>(2)? == principal, row.read::<Option<RoleId>>(3)?))
    })?;
    let mut found: HashMap<ProjectId, Membership> = HashMap::new();
    // The user's own rows first: they name the membership.
    let (own, others): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.2);
    for (id, project, own, role) in own.into_iter().chain(others) {
        let membership = found.entry(project).or_insert_with(|| Membership { id, project, roles: Vec::new() });
        membership.roles.extend(role.map(|role| (role, !own)));
    }
    for id in &catalogue.tree {
        let Some(project) = catalogue.projects.get(id).filter(|project| project.inherit_members) else { continue };
        let Some(above) = project.parent.and_then(|parent| found.get(&parent)).cloned() else { continue };
        let membership = found.entry(*id).or_insert_with(|| Membership { id: above.id, project: *id, roles: Vec::new() });
        membership.roles.extend(above.roles.into_iter().map(|(role, _)| (role, true)));
    }
    let mut memberships: Vec<Membership> = found.into_values().filter(|membership| !membership.roles.is_empty()).collect();
    for membership in &mut memberships {
        membership.roles.sort_by_key(|(role, inherited)| (catalogue.role(*role).map_or(0, |role| role.position), role.0, *inherited));
        membership.roles.dedup_by_key(|(role, _)| *role);
    }
    memberships.sort_by_key(|membership| membership.project);
    Ok(memberships)
}
