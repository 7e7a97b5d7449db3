//! Titles that pages had once: who asks for one is sent on to the page.

use super::{Read, StoreError, Write};
use crate::domain::wiki::key;
use jiff::Timestamp;

/// Where a title leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The wiki in which the page is now.
    pub wiki: i64,
    /// The title that it has now.
    pub title: String,
}

/// Where this title leads, if it is one that a page had once. Compared as titles of pages are.
pub fn find(db: &Read<'_>, wiki: i64, title: &str) -> Result<Option<Redirect>, StoreError> {
    let found = same(db, "wiki_id", "title", wiki, title)?;
    let Some(id) = found.last() else { return Ok(None) };
    db.first("SELECT redirects_to_wiki_id, redirects_to FROM wiki_redirects WHERE id = ?1", &[(*id).into()], |row| {
        Ok(Redirect { wiki: row.read(0)?, title: row.read(1)? })
    })
}

/// Says that what was asked for as `old` is called `new` now: also for the titles that led to it before.
pub fn insert(db: &mut Write<'_>, wiki: i64, old: &str, new: &str, now: Timestamp) -> Result<(), StoreError> {
    retarget(db, wiki, old, new)?;
    insert_to(db, wiki, old, wiki, new, now)
}

/// Says that a title of a wiki leads to a page of another one, in the place of where it led before.
pub fn insert_to(db: &mut Write<'_>, wiki: i64, old: &str, to: i64, new: &str, now: Timestamp) -> Result<(), StoreError> {
    remove(db, wiki, old)?;
    let sql = "INSERT INTO wiki_redirects (wiki_id, title, redirects_to, redirects_to_wiki_id, created_on) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id";
    db.insert::<i64>(sql, &[wiki.into(), old.into(), new.into(), to.into(), now.into()]).map(drop)
}

/// The titles that led to `old` lead to `new` from now on.
pub fn retarget(db: &mut Write<'_>, wiki: i64, old: &str, new: &str) -> Result<(), StoreError> {
    for id in same(db, "redirects_to_wiki_id", "redirects_to", wiki, old)? {
        db.execute("UPDATE wiki_redirects SET redirects_to = ?2 WHERE id = ?1", &[id.into(), new.into()])?;
    }
    Ok(())
}

/// This title leads nowhere from now on: a page has it.
pub fn remove(db: &mut Write<'_>, wiki: i64, title: &str) -> Result<(), StoreError> {
    let ids = same(db, "wiki_id", "title", wiki, title)?;
    ids.into_iter().try_for_each(|id| db.execute("DELETE FROM wiki_redirects WHERE id = ?1", &[id.into()]).map(drop))
}

/// Nothing leads to this page any more: it is gone.
pub fn remove_to(db: &mut Write<'_>, wiki: i64, title: &str) -> Result<(), StoreError> {
    let ids = same(db, "redirects_to_wiki_id", "redirects_to", wiki, title)?;
    ids.into_iter().try_for_each(|id| db.execute("DELETE FROM wiki_redirects WHERE id = ?1", &[id.into()]).map(drop))
}

/// The redirects of a wiki whose column says this title. They are few, so they are compared here, where every letter is known.
fn same(db: &Read<'_>, of: &str, column: &str, wiki: i64, title: &str) -> Result<Vec<i64>, StoreError> {
    let wanted = key(title);
    let rows: Vec<(i64, String)> =
        db.rows(&format!("SELECT id, {column} FROM wiki_redirects WHERE {of} = ?1 ORDER BY id"), &[wiki.into()], |row| {
            Ok((row.read(0)?, row.read(1)?))
        })?;
    Ok(rows.into_iter().filter(|(_, other)| key(other) == wanted).map(|(id, _)| id).collect())
}
