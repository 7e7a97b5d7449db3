//! Redirects from former titles of wiki pages to their current titles.

use crate::engine::{Row, StatementError};
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use quarry_domain::content::wiki::{WikiRedirect, title_key};

const COLUMNS: &str = "wiki_id, title, redirects_to_wiki_id, redirects_to, created_on";

fn from_row(row: &Row<'_>) -> Result<WikiRedirect, StatementError> {
    Ok(WikiRedirect {
        wiki: row.next()?,
        title: row.next()?,
        target_wiki: row.next()?,
        target_title: row.next()?,
        created_on: row.next()?,
    })
}

/// Returns the redirect from this title, if there is one. Titles are compared as those of pages.
pub fn find(db: &Read<'_>, wiki: i64, title: &str) -> Result<Option<WikiRedirect>, StoreError> {
    let ids = ids_by_title(db, "wiki_id", "title", wiki, title)?;
    let Some(id) = ids.last() else {
        return Ok(None);
    };
    db.first(
        &format!("SELECT {COLUMNS} FROM wiki_redirects WHERE id = ?1"),
        &[(*id).into()],
        from_row,
    )
}

/// Inserts a redirect, and replaces the one from the same title.
pub fn insert(db: &mut Write<'_>, redirect: &WikiRedirect) -> Result<(), StoreError> {
    delete(db, redirect.wiki, &redirect.title)?;
    let columns = ColumnValues::new()
        .set("wiki_id", redirect.wiki)
        .set("title", &redirect.title)
        .set("redirects_to_wiki_id", redirect.target_wiki)
        .set("redirects_to", &redirect.target_title)
        .set("created_on", redirect.created_on);
    db.insert_row("wiki_redirects", columns)
}

/// Updates the redirects to the page `old`, a wiki and a title, to point to `new`.
pub fn retarget(db: &mut Write<'_>, old: (i64, &str), new: (i64, &str)) -> Result<(), StoreError> {
    for id in ids_by_title(db, "redirects_to_wiki_id", "redirects_to", old.0, old.1)? {
        db.execute(
            "UPDATE wiki_redirects SET redirects_to_wiki_id = ?2, redirects_to = ?3 WHERE id = ?1",
            &[id.into(), new.0.into(), new.1.into()],
        )?;
    }
    Ok(())
}

/// Deletes the redirect from this title, for instance when a page gets the title.
pub fn delete(db: &mut Write<'_>, wiki: i64, title: &str) -> Result<(), StoreError> {
    let ids = ids_by_title(db, "wiki_id", "title", wiki, title)?;
    ids.into_iter().try_for_each(|id| {
        db.execute("DELETE FROM wiki_redirects WHERE id = ?1", &[id.into()])
            .map(drop)
    })
}

/// Deletes the redirects to a deleted page.
pub fn delete_to(db: &mut Write<'_>, wiki: i64, title: &str) -> Result<(), StoreError> {
    let ids = ids_by_title(db, "redirects_to_wiki_id", "redirects_to", wiki, title)?;
    ids.into_iter().try_for_each(|id| {
        db.execute("DELETE FROM wiki_redirects WHERE id = ?1", &[id.into()])
            .map(drop)
    })
}

/// Returns the ids of the redirects of a wiki with this title in a column. Compared here, because
/// SQL folds ASCII only.
fn ids_by_title(
    db: &Read<'_>,
    wiki_column: &str,
    column: &str,
    wiki: i64,
    title: &str,
) -> Result<Vec<i64>, StoreError> {
    let key = title_key(title);
    let rows: Vec<(i64, String)> = db.rows(
        &format!("SELECT id, {column} FROM wiki_redirects WHERE {wiki_column} = ?1 ORDER BY id"),
        &[wiki.into()],
        |row| Ok((row.next()?, row.next()?)),
    )?;
    Ok(rows
        .into_iter()
        .filter(|(_, title)| title_key(title) == key)
        .map(|(id, _)| id)
        .collect())
}
