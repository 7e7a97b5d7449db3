//! Documents of projects. Lists and [`find`] take the visibility of the viewer.

use super::attachments;
use crate::administration::custom_fields;
use crate::engine::{Row, StatementError, Value};
use crate::lists::page_size::page_len;
use crate::lists::polymorphic;
use crate::lists::visibility::{in_project, push_visible};
use crate::transaction::changes;
use crate::transaction::column_values::ColumnValues;
use crate::transaction::sql::Sql;
use crate::{Read, StoreError, Write};
use quarry_domain::access::visible::Visible;
use quarry_domain::administration::custom_field::Customized;
use quarry_domain::content::document::Document;
use quarry_domain::index_feed::kind::Kind;
use std::collections::HashMap;

const COLUMNS: &str = "d.id, d.project_id, d.category_id, d.title, d.description, d.created_on";

fn from_row(row: &Row<'_>) -> Result<Document, StatementError> {
    Ok(Document {
        id: row.next()?,
        project: row.next()?,
        category: row.next()?,
        title: row.next()?,
        description: row.next()?,
        created_on: row.next()?,
    })
}

/// The columns that an update writes.
fn columns(document: &Document) -> ColumnValues {
    ColumnValues::new()
        .set("category_id", document.category)
        .set("title", &document.title)
        .set("description", document.description.as_deref())
}

/// Inserts a document; its id is ignored. Returns the new id.
pub fn insert(db: &mut Write<'_>, document: &Document) -> Result<i64, StoreError> {
    let columns = columns(document)
        .set("project_id", document.project)
        .set("created_on", document.created_on);
    let id = db.insert_record("documents", columns)?;
    changes::record(db, Kind::Document, id)?;
    Ok(id)
}

/// Returns the document, if the viewer may see it.
pub fn find(db: &Read<'_>, visible: &Visible, id: i64) -> Result<Option<Document>, StoreError> {
    let mut sql = Sql::new(&format!("SELECT {COLUMNS} FROM documents d WHERE d.id = "));
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
    let columns = COLUMNS.replace("d.description", "NULL");
    let mut sql = Sql::new(&format!("SELECT {columns} FROM documents d WHERE "));
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
            Ok((row.next()?, row.next()?))
        })?
        .into_iter()
        .collect();
    documents.truncate(page_len(documents.iter().map(|document| {
        let description = sizes
            .get(&document.id)
            .and_then(|bytes| usize::try_from(*bytes).ok());
        description.unwrap_or(0) + values.get(&document.id).copied().unwrap_or_default()
    })));
    let texts =
        "SELECT id, description FROM documents WHERE id IN ids(?1) AND description IS NOT NULL";
    let ids = Value::Ids(documents.iter().map(|document| document.id).collect());
    let mut texts: HashMap<i64, String> = db
        .rows(texts, &[ids], |row| Ok((row.next()?, row.next()?)))?
        .into_iter()
        .collect();
    for document in &mut documents {
        document.description = texts.remove(&document.id);
    }
    Ok(documents)
}

/// Updates title, description and category of a document.
pub fn update(db: &mut Write<'_>, document: &Document) -> Result<(), StoreError> {
    db.update_record("documents", document.id, columns(document))?;
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
