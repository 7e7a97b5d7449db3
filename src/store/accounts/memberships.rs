//! Memberships of projects.
//!
//! Invariant: every membership has a row, also one whose roles are all inherited, so that it has an
//! id of its own. Roles of [`insert`] and [`set_roles`] are stored; inherited ones are computed
//! when they are needed (compatibility 11.7). Whatever changes who inherits calls [`synchronize`].

mod synchronization;

pub(crate) use synchronization::unsynchronized;
pub use synchronization::{Scope, synchronize};

use crate::engine::Value;
use crate::{Read, StoreError, Write};
use jiff::Timestamp;
use quarry_domain::access::inheritance::{GrantedRole, roles_by_member, roles_by_project};
use quarry_domain::access::member::{Member, MemberRole};
use quarry_domain::access::membership::{Membership, ordered_roles};
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::{MembershipId, PrincipalId, ProjectId, RoleId};
use std::collections::{HashMap, HashSet};

/// Returns all memberships for the catalogue, without inherited roles.
pub fn list(db: &Read<'_>) -> Result<Vec<Member>, StoreError> {
    let sql = "SELECT m.id, m.project_id, m.user_id, r.role_id, r.position FROM members m JOIN member_roles r ON r.member_id = m.id \
               ORDER BY m.id, r.position, r.role_id";
    let rows = db.rows(sql, &[], |row| {
        let member = (row.next::<i64>()?, row.next()?, row.next()?);
        let role = MemberRole {
            role: row.next()?,
            position: row.next()?,
        };
        Ok((member, role))
    })?;
    let mut members: Vec<Member> = Vec::new();
    let mut current = None;
    for ((id, project, principal), role) in rows {
        match members.last_mut() {
            Some(member) if current == Some(id) => member.roles.push(role),
            _ => members.push(Member {
                project,
                principal,
                roles: vec![role],
            }),
        }
        current = Some(id);
    }
    Ok(members)
}

/// Returns the memberships of a project by id, including those of users who cannot log in.
pub fn list_by_project(db: &Read<'_>, project: ProjectId) -> Result<Vec<Membership>, StoreError> {
    let mut roles = roles_by_member(db.catalogue(), project);
    let sql = "SELECT id, user_id FROM members WHERE project_id = ?1 ORDER BY id";
    let rows: Vec<(MembershipId, PrincipalId)> =
        db.rows(sql, &[project.into()], |row| Ok((row.next()?, row.next()?)))?;
    let positions = imported_positions(db, "m.project_id", project)?;
    let memberships = rows.into_iter().filter_map(|(id, principal)| {
        let roles = order(db.catalogue(), id, roles.remove(&principal)?, &positions);
        Some(Membership {
            id,
            project,
            principal,
            roles,
        })
    });
    Ok(memberships.collect())
}

/// Returns the membership with this id, visible or not.
pub fn find(db: &Read<'_>, id: MembershipId) -> Result<Option<Membership>, StoreError> {
    let sql = "SELECT project_id, user_id FROM members WHERE id = ?1";
    let row: Option<(ProjectId, PrincipalId)> =
        db.first(sql, &[id.into()], |row| Ok((row.next()?, row.next()?)))?;
    let positions = imported_positions(db, "m.id", id)?;
    Ok(row.and_then(|(project, principal)| {
        let roles = roles_by_member(db.catalogue(), project).remove(&principal)?;
        Some(Membership {
            id,
            project,
            principal,
            roles: order(db.catalogue(), id, roles, &positions),
        })
    }))
}

/// Returns the memberships of a user or group by project.
pub fn list_by_principal(
    db: &Read<'_>,
    principal: PrincipalId,
) -> Result<Vec<Membership>, StoreError> {
    let catalogue = db.catalogue();
    let mut by_project = roles_by_project(catalogue, principal);
    let sql = "SELECT id, project_id FROM members WHERE user_id = ?1 ORDER BY project_id";
    let rows: Vec<(MembershipId, ProjectId)> = db.rows(sql, &[principal.into()], |row| {
        Ok((row.next()?, row.next()?))
    })?;
    let positions = imported_positions(db, "m.user_id", principal)?;
    let memberships = rows.into_iter().filter_map(|(id, project)| {
        let roles = order(catalogue, id, by_project.remove(&project)?, &positions);
        Some(Membership {
            id,
            project,
            principal,
            roles,
        })
    });
    Ok(memberships.collect())
}

/// The positions of inherited roles that an import has recorded, by membership and role.
type ImportedPositions = HashMap<(MembershipId, RoleId), i64>;

/// Loads the imported positions of the memberships whose `column`, of `members m`, has this value.
fn imported_positions(
    db: &Read<'_>,
    column: &str,
    value: impl Into<Value>,
) -> Result<ImportedPositions, StoreError> {
    let sql = format!(
        "SELECT r.member_id, r.role_id, MIN(r.id) FROM members m JOIN inherited_member_roles r ON r.member_id = m.id \
         WHERE {column} = ?1 GROUP BY r.member_id, r.role_id"
    );
    let rows = db.rows(&sql, &[value.into()], |row| {
        Ok(((row.next()?, row.next()?), row.next()?))
    })?;
    Ok(rows.into_iter().collect())
}

/// Returns the roles of a membership in their order.
fn order(
    catalogue: &Catalogue,
    id: MembershipId,
    mut roles: Vec<GrantedRole>,
    positions: &ImportedPositions,
) -> Vec<(RoleId, bool)> {
    for granted in roles.iter_mut().filter(|granted| granted.inherited) {
        granted.position = positions
            .get(&(id, granted.role))
            .copied()
            .unwrap_or(granted.position);
    }
    ordered_roles(catalogue, roles)
}

/// Inserts a membership with these roles, or adds them to the membership that there is. Returns its
/// id.
pub fn insert(
    db: &mut Write<'_>,
    project: ProjectId,
    principal: PrincipalId,
    roles: &[RoleId],
    created_on: Timestamp,
) -> Result<MembershipId, StoreError> {
    let member = insert_row(db, project, principal, roles, created_on)?;
    synchronize(db, &Scope::Project(project))?;
    db.catalogue_changed()?;
    Ok(member)
}

/// As [`insert`], for several users and groups. Returns the ids in the same order.
pub fn insert_all(
    db: &mut Write<'_>,
    project: ProjectId,
    principals: &[PrincipalId],
    roles: &[RoleId],
    created_on: Timestamp,
) -> Result<Vec<MembershipId>, StoreError> {
    let mut members = Vec::with_capacity(principals.len());
    for principal in principals {
        members.push(insert_row(db, project, *principal, roles, created_on)?);
    }
    synchronize(db, &Scope::Project(project))?;
    db.catalogue_changed()?;
    Ok(members)
}

/// Inserts a membership with these roles. The caller synchronizes the memberships that inherit from
/// it.
fn insert_row(
    db: &mut Write<'_>,
    project: ProjectId,
    principal: PrincipalId,
    roles: &[RoleId],
    created_on: Timestamp,
) -> Result<MembershipId, StoreError> {
    let member: MembershipId = db.insert(
        "INSERT INTO members (project_id, user_id, created_on) VALUES (?1, ?2, ?3) \
         ON CONFLICT (project_id, user_id) DO UPDATE SET created_on = members.created_on RETURNING id",
        &[project.into(), principal.into(), created_on.into()],
    )?;
    insert_roles(db, member, roles)?;
    Ok(member)
}

/// Deletes the roles of a user or group in a project, except for inherited ones.
pub fn delete_roles(
    db: &mut Write<'_>,
    project: ProjectId,
    principal: PrincipalId,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM member_roles WHERE member_id IN (SELECT id FROM members WHERE project_id = ?1 AND user_id = ?2)";
    db.execute(sql, &[project.into(), principal.into()])?;
    synchronize(db, &Scope::Project(project))?;
    db.catalogue_changed()
}

/// Replaces the roles of a membership that are not inherited. A membership without any role is
/// deleted.
pub fn set_roles(
    db: &mut Write<'_>,
    member: MembershipId,
    roles: &[RoleId],
) -> Result<(), StoreError> {
    let ids = Value::Ids(roles.iter().map(|role| role.0).collect());
    db.execute(
        "DELETE FROM member_roles WHERE member_id = ?1 AND role_id NOT IN ids(?2)",
        &[member.into(), ids],
    )?;
    insert_roles(db, member, roles)?;
    let project = db.first(
        "SELECT project_id FROM members WHERE id = ?1",
        &[member.into()],
        |row| row.next(),
    )?;
    if let Some(project) = project {
        synchronize(db, &Scope::Project(project))?;
    }
    db.catalogue_changed()
}

fn insert_roles(
    db: &mut Write<'_>,
    member: MembershipId,
    roles: &[RoleId],
) -> Result<(), StoreError> {
    for role in roles {
        // After all others, imported ones too.
        let sql = "INSERT INTO member_roles (member_id, role_id, position) \
                   SELECT ?1, ?2, COALESCE(MAX(last.position), 0) + 1 FROM (SELECT MAX(position) AS position FROM member_roles \
                   UNION ALL SELECT MAX(id) FROM inherited_member_roles) last WHERE 1 = 1 ON CONFLICT DO NOTHING";
        db.execute(sql, &[member.into(), (*role).into()])?;
    }
    Ok(())
}

/// Condition on a row of `members` without roles of its own, which [`synchronize`] inserted.
/// Imported rows are not meant.
const IS_ONLY_INHERITED: &str = "NOT EXISTS (SELECT 1 FROM member_roles r WHERE r.member_id = members.id) \
                         AND NOT EXISTS (SELECT 1 FROM imported i WHERE i.source_table = 'members' AND i.id = members.id)";

/// Returns the ids of the memberships that [`synchronize`] has inserted. An import may take these
/// ids.
pub fn inherited_ids(db: &Read<'_>) -> Result<HashSet<i64>, StoreError> {
    Ok(db
        .column(
            &format!("SELECT id FROM members WHERE {IS_ONLY_INHERITED}"),
            &[],
        )?
        .into_iter()
        .collect())
}

/// Deletes the memberships that [`synchronize`] has inserted and that have this id, or are of this
/// user or group in this project. [`synchronize`] inserts those again that are still missing.
pub fn delete_inherited(
    db: &mut Write<'_>,
    id: i64,
    project: Value,
    principal: Value,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM members WHERE (id = ?1 OR project_id = ?2 AND user_id = ?3) AND {IS_ONLY_INHERITED}"
    );
    db.execute(&sql, &[id.into(), project, principal]).map(drop)
}

#[cfg(test)]
mod tests;
