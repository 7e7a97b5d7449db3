//! Inherited memberships after random changes: each change brings up to date all that it concerns.

use super::{Scope, insert, set_roles, synchronize};
use crate::accounts::groups;
use crate::{Store, StoreError, Write};
use jiff::Timestamp;
use proptest::prelude::*;
use quarry_domain::ids::{MembershipId, PrincipalId, ProjectId, RoleId, UserId};

const USERS: i64 = 6;
const GROUPS: i64 = 3;
const PROJECTS: i64 = 7;

/// A change of who is a member of what.
#[derive(Clone, Debug)]
enum Change {
    Add {
        project: i64,
        principal: i64,
    },
    End {
        project: i64,
        principal: i64,
    },
    GroupUsers {
        group: i64,
        users: Vec<i64>,
    },
    UserGroups {
        user: i64,
        groups: Vec<i64>,
    },
    Move {
        project: i64,
        parent: i64,
        inherits: bool,
    },
    DeleteGroup {
        group: i64,
    },
}

fn change() -> impl Strategy<Value = Change> {
    let project = 1..=PROJECTS;
    let principal = 1..=USERS + GROUPS;
    let user = 1..=USERS;
    let group = USERS + 1..=USERS + GROUPS;
    prop_oneof![
        4 => (project.clone(), principal.clone()).prop_map(|(project, principal)| Change::Add { project, principal }),
        3 => (project.clone(), principal).prop_map(|(project, principal)| Change::End { project, principal }),
        2 => (group.clone(), prop::collection::vec(user.clone(), 0..4)).prop_map(|(group, users)| Change::GroupUsers { group, users }),
        2 => (user, prop::collection::btree_set(group.clone(), 0..3))
            .prop_map(|(user, groups)| Change::UserGroups { user, groups: groups.into_iter().collect() }),
        4 => (project.clone(), project, any::<bool>()).prop_map(|(project, parent, inherits)| Change::Move { project, parent, inherits }),
        1 => group.prop_map(|group| Change::DeleteGroup { group }),
    ]
}

fn apply(db: &mut Write<'_>, change: &Change) -> Result<(), StoreError> {
    match change {
        Change::Add { project, principal } => {
            let exists = db.query_i64(
                "SELECT COUNT(*) FROM users WHERE id = ?1",
                &[(*principal).into()],
            )? > 0;
            let roles: &[RoleId] = if exists { &[RoleId(1)] } else { return Ok(()) };
            insert(
                db,
                ProjectId(*project),
                PrincipalId(*principal),
                roles,
                Timestamp::UNIX_EPOCH,
            )
            .map(drop)
        }
        Change::End { project, principal } => {
            let sql = "SELECT id FROM members WHERE project_id = ?1 AND user_id = ?2";
            let member: Option<MembershipId> =
                db.first(sql, &[(*project).into(), (*principal).into()], |row| {
                    row.next()
                })?;
            member.map_or(Ok(()), |member| set_roles(db, member, &[]))
        }
        Change::GroupUsers { group, users }
            if db.query_i64(
                "SELECT COUNT(*) FROM users WHERE id = ?1",
                &[(*group).into()],
            )? > 0 =>
        {
            groups::set_users(
                db,
                PrincipalId(*group),
                &users.iter().copied().map(UserId).collect::<Vec<_>>(),
            )
        }
        Change::UserGroups { user, groups } => {
            let existing: Vec<PrincipalId> =
                db.column("SELECT id FROM users WHERE type = 'Group'", &[])?;
            let groups: Vec<PrincipalId> = existing
                .into_iter()
                .filter(|group| groups.contains(&group.0))
                .collect();
            groups::set_groups_of(db, UserId(*user), &groups)
        }
        // A parent is before its children, so that there are no cycles.
        Change::Move {
            project,
            parent,
            inherits,
        } => {
            let parent = (parent < project).then_some(*parent);
            let sql = "UPDATE projects SET parent_id = ?2, inherit_members = ?3 WHERE id = ?1";
            db.execute(sql, &[(*project).into(), parent.into(), (*inherits).into()])?;
            synchronize(db, &Scope::Project(ProjectId(*project)))
        }
        Change::DeleteGroup { group } => groups::delete(db, PrincipalId(*group)),
        Change::GroupUsers { .. } => Ok(()),
    }
}

fn fill(db: &mut Write<'_>) -> Result<(), StoreError> {
    for id in 1..=USERS + GROUPS {
        let kind = if id > USERS { "Group" } else { "User" };
        let login = format!("{kind}{id}");
        let sql =
            "INSERT INTO users (id, type, login, created_on, updated_on) VALUES (?1, ?2, ?3, 0, 0)";
        db.execute(sql, &[id.into(), kind.into(), login.as_str().into()])?;
    }
    for id in 1..=PROJECTS {
        let name = format!("p{id}");
        let sql = "INSERT INTO projects (id, name, identifier, created_on, updated_on) VALUES (?1, ?2, ?2, 0, 0)";
        db.execute(sql, &[id.into(), name.as_str().into()])?;
    }
    db.execute(
        "INSERT INTO roles (id, name, position) VALUES (1, 'Member', 1)",
        &[],
    )
    .map(drop)
}

fn rows(db: &Write<'_>) -> Result<Vec<(i64, i64)>, StoreError> {
    db.rows(
        "SELECT project_id, user_id FROM members ORDER BY project_id, user_id",
        &[],
        |row| Ok((row.next()?, row.next()?)),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn each_change_synchronizes_all_that_it_concerns(changes in prop::collection::vec(change(), 1..40)) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let outcomes = store.write(move |db| {
            fill(db)?;
            let outcome = |change: Change| {
                apply(db, &change)?;
                let after = rows(db)?;
                synchronize(db, &Scope::Everything)?;
                Ok::<_, StoreError>((change, after, rows(db)?))
            };
            changes.into_iter().map(outcome).collect::<Result<Vec<_>, StoreError>>()
        }).unwrap();
        for (change, after, expected) in outcomes {
            prop_assert_eq!(after, expected, "{:?}", change);
        }
        store.close();
    }
}
