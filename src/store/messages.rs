//! Boards of forums and their messages. The caller checks that the viewer may see messages in the
//! project.

use super::engine::{Row, StatementError, Value};
use super::page_size::page_len;
use super::{Read, StoreError, Write, attachments, changes, polymorphic};
use crate::domain::attachment::ContainerType;
use crate::domain::ids::{ProjectId, UserId};
use crate::domain::kind::Kind;
use jiff::Timestamp;
use std::collections::HashMap;

/// Inserts a board.
pub fn insert_board(
    db: &mut Write<'_>,
    project: ProjectId,
    name: &str,
    description: &str,
    position: i64,
) -> Result<i64, StoreError> {
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
    /// The board that it is listed below.
    pub parent: Option<i64>,
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
    /// Whether it is a topic that stands before the others.
    pub sticky: bool,
    /// Whether it is a topic that takes no replies.
    pub locked: bool,
    /// When it was created.
    pub created_on: Timestamp,
    /// When it was changed last.
    pub updated_on: Timestamp,
}

const COLUMNS: &str = "m.id, m.board_id, m.parent_id, m.author_id, m.subject, m.created_on, m.updated_on, m.sticky, m.locked";

fn from_row(row: &Row<'_>) -> Result<Message, StatementError> {
    Ok(Message {
        id: row.next()?,
        board: row.next()?,
        topic: row.next()?,
        author: row.next()?,
        subject: row.next()?,
        created_on: row.next()?,
        updated_on: row.next()?,
        // Redmine stores any number that is not 0 for sticky topics.
        sticky: row.next::<i64>()? != 0,
        locked: row.next::<i64>()? != 0,
        content: row.next()?,
    })
}

/// Maximum number of boards of a project.
pub const MAX_BOARDS: usize = 1_000;

/// Returns the boards of a project in their order, at most [`MAX_BOARDS`].
pub fn boards(db: &Read<'_>, project: ProjectId) -> Result<Vec<Board>, StoreError> {
    let sql = format!(
        "SELECT id, project_id, parent_id, name, description FROM boards WHERE project_id = ?1 ORDER BY position, id LIMIT {MAX_BOARDS}"
    );
    db.rows(&sql, &[project.into()], board_from_row)
}

/// Returns the board with this id; its project decides who may see it.
pub fn find_board(db: &Read<'_>, id: i64) -> Result<Option<Board>, StoreError> {
    db.first(
        "SELECT id, project_id, parent_id, name, description FROM boards WHERE id = ?1",
        &[id.into()],
        board_from_row,
    )
}

fn board_from_row(row: &Row<'_>) -> Result<Board, StatementError> {
    Ok(Board {
        id: row.next()?,
        project: row.next()?,
        parent: row.next()?,
        name: row.next()?,
        description: row.next()?,
    })
}

/// Returns the message of this board.
pub fn find(db: &Read<'_>, board: i64, id: i64) -> Result<Option<Message>, StoreError> {
    let sql =
        format!("SELECT {COLUMNS}, m.content FROM messages m WHERE m.id = ?1 AND m.board_id = ?2");
    db.first(&sql, &[id.into(), board.into()], from_row)
}

/// Returns the message with this id; the project of its board decides who may see it.
pub fn find_by_id(db: &Read<'_>, id: i64) -> Result<Option<Message>, StoreError> {
    db.first(
        &format!("SELECT {COLUMNS}, m.content FROM messages m WHERE m.id = ?1"),
        &[id.into()],
        from_row,
    )
}

/// Returns the numbers of topics and of messages of these boards, by board; boards without messages
/// are omitted.
pub fn count_by_board(
    db: &Read<'_>,
    boards: &[i64],
) -> Result<HashMap<i64, (i64, i64)>, StoreError> {
    let sql = "SELECT board_id, SUM(CASE WHEN parent_id IS NULL THEN 1 ELSE 0 END), COUNT(*) FROM messages \
               WHERE board_id IN ids(?1) GROUP BY board_id";
    let rows = db.rows(sql, &[Value::Ids(boards.to_vec())], |row| {
        Ok((row.get(0)?, (row.get(1)?, row.get(2)?)))
    })?;
    Ok(rows.into_iter().collect())
}

/// Returns a page of the topics of a board, sticky ones first, then newest first, without their
/// contents, each with the number of its replies.
pub fn topics(
    db: &Read<'_>,
    board: i64,
    offset: i64,
    limit: i64,
) -> Result<Vec<(Message, i64)>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS}, '', (SELECT COUNT(*) FROM messages r WHERE r.parent_id = m.id) FROM messages m \
         WHERE m.board_id = ?1 AND m.parent_id IS NULL ORDER BY CASE WHEN m.sticky = 0 THEN 1 ELSE 0 END, m.created_on DESC, m.id DESC LIMIT ?2 OFFSET ?3"
    );
    db.rows(&sql, &[board.into(), limit.into(), offset.into()], |row| {
        Ok((from_row(row)?, row.get(10)?))
    })
}

/// Returns the number of topics of a board.
pub fn count_topics(db: &Read<'_>, board: i64) -> Result<i64, StoreError> {
    db.query_i64(
        "SELECT COUNT(*) FROM messages WHERE board_id = ?1 AND parent_id IS NULL",
        &[board.into()],
    )
}

/// Returns a page of the replies to a topic, oldest first; fewer than `limit` when their texts
/// exceed the maximum size of a page.
pub fn replies(
    db: &Read<'_>,
    topic: i64,
    offset: i64,
    limit: i64,
) -> Result<Vec<Message>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS}, '', octet_length(m.content) FROM messages m WHERE m.parent_id = ?1 ORDER BY m.id LIMIT ?2 OFFSET ?3"
    );
    let mut rows: Vec<(Message, i64)> =
        db.rows(&sql, &[topic.into(), limit.into(), offset.into()], |row| {
            Ok((from_row(row)?, row.get(10)?))
        })?;
    rows.truncate(page_len(
        rows.iter()
            .map(|(_, bytes)| usize::try_from(*bytes).unwrap_or(0)),
    ));
    let ids = Value::Ids(rows.iter().map(|(reply, _)| reply.id).collect());
    let texts = db.rows(
        "SELECT id, content FROM messages WHERE id IN ids(?1)",
        &[ids],
        |row| Ok((row.next()?, row.next()?)),
    )?;
    let mut texts: HashMap<i64, String> = texts.into_iter().collect();
    Ok(rows
        .into_iter()
        .map(|(reply, _)| Message {
            content: texts.remove(&reply.id).unwrap_or_default(),
            ..reply
        })
        .collect())
}

/// Returns the number of replies to a topic, or of those before a reply.
pub fn count_replies(db: &Read<'_>, topic: i64, before: Option<i64>) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM messages WHERE parent_id = ?1 AND id < ?2";
    db.query_i64(sql, &[topic.into(), before.unwrap_or(i64::MAX).into()])
}

/// Updates a board, except its project and position.
pub fn update_board(db: &mut Write<'_>, board: &Board) -> Result<(), StoreError> {
    let sql = "UPDATE boards SET parent_id = ?2, name = ?3, description = ?4 WHERE id = ?1";
    db.execute(
        sql,
        &[
            board.id.into(),
            board.parent.into(),
            (&board.name).into(),
            (&board.description).into(),
        ],
    )
    .map(drop)
}

/// Returns the position of a new board, after all others of the project.
pub fn next_board_position(db: &Read<'_>, project: ProjectId) -> Result<i64, StoreError> {
    db.query_i64(
        "SELECT COALESCE(MAX(position), 0) + 1 FROM boards WHERE project_id = ?1",
        &[project.into()],
    )
}

/// Deletes a board with its messages. The boards below it have no parent any more.
pub fn delete_board(db: &mut Write<'_>, board: i64) -> Result<(), StoreError> {
    db.execute(
        "UPDATE boards SET last_message_id = NULL WHERE id = ?1",
        &[board.into()],
    )?;
    let messages = db.column(
        "SELECT id FROM messages WHERE board_id = ?1",
        &[board.into()],
    )?;
    delete_ids(db, messages)?;
    polymorphic::delete_by_owners(db, "Board", &[board])?;
    db.execute(
        "UPDATE boards SET parent_id = NULL WHERE parent_id = ?1",
        &[board.into()],
    )?;
    db.execute("DELETE FROM boards WHERE id = ?1", &[board.into()])
        .map(drop)
}

/// Updates a message, except its author and topic. The replies to a topic move to its board.
pub fn update(db: &mut Write<'_>, message: &Message) -> Result<(), StoreError> {
    db.execute(
        "UPDATE messages SET board_id = ?2, subject = ?3, content = ?4, sticky = ?5, locked = ?6, updated_on = ?7 WHERE id = ?1",
        &[
            message.id.into(),
            message.board.into(),
            (&message.subject).into(),
            (&message.content).into(),
            message.sticky.into(),
            message.locked.into(),
            message.updated_on.into(),
        ],
    )?;
    db.execute(
        "UPDATE messages SET board_id = ?2 WHERE parent_id = ?1",
        &[message.id.into(), message.board.into()],
    )?;
    changes::record(db, Kind::Message, message.id).map(drop)
}

/// Deletes a message with its files; of a topic also the replies.
pub fn delete(db: &mut Write<'_>, id: i64) -> Result<(), StoreError> {
    let messages = db.column(
        "SELECT id FROM messages WHERE id = ?1 OR parent_id = ?1",
        &[id.into()],
    )?;
    delete_ids(db, messages)
}

fn delete_ids(db: &mut Write<'_>, messages: Vec<i64>) -> Result<(), StoreError> {
    let ids = Value::Ids(messages.clone());
    attachments::delete_by_containers(db, ContainerType::Record(Kind::Message), ids.clone())?;
    polymorphic::delete_by_owners(db, "Message", &messages)?;
    for sql in [
        "UPDATE boards SET last_message_id = NULL WHERE last_message_id IN ids(?1)",
        "UPDATE messages SET last_reply_id = NULL WHERE last_reply_id IN ids(?1)",
        "UPDATE messages SET parent_id = NULL WHERE id IN ids(?1)",
        "DELETE FROM messages WHERE id IN ids(?1)",
    ] {
        db.execute(sql, std::slice::from_ref(&ids))?;
    }
    changes::record_all(db, Kind::Message, messages)
}
