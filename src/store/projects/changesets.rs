//! Changesets, their parents and their files. For those of one repository, the caller checks that
//! the viewer may see it.

use crate::content::attachments;
use crate::engine::{Row, StatementError, Value};
use crate::lists::page_size::page_len;
use crate::lists::polymorphic;
use crate::lists::visibility::{in_project, push_visible};
use crate::transaction::changes;
use crate::transaction::column_values::ColumnValues;
use crate::transaction::sql::Sql;
use crate::{Read, StoreError, Write};
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility;
use quarry_domain::content::attachment::ContainerType;
use quarry_domain::ids::{IssueId, ProjectId, UserId};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::projects::changeset::{ChangedPath, Changeset};
use std::collections::HashMap;

/// Maximum number of parents and of files of a changeset that are returned.
pub const MAX_FILES: i64 = 1_000;

/// Minimum length of an abbreviated revision.
const MIN_ABBREVIATION: usize = 7;

const COLUMNS: &str =
    "c.id, c.repository_id, c.revision, c.committer, c.user_id, c.committed_on, c.comments";

fn from_row(row: &Row<'_>) -> Result<Changeset, StatementError> {
    Ok(Changeset {
        id: row.next()?,
        repository: row.next()?,
        revision: row.next()?,
        committer: row.next()?,
        user: row.next()?,
        committed_on: row.next()?,
        comments: row.next()?,
    })
}

/// Inserts a changeset; its id is ignored. Returns the new id.
pub fn insert(db: &mut Write<'_>, changeset: &Changeset) -> Result<i64, StoreError> {
    let columns = ColumnValues::new()
        .set("repository_id", changeset.repository)
        .set("revision", &changeset.revision)
        .set("committer", &changeset.committer)
        .set("user_id", changeset.user)
        .set("committed_on", changeset.committed_on)
        .set("comments", &changeset.comments);
    let id = db.insert_record("changesets", columns)?;
    changes::record(db, Kind::Changeset, id)?;
    Ok(id)
}

/// Returns the changeset with exactly this revision.
pub fn find(
    db: &Read<'_>,
    repository: i64,
    revision: &str,
) -> Result<Option<Changeset>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM changesets c WHERE c.repository_id = ?1 AND c.revision = ?2"
    );
    db.first(&sql, &[repository.into(), revision.into()], from_row)
}

/// Returns a page of the changesets, newest first; fewer than `limit` when their messages exceed
/// the maximum size of a page.
pub fn list(
    db: &Read<'_>,
    repository: i64,
    offset: i64,
    limit: i64,
) -> Result<Vec<Changeset>, StoreError> {
    let columns = COLUMNS.replace("c.comments", "''");
    let sql = format!(
        "SELECT {columns}, octet_length(c.comments) FROM changesets c WHERE c.repository_id = ?1 \
         ORDER BY c.committed_on DESC, c.id DESC LIMIT ?2 OFFSET ?3"
    );
    let values = [repository.into(), limit.into(), offset.into()];
    let mut rows = db.rows(&sql, &values, |row| {
        Ok((from_row(row)?, row.next::<i64>()?))
    })?;
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
    let changesets = rows.into_iter().map(|(changeset, _)| Changeset {
        comments: texts.remove(&changeset.id).unwrap_or_default(),
        ..changeset
    });
    Ok(changesets.collect())
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
    let columns = ColumnValues::new()
        .set("changeset_id", changeset)
        .set("action", &file.action)
        .set("path", &file.path)
        .set("from_path", file.from_path.as_deref());
    db.insert_row("changed_paths", columns)
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

/// Returns the changesets of the issue that the viewer may see, in the order of their commit times.
pub fn list_by_issue(
    db: &Read<'_>,
    viewer: &Viewer,
    issue: IssueId,
) -> Result<Vec<Changeset>, StoreError> {
    let mut sql = Sql::new(&format!(
        "SELECT {COLUMNS} FROM changesets_issues l JOIN changesets c ON c.id = l.changeset_id \
         JOIN repositories r ON r.id = c.repository_id WHERE l.issue_id = "
    ));
    sql.bind(issue).push(" AND ");
    push_visible(
        &mut sql,
        visibility::of_kind(viewer, Kind::Changeset),
        in_project("r.project_id"),
    );
    sql.push(" ORDER BY c.committed_on, c.id");
    db.rows(sql.text(), sql.values(), from_row)
}

/// Returns the changeset of a project with this revision, or whose revision starts with it, if the
/// viewer may see it. `repository` is the identifier or id of its repository; `None` for any, the
/// main one first.
pub fn find_in_project(
    db: &Read<'_>,
    viewer: &Viewer,
    project: ProjectId,
    repository: Option<&str>,
    revision: &str,
) -> Result<Option<Changeset>, StoreError> {
    let mut sql = Sql::new(&format!(
        "SELECT {COLUMNS} FROM repositories r JOIN changesets c ON c.repository_id = r.id WHERE r.project_id = "
    ));
    sql.bind(project).push(" AND (c.revision = ").bind(revision);
    let is_abbreviation =
        revision.len() >= MIN_ABBREVIATION && revision.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_abbreviation {
        // A range uses the index of revisions; after `f` no digit follows.
        sql.push(" OR (c.revision > ")
            .bind(revision)
            .push(" AND c.revision < ")
            .bind(format!("{revision}g"))
            .push(")");
    }
    sql.push(") AND ");
    if let Some(repository) = repository {
        sql.push("(r.identifier = ")
            .bind(repository)
            .push(" OR r.id = ");
        sql.bind(repository.parse::<i64>().unwrap_or(0))
            .push(") AND ");
    }
    push_visible(
        &mut sql,
        visibility::of_kind(viewer, Kind::Changeset),
        in_project("r.project_id"),
    );
    sql.push(" ORDER BY CASE WHEN c.revision = ")
        .bind(revision)
        .push(" THEN 0 ELSE 1 END, r.is_default DESC, r.id, c.id LIMIT 1");
    db.first(sql.text(), sql.values(), from_row)
}

/// Returns a page of the changesets of a project that the viewer may see, newest first, each with
/// the identifier of its repository; of their messages only the first 1,000 characters.
pub fn list_by_project(
    db: &Read<'_>,
    viewer: &Viewer,
    project: ProjectId,
    offset: i64,
    limit: i64,
) -> Result<Vec<(Changeset, String)>, StoreError> {
    let columns = COLUMNS.replace("c.comments", "substr(c.comments, 1, 1000)");
    let mut sql = Sql::new(&format!(
        "SELECT {columns}, r.identifier FROM repositories r JOIN changesets c ON c.repository_id = r.id WHERE r.project_id = "
    ));
    sql.bind(project).push(" AND ");
    push_visible(
        &mut sql,
        visibility::of_kind(viewer, Kind::Changeset),
        in_project("r.project_id"),
    );
    sql.push(" ORDER BY c.committed_on DESC, c.id DESC LIMIT ")
        .bind(limit)
        .push(" OFFSET ")
        .bind(offset);
    db.rows(sql.text(), sql.values(), |row| {
        Ok((from_row(row)?, row.next()?))
    })
}

/// Returns the number of changesets of a project that the viewer may see.
pub fn count_by_project(
    db: &Read<'_>,
    viewer: &Viewer,
    project: ProjectId,
) -> Result<i64, StoreError> {
    let mut sql = Sql::new(
        "SELECT COUNT(*) FROM repositories r JOIN changesets c ON c.repository_id = r.id WHERE r.project_id = ",
    );
    sql.bind(project).push(" AND ");
    push_visible(
        &mut sql,
        visibility::of_kind(viewer, Kind::Changeset),
        in_project("r.project_id"),
    );
    db.query_i64(sql.text(), sql.values())
}

/// Returns the ids of the issues that a changeset refers to, visible or not, at most 1,000.
pub fn issues(db: &Read<'_>, changeset: i64) -> Result<Vec<i64>, StoreError> {
    let sql = "SELECT issue_id FROM changesets_issues WHERE changeset_id = ?1 ORDER BY issue_id LIMIT 1000";
    db.column(sql, &[changeset.into()])
}

/// Links a changeset to an issue.
pub fn link_issue(db: &mut Write<'_>, changeset: i64, issue: IssueId) -> Result<(), StoreError> {
    let sql = "INSERT INTO changesets_issues (changeset_id, issue_id) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
    db.execute(sql, &[changeset.into(), issue.into()])?;
    Ok(())
}

/// Whether a changeset is linked to an issue.
pub fn is_linked(db: &Read<'_>, changeset: i64, issue: IssueId) -> Result<bool, StoreError> {
    let sql = "SELECT COUNT(*) FROM changesets_issues WHERE changeset_id = ?1 AND issue_id = ?2";
    Ok(db.query_i64(sql, &[changeset.into(), issue.into()])? > 0)
}

/// Deletes the link of a changeset to an issue.
pub fn unlink_issue(db: &mut Write<'_>, changeset: i64, issue: IssueId) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM changesets_issues WHERE changeset_id = ?1 AND issue_id = ?2",
        &[changeset.into(), issue.into()],
    )?;
    Ok(())
}

/// Deletes the links of an issue to all changesets.
pub fn unlink_all(db: &mut Write<'_>, issue: IssueId) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM changesets_issues WHERE issue_id = ?1",
        &[issue.into()],
    )?;
    Ok(())
}

/// Deletes the changesets of a repository.
pub(crate) fn delete_by_repository(db: &mut Write<'_>, repository: i64) -> Result<(), StoreError> {
    let changesets: Vec<i64> = db.column(
        "SELECT id FROM changesets WHERE repository_id = ?1",
        &[repository.into()],
    )?;
    let ids = Value::Ids(changesets.clone());
    attachments::delete_by_containers(db, ContainerType::Record(Kind::Changeset), ids.clone())?;
    polymorphic::delete_by_owners(db, "Changeset", &changesets)?;
    for sql in [
        "DELETE FROM changed_paths WHERE changeset_id IN ids(?1)",
        "DELETE FROM changeset_parents WHERE changeset_id IN ids(?1)",
        "DELETE FROM changeset_parents WHERE parent_id IN ids(?1)",
        "DELETE FROM changesets_issues WHERE changeset_id IN ids(?1)",
        "DELETE FROM changesets WHERE id IN ids(?1)",
    ] {
        db.execute(sql, std::slice::from_ref(&ids))?;
    }
    changes::record_all(db, Kind::Changeset, changesets)
}
