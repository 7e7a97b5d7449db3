//! Saved replies of users and projects.

use crate::engine::{Row, StatementError};
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use quarry_domain::ids::{ProjectId, SavedReplyId, UserId};
use quarry_domain::issues::saved_reply::{ReplyOwner, SavedReply};

const COLUMNS: &str = "id, user_id, project_id, name, content";

/// Converts a row; a reply has either a user or a project.
fn from_row(row: &Row<'_>) -> Result<SavedReply, StatementError> {
    let id = row.next()?;
    let user: Option<UserId> = row.next()?;
    let project: Option<ProjectId> = row.next()?;
    Ok(SavedReply {
        id,
        owner: match user {
            Some(user) => ReplyOwner::User(user),
            None => ReplyOwner::Project(project.unwrap_or_default()),
        },
        name: row.next()?,
        content: row.next()?,
    })
}

/// Returns the reply with this id, of any owner.
pub fn find(db: &Read<'_>, id: SavedReplyId) -> Result<Option<SavedReply>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM saved_replies WHERE id = ?1");
    db.first(&sql, &[id.into()], from_row)
}

/// Returns the replies of an owner by name.
pub fn list(db: &Read<'_>, owner: ReplyOwner) -> Result<Vec<SavedReply>, StoreError> {
    let (column, id) = match owner {
        ReplyOwner::User(user) => ("user_id", user.0),
        ReplyOwner::Project(project) => ("project_id", project.0),
    };
    let sql = format!(
        "SELECT {COLUMNS} FROM saved_replies WHERE {column} = ?1 ORDER BY lower(name), name, id"
    );
    db.rows(&sql, &[id.into()], from_row)
}

/// Returns the ids and names of the replies of an owner by name.
pub fn list_names(
    db: &Read<'_>,
    owner: ReplyOwner,
) -> Result<Vec<(SavedReplyId, String)>, StoreError> {
    let (column, id) = match owner {
        ReplyOwner::User(user) => ("user_id", user.0),
        ReplyOwner::Project(project) => ("project_id", project.0),
    };
    let sql = format!(
        "SELECT id, name FROM saved_replies WHERE {column} = ?1 ORDER BY lower(name), name, id"
    );
    db.rows(&sql, &[id.into()], |row| Ok((row.next()?, row.next()?)))
}

/// The columns that an update writes.
fn columns(reply: &SavedReply) -> ColumnValues {
    ColumnValues::new()
        .set("name", &reply.name)
        .set("content", &reply.content)
}

/// Inserts a reply, and returns its id.
pub fn insert(db: &mut Write<'_>, reply: &SavedReply) -> Result<SavedReplyId, StoreError> {
    let columns = columns(reply).set_id(reply.id);
    let columns = match reply.owner {
        ReplyOwner::User(user) => columns.set("user_id", user),
        ReplyOwner::Project(project) => columns.set("project_id", project),
    };
    db.insert_record("saved_replies", columns)
}

/// Updates a reply, except its owner.
pub fn update(db: &mut Write<'_>, reply: &SavedReply) -> Result<(), StoreError> {
    db.update_record("saved_replies", reply.id, columns(reply))?;
    Ok(())
}

/// Deletes a reply.
pub fn delete(db: &mut Write<'_>, id: SavedReplyId) -> Result<(), StoreError> {
    db.execute("DELETE FROM saved_replies WHERE id = ?1", &[id.into()])?;
    Ok(())
}
