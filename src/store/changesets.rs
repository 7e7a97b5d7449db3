//! The changesets of one repository, their parents and their files. The caller checks that the
//! viewer may see the repository.

use super::engine::{Row, StatementError, Value};
use super::page_size::page_len;
use super::{Read, StoreError, Write};
use crate::domain::ids::UserId;
use jiff::Timestamp;
use std::collections::HashMap;

/// Maximum number of parents and of files of a changeset that are returned.
pub const MAX_FILES: i64 = 1_000;

/// A changeset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changeset {
    /// Its id.
    pub id: i64,
    /// Its revision.
    pub revision: String,
    /// The committer, as in the repository.
    pub committer: String,
    /// The user who is the committer, if known.
    pub user: Option<UserId>,
    /// When it was committed.
    pub committed_on: Timestamp,
    /// Its message.
    pub comments: String,
}

/// A file that a changeset changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedPath {
    /// What was done with it: `A` added, `M` modified, `D` deleted, `R` replaced or renamed, `C`
    /// copied.
    pub action: String,
    /// Its path.
    pub path: String,
    /// The path that it was copied or renamed from.
    pub from_path: Option<String>,
}

fn from_row(row: &Row<'_>) -> Result<Changeset, StatementError> {
    Ok(Changeset {
        id: row.next()?,
        revision: row.next()?,
        committer: row.next()?,
        user: row.next()?,
        committed_on: row.next()?,
        comments: row.next()?,
    })
}

/// Returns the changeset with exactly this revision.
pub fn find(
    db: &Read<'_>,
    repository: i64,
    revision: &str,
) -> Result<Option<Changeset>, StoreError> {
    let sql = "SELECT id, revision, committer, user_id, committed_on, comments FROM changesets WHERE repository_id = ?1 AND revision = ?2";
    db.first(sql, &[repository.into(), revision.into()], from_row)
}

/// Returns a page of the changesets, newest first; fewer than `limit` when their messages exceed
/// the maximum size of a page.
pub fn list(
    db: &Read<'_>,
    repository: i64,
    offset: i64,
    limit: i64,
) -> Result<Vec<Changeset>, StoreError> {
    let sql = "SELECT id, revision, committer, user_id, committed_on, '', octet_length(comments) FROM changesets WHERE repository_id = ?1 \
               ORDER BY committed_on DESC, id DESC LIMIT ?2 OFFSET ?3";
    let values = [repository.into(), limit.into(), offset.into()];
    let mut rows = db.rows(sql, &values, |row| Ok((from_row(row)?, row.next::<i64>()?)))?;
    rows.truncate(page_len(
        rows.iter()
            .map(|(_, bytes)| usize::try_from(*bytes).unwrap_or(0)),
    ));
    let ids = Value::Ids(rows.iter().map(|(changeset, _)| changeset.id).collect());
    let texts = db.rows(
        "SELECT id, comments FROM changesets WHERE id IN ids(?1)",
        &[ids],
        |row| Ok((row.next()?, row.next()?)),
    )?;
    let mut texts: HashMap<i64, String> = texts.into_iter().collect();
    let with_text = |(changeset, _): (Changeset, i64)| Changeset {
        comments: texts.remove(&changeset.id).unwrap_or_default(),
        ..changeset
    };
    Ok(rows.into_iter().map(with_text).collect())
}

/// Returns the number of changesets.
pub fn count(db: &Read<'_>, repository: i64) -> Result<i64, StoreError> {
    db.query_i64(
        "SELECT COUNT(*) FROM changesets WHERE repository_id = ?1",
        &[repository.into()],
    )
}

/// Returns the revisions of the parents of a changeset, at most [`MAX_FILES`].
pub fn parents(db: &Read<'_>, changeset: i64) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT c.revision FROM changeset_parents p JOIN changesets c ON c.id = p.parent_id WHERE p.changeset_id = ?1 \
               ORDER BY c.id LIMIT ?2";
    db.column(sql, &[changeset.into(), MAX_FILES.into()])
}

/// Returns the files that a changeset changes by path, at most [`MAX_FILES`].
pub fn files(db: &Read<'_>, changeset: i64) -> Result<Vec<ChangedPath>, StoreError> {
    let sql = "SELECT action, path, from_path FROM changed_paths WHERE changeset_id = ?1 ORDER BY path, id LIMIT ?2";
    db.rows(sql, &[changeset.into(), MAX_FILES.into()], |row| {
        Ok(ChangedPath {
            action: row.next()?,
            path: row.next()?,
            from_path: row.next()?,
        })
    })
}

/// Inserts a parent of a changeset.
pub fn insert_parent(db: &mut Write<'_>, changeset: i64, parent: i64) -> Result<(), StoreError> {
    let sql = "INSERT INTO changeset_parents (changeset_id, parent_id) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
    db.execute(sql, &[changeset.into(), parent.into()])
        .map(drop)
}

/// Inserts a file that a changeset changes.
pub fn insert_file(
    db: &mut Write<'_>,
    changeset: i64,
    file: &ChangedPath,
) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO changed_paths (changeset_id, action, path, from_path) VALUES (?1, ?2, ?3, ?4)";
    db.execute(
        sql,
        &[
            changeset.into(),
            (&file.action).into(),
            (&file.path).into(),
            file.from_path.as_deref().into(),
        ],
    )
    .map(drop)
}

/// Returns the user who is this committer in earlier changesets of the repository.
pub fn user_of_committer(
    db: &Read<'_>,
    repository: i64,
    committer: &str,
) -> Result<Option<UserId>, StoreError> {
    let sql = "SELECT user_id FROM changesets WHERE repository_id = ?1 AND committer = ?2 AND user_id IS NOT NULL ORDER BY id DESC LIMIT 1";
    db.first(sql, &[repository.into(), committer.into()], |row| {
        row.next()
    })
}
