//! Boards and their messages.

use super::engine::{Row, StatementError, Value};
use super::page_size::page_len;
use super::{Read, StoreError, Write, changes};
use crate::domain::ids::{ProjectId, UserId};
use crate::domain::kind::Kind;
use jiff::Timestamp;
use std::collections::HashMap;

/// Inserts a board.
pub fn insert_board(db: &mut Write<'_>, project: ProjectId, name: &str, description: &str, position: i64) -> Result<i64, StoreError> {
    db.insert(
        "INSERT INTO boards (project_id, name, description, position) VALUES (?1, ?2, ?3, ?4) RETURNING id",
        &[project.into(), name.into(), description.into(), position.into()],
    )
}

/// A message to insert.
pub struct NewMessage<'a> {
    /// Its board.
    pub board: i64,
    /// The topic to which it is a reply; `None` for a topic.
    pub parent: Option<i64>,
    /// Its author.
    pub author: Option<UserId>,
    /// Its subject.
    pub subject: &'a str,
    /// Its content.
    pub content: &'a str,
    /// When it was created.
    pub created_on: Timestamp,
}

/// Inserts a message.
pub fn insert(db: &mut Write<'_>, message: &NewMessage<'_>) -> Result<i64, StoreError> {
    let id: i64 = db.insert(
        "INSERT INTO messages (board_id, parent_id, author_id, subject, content, created_on, updated_on) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6) RETURNING id",
        &[
            message.board.into(),
            message.parent.into(),
            message.author.into(),
            message.subject.into(),
            message.content.into(),
            message.created_on.into(),
        ],
    )?;
    changes::record(db, Kind::Message, id)?;
    Ok(id)
}

/// A board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Its id.
    pub id: i64,
    /// Its project.
    pub project: ProjectId,
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its id.
    pub id: i64,
    /// Its board.
    pub board: i64,
    /// The topic to which it is a reply; `None` for a topic.
    pub topic: Option<i64>,
    /// Its author, if known.
    pub author: Option<UserId>,
    /// Its subject.
    pub subject: String,
    /// Its content; empty in lists.
    pub content: String,
    /// When it was created.
    pub created_on: Timestamp,
}

const COLUMNS: &str = "m.id, m.board_id, m.parent_id, m.author_id, m.subject, m.created_on";

fn from_row(row: &Row<'_>) -> Result<Message, StatementError> {
    Ok(Message {
        id: row.get(0)?,
        board: row.get(1)?,
        topic: row.get(2)?,
        author: row.get(3)?,
        subject: row.get(4)?,
        created_on: row.get(5)?,
        content: row.get(6)?,
    })
}

/// Returns the boards of a project in their order, at most 1,000.
pub fn boards(db: &Read<'_>, project: ProjectId) -> Result<Vec<Board>, StoreError> {
    let sql = "SELECT id, project_id, name, description FROM boards WHERE project_id = ?1 ORDER BY position, id LIMIT 1000";
    db.rows(sql, &[project.into()], board_from_row)
}

/// Returns the board with this id; its project decides who may see it.
pub fn find_board(db: &Read<'_>, id: i64) -> Result<Option<Board>, StoreError> {
    db.first("SELECT id, project_id, name, description FROM boards WHERE id = ?1", &[id.into()], board_from_row)
}

fn board_from_row(row: &Row<'_>) -> Result<Board, StatementError> {
    Ok(Board { id: row.get(0)?, project: row.get(1)?, name: row.get(2)?, description: row.get(3)? })
}

/// Returns the message of this board.
pub fn find(db: &Read<'_>, board: i64, id: i64) -> Result<Option<Message>, StoreError> {
    let sql = format!("SELECT {COLUMNS}, m.content FROM messages m WHERE m.id = ?1 AND m.board_id = ?2");
    db.first(&sql, &[id.into(), board.into()], from_row)
}

/// Returns a page of the topics of a board, newest first, without their contents, each with the number of its replies.
pub fn topics(db: &Read<'_>, board: i64, offset: i64, limit: i64) -> Result<Vec<(Message, i64)>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS}, '', (SELECT COUNT(*) FROM messages r WHERE r.parent_id = m.id) FROM messages m \
         WHERE m.board_id = ?1 AND m.parent_id IS NULL ORDER BY m.created_on DESC, m.id DESC LIMIT ?2 OFFSET ?3"
    );
    db.rows(&sql, &[board.into(), limit.into(), offset.into()], |row| Ok((from_row(row)?, row.get(7)?)))
}

/// Returns the number of topics of a board.
pub fn count_topics(db: &Read<'_>, board: i64) -> Result<i64, StoreError> {
    db.query_i64("SELECT COUNT(*) FROM messages WHERE board_id = ?1 AND parent_id IS NULL", &[board.into()])
}

/// Returns a page of the replies to a topic, oldest first; fewer than `limit` when their texts exceed the maximum size of a page.
pub fn replies(db: &Read<'_>, topic: i64, offset: i64, limit: i64) -> Result<Vec<Message>, StoreError> {
    let sql =
        format!("SELECT {COLUMNS}, '', octet_length(m.content) FROM messages m WHERE m.parent_id = ?1 ORDER BY m.id LIMIT ?2 OFFSET ?3");
    let mut rows: Vec<(Message, i64)> =
        db.rows(&sql, &[topic.into(), limit.into(), offset.into()], |row| Ok((from_row(row)?, row.get(7)?)))?;
    rows.truncate(page_len(rows.iter().map(|(_, bytes)| usize::try_from(*bytes).unwrap_or(0))));
    let ids = Value::Ids(rows.iter().map(|(reply, _)| reply.id).collect());
    let texts = db.rows("SELECT id, content FROM messages WHERE id IN ids(?1)", &[ids], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut texts: HashMap<i64, String> = texts.into_iter().collect();
    Ok(rows.into_iter().map(|(reply, _)| Message { content: texts.remove(&reply.id).unwrap_or_default(), ..reply }).collect())
}

/// Returns the number of replies to a topic, or of those before a reply.
pub fn count_replies(db: &Read<'_>, topic: i64, before: Option<i64>) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM messages WHERE parent_id = ?1 AND id < ?2";
    db.query_i64(sql, &[topic.into(), before.unwrap_or(i64::MAX).into()])
}
