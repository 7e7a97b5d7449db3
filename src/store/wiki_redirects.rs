//! Redirects from former titles of wiki pages to their current titles.

use super::{Read, StoreError, Write};
use crate::domain::wiki::title_key;
use jiff::Timestamp;

/// The target of a redirect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The wiki of the page.
    pub wiki: i64,
    /// The current title.
    pub title: String,
}

/// Returns the redirect from this title, if there is one. Titles are compared as those of pages.
pub fn find(db: &Read<'_>, wiki: i64, title: &str) -> Result<Option<Redirect>, StoreError> {
    let ids = ids_by_title(db, "wiki_id", "title", wiki, title)?;
    let Some(id) = ids.last() else {
        return Ok(None);
    };
    db.first(
        "SELECT redirects_to_wiki_id, redirects_to FROM wiki_redirects WHERE id = ?1",
        &[(*id).into()],
        |row| {
            Ok(Redirect {
                wiki: row.next()?,
                title: row.next()?,
            })
        },
    )
}

/// Inserts a redirect after a rename from `old` to `new`, and updates the redirects to `old`.
pub fn insert(
    db: &mut Write<'_>,
    wiki: i64,
    old: &str,
    new: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    retarget(db, wiki, old, new)?;
    insert_to(db, wiki, old, wiki, new, now)
}

/// Inserts a redirect from a title to a page, possibly of another wiki, and replaces the redirect
/// from that title.
pub fn insert_to(
    db: &mut Write<'_>,
    wiki: i64,
    old: &str,
    to: i64,
    new: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    delete(db, wiki, old)?;
    let sql = "INSERT INTO wiki_redirects (wiki_id, title, redirects_to, redirects_to_wiki_id, created_on) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id";
    db.insert::<i64>(
        sql,
        &[wiki.into(), old.into(), new.into(), to.into(), now.into()],
    )
    .map(drop)
}

/// Updates the redirects to `old` to point to `new`.
pub fn retarget(db: &mut Write<'_>, wiki: i64, old: &str, new: &str) -> Result<(), StoreError> {
    for id in ids_by_title(db, "redirects_to_wiki_id", "redirects_to", wiki, old)? {
        db.execute(
            "UPDATE wiki_redirects SET redirects_to = ?2 WHERE id = ?1",
            &[id.into(), new.into()],
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
