//! Wikis, their pages and the versions of the pages.

use super::engine::{Row, StatementError, Value};
use super::{Read, StoreError, Write, attachments, changes, watchers, wiki_redirects};
use crate::domain::ids::{ProjectId, UserId, WikiPageId};
use crate::domain::kind::Kind;
use crate::domain::wiki::{WikiPage, WikiVersion, key, normalised};
use jiff::Timestamp;

/// A wiki.
#[derive(Clone, Debug)]
pub struct Wiki {
    /// Its number.
    pub id: i64,
    /// The title of the page with which it begins.
    pub start_page: String,
}

/// The wiki of a project; a project has one from its first page on.
pub fn of_project(db: &Read<'_>, project: ProjectId) -> Result<Option<Wiki>, StoreError> {
    let sql = "SELECT id, start_page FROM wikis WHERE project_id = ?1";
    db.first(sql, &[project.into()], |row| Ok(Wiki { id: row.read(0)?, start_page: row.read(1)? }))
}

/// What a page is read from; the columns are in the order of [`page`].
const COLUMNS: &str = "p.id, p.wiki_id, w.project_id, p.title, p.parent_id, a.title, p.protected, p.version, p.created_on";
const TABLES: &str = "wiki_pages p JOIN wikis w ON w.id = p.wiki_id LEFT JOIN wiki_pages a ON a.id = p.parent_id";

fn page(row: &Row<'_>) -> Result<WikiPage, StatementError> {
    Ok(WikiPage {
        id: row.read(0)?,
        wiki: row.read(1)?,
        project: row.read(2)?,
        title: row.read(3)?,
        parent: row.read(4)?,
        parent_title: row.read(5)?,
        protected: row.read(6)?,
        version: row.read(7)?,
        created_on: row.read(8)?,
    })
}

/// All pages of a wiki, each with the instant of its current version, in the order of the alphabet without regard to case.
pub fn list(db: &Read<'_>, wiki: i64) -> Result<Vec<(WikiPage, Option<Timestamp>)>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS}, v.updated_on FROM {TABLES} LEFT JOIN wiki_versions v ON v.page_id = p.id AND v.version = p.version WHERE p.wiki_id = ?1"
    );
    let mut pages = db.rows(&sql, &[wiki.into()], |row| Ok((page(row)?, row.read(9)?)))?;
    pages.sort_by_cached_key(|(page, _)| (page.title.to_lowercase(), page.id));
    Ok(pages)
}

/// The page with this title, however it is written, without regard to case. SQLite's `lower` knows ASCII alone, PostgreSQL's
/// every letter; so a title with other letters is compared here when the index does not know it as it is.
pub fn find(db: &Read<'_>, wiki: i64, title: &str) -> Result<Option<WikiPage>, StoreError> {
    let title = normalised(title);
    let sql = format!("SELECT {COLUMNS} FROM {TABLES} WHERE p.wiki_id = ?1 AND lower(p.title) = lower(?2)");
    let found = db.first(&sql, &[wiki.into(), (&title).into()], page)?;
    if found.is_some() || title.is_ascii() {
        return Ok(found);
    }
    let titles = "SELECT id, title FROM wiki_pages WHERE wiki_id = ?1 ORDER BY id";
    let titles: Vec<(WikiPageId, String)> = db.rows(titles, &[wiki.into()], |row| Ok((row.read(0)?, row.read(1)?)))?;
    let wanted = key(&title);
    match titles.into_iter().find(|(_, other)| key(other) == wanted) {
        Some((id, _)) => find_by_id(db, id),
        None => Ok(None),
    }
}

/// The page with this number.
pub fn find_by_id(db: &Read<'_>, id: WikiPageId) -> Result<Option<WikiPage>, StoreError> {
    db.first(&format!("SELECT {COLUMNS} FROM {TABLES} WHERE p.id = ?1"), &[id.into()], page)
}

/// The version of a page with this number.
pub fn find_version(db: &Read<'_>, page: WikiPageId, version: i64) -> Result<Option<WikiVersion>, StoreError> {
    let sql = "SELECT version, author_id, comments, updated_on, text FROM wiki_versions WHERE page_id = ?1 AND version = ?2";
    db.first(sql, &[page.into(), version.into()], |row| {
        Ok(WikiVersion {
            version: row.read(0)?,
            author: row.read(1)?,
            comments: row.read(2)?,
            updated_on: row.read(3)?,
            text: row.read(4)?,
        })
    })
}

/// The page and everything below it, the page first. A circle, which no rule permits, ends where it began.
pub fn subtree(db: &Read<'_>, root: WikiPageId) -> Result<Vec<WikiPage>, StoreError> {
    let sql = format!(
        "WITH RECURSIVE below (id) AS (SELECT id FROM wiki_pages WHERE id = ?1 \
         UNION SELECT c.id FROM below b JOIN wiki_pages c ON c.parent_id = b.id) \
         SELECT {COLUMNS} FROM {TABLES} WHERE p.id IN (SELECT id FROM below) ORDER BY p.id"
    );
    let mut pages = db.rows(&sql, &[root.into()], page)?;
    pages.sort_by_key(|page| page.id != root);
    Ok(pages)
}

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
        put_version(db, id, version)?;
    }
    changes::record(db, Kind::WikiPage, id)?;
    Ok(id)
}

fn put_version(db: &mut Write<'_>, page: i64, version: &NewVersion<'_>) -> Result<(), StoreError> {
    db.execute(
        "INSERT INTO wiki_versions (page_id, version, author_id, comments, updated_on, text) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        &[
            page.into(),
            version.version.into(),
            version.author.into(),
            version.comments.into(),
            version.updated_on.into(),
            version.text.into(),
        ],
    )?;
    Ok(())
}

/// The number that the next version of a page gets.
pub fn next_version(db: &Read<'_>, page: WikiPageId) -> Result<i64, StoreError> {
    Ok(db.number("SELECT COALESCE(MAX(version), 0) FROM wiki_versions WHERE page_id = ?1", &[page.into()])? + 1)
}

/// Adds a version to a page, which is the current one from now on.
pub fn insert_version(db: &mut Write<'_>, page: WikiPageId, version: &NewVersion<'_>) -> Result<(), StoreError> {
    put_version(db, page.0, version)?;
    db.execute("UPDATE wiki_pages SET version = ?2 WHERE id = ?1", &[page.into(), version.version.into()])?;
    changes::record(db, Kind::WikiPage, page)?;
    Ok(())
}

/// Replaces the title of a page, and the page above it.
pub fn change(db: &mut Write<'_>, page: &WikiPage) -> Result<(), StoreError> {
    let values: [Value; 3] = [page.id.into(), (&page.title).into(), page.parent.into()];
    db.execute("UPDATE wiki_pages SET title = ?2, parent_id = ?3 WHERE id = ?1", &values)?;
    changes::record(db, Kind::WikiPage, page.id)?;
    Ok(())
}

/// Says with which page a wiki begins.
pub fn change_start_page(db: &mut Write<'_>, wiki: i64, title: &str) -> Result<(), StoreError> {
    db.execute("UPDATE wikis SET start_page = ?2 WHERE id = ?1", &[wiki.into(), title.into()])?;
    Ok(())
}

/// Hangs the pages below a page on another one, or on none.
pub fn move_children(db: &mut Write<'_>, page: WikiPageId, to: Option<WikiPageId>) -> Result<(), StoreError> {
    db.execute("UPDATE wiki_pages SET parent_id = ?2 WHERE parent_id = ?1", &[page.into(), to.into()])?;
    Ok(())
}

/// Removes a page with all its versions, its files and watchers, and the titles that led to it. What was below it stands alone
/// then.
pub fn remove(db: &mut Write<'_>, page: &WikiPage) -> Result<(), StoreError> {
    move_children(db, page.id, None)?;
    attachments::remove_of(db, Kind::WikiPage, page.id.0)?;
    wiki_redirects::remove_to(db, page.wiki, &page.title)?;
    watchers::remove_of_wiki_page(db, page.id)?;
    db.execute("DELETE FROM wiki_versions WHERE page_id = ?1", &[page.id.into()])?;
    db.execute("DELETE FROM wiki_pages WHERE id = ?1", &[page.id.into()])?;
    changes::record(db, Kind::WikiPage, page.id)?;
    Ok(())
}
