//! Repositories and their changesets.

use super::sql::Sql;
use super::visibility::{condition, in_project};
use super::{Read, StoreError, Write, changes};
use crate::domain::ids::{IssueId, ProjectId, UserId};
use crate::domain::kind::Kind;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use jiff::Timestamp;

/// Adds a repository. `scm` is the name of its kind, such as `Git`.
pub fn insert(db: &mut Write<'_>, project: ProjectId, identifier: &str, scm: &str, is_default: bool) -> Result<i64, StoreError> {
    db.insert(
        "INSERT INTO repositories (project_id, identifier, type, is_default) VALUES (?1, ?2, ?3, ?4) RETURNING id",
        &[project.into(), identifier.into(), scm.into(), is_default.into()],
    )
}

/// A changeset to be added.
pub struct NewChangeset<'a> {
    /// Its repository.
    pub repository: i64,
    /// Its name there.
    pub revision: &'a str,
    /// Who committed it, as the repository says.
    pub committer: &'a str,
    /// Who that is here.
    pub user: Option<UserId>,
    /// When it was committed.
    pub committed_on: Timestamp,
    /// Its message.
    pub comments: &'a str,
}

/// Adds a changeset.
pub fn insert_changeset(db: &mut Write<'_>, changeset: &NewChangeset<'_>) -> Result<i64, StoreError> {
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

/// A changeset as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changeset {
    /// Its name in the repository.
    pub revision: String,
    /// Who committed it, if that is known here.
    pub user: Option<UserId>,
    /// Its message.
    pub comments: String,
    /// When it was committed.
    pub committed_on: Timestamp,
}

/// The changesets that belong to the issue and that the viewer may see, in the order in which they were committed.
pub fn changesets_of(db: &Read<'_>, viewer: &Viewer, issue: IssueId) -> Result<Vec<Changeset>, StoreError> {
    let mut sql = Sql::new(
        "SELECT c.revision, c.user_id, c.comments, c.committed_on FROM changesets_issues l JOIN changesets c ON c.id = l.changeset_id \
         JOIN repositories r ON r.id = c.repository_id WHERE l.issue_id = ",
    );
    sql.bind(issue).push(" AND ");
    condition(&mut sql, visibility::of(viewer, Kind::Changeset), in_project("r.project_id"));
    sql.push(" ORDER BY c.committed_on, c.id");
    db.rows(sql.text(), sql.values(), |row| {
        Ok(Changeset { revision: row.read(0)?, user: row.read(1)?, comments: row.read(2)?, committed_on: row.read(3)? })
    })
}

/// Says that a changeset belongs to an issue.
pub fn link(db: &mut Write<'_>, changeset: i64, issue: IssueId) -> Result<(), StoreError> {
    let sql = "INSERT INTO changesets_issues (changeset_id, issue_id) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
    db.execute(sql, &[changeset.into(), issue.into()])?;
    Ok(())
}

/// Takes an issue from its changesets.
pub fn unlink_issue(db: &mut Write<'_>, issue: IssueId) -> Result<(), StoreError> {
    db.execute("DELETE FROM changesets_issues WHERE issue_id = ?1", &[issue.into()])?;
    Ok(())
}
