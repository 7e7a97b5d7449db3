//! Attachments of records: names, descriptions and the digests of their contents, which `blobs`
//! stores.
//!
//! Names and descriptions are searched, the contents are not (docs/search.md section 3). Visibility
//! is that of the record; callers check it.

use super::engine::{Row, StatementError, Value};
use super::{Read, StoreError, Write, changes};
use crate::domain::attachment::{Attachment, Container, ContainerType};
use crate::domain::ids::{AttachmentId, UserId};
use crate::domain::kind::Kind;
use jiff::Timestamp;
use std::collections::HashMap;

const COLUMNS: &str = "id, container_kind, container_type, container_id, filename, filesize, content_type, description, author_id, created_on, \
                       digest, content_sha256, downloads";

fn attachment(row: &Row<'_>) -> Result<Attachment, StatementError> {
    let code: Option<i64> = row.get(1)?;
    let name: Option<String> = row.get(2)?;
    let kind = code
        .and_then(|code| u8::try_from(code).ok())
        .and_then(Kind::from_code);
    let container_type = match (kind, name.as_deref()) {
        (Some(kind), _) => ContainerType::Record(kind),
        (None, Some("Version")) => ContainerType::Version,
        _ => ContainerType::Other,
    };
    let id: Option<i64> = row.get(3)?;
    let content: Option<String> = row.get(11)?;
    let digest: String = row.get(10)?;
    Ok(Attachment {
        id: row.get(0)?,
        container: id.map(|id| Container { container_type, id }),
        filename: row.get(4)?,
        filesize: row.get(5)?,
        content_type: row.get(6)?,
        description: row.get(7)?,
        author: row.get(8)?,
        created_on: row.get(9)?,
        digest: if digest.is_empty() {
            content.clone().unwrap_or_default()
        } else {
            digest
        },
        content,
        downloads: row.get(12)?,
    })
}

/// Returns the attachment with this id, visible or not; its container decides who may see it.
pub fn find(db: &Read<'_>, id: AttachmentId) -> Result<Option<Attachment>, StoreError> {
    db.first(
        &format!("SELECT {COLUMNS} FROM attachments WHERE id = ?1"),
        &[id.into()],
        attachment,
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
        attachment,
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
    db.rows(&sql, &[before.into(), limit.into()], attachment)
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

/// An upload that is not attached to a record yet.
pub struct Upload<'a> {
    /// Its name.
    pub filename: &'a str,
    /// Its media type.
    pub content_type: &'a str,
    /// Its size in bytes.
    pub filesize: i64,
    /// The SHA-256 of its content, in hexadecimal.
    pub sha256: &'a str,
    /// The user who uploaded it.
    pub author: UserId,
    /// When it was created.
    pub created_on: Timestamp,
}

/// Inserts an upload.
pub fn insert_upload(db: &mut Write<'_>, file: &Upload<'_>) -> Result<AttachmentId, StoreError> {
    db.insert(
        "INSERT INTO attachments (filename, content_type, filesize, digest, content_sha256, author_id, created_on) \
         VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6) RETURNING id",
        &[
            file.filename.into(),
            file.content_type.into(),
            file.filesize.into(),
            file.sha256.into(),
            file.author.into(),
            file.created_on.into(),
        ],
    )
}

/// Updates name, description, media type and container of an attachment.
pub fn update(db: &mut Write<'_>, file: &Attachment) -> Result<(), StoreError> {
    let kind = file
        .container
        .and_then(|container| searchable_kind(container.container_type))
        .map(|kind| i64::from(kind.code()));
    db.execute(
        "UPDATE attachments SET filename = ?2, description = ?3, content_type = ?4, container_kind = ?5, container_id = ?6, \
         container_type = CASE WHEN ?7 = '' THEN container_type ELSE ?7 END WHERE id = ?1",
        &[
            file.id.into(),
            (&file.filename).into(),
            file.description.as_deref().into(),
            (&file.content_type).into(),
            kind.into(),
            file.container.map(|container| container.id).into(),
            file.container.map_or("", |container| container.container_type.name()).into(),
        ],
    )?;
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

/// An attachment to insert with its record.
pub struct NewAttachment<'a> {
    /// The content type of the record.
    pub kind: Kind,
    /// The id of the record.
    pub container: i64,
    /// Its name.
    pub filename: &'a str,
    /// Its description.
    pub description: Option<&'a str>,
    /// Its media type.
    pub content_type: &'a str,
    /// Its size in bytes.
    pub filesize: i64,
    /// Its author.
    pub author: UserId,
    /// When it was created.
    pub created_on: Timestamp,
}

/// Inserts an attachment of a record.
pub fn insert(db: &mut Write<'_>, file: &NewAttachment<'_>) -> Result<i64, StoreError> {
    changes::record(db, file.kind, file.container)?;
    db.insert(
        "INSERT INTO attachments (container_kind, container_id, filename, description, content_type, filesize, author_id, created_on, container_type) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) RETURNING id",
        &[
            i64::from(file.kind.code()).into(),
            file.container.into(),
            file.filename.into(),
            file.description.into(),
            file.content_type.into(),
            file.filesize.into(),
            file.author.into(),
            file.created_on.into(),
            ContainerType::from(file.kind).name().into(),
        ],
    )
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
