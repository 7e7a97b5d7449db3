//! Messages of forums. The caller checks that the viewer may see messages in the project.

use super::attachments;
use crate::engine::{Row, StatementError, Value};
use crate::lists::page_size::page_len;
use crate::lists::polymorphic;
use crate::transaction::changes;
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use quarry_domain::content::attachment::ContainerType;
use quarry_domain::content::message::Message;
use quarry_domain::index_feed::kind::Kind;
use std::collections::HashMap;

const COLUMNS: &str = "m.id, m.board_id, m.parent_id, m.author_id, m.subject, m.content, m.sticky, m.locked, m.created_on, m.updated_on";

fn from_row(row: &Row<'_>) -> Result<Message, StatementError> {
    Ok(Message {
        id: row.next()?,
        board: row.next()?,
        topic: row.next()?,
        author: row.next()?,
        subject: row.next()?,
        content: row.next()?,
        // Redmine stores any number that is not 0 for sticky topics.
        sticky: row.next()?,
        locked: row.next()?,
        created_on: row.next()?,
        updated_on: row.next()?,
    })
}

/// The columns that an update writes.
fn columns(message: &Message) -> ColumnValues {
    ColumnValues::new()
        .set("board_id", message.board)
        .set("subject", &message.subject)
        .set("content", &message.content)
        .set("sticky", message.sticky)
        .set("locked", message.locked)
        .set("updated_on", message.updated_on)
}

/// Inserts a message; its id is ignored. Returns the new id.
pub fn insert(db: &mut Write<'_>, message: &Message) -> Result<i64, StoreError> {
    let columns = columns(message)
        .set("parent_id", message.topic)
        .set("author_id", message.author)
        .set("created_on", message.created_on);
    let id = db.insert_record("messages", columns)?;
    changes::record(db, Kind::Message, id)?;
    Ok(id)
}

/// Returns the message of this board.
pub fn find(db: &Read<'_>, board: i64, id: i64) -> Result<Option<Message>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM messages m WHERE m.id = ?1 AND m.board_id = ?2");
    db.first(&sql, &[id.into(), board.into()], from_row)
}

/// Returns the message with this id; the project of its board decides who may see it.
pub fn find_by_id(db: &Read<'_>, id: i64) -> Result<Option<Message>, StoreError> {
    db.first(
        &format!("SELECT {COLUMNS} FROM messages m WHERE m.id = ?1"),
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
        Ok((row.next()?, (row.next()?, row.next()?)))
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
    let columns = COLUMNS.replace("m.content", "''");
    let sql = format!(
        "SELECT {columns}, (SELECT COUNT(*) FROM messages r WHERE r.parent_id = m.id) FROM messages m \
         WHERE m.board_id = ?1 AND m.parent_id IS NULL ORDER BY CASE WHEN m.sticky = 0 THEN 1 ELSE 0 END, m.created_on DESC, m.id DESC LIMIT ?2 OFFSET ?3"
    );
    db.rows(&sql, &[board.into(), limit.into(), offset.into()], |row| {
        Ok((from_row(row)?, row.next()?))
    })
}

/// A topic in a list.
pub struct TopicSummary {
    /// The topic without its content.
    pub topic: Message,
    /// The number of its replies.
    pub replies: i64,
    /// The last message without its content: a reply, or the topic itself.
    pub last: Message,
}

/// Returns a page of the topics of a board, sticky ones first, then those with the latest message.
pub fn topics_by_last_message(
    db: &Read<'_>,
    board: i64,
    offset: i64,
    limit: i64,
) -> Result<Vec<TopicSummary>, StoreError> {
    // The details are loaded for the page alone.
    let sql = "SELECT m.id, COALESCE((SELECT MAX(r.id) FROM messages r WHERE r.parent_id = m.id), m.id) AS last_id FROM messages m \
               WHERE m.board_id = ?1 AND m.parent_id IS NULL ORDER BY CASE WHEN m.sticky = 0 THEN 1 ELSE 0 END, last_id DESC LIMIT ?2 OFFSET ?3";
    let page: Vec<(i64, i64)> =
        db.rows(sql, &[board.into(), limit.into(), offset.into()], |row| {
            Ok((row.next()?, row.next()?))
        })?;
    let ids = page.iter().flat_map(|(topic, last)| [*topic, *last]);
    let columns = COLUMNS.replace("m.content", "''");
    let sql = format!(
        "SELECT {columns}, (SELECT COUNT(*) FROM messages r WHERE r.parent_id = m.id) FROM messages m WHERE m.id IN ids(?1)"
    );
    let found = db.rows(&sql, &[Value::Ids(ids.collect())], |row| {
        Ok((from_row(row)?, row.next()?))
    })?;
    let found: HashMap<i64, (Message, i64)> = found
        .into_iter()
        .map(|(message, replies): (Message, i64)| (message.id, (message, replies)))
        .collect();
    let summaries = page.into_iter().filter_map(|(topic, last)| {
        let (topic, replies) = found.get(&topic)?.clone();
        let last = found.get(&last)?.0.clone();
        Some(TopicSummary {
            topic,
            replies,
            last,
        })
    });
    Ok(summaries.collect())
}

/// Returns the last message of each of these boards, without its content, by board; boards without
/// messages are omitted.
pub fn last_by_board(db: &Read<'_>, boards: &[i64]) -> Result<HashMap<i64, Message>, StoreError> {
    let columns = COLUMNS.replace("m.content", "''");
    let sql = format!(
        "SELECT {columns} FROM messages m WHERE m.id IN \
         (SELECT (SELECT MAX(x.id) FROM messages x WHERE x.board_id = b.id) FROM boards b WHERE b.id IN ids(?1))"
    );
    let messages = db.rows(&sql, &[Value::Ids(boards.to_vec())], from_row)?;
    Ok(messages
        .into_iter()
        .map(|message| (message.board, message))
        .collect())
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
    let columns = COLUMNS.replace("m.content", "''");
    let sql = format!(
        "SELECT {columns}, octet_length(m.content) FROM messages m WHERE m.parent_id = ?1 ORDER BY m.id LIMIT ?2 OFFSET ?3"
    );
    let mut rows: Vec<(Message, i64)> =
        db.rows(&sql, &[topic.into(), limit.into(), offset.into()], |row| {
            Ok((from_row(row)?, row.next()?))
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

/// Returns the ids of a topic and its replies, visible or not.
pub fn ids_of_topic(db: &Read<'_>, topic: i64) -> Result<Vec<i64>, StoreError> {
    db.column(
        "SELECT id FROM messages WHERE parent_id = ?1 UNION ALL SELECT id FROM messages WHERE id = ?1 AND parent_id IS NULL",
        &[topic.into()],
    )
}

/// Returns the number of replies to a topic, or of those before a reply.
pub fn count_replies(db: &Read<'_>, topic: i64, before: Option<i64>) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM messages WHERE parent_id = ?1 AND id < ?2";
    db.query_i64(sql, &[topic.into(), before.unwrap_or(i64::MAX).into()])
}

/// Updates a message, except its author and topic. The replies to a topic move to its board.
pub fn update(db: &mut Write<'_>, message: &Message) -> Result<(), StoreError> {
    db.update_record("messages", message.id, columns(message))?;
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

/// Deletes the messages of a board with their files.
pub(crate) fn delete_by_board(db: &mut Write<'_>, board: i64) -> Result<(), StoreError> {
    db.execute(
        "UPDATE boards SET last_message_id = NULL WHERE id = ?1",
        &[board.into()],
    )?;
    let messages = db.column(
        "SELECT id FROM messages WHERE board_id = ?1",
        &[board.into()],
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
