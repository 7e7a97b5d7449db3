//! News. Lists and [`find`] take the visibility of the viewer.

use super::{attachments, comments};
use crate::engine::{Row, StatementError, Value};
use crate::lists::page_size::page_len;
use crate::lists::polymorphic;
use crate::lists::visibility::{in_project, push_visible};
use crate::transaction::changes;
use crate::transaction::column_values::ColumnValues;
use crate::transaction::sql::Sql;
use crate::{Read, StoreError, Write};
use quarry_domain::access::visible::Visible;
use quarry_domain::content::news::News;
use quarry_domain::index_feed::kind::Kind;
use std::collections::HashMap;

const COLUMNS: &str =
    "n.id, n.project_id, n.author_id, n.title, n.summary, n.description, n.created_on";

fn from_row(row: &Row<'_>) -> Result<News, StatementError> {
    Ok(News {
        id: row.next()?,
        project: row.next()?,
        author: row.next()?,
        title: row.next()?,
        summary: row.next()?,
        description: row.next()?,
        created_on: row.next()?,
    })
}

/// The columns that an update writes.
fn columns(news: &News) -> ColumnValues {
    ColumnValues::new()
        .set("title", &news.title)
        .set("summary", news.summary.as_deref())
        .set("description", &news.description)
}

/// Inserts a news item; its id is ignored. Returns the new id.
pub fn insert(db: &mut Write<'_>, news: &News) -> Result<i64, StoreError> {
    let columns = columns(news)
        .set("project_id", news.project)
        .set("author_id", news.author)
        .set("created_on", news.created_on);
    let id = db.insert_record("news", columns)?;
    changes::record(db, Kind::News, id)?;
    Ok(id)
}

/// Returns the news item, if the viewer may see it.
pub fn find(db: &Read<'_>, visible: &Visible, id: i64) -> Result<Option<News>, StoreError> {
    let mut sql = Sql::new(&format!("SELECT {COLUMNS} FROM news n WHERE n.id = "));
    sql.bind(id).push(" AND ");
    push_visible(&mut sql, visible, in_project("n.project_id"));
    db.first(sql.text(), sql.values(), from_row)
}

/// Whether the news item exists, visible or not.
pub fn exists(db: &Read<'_>, id: i64) -> Result<bool, StoreError> {
    Ok(db.query_i64("SELECT COUNT(*) FROM news WHERE id = ?1", &[id.into()])? > 0)
}

/// Returns a page of the news that the viewer may see, newest first; fewer than `limit` when their
/// texts exceed the maximum size of a page.
pub fn list(
    db: &Read<'_>,
    visible: &Visible,
    offset: i64,
    limit: i64,
) -> Result<Vec<News>, StoreError> {
    let columns = COLUMNS.replace("n.description", "''");
    let mut sql = Sql::new(&format!(
        "SELECT {columns}, octet_length(n.description) FROM news n WHERE "
    ));
    push_visible(&mut sql, visible, in_project("n.project_id"));
    sql.push(" ORDER BY n.created_on DESC, n.id DESC LIMIT ")
        .bind(limit)
        .push(" OFFSET ")
        .bind(offset);
    let mut rows = db.rows(sql.text(), sql.values(), |row| {
        Ok((from_row(row)?, row.next::<i64>()?))
    })?;
    rows.truncate(page_len(rows.iter().map(|(item, bytes)| {
        item.summary.as_ref().map_or(0, String::len) + usize::try_from(*bytes).unwrap_or(0)
    })));
    let ids = rows.iter().map(|(item, _)| item.id).collect();
    let texts = "SELECT id, description FROM news WHERE id IN ids(?1)";
    let mut texts: HashMap<i64, String> = db
        .rows(texts, &[Value::Ids(ids)], |row| {
            Ok((row.next()?, row.next()?))
        })?
        .into_iter()
        .collect();
    let news = rows.into_iter().map(|(item, _)| News {
        description: texts.remove(&item.id).unwrap_or_default(),
        ..item
    });
    Ok(news.collect())
}

/// Returns how many news items the viewer may see.
pub fn count(db: &Read<'_>, visible: &Visible) -> Result<i64, StoreError> {
    let mut sql = Sql::new("SELECT COUNT(*) FROM news n WHERE ");
    push_visible(&mut sql, visible, in_project("n.project_id"));
    db.query_i64(sql.text(), sql.values())
}

/// Updates title, summary and description of a news item.
pub fn update(db: &mut Write<'_>, news: &News) -> Result<(), StoreError> {
    db.update_record("news", news.id, columns(news))?;
    changes::record(db, Kind::News, news.id).map(drop)
}

/// Deletes a news item with its comments, files and watchers.
pub fn delete(db: &mut Write<'_>, id: i64) -> Result<(), StoreError> {
    attachments::delete_by_container(db, Kind::News, id)?;
    comments::delete_all(db, id)?;
    polymorphic::delete_by_owners(db, "News", &[id])?;
    db.execute("DELETE FROM news WHERE id = ?1", &[id.into()])?;
    changes::record(db, Kind::News, id).map(drop)
}
