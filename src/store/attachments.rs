//! Files that hang on a record: their names and descriptions. What they contain is not searched (spec).

use super::{Read, StoreError, Write, changes};
use crate::domain::ids::UserId;
use crate::domain::kind::Kind;
use jiff::Timestamp;
use std::collections::HashMap;

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
        "INSERT INTO attachments (container_kind, container_id, filename, description, content_type, filesize, author_id, created_on) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING id",
        &[
            i64::from(file.kind.code()).into(),
            file.container.into(),
            file.filename.into(),
            file.description.into(),
            file.content_type.into(),
            file.filesize.into(),
            file.author.into(),
            file.created_on.into(),
        ],
    )
}

/// Names and descriptions of the files of these records, one text a file, by record.
pub fn texts(db: &Read<'_>, kind: Kind, containers: &[i64]) -> Result<HashMap<i64, Vec<String>>, StoreError> {
    let sql =
        "SELECT container_id, filename, description FROM attachments WHERE container_kind = ?1 AND container_id IN ids(?2) ORDER BY id";
    let values = [i64::from(kind.code()).into(), super::engine::Value::Ids(containers.to_vec())];
    let mut texts: HashMap<i64, Vec<String>> = HashMap::new();
    for (id, name, description) in db.rows(sql, &values, |row| Ok((row.read(0)?, row.read::<String>(1)?, row.read::<String>(2)?)))? {
        let text = if description.is_empty() { name } else { format!("{name} {description}") };
        texts.entry(id).or_default().push(text);
    }
    Ok(texts)
}

/// Removes the files of a record.
pub fn remove_of(db: &mut Write<'_>, kind: Kind, container: i64) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM attachments WHERE container_kind = ?1 AND container_id = ?2",
        &[i64::from(kind.code()).into(), container.into()],
    )?;
    Ok(())
}
