//! Groups of users. [`super::users::insert_group`] inserts them.
//!
//! Invariant: whatever changes the users of a group synchronizes the memberships that they inherit
//! from it.

use super::memberships::{self, Scope};
use super::{Read, StoreError, Write, changes};
use crate::domain::ids::{IssueId, PrincipalId, UserId};
use crate::domain::kind::Kind;
use crate::domain::user::Group;
use jiff::Timestamp;
use std::collections::{HashMap, HashSet};

/// Returns all groups by id.
pub fn list(db: &Read<'_>) -> Result<Vec<Group>, StoreError> {
    let mut users: HashMap<PrincipalId, Vec<UserId>> = HashMap::new();
    for (group, user) in db.rows(
        "SELECT group_id, user_id FROM group_users ORDER BY user_id",
        &[],
        |row| Ok((row.next()?, row.next()?)),
    )? {
        users.entry(group).or_default().push(user);
    }
    db.rows(
        "SELECT id, lastname, twofa_required FROM users WHERE type = 'Group' ORDER BY id",
        &[],
        |row| {
            let id = row.next()?;
            Ok(Group {
                id,
                name: row.next()?,
                users: users.remove(&id).unwrap_or_default(),
                requires_second_factor: row.next()?,
            })
        },
    )
}

/// Updates the name of a group, and whether its users need a second factor.
pub fn update(
    db: &mut Write<'_>,
    group: PrincipalId,
    name: &str,
    requires_second_factor: bool,
    now: Timestamp,
) -> Result<(), StoreError> {
    let sql = "UPDATE users SET lastname = ?2, twofa_required = ?3, updated_on = ?4 WHERE id = ?1";
    db.execute(
        sql,
        &[
            group.into(),
            name.into(),
            requires_second_factor.into(),
            now.into(),
        ],
    )?;
    db.catalogue_changed()
}

/// Replaces the users of a group.
pub fn set_users(
    db: &mut Write<'_>,
    group: PrincipalId,
    users: &[UserId],
) -> Result<(), StoreError> {
    let mut changed: HashSet<UserId> = users.iter().copied().collect();
    for user in db.column(
        "DELETE FROM group_users WHERE group_id = ?1 RETURNING user_id",
        &[group.into()],
    )? {
        if !changed.remove(&user) {
            changed.insert(user);
        }
    }
    for user in users {
        db.execute(
            "INSERT INTO group_users (group_id, user_id) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            &[group.into(), (*user).into()],
        )?;
    }
    memberships::synchronize(
        db,
        &Scope::Principals(changed.into_iter().map(PrincipalId::from).collect()),
    )?;
    db.catalogue_changed()
}

/// Statements that delete what belongs to the group ?1, ordered so that no row refers to a deleted
/// one.
const REMOVE: &[&str] = &[
    "UPDATE issue_categories SET assigned_to_id = NULL WHERE assigned_to_id = ?1",
    "UPDATE projects SET default_assigned_to_id = NULL WHERE default_assigned_to_id = ?1",
    "DELETE FROM member_roles WHERE member_id IN (SELECT id FROM members WHERE user_id = ?1)",
    "DELETE FROM inherited_member_roles WHERE member_id IN (SELECT id FROM members WHERE user_id = ?1)",
    "DELETE FROM members WHERE user_id = ?1",
    "DELETE FROM group_users WHERE group_id = ?1",
    "DELETE FROM watchers WHERE user_id = ?1",
    "DELETE FROM custom_values WHERE customized_type = 'Principal' AND customized_id = ?1",
    "DELETE FROM users WHERE id = ?1 AND type = 'Group'",
];

/// Deletes a group with its memberships. Issues that were assigned to it are assigned to nobody.
pub fn delete(db: &mut Write<'_>, group: PrincipalId) -> Result<(), StoreError> {
    let sql = "UPDATE issues SET assigned_to_id = NULL WHERE assigned_to_id = ?1 RETURNING id";
    let issues: Vec<IssueId> = db.column(sql, &[group.into()])?;
    changes::record_all(db, Kind::Issue, issues)?;
    let users = db.column(
        "SELECT user_id FROM group_users WHERE group_id = ?1",
        &[group.into()],
    )?;
    for sql in REMOVE {
        db.execute(sql, &[group.into()])?;
    }
    memberships::synchronize(db, &Scope::Principals(users))?;
    db.catalogue_changed()
}
