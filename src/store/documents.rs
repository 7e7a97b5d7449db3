//! Documents of projects. Lists and [`find`] take the visibility of the viewer.

use super::engine::{Row, StatementError, Value};
use super::page_size::page_len;
use super::sql::Sql;
use super::visibility::{in_project, push_visible};
use super::{Read, StoreError, Write, attachments, changes, custom_fields, polymorphic};
use crate::domain::custom_field::Customized;
use crate::domain::ids::{EnumerationId, ProjectId};
use crate::domain::kind::Kind;
use crate::domain::visible::Visible;
use jiff::Timestamp;
use std::collections::HashMap;

/// A document to insert.
pub struct NewDocument<'a> {
    /// Its project.
    pub project: ProjectId,
    /// Its category.
    pub category: EnumerationId,
    /// Its title.
    pub title: &'a str,
    /// Its description.
    pub description: Option<&'a str>,
    /// When it was created.
    pub created_on: Timestamp,
}

/// Inserts a document.
pub fn insert(db: &mut Write<'_>, document: &NewDocument<'_>) -> Result<i64, StoreError> {
    let id: i64 = db.insert(
        "INSERT INTO documents (project_id, category_id, title, description, created_on) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id",
        &[
            document.project.into(),
            document.category.into(),
            document.title.into(),
            document.description.into(),
            document.created_on.into(),
        ],
    )?;
    changes::record(db, Kind::Document, id)?;
    Ok(id)
}

/// A document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its id.
    pub id: i64,
    /// Its project.
    pub project: ProjectId,
    /// Its category.
    pub category: EnumerationId,
    /// Its title.
    pub title: String,
    /// Its description; `None` is null, which differs from an empty text. Always `None` in
    /// [`list`].
    pub description: Option<String>,
    /// When it was created.
    pub created_on: Timestamp,
}

fn from_row(row: &Row<'_>) -> Result<Document, StatementError> {
    Ok(Document {
        id: row.get(0)?,
        project: row.get(1)?,
        category: row.get(2)?,
        title: row.get(3)?,
        created_on: row.get(4)?,
        description: row.get(5)?,
    })
}

/// Returns the document, if the viewer may see it.
pub fn find(db: &Read<'_>, visible: &Visible, id: i64) -> Result<Option<Document>, StoreError> {
    let mut sql = Sql::new(
        "SELECT d.id, d.project_id, d.category_id, d.title, d.created_on, d.description FROM documents d WHERE d.id = ",
    );
    sql.bind(id).push(" AND ");
    push_visible(&mut sql, visible, in_project("d.project_id"));
    db.first(sql.text(), sql.values(), from_row)
}

/// Returns a page of the documents that the viewer may see, newest first, without their
/// descriptions.
pub fn list(
    db: &Read<'_>,
    visible: &Visible,
    offset: i64,
    limit: i64,
) -> Result<Vec<Document>, StoreError> {
    let mut sql = Sql::new(
        "SELECT d.id, d.project_id, d.category_id, d.title, d.created_on, NULL FROM documents d WHERE ",
    );
    push_visible(&mut sql, visible, in_project("d.project_id"));
    sql.push(" ORDER BY d.created_on DESC, d.id DESC LIMIT ")
        .bind(limit)
        .push(" OFFSET ")
        .bind(offset);
    db.rows(sql.text(), sql.values(), from_row)
}

/// Like [`list`], with the descriptions; fewer than `limit` when they and the values of custom
/// fields exceed the maximum size of a page.
pub fn list_with_descriptions(
    db: &Read<'_>,
    visible: &Visible,
    offset: i64,
    limit: i64,
) -> Result<Vec<Document>, StoreError> {
    let mut documents = list(db, visible, offset, limit)?;
    let ids: Vec<i64> = documents.iter().map(|document| document.id).collect();
    let values = custom_fields::value_sizes(db, Customized::Document, &ids)?;
    let sizes = "SELECT id, octet_length(description) FROM documents WHERE id IN ids(?1) AND description IS NOT NULL";
    let sizes: HashMap<i64, i64> = db
        .rows(sizes, &[Value::Ids(ids)], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?
        .into_iter()
        .collect();
    let description = |id: i64| {
        sizes
            .get(&id)
            .and_then(|bytes| usize::try_from(*bytes).ok())
            .unwrap_or(0)
    };
    let size = |document: &Document| {
        description(document.id) + values.get(&document.id).copied().unwrap_or_default()
    };
    let len = page_len(documents.iter().map(size));
    documents.truncate(len);
    let texts =
        "SELECT id, description FROM documents WHERE id IN ids(?1) AND description IS NOT NULL";
    let ids = Value::Ids(documents.iter().map(|document| document.id).collect());
    let mut texts: HashMap<i64, String> = db
        .rows(texts, &[ids], |row| Ok((row.get(0)?, row.get(1)?)))?
        .into_iter()
        .collect();
    let with_text = |document: Document| Document {
        description: texts.remove(&document.id),
        ..document
    };
    Ok(documents.into_iter().map(with_text).collect())
}

/// Updates title, description and category of a document.
pub fn update(db: &mut Write<'_>, document: &Document) -> Result<(), StoreError> {
    db.execute(
        "UPDATE documents SET category_id = ?2, title = ?3, description = ?4 WHERE id = ?1",
        &[
            document.id.into(),
            document.category.into(),
            (&document.title).into(),
            document.description.as_deref().into(),
        ],
    )?;
    changes::record(db, Kind::Document, document.id).map(drop)
}

/// Deletes a document with its attachments, watchers and values of custom fields.
pub fn delete(db: &mut Write<'_>, id: i64) -> Result<(), StoreError> {
    attachments::delete_by_container(db, Kind::Document, id)?;
    polymorphic::delete_by_owners(db, "Document", &[id])?;
    db.execute("DELETE FROM documents WHERE id = ?1", &[id.into()])?;
    changes::record(db, Kind::Document, id).map(drop)
}

/// Returns how many documents the viewer may see.
pub fn count(db: &Read<'_>, visible: &Visible) -> Result<i64, StoreError> {
    let mut sql = Sql::new("SELECT COUNT(*) FROM documents d WHERE ");
    push_visible(&mut sql, visible, in_project("d.project_id"));
    db.query_i64(sql.text(), sql.values())
}
