//! Deletes a user.
//!
//! Records that the user wrote get another author; records that belong to the account are deleted.
//! Invariant: afterwards no row refers to the user, and the index gets every searchable record that
//! did.

use crate::transaction::changes;
use crate::{Read, StoreError, Value, Write};
use quarry_domain::ids::UserId;
use quarry_domain::index_feed::kind::Kind;

/// Searchable records that name the user, with the statements that select their ids before anything
/// is changed.
const SEARCHABLE: &[(Kind, &str)] = &[
    (Kind::Issue, "SELECT id FROM issues WHERE author_id = ?1"),
    (
        Kind::Issue,
        "SELECT id FROM issues WHERE assigned_to_id = ?1",
    ),
    // The author of a private note is indexed.
    (
        Kind::Issue,
        "SELECT DISTINCT issue_id FROM journals WHERE user_id = ?1 AND private_notes = 1",
    ),
    (Kind::News, "SELECT id FROM news WHERE author_id = ?1"),
    (
        Kind::Changeset,
        "SELECT id FROM changesets WHERE user_id = ?1",
    ),
    (
        Kind::WikiPage,
        "SELECT p.id FROM wiki_versions v JOIN wiki_pages p ON p.id = v.page_id AND p.version = v.version WHERE v.author_id = ?1",
    ),
    (
        Kind::Message,
        "SELECT id FROM messages WHERE author_id = ?1",
    ),
];

/// Issues that name the user in a custom field.
const ISSUES_BY_FIELD: &str = "SELECT v.customized_id FROM custom_values v JOIN custom_fields f ON f.id = v.custom_field_id \
                               WHERE v.customized_type = 'Issue' AND f.field_format = 'user' AND v.value = ?1";

/// Statements that make the user ?2 the author of what the user ?1 wrote.
const REASSIGN: &[&str] = &[
    "UPDATE issues SET author_id = ?2 WHERE author_id = ?1",
    "UPDATE journals SET user_id = ?2 WHERE user_id = ?1",
    "UPDATE journals SET updated_by_id = ?2 WHERE updated_by_id = ?1",
    "UPDATE time_entries SET user_id = ?2 WHERE user_id = ?1",
    "UPDATE time_entries SET author_id = ?2 WHERE author_id = ?1",
    "UPDATE news SET author_id = ?2 WHERE author_id = ?1",
    "UPDATE comments SET author_id = ?2 WHERE author_id = ?1",
    "UPDATE wiki_versions SET author_id = ?2 WHERE author_id = ?1",
    "UPDATE messages SET author_id = ?2 WHERE author_id = ?1",
    "UPDATE attachments SET author_id = ?2 WHERE author_id = ?1",
    "UPDATE queries SET user_id = ?2 WHERE user_id = ?1",
];

/// Statements that replace the id ?1 by ?2, both as text, where the history of an issue has the
/// user as assignee.
const REASSIGN_HISTORY: &[&str] = &[
    "UPDATE journal_details SET old_value = ?2 WHERE property = 'attr' AND name = 'assigned_to_id' AND old_value = ?1",
    "UPDATE journal_details SET new_value = ?2 WHERE property = 'attr' AND name = 'assigned_to_id' AND new_value = ?1",
];

/// Statements that remove the user ?1 as assignee, and delete what belongs to the account, ordered
/// so that no row refers to a deleted one.
const REMOVE: &[&str] = &[
    "UPDATE issues SET assigned_to_id = NULL WHERE assigned_to_id = ?1",
    "UPDATE issue_categories SET assigned_to_id = NULL WHERE assigned_to_id = ?1",
    "UPDATE projects SET default_assigned_to_id = NULL WHERE default_assigned_to_id = ?1",
    // The text of the committer stays.
    "UPDATE changesets SET user_id = NULL WHERE user_id = ?1",
    "UPDATE projects SET default_issue_query_id = NULL \
     WHERE default_issue_query_id IN (SELECT id FROM queries WHERE user_id = ?1 AND visibility = 0)",
    "DELETE FROM queries_roles WHERE query_id IN (SELECT id FROM queries WHERE user_id = ?1 AND visibility = 0)",
    "DELETE FROM queries WHERE user_id = ?1 AND visibility = 0",
    "DELETE FROM member_roles WHERE member_id IN (SELECT id FROM members WHERE user_id = ?1)",
    "DELETE FROM inherited_member_roles WHERE member_id IN (SELECT id FROM members WHERE user_id = ?1)",
    "DELETE FROM members WHERE user_id = ?1",
    "DELETE FROM group_users WHERE user_id = ?1",
    "DELETE FROM bookmarks WHERE user_id = ?1",
    "DELETE FROM watchers WHERE user_id = ?1",
    "DELETE FROM reactions WHERE user_id = ?1",
    "DELETE FROM email_addresses WHERE user_id = ?1",
    "DELETE FROM custom_values WHERE customized_type = 'Principal' AND customized_id = ?1",
    "DELETE FROM sessions WHERE user_id = ?1",
    "DELETE FROM recovery_codes WHERE user_id = ?1",
    "DELETE FROM user_pictures WHERE user_id = ?1",
];

/// Deletes a user; `new_author` becomes the author of what the user wrote. Records the change of
/// each searchable record.
pub fn delete(db: &mut Write<'_>, user: UserId, new_author: UserId) -> Result<(), StoreError> {
    let id = Value::from(user);
    let user_text = Value::from(user.0.to_string());
    let new_author_text = Value::from(new_author.0.to_string());
    let changed = searchable(db, user)?;
    for sql in REMOVE {
        db.execute(sql, std::slice::from_ref(&id))?;
    }
    let fields = "SELECT id FROM custom_fields WHERE field_format = 'user'";
    db.execute(
        &format!("DELETE FROM custom_values WHERE value = ?1 AND custom_field_id IN ({fields})"),
        std::slice::from_ref(&user_text),
    )?;
    for sql in REASSIGN {
        db.execute(sql, &[id.clone(), new_author.into()])?;
    }
    for sql in REASSIGN_HISTORY {
        db.execute(sql, &[user_text.clone(), new_author_text.clone()])?;
    }
    db.execute("DELETE FROM users WHERE id = ?1", &[id])?;
    for (kind, ids) in changed {
        changes::record_all(db, kind, ids)?;
    }
    db.catalogue_changed()
}

/// Returns the ids of the searchable records that name the user, by type.
fn searchable(db: &Read<'_>, user: UserId) -> Result<Vec<(Kind, Vec<i64>)>, StoreError> {
    let mut records: Vec<(Kind, Vec<i64>)> = Vec::new();
    for (kind, sql) in SEARCHABLE {
        records.push((*kind, db.column(sql, &[user.into()])?));
    }
    records.push((
        Kind::Issue,
        db.column(ISSUES_BY_FIELD, &[user.0.to_string().into()])?,
    ));
    Ok(records)
}
