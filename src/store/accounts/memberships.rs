//! Memberships of projects.
//!
//! Invariant: every membership has a row, also one whose roles are all inherited, so that it has an
//! id of its own. Roles of [`insert`] and [`set_roles`] are stored; inherited ones are computed
//! when they are needed (compatibility 11.7). Whatever changes who inherits calls [`synchronize`].

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

/// Memberships that may inherit something else than before.
pub enum Scope {
    /// All.
    Everything,
    /// Those of a project and of the projects that inherit its members.
    Project(ProjectId),
    /// Those of these users and groups.
    Principals(Vec<PrincipalId>),
}

/// A query of the members in a scope with the earliest time at which they became one: `effective
/// (project_id, user_id, created_on)`.
struct EffectiveMembers {
    /// The `WITH` clause.
    clause: String,
    /// Whether a row of the table with this alias is in the scope, without the alias.
    filter: &'static str,
    /// The parameters of both.
    values: Vec<Value>,
}

impl EffectiveMembers {
    fn new(db: &Read<'_>, scope: &Scope) -> Result<EffectiveMembers, StoreError> {
        let (granted_to, passed_to, filter, values) = match scope {
            Scope::Everything => ("", "", "project_id IS NOT NULL", Vec::new()),
            Scope::Project(project) => {
                let lists = [INHERITING, INHERITED_FROM]
                    .map(|sql| Ok(Value::Ids(db.column(sql, &[(*project).into()])?)));
                let lists = lists
                    .into_iter()
                    .collect::<Result<Vec<Value>, StoreError>>()?;
                (
                    "AND (m.project_id IN ids(?1) OR m.project_id IN ids(?2))",
                    "AND (p.id IN ids(?1) OR p.id IN ids(?2))",
                    "project_id IN ids(?1)",
                    lists,
                )
            }
            Scope::Principals(principals) => (
                "AND (m.user_id IN ids(?1) OR m.user_id IN (SELECT group_id FROM group_users WHERE user_id IN ids(?1)))",
                "",
                "user_id IN ids(?1)",
                vec![Value::Ids(
                    principals.iter().map(|principal| principal.0).collect(),
                )],
            ),
        };
        let clause = format!(
            "WITH RECURSIVE granted (project_id, user_id, created_on) AS ( \
                SELECT m.project_id, m.user_id, m.created_on FROM members m \
                WHERE EXISTS (SELECT 1 FROM member_roles r WHERE r.member_id = m.id) {granted_to} \
                UNION SELECT p.id, g.user_id, g.created_on FROM granted g JOIN projects p ON p.parent_id = g.project_id \
                WHERE p.inherit_members = 1 {passed_to}), \
            effective (project_id, user_id, created_on) AS ( \
                SELECT project_id, user_id, created_on FROM granted \
                UNION SELECT g.project_id, u.user_id, g.created_on FROM granted g JOIN group_users u ON u.group_id = g.user_id) "
        );
        Ok(EffectiveMembers {
            clause,
            filter,
            values,
        })
    }
}

/// The project ?1 and those that inherit its members.
const INHERITING: &str = "WITH RECURSIVE inheriting (id) AS (SELECT CAST(?1 AS BIGINT) UNION SELECT p.id FROM inheriting i JOIN projects p ON p.parent_id = i.id \
                     WHERE p.inherit_members = 1) SELECT id FROM inheriting";
/// The project ?1 and those whose members it inherits.
const INHERITED_FROM: &str = "WITH RECURSIVE ancestors (id) AS (SELECT CAST(?1 AS BIGINT) UNION SELECT p.parent_id FROM ancestors a JOIN projects p ON p.id = a.id \
                         WHERE p.inherit_members = 1 AND p.parent_id IS NOT NULL) SELECT id FROM ancestors";

/// Inserts the missing rows of inherited memberships in the scope, and deletes those without any
/// role. Users who cease to be members of a project are no longer default assignees of the project
/// or of its categories.
pub fn synchronize(db: &mut Write<'_>, scope: &Scope) -> Result<(), StoreError> {
    let EffectiveMembers {
        clause,
        filter,
        values,
    } = EffectiveMembers::new(db, scope)?;
    let missing = format!(
        "{clause} INSERT INTO members (project_id, user_id, created_on) \
         SELECT e.project_id, e.user_id, MIN(e.created_on) FROM effective e WHERE e.{filter} \
         AND NOT EXISTS (SELECT 1 FROM members m WHERE m.project_id = e.project_id AND m.user_id = e.user_id) \
         GROUP BY e.project_id, e.user_id ORDER BY e.project_id, e.user_id"
    );
    db.execute(&missing, &values)?;
    // Imported rows stay until their roles have been imported, which is a later step.
    let ended = format!(
        "{clause} SELECT m.id, m.project_id, m.user_id FROM members m WHERE m.{filter} \
         AND NOT EXISTS (SELECT 1 FROM member_roles r WHERE r.member_id = m.id) \
         AND NOT EXISTS (SELECT 1 FROM effective e WHERE e.project_id = m.project_id AND e.user_id = m.user_id) \
         AND (NOT EXISTS (SELECT 1 FROM imported i WHERE i.source_table = 'members' AND i.id = m.id) \
         OR EXISTS (SELECT 1 FROM imported i WHERE i.source_table = 'member_roles' AND i.id = m.id) \
         OR EXISTS (SELECT 1 FROM inherited_member_roles r WHERE r.member_id = m.id))"
    );
    let ended: Vec<(MembershipId, ProjectId, PrincipalId)> = db.rows(&ended, &values, |row| {
        Ok((row.next()?, row.next()?, row.next()?))
    })?;
    for (id, project, principal) in ended {
        let key = [project.into(), principal.into()];
        db.execute("UPDATE issue_categories SET assigned_to_id = NULL WHERE project_id = ?1 AND assigned_to_id = ?2", &key)?;
        db.execute("UPDATE projects SET default_assigned_to_id = NULL WHERE id = ?1 AND default_assigned_to_id = ?2", &key)?;
        db.execute(
            "DELETE FROM inherited_member_roles WHERE member_id = ?1",
            &[id.into()],
        )?;
        db.execute("DELETE FROM members WHERE id = ?1", &[id.into()])?;
        db.catalogue_changed()?;
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
