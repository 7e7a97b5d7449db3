//! News.

use super::{StoreError, Write, changes};
use crate::domain::ids::{ProjectId, UserId};
use crate::domain::kind::Kind;
use jiff::Timestamp;

/// A news item to be added.
pub struct NewNews<'a> {
    /// Where it belongs.
    pub project: ProjectId,
    /// Who wrote it.
    pub author: UserId,
    /// Its title.
    pub title: &'a str,
    /// It in short.
    pub summary: &'a str,
    /// It at length.
    pub description: &'a str,
    /// When it was written.
    pub created_on: Timestamp,
}

/// Adds a news item.
pub fn insert(db: &mut Write<'_>, news: &NewNews<'_>) -> Result<i64, StoreError> {
    let id: i64 = db.insert(
        "INSERT INTO news (project_id, author_id, title, summary, description, created_on) VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id",
        &[news.project.into(), news.author.into(), news.title.into(), news.summary.into(), news.description.into(), news.created_on.into()],
    )?;
    changes::record(db, Kind::News, id)?;
    Ok(id)
}
