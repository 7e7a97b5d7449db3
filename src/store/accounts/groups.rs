//! Groups of users.
//!
//! Invariant: whatever changes the users of a group synchronizes the memberships that they inherit
//! from it.

use super::memberships::{self, Scope};
use crate::engine::{Row, StatementError};
use crate::transaction::changes;
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use jiff::Timestamp;
use quarry_domain::accounts::group::Group;
use quarry_domain::ids::{IssueId, PrincipalId, UserId};
use quarry_domain::index_feed::kind::Kind;
use std::collections::{HashMap, HashSet};

const COLUMNS: &str = "id, lastname, twofa_required";

/// Reads a group without its users.
fn from_row(row: &Row<'_>) -> Result<Group, StatementError> {
    Ok(Group {
        id: row.next()?,
        name: row.next()?,
        requires_second_factor: row.next()?,
        ..Group::default()
    })
}

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
    let sql = format!("SELECT {COLUMNS} FROM users WHERE type = 'Group' ORDER BY id");
    db.rows(&sql, &[], |row| {
        let group = from_row(row)?;
        Ok(Group {
            users: users.remove(&group.id).unwrap_or_default(),
            ..group
        })
    })
}

/// The columns that an update writes.
fn columns(group: &Group, updated_on: Timestamp) -> ColumnValues {
    ColumnValues::new()
        .set("lastname", &group.name)
        .set("twofa_required", group.requires_second_factor)
        .set("updated_on", updated_on)
}

/// Inserts a group with its users; with the next free id if its id is 0. Returns the id.
pub fn insert(
    db: &mut Write<'_>,
    group: &Group,
    created_on: Timestamp,
) -> Result<PrincipalId, StoreError> {
    let columns = columns(group, created_on)
        .set_id(group.id)
        .set("type", "Group")
        .set("created_on", created_on);
    let id: PrincipalId = db.insert_record("users", columns)?;
    for user in &group.users {
        db.execute(
            "INSERT INTO group_users (group_id, user_id) VALUES (?1, ?2)",
            &[id.into(), (*user).into()],
        )?;
    }
    db.catalogue_changed()?;
    Ok(id)
}

/// Updates the name of a group, and whether its users need a second factor.
pub fn update(db: &mut Write<'_>, group: &Group) -> Result<(), StoreError> {
    let columns = columns(group, db.now());
    db.update_record("users", group.id, columns)?;
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

/// Replaces the groups of a user.
pub fn set_groups_of(
    db: &mut Write<'_>,
    user: UserId,
    groups: &[PrincipalId],
) -> Result<(), StoreError> {
    db.execute("DELETE FROM group_users WHERE user_id = ?1", &[user.into()])?;
    for group in groups {
        db.execute(
            "INSERT INTO group_users (group_id, user_id) VALUES (?1, ?2)",
            &[(*group).into(), user.into()],
        )?;
    }
    memberships::synchronize(db, &Scope::Principals(vec![user.into()]))?;
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
