//! News.

use super::engine::{Row, StatementError, Value};
use super::page_size::page_len;
use super::sql::Sql;
use super::visibility::{condition, in_project};
use super::{Read, StoreError, Write, changes};
use crate::domain::ids::{ProjectId, UserId};
use crate::domain::kind::Kind;
use crate::domain::visibility::Visible;
use jiff::Timestamp;
use std::collections::HashMap;

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

/// A news item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// Its number.
    pub id: i64,
    /// Where it belongs.
    pub project: ProjectId,
    /// Who wrote it.
    pub author: UserId,
    /// Its title.
    pub title: String,
    /// It in short.
    pub summary: String,
    /// It at length.
    pub description: String,
    /// When it was written.
    pub created_on: Timestamp,
}

const COLUMNS: &str = "n.id, n.project_id, n.author_id, n.title, n.summary, n.description, n.created_on";

fn news(row: &Row<'_>) -> Result<News, StatementError> {
    Ok(News {
        id: row.read(0)?,
        project: row.read(1)?,
        author: row.read(2)?,
        title: row.read(3)?,
        summary: row.read(4)?,
        description: row.read(5)?,
        created_on: row.read(6)?,
    })
}

/// The news item, if the viewer may see it.
pub fn find(db: &Read<'_>, visible: &Visible, id: i64) -> Result<Option<News>, StoreError> {
    let mut sql = Sql::new(&format!("SELECT {COLUMNS} FROM news n WHERE n.id = "));
    sql.bind(id).push(" AND ");
    condition(&mut sql, visible, in_project("n.project_id"));
    db.first(sql.text(), sql.values(), news)
}

/// Whether there is such a news item at all, for whomever.
pub fn exists(db: &Read<'_>, id: i64) -> Result<bool, StoreError> {
    Ok(db.number("SELECT COUNT(*) FROM news WHERE id = ?1", &[id.into()])? > 0)
}

/// A page of the news that the viewer may see, newest first; fewer than `limit` where their texts exceed the size of a page.
pub fn list(db: &Read<'_>, visible: &Visible, offset: i64, limit: i64) -> Result<Vec<News>, StoreError> {
    let columns = COLUMNS.replace("n.description", "''");
    let mut sql = Sql::new(&format!("SELECT {columns}, octet_length(n.description) FROM news n WHERE "));
    condition(&mut sql, visible, in_project("n.project_id"));
    sql.push(" ORDER BY n.created_on DESC, n.id DESC LIMIT ").bind(limit).push(" OFFSET ").bind(offset);
    let mut rows = db.rows(sql.text(), sql.values(), |row| Ok((news(row)?, row.read::<i64>(7)?)))?;
    rows.truncate(page_len(rows.iter().map(|(item, bytes)| item.summary.len() + usize::try_from(*bytes).unwrap_or(0))));
    let ids = rows.iter().map(|(item, _)| item.id).collect();
    let texts = "SELECT id, description FROM news WHERE id IN ids(?1)";
    let mut texts: HashMap<i64, String> = db.rows(texts, &[Value::Ids(ids)], |row| Ok((row.read(0)?, row.read(1)?)))?.into_iter().collect();
    let with_text = |(item, _): (News, i64)| News { description: texts.remove(&item.id).unwrap_or_default(), ..item };
    Ok(rows.into_iter().map(with_text).collect())
}

/// How many news items the viewer may see.
pub fn count(db: &Read<'_>, visible: &Visible) -> Result<i64, StoreError> {
    let mut sql = Sql::new("SELECT COUNT(*) FROM news n WHERE ");
    condition(&mut sql, visible, in_project("n.project_id"));
    db.number(sql.text(), sql.values())
}

/// What somebody has said about a news item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Its number.
    pub id: i64,
    /// Who said it.
    pub author: UserId,
    /// What was said.
    pub content: String,
}

/// The comments of a news item, oldest first, at most 1,000.
pub fn comments(db: &Read<'_>, id: i64) -> Result<Vec<Comment>, StoreError> {
    let sql = "SELECT id, author_id, content FROM comments WHERE commented_type = 'News' AND commented_id = ?1 \
               ORDER BY created_on, id LIMIT 1000";
    db.rows(sql, &[id.into()], |row| Ok(Comment { id: row.read(0)?, author: row.read(1)?, content: row.read(2)? }))
}
