//! The rows of memberships that follow from groups and parent projects.

use crate::engine::Value;
use crate::transaction::snapshot::Snapshot;
use crate::{StoreError, Write};
use quarry_domain::ids::{MembershipId, PrincipalId, ProjectId};

/// Memberships whose inherited roles may have changed.
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
    fn new(db: &Snapshot<'_>, scope: &Scope) -> Result<EffectiveMembers, StoreError> {
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

/// The end of a query of `effective`: those without a row in `members`.
const IS_MISSING: &str = "AND NOT EXISTS (SELECT 1 FROM members m WHERE m.project_id = e.project_id AND m.user_id = e.user_id) \
                          GROUP BY e.project_id, e.user_id ORDER BY e.project_id, e.user_id";
/// SQL condition for a row of `members` without any role. Imported rows stay until their roles have
/// been imported, which is a later step.
const HAS_ENDED: &str = "AND NOT EXISTS (SELECT 1 FROM member_roles r WHERE r.member_id = m.id) \
                         AND NOT EXISTS (SELECT 1 FROM effective e WHERE e.project_id = m.project_id AND e.user_id = m.user_id) \
                         AND (NOT EXISTS (SELECT 1 FROM imported i WHERE i.source_table = 'members' AND i.id = m.id) \
                         OR EXISTS (SELECT 1 FROM imported i WHERE i.source_table = 'member_roles' AND i.id = m.id) \
                         OR EXISTS (SELECT 1 FROM inherited_member_roles r WHERE r.member_id = m.id))";

/// A project and a user or group.
type Key = (i64, i64);

/// Returns what [`synchronize`] would insert, and what it would delete.
pub(crate) fn unsynchronized(db: &Snapshot<'_>) -> Result<(Vec<Key>, Vec<Key>), StoreError> {
    let EffectiveMembers {
        clause,
        filter,
        values,
    } = EffectiveMembers::new(db, &Scope::Everything)?;
    let missing = format!(
        "{clause} SELECT e.project_id, e.user_id FROM effective e WHERE e.{filter} {IS_MISSING}"
    );
    let ended = format!(
        "{clause} SELECT m.project_id, m.user_id FROM members m WHERE m.{filter} {HAS_ENDED} ORDER BY m.id"
    );
    let keys = |sql: &str| db.rows(sql, &values, |row| Ok((row.next()?, row.next()?)));
    Ok((keys(&missing)?, keys(&ended)?))
}

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
         SELECT e.project_id, e.user_id, MIN(e.created_on) FROM effective e WHERE e.{filter} {IS_MISSING}"
    );
    db.execute(&missing, &values)?;
    let ended = format!(
        "{clause} SELECT m.id, m.project_id, m.user_id FROM members m WHERE m.{filter} {HAS_ENDED}"
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
