//! Wikis, their pages and the versions of the pages.

use super::{attachments, wiki_redirects};
use crate::engine::{Row, StatementError, Value};
use crate::lists::polymorphic;
use crate::transaction::changes;
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use jiff::Timestamp;
use quarry_domain::content::wiki::{Wiki, WikiPage, WikiVersion, normalize_title, title_key};
use quarry_domain::ids::{ProjectId, WikiPageId};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::values::stable_sort::StableSort;

/// Returns the wiki of a project; it exists from the first page on.
pub fn find_by_project(db: &Read<'_>, project: ProjectId) -> Result<Option<Wiki>, StoreError> {
    let sql = "SELECT id, start_page FROM wikis WHERE project_id = ?1";
    db.first(sql, &[project.into()], |row| {
        Ok(Wiki {
            id: row.next()?,
            start_page: row.next()?,
        })
    })
}

/// Returns the project of a wiki.
pub fn find_project(db: &Read<'_>, wiki: i64) -> Result<Option<ProjectId>, StoreError> {
    db.first(
        "SELECT project_id FROM wikis WHERE id = ?1",
        &[wiki.into()],
        |row| row.next(),
    )
}

/// Columns and tables of a page, in the order of [`from_row`].
const COLUMNS: &str = "p.id, p.wiki_id, w.project_id, p.title, p.parent_id, a.title, p.protected, p.version, p.created_on";
const TABLES: &str =
    "wiki_pages p JOIN wikis w ON w.id = p.wiki_id LEFT JOIN wiki_pages a ON a.id = p.parent_id";

fn from_row(row: &Row<'_>) -> Result<WikiPage, StatementError> {
    Ok(WikiPage {
        id: row.next()?,
        wiki: row.next()?,
        project: row.next()?,
        title: row.next()?,
        parent: row.next()?,
        parent_title: row.next()?,
        protected: row.next()?,
        version: row.next()?,
        created_on: row.next()?,
    })
}

/// The columns that an update writes.
fn columns(page: &WikiPage) -> ColumnValues {
    ColumnValues::new()
        .set("title", &page.title)
        .set("parent_id", page.parent)
}

const VERSION_COLUMNS: &str = "version, author_id, comments, updated_on, text";

fn version_from_row(row: &Row<'_>) -> Result<WikiVersion, StatementError> {
    Ok(WikiVersion {
        version: row.next()?,
        author: row.next()?,
        comments: row.next()?,
        updated_on: row.next()?,
        text: row.next()?,
    })
}

/// Returns all pages of a wiki with the time of their current version, sorted by title without
/// regard to case.
pub fn list(db: &Read<'_>, wiki: i64) -> Result<Vec<(WikiPage, Option<Timestamp>)>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS}, v.updated_on FROM {TABLES} LEFT JOIN wiki_versions v ON v.page_id = p.id AND v.version = p.version WHERE p.wiki_id = ?1"
    );
    let mut pages = db.rows(&sql, &[wiki.into()], |row| {
        Ok((from_row(row)?, row.next()?))
    })?;
    pages.stable_sort_by_key(|(page, _)| (page.title.to_lowercase(), page.id));
    Ok(pages)
}

/// Returns the page with this title, compared without regard to case. SQLite's `lower` handles
/// ASCII only, so a non-ASCII title that does not match exactly is compared here.
pub fn find(db: &Read<'_>, wiki: i64, title: &str) -> Result<Option<WikiPage>, StoreError> {
    let title = normalize_title(title);
    let page = db.first(&find_statement(), &find_values(wiki, &title), from_row)?;
    if page.is_some() || title.is_ascii() {
        return Ok(page);
    }
    let titles = "SELECT id, title FROM wiki_pages WHERE wiki_id = ?1 ORDER BY id";
    let titles: Vec<(WikiPageId, String)> =
        db.rows(titles, &[wiki.into()], |row| Ok((row.next()?, row.next()?)))?;
    let key = title_key(&title);
    match titles
        .into_iter()
        .find(|(_, title)| title_key(title) == key)
    {
        Some((id, _)) => find_by_id(db, id),
        None => Ok(None),
    }
}

/// Prepares for [`find`] with several wikis and titles.
pub fn preload<'t>(
    db: &Read<'_>,
    pages: impl Iterator<Item = (i64, &'t str)>,
) -> Result<(), StoreError> {
    let values = pages.map(|(wiki, title)| find_values(wiki, &normalize_title(title)));
    db.preload(&find_statement(), values)
}

fn find_statement() -> String {
    format!("SELECT {COLUMNS} FROM {TABLES} WHERE p.wiki_id = ?1 AND lower(p.title) = lower(?2)")
}

fn find_values(wiki: i64, title: &str) -> Vec<Value> {
    vec![wiki.into(), title.into()]
}

/// Returns the page with this id.
pub fn find_by_id(db: &Read<'_>, id: WikiPageId) -> Result<Option<WikiPage>, StoreError> {
    db.first(
        &format!("SELECT {COLUMNS} FROM {TABLES} WHERE p.id = ?1"),
        &[id.into()],
        from_row,
    )
}

/// Returns the titles of the first child pages of a page.
pub fn list_children(
    db: &Read<'_>,
    page: WikiPageId,
    limit: i64,
) -> Result<Vec<String>, StoreError> {
    let sql =
        "SELECT title FROM wiki_pages WHERE parent_id = ?1 ORDER BY lower(title), id LIMIT ?2";
    db.rows(sql, &[page.into(), limit.into()], |row| row.next())
}

/// Returns this version of a page.
pub fn find_version(
    db: &Read<'_>,
    page: WikiPageId,
    version: i64,
) -> Result<Option<WikiVersion>, StoreError> {
    let sql =
        format!("SELECT {VERSION_COLUMNS} FROM wiki_versions WHERE page_id = ?1 AND version = ?2");
    db.first(&sql, &[page.into(), version.into()], version_from_row)
}

/// Returns a page of the versions of a page, newest first, without their texts.
pub fn list_versions(
    db: &Read<'_>,
    page: WikiPageId,
    offset: i64,
    limit: i64,
) -> Result<Vec<WikiVersion>, StoreError> {
    let columns = VERSION_COLUMNS.replace("text", "''");
    let sql = format!(
        "SELECT {columns} FROM wiki_versions WHERE page_id = ?1 ORDER BY version DESC LIMIT ?2 OFFSET ?3"
    );
    let values = [page.into(), limit.into(), offset.into()];
    db.rows(&sql, &values, version_from_row)
}

/// Returns the number of versions of a page.
pub fn count_versions(db: &Read<'_>, page: WikiPageId) -> Result<i64, StoreError> {
    db.query_i64(
        "SELECT COUNT(*) FROM wiki_versions WHERE page_id = ?1",
        &[page.into()],
    )
}

/// Returns the page and all its descendants, the page first. `UNION` ends a cycle, which no rule
/// allows.
pub fn subtree(db: &Read<'_>, root: WikiPageId) -> Result<Vec<WikiPage>, StoreError> {
    let sql = format!(
        "WITH RECURSIVE below (id) AS (SELECT id FROM wiki_pages WHERE id = ?1 \
         UNION SELECT c.id FROM below b JOIN wiki_pages c ON c.parent_id = b.id) \
         SELECT {COLUMNS} FROM {TABLES} WHERE p.id IN (SELECT id FROM below) ORDER BY p.id"
    );
    let mut pages = db.rows(&sql, &[root.into()], from_row)?;
    pages.stable_sort_by_key(|page| page.id != root);
    Ok(pages)
}

/// Inserts the wiki of a project.
pub fn insert(db: &mut Write<'_>, project: ProjectId) -> Result<i64, StoreError> {
    db.insert(
        "INSERT INTO wikis (project_id) VALUES (?1) RETURNING id",
        &[project.into()],
    )
}

/// Inserts a page with its versions, oldest first; its id is ignored, and the last version is the
/// current one. Returns the new id.
pub fn insert_page(
    db: &mut Write<'_>,
    page: &WikiPage,
    versions: &[WikiVersion],
) -> Result<WikiPageId, StoreError> {
    let current = versions.last().map_or(0, |version| version.version);
    let columns = columns(page)
        .set("wiki_id", page.wiki)
        .set("protected", page.protected)
        .set("version", current)
        .set("created_on", page.created_on);
    let id = db.insert_record("wiki_pages", columns)?;
    for version in versions {
        insert_version_row(db, id, version)?;
    }
    changes::record(db, Kind::WikiPage, id)?;
    Ok(id)
}

fn insert_version_row(
    db: &mut Write<'_>,
    page: WikiPageId,
    version: &WikiVersion,
) -> Result<(), StoreError> {
    let columns = ColumnValues::new()
        .set("page_id", page)
        .set("version", version.version)
        .set("author_id", version.author)
        .set("comments", version.comments.as_deref())
        .set("updated_on", version.updated_on)
        .set("text", &version.text);
    db.insert_row("wiki_versions", columns)
}

/// Returns the number of the next version of a page.
pub fn next_version(db: &Read<'_>, page: WikiPageId) -> Result<i64, StoreError> {
    Ok(db.query_i64(
        "SELECT COALESCE(MAX(version), 0) FROM wiki_versions WHERE page_id = ?1",
        &[page.into()],
    )? + 1)
}

/// Inserts a version of a page, and makes it the current one.
pub fn insert_version(
    db: &mut Write<'_>,
    page: WikiPageId,
    version: &WikiVersion,
) -> Result<(), StoreError> {
    insert_version_row(db, page, version)?;
    db.execute(
        "UPDATE wiki_pages SET version = ?2 WHERE id = ?1",
        &[page.into(), version.version.into()],
    )?;
    changes::record(db, Kind::WikiPage, page)?;
    Ok(())
}

/// Updates title and parent of a page.
pub fn update(db: &mut Write<'_>, page: &WikiPage) -> Result<(), StoreError> {
    db.update_record("wiki_pages", page.id, columns(page))?;
    changes::record(db, Kind::WikiPage, page.id)?;
    Ok(())
}

/// Moves a page to another wiki, with its title and parent there.
pub fn move_to_wiki(db: &mut Write<'_>, page: &WikiPage) -> Result<(), StoreError> {
    let columns = columns(page).set("wiki_id", page.wiki);
    db.update_record("wiki_pages", page.id, columns)?;
    changes::record(db, Kind::WikiPage, page.id)?;
    Ok(())
}

/// Sets whether only users who may protect pages can change a page.
pub fn set_protected(
    db: &mut Write<'_>,
    page: WikiPageId,
    protected: bool,
) -> Result<(), StoreError> {
    db.execute(
        "UPDATE wiki_pages SET protected = ?2 WHERE id = ?1",
        &[page.into(), protected.into()],
    )
    .map(drop)
}

/// Sets the title of the start page of a wiki.
pub fn set_start_page(db: &mut Write<'_>, wiki: i64, title: &str) -> Result<(), StoreError> {
    db.execute(
        "UPDATE wikis SET start_page = ?2 WHERE id = ?1",
        &[wiki.into(), title.into()],
    )?;
    Ok(())
}

/// Moves the child pages of a page to another parent, or to none.
pub fn move_children(
    db: &mut Write<'_>,
    page: WikiPageId,
    to: Option<WikiPageId>,
) -> Result<(), StoreError> {
    db.execute(
        "UPDATE wiki_pages SET parent_id = ?2 WHERE parent_id = ?1",
        &[page.into(), to.into()],
    )?;
    Ok(())
}

/// Deletes a page with its versions, attachments, watchers and redirects. Its child pages lose
/// their parent.
pub fn delete(db: &mut Write<'_>, page: &WikiPage) -> Result<(), StoreError> {
    move_children(db, page.id, None)?;
    attachments::delete_by_container(db, Kind::WikiPage, page.id.0)?;
    wiki_redirects::delete_to(db, page.wiki, &page.title)?;
    polymorphic::delete_by_owners(db, "WikiPage", &[page.id.0])?;
    db.execute(
        "DELETE FROM wiki_versions WHERE page_id = ?1",
        &[page.id.into()],
    )?;
    db.execute("DELETE FROM wiki_pages WHERE id = ?1", &[page.id.into()])?;
    changes::record(db, Kind::WikiPage, page.id)?;
    Ok(())
}
