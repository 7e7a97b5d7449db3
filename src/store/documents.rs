//! Documents.

use super::{StoreError, Write, changes};
use crate::domain::ids::{EnumerationId, ProjectId};
use crate::domain::kind::Kind;
use jiff::Timestamp;

/// A document to be added.
pub struct NewDocument<'a> {
    /// Where it belongs.
    pub project: ProjectId,
    /// Its category.
    pub category: EnumerationId,
    /// Its title.
    pub title: &'a str,
    /// What it says.
    pub description: &'a str,
    /// When it was made.
    pub created_on: Timestamp,
}

/// Adds a document.
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
