//! Attachments of records: names, descriptions and the digests of their contents, which `blobs`
//! stores.
//!
//! Names and descriptions are searched, the contents are not (docs/search.md section 3). Visibility
//! is that of the record; callers check it.

use crate::engine::{Row, StatementError, Value};
use crate::transaction::changes;
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use jiff::Timestamp;
use quarry_domain::content::attachment::{Attachment, Container, ContainerType};
use quarry_domain::ids::{AttachmentId, UserId};
use quarry_domain::index_feed::kind::Kind;
use std::collections::HashMap;

/// The digest of the content stands for one that is not stored.
const COLUMNS: &str = "id, container_kind, container_type, container_id, filename, filesize, content_type, description, author_id, created_on, \
                       COALESCE(NULLIF(digest, ''), content_sha256, ''), content_sha256, downloads";

fn from_row(row: &Row<'_>) -> Result<Attachment, StatementError> {
    Ok(Attachment {
        id: row.next()?,
        container: container_from_row(row)?,
        filename: row.next()?,
        filesize: row.next()?,
        content_type: row.next()?,
        description: row.next()?,
        author: row.next()?,
        created_on: row.next()?,
        digest: row.next()?,
        content: row.next()?,
        downloads: row.next()?,
    })
}

fn container_from_row(row: &Row<'_>) -> Result<Option<Container>, StatementError> {
    let code: Option<i64> = row.next()?;
    let name: Option<String> = row.next()?;
    let id: Option<i64> = row.next()?;
    let kind = code
        .and_then(|code| u8::try_from(code).ok())
        .and_then(Kind::from_code);
    let container_type = match (kind, name.as_deref()) {
        (Some(kind), _) => ContainerType::Record(kind),
        (None, Some("Version")) => ContainerType::Version,
        _ => ContainerType::Other,
    };
    Ok(id.map(|id| Container { container_type, id }))
}

/// The columns that an update writes. An unknown type of record keeps its name.
fn columns(file: &Attachment) -> ColumnValues {
    let container_type = file.container.map(|container| container.container_type);
    let kind = container_type.and_then(searchable_kind);
    let columns = ColumnValues::new()
        .set("container_kind", kind.map(|kind| i64::from(kind.code())))
        .set("container_id", file.container.map(|container| container.id))
        .set("filename", &file.filename)
        .set("content_type", &file.content_type)
        .set("description", file.description.as_ref());
    match container_type.map_or("", ContainerType::name) {
        "" => columns,
        name => columns.set("container_type", name),
    }
}

/// Returns the attachment with this id, visible or not; its container decides who may see it.
pub fn find(db: &Read<'_>, id: AttachmentId) -> Result<Option<Attachment>, StoreError> {
    db.first(
        &format!("SELECT {COLUMNS} FROM attachments WHERE id = ?1"),
        &[id.into()],
        from_row,
    )
}

/// Returns the attachments of these records, by record; records without any are omitted.
pub fn list_by_container(
    db: &Read<'_>,
    container_type: impl Into<ContainerType>,
    containers: &[i64],
) -> Result<HashMap<i64, Vec<Attachment>>, StoreError> {
    let container_type = container_type.into();
    let (condition, container_value) = container_condition(container_type);
    let sql = format!(
        "SELECT {COLUMNS} FROM attachments WHERE {condition} AND container_id IN ids(?2) ORDER BY created_on, id"
    );
    let mut files: HashMap<i64, Vec<Attachment>> = HashMap::new();
    for file in db.rows(
        &sql,
        &[container_value, Value::Ids(containers.to_vec())],
        from_row,
    )? {
        files
            .entry(file.container.map_or(0, |container| container.id))
            .or_default()
            .push(file);
    }
    Ok(files)
}

/// Returns how many attachments a record has.
pub fn count_by_container(db: &Read<'_>, container: Container) -> Result<i64, StoreError> {
    let (condition, container_value) = container_condition(container.container_type);
    db.query_i64(
        &format!("SELECT COUNT(*) FROM attachments WHERE {condition} AND container_id = ?2"),
        &[container_value, container.id.into()],
    )
}

/// Returns the condition that an attachment belongs to a record of this type, and the parameter ?1
/// of the condition.
fn container_condition(container_type: ContainerType) -> (&'static str, Value) {
    match container_type {
        ContainerType::Record(kind) => ("container_kind = ?1", i64::from(kind.code()).into()),
        ContainerType::Version | ContainerType::Other => (
            "container_kind IS NULL AND container_type = ?1",
            container_type.name().into(),
        ),
    }
}

/// Returns at most `limit` unattached uploads that were created before this instant, oldest first.
pub fn list_unattached(
    db: &Read<'_>,
    before: Timestamp,
    limit: i64,
) -> Result<Vec<Attachment>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM attachments WHERE container_id IS NULL AND created_on < ?1 ORDER BY created_on LIMIT ?2"
    );
    db.rows(&sql, &[before.into(), limit.into()], from_row)
}

/// Returns number and total size in bytes of the unattached uploads of this user.
pub fn count_unattached(db: &Read<'_>, author: UserId) -> Result<(i64, i64), StoreError> {
    let sql = "SELECT COUNT(*), COALESCE(SUM(a.filesize), 0) FROM attachments a along(attachments_waiting) \
               WHERE a.container_id IS NULL AND a.author_id = ?1";
    Ok(db
        .first(sql, &[author.into()], |row| Ok((row.next()?, row.next()?)))?
        .unwrap_or_default())
}

/// Returns number and total size in bytes of the unattached uploads of all users.
pub fn count_all_unattached(db: &Read<'_>) -> Result<(i64, i64), StoreError> {
    let sql = "SELECT COUNT(*), COALESCE(SUM(a.filesize), 0) FROM attachments a along(attachments_waiting) WHERE a.container_id IS NULL";
    Ok(db
        .first(sql, &[], |row| Ok((row.next()?, row.next()?)))?
        .unwrap_or_default())
}

/// Returns how many attachments have this content.
pub fn count_by_content(db: &Read<'_>, sha256: &str) -> Result<i64, StoreError> {
    db.query_i64(
        "SELECT COUNT(*) FROM attachments WHERE content_sha256 = ?1",
        &[sha256.into()],
    )
}

/// Inserts an attachment, or an upload that is not attached to a record yet; the id 0 means the
/// next free one.
pub fn insert(db: &mut Write<'_>, file: &Attachment) -> Result<AttachmentId, StoreError> {
    let columns = columns(file)
        .set_id(file.id)
        .set("filesize", file.filesize)
        .set("author_id", file.author)
        .set("created_on", file.created_on)
        .set("digest", &file.digest)
        .set("content_sha256", file.content.as_ref())
        .set("downloads", file.downloads);
    let id = db.insert_record("attachments", columns)?;
    record_container_change(db, file)?;
    Ok(id)
}

/// Updates name, description, media type and container of an attachment.
pub fn update(db: &mut Write<'_>, file: &Attachment) -> Result<(), StoreError> {
    db.update_record("attachments", file.id, columns(file))?;
    record_container_change(db, file)
}

/// Counts a download.
pub fn count_download(db: &mut Write<'_>, id: AttachmentId) -> Result<(), StoreError> {
    db.execute(
        "UPDATE attachments SET downloads = downloads + 1 WHERE id = ?1",
        &[id.into()],
    )
    .map(drop)
}

/// Deletes an attachment. Its blob stays, see `blobs::delete_unused`.
pub fn delete(db: &mut Write<'_>, file: &Attachment) -> Result<(), StoreError> {
    db.execute("DELETE FROM attachments WHERE id = ?1", &[file.id.into()])?;
    record_container_change(db, file)
}

/// Records a change of the container, which is found by the names of its attachments.
fn record_container_change(db: &mut Write<'_>, file: &Attachment) -> Result<(), StoreError> {
    if let Some(container) = file.container
        && let Some(kind) = searchable_kind(container.container_type)
    {
        changes::record(db, kind, container.id)?;
    }
    Ok(())
}

fn searchable_kind(container_type: ContainerType) -> Option<Kind> {
    match container_type {
        ContainerType::Record(kind) => Some(kind),
        ContainerType::Version | ContainerType::Other => None,
    }
}

/// Returns names and descriptions of the attachments of these records, one text per attachment, by
/// record.
pub fn texts(
    db: &Read<'_>,
    kind: Kind,
    containers: &[i64],
) -> Result<HashMap<i64, Vec<String>>, StoreError> {
    let sql = "SELECT container_id, filename, description FROM attachments WHERE container_kind = ?1 AND container_id IN ids(?2) ORDER BY created_on, id";
    let values = [
        i64::from(kind.code()).into(),
        Value::Ids(containers.to_vec()),
    ];
    let mut texts: HashMap<i64, Vec<String>> = HashMap::new();
    for (id, name, description) in db.rows(sql, &values, |row| {
        Ok((
            row.next()?,
            row.next::<String>()?,
            row.next::<Option<String>>()?,
        ))
    })? {
        let text = match description.filter(|text| !text.is_empty()) {
            Some(description) => format!("{name} {description}"),
            None => name,
        };
        texts.entry(id).or_default().push(text);
    }
    Ok(texts)
}

/// Deletes the attachments of these records. Returns the digests to pass to `blobs::delete_unused`
/// after the commit.
pub fn delete_by_containers(
    db: &mut Write<'_>,
    container_type: ContainerType,
    containers: Value,
) -> Result<Vec<String>, StoreError> {
    let (condition, container_value) = container_condition(container_type);
    let matching = format!("{condition} AND container_id IN ids(?2)");
    let values = [container_value, containers];
    let sql = format!(
        "SELECT DISTINCT content_sha256 FROM attachments WHERE {matching} AND content_sha256 IS NOT NULL"
    );
    let digests = db.column(&sql, &values)?;
    db.execute(
        &format!("DELETE FROM attachments WHERE {matching}"),
        &values,
    )?;
    Ok(digests)
}

/// Deletes the attachments of a record.
pub fn delete_by_container(
    db: &mut Write<'_>,
    kind: Kind,
    container: i64,
) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM attachments WHERE container_kind = ?1 AND container_id = ?2",
        &[i64::from(kind.code()).into(), container.into()],
    )?;
    Ok(())
}
