//! Repositories and their changesets.

use super::engine::{Row, StatementError};
use super::sql::Sql;
use super::visibility::{in_project, push_visible};
use super::{Read, StoreError, Value, Write, attachments, changes, polymorphic};
use crate::domain::attachment::ContainerType;
use crate::domain::ids::{IssueId, ProjectId, UserId};
use crate::domain::kind::Kind;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use jiff::Timestamp;

/// Inserts a repository. `scm` is its type, such as `Git`.
pub fn insert(
    db: &mut Write<'_>,
    project: ProjectId,
    identifier: &str,
    scm: &str,
    is_default: bool,
) -> Result<i64, StoreError> {
    db.insert(
        "INSERT INTO repositories (project_id, identifier, type, is_default) VALUES (?1, ?2, ?3, ?4) RETURNING id",
        &[project.into(), identifier.into(), scm.into(), is_default.into()],
    )
}

/// A repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// Its id.
    pub id: i64,
    /// Its project.
    pub project: ProjectId,
    /// Its identifier; empty for a main repository without one.
    pub identifier: String,
    /// Its type as stored, such as `Git` or `Repository::Git`.
    pub scm: String,
    /// Whether it is the main repository of the project.
    pub is_default: bool,
    /// Where it is.
    pub url: String,
    /// When it was added, if known.
    pub created_on: Option<Timestamp>,
}

const COLUMNS: &str = "id, project_id, identifier, type, is_default, url, created_on";

fn repository(row: &Row<'_>) -> Result<Repository, StatementError> {
    Ok(Repository {
        id: row.next()?,
        project: row.next()?,
        identifier: row.next()?,
        scm: row.next()?,
        is_default: row.next()?,
        url: row.next()?,
        created_on: row.next()?,
    })
}

/// Maximum number of repositories of a project that are listed.
pub const MAX_REPOSITORIES: i64 = 1_000;

/// Returns the repositories of a project, the main one first, at most [`MAX_REPOSITORIES`].
pub fn list(db: &Read<'_>, project: ProjectId) -> Result<Vec<Repository>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM repositories WHERE project_id = ?1 ORDER BY is_default DESC, identifier, id LIMIT ?2"
    );
    db.rows(&sql, &[project.into(), MAX_REPOSITORIES.into()], repository)
}

/// Returns the repository with this id; its project decides who may see it.
pub fn find_by_id(db: &Read<'_>, id: i64) -> Result<Option<Repository>, StoreError> {
    db.first(
        &format!("SELECT {COLUMNS} FROM repositories WHERE id = ?1"),
        &[id.into()],
        repository,
    )
}

/// Returns the repository of a project with this identifier, or else with this id.
pub fn find(
    db: &Read<'_>,
    project: ProjectId,
    reference: &str,
) -> Result<Option<Repository>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM repositories WHERE project_id = ?1 AND (identifier = ?2 AND ?2 <> '' OR id = ?3) \
         ORDER BY CASE WHEN id = ?3 THEN 1 ELSE 0 END LIMIT 1"
    );
    let id = reference.parse::<i64>().unwrap_or(0);
    db.first(
        &sql,
        &[project.into(), reference.into(), id.into()],
        repository,
    )
}

/// Updates identifier, address, time and rank of a repository. A new main repository replaces the
/// former one.
pub fn update(db: &mut Write<'_>, repository: &Repository) -> Result<(), StoreError> {
    if repository.is_default {
        db.execute(
            "UPDATE repositories SET is_default = 0 WHERE project_id = ?1",
            &[repository.project.into()],
        )?;
    }
    db.execute(
        "UPDATE repositories SET url = ?2, created_on = ?3, is_default = ?4, identifier = ?5 WHERE id = ?1",
        &[
            repository.id.into(),
            (&repository.url).into(),
            repository.created_on.into(),
            repository.is_default.into(),
            (&repository.identifier).into(),
        ],
    )?;
    Ok(())
}

/// Deletes a repository with its changesets.
pub fn delete(db: &mut Write<'_>, id: i64) -> Result<(), StoreError> {
    let changesets: Vec<i64> = db.column(
        "SELECT id FROM changesets WHERE repository_id = ?1",
        &[id.into()],
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
    db.execute("DELETE FROM repositories WHERE id = ?1", &[id.into()])?;
    changes::record_all(db, Kind::Changeset, changesets)
}

/// A changeset to insert.
pub struct NewChangeset<'a> {
    /// Its repository.
    pub repository: i64,
    /// Its revision.
    pub revision: &'a str,
    /// The committer, as in the repository.
    pub committer: &'a str,
    /// The user who is the committer, if known.
    pub user: Option<UserId>,
    /// When it was committed.
    pub committed_on: Timestamp,
    /// Its message.
    pub comments: &'a str,
}

/// Inserts a changeset.
pub fn insert_changeset(
    db: &mut Write<'_>,
    changeset: &NewChangeset<'_>,
) -> Result<i64, StoreError> {
    let id: i64 = db.insert(
        "INSERT INTO changesets (repository_id, revision, committer, user_id, committed_on, comments) VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id",
        &[
            changeset.repository.into(),
            changeset.revision.into(),
            changeset.committer.into(),
            changeset.user.into(),
            changeset.committed_on.into(),
            changeset.comments.into(),
        ],
    )?;
    changes::record(db, Kind::Changeset, id)?;
    Ok(id)
}

/// A stored changeset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changeset {
    /// Its revision.
    pub revision: String,
    /// The user who committed it, if known.
    pub user: Option<UserId>,
    /// Its message.
    pub comments: String,
    /// When it was committed.
    pub committed_on: Timestamp,
}

/// Returns the changesets of the issue that the viewer may see, in the order of their commit times.
pub fn list_changesets(
    db: &Read<'_>,
    viewer: &Viewer,
    issue: IssueId,
) -> Result<Vec<Changeset>, StoreError> {
    let mut sql = Sql::new(
        "SELECT c.revision, c.user_id, c.comments, c.committed_on FROM changesets_issues l JOIN changesets c ON c.id = l.changeset_id \
         JOIN repositories r ON r.id = c.repository_id WHERE l.issue_id = ",
    );
    sql.bind(issue).push(" AND ");
    push_visible(
        &mut sql,
        visibility::of_kind(viewer, Kind::Changeset),
        in_project("r.project_id"),
    );
    sql.push(" ORDER BY c.committed_on, c.id");
    db.rows(sql.text(), sql.values(), |row| {
        Ok(Changeset {
            revision: row.next()?,
            user: row.next()?,
            comments: row.next()?,
            committed_on: row.next()?,
        })
    })
}

/// A changeset with its repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangesetInRepository {
    /// Its id.
    pub id: i64,
    /// The project of its repository.
    pub project: ProjectId,
    /// The identifier of its repository; empty for the main repository.
    pub repository: String,
    /// Its revision.
    pub revision: String,
    /// The committer, as in the repository.
    pub committer: String,
    /// The user who committed it, if known.
    pub user: Option<UserId>,
    /// Its message.
    pub comments: String,
    /// When it was committed.
    pub committed_on: Timestamp,
}

/// Minimum length of an abbreviated revision.
const MIN_ABBREVIATION: usize = 7;

/// Returns the changeset of a project with this revision, or whose revision starts with it, if the
/// viewer may see it. `repository` is the identifier or id of its repository; `None` for any, the
/// main one first.
pub fn find_changeset(
    db: &Read<'_>,
    viewer: &Viewer,
    project: ProjectId,
    repository: Option<&str>,
    revision: &str,
) -> Result<Option<ChangesetInRepository>, StoreError> {
    let mut sql = Sql::new(
        "SELECT c.id, r.project_id, r.identifier, c.revision, c.committer, c.user_id, c.comments, c.committed_on \
         FROM repositories r JOIN changesets c ON c.repository_id = r.id WHERE r.project_id = ",
    );
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
    db.first(sql.text(), sql.values(), changeset_in_repository)
}

fn changeset_in_repository(row: &Row<'_>) -> Result<ChangesetInRepository, StatementError> {
    Ok(ChangesetInRepository {
        id: row.next()?,
        project: row.next()?,
        repository: row.next()?,
        revision: row.next()?,
        committer: row.next()?,
        user: row.next()?,
        comments: row.next()?,
        committed_on: row.next()?,
    })
}

/// Returns a page of the changesets of a project that the viewer may see, newest first; of their
/// messages only the first 1,000 characters.
pub fn list_by_project(
    db: &Read<'_>,
    viewer: &Viewer,
    project: ProjectId,
    offset: i64,
    limit: i64,
) -> Result<Vec<ChangesetInRepository>, StoreError> {
    let mut sql = Sql::new(
        "SELECT c.id, r.project_id, r.identifier, c.revision, c.committer, c.user_id, substr(c.comments, 1, 1000), c.committed_on \
         FROM repositories r JOIN changesets c ON c.repository_id = r.id WHERE r.project_id = ",
    );
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
    db.rows(sql.text(), sql.values(), changeset_in_repository)
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
pub fn issues_of_changeset(db: &Read<'_>, changeset: i64) -> Result<Vec<i64>, StoreError> {
    let sql = "SELECT issue_id FROM changesets_issues WHERE changeset_id = ?1 ORDER BY issue_id LIMIT 1000";
    db.rows(sql, &[changeset.into()], |row| row.next())
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
