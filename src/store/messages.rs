//! Forums and their messages.

use super::{StoreError, Write, changes};
use crate::domain::ids::{ProjectId, UserId};
use crate::domain::kind::Kind;
use jiff::Timestamp;

/// Adds a board.
pub fn insert_board(db: &mut Write<'_>, project: ProjectId, name: &str, description: &str, position: i64) -> Result<i64, StoreError> {
    db.insert(
        "INSERT INTO boards (project_id, name, description, position) VALUES (?1, ?2, ?3, ?4) RETURNING id",
        &[project.into(), name.into(), description.into(), position.into()],
    )
}

/// A message to be added.
pub struct NewMessage<'a> {
    /// Its board.
    pub board: i64,
    /// The topic that it answers; `None` for a topic.
    pub parent: Option<i64>,
    /// Who wrote it.
    pub author: Option<UserId>,
    /// Its subject.
    pub subject: &'a str,
    /// What it says.
    pub content: &'a str,
    /// When it was written.
    pub created_on: Timestamp,
}

/// Adds a message.
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
