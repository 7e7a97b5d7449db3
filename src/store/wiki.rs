//! Wikis, their pages and the versions of the pages.

use super::{StoreError, Write, changes};
use crate::domain::ids::{ProjectId, UserId};
use crate::domain::kind::Kind;
use jiff::Timestamp;

/// Adds a wiki to a project.
pub fn insert(db: &mut Write<'_>, project: ProjectId) -> Result<i64, StoreError> {
    db.insert("INSERT INTO wikis (project_id) VALUES (?1) RETURNING id", &[project.into()])
}

/// One version of a page.
pub struct NewVersion<'a> {
    /// Its number, from 1.
    pub version: i64,
    /// Who wrote it.
    pub author: Option<UserId>,
    /// Why, in the author's words.
    pub comments: Option<&'a str>,
    /// When it was written.
    pub updated_on: Timestamp,
    /// The whole text.
    pub text: &'a str,
}

/// A page to be added with its versions; the last one is the current one.
pub struct NewPage<'a> {
    /// The wiki.
    pub wiki: i64,
    /// The title, normalised (contract 5).
    pub title: &'a str,
    /// The page above it.
    pub parent: Option<i64>,
    /// Whether only some may change it.
    pub protected: bool,
    /// When it was made.
    pub created_on: Timestamp,
    /// Its versions, oldest first.
    pub versions: &'a [NewVersion<'a>],
}

/// Adds a page.
pub fn insert_page(db: &mut Write<'_>, page: &NewPage<'_>) -> Result<i64, StoreError> {
    let current = page.versions.last().map_or(0, |version| version.version);
    let id: i64 = db.insert(
        "INSERT INTO wiki_pages (wiki_id, title, parent_id, protected, version, created_on) VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id",
        &[page.wiki.into(), page.title.into(), page.parent.into(), page.protected.into(), current.into(), page.created_on.into()],
    )?;
    for version in page.versions {
        db.execute(
            "INSERT INTO wiki_versions (page_id, version, author_id, comments, updated_on, text) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            &[
                id.into(),
                version.version.into(),
                version.author.into(),
                version.comments.into(),
                version.updated_on.into(),
                version.text.into(),
            ],
        )?;
    }
    changes::record(db, Kind::WikiPage, id)?;
    Ok(id)
}
