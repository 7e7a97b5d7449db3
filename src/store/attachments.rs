//! Files that hang on a record: names, descriptions, and under which digest their contents lie. What they contain is not
//! searched (spec).

use super::engine::{Row, StatementError, Value};
use super::{Read, StoreError, Write, changes};
use crate::domain::attachment::{Attachment, Container, Holder};
use crate::domain::ids::{AttachmentId, UserId};
use crate::domain::kind::Kind;
use jiff::Timestamp;
use std::collections::HashMap;

const COLUMNS: &str = "id, container_kind, container_type, container_id, filename, filesize, content_type, description, author_id, created_on, \
                       digest, content_sha256, downloads";

fn attachment(row: &Row<'_>) -> Result<Attachment, StatementError> {
    let (code, name): (Option<i64>, Option<String>) = (row.read(1)?, row.read(2)?);
    let kind = code.and_then(|code| u8::try_from(code).ok()).and_then(Kind::from_code);
    let holder = match (kind, name.as_deref()) {
        (Some(kind), _) => Holder::Record(kind),
        (None, Some("Version")) => Holder::Version,
        _ => Holder::Other,
    };
    let id: Option<i64> = row.read(3)?;
    let content: Option<String> = row.read(11)?;
    let digest: String = row.read(10)?;
    Ok(Attachment {
        id: row.read(0)?,
        container: id.map(|id| Container { holder, id }),
        filename: row.read(4)?,
        filesize: row.read(5)?,
        content_type: row.read(6)?,
        description: row.read(7)?,
        author: row.read(8)?,
        created_on: row.read(9)?,
        digest: if digest.is_empty() { content.clone().unwrap_or_default() } else { digest },
        content,
        downloads: row.read(12)?,
    })
}

/// The file with this number, for whomever; who may see it is decided by its container.
pub fn find(db: &Read<'_>, id: AttachmentId) -> Result<Option<Attachment>, StoreError> {
    db.first(&format!("SELECT {COLUMNS} FROM attachments WHERE id = ?1"), &[id.into()], attachment)
}

/// The files of these records in their order, by record; a record without any is not in it.
pub fn list_of(db: &Read<'_>, holder: impl Into<Holder>, containers: &[i64]) -> Result<HashMap<i64, Vec<Attachment>>, StoreError> {
    let holder = holder.into();
    let (condition, what) = place(holder);
    let sql = format!("SELECT {COLUMNS} FROM attachments WHERE {condition} AND container_id IN ids(?2) ORDER BY id");
    let mut files: HashMap<i64, Vec<Attachment>> = HashMap::new();
    for file in db.rows(&sql, &[what, Value::Ids(containers.to_vec())], attachment)? {
        files.entry(file.container.map_or(0, |container| container.id)).or_default().push(file);
    }
    Ok(files)
}

/// How many files a record has.
pub fn count_of(db: &Read<'_>, container: Container) -> Result<i64, StoreError> {
    let (condition, what) = place(container.holder);
    db.number(&format!("SELECT COUNT(*) FROM attachments WHERE {condition} AND container_id = ?2"), &[what, container.id.into()])
}

/// The condition, with its first parameter, that a file hangs on a record of this kind.
fn place(holder: Holder) -> (&'static str, Value) {
    match holder {
        Holder::Record(kind) => ("container_kind = ?1", i64::from(kind.code()).into()),
        Holder::Version | Holder::Other => ("container_kind IS NULL AND container_type = ?1", holder.name().into()),
    }
}

/// The uploads that have waited for a record since before this instant, oldest first, at most `limit`.
pub fn waiting(db: &Read<'_>, before: Timestamp, limit: i64) -> Result<Vec<Attachment>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM attachments WHERE container_id IS NULL AND created_on < ?1 ORDER BY created_on LIMIT ?2");
    db.rows(&sql, &[before.into(), limit.into()], attachment)
}

/// Number and total size in bytes of the uploads of this user that are not attached to a record.
pub fn unattached(db: &Read<'_>, author: UserId) -> Result<(i64, i64), StoreError> {
    let sql = "SELECT COUNT(*), COALESCE(SUM(a.filesize), 0) FROM attachments a along(attachments_waiting) \
               WHERE a.container_id IS NULL AND a.author_id = ?1";
    Ok(db.first(sql, &[author.into()], |row| Ok((row.read(0)?, row.read(1)?)))?.unwrap_or_default())
}

/// How many files have this content.
pub fn count_with(db: &Read<'_>, sha256: &str) -> Result<i64, StoreError> {
    db.number("SELECT COUNT(*) FROM attachments WHERE content_sha256 = ?1", &[sha256.into()])
}

/// A file that was sent and waits for a record.
pub struct Upload<'a> {
    /// Its name.
    pub filename: &'a str,
    /// Its media type.
    pub content_type: &'a str,
    /// Its size in bytes.
    pub filesize: i64,
    /// The SHA-256 of its content, under which that lies.
    pub sha256: &'a str,
    /// Who sent it.
    pub author: UserId,
    /// When.
    pub created_on: Timestamp,
}

/// Adds an upload.
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

/// Replaces name, description, media type and container of a file; the rest stays.
pub fn change(db: &mut Write<'_>, file: &Attachment) -> Result<(), StoreError> {
    let kind = file.container.and_then(|container| record_of(container.holder)).map(|kind| i64::from(kind.code()));
    db.execute(
        "UPDATE attachments SET filename = ?2, description = ?3, content_type = ?4, container_kind = ?5, container_id = ?6, \
         container_type = CASE WHEN ?7 = '' THEN container_type ELSE ?7 END WHERE id = ?1",
        &[
            file.id.into(),
            (&file.filename).into(),
            (&file.description).into(),
            (&file.content_type).into(),
            kind.into(),
            file.container.map(|container| container.id).into(),
            file.container.map_or("", |container| container.holder.name()).into(),
        ],
    )?;
    container_changed(db, file)
}

/// Counts a download.
pub fn count_download(db: &mut Write<'_>, id: AttachmentId) -> Result<(), StoreError> {
    db.execute("UPDATE attachments SET downloads = downloads + 1 WHERE id = ?1", &[id.into()]).map(drop)
}

/// Removes a file; its content stays where it lies, see `contents::remove_unused`.
pub fn remove(db: &mut Write<'_>, file: &Attachment) -> Result<(), StoreError> {
    db.execute("DELETE FROM attachments WHERE id = ?1", &[file.id.into()])?;
    container_changed(db, file)
}

/// The names of its files are found with the record.
fn container_changed(db: &mut Write<'_>, file: &Attachment) -> Result<(), StoreError> {
    if let Some(container) = file.container
        && let Some(kind) = record_of(container.holder)
    {
        changes::record(db, kind, container.id)?;
    }
    Ok(())
}

fn record_of(holder: Holder) -> Option<Kind> {
    match holder {
        Holder::Record(kind) => Some(kind),
        Holder::Version | Holder::Other => None,
    }
}

/// A file to be hung on a record.
pub struct NewAttachment<'a> {
    /// The content type of the record.
    pub kind: Kind,
    /// The number of the record.
    pub container: i64,
    /// Its name.
    pub filename: &'a str,
    /// What it is.
    pub description: &'a str,
    /// Its media type.
    pub content_type: &'a str,
    /// Its size in bytes.
    pub filesize: i64,
    /// Who put it there.
    pub author: UserId,
    /// When.
    pub created_on: Timestamp,
}

/// Adds a file to a record.
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
            Holder::from(file.kind).name().into(),
        ],
    )
}

/// Names and descriptions of the files of these records, one text a file, by record.
pub fn texts(db: &Read<'_>, kind: Kind, containers: &[i64]) -> Result<HashMap<i64, Vec<String>>, StoreError> {
    let sql =
        "SELECT container_id, filename, description FROM attachments WHERE container_kind = ?1 AND container_id IN ids(?2) ORDER BY id";
    let values = [i64::from(kind.code()).into(), Value::Ids(containers.to_vec())];
    let mut texts: HashMap<i64, Vec<String>> = HashMap::new();
    for (id, name, description) in db.rows(sql, &values, |row| Ok((row.read(0)?, row.read::<String>(1)?, row.read::<String>(2)?)))? {
        let text = if description.is_empty() { name } else { format!("{name} {description}") };
        texts.entry(id).or_default().push(text);
    }
    Ok(texts)
}

/// Removes the files of many records of one kind; the contents that are to be given up once this is committed.
pub fn remove_all(db: &mut Write<'_>, holder: Holder, containers: Value) -> Result<Vec<String>, StoreError> {
    let (condition, what) = place(holder);
    let fitting = format!("{condition} AND container_id IN ids(?2)");
    let values = [what, containers];
    let sql = format!("SELECT DISTINCT content_sha256 FROM attachments WHERE {fitting} AND content_sha256 IS NOT NULL");
    let contents = db.column(&sql, &values)?;
    db.execute(&format!("DELETE FROM attachments WHERE {fitting}"), &values)?;
    Ok(contents)
}

/// Removes the files of a record.
pub fn remove_of(db: &mut Write<'_>, kind: Kind, container: i64) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM attachments WHERE container_kind = ?1 AND container_id = ?2",
        &[i64::from(kind.code()).into(), container.into()],
    )?;
    Ok(())
}
